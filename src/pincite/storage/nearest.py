"""Exact nearest passages by cosine: the codes say which may be among them, the true vectors which are."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pincite.errors import StoreError
from pincite.storage import bm25, codes, matrix
from pincite.storage.bm25 import Corpus
from pincite.storage.matrix import Matrix, State
from pincite.storage.vectors import StoredEmbedder
from pincite.types.passage import PassageHit


class Placed(msgspec.Struct, frozen=True):
    """A matrix in one state of the documents: `owners` has the place of each row's document in it, -1 for none."""

    matrix: Matrix
    corpus: Corpus
    owners: Any
    alive: Any


def current(connection: sqlite3.Connection, folder: Path, embedder: StoredEmbedder, corpus: Corpus,
            known: Placed | None, *, writable: bool) -> Placed:  # fmt: skip
    """Return the matrix of the state that `connection` sees; `known` is what there was before."""
    values = dict(connection.execute("SELECT key, value FROM meta"))
    now = State(
        library=values["library"],
        embedder_id=embedder.embedder_id,
        name=embedder.name,
        dimension=embedder.dimension,
        sequence=values["sequence"],
        vector_sequence=values["vector_sequence"],
        last_passage_id=0,
        last_vector_id=0,
    )
    before = None if known is None else known.matrix
    found = matrix.refresh(connection, folder, now, corpus, before, writable=writable)
    if known is not None and found is known.matrix and corpus is known.corpus:
        return known
    owners = corpus.owners(found.codes.passage_ids)
    return Placed(found, corpus, owners, np.flatnonzero(owners >= 0))


def search(
    connection: sqlite3.Connection, placed: Placed, vector: Any, doc_ids: Sequence[str], k: int
) -> tuple[PassageHit, ...]:
    """Return at most `k` passages by cosine, best first; the filter comes before ranking.

    `connection` sees the state of `placed`.

    Raises:
        StoreError: `vector` has another dimension than the matrix.

    """
    state, rows = placed.matrix.state, placed.matrix.codes
    query = np.ascontiguousarray(vector, dtype=np.float32).reshape(-1)
    if query.shape != (state.dimension,):
        raise StoreError(f"the vector has {query.size} numbers, those of {state.name!r} have {state.dimension}")
    among = placed.alive
    if doc_ids:
        wanted = set(doc_ids)
        # One more place than there are documents: -1 means that one, which nobody wants.
        is_wanted = np.array([*(doc_id in wanted for doc_id in placed.corpus.doc_ids), False])
        among = np.flatnonzero(is_wanted[placed.owners])
    if len(among) == 0 or k <= 0:
        return ()
    possible = rows.possible(query, among, k)
    true = _vectors(connection, rows.vector_ids[possible].tolist(), state.dimension)
    # Another program may have taken a vector out of the database: that passage has none, as if it were not embedded.
    found = [(row, true[i]) for row, i in zip(possible, rows.vector_ids[possible].tolist(), strict=True) if i in true]
    if not found:
        return ()
    scores = codes.products(np.array([vector for _, vector in found]), query)
    return bm25.best(rows.passage_ids[[row for row, _ in found]], scores, k, above=-np.inf)


def _vectors(connection: sqlite3.Connection, vector_ids: Sequence[int], dimension: int) -> dict[int, Any]:
    """Return true vectors by number."""
    found = connection.execute(
        "SELECT vector_id, vector FROM vectors WHERE vector_id IN (SELECT value FROM json_each(?))",
        (json.dumps(vector_ids),),
    ).fetchall()
    vectors = np.frombuffer(b"".join(row[1] for row in found), dtype="<f4").reshape(-1, dimension)
    return dict(zip((row[0] for row in found), vectors, strict=True))

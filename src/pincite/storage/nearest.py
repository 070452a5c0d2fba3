"""Exact nearest passages by cosine over the matrix file."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pincite.errors import StoreError
from pincite.storage import bm25, matrix
from pincite.storage.bm25 import Corpus
from pincite.storage.matrix import Matrix, State
from pincite.storage.vectors import StoredEmbedder
from pincite.types.passage import PassageHit


def current(connection: sqlite3.Connection, folder: Path, embedder: StoredEmbedder, corpus: Corpus,
            known: Matrix | None, *, writable: bool) -> Matrix:  # fmt: skip
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
    return matrix.refresh(connection, folder, now, corpus, known, writable=writable)


def search(found: Matrix, corpus: Corpus, vector: Any, doc_ids: Sequence[str], k: int) -> tuple[PassageHit, ...]:
    """Return at most `k` passages by cosine, best first; the filter comes before ranking.

    Raises:
        StoreError: `vector` has another dimension than the matrix.

    """
    query = np.asarray(vector, dtype=np.float32).reshape(-1)
    if query.shape != (found.state.dimension,):
        raise StoreError(f"the vector has {query.size} numbers, those of {found.state.name!r} have "
                         f"{found.state.dimension}")  # fmt: skip
    if len(found.passage_ids) == 0 or k <= 0:
        return ()
    rows = np.flatnonzero(bm25.narrow(corpus, doc_ids).positions(found.passage_ids) >= 0)
    if len(rows) * 2 < len(found.passage_ids):
        scores, ids = found.vectors[rows] @ query, found.passage_ids[rows]
    else:
        scores, ids = (found.vectors @ query)[rows], found.passage_ids[rows]
    return bm25.best(ids, scores, k, above=-np.inf)

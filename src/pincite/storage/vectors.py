"""The table of vectors: made once for each text and embedder, in small transactions of their own."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import msgspec

from pincite.protocols import Embedder
from pincite.storage.documents import grow_sequence
from pincite.storage.embedders import check_complete, check_current, checked, is_same
from pincite.storage.rows import PASSAGE_COLUMNS, passage_of


class StoredEmbedder(msgspec.Struct, frozen=True):
    """An embedder whose vectors are in the library; `is_current` says whether search uses them."""

    embedder_id: int
    name: str
    dimension: int
    is_current: bool


class _Reader(Protocol):
    def __call__(self) -> AbstractContextManager[sqlite3.Connection]: ...


def embedders(connection: sqlite3.Connection) -> tuple[StoredEmbedder, ...]:
    """Return every embedder that has vectors, in the order in which they came."""
    found = connection.execute(
        "SELECT embedder_id, name, dimension, is_current FROM embedders e "
        "WHERE EXISTS (SELECT 1 FROM vectors v WHERE v.embedder_id = e.embedder_id) ORDER BY embedder_id"
    )
    return tuple(StoredEmbedder(row[0], row[1], row[2], bool(row[3])) for row in found)


def stored(connection: sqlite3.Connection, embedder: Embedder) -> StoredEmbedder | None:
    """Return what the library holds of `embedder`: same name and same dimension, or `None`."""
    return next((found for found in embedders(connection) if is_same(found, embedder)), None)


def check(connection: sqlite3.Connection, embedder: Embedder) -> None:
    """Make sure that search with `embedder` would compare vectors of one kind; raises as `check_current`."""
    check_current(embedders(connection), embedder)


def add(connection: sqlite3.Connection, embedder: Embedder, rows: Iterable[tuple[str, Any]]) -> None:
    """Keep vectors by the hash of their text; the first embedder becomes the current one. Raises as `checked`."""
    ready = [(text_hash, array.tobytes()) for text_hash, array in checked(embedder, rows)]
    embedder_id = _register(connection, embedder)
    connection.executemany(
        "INSERT OR IGNORE INTO vectors (embedder_id, text_hash, vector) SELECT ?1, ?2, ?3 "
        # A passage may have been removed while its text was being embedded.
        "WHERE EXISTS (SELECT 1 FROM passages WHERE text_hash = ?2)",
        ((embedder_id, text_hash, vector) for text_hash, vector in ready),
    )
    grow_sequence(connection, "vector_sequence")


def _register(connection: sqlite3.Connection, embedder: Embedder) -> int:
    has_current = any(found.is_current for found in embedders(connection))
    if not has_current:
        connection.execute("UPDATE embedders SET is_current = 0")
    connection.execute(
        "INSERT INTO embedders (name, dimension, is_current) VALUES (?1, ?2, ?3) "
        "ON CONFLICT (name, dimension) DO UPDATE SET is_current = max(is_current, ?3)",
        (embedder.name, embedder.dimension, int(not has_current)),
    )
    row = connection.execute(
        "SELECT embedder_id FROM embedders WHERE name = ? AND dimension = ?", (embedder.name, embedder.dimension)
    ).fetchone()
    return int(row[0])


def of_passages(connection: sqlite3.Connection, embedder: Embedder, passage_ids: Sequence[int]) -> Any:
    """Return the vectors of passages as rows of one array; passages without a vector have no row."""
    import numpy as np

    found = connection.execute(
        "SELECT v.vector FROM json_each(?) asked JOIN passages p ON p.passage_id = asked.value "
        "JOIN vectors v USING (text_hash) JOIN embedders e USING (embedder_id) WHERE e.name = ? AND e.dimension = ?",
        (json.dumps(list(passage_ids)), embedder.name, embedder.dimension),
    )
    return np.frombuffer(b"".join(row[0] for row in found), "<f4").reshape(-1, embedder.dimension)


def every(reading: _Reader, embedder: StoredEmbedder, *, batch: int = 1000) -> Iterator[list[tuple[str, Any]]]:
    """Yield `(text_hash, vector)` of all vectors of an embedder; no snapshot is held between batches."""
    import numpy as np

    statement = (
        "SELECT vector_id, text_hash, vector FROM vectors WHERE embedder_id = ? AND vector_id > ? "
        "ORDER BY vector_id LIMIT ?"
    )
    last = 0
    while True:
        with reading() as connection:
            found = connection.execute(statement, (embedder.embedder_id, last, batch)).fetchall()
        if not found:
            return
        last = found[-1][0]
        yield [(row[1], np.frombuffer(row[2], "<f4")) for row in found]


def missing(
    reading: _Reader, embedder: Embedder, *, batch: int, doc_ids: str | None
) -> Iterator[list[tuple[str, str]]]:
    """Yield `(text_hash, embedding_text)` of texts without a vector, in the order of their passages.

    No snapshot is held between batches; each text comes once even if the caller adds nothing.
    """
    within = "" if doc_ids is None else "AND doc_id IN (SELECT value FROM json_each(?)) "
    statement = (
        f"SELECT {PASSAGE_COLUMNS} FROM passages p WHERE passage_id > ? {within}"  # noqa: S608 - fixed parts
        "AND NOT EXISTS (SELECT 1 FROM vectors v JOIN embedders e USING (embedder_id) "
        "WHERE v.text_hash = p.text_hash AND e.name = ? AND e.dimension = ?) ORDER BY passage_id LIMIT ?"
    )
    last = 0
    seen: set[str] = set()
    while True:
        arguments: list[Any] = [last, *([] if doc_ids is None else [doc_ids])]
        arguments += [embedder.name, embedder.dimension, batch]
        with reading() as connection:
            found = [passage_of(row) for row in connection.execute(statement, arguments)]
        if not found:
            return
        last = found[-1].passage_id
        texts = {s.passage.text_hash: s.passage.embedding_text for s in found if s.passage.text_hash not in seen}
        seen.update(texts)
        if texts:
            yield list(texts.items())


class VectorProgress(msgspec.Struct, frozen=True):
    """How many different texts have a vector, and how many there are."""

    done: int
    total: int


def progress(connection: sqlite3.Connection, embedder: Embedder) -> VectorProgress:
    """Return how far the passages of the library are embedded."""
    total = connection.execute("SELECT COUNT(DISTINCT text_hash) FROM passages").fetchone()[0]
    done = connection.execute(
        "SELECT COUNT(*) FROM vectors v JOIN embedders USING (embedder_id) WHERE name = ? AND dimension = ? "
        # A sync keeps vectors of texts that are gone until its end: another document may bring them again.
        "AND EXISTS (SELECT 1 FROM passages p WHERE p.text_hash = v.text_hash)",
        (embedder.name, embedder.dimension),
    ).fetchone()[0]
    return VectorProgress(done, total)


def switch(connection: sqlite3.Connection, embedder: Embedder) -> Sequence[StoredEmbedder]:
    """Make `embedder` the current one and delete the vectors of all others, which are returned.

    Raises:
        StoreError: some passages have no vector of it yet.

    """
    state = progress(connection, embedder)
    check_complete(embedder, done=state.done, total=state.total)
    others = tuple(found for found in embedders(connection) if not is_same(found, embedder))
    current = _register(connection, embedder)
    connection.execute("DELETE FROM vectors WHERE embedder_id <> ?", (current,))
    connection.execute("DELETE FROM embedders WHERE embedder_id <> ?", (current,))
    connection.execute("UPDATE embedders SET is_current = 1 WHERE embedder_id = ?", (current,))
    grow_sequence(connection, "vector_sequence")
    return others


def drop_unused(connection: sqlite3.Connection) -> None:
    """Delete the vectors of all texts that no passage has."""
    connection.execute(
        "DELETE FROM vectors WHERE NOT EXISTS (SELECT 1 FROM passages p WHERE p.text_hash = vectors.text_hash)"
    )

"""The vectors of one embedder as rows of codes in a memory-mapped file, derived from the database.

The file is a header, then rows (`pincite.storage.codes`). The header names the library, the embedder and the state it
was made from, and holds a checksum of the rows. A file that is stale is brought up to date, one that is lost, cut or
altered is made again; where no file can be written the rows live in memory. Rows behind the last one that the
header counts are an append that did not finish: they are overwritten.
"""

import contextlib
import hashlib
import json
import logging
import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from pincite.errors import StoreError
from pincite.storage.bm25 import Corpus
from pincite.storage.codes import Codes, encode, row_type
from pincite.storage.locks import WriterLock
from pincite.storage.vectors import StoredEmbedder

_log = logging.getLogger(__name__)
_HEADER_BYTES: Final = 4096
_MAGIC: Final = b"pincite vectors 2\n"
#: A file with more dead rows than this share is written anew.
_MOST_DEAD: Final = 0.3
#: Vectors that are read from the database at once: 6 MB of 384 numbers each.
_BATCH: Final = 4096


class State(msgspec.Struct, frozen=True):
    """What the rows were made from; two equal states have equal rows."""

    library: str
    embedder_id: int
    name: str
    dimension: int
    sequence: int
    vector_sequence: int
    last_passage_id: int
    last_vector_id: int


class Matrix(msgspec.Struct, frozen=True):
    """The rows of a state. `checksum` is their CRC-32."""

    state: State
    codes: Codes
    checksum: int


def file_path(folder: Path, embedder: StoredEmbedder) -> Path:
    """Return where the matrix of an embedder is kept; the name is safe on every file system."""
    safe = re.sub(r"[^A-Za-z0-9_.-]", "-", embedder.name)[:60]
    if safe != embedder.name:
        safe += "-" + hashlib.sha256(embedder.name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return folder / f"vectors-{safe}-{embedder.dimension}.i8"


def refresh(connection: sqlite3.Connection, folder: Path, now: State, corpus: Corpus, known: Matrix | None, *,
            writable: bool) -> Matrix:  # fmt: skip
    """Return the matrix of the state `now` (of which `last_passage_id` and `last_vector_id` are 0).

    `known` is what this process had before. The file is written when `writable`, unless another process writes it.
    """
    path = file_path(folder, StoredEmbedder(now.embedder_id, now.name, now.dimension, is_current=True))
    base = known if known is not None and _same_line(known.state, now) else _read(path, now)
    if base is not None and _same_moment(base.state, now):
        return base
    on_disk = _header(path)
    if on_disk is not None and _same_line(now, on_disk[0]) and not _same_moment(now, on_disk[0]):
        # Another process has gone on since this snapshot was taken: leave its file alone.
        writable = False
    if base is not None:
        alive = int((corpus.owners(base.codes.passage_ids) >= 0).sum())
        if alive < (1 - _MOST_DEAD) * len(base.codes):
            base = None
    # Over all embedders: the numbers only have to be past what was read.
    last_passage_id = connection.execute("SELECT coalesce(max(passage_id), 0) FROM passages").fetchone()[0]
    last_vector_id = connection.execute("SELECT coalesce(max(vector_id), 0) FROM vectors").fetchone()[0]
    state = msgspec.structs.replace(now, last_passage_id=last_passage_id, last_vector_id=last_vector_id)
    if writable:
        with contextlib.suppress(OSError, StoreError), WriterLock(folder / "vectors.lock").held(0):
            _write(path, state, base, _rows_after(connection, now, base))
            written = _read(path, now)
            if written is not None and written.state == state:
                return written
    parts = list(_rows_after(connection, now, base))
    rows = np.concatenate([*([] if base is None else [base.codes.rows]), *parts, np.empty(0, row_type(now.dimension))])
    return Matrix(state, Codes(rows), 0)


def _same_line(state: State, now: State) -> bool:
    """Say whether `state` is an earlier or the same state of the same vectors as `now`."""
    return (
        (state.library, state.embedder_id, state.name, state.dimension)
        == (now.library, now.embedder_id, now.name, now.dimension)
        and state.sequence <= now.sequence
        and state.vector_sequence <= now.vector_sequence
    )


def _same_moment(state: State, now: State) -> bool:
    return (state.sequence, state.vector_sequence) == (now.sequence, now.vector_sequence)


def _rows_after(connection: sqlite3.Connection, now: State, base: Matrix | None) -> Iterator[Any]:
    """Yield the rows that the base does not hold, in parts: of passages added since, and of vectors added since."""
    passages, vectors = (0, 0) if base is None else (base.state.last_passage_id, base.state.last_vector_id)
    start = "SELECT p.passage_id, v.vector_id, v.vector FROM "
    yield from _encoded(
        connection.execute(
            start + "passages p JOIN vectors v ON v.text_hash = p.text_hash AND v.embedder_id = ?1 "
            "WHERE p.passage_id > ?2 ORDER BY p.passage_id",
            (now.embedder_id, passages),
        ),
        now.dimension,
    )
    if base is not None:
        yield from _encoded(
            connection.execute(
                start + "vectors v JOIN passages p ON p.text_hash = v.text_hash "
                "WHERE v.vector_id > ?3 AND v.embedder_id = ?1 AND p.passage_id <= ?2 ORDER BY p.passage_id",
                (now.embedder_id, passages, vectors),
            ),
            now.dimension,
        )


def _encoded(found: sqlite3.Cursor, dimension: int) -> Iterator[Any]:
    while rows := found.fetchmany(_BATCH):
        vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype="<f4").reshape(-1, dimension)
        yield encode([row[0] for row in rows], [row[1] for row in rows], vectors)


def _write(path: Path, state: State, base: Matrix | None, added: Iterator[Any]) -> None:
    if base is not None and _header(path) == (base.state, len(base.codes), base.checksum):
        with path.open("r+b") as file:
            file.seek(_HEADER_BYTES + base.codes.rows.nbytes)
            n_added, checksum = _append(file, added, base.checksum)
            file.truncate()
            file.seek(0)
            file.write(_header_bytes(state, len(base.codes) + n_added, checksum))
        return
    temporary = path.with_suffix(".new")
    with temporary.open("wb") as file:
        file.seek(_HEADER_BYTES)
        n_rows, checksum = _append(file, iter([] if base is None else [base.codes.rows]), 0)
        n_added, checksum = _append(file, added, checksum)
        file.seek(0)
        file.write(_header_bytes(state, n_rows + n_added, checksum))
    temporary.replace(path)
    # What pincite made before it kept codes.
    path.with_suffix(".f32").unlink(missing_ok=True)


def _append(file: Any, parts: Iterator[Any], checksum: int) -> tuple[int, int]:
    """Write rows; return how many, and the checksum of all up to here."""
    n_rows = 0
    for part in parts:
        data = np.ascontiguousarray(part).tobytes()
        file.write(data)
        n_rows, checksum = n_rows + len(part), zlib.crc32(data, checksum)
    return n_rows, checksum


def _header_bytes(state: State, n_rows: int, checksum: int) -> bytes:
    body = json.dumps([msgspec.to_builtins(state), n_rows, checksum]).encode("ascii")
    head = _MAGIC + b"%08x\n" % zlib.crc32(body) + body
    if len(head) > _HEADER_BYTES:
        raise OSError(f"the name of the embedder, {state.name!r}, is too long for the header of a file")
    return head.ljust(_HEADER_BYTES, b"\n")


def _header(path: Path) -> tuple[State, int, int] | None:
    """Return state, number of rows and checksum of a file, or `None` when it is none of ours."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES)
        magic, check, body = head[: len(_MAGIC)], head[len(_MAGIC) :][:8], head[len(_MAGIC) + 9 :].rstrip(b"\n")
        if magic != _MAGIC or int(check, 16) != zlib.crc32(body):
            return None
        state, n_rows, checksum = json.loads(body)
        return msgspec.convert(state, State), int(n_rows), int(checksum)
    except (OSError, ValueError, TypeError, msgspec.ValidationError):
        return None


def _read(path: Path, now: State) -> Matrix | None:
    """Return the rows of a file that belongs to this library and embedder and is what it says, else `None`."""
    header = _header(path)
    if header is None or not _same_line(header[0], now):
        return None
    state, n_rows, checksum = header
    kind = row_type(now.dimension)
    if n_rows == 0:
        return Matrix(state, Codes(np.empty(0, dtype=kind)), checksum)
    try:
        rows = np.memmap(path, dtype=kind, mode="r", offset=_HEADER_BYTES, shape=(n_rows,))
    except (OSError, ValueError):
        return None
    if zlib.crc32(rows.view(np.uint8).data) != checksum:
        _log.warning("%s was altered; it is made again from the database", path.name)
        return None
    return Matrix(state, Codes(rows), checksum)

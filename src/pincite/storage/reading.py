"""Pieces of documents out of the tables, inside the caller's transaction."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from pincite.storage import rows
from pincite.storage.values import Row, restored, storable
from pincite.types.document import Line, Page, PlacedObject, Section
from pincite.types.passage import StoredPassage

T = TypeVar("T")

#: How many ids one SQL statement takes.
_BATCH: Final = 500


def doc_ids_as_added(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the ids of all documents in the order in which they were added."""
    return tuple(restored(row[0]) for row in connection.execute("SELECT doc_id FROM documents ORDER BY doc_no"))


def content_hashes(connection: sqlite3.Connection) -> set[str]:
    """Return the content hash of every document."""
    return {row[0] for row in connection.execute("SELECT content_hash FROM documents")}


def lines(connection: sqlite3.Connection, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[Line, ...]:
    """Return lines of a document, both ends included."""
    return _made(
        rows.line_of,
        connection,
        f"SELECT {rows.LINE_COLUMNS} FROM lines WHERE doc_id = ? AND line_id BETWEEN ? AND ? ORDER BY line_id",  # noqa: S608
        (storable(doc_id), first_line_id, last_line_id),
    )


def page_lines(connection: sqlite3.Connection, doc_id: str, first_page: int, last_page: int) -> tuple[Line, ...]:
    """Return the lines of pages of a document, both ends included."""
    return _made(
        rows.line_of,
        connection,
        f"SELECT {rows.LINE_COLUMNS} FROM lines WHERE doc_id = ? AND page_num BETWEEN ? AND ? ORDER BY line_id",  # noqa: S608
        (storable(doc_id), first_page, last_page),
    )


def pages(connection: sqlite3.Connection, doc_id: str) -> tuple[Page, ...]:
    """Return the pages of a document."""
    return _made(
        rows.page_of,
        connection,
        f"SELECT {rows.PAGE_COLUMNS} FROM pages WHERE doc_id = ? ORDER BY page_num",  # noqa: S608
        (storable(doc_id),),
    )


def toc(connection: sqlite3.Connection, doc_id: str) -> tuple[Section, ...]:
    """Return the contents of a document."""
    return _made(
        rows.section_of,
        connection,
        f"SELECT {rows.TOC_COLUMNS} FROM toc WHERE doc_id = ? ORDER BY position",  # noqa: S608
        (storable(doc_id),),
    )


def named(connection: sqlite3.Connection, labels: Sequence[str], doc_ids: Sequence[str]) -> tuple[PlacedObject, ...]:
    """Return the named objects with one of the labels, whatever their case; no ids means in the whole library."""
    found = _made(
        rows.placed_object_of,
        connection,
        "SELECT doc_id, kind, label, title, page_num, line_num FROM objects "
        "WHERE label COLLATE NOCASE IN (SELECT value FROM json_each(?)) ORDER BY doc_id, position",
        (json.dumps(list(labels)),),
    )
    wanted = frozenset(doc_ids)
    return tuple(one for one in found if one.doc_id in wanted) if wanted else found


def passages(connection: sqlite3.Connection, passage_ids: Sequence[int]) -> tuple[StoredPassage, ...]:
    """Return passages by id, in the order asked; ids that are gone are left out."""
    statement = (
        f"SELECT {rows.PASSAGE_COLUMNS} FROM passages "  # noqa: S608
        "WHERE passage_id IN (SELECT value FROM json_each(?))"
    )
    found: dict[int, StoredPassage] = {}
    for start in range(0, len(passage_ids), _BATCH):
        wanted = json.dumps([int(i) for i in passage_ids[start : start + _BATCH]])
        for one in _made(rows.passage_of, connection, statement, (wanted,)):
            found[one.passage_id] = one
    return tuple(found[i] for i in passage_ids if i in found)


def passages_at(
    connection: sqlite3.Connection, doc_id: str, first_line_id: int, last_line_id: int
) -> tuple[StoredPassage, ...]:
    """Return the passages that share a line with a range, in the order of the document."""
    return _made(
        rows.passage_of,
        connection,
        f"SELECT {rows.PASSAGE_COLUMNS} FROM passages "  # noqa: S608
        "WHERE doc_id = ? AND first_line_id <= ? AND last_line_id >= ? ORDER BY first_line_id, passage_id",
        (storable(doc_id), last_line_id, first_line_id),
    )


def _made(
    make: Callable[[Row], T], connection: sqlite3.Connection, statement: str, arguments: Sequence[Any]
) -> tuple[T, ...]:
    return tuple(map(make, connection.execute(statement, arguments)))

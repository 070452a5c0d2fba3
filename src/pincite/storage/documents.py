"""One document in and out of the tables, inside the caller's transaction."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from itertools import groupby

from pincite.errors import StoreError, UnknownDocumentError
from pincite.storage import rows, schema, terms
from pincite.storage.values import insert, restored, storable
from pincite.types.document import DocumentRecord, ParsedDocument, ParsingSummary
from pincite.types.passage import Passage
from pincite.types.record import to_json


def put_document(
    connection: sqlite3.Connection,
    record: DocumentRecord,
    document: ParsedDocument,
    passages: Sequence[Passage],
    *,
    keep_vectors: bool = False,
) -> set[str]:
    """Write a document with everything that is searched in it, in place of what has its id or its uri.

    With `keep_vectors` those of texts that are gone stay for other documents, until `vectors.drop_unused`.
    Returns the content hashes that no document has any more.

    Raises:
        StoreError: another document has this name.

    """
    # Two processes may add one file at the same time; one address is one document.
    same = (find_record(connection, "doc_id", record.doc_id), find_record(connection, "uri", record.uri))
    replaced = {found.doc_id: found for found in same if found is not None}
    texts: set[str] = set()
    for doc_id in replaced:
        texts |= _hashes_of_texts(connection, doc_id)
        _delete_rows(connection, doc_id)
    namesake = find_record(connection, "name", record.name)
    if namesake is not None:
        raise StoreError(
            f"the name {record.name!r} of {record.uri!r} is taken by {namesake.uri!r}; give the document another name"
        )
    insert(connection, "documents", 15, [rows.document_row(record)])
    doc_no = int(connection.execute("SELECT last_insert_rowid()").fetchone()[0])
    _write_parts(connection, storable(record.doc_id), document)
    first_passage_id = _next_passage_id(connection)
    insert(connection, "passages", 11, rows.passage_rows(storable(record.doc_id), first_passage_id, passages))
    terms.index_document(connection, doc_no, first_passage_id, [terms.searched(document, p) for p in passages])
    connection.execute("DELETE FROM failures WHERE uri = ?", (storable(record.uri),))
    if not keep_vectors:
        _drop_vectors_of(connection, texts)
    grow_sequence(connection)
    return _unused(connection, {found.content_hash for found in replaced.values()})


def _write_parts(connection: sqlite3.Connection, doc_id: str, document: ParsedDocument) -> None:
    insert(connection, "pages", 11, rows.page_rows(doc_id, document))
    insert(connection, "lines", 16, rows.line_rows(doc_id, document.lines))
    insert(connection, "toc", 14, rows.toc_rows(doc_id, document.toc))
    insert(connection, "tables", 12, rows.table_rows(doc_id, document.tables))
    insert(connection, "cells", 12, rows.cell_rows(doc_id, document.tables))
    insert(connection, "images", 9, rows.image_rows(doc_id, document.images))
    insert(connection, "objects", 7, rows.object_rows(doc_id, document.objects))
    insert(connection, "references", 7, rows.reference_rows(doc_id, document.references))


def remove_document(connection: sqlite3.Connection, doc_id: str, *, keep_vectors: bool = False) -> set[str]:
    """Delete a document, what is searched in it, and vectors that nobody else uses; an unknown id changes nothing.

    Returns the content hashes that no document has any more.
    """
    found = find_record(connection, "doc_id", doc_id)
    if found is None:
        return set()
    texts = _hashes_of_texts(connection, doc_id)
    _delete_rows(connection, doc_id)
    if not keep_vectors:
        _drop_vectors_of(connection, texts)
    grow_sequence(connection)
    return _unused(connection, {found.content_hash})


def _delete_rows(connection: sqlite3.Connection, doc_id: str) -> None:
    """Delete the rows of a document; vectors stay, because the passages that follow may use them again."""
    key = storable(doc_id)
    doc_no = connection.execute("SELECT doc_no FROM documents WHERE doc_id = ?", (key,)).fetchone()[0]
    terms.forget_document(connection, doc_no)
    for table in schema.DOCUMENT_TABLES:
        connection.execute(f'DELETE FROM "{table}" WHERE doc_id = ?', (key,))  # noqa: S608 - names of our own


def rename_document(
    connection: sqlite3.Connection, doc_id: str, name: str, uri: str, *, origin: Mapping[str, str] | None
) -> None:
    """Give a document another name and address, and another origin unless that is `None`.

    Raises:
        UnknownDocumentError: there is no such document.
        StoreError: another document has this name or address.

    """
    for column, value in (("name", name), ("uri", uri)):
        other = find_record(connection, column, value)
        if other is not None and other.doc_id != doc_id:
            raise StoreError(f"the {column} {value!r} is taken by document {other.doc_id!r}")
    _update(connection, doc_id, "name = ?, uri = ?", storable(name), storable(uri))
    if origin is not None:
        _update(connection, doc_id, "origin = ?", storable(json.dumps(dict(origin))))
    grow_sequence(connection)


def set_summary(connection: sqlite3.Connection, doc_id: str, summary: ParsingSummary) -> None:
    """Keep another summary of a document.

    Raises:
        UnknownDocumentError: there is no such document.

    """
    _update(connection, doc_id, "parsing_summary = ?", json.dumps(to_json(summary)))
    grow_sequence(connection)


def _update(connection: sqlite3.Connection, doc_id: str, columns: str, *values: object) -> None:
    changed = connection.execute(
        f"UPDATE documents SET {columns} WHERE doc_id = ?",  # noqa: S608 - names of our own
        (*values, storable(doc_id)),
    )
    if changed.rowcount == 0:
        raise UnknownDocumentError(f"there is no document {doc_id!r} in the library")


def find_record(connection: sqlite3.Connection, column: str, value: str) -> DocumentRecord | None:
    """Return the document whose `column` holds `value` (the one added first), or `None`."""
    row = connection.execute(
        f"SELECT {rows.RECORD_COLUMNS} FROM documents WHERE {column} = ? ORDER BY doc_no LIMIT 1",  # noqa: S608
        (storable(value),),
    ).fetchone()
    return None if row is None else rows.record_of(row)


def all_records(connection: sqlite3.Connection) -> tuple[DocumentRecord, ...]:
    """Return every document, by name."""
    found = connection.execute(f"SELECT {rows.RECORD_COLUMNS} FROM documents")  # noqa: S608
    return tuple(sorted(map(rows.record_of, found), key=lambda record: record.name))


def load_document(connection: sqlite3.Connection, doc_id: str) -> ParsedDocument:
    """Return a document as it was parsed, under the name and address it has now.

    Raises:
        UnknownDocumentError: there is none of that id.

    """
    record = find_record(connection, "doc_id", doc_id)
    if record is None:
        raise UnknownDocumentError(f"there is no document {doc_id!r} in the library")
    key = storable(doc_id)

    def of(table: str, columns: str, order: str) -> sqlite3.Cursor:
        return connection.execute(
            f'SELECT {columns} FROM "{table}" WHERE doc_id = ? ORDER BY {order}',  # noqa: S608 - names of our own
            (key,),
        )

    by_table = groupby(of("cells", rows.CELL_COLUMNS, "table_position, position"), key=lambda row: row[-1])
    cells = {position: tuple(map(rows.cell_of, group)) for position, group in by_table}
    return ParsedDocument(
        **rows.head_of(record),
        pages=tuple(map(rows.page_of, of("pages", rows.PAGE_COLUMNS, "page_num"))),
        lines=tuple(map(rows.line_of, of("lines", rows.LINE_COLUMNS, "line_id"))),
        toc=tuple(map(rows.section_of, of("toc", rows.TOC_COLUMNS, "position"))),
        tables=tuple(
            rows.table_of(row, cells.get(row[-1], ())) for row in of("tables", rows.TABLE_COLUMNS, "position")
        ),
        images=tuple(map(rows.image_of, of("images", rows.IMAGE_COLUMNS, "position"))),
        objects=tuple(map(rows.object_of, of("objects", "kind, label, title, page_num, line_num", "position"))),
        references=tuple(
            map(rows.reference_of, of("references", "kind, label, page_num, line_num, target", "position"))
        ),
    )


def reindex(connection: sqlite3.Connection, *, tokenizer_version: int) -> None:
    """Write all postings and words again from the stored lines: the tokenizer has changed."""
    for table in ("postings", "passage_lengths", "words", "document_words"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own
    for doc_no, key in connection.execute("SELECT doc_no, doc_id FROM documents").fetchall():
        document = load_document(connection, restored(key))
        found = connection.execute(
            f"SELECT {rows.PASSAGE_COLUMNS} FROM passages WHERE doc_id = ? ORDER BY passage_id",  # noqa: S608
            (key,),
        )
        stored = [rows.passage_of(row) for row in found]
        first = stored[0].passage_id if stored else _next_passage_id(connection)
        terms.index_document(connection, doc_no, first, [terms.searched(document, s.passage) for s in stored])
    connection.execute("UPDATE meta SET value = ? WHERE key = 'tokenizer_version'", (tokenizer_version,))
    grow_sequence(connection)


def grow_sequence(connection: sqlite3.Connection, key: str = "sequence") -> None:
    """Say that what is derived from the documents (or the vectors) is out of date."""
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = ?", (key,))


def _drop_vectors_of(connection: sqlite3.Connection, text_hashes: set[str]) -> None:
    """Delete the vectors of texts that no passage has any more."""
    connection.executemany(
        "DELETE FROM vectors WHERE text_hash = ?1 AND NOT EXISTS (SELECT 1 FROM passages WHERE text_hash = ?1)",
        ((text_hash,) for text_hash in text_hashes),
    )


def _hashes_of_texts(connection: sqlite3.Connection, doc_id: str) -> set[str]:
    found = connection.execute("SELECT text_hash FROM passages WHERE doc_id = ?", (storable(doc_id),))
    return {row[0] for row in found}


def _next_passage_id(connection: sqlite3.Connection) -> int:
    """Return an id above every id that was ever given, so an old id never means another passage."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'").fetchone()
    return 1 if row is None else int(row[0]) + 1


def _unused(connection: sqlite3.Connection, content_hashes: set[str]) -> set[str]:
    statement = "SELECT 1 FROM documents WHERE content_hash = ?"
    return {found for found in content_hashes if connection.execute(statement, (found,)).fetchone() is None}

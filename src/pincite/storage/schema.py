"""The tables of a library, and the version that says whether this pincite can read them.

Users may open the database with any SQL tool: `documents`, `pages`, `lines`, `toc`, `tables`, `cells`, `images`,
`objects`, `references`, `passages`, `failures`, `traces`, `sources` and `source_files` are written for them.
`postings`, `passage_lengths`, `words`, `document_words`, `embedders` and `vectors` serve search. A name that is not
valid Unicode (a file name of undecodable bytes) is a blob of UTF-8 with surrogates; all other text is text.
"""

import contextlib
import os
import sqlite3
import uuid
from pathlib import Path
from typing import Final

from pincite.errors import LibraryVersionError, StoreError

#: Raise this when a table changes, and say in `_MIGRATIONS` how the version before becomes this one.
SCHEMA_VERSION: Final = 3
#: "PNCT": lets `file` and other tools recognise a library.
APPLICATION_ID: Final = 0x504E4354

_TABLES: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE documents (
    doc_no INTEGER PRIMARY KEY AUTOINCREMENT, doc_id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
    uri TEXT NOT NULL UNIQUE, media_type TEXT NOT NULL, content_hash TEXT NOT NULL, bytes INTEGER NOT NULL,
    parser TEXT NOT NULL, n_pages INTEGER NOT NULL, n_lines INTEGER NOT NULL, added_at TEXT NOT NULL,
    status TEXT NOT NULL, metadata TEXT NOT NULL, parsing_summary TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT '{}');
CREATE INDEX documents_by_content ON documents (content_hash);

CREATE TABLE pages (
    doc_id TEXT NOT NULL, page_num INTEGER NOT NULL, label TEXT, width_pt REAL NOT NULL, height_pt REAL NOT NULL,
    rotation INTEGER NOT NULL, kind TEXT NOT NULL, n_lines INTEGER NOT NULL, n_columns INTEGER NOT NULL,
    text TEXT NOT NULL, flags TEXT NOT NULL, PRIMARY KEY (doc_id, page_num));

CREATE TABLE lines (
    doc_id TEXT NOT NULL, line_id INTEGER NOT NULL, page_num INTEGER NOT NULL, line_num INTEGER NOT NULL,
    text TEXT NOT NULL, x0 REAL, y0 REAL, x1 REAL, y1 REAL, "column" INTEGER NOT NULL, section_id INTEGER,
    role TEXT NOT NULL, layer TEXT NOT NULL, font_size REAL, bold INTEGER NOT NULL, confidence REAL,
    PRIMARY KEY (doc_id, line_id)) WITHOUT ROWID;
CREATE INDEX lines_by_page ON lines (doc_id, page_num);

CREATE TABLE toc (
    doc_id TEXT NOT NULL, section_id INTEGER NOT NULL, parent_id INTEGER, level INTEGER NOT NULL, title TEXT NOT NULL,
    breadcrumb TEXT NOT NULL, start_page INTEGER NOT NULL, start_line INTEGER, start_y REAL,
    end_page INTEGER NOT NULL, end_line INTEGER, origin TEXT NOT NULL, position INTEGER NOT NULL,
    confidence REAL NOT NULL DEFAULT 1.0, PRIMARY KEY (doc_id, position));

CREATE TABLE tables (
    doc_id TEXT NOT NULL, table_id INTEGER NOT NULL, page_num INTEGER NOT NULL, caption TEXT, n_rows INTEGER NOT NULL,
    n_cols INTEGER NOT NULL, header_rows INTEGER NOT NULL, first_line_id INTEGER NOT NULL,
    last_line_id INTEGER NOT NULL, unit TEXT, scale TEXT, position INTEGER NOT NULL, PRIMARY KEY (doc_id, position));

CREATE TABLE cells (
    doc_id TEXT NOT NULL, table_id INTEGER NOT NULL, "row" INTEGER NOT NULL, col INTEGER NOT NULL, text TEXT NOT NULL,
    line_ids TEXT NOT NULL, x0 REAL, y0 REAL, x1 REAL, y1 REAL, table_position INTEGER NOT NULL,
    position INTEGER NOT NULL, PRIMARY KEY (doc_id, table_position, position)) WITHOUT ROWID;

CREATE TABLE images (
    doc_id TEXT NOT NULL, page_num INTEGER NOT NULL, x0 REAL NOT NULL, y0 REAL NOT NULL, x1 REAL NOT NULL,
    y1 REAL NOT NULL, content_hash TEXT NOT NULL, caption_line_id INTEGER, position INTEGER NOT NULL,
    PRIMARY KEY (doc_id, position));

CREATE TABLE objects (
    doc_id TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL, title TEXT NOT NULL, page_num INTEGER NOT NULL,
    line_num INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (doc_id, position));
CREATE INDEX objects_by_label ON objects (label COLLATE NOCASE);

CREATE TABLE "references" (
    doc_id TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL, page_num INTEGER NOT NULL,
    line_num INTEGER NOT NULL, target TEXT, position INTEGER NOT NULL, PRIMARY KEY (doc_id, position));

CREATE TABLE passages (
    passage_id INTEGER PRIMARY KEY AUTOINCREMENT, doc_id TEXT NOT NULL, first_line_id INTEGER NOT NULL,
    last_line_id INTEGER NOT NULL, first_page INTEGER NOT NULL, last_page INTEGER NOT NULL, section_id INTEGER,
    breadcrumb TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, text_hash TEXT NOT NULL);
CREATE INDEX passages_by_place ON passages (doc_id, first_line_id);
CREATE INDEX passages_by_text ON passages (text_hash);

CREATE TABLE passage_lengths (
    doc_no INTEGER PRIMARY KEY, first_passage_id INTEGER NOT NULL, n_passages INTEGER NOT NULL, lengths BLOB NOT NULL);
CREATE TABLE postings (term TEXT NOT NULL, doc_no INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (term, doc_no))
    WITHOUT ROWID;
CREATE INDEX postings_by_document ON postings (doc_no);
CREATE TABLE words (word TEXT PRIMARY KEY, n_passages INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE document_words (doc_no INTEGER PRIMARY KEY, counts BLOB NOT NULL);

CREATE TABLE embedders (
    embedder_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, dimension INTEGER NOT NULL,
    is_current INTEGER NOT NULL, UNIQUE (name, dimension));
CREATE TABLE vectors (
    vector_id INTEGER PRIMARY KEY AUTOINCREMENT, embedder_id INTEGER NOT NULL, text_hash TEXT NOT NULL,
    vector BLOB NOT NULL, UNIQUE (text_hash, embedder_id));

CREATE TABLE failures (
    uri TEXT PRIMARY KEY, name TEXT NOT NULL, content_hash TEXT, code TEXT NOT NULL, message TEXT NOT NULL,
    failed_at TEXT NOT NULL);
CREATE TABLE traces (
    trace_id TEXT PRIMARY KEY, asked_at TEXT NOT NULL, question TEXT NOT NULL, result TEXT NOT NULL,
    data BLOB NOT NULL);
CREATE INDEX traces_by_time ON traces (asked_at);
"""

_SOURCES: Final = """
CREATE TABLE sources (
    spec TEXT PRIMARY KEY, options TEXT NOT NULL, state TEXT NOT NULL, synced_at TEXT) WITHOUT ROWID;
CREATE TABLE source_files (
    spec TEXT NOT NULL, uri TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, reader TEXT NOT NULL,
    code TEXT NOT NULL, message TEXT NOT NULL, PRIMARY KEY (spec, uri)) WITHOUT ROWID;
"""

#: Schema version → the statements that make the next one of it. They add; nothing that was kept is lost.
_MIGRATIONS: Final = {
    1: "ALTER TABLE documents ADD COLUMN origin TEXT NOT NULL DEFAULT '{}';" + _SOURCES,
    2: (
        "ALTER TABLE toc ADD COLUMN confidence REAL NOT NULL DEFAULT 1.0;"
        "ALTER TABLE lines ADD COLUMN confidence REAL;"
        "CREATE INDEX objects_by_label ON objects (label COLLATE NOCASE)"
    ),
}

#: Every table whose rows belong to one document and carry its `doc_id`, in the order of deletion.
DOCUMENT_TABLES: Final = (
    "pages", "lines", "toc", "tables", "cells", "images", "objects", "references", "passages", "documents",
)  # fmt: skip


def create(database: Path, *, tokenizer_version: int) -> None:
    """Make an empty library database; it appears whole or not at all.

    The caller holds the writer's lock.

    Raises:
        OSError, sqlite3.Error: it cannot be written there.

    """
    temporary = database.with_name(database.name + ".new")
    temporary.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(temporary)) as connection:
        # Kept in the file: every later connection finds the write-ahead log switched on.
        connection.execute("PRAGMA journal_mode = WAL")
        # Nobody sees the file yet: it is brought to the disk once, at the end.
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(_TABLES + _SOURCES)
        connection.executemany(
            "INSERT INTO meta VALUES (?, ?)",
            [
                ("sequence", 0),
                ("vector_sequence", 0),
                ("library", uuid.uuid4().hex),
                ("tokenizer_version", tokenizer_version),
            ],
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.commit()
    with temporary.open("r+b") as file:
        os.fsync(file.fileno())
    temporary.replace(database)


def check(connection: sqlite3.Connection, *, place: str) -> None:
    """Make sure that this pincite can read the database at `place`.

    Raises:
        StoreError: it is no library.
        LibraryVersionError: it was made by another version of the schema; the message says what to do.

    """
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreError(f"{place} is a SQLite database but not a pincite library; choose another folder")
    if found > SCHEMA_VERSION:
        raise LibraryVersionError(
            f"{place} has schema version {found}, this pincite reads {SCHEMA_VERSION}: it was made by a newer "
            "pincite; update pincite, or choose another --library"
        )
    if found < SCHEMA_VERSION and found not in _MIGRATIONS:
        raise LibraryVersionError(
            f"{place} has schema version {found}, this pincite reads {SCHEMA_VERSION}: add the documents to a new "
            "library (`pincite --library NEW add …`), or use the pincite that made it"
        )


def is_current(connection: sqlite3.Connection) -> bool:
    """Return whether the database has the newest schema; one that `check` let pass may need `migrate`."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0]) == SCHEMA_VERSION


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database to the newest schema, inside the caller's transaction."""
    while not is_current(connection):
        found = int(connection.execute("PRAGMA user_version").fetchone()[0])
        # Not `executescript`, which would commit in the middle.
        for statement in _MIGRATIONS[found].split(";"):
            if statement.strip():
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {found + 1}")


def meta(connection: sqlite3.Connection, key: str) -> int:
    """Return a number that the library keeps of itself."""
    return int(connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])

"""A library's database as this pincite works with it: made where there is none, and brought up to date."""

import sqlite3
from pathlib import Path

from pincite.errors import LibraryVersionError, StoreError
from pincite.storage import documents, schema
from pincite.storage.connections import Connections
from pincite.storage.locks import WriterLock


def make_missing(database: Path, lock: WriterLock, *, create: bool, lock_timeout_s: float) -> None:
    """Make an empty library with its folder where there is none.

    Raises:
        StoreError: there is none and `create` is off, or the folder cannot be used.
        LibraryBusyError: another process kept the lock too long.

    """
    folder = database.parent
    if _is_there(database):
        return
    if not create:
        raise StoreError(f"there is no library in {str(folder)!r}; `pincite add` makes one")
    from pincite.text.tokens import TOKENIZER_VERSION

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with lock.held(lock_timeout_s):
            if not _is_there(database):
                schema.create(database, tokenizer_version=TOKENIZER_VERSION)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"the library cannot be made in {str(folder)!r}: {error}") from error


def _is_there(database: Path) -> bool:
    """Say whether there is a database file; an empty one is what a crashed program left."""
    try:
        return database.stat().st_size > 0
    except OSError:
        return False


def bring_up_to_date(connections: Connections) -> None:
    """Bring a library of an earlier pincite to the present schema and index; one open for reading keeps its index.

    Raises:
        StoreError: it is no library.
        LibraryVersionError: it was made by another pincite, and cannot be used as it is opened.

    """
    with connections.reading() as connection:
        schema.check(connection, place=str(connections.path))
        tokenizer_version = schema.meta(connection, "tokenizer_version")
        is_current = schema.is_current(connection)
    if not is_current:
        _migrate(connections)
    if not connections.read_only:
        _index_again(connections, tokenizer_version)


def _migrate(connections: Connections) -> None:
    """Bring the tables to the present schema; who may only read cannot."""
    if connections.read_only:
        raise LibraryVersionError(
            f"the library {str(connections.path.parent)!r} was made by an earlier pincite and is open for reading "
            "only; open it for writing once (`pincite ls`), which brings it up to date"
        )
    with connections.writing() as connection:
        schema.migrate(connection)


def _index_again(connections: Connections, tokenizer_version: int) -> None:
    """Index all documents anew where another version of the tokenizer made the terms."""
    from pincite.text.tokens import TOKENIZER_VERSION

    if tokenizer_version != TOKENIZER_VERSION:
        with connections.writing() as connection:
            if schema.meta(connection, "tokenizer_version") != TOKENIZER_VERSION:
                documents.reindex(connection, tokenizer_version=TOKENIZER_VERSION)

"""`server.sqlite`: one connection, one transaction at a time, readable by its owner alone."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pincite.errors import StoreError

#: How long another process (`pincite token new`) may hold the file.
_PATIENCE_S: Final = 30.0
_PRIVATE: Final = 0o600


class Database:
    """The state of a server: tokens, jobs, conversations, feedback. Each part makes its own tables."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it for its owner alone.

        Raises:
            StoreError: the file cannot be used.

        """
        self.path = path
        self._guard = threading.RLock()
        try:
            _make_private(path)
            self._connection = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the server's state {str(path)!r} cannot be used: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        with self._guard:
            self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection, to look; one thread at a time.

        Raises:
            StoreError: the file cannot be read.

        """
        with self._guard, self._typed():
            yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection inside one transaction: kept at the end, undone by an exception.

        Raises:
            StoreError: the file cannot be written.

        """
        with self._guard, self._typed():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.rollback()
                raise
            self._connection.commit()

    @contextmanager
    def _typed(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"the server's state {str(self.path)!r} cannot be used: {error}") from error


def _make_private(path: Path) -> None:
    """Make the file for its owner alone; SQLite gives its companions (`-wal`, `-shm`) the same mode.

    A file that is there is not opened: closing it would take away the locks that SQLite holds in this process.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE))
    if path.stat().st_mode & 0o077:
        path.chmod(_PRIVATE)

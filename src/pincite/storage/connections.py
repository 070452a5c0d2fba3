"""Connections to the database: many readers, each on a snapshot, one writer behind the lock, one for short notes.

SQLite deletes its `-wal` and `-shm` files when it believes that the last connection closes. It is wrong about that
when another process has lost its locks, which happens whenever anything in that process opens and closes the database
file: then committed data goes with the files, and readers see a malformed database. So the writing connection is
closed only while a reading one of this process is open, and reading ones cannot delete anything. Other programs may
still do it: every connection remembers the files it was opened on, and is replaced when they are not there any more.
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from pincite.errors import LibraryBusyError, StoreError
from pincite.storage.locks import WriterLock

#: How long to wait for what SQLite itself shuts out: recovery for readers, another's transaction for writers.
PATIENCE_MS: Final = 30_000
#: Page cache of the writing connection, in KiB: a document touches pages all over the postings.
_WRITER_CACHE_KIB: Final = 64_000
#: Pages of 4 KiB in the log before it is brought into the database: the same pages of the postings change with every
#: document, and are then written there once for many.
_LOG_PAGES: Final = 16_384

#: Writing connections whose files were deleted under them. Closing one could delete the files of the others.
_abandoned: list[sqlite3.Connection] = []

_Files = tuple[int, int]


class _Writer:
    """A writing connection, opened when it is needed, and who may use it now."""

    def __init__(self) -> None:
        self.guard = threading.RLock()
        self.files: _Files = (0, 0)
        self.connection: sqlite3.Connection | None = None


class Connections:
    """A pool of reading connections and two writing ones on one database file."""

    def __init__(self, path: Path, *, lock: WriterLock, lock_timeout_s: float, read_only: bool) -> None:
        """Open nothing yet."""
        self.path = path
        self.read_only = read_only
        self._lock = lock
        self._lock_timeout_s = lock_timeout_s
        self._guard = threading.Lock()
        self._idle: list[tuple[_Files, sqlite3.Connection]] = []
        self._documents, self._notes = _Writer(), _Writer()
        self._pid = os.getpid()
        self._is_closed = False

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that sees one state of the library throughout the `with` block.

        Raises:
            StoreError: the database cannot be read.

        """
        with _typed_errors(self.path):
            files, connection = self._take_reader()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                self._give_back(files, connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the writing connection inside one transaction: committed at the end, undone by an exception.

        Raises:
            LibraryBusyError: another process kept the lock too long.
            StoreError: the library is open for reading only, or cannot be written.

        """
        self._check_writable()
        with (
            _typed_errors(self.path),
            self._lock.held(self._lock_timeout_s),
            self._transaction(self._documents) as given,
        ):
            yield given

    @contextlib.contextmanager
    def noting(self) -> Iterator[sqlite3.Connection]:
        """Give a connection for a short note in one transaction, without the lock: a note never waits for an ingest.

        Raises:
            LibraryBusyError: one transaction of another process lasted too long.
            StoreError: the library is open for reading only, or cannot be written.

        """
        self._check_writable()
        with _typed_errors(self.path), self._transaction(self._notes) as given:
            yield given

    def _check_writable(self) -> None:
        if self.read_only:
            raise StoreError(f"the library {str(self.path.parent)!r} is open for reading only")

    @contextlib.contextmanager
    def _transaction(self, writer: _Writer) -> Iterator[sqlite3.Connection]:
        with writer.guard:
            connection = self._opened(writer)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def close(self) -> None:
        """Close every connection; those in use close when they come back."""
        with self._guard:
            self._after_fork()
            self._is_closed = True
            idle, self._idle = self._idle, []
        for writer in (self._documents, self._notes):
            with writer.guard:
                if writer.connection is not None:
                    _checkpoint(writer.connection)
                    self._retire(writer)
        for _, connection in idle:
            connection.close()

    def _take_reader(self) -> tuple[_Files, sqlite3.Connection]:
        now = self._files()
        with self._guard:
            self._check_open()
            while self._idle:
                files, connection = self._idle.pop()
                if files == now:
                    return files, connection
                connection.close()
        connection = self._open_reader()
        return self._files(), connection

    def _give_back(self, files: _Files, connection: sqlite3.Connection) -> None:
        try:
            connection.rollback()
        except sqlite3.Error:
            connection.close()
            return
        with self._guard:
            if not self._is_closed:
                self._idle.append((files, connection))
                return
        connection.close()

    def _open_reader(self) -> sqlite3.Connection:
        address = f"file:{quote(os.fsencode(self.path.absolute()))}?mode=ro"
        try:
            return _connect(address, PATIENCE_MS)
        except sqlite3.OperationalError:
            # A folder that cannot be written (a CD, a read-only mount) has no place for the shared-memory file.
            # Without it nothing can be read from a log, so there must be none.
            if os.access(self.path.parent, os.W_OK) or self._log_size() > 0:
                raise
            return _connect(address + "&immutable=1", PATIENCE_MS)

    def _opened(self, writer: _Writer) -> sqlite3.Connection:
        with self._guard:
            self._check_open()
        if writer.connection is not None and writer.files != self._files():
            _abandoned.append(writer.connection)
            writer.connection = None
        if writer.connection is None:
            address = f"file:{quote(os.fsencode(self.path.absolute()))}?mode=rwc"
            writer.connection = _connect(address, max(int(self._lock_timeout_s * 1000), PATIENCE_MS))
            # A power cut may undo the last commits, never half of one; a killed process loses nothing.
            writer.connection.execute("PRAGMA synchronous = NORMAL")
            writer.connection.execute(f"PRAGMA cache_size = -{_WRITER_CACHE_KIB}")
            writer.connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
            writer.files = self._files()
        return writer.connection

    def _retire(self, writer: _Writer) -> None:
        """Close a writing connection without letting it delete what other processes use."""
        connection, writer.connection = writer.connection, None
        if connection is None:
            return
        if writer.files != self._files():
            _abandoned.append(connection)
            return
        with contextlib.closing(self._open_reader()):
            connection.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreError(f"the library {str(self.path.parent)!r} is closed")
        self._after_fork()

    def _after_fork(self) -> None:
        """In a forked child: leave the parent's connections alone, and start without any."""
        if os.getpid() != self._pid:
            _abandoned.extend(connection for _, connection in self._idle)
            _abandoned.extend(w.connection for w in (self._documents, self._notes) if w.connection is not None)
            self._idle, self._documents, self._notes, self._pid = [], _Writer(), _Writer(), os.getpid()

    def _log_size(self) -> int:
        log = self.path.with_name(self.path.name + "-wal")
        return log.stat().st_size if log.exists() else 0

    def _files(self) -> _Files:
        """Return what identifies the database and its shared memory; `stat` opens nothing, so no lock is lost."""
        return _inode(self.path), _inode(self.path.with_name(self.path.name + "-shm"))


def _connect(address: str, timeout_ms: int) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {timeout_ms}")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA user_version").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _checkpoint(connection: sqlite3.Connection) -> None:
    """Bring the write-ahead log into the database and cut it, unless a reader still needs it."""
    with contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


@contextlib.contextmanager
def _typed_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise LibraryBusyError(
                f"another program holds the database {str(path)!r} ({error}); close it and try again"
            ) from error
        raise StoreError(f"the database {str(path)!r} cannot be used: {error}") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"the database {str(path)!r} cannot be used: {error}") from error

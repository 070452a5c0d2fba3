"""One writer at a time: an advisory lock on a file of its own, which the system drops when its holder dies.

The lock file is never the database: closing any handle of a SQLite file drops the locks SQLite holds on it
(https://www.sqlite.org/howtocorrupt.html, section 2.2).
"""

import contextlib
import logging
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from pincite.errors import LibraryBusyError, StoreError

_log = logging.getLogger(__name__)
#: How often a waiting writer looks again.
POLL_S: Final = 0.02
#: A wait longer than this is told to the user.
PATIENCE_S: Final = 1.0
#: On Windows a locked byte cannot be read, so the byte that is locked lies behind the text of the file.
_LOCKED_BYTE: Final = 1 << 20

_held: "weakref.WeakSet[WriterLock]" = weakref.WeakSet()
_fork_hook = threading.Event()


class WriterLock:
    """A lock between processes and threads; the same thread may take it again.

    `on_wait` is called once for each long wait, with the process id of the holder (`None` when unknown).
    """

    def __init__(self, path: Path, *, on_wait: Callable[[int | None], None] | None = None) -> None:
        """Remember `path`; nothing is opened before the first `held`."""
        self._path = path
        self._on_wait = on_wait
        self._threads = threading.RLock()
        self._depth = 0
        self._fd: int | None = None

    @contextlib.contextmanager
    def held(self, timeout_s: float) -> Iterator[None]:
        """Hold the lock inside the `with` block.

        Raises:
            LibraryBusyError: another thread or process kept it for `timeout_s`; the message names the process.
            StoreError: the folder cannot be written.

        """
        deadline = time.monotonic() + timeout_s
        if not self._threads.acquire(timeout=max(timeout_s, 0)):
            raise LibraryBusyError(self._busy_message(os.getpid(), timeout_s))
        try:
            if self._depth == 0:
                self._take(deadline, timeout_s)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._release()
        finally:
            self._threads.release()

    def holder(self) -> int | None:
        """Return the process id that the lock file names, or `None`."""
        try:
            return int(self._path.read_text(encoding="ascii").split()[0])
        except (OSError, ValueError, IndexError):
            return None

    def _take(self, deadline: float, timeout_s: float) -> None:
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise StoreError(f"the library {str(self._path.parent)!r} cannot be written: {error}") from error
        try:
            self._wait(fd, deadline, timeout_s)
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, os.SEEK_SET)
            os.write(fd, f"{os.getpid()}\n".encode("ascii"))
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd
        _close_in_children(self)

    def _wait(self, fd: int, deadline: float, timeout_s: float) -> None:
        started = time.monotonic()
        is_told = False
        while not _try_lock(fd):
            now = time.monotonic()
            if now >= deadline:
                raise LibraryBusyError(self._busy_message(self.holder(), timeout_s))
            if not is_told and now - started > PATIENCE_S:
                is_told = True
                self._tell()
            time.sleep(POLL_S)

    def _release(self) -> None:
        if self._fd is not None:
            _unlock(self._fd)
            os.close(self._fd)
            self._fd = None
        _held.discard(self)

    def _tell(self) -> None:
        holder = self.holder()
        _log.info("waiting for process %s, which is writing to %s", holder, self._path.parent)
        if self._on_wait is not None:
            self._on_wait(holder)

    def _busy_message(self, holder: int | None, timeout_s: float) -> str:
        who = "another process" if holder is None else f"process {holder}"
        return (
            f"{who} is writing to the library {str(self._path.parent)!r}; waited {timeout_s:g} s. "
            "Try again when it is done, or raise lock_timeout_s"
        )

    def _forget(self) -> None:
        """In a forked child: let go of the copied handle, which would keep the lock after the parent's death."""
        if self._fd is not None:
            os.close(self._fd)
        self._fd, self._depth, self._threads = None, 0, threading.RLock()


def try_lock(fd: int) -> bool:
    """Lock an open file for as long as it stays open, and return whether that could be done at once."""
    return _try_lock(fd)


def _close_in_children(lock: WriterLock) -> None:
    _held.add(lock)
    if hasattr(os, "register_at_fork") and not _fork_hook.is_set():
        _fork_hook.set()
        os.register_at_fork(after_in_child=_forget_all)


def _forget_all() -> None:
    for lock in list(_held):
        lock._forget()  # noqa: SLF001 - the same module
    _held.clear()


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _try_lock(fd: int) -> bool:
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(fd: int) -> None:
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_UN)

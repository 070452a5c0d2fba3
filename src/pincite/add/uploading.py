"""One file that somebody hands over: parsed in a child process, kept, given vectors; whoever asked can stop it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final, Protocol

from pincite.add.embedding import embed_missing
from pincite.add.pipeline import parse_pool, put_document
from pincite.errors import LibraryBusyError, SourceLimitError, StoppedError
from pincite.parsing.pool import ParseRequest
from pincite.protocols import Embedder
from pincite.settings import Settings
from pincite.storage.opening import LibraryStore
from pincite.types.document import ParsedDocument
from pincite.types.record import Record
from pincite.types.source import SourceFile

#: How often a wait looks whether it was stopped, in seconds.
_LOOK_S: Final = 0.5


class UploadWatcher(Protocol):
    """Is told how far one file has come."""

    def parsed(self, done: int, total: int) -> None:
        """Say that `done` of `total` pages are parsed."""
        ...

    def embedded(self, done: int, total: int) -> None:
        """Say that `done` of `total` passages of the library have their vector."""
        ...


class Upload(Record, frozen=True, kw_only=True):
    """A file with the SHA-256 of its bytes, and how many pages it may have."""

    file: SourceFile
    content_hash: str
    max_pages: int


class Stop:
    """A switch that ends work from another thread."""

    def __init__(self) -> None:
        """Nobody has thrown it yet."""
        self._guard = threading.Lock()
        self._ends: list[Callable[[], None]] = []
        self.is_thrown = False

    def throw(self) -> None:
        """End what is being done; nothing begins after it."""
        with self._guard:
            self.is_thrown = True
            ends = list(self._ends)
        for end in ends:
            end()

    def check(self) -> None:
        """Raise `StoppedError` where it was thrown."""
        if self.is_thrown:
            raise StoppedError("it was stopped")

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """Call `end` when the switch is thrown during the `with` block. Raises as `check`."""
        with self._guard:
            self._ends.append(end)
        try:
            self.check()
            yield
        finally:
            with self._guard:
                self._ends.remove(end)


def add_upload(
    upload: Upload, store: LibraryStore, settings: Settings, watcher: UploadWatcher, stop: Stop
) -> tuple[str, bool]:
    """Parse and keep a file; return the id of its document, and whether the library had its bytes already.

    While another process writes, this waits for as long as it takes.

    Raises:
        StoppedError: `stop` was thrown; nothing of the file is in the library.
        SourceLimitError: it has too many pages.
        ParseError: it cannot be read.
        StoreError: the library cannot be written.

    """
    stop.check()
    known = store.find_by_hash(upload.content_hash)
    if known is not None:
        return known.doc_id, True
    document = _parsed(upload, settings, watcher, stop)
    with _turn_to_write(store, stop):
        return put_document(document, store, settings, original=upload.file.path).doc_id, False


def embed_upload(
    store: LibraryStore, embedder: Embedder, watcher: UploadWatcher, stop: Stop, *, turn: threading.Lock
) -> None:
    """Make the vectors that are missing; one thread at a time does, whose `turn` it is. Raises as `Stop.check`."""

    def told(done: int, total: int) -> None:
        stop.check()
        watcher.embedded(done, total)

    while not turn.acquire(timeout=_LOOK_S):
        stop.check()
    try:
        stop.check()
        while True:
            try:
                embed_missing(store, embedder, progress=told)
            except LibraryBusyError:  # another process writes for long; the stop is looked at meanwhile
                stop.check()
            else:
                return
    finally:
        turn.release()


@contextmanager
def _turn_to_write(store: LibraryStore, stop: Stop) -> Iterator[None]:
    """Keep other writers out for the `with` block, as soon as they let it. Raises as `Stop.check`."""
    with ExitStack() as stack:
        while True:
            stop.check()
            with suppress(LibraryBusyError):
                stack.enter_context(store.writing(_LOOK_S))
                break
        yield


def _parsed(upload: Upload, settings: Settings, watcher: UploadWatcher, stop: Stop) -> ParsedDocument:
    file = upload.file

    def told(_name: str, done: int, total: int) -> None:
        _check_pages(file.name, total, upload.max_pages)
        watcher.parsed(done, total)

    # Leaving the pool ends its process, whatever that is doing.
    with parse_pool(settings, 1) as pool, stop.ending(pool.close):
        request = ParseRequest(name=file.name, uri=file.uri, path=file.path)
        outcome = next(pool.parse_many([request], on_progress=told))
        stop.check()
        document = outcome.value()
    _check_pages(file.name, len(document.pages), upload.max_pages)
    return document


def _check_pages(name: str, n_pages: int, max_pages: int) -> None:
    if n_pages > max_pages:
        raise SourceLimitError(f"{name}: it has {n_pages:,} pages, and at most {max_pages:,} are taken")

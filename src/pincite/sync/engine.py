"""One sync, read aloud: list, plan, move, delete, fetch and parse, keep, embed.

Every step is a transaction of its own, and each leaves a library from which the same sync goes on: a process that is
killed at any moment and started again ends where an undisturbed one does.
"""

import contextlib
import hashlib
import logging
import shutil
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from pincite.add import SilentWatcher, Watcher, embed_missing, free_name, parse_pool, put_document
from pincite.errors import (
    EmptyFileError,
    ParseError,
    ParseMemoryError,
    ParseTimeoutError,
    PassedOverError,
    PinciteError,
    StoreError,
    UnsupportedFormatError,
)
from pincite.parsing import PARSERS
from pincite.parsing.pool import ParseOutcome, ParseRequest
from pincite.protocols import Embedder, SyncedSource
from pincite.settings import Settings
from pincite.storage.opening import LibraryStore
from pincite.storage.sqlite import INCOMING_NAME
from pincite.sync.planning import Plan, plan
from pincite.sync.report import MovedDocument, SyncReport
from pincite.sync.tally import Tally
from pincite.types.document import DocumentRecord
from pincite.types.source import KnownFile, KnownSource, Listing, OfferedFile

logger = logging.getLogger(__name__)

#: How long a sync waits for another writer, in seconds: a day, because the other may be a first sync of a large place.
PATIENCE_S = 86_400.0


def sync_source(
    source: SyncedSource,
    store: LibraryStore,
    embedder: Embedder | None,
    *,
    settings: Settings,
    dry_run: bool = False,
    watcher: Watcher | None = None,
) -> SyncReport:
    """Bring the library in step with a source and return what was done; one bad file never stops the others.

    Another process that writes is waited for. With `dry_run` nothing changes.

    Raises:
        SourceError: the place itself cannot be read; nothing was changed.
        LibraryBusyError: another process wrote for a day.

    """
    with store.writing(PATIENCE_S), _incoming(store.path) as folder:
        known = _known(source.spec, store)
        listing = source.listing(known, folder=folder)
        todo = plan(
            listing,
            store.records(),
            store.sources.files(source.spec),
            spec=source.spec,
            root=source.root,
            reader=reader(),
        )
        tally = Tally(listing, todo)
        if not dry_run:
            _apply(_Sync(source, store, settings, tally, folder), todo, listing, watcher or SilentWatcher())
            try:
                store.vectors.drop_unused()
                if embedder is not None:
                    made, failed = embed_missing(store, embedder, progress=(watcher or SilentWatcher()).embedded)
                    tally.embedded(made, failed)
                is_clean = listing.is_complete and not tally.failed
                store.sources.end(source.spec, {**listing.state, "clean": "yes" if is_clean else ""})
            except StoreError as error:
                # The disk is full, most likely: what was done is done, and the report says so.
                tally.fail(source.spec, error)
        return tally.report(source.spec, dry_run=dry_run)


def _apply(sync: "_Sync", todo: Plan, listing: Listing, watcher: Watcher) -> None:
    """Do what is planned; what cannot be written at all is a failure of the whole, and what was done stays."""
    try:
        sync.run(todo, listing, watcher)
    except StoreError as error:
        sync.fail(error)


def reader() -> str:
    """Return what stands for all that this pincite can read: what it could not read is tried again by another."""
    return f"{version('pincite')}+{hashlib.sha256(' '.join(sorted(PARSERS)).encode()).hexdigest()[:8]}"


def _known(spec: str, store: LibraryStore) -> KnownSource:
    stored = store.sources.find(spec)
    documents = tuple(
        KnownFile(uri=r.uri, name=r.name, version=r.origin.get("version", f"sha256:{r.content_hash}"), origin=r.origin)
        for r in store.records()
        if r.origin.get("source") == spec
    )
    others = store.sources.files(spec)
    state = stored.state if stored is not None else {}
    is_clean = state.get("clean") == "yes" and all(file.reader == reader() for file in others)
    return KnownSource(files=(*documents, *others), state=state, is_clean=is_clean)


@contextlib.contextmanager
def _incoming(library: Path) -> Iterator[Path]:
    """Give an empty folder for what is fetched; what a killed process left there goes first."""
    folder = library / INCOMING_NAME
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Sync:
    """The changes of one sync."""

    def __init__(
        self, source: SyncedSource, store: LibraryStore, settings: Settings, tally: Tally, folder: Path
    ) -> None:
        self._source = source
        self._store = store
        self._settings = settings
        self._tally = tally
        self._folder = folder

    def run(self, todo: Plan, listing: Listing, watcher: Watcher) -> None:
        """Move, delete, then add and replace.

        Moves come first, because a killed process can find them only while their document is still there.
        """
        if not todo.is_empty:
            self._store.sources.unsettle(self._source.spec)
        self._store.sources.change_files(self._source.spec, noted=(), gone=todo.forgotten)
        self._move(todo)
        for record in todo.deleted:
            self._delete(record)
        listed = {file.uri for file in listing.files}
        for failure in self._store.journal.failures():
            if listing.is_complete and failure.uri.startswith(self._source.root) and failure.uri not in listed:
                self._store.journal.clear_failure(failure.uri)
        wanted = {file.uri: file for file in (*todo.changed, *todo.new)}
        for done, outcome in enumerate(self._parsed(list(wanted.values())), start=1):
            self._keep(outcome, wanted[outcome.request.uri])
            watcher.parsed(done, len(wanted), outcome.request.name)

    def fail(self, error: PinciteError) -> None:
        """Count a failure of the place as a whole."""
        self._tally.fail(self._source.spec, error)

    def _move(self, todo: Plan) -> None:
        if not todo.moved:
            return
        names = {record.name for record in self._store.records()}
        for move in todo.moved:
            names.discard(move.record.name)
            name = free_name(move.file.name, move.file.uri, names.__contains__)
            names.add(name)
            try:
                self._store.rename(move.record.doc_id, name, move.file.uri, origin=self._origin(move.file))
            except PinciteError as error:
                self._tally.fail(move.file.name, error)
                continue
            self._tally.moved.append(MovedDocument(doc_id=move.record.doc_id, old=move.record.name, new=name))

    def _delete(self, record: DocumentRecord) -> None:
        try:
            self._store.remove(record.doc_id, keep_original=True)
            self._tally.deleted.append(record.name)
        except PinciteError as error:
            self._tally.fail(record.name, error)

    def _parsed(self, files: Sequence[OfferedFile]) -> Iterator[ParseOutcome]:
        if not files:
            return
        with parse_pool(self._settings, len(files)) as pool:
            # The pool takes a few requests ahead, so files are fetched while others are parsed.
            yield from pool.parse_many(self._requests(files))

    def _requests(self, files: Sequence[OfferedFile]) -> Iterator[ParseRequest]:
        for file in files:
            try:
                path = self._source.fetch(file, folder=self._folder)
            except PassedOverError as error:
                self._pass_over(file, error)
                continue
            except PinciteError as error:
                self._tally.fail(file.name, error)
                continue
            self._tally.n_fetched += 1
            yield ParseRequest(name=file.name, uri=file.uri, path=path, charset=file.origin.get("charset"))

    def _keep(self, outcome: ParseOutcome, file: OfferedFile) -> None:
        path = outcome.request.path
        try:
            if outcome.document is None:
                self._fail(file, outcome.error)
            else:
                document = outcome.document if path is None else self._source.refine(outcome.document, path)
                added = put_document(
                    document,
                    self._store,
                    self._settings,
                    original=path,
                    origin=self._origin(file),
                    keep_replaced=True,
                )
                self._store.sources.change_files(self._source.spec, noted=(), gone=(file.uri,))
                self._tally.keep(added)
        except PinciteError as error:
            self._tally.fail(file.name, error)
        finally:
            if path is not None and path.parent == self._folder:
                path.unlink(missing_ok=True)

    def _fail(self, file: OfferedFile, error: PinciteError) -> None:
        is_named = file.uri == self._source.root
        if isinstance(error, EmptyFileError) and not is_named:
            self._pass_over(file, PassedOverError("empty"))
        elif isinstance(error, UnsupportedFormatError) and not is_named:
            # The message says what to convert it with: who reads the report need not look elsewhere.
            self._pass_over(file, PassedOverError(error.message))
        else:
            self._store.journal.record_failure(file.uri, file.name, None, error.code, str(error))
            self._tally.fail(file.name, error)
            # Limits of time and memory may be met on one day and not on another; broken bytes stay broken.
            if isinstance(error, ParseError) and not isinstance(error, ParseTimeoutError | ParseMemoryError):
                self._note(file, error.code, str(error))

    def _pass_over(self, file: OfferedFile, error: PassedOverError) -> None:
        """Remember a file that is no document; what it was before is searched no more."""
        before = self._store.find_by_uri(file.uri)
        if before is not None:
            self._delete(before)
        self._note(file, error.code, str(error))
        self._tally.pass_over(file.name, str(error))

    def _note(self, file: OfferedFile, code: str, message: str) -> None:
        noted = KnownFile(
            uri=file.uri, name=file.name, version=file.version, reader=reader(), code=code, message=message
        )
        self._store.sources.change_files(self._source.spec, noted=(noted,), gone=())

    def _origin(self, file: OfferedFile) -> dict[str, str]:
        """Return what is kept of a file beside its text; a version that is the hash of the bytes is kept already."""
        version_kept = {} if file.version.startswith("sha256:") else {"version": file.version}
        return {**file.origin, **version_kept, "source": self._source.spec}

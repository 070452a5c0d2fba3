"""The driver: hands out the work of `pincite.add` to nodes, and makes visible what they have written."""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pincite.add import AddReport, FailedFile, SilentWatcher, Watcher
from pincite.add.embedding import embedder_down
from pincite.add.naming import free_name
from pincite.add.pipeline import added_as, changed_files, id_for, note_failure
from pincite.add.report import Tally
from pincite.errors import SettingsError
from pincite.models import open_embedder
from pincite.nodes.engine import Engine
from pincite.nodes.orders import Embedded, Job, PlannedFile, ReadFile, TidyOrder
from pincite.nodes.planning import Files, Table, Texts, files_in_pieces, texts_in_pieces, with_tidying
from pincite.nodes.spreading import spread
from pincite.nodes.work import node_version
from pincite.protocols import Embedder
from pincite.settings import Settings
from pincite.storage.lance.maintenance import MOST_FILES
from pincite.storage.lance.store import LanceStore
from pincite.storage.lance.writing import Written
from pincite.storage.opening import is_remote
from pincite.types.document import DocumentRecord
from pincite.types.source import SourceFile

#: Documents become visible when this many wait, or the first has waited this long, in seconds: a commit takes some
#: 0.1 s whether it holds one document or hundreds.
_MOST_WAITING: Final = 256
_MOST_SECONDS: Final = 2.0
#: How often indexes are brought up to date at the end, where other writers get in the way.
_TIDY_ROUNDS: Final = 3


def add_over_nodes(
    files: Sequence[SourceFile],
    store: LanceStore,
    embedder: Embedder | None,
    *,
    settings: Settings,
    open_engine: Callable[[], AbstractContextManager[Engine]],
    direct: frozenset[str] = frozenset(),
    watcher: Watcher | None = None,
) -> AddReport:
    """Do what `pincite.add.add_files` does, over nodes; they are asked for when there is something to do.

    What is visible stays when this is stopped, and the same call does the rest.

    Raises:
        ClusterError: the nodes cannot be reached or cannot do the work, for a reason that lies in no file.
        SettingsError: nodes cannot make the embedder, because the settings do not name it.

    """
    if embedder is not None and getattr(open_embedder(settings.embedder, settings), "name", None) != embedder.name:
        raise SettingsError(
            f"nodes make the embedder that the setting embedder names, {settings.embedder!r}, and the one given is "
            f'{embedder.name!r}; name it in the settings, or add in this process (engine "local")'
        )
    tally = Tally()
    # A file that is named twice is one document, and there may be one row of it in a commit.
    changed = {file.uri: file for file in changed_files(files, store, settings, tally)}
    if not changed and (embedder is None or _n_missing(store, embedder) == 0):
        return tally.report()
    job = Job(job_id=secrets.token_hex(8), place=_place(store), settings=settings, version=node_version())
    driver = _Driver(store, job, tally, watcher or SilentWatcher())
    with open_engine() as engine, store.sharing.noted(job.job_id):
        driver.parse(list(changed.values()), engine, direct)
        if embedder is not None:
            driver.embed(embedder, engine)
        driver.tidy(engine)
    return tally.report()


def _place(store: LanceStore) -> str:
    return store.place if is_remote(store.place) else str(Path(store.place).absolute())


def _n_missing(store: LanceStore, embedder: Embedder) -> int:
    done, total = store.vectors.progress(embedder)
    return total - done


class _Driver:
    """One run: the library, what has happened so far, and who is told."""

    def __init__(self, store: LanceStore, job: Job, tally: Tally, watcher: Watcher) -> None:
        self._store, self._job, self._tally, self._watcher = store, job, tally, watcher
        self._paths: dict[str, Path] = {}

    def parse(self, files: Sequence[SourceFile], engine: Engine, direct: frozenset[str]) -> None:
        """Have files parsed and written, and make them visible, some hundreds at a time."""
        planned = [_planned(file, self._store) for file in files]
        self._paths = {file.uri: file.path for file in planned}
        waiting: list[ReadFile] = []
        since = time.monotonic()
        n_done = 0
        pieces = files_in_pieces(planned, self._job, engine.n_slots)
        try:
            for done in spread(engine, with_tidying(pieces, self._tidying)):
                if done is not None and isinstance(done.piece, Files):
                    since = since if waiting else time.monotonic()
                    replies: Sequence[ReadFile] = done.reply or _died(done.piece.files, done.reason)
                    waiting += self._noted(replies, direct)
                    n_done += len(replies)
                    self._watcher.parsed(n_done, len(planned), replies[-1].name)
                if len(waiting) >= _MOST_WAITING or time.monotonic() - since >= _MOST_SECONDS:
                    waiting = self._point(waiting)
        finally:  # also when somebody stops it: this work is done
            self._point(waiting)

    def _noted(self, files: Sequence[ReadFile], direct: frozenset[str]) -> list[ReadFile]:
        """Note the failures among files, and return those that are documents."""
        for file in files:
            if file.failed is not None:
                note_failure(file.failed, file.uri, self._store, self._tally, direct)
        return [file for file in files if file.written is not None]

    def _point(self, files: Sequence[ReadFile]) -> list[ReadFile]:
        """Make documents visible under names of their own; return what waits still: nothing."""
        named: list[tuple[Written, DocumentRecord | None]] = []
        taken: set[str] = set()
        for file in files:
            if file.written is not None:
                record = file.written.record
                known = self._store.find_by_uri(record.uri)
                name = known.name if known else free_name(record.name, record.uri, lambda n: self._is_taken(n, taken))
                taken.add(name)
                named.append((replace(file.written, record=replace(record, name=name)), known))
        if not named:
            return []
        kept = self._paths if self._job.settings.keep_originals else {}
        originals = {w.record.content_hash: kept[w.record.uri] for w, _ in named if w.record.uri in kept}
        self._store.sharing.point([written for written, _ in named], originals)
        warnings = {file.uri: file.warnings for file in files}
        for written, known in named:
            self._tally.added.append(added_as(written.record, known, warnings[written.record.uri]))
            self._tally.doc_ids.append(written.record.doc_id)
        return []

    def _is_taken(self, name: str, taken: set[str]) -> bool:
        return name in taken or self._store.find_by_name(name) is not None

    def embed(self, embedder: Embedder, engine: Engine) -> None:
        """Have the vectors made that are missing."""
        done, total = self._store.vectors.progress(embedder)
        if done == total:
            return
        known = self._store.sharing.embedder(embedder)
        texts = chain.from_iterable(self._store.vectors.missing(embedder, batch=512))
        down: list[FailedFile] = []
        on_gpu = self._job.settings.embedder_device != "cpu" and engine.n_gpus > 0
        like = Texts(self._job, known, (), on_gpu)
        # Nobody is asked any more when a service is down; what is under way comes to its end.
        pieces = texts_in_pieces(_until(texts, down), total - done, like, engine.n_slots)
        for answered in spread(engine, pieces):
            if answered is None:
                continue
            reply: Embedded = answered.reply or _not_embedded(answered.piece.texts, answered.reason)
            self._tally.n_embedded += reply.n_made
            self._tally.failed.extend(reply.failed)
            if reply.down is not None:
                down.append(reply.down)
            self._watcher.embedded(done + self._tally.n_embedded, total)
        for one in down[:1]:
            self._tally.failed.append(embedder_down(embedder.name, one.code, one.message))

    def tidy(self, engine: Engine) -> None:
        """Tidy every table, each on a node, until no index lacks a row."""
        orders = self._tidying()
        for _ in range(_TIDY_ROUNDS):
            done = [one for one in spread(engine, map(Table, orders)) if one is not None]
            orders = [one.piece.wanted for one in done if one.reply is None or one.reply.n_unindexed]

    def _tidying(self) -> list[TidyOrder]:
        tables = self._store.sharing.tables_to_tidy().items()
        return [TidyOrder(job=self._job, table=t, column=column, least_files=MOST_FILES) for t, column in tables]


def _planned(file: SourceFile, store: LanceStore) -> PlannedFile:
    try:
        n_bytes = file.path.stat().st_size
    except OSError:
        n_bytes = 0  # whoever reads it says what is wrong
    return PlannedFile(name=file.name, uri=file.uri, path=file.path, n_bytes=n_bytes, doc_id=id_for(file.uri, store))


def _died(files: Sequence[PlannedFile], reason: str) -> list[ReadFile]:
    """Return the failure of files that end each process which works on them."""
    return [
        ReadFile(
            uri=file.uri,
            name=file.name,
            failed=FailedFile(
                name=file.name,
                code="node_died",
                message=f"{file.name}: each process that worked on it died ({reason}); add it with the local engine "
                "to see what is wrong",
            ),
        )
        for file in files
    ]


def _not_embedded(texts: Sequence[tuple[str, str]], reason: str) -> Embedded:
    message = f"each process that embedded it died ({reason})"
    names = [" ".join(text.split())[:60] for _, text in texts]
    return Embedded(failed=tuple(FailedFile(name=name, code="embedding_failed", message=message) for name in names))


def _until(texts: Iterator[tuple[str, str]], down: Sequence[FailedFile]) -> Iterator[tuple[str, str]]:
    for text in texts:
        if down:
            return
        yield text

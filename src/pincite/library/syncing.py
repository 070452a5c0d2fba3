"""Which places a library is kept in step with, and one sync of each."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.add import FailedFile, Watcher
from pincite.errors import PinciteError, SettingsError, SourceError
from pincite.protocols import Embedder, SyncedSource
from pincite.settings import Settings
from pincite.sources import open_synced
from pincite.storage.opening import LibraryStore
from pincite.storage.own_files import is_own_file
from pincite.sync import SyncReport, sync_source
from pincite.types.record import from_json, to_json
from pincite.types.source import SyncOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncParts:
    """What a sync works with."""

    store: LibraryStore
    embedder: Embedder | None
    settings: Settings
    watcher: Watcher | None


def sync_places(
    specs: Sequence[str], parts: SyncParts, *, options: SyncOptions | None, dry_run: bool
) -> tuple[SyncReport, ...]:
    """Sync the places named, or all that were synced before; one that cannot be read does not stop the others.

    Raises:
        SourceError: the only place that was named cannot be read.
        SettingsError: there is nothing to sync.

    """
    wanted = list(specs) or [source.spec for source in parts.store.sources.all()]
    if not wanted:
        raise SettingsError("nothing was synced before; name a folder, a repository or an address: `pincite sync DIR`")
    reports = []
    for spec in wanted:
        try:
            reports.append(_sync_one(spec, parts, options=options, dry_run=dry_run))
        except SourceError as error:
            if len(specs) == 1:
                raise
            reports.append(_not_read(spec, error, dry_run=dry_run))
    return tuple(reports)


def _sync_one(spec: str, parts: SyncParts, *, options: SyncOptions | None, dry_run: bool) -> SyncReport:
    source = _opened(spec, parts, options or SyncOptions())
    known = parts.store.sources.find(source.spec)
    if options is None and known is not None:
        source.close()
        source = _opened(spec, parts, from_json(known.options, SyncOptions))
    with contextlib.closing(source):
        if not dry_run and (known is None or options is not None):
            parts.store.sources.begin(source.spec, to_json(options or SyncOptions()))
        return sync_source(
            source, parts.store, parts.embedder, settings=parts.settings, dry_run=dry_run, watcher=parts.watcher
        )


def _opened(spec: str, parts: SyncParts, options: SyncOptions) -> SyncedSource:
    return open_synced(
        spec,
        options,
        is_left_out=is_own_file,
        on_pause=getattr(parts.watcher, "paused", _say_nothing),
        max_bytes=parts.settings.max_file_mb * 2**20,
    )


def _say_nothing(words: str) -> None:
    del words


def _not_read(spec: str, error: PinciteError, *, dry_run: bool) -> SyncReport:
    failed = FailedFile(name=spec, code=error.code, message=str(error))
    return SyncReport(source=spec, failed=(failed,), dry_run=dry_run)

"""Where bytes come from."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pincite.errors import SettingsError
from pincite.protocols import Source, SyncedSource
from pincite.sources.folder import FolderSource, uri_path
from pincite.sources.synced_folder import SyncedFolder
from pincite.types.source import SyncOptions

_SCHEME: Final = re.compile(r"(github|https?|s3|ftp):", re.IGNORECASE)


def open_source(spec: str) -> Source:
    """Return the source that a person named: a file or a folder.

    Raises:
        SettingsError: a kind of source that pincite cannot read yet.
        SourceError: there is nothing at that path.

    """
    scheme = _SCHEME.match(spec)
    if scheme is not None:
        kind = "GitHub repositories" if scheme.group(1).lower() == "github" else "web pages"
        raise SettingsError(f"{spec!r}: {kind} are not added once but kept in step: `pincite sync {spec}`")
    return FolderSource(spec)


def open_synced(
    spec: str, options: SyncOptions, *, is_left_out: Callable[[Path], bool] = lambda _path: False
) -> SyncedSource:
    """Return the place that a library is to be kept in step with; `is_left_out` names files that are no documents.

    Raises:
        SettingsError: a kind of source that pincite does not know.
        SourceError: there is nothing at that path.

    """
    scheme = _SCHEME.match(spec)
    kind = scheme.group(1).lower() if scheme is not None else ""
    if kind:
        raise SettingsError(f"{spec!r}: pincite syncs folders, not {kind}: addresses")
    path = uri_path(spec) if spec.startswith("file://") else spec
    source = FolderSource(
        path, include=options.include, exclude=options.exclude, gitignore=options.gitignore, hidden=options.hidden
    )
    return SyncedFolder(source, is_left_out=is_left_out)


__all__ = ["FolderSource", "SyncedFolder", "open_source", "open_synced"]

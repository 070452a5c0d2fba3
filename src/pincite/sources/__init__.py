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
    spec: str,
    options: SyncOptions,
    *,
    is_left_out: Callable[[Path], bool] = lambda _path: False,
    on_pause: Callable[[str], None] = lambda _words: None,
    max_bytes: int = 2**30,
) -> SyncedSource:
    """Return the place that a library is to be kept in step with; `is_left_out` names files that are no documents.

    `on_pause` is told why and how long a server is waited for. Files over `max_bytes` are not fetched.

    Raises:
        SettingsError: a kind of source that pincite does not know.
        SourceError: there is nothing at that path.

    """
    scheme = _SCHEME.match(spec)
    kind = scheme.group(1).lower() if scheme is not None else ""
    if kind == "github":
        return _github(spec, options, on_pause, max_bytes)
    if kind in ("http", "https"):
        return _web(spec, options, on_pause)
    if kind:
        raise SettingsError(f"{spec!r}: pincite syncs folders, github: and https: addresses, not {kind}:")
    path = uri_path(spec) if spec.startswith("file://") else spec
    source = FolderSource(
        path, include=options.include, exclude=options.exclude, gitignore=options.gitignore, hidden=options.hidden
    )
    return SyncedFolder(source, is_left_out=is_left_out)


def _github(spec: str, options: SyncOptions, on_pause: Callable[[str], None], max_bytes: int) -> SyncedSource:
    # An HTTP client takes 0.1 s to load: only who needs one pays.
    from pincite.sources.github import GitHubSource
    from pincite.sources.github_address import GitHubAccess, GitHubAddress
    from pincite.sources.github_api import GitHubApi

    address, access = GitHubAddress.parse(spec), GitHubAccess.from_environment()
    api = GitHubApi(access, f"{address.owner}/{address.repo}", on_pause=on_pause)
    return GitHubSource(address, api, web=access.web, options=options, max_bytes=max_bytes)


def _web(spec: str, options: SyncOptions, on_pause: Callable[[str], None]) -> SyncedSource:
    from pincite.sources.web import WebSource
    from pincite.sources.web_client import WebClient

    client = WebClient(allow_private=options.allow_private, on_pause=on_pause)
    return WebSource(spec, client, options=options)


__all__ = ["FolderSource", "SyncedFolder", "open_source", "open_synced"]

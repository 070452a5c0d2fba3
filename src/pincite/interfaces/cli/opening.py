"""Which library a command works on, and how it is opened."""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_to_bytes

from pincite.errors import LibraryVersionError, SourceError, StoreError
from pincite.interfaces.cli.progress import Bars

if TYPE_CHECKING:
    from pincite.add import AddReport
    from pincite.library import Library
    from pincite.settings import Settings
    from pincite.storage.journal import StoredFailure

#: Cached parses that were not asked for this long are deleted.
_KEPT_DAYS: Final = 30


def library_address(given: str | None) -> str | None:
    """Return the library as it was named, by an option or by $PINCITE_LIBRARY; `None` where it was not."""
    return given or os.environ.get("PINCITE_LIBRARY") or None


def library_place(given: str | None) -> str | Path:
    """Return the library as messages show it: its folder, or its address on object storage."""
    from pincite.storage.opening import is_remote, place_of

    named = library_address(given)
    return place_of(named) if named is not None and is_remote(named) else library_folder(given)


def library_folder(given: str | None) -> Path:
    """Return the folder of the library: given, $PINCITE_LIBRARY, ./.pincite, or in the user's data folder.

    Who takes libraries on object storage too asks for `library_place` or `served_place`.
    """
    named = library_address(given)
    if named is not None:
        from pincite.storage.opening import place_of

        return Path(place_of(named))
    here = Path(".pincite")
    if here.is_dir():
        return here
    import platformdirs

    return platformdirs.user_data_path("pincite", appauthor=False) / "library"


def served_place(given: str | None) -> str | Path:
    """Return the library as it is opened: an address as it was named, which says what it is kept in, or its folder."""
    return library_address(given) or library_folder(given)


def cache_folder() -> Path:
    """Return the folder of what was parsed for one question: $PINCITE_CACHE, or in the user's cache folder."""
    named = os.environ.get("PINCITE_CACHE")
    if named:
        return Path(named).expanduser()
    import platformdirs

    return platformdirs.user_cache_path("pincite", appauthor=False)


@contextmanager
def open_library(
    given: str | None, *, create: bool = False, bars: Bars | None = None, **settings: Any
) -> "Iterator[Library]":
    """Open the library that a command works on, and close it afterwards; `settings` that are `None` do not count.

    Raises:
        StoreError: there is none, and `create` is off.

    """
    from pincite.library import Library
    from pincite.settings import Settings

    shown = bars or Bars()
    place = library_address(given) or library_folder(given)
    with Library(place, settings=Settings.load(**settings), create=create, on_wait=shown.waiting) as library:
        yield library


@contextmanager
def open_asked(given: str | None, trace_id: str) -> "Iterator[Library]":
    """Open the library in which a question was asked: the one that is named, else a cached one that knows the trace.

    Raises:
        StoreError: there is no library.

    """
    from pincite.library import Library

    folders: list[str | Path] = [library_place(given)]
    if given is None:
        folders += sorted(cache_folder().glob("asked/*"))
    for folder in folders:
        with suppress(StoreError), Library(folder, create=False) as library:
            if library.store.journal.trace(trace_id) is not None:
                break
    else:
        folder = folders[0]
    with Library(folder, create=False) as library:
        yield library


def find_original(content_hash: str, library: str | None) -> bytes | None:
    """Return the bytes with a hash: from the library that is named, else from any of this user that keeps them."""
    from pincite.library import Library

    folders: list[str | Path] = [library_place(library)]
    if library is None:
        folders += sorted(cache_folder().glob("asked/*"))
    for folder in folders:
        with suppress(StoreError, LibraryVersionError), Library(folder, create=False) as opened:
            found = opened.store.original_of(content_hash)
            if found is not None:
                return found
    return None


@contextmanager
def open_cached(paths: Sequence[str], bars: Bars, **settings: Any) -> "Iterator[tuple[Library, AddReport]]":
    """Open a library that holds the files of `paths` and nothing else, as they are now; `settings` as `open_library`.

    It lies in the cache folder under a hash of the paths, so unchanged files are not parsed again.

    Raises:
        SourceError: a path does not exist.

    """
    from pincite.library import Library
    from pincite.settings import Settings
    from pincite.storage.sqlite import DATABASE_NAME

    loaded = Settings.load(**settings)
    _check(paths)
    folder = cache_folder() / "asked" / _key(paths, loaded)
    if not (folder / DATABASE_NAME).exists():
        _forget_old(folder.parent)
    try:
        library = Library(folder, settings=loaded, on_wait=bars.waiting)
    except LibraryVersionError:
        shutil.rmtree(folder)
        library = Library(folder, settings=loaded, on_wait=bars.waiting)
    with library:
        os.utime(folder)
        library.warm()
        bars.begin()
        report = library.add(*paths, watcher=bars)
        for record in library.documents():
            if record.doc_id not in report.doc_ids:
                library.remove(record.doc_id)
        yield library, report


def still_failing(library: "Library") -> "tuple[list[StoredFailure], str]":
    """Return the files that could not be added and are still there, and when they were tried last, as words.

    What is gone, or was moved and added under its new name, is nobody's problem any more.
    """
    failures = [failure for failure in library.store.journal.failures() if _is_there(failure.uri)]
    days = sorted({failure.failed_at[:10] for failure in failures})
    return failures, "" if not days else f"tried on {days[0]}" if len(
        days
    ) == 1 else f"tried from {days[0]} to {days[-1]}"


def _is_there(uri: str) -> bool:
    """Say whether a `file://` address leads to a file; other addresses are taken as they are."""
    if not uri.startswith("file://"):
        return True
    return os.path.lexists(os.fsdecode(unquote_to_bytes(uri.removeprefix("file://"))))


def _check(paths: Sequence[str]) -> None:
    """Find missing files before anything is made."""
    for path in paths:
        if not os.path.lexists(Path(path).expanduser()) and ":" not in path:
            hint = "" if len(paths) == 1 else "; put the question in quotes, before the paths"
            raise SourceError(f"{path}: there is no such file or folder{hint}")


def _key(paths: Sequence[str], settings: "Settings") -> str:
    """Return the name of a cache: what is parsed, and by what."""
    import pincite

    resolved = sorted({os.path.realpath(Path(path).expanduser()) for path in paths})
    package = Path(pincite.__file__).parent
    # The newest file of the code that parses: who changes a parser does not get what the old one read.
    parts = ("parsing", "passages", "types")
    code = max(file.stat().st_mtime_ns for part in parts for file in (package / part).glob("*.py"))
    made_by = [
        version("pincite"),
        code,
        settings.passage_min_words,
        settings.passage_max_words,
        settings.passage_max_chars,
        settings.embedder,
        settings.ocr,
        settings.ocr_engine,
    ]
    return hashlib.sha256(json.dumps([resolved, made_by]).encode()).hexdigest()[:24]


def _forget_old(folder: Path) -> None:
    """Delete caches that nobody asked for a month."""
    oldest = time.time() - _KEPT_DAYS * 86_400
    with suppress(OSError):
        for cached in folder.iterdir():
            if cached.is_dir() and not cached.is_symlink() and cached.stat().st_mtime < oldest:
                shutil.rmtree(cached, ignore_errors=True)

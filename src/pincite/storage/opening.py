"""Which store keeps a library: a folder with SQLite by default, Lance tables where they are named or there already.

`s3://bucket/prefix` is a Lance library on object storage, `lance:DIR` one in a folder. A folder that holds Lance tables
is opened as what it is.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from pincite.errors import MissingExtraError, SettingsError
from pincite.storage.own_files import LANCE_NAME
from pincite.storage.sqlite import SqliteStore

if TYPE_CHECKING:
    from pincite.storage.lance.store import LanceStore

    #: A store of a whole library: what `Store` promises, and what adding and syncing need beside.
    LibraryStore: TypeAlias = SqliteStore | LanceStore
else:
    # Lance takes most of a second to import, and is not there in a default installation.
    LibraryStore = SqliteStore

#: What the name of a Lance library in a folder begins with.
LANCE: Final = "lance:"
S3: Final = "s3://"


def is_remote(place: str | Path) -> bool:
    """Return whether a library is not in a folder of this machine."""
    return str(place).startswith(S3)


def is_lance(place: str | Path) -> bool:
    """Return whether a library is, or is to be, kept in Lance tables."""
    text = str(place)
    return is_remote(text) or text.startswith(LANCE) or (Path(text).expanduser() / LANCE_NAME).is_dir()


def check_lance(place: str | Path) -> None:
    """Raise `MissingExtraError` where what reads Lance tables is not installed."""
    if find_spec("lance") is None:
        raise MissingExtraError(
            f"the library {str(place)!r} is kept in Lance tables; install what reads them: pip install 'pincite[scale]'"
        )


def place_of(place: str | Path) -> Path | str:
    """Return where a library is, as messages show it: a path, or an address as it was given.

    Raises:
        SettingsError: it is an address of a kind that no store takes.

    """
    text = str(place)
    if text.startswith(LANCE):
        return Path(text.removeprefix(LANCE)).expanduser()
    if is_remote(text):
        if not text.removeprefix(S3).strip("/"):
            raise SettingsError(f"the library {text!r} names no bucket; write s3://BUCKET/PREFIX")
        return text.rstrip("/")
    scheme = text.split("://", 1)[0] if "://" in text else ""
    if scheme and "/" not in scheme:
        raise SettingsError(f"a library cannot be kept at {scheme}://…; use a folder or s3://BUCKET/PREFIX")
    return Path(text).expanduser()


def open_store(
    place: str | Path,
    *,
    create: bool = True,
    read_only: bool = False,
    lock_timeout_s: float = 60.0,
    on_wait: Callable[[int | None], None] | None = None,
) -> LibraryStore:
    """Open the library at a place, or make it when it is not there and `create` is on.

    Raises:
        StoreError: there is no library, or the place cannot be used.
        SettingsError: no store takes such an address.
        MissingExtraError: it is a Lance library, and the extra `scale` is not installed.

    """
    where = place_of(place)
    make: Callable[..., LibraryStore] = SqliteStore
    if is_lance(place):
        check_lance(place)
        from pincite.storage.lance.store import LanceStore

        make = LanceStore
    return make(where, create=create, read_only=read_only, lock_timeout_s=lock_timeout_s, on_wait=on_wait)

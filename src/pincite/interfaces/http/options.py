"""`ServeOptions`: how `pincite serve` runs, checked when made."""

from typing import Final

from pincite.errors import SettingsError
from pincite.types.record import Record

#: Names of this host that no other machine can reach.
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


class ServeOptions(Record, frozen=True, kw_only=True):
    """Where the server listens, and how much it does at a time.

    `port` 0 takes a free one. An upload may have `max_upload_mb` and a document `max_pages`; one request brings at most
    `max_files`. `asking` questions, `drawing` pictures and `adding` documents are worked on at a time. Page pictures
    are kept in `picture_cache_mb` of memory; `open_collections` is how many collections stay open.
    """

    host: str = "127.0.0.1"
    port: int = 8787
    max_upload_mb: int = 200
    max_pages: int = 5000
    max_files: int = 100
    asking: int = 4
    drawing: int = 2
    adding: int = 2
    picture_cache_mb: int = 64
    open_collections: int = 16

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        if not 0 <= self.port <= 65_535:
            raise SettingsError(f"the port is {self.port}; use a number from 0 to 65535")
        for name in ("max_upload_mb", "max_pages", "max_files", "asking", "drawing", "adding", "open_collections"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}; use 1 or more")

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK

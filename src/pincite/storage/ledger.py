"""`Ledger`: small records that several processes change beside each other, each change whole and none of them lost.

What `pincite serve` keeps beside the documents (tokens, jobs, conversations) is kept in ledgers: tables of
`server.sqlite` where the library is a folder, Lance tables beside those of the library where it is kept in such.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from pincite.types.record import Record


class Row(Record, frozen=True, kw_only=True):
    """`data` under a key. `collection`, `tag` and `at` (an ISO time) are what rows are looked for and ordered by.

    `revision` counts the changes of a row: a change names the one that it was made from.
    """

    key: str
    data: bytes
    collection: str = ""
    tag: str = ""
    at: str = ""
    revision: int = 0


class Ledger(Protocol):
    """Rows by key. Every method raises `StoreError` where the place cannot be used."""

    #: Whether a look may wait for a disk or a network: then it is no work for an event loop.
    is_slow: bool

    def get(self, key: str, *, newest: bool = False) -> Row | None:
        """Return the row of a key, or `None`.

        What another process changed may be seen a second later, but for a row that is new; with `newest` at once.
        """
        ...

    def rows(
        self,
        *,
        collection: str | None = None,
        tags: Sequence[str] = (),
        limit: int | None = None,
        oldest_first: bool = False,
    ) -> tuple[Row, ...]:
        """Return rows of a collection, or of all, with one of `tags` (none: any), the newest first, at most `limit`."""
        ...

    def counts(self) -> dict[str, int]:
        """Return how many rows have each tag."""
        ...

    def add(self, row: Row) -> bool:
        """Keep a row, unless its key is there; return whether it was kept. No two rows have the same data."""
        ...

    def put(self, row: Row) -> None:
        """Keep a row in place of whatever is under its key."""
        ...

    def change(self, row: Row) -> bool:
        """Keep a row in place of its `revision`, under the next one; return whether that was still what is there."""
        ...

    def delete(self, keys: Iterable[str]) -> None:
        """Delete rows; those that are not there cost nothing."""
        ...

    def tidy(self) -> None:
        """Make many small files into few, where the place has such; safe beside readers and writers."""
        ...

"""`LanceLedger`: a ledger as a Lance table, for any number of processes.

A change is an update of the row whose revision it names. Two such updates of one row conflict when they are committed,
so the later one looks again, and finds that revision gone: of many that want a row, one gets it.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import pyarrow as pa

from pincite.errors import PinciteError
from pincite.storage.lance.tables import GRACE, Tables, among, key, literal
from pincite.storage.ledger import Row

T = TypeVar("T")

#: More files of one table than this slow down reading and are made into fewer.
_MOST_FILES: Final = 24
#: Replies of one version that are kept; a look-up of a token that nobody has must not fill the memory.
_MOST_KEPT: Final = 4096
_BATCH: Final = 500
_SCHEMA: Final = pa.schema(
    [
        key("key", pa.string()),
        pa.field("data", pa.large_binary()),
        pa.field("collection", pa.string()),
        pa.field("tag", pa.string()),
        pa.field("at", pa.string()),
        pa.field("revision", pa.int64()),
    ]
)


class LanceLedger:
    """Keeps the promises of `pincite.storage.ledger.Ledger` in one table; keys, tags and times are ASCII."""

    is_slow = True

    def __init__(self, tables: Tables, name: str) -> None:
        """Open nothing yet; the table is made with the first row."""
        self._tables = tables
        self._name = name
        self._guard = threading.Lock()
        self._kept: tuple[int, dict[str, Any]] = (-1, {})
        self._looking = threading.Lock()
        self._looked_at = float("-inf")

    def get(self, key: str, *, newest: bool = False) -> Row | None:
        """Return the row of a key, or `None`."""
        if newest:
            self._look()
        found = self._found(f"key = {literal(key)}")
        if not found and not newest:
            self._look()
            found = self._found(f"key = {literal(key)}")
        return found[0] if found else None

    def rows(
        self,
        *,
        collection: str | None = None,
        tags: Sequence[str] = (),
        limit: int | None = None,
        oldest_first: bool = False,
    ) -> tuple[Row, ...]:
        """Return rows of a collection, or of all, with one of `tags` (none: any), the newest first, at most `limit`."""
        conditions = [] if collection is None else [f"collection = {literal(collection)}"]
        if tags:
            conditions.append(among("tag", list(tags)))
        where = " AND ".join(conditions) or None
        if limit is not None:  # which ones is read without what is in them
            keys = self._keys(where)[:limit] if oldest_first else self._keys(where)[::-1][:limit]
            if not keys:
                return ()
            # Both conditions: a row may have changed between the two looks.
            where = among("key", keys) if where is None else f"{where} AND {among('key', keys)}"
        return tuple(sorted(self._found(where), key=lambda row: (row.at, row.key), reverse=not oldest_first))

    def counts(self) -> dict[str, int]:
        """Return how many rows have each tag."""
        found = self._tables.rows(self._name, ("tag",))
        counted: dict[str, int] = {}
        for tag in [] if found is None else found["tag"].to_pylist():
            counted[tag] = counted.get(tag, 0) + 1
        return counted

    def add(self, row: Row) -> bool:
        """Keep a row, unless its key is there; return whether it was kept."""
        self._tables.merge(self._name, "key", _table(row), replace=False)
        kept = self.get(row.key, newest=True)
        return kept is not None and kept.data == row.data

    def put(self, row: Row) -> None:
        """Keep a row in place of whatever is under its key."""
        self._tables.merge(self._name, "key", _table(row))

    def change(self, row: Row) -> bool:
        """Keep a row in place of its `revision`, under the next one; return whether that was still what is there."""
        known = self.get(row.key, newest=True)
        if known is None or known.revision != row.revision:
            return False  # an update of no row would be a commit, too
        updates = {
            "data": f"X'{row.data.hex()}'",
            "collection": literal(row.collection),
            "tag": literal(row.tag),
            "at": literal(row.at),
            "revision": str(row.revision + 1),
        }
        where = f"key = {literal(row.key)} AND revision = {row.revision}"
        made = self._tables.change(self._name, lambda dataset: dataset.update(updates, where=where))
        return made is not None and made["num_rows_updated"] == 1

    def delete(self, keys: Iterable[str]) -> None:
        """Delete rows; those that are not there cost nothing."""
        wanted = list(dict.fromkeys(keys))
        if wanted:
            self._look()
        for start in range(0, len(wanted), _BATCH):
            where = among("key", wanted[start : start + _BATCH])
            if self._found(where):
                self._tables.delete(self._name, where)

    def tidy(self) -> None:
        """Make many small files into few; where others write it may wait for another time."""
        try:
            dataset = self._tables.at(self._name)
            if dataset is not None and len(dataset.get_fragments()) > _MOST_FILES:
                self._tables.change(self._name, lambda ds: ds.optimize.compact_files())
                self._tables.change(self._name, lambda ds: ds.cleanup_old_versions(older_than=GRACE))
        except PinciteError:
            return

    def _look(self) -> None:
        """Look for what others wrote until now. Who comes while a look is under way shares the next one.

        So many look-ups of what is not there cost as many requests as fit after each other, however many they are.
        """
        came_at = time.monotonic()
        with self._looking:
            if self._looked_at <= came_at:
                self._looked_at = time.monotonic()
                self._tables.forget(self._name)
                self._tables.at(self._name)

    def _found(self, where: str | None) -> tuple[Row, ...]:
        """Return the rows that a condition means."""

        def read() -> tuple[Row, ...]:
            found = self._tables.rows(self._name, _SCHEMA.names, where)
            return () if found is None else tuple(Row(**row) for row in found.to_pylist())

        return read() if where is None else self._remembered(f"rows {where}", read)

    def _keys(self, where: str | None) -> tuple[str, ...]:
        """Return the keys of the rows that a condition means, the oldest first."""

        def read() -> tuple[str, ...]:
            found = self._tables.rows(self._name, ("at", "key"), where)
            pairs = () if found is None else zip(found["at"].to_pylist(), found["key"].to_pylist(), strict=True)
            return tuple(key for _, key in sorted(pairs))

        return self._remembered(f"keys {where}", read)

    def _remembered(self, what: str, read: Callable[[], T]) -> T:
        """Return what is read of the newest version; asked again of the same one, from memory."""
        dataset = self._tables.at(self._name)
        version = -1 if dataset is None else int(dataset.version)
        with self._guard:
            if self._kept[0] == version and what in self._kept[1]:
                kept: T = self._kept[1][what]
                return kept
        found = read()
        with self._guard:
            if self._kept[0] != version or len(self._kept[1]) >= _MOST_KEPT:
                self._kept = (version, {})
            self._kept[1][what] = found
        return found


def _table(row: Row) -> pa.Table:
    values: dict[str, Any] = {name: [getattr(row, name)] for name in _SCHEMA.names}
    return pa.table(values, schema=_SCHEMA)

"""`SqliteLedger`: a ledger as a table of `server.sqlite`."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, Final

from pincite.interfaces.http.state.database import Database
from pincite.storage.ledger import Row

_COLUMNS: Final = ("key", "data", "collection", "tag", "at", "revision")
_NAMES: Final = ", ".join(_COLUMNS)


class SqliteLedger:
    """Keeps the promises of `pincite.storage.ledger.Ledger` in one table."""

    is_slow = False

    def __init__(self, looking: Database, changing: Database, name: str) -> None:
        """Make the table where it is not there; `looking` is never held up by a change of this process."""
        self._looking, self._changing = looking, changing
        self._table = f"{name}_ledger"
        with changing.reading() as connection:
            connection.executescript(
                f"""CREATE TABLE IF NOT EXISTS {self._table} (
                    key TEXT PRIMARY KEY, data BLOB NOT NULL, collection TEXT NOT NULL, tag TEXT NOT NULL,
                    at TEXT NOT NULL, revision INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX IF NOT EXISTS {self._table}_by_collection ON {self._table} (collection, at);
                CREATE INDEX IF NOT EXISTS {self._table}_by_tag ON {self._table} (tag, at);"""
            )

    def get(self, key: str, *, newest: bool = False) -> Row | None:
        """Return the row of a key, or `None`."""
        del newest  # it always is
        found = self._select("WHERE key = ?", [key])
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
        conditions, values = ["1"], list[Any]()
        if collection is not None:
            conditions.append("collection = ?")
            values.append(collection)
        if tags:
            conditions.append(f"tag IN ({', '.join('?' * len(tags))})")
            values += tags
        order = "ASC" if oldest_first else "DESC"
        ending = f"WHERE {' AND '.join(conditions)} ORDER BY at {order}, key {order} LIMIT ?"
        return self._select(ending, [*values, -1 if limit is None else limit])

    def counts(self) -> dict[str, int]:
        """Return how many rows have each tag."""
        with self._looking.reading() as connection:
            return dict(connection.execute(f"SELECT tag, count(*) FROM {self._table} GROUP BY tag").fetchall())  # noqa: S608

    def add(self, row: Row) -> bool:
        """Keep a row, unless its key is there; return whether it was kept."""
        return self._insert("INSERT OR IGNORE", row).rowcount == 1

    def put(self, row: Row) -> None:
        """Keep a row in place of whatever is under its key."""
        self._insert("INSERT OR REPLACE", row)

    def change(self, row: Row) -> bool:
        """Keep a row in place of its `revision`, under the next one; return whether that was still what is there."""
        with self._changing.writing() as connection:
            changed = connection.execute(
                f"UPDATE {self._table} SET data = ?, collection = ?, tag = ?, at = ?, revision = revision + 1 "  # noqa: S608
                "WHERE key = ? AND revision = ?",
                (row.data, row.collection, row.tag, row.at, row.key, row.revision),
            )
            return changed.rowcount == 1

    def delete(self, keys: Iterable[str]) -> None:
        """Delete rows; those that are not there cost nothing."""
        with self._changing.writing() as connection:
            connection.executemany(f"DELETE FROM {self._table} WHERE key = ?", [(key,) for key in keys])  # noqa: S608

    def tidy(self) -> None:
        """Do nothing: there is one file."""

    def _insert(self, verb: str, row: Row) -> sqlite3.Cursor:
        values = [getattr(row, name) for name in _COLUMNS]
        with self._changing.writing() as connection:
            return connection.execute(f"{verb} INTO {self._table} ({_NAMES}) VALUES (?, ?, ?, ?, ?, ?)", values)

    def _select(self, ending: str, values: Sequence[Any]) -> tuple[Row, ...]:
        with self._looking.reading() as connection:
            found = connection.execute(f"SELECT {_NAMES} FROM {self._table} {ending}", values).fetchall()  # noqa: S608
        return tuple(Row(**dict(zip(_COLUMNS, row, strict=True))) for row in found)

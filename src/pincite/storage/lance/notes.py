"""What is remembered beside documents: failures, places that are synced, embedders, and who has written."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import msgspec
import pyarrow as pa

from pincite.errors import StoreError
from pincite.storage.lance.coding import column, packed, unpacked
from pincite.storage.lance.tables import SCHEMAS, Tables, among
from pincite.storage.sources import StoredSource
from pincite.types.source import KnownFile

T = TypeVar("T")

#: A writer's ids begin at its number shifted by this: 4 million writers of 2 million million passages each fit into 63
#: bits.
_WRITER_BITS: Final = 41


class Notes:
    """Rows `(kind, id) → value` of the table `notes`, kept in memory for one version of it."""

    def __init__(self, tables: Tables) -> None:
        """Read nothing yet."""
        self._tables = tables
        self._kept: tuple[int, dict[str, dict[str, bytes]]] = (-1, {})

    def all(self, kind: str, of: type[T]) -> dict[str, T]:
        """Return every note of a kind, by id."""
        return {key: unpacked(data, of) for key, data in self._now().get(kind, {}).items()}

    def put(self, kind: str, notes: Mapping[str, Any], *, replace: bool = True) -> None:
        """Keep notes in one commit, in place of those with the same id."""
        rows = [{"key": _key(kind, i), "kind": kind, "data": packed(value)} for i, value in notes.items()]
        self._tables.merge("notes", "key", pa.Table.from_pylist(rows, schema=SCHEMAS["notes"]), replace=replace)

    def forget(self, kind: str, ids: Sequence[str]) -> None:
        """Delete notes; those that are not there cost nothing."""
        known = self._now().get(kind, {})
        gone = [_key(kind, i) for i in ids if i in known]
        if gone:
            self._tables.delete("notes", among("key", gone))

    def _now(self) -> dict[str, dict[str, bytes]]:
        dataset = self._tables.at("notes")
        if dataset is None:
            return {}
        version, kept = self._kept
        if version != dataset.version:
            kept = {}
            found = self._tables.rows("notes", ("key", "kind", "data"))
            for row in [] if found is None else found.to_pylist():
                kept.setdefault(row["kind"], {})[_id(row["kind"], row["key"])] = row["data"]
            self._kept = (dataset.version, kept)
        return kept


def _key(kind: str, of: str) -> str:
    return f"{kind}:{column(of)}"


def _id(kind: str, key: str) -> str:
    from pincite.storage.lance.coding import text_of

    return text_of(key[len(kind) + 1 :])


class Ids:
    """Numbers for passages that no other writer gives: each writer has a number of its own, from the table `notes`."""

    def __init__(self, notes: Notes) -> None:
        """Take no number yet."""
        self._notes = notes
        self._next = 0

    def take(self, n: int) -> int:
        """Return the first of `n` numbers above every one this writer gave before.

        Raises:
            StoreError: other writers kept taking the number that was next.

        """
        if self._next == 0:
            self._next = self._register() << _WRITER_BITS
        first, self._next = self._next, self._next + max(n, 1)
        return first

    def _register(self) -> int:
        """Return a writer's number that nobody else has: the row that is there first counts."""
        token = secrets.token_hex(8)
        for _ in range(1000):
            number = max((int(i) for i in self._notes.all("writer", str)), default=0) + 1
            self._notes.put("writer", {str(number): token}, replace=False)
            if self._notes.all("writer", str).get(str(number)) == token:
                return number
        raise StoreError("the library gives no number to a new writer: too many begin at once; try again")


class LanceSourceTable:
    """What is known of the places that the library is kept in step with: `SourceTable` of a Lance library."""

    def __init__(self, notes: Notes) -> None:
        """Work on the notes of a library."""
        self._notes = notes

    def all(self) -> tuple[StoredSource, ...]:
        """Return every source, by its address."""
        found = self._notes.all("source", StoredSource)
        return tuple(found[spec] for spec in sorted(found))

    def find(self, spec: str) -> StoredSource | None:
        """Return the source of that address, or `None`."""
        return self._notes.all("source", StoredSource).get(spec)

    def restore(self, source: StoredSource) -> None:
        """Remember a source as another library has it."""
        self._notes.put("source", {source.spec: source})

    def begin(self, spec: str, options: Mapping[str, Any]) -> None:
        """Remember a source with its options; what is known of an earlier sync stays."""
        known = self.find(spec) or StoredSource(spec=spec, options={}, state={}, synced_at=None)
        self.restore(msgspec.structs.replace(known, options=dict(options)))

    def unsettle(self, spec: str) -> None:
        """Remember that a sync has begun to change things: until its end nothing may be concluded from the state."""
        known = self.find(spec)
        if known is not None and known.state.get("clean") != "":
            self.restore(msgspec.structs.replace(known, state={**known.state, "clean": ""}))

    def end(self, spec: str, state: Mapping[str, str]) -> None:
        """Remember that a sync was done to its end."""
        known = self.find(spec)
        if known is not None:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            self.restore(msgspec.structs.replace(known, state=dict(state), synced_at=now))

    def forget(self, spec: str) -> None:
        """Forget a source; its documents stay."""
        self._notes.forget("source", [spec])
        self.change_files(spec, noted=(), gone=[file.uri for file in self.files(spec)])

    def files(self, spec: str) -> tuple[KnownFile, ...]:
        """Return the files of a source that were read and are no documents, with the reason."""
        return tuple(file for of, file in self._notes.all("source_file", tuple[str, KnownFile]).values() if of == spec)

    def change_files(self, spec: str, *, noted: Sequence[KnownFile], gone: Sequence[str]) -> None:
        """Note files that are no documents, and forget those at the addresses `gone`."""
        self._notes.forget("source_file", [f"{spec}\n{uri}" for uri in gone])
        if noted:
            self._notes.put("source_file", {f"{spec}\n{file.uri}": (spec, file) for file in noted})

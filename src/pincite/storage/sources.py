"""The tables of sources: the places a library is kept in step with, and the files in them that are no documents."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pincite.storage.connections import Connections
from pincite.storage.values import restored, storable
from pincite.types.record import Record
from pincite.types.source import KnownFile


class StoredSource(Record, frozen=True, kw_only=True):
    """A place that was synced: `options` as they were given, `state` is what the source wants to know next time.

    `synced_at` is the ISO time at which a sync was last done to its end, `None` before the first.
    """

    spec: str
    options: dict[str, Any]
    state: dict[str, str]
    synced_at: str | None


class SourceTable:
    """Reads and writes `sources` and `source_files`; every method is a transaction of its own."""

    def __init__(self, connections: Connections) -> None:
        """Work on the library of these connections."""
        self._connections = connections

    def all(self) -> tuple[StoredSource, ...]:
        """Return every source, by its address."""
        with self._connections.reading() as connection:
            found = connection.execute("SELECT spec, options, state, synced_at FROM sources").fetchall()
        made = [
            StoredSource(spec=spec, options=json.loads(options), state=json.loads(state), synced_at=synced_at)
            for spec, options, state, synced_at in (map(restored, row) for row in found)
        ]
        return tuple(sorted(made, key=lambda source: source.spec))

    def find(self, spec: str) -> StoredSource | None:
        """Return the source of that address, or `None`."""
        return next((source for source in self.all() if source.spec == spec), None)

    def restore(self, source: StoredSource) -> None:
        """Remember a source as another library has it."""
        values = (source.spec, json.dumps(source.options), json.dumps(source.state), source.synced_at)
        with self._connections.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", tuple(map(storable, values)))

    def begin(self, spec: str, options: Mapping[str, Any]) -> None:
        """Remember a source with its options; what is known of an earlier sync stays."""
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT INTO sources VALUES (?1, ?2, '{}', NULL) ON CONFLICT (spec) DO UPDATE SET options = ?2",
                (storable(spec), storable(json.dumps(dict(options)))),
            )

    def unsettle(self, spec: str) -> None:
        """Remember that a sync has begun to change things: until its end nothing may be concluded from the state."""
        with self._connections.writing() as connection:
            connection.execute(
                "UPDATE sources SET state = json_set(state, '$.clean', '') WHERE spec = ?", (storable(spec),)
            )

    def end(self, spec: str, state: Mapping[str, str]) -> None:
        """Remember that a sync was done to its end."""
        with self._connections.writing() as connection:
            connection.execute(
                "UPDATE sources SET state = ?, synced_at = ? WHERE spec = ?",
                (storable(json.dumps(dict(state))), datetime.now(UTC).isoformat(timespec="seconds"), storable(spec)),
            )

    def forget(self, spec: str) -> None:
        """Forget a source; its documents stay."""
        with self._connections.writing() as connection:
            for table in ("sources", "source_files"):
                connection.execute(f"DELETE FROM {table} WHERE spec = ?", (storable(spec),))  # noqa: S608 - our names

    def files(self, spec: str) -> tuple[KnownFile, ...]:
        """Return the files of a source that were read and are no documents, with the reason."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT uri, name, version, reader, code, message FROM source_files WHERE spec = ?", (storable(spec),)
            ).fetchall()
        return tuple(
            KnownFile(uri=uri, name=name, version=version, reader=reader, code=code, message=message)
            for uri, name, version, reader, code, message in (map(restored, row) for row in found)
        )

    def change_files(self, spec: str, *, noted: Sequence[KnownFile], gone: Sequence[str]) -> None:
        """Note files that are no documents, and forget those at the addresses `gone`."""
        if not noted and not gone:
            return
        with self._connections.writing() as connection:
            connection.executemany(
                "DELETE FROM source_files WHERE spec = ? AND uri = ?", [(storable(spec), storable(uri)) for uri in gone]
            )
            connection.executemany(
                "INSERT OR REPLACE INTO source_files VALUES (?, ?, ?, ?, ?, ?, ?)",
                [tuple(map(storable, (spec, f.uri, f.name, f.version, f.reader, f.code, f.message))) for f in noted],
            )

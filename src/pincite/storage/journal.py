"""What is remembered beside documents: files that failed, and the traces of questions."""

from datetime import UTC, datetime

from pincite.storage.connections import Connections
from pincite.storage.values import restored, storable
from pincite.types.record import Record


class StoredFailure(Record, frozen=True, kw_only=True):
    """A file that could not be parsed; `code` is that of the error, `failed_at` an ISO time."""

    uri: str
    name: str
    content_hash: str | None
    code: str
    message: str
    failed_at: str


class TraceSummary(Record, frozen=True, kw_only=True):
    """One line of the list of traces; `result` is `answer` or the reason of a refusal."""

    trace_id: str
    asked_at: str
    question: str
    result: str


class Journal:
    """Reads and writes `failures` and `traces` of a library in a folder; every method is a transaction of its own."""

    def __init__(self, connections: Connections) -> None:
        """Work on the library of these connections."""
        self._connections = connections

    def record_failure(
        self, uri: str, name: str, content_hash: str | None, code: str, message: str, failed_at: str | None = None
    ) -> None:
        """Remember that a file could not be added, at an ISO time (by default now); cleared when it is."""
        values = (uri, name, content_hash, code, message, failed_at or now("seconds"))
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?)", tuple(map(storable, values))
            )

    def clear_failure(self, uri: str) -> None:
        """Forget the failure of a file, because the file is gone."""
        with self._connections.writing() as connection:
            connection.execute("DELETE FROM failures WHERE uri = ?", (storable(uri),))

    def failures(self) -> tuple[StoredFailure, ...]:
        """Return every file that could not be added, by name."""
        with self._connections.reading() as connection:
            found = connection.execute("SELECT uri, name, content_hash, code, message, failed_at FROM failures")
            made = [
                StoredFailure(uri=uri, name=name, content_hash=content_hash, code=code, message=said, failed_at=at)
                for uri, name, content_hash, code, said, at in (map(restored, row) for row in found)
            ]
        return tuple(sorted(made, key=lambda failure: failure.name))

    def save_trace(
        self, trace_id: str, data: bytes, *, question: str, result: str, asked_at: str | None = None
    ) -> None:
        """Keep the JSON of a trace in place of one of the same id, without waiting for who adds documents.

        `result` is `answer` or the reason of a refusal, `asked_at` an ISO time.
        """
        with self._connections.noting() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO traces VALUES (?, ?, ?, ?, ?)",
                (trace_id, asked_at or now("milliseconds"), storable(question), result, data),
            )

    def trace(self, trace_id: str) -> bytes | None:
        """Return the JSON of a trace, or `None` when there is none of that id."""
        with self._connections.reading() as connection:
            row = connection.execute("SELECT data FROM traces WHERE trace_id = ?", (storable(trace_id),)).fetchone()
        return None if row is None else bytes(row[0])

    def traces(self, limit: int | None = None) -> tuple[TraceSummary, ...]:
        """Return the traces, newest first."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT trace_id, asked_at, question, result FROM traces ORDER BY asked_at DESC, rowid DESC LIMIT ?",
                (-1 if limit is None else limit,),
            )
            return tuple(
                TraceSummary(trace_id=row[0], asked_at=row[1], question=restored(row[2]), result=row[3])
                for row in found
            )


def now(precision: str) -> str:
    """Return the present time in ISO form, in UTC, to "seconds" or "milliseconds"."""
    return datetime.now(UTC).isoformat(timespec=precision)

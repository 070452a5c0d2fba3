"""What is remembered beside documents: files that failed, and the traces of questions."""

import sqlite3

from pincite.storage.rows import restored, storable
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


def record_failure(connection: sqlite3.Connection, failure: StoredFailure) -> None:
    """Remember a failure in place of an earlier one of the same file."""
    values = (failure.uri, failure.name, failure.content_hash, failure.code, failure.message, failure.failed_at)
    connection.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?)", tuple(map(storable, values)))


def clear_failure(connection: sqlite3.Connection, uri: str) -> None:
    """Forget the failure of a file."""
    connection.execute("DELETE FROM failures WHERE uri = ?", (storable(uri),))


def failures(connection: sqlite3.Connection) -> tuple[StoredFailure, ...]:
    """Return every failure, by name."""
    found = connection.execute("SELECT uri, name, content_hash, code, message, failed_at FROM failures")
    made = [
        StoredFailure(uri=uri, name=name, content_hash=content_hash, code=code, message=message, failed_at=failed_at)
        for uri, name, content_hash, code, message, failed_at in (map(restored, row) for row in found)
    ]
    return tuple(sorted(made, key=lambda failure: failure.name))


def save_trace(connection: sqlite3.Connection, summary: TraceSummary, data: bytes) -> None:
    """Keep a trace; one of the same id is replaced."""
    connection.execute(
        "INSERT OR REPLACE INTO traces VALUES (?, ?, ?, ?, ?)",
        (summary.trace_id, summary.asked_at, storable(summary.question), summary.result, data),
    )


def trace(connection: sqlite3.Connection, trace_id: str) -> bytes | None:
    """Return the JSON of a trace, or `None`."""
    row = connection.execute("SELECT data FROM traces WHERE trace_id = ?", (storable(trace_id),)).fetchone()
    return None if row is None else bytes(row[0])


def traces(connection: sqlite3.Connection, limit: int | None) -> tuple[TraceSummary, ...]:
    """Return the newest traces first."""
    found = connection.execute(
        "SELECT trace_id, asked_at, question, result FROM traces ORDER BY asked_at DESC, rowid DESC LIMIT ?",
        (-1 if limit is None else limit,),
    )
    return tuple(
        TraceSummary(trace_id=row[0], asked_at=row[1], question=restored(row[2]), result=row[3]) for row in found
    )

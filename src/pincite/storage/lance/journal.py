"""What is remembered beside the documents of a Lance library: files that failed, and the traces of questions."""

import pyarrow as pa

from pincite.storage.journal import StoredFailure, TraceSummary, now
from pincite.storage.lance.changing import Changes
from pincite.storage.lance.coding import column, text_of
from pincite.storage.lance.notes import Notes
from pincite.storage.lance.tables import SCHEMAS, Tables, literal


class LanceJournal:
    """Failures are notes, and traces are rows of their own: `Journal` of a Lance library."""

    def __init__(self, tables: Tables, notes: Notes, changes: Changes) -> None:
        """Work on the tables of a library."""
        self._tables, self._notes, self._changes = tables, notes, changes

    def record_failure(
        self, uri: str, name: str, content_hash: str | None, code: str, message: str, failed_at: str | None = None
    ) -> None:
        """Remember that a file could not be added, at an ISO time (by default now); cleared when it is."""
        failure = StoredFailure(
            uri=uri,
            name=name,
            content_hash=content_hash,
            code=code,
            message=message,
            failed_at=failed_at or now("seconds"),
        )
        with self._changes.writing():
            self._notes.put("failure", {uri: failure})

    def clear_failure(self, uri: str) -> None:
        """Forget the failure of a file, because the file is gone."""
        with self._changes.writing():
            self._notes.forget("failure", [uri])

    def failures(self) -> tuple[StoredFailure, ...]:
        """Return every file that could not be added, by name."""
        self._changes.settle()
        return tuple(sorted(self._notes.all("failure", StoredFailure).values(), key=lambda failure: failure.name))

    def save_trace(
        self, trace_id: str, data: bytes, *, question: str, result: str, asked_at: str | None = None
    ) -> None:
        """Keep the JSON of a trace; `result` is `answer` or the reason of a refusal, `asked_at` an ISO time."""
        self._changes.check_writable()
        row = {
            "trace_id": column(trace_id),
            "asked_at": asked_at or now("milliseconds"),
            "question": column(question),
            "result": result,
            "data": data,
        }
        self._tables.merge("traces", "trace_id", pa.Table.from_pylist([row], schema=SCHEMAS["traces"]))

    def trace(self, trace_id: str) -> bytes | None:
        """Return the JSON of a trace, or `None` when there is none of that id."""
        where = f"trace_id = {literal(column(trace_id))}"
        rows = self._tables.rows("traces", ["data"], where)
        if rows is None or rows.num_rows == 0:  # another process may have written it within this second
            self._tables.forget("traces")
            rows = self._tables.rows("traces", ["data"], where)
        return None if rows is None or rows.num_rows == 0 else bytes(rows["data"][0].as_py())

    def traces(self, limit: int | None = None) -> tuple[TraceSummary, ...]:
        """Return the traces, newest first."""
        rows = self._tables.rows("traces", ["trace_id", "asked_at", "question", "result"])
        made = [
            TraceSummary(
                trace_id=text_of(row["trace_id"]),
                asked_at=row["asked_at"],
                question=text_of(row["question"]),
                result=row["result"],
            )
            # Those of one moment in the order in which they were written, the last one first.
            for row in ([] if rows is None else reversed(rows.to_pylist()))
        ]
        return tuple(sorted(made, key=lambda summary: summary.asked_at, reverse=True)[:limit])

"""The traces of questions in a Lance library, a row for each."""

from datetime import UTC, datetime

import pyarrow as pa

from pincite.storage.journal import TraceSummary
from pincite.storage.lance.coding import column, text_of
from pincite.storage.lance.tables import SCHEMAS, Tables, literal


def save(tables: Tables, trace_id: str, data: bytes, *, question: str, result: str, asked_at: str | None) -> None:
    """Keep the JSON of a trace; `asked_at` is an ISO time, by default now."""
    row = {
        "trace_id": column(trace_id),
        "asked_at": asked_at or datetime.now(UTC).isoformat(timespec="milliseconds"),
        "question": column(question),
        "result": result,
        "data": data,
    }
    tables.merge("traces", "trace_id", pa.Table.from_pylist([row], schema=SCHEMAS["traces"]))


def find(tables: Tables, trace_id: str) -> bytes | None:
    """Return the JSON of a trace, or `None` when there is none of that id."""
    where = f"trace_id = {literal(column(trace_id))}"
    rows = tables.rows("traces", ["data"], where)
    if rows is None or rows.num_rows == 0:  # another process may have written it within this second
        tables.forget("traces")
        rows = tables.rows("traces", ["data"], where)
    return None if rows is None or rows.num_rows == 0 else bytes(rows["data"][0].as_py())


def summaries(tables: Tables, limit: int | None) -> tuple[TraceSummary, ...]:
    """Return the traces, newest first."""
    rows = tables.rows("traces", ["trace_id", "asked_at", "question", "result"])
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

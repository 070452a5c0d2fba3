"""What readers said of cites: right or wrong, with the cite as it was shown to them."""

from typing import Any, Final

from pincite.interfaces.http.state.database import Database
from pincite.types.question import Shape
from pincite.types.record import Record

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS feedback (
    collection TEXT NOT NULL, trace_id TEXT NOT NULL, item INTEGER NOT NULL, citation INTEGER NOT NULL,
    said_by TEXT NOT NULL, said_at TEXT NOT NULL, is_right INTEGER NOT NULL, note TEXT NOT NULL,
    question TEXT NOT NULL, shape TEXT NOT NULL, item_text TEXT NOT NULL,
    doc_id TEXT NOT NULL, doc_name TEXT NOT NULL, content_hash TEXT NOT NULL, page INTEGER, quote TEXT NOT NULL,
    PRIMARY KEY (collection, trace_id, item, citation, said_by)
) STRICT
"""
_COLUMNS: Final = (
    "trace_id, item, citation, said_by, said_at, is_right, note, question, shape, item_text, doc_id, doc_name, "
    "content_hash, page, quote"
)


class Feedback(Record, frozen=True, kw_only=True):
    """One reader's word on one cite of one answer; `item` and `citation` count from 0 in the answer of the trace.

    The rest is the cite as it was: the document may have changed since.
    """

    trace_id: str
    item: int
    citation: int
    said_by: str
    said_at: str
    right: bool
    note: str
    question: str
    shape: Shape
    item_text: str
    doc_id: str
    doc_name: str
    content_hash: str
    page: int | None
    quote: str


class FeedbackTable:
    """The feedback of all collections; every look names the collection, so that none is seen from another."""

    def __init__(self, database: Database) -> None:
        """Make the table where it is not there."""
        self._database = database
        with database.writing() as connection:
            connection.execute(_SCHEMA)

    def keep(self, collection: str, said: Feedback) -> None:
        """Keep what a reader says; it takes the place of what they said of the same cite before."""
        values = (
            said.trace_id, said.item, said.citation, said.said_by, said.said_at, int(said.right), said.note,
            said.question, said.shape, said.item_text, said.doc_id, said.doc_name, said.content_hash, said.page,
            said.quote,
        )  # fmt: skip
        with self._database.writing() as connection:
            marks = ", ".join("?" * (len(values) + 1))
            connection.execute(
                f"INSERT OR REPLACE INTO feedback (collection, {_COLUMNS}) VALUES ({marks})",  # noqa: S608 - fixed names
                (collection, *values),
            )

    def all(self, collection: str, *, trace_id: str | None = None) -> tuple[Feedback, ...]:
        """Return what was said in a collection, or of one answer of it, in the order in which it was said."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM feedback WHERE collection = ? AND (? IS NULL OR trace_id = ?)"  # noqa: S608
                " ORDER BY said_at, trace_id, item, citation, said_by",
                (collection, trace_id, trace_id),
            ).fetchall()
        return tuple(_feedback(row) for row in rows)


def _feedback(row: tuple[Any, ...]) -> Feedback:
    names = _COLUMNS.split(", ")
    fields = dict(zip(names, row, strict=True))
    return Feedback(right=bool(fields.pop("is_right")), **fields)

"""What readers said of cites: right or wrong, with the cite as it was shown to them."""

import hashlib
from typing import Final

import msgspec

from pincite.interfaces.http.state.opening import ServerState
from pincite.storage.ledger import Row
from pincite.types.question import Shape
from pincite.types.record import Record

#: Parts the fields of a key: a control character that is in none of them.
_BETWEEN: Final = "\x1f"


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

    def __init__(self, state: ServerState) -> None:
        """Work on what a server's state keeps."""
        self._rows = state.ledger("feedback")

    def keep(self, collection: str, said: Feedback) -> None:
        """Keep what a reader says; it takes the place of what they said of the same cite before."""
        of = (collection, said.trace_id, str(said.item), str(said.citation), said.said_by)
        key = hashlib.sha256(_BETWEEN.join(of).encode("utf-8", "surrogatepass")).hexdigest()
        data = msgspec.json.encode(said)
        self._rows.put(Row(key=key, collection=collection, tag=said.trace_id, at=said.said_at, data=data))

    def all(self, collection: str, *, trace_id: str | None = None) -> tuple[Feedback, ...]:
        """Return what was said in a collection, or of one answer of it, in the order in which it was said."""
        if trace_id is not None and not trace_id.isascii():
            return ()
        rows = self._rows.rows(collection=collection, tags=() if trace_id is None else (trace_id,))
        said = [msgspec.json.decode(row.data, type=Feedback) for row in rows]
        return tuple(sorted(said, key=lambda one: (one.said_at, one.trace_id, one.item, one.citation, one.said_by)))

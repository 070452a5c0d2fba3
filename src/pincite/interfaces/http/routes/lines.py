"""`…/lines` and `…/find`: the text of a document, line by line."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.responses import Response

from pincite.interfaces.http.finding import find
from pincite.interfaces.http.openapi import shows
from pincite.interfaces.http.opened import Reading
from pincite.interfaces.http.replies import reply
from pincite.interfaces.http.routes.documents import record_of
from pincite.interfaces.http.shapes import HitList, LineList

router = APIRouter(tags=["documents"])

#: How many lines one reply holds.
MOST_LINES: Final = 2000
#: The largest number that SQLite takes.
_LAST: Final = 2**62


@router.get("/v1/documents/{doc_id}/lines", **shows(LineList))
def list_lines(
    opened: Reading,
    doc_id: str,
    page: Annotated[int | None, Query(ge=1, le=_LAST, description="The lines of this page.")] = None,
    first: Annotated[int, Query(ge=1, le=_LAST, description="The first line id.")] = 1,
    last: Annotated[int, Query(ge=1, le=_LAST, description="The last line id.")] = _LAST,
) -> Response:
    """Return lines, at most 2,000; text that a reader of the document cannot see is left out."""
    record = record_of(opened, doc_id)
    store = opened.library.store
    # One more than is shown tells whether there are more; a range of ids holds no more lines than ids.
    if page is None:
        found = store.lines(doc_id, first, min(last, first + MOST_LINES))
    else:
        found = tuple(line for line in store.page_lines(doc_id, page, page) if first <= line.line_id <= last)
    shown, rest = found[:MOST_LINES], found[MOST_LINES:]
    visible = tuple(line for line in shown if line.layer != "hidden")
    more = rest[0].line_id if rest else None
    return reply(LineList(doc_id=doc_id, doc_name=record.name, lines=visible, next=more))


@router.get("/v1/documents/{doc_id}/find", **shows(HitList))
def find_text(opened: Reading, doc_id: str, text: Annotated[str, Query(min_length=1, max_length=1000)]) -> Response:
    """Return where a text stands in a document, whatever its capitals, line breaks and kinds of quote marks."""
    record_of(opened, doc_id)
    return reply(find(text, opened.library.document(doc_id).lines))

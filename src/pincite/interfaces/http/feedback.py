"""`/v1/…/feedback`: is this cite right? What readers say is kept, and comes out as a suite for `pincite eval`."""

import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from pincite.errors import SettingsError
from pincite.interfaces.http.feedback_suite import write_suite
from pincite.interfaces.http.openapi import sends, shows, takes
from pincite.interfaces.http.opened import Asking, Opened
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import body_of, reply
from pincite.interfaces.http.state.feedback import Feedback, FeedbackTable
from pincite.types.answer import Answer
from pincite.types.record import Record

router = APIRouter(tags=["feedback"])

_MOST_NOTE_CHARS: Final = 2000


class FeedbackBody(Record, frozen=True, kw_only=True):
    """Is this cite right? `item` and `citation` count from 0 in the answer."""

    right: bool
    item: int = 0
    citation: int = 0
    note: str = ""


class FeedbackList(Record, frozen=True, kw_only=True):
    """What readers said, in the order in which they said it."""

    feedback: tuple[Feedback, ...]


@router.post("/v1/answers/{trace_id}/feedback", openapi_extra=takes(FeedbackBody), **shows(Feedback, status=201))
def say(
    opened: Asking, request: Request, trace_id: str, body: Annotated[FeedbackBody, Depends(body_of(FeedbackBody))]
) -> Response:
    """Keep whether a cite is right; it takes the place of what the same caller said of it before."""
    if len(body.note) > _MOST_NOTE_CHARS:
        raise ProblemError(422, "invalid_request", f"a note may have {_MOST_NOTE_CHARS} characters")
    said = _judged(opened, trace_id, body)
    _table(opened, request).keep(opened.collection, said)
    return reply(said, status=201)


@router.get("/v1/feedback", **shows(FeedbackList))
def all_feedback(opened: Asking, request: Request, trace_id: str | None = None) -> Response:
    """Return what was said in the collection, or of one answer."""
    return reply(FeedbackList(feedback=_table(opened, request).all(opened.collection, trace_id=trace_id)))


@router.head("/v1/feedback/suite", include_in_schema=False)
@router.get("/v1/feedback/suite", **sends("application/zip", description="suite.json, questions.jsonl, docs/."))
def suite(opened: Asking, request: Request) -> Response:
    """Return the cites that readers called right as a suite that `pincite eval` runs; 409 while there is none."""
    said = _table(opened, request).all(opened.collection)
    scratch = Path(tempfile.mkdtemp(prefix="pincite-suite-"))
    try:
        write_suite(said, opened.library, scratch / "suite", name=f"feedback-{opened.collection}")
        archive = shutil.make_archive(str(scratch / "packed"), "zip", scratch / "suite")
    except SettingsError as error:
        shutil.rmtree(scratch, ignore_errors=True)
        raise ProblemError(409, "no_feedback", str(error)) from error
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    clean = BackgroundTask(shutil.rmtree, scratch, ignore_errors=True)
    return FileResponse(archive, media_type="application/zip", filename="feedback-suite.zip", background=clean)


def _judged(opened: Opened, trace_id: str, body: FeedbackBody) -> Feedback:
    """Return the feedback with the cite as the answer has it."""
    if opened.library.store.journal.trace(trace_id) is None:
        raise ProblemError(404, "unknown_trace", f"there is no answer {trace_id[:80]!r}")
    result = opened.library.result(trace_id)
    if not isinstance(result, Answer):
        raise ProblemError(422, "invalid_request", "this question was refused: there is no cite to judge")
    if not 0 <= body.item < len(result.items) or not 0 <= body.citation < len(result.items[body.item].citations):
        detail = f"the answer has no cite {body.citation} in an item {body.item}; both count from 0"
        raise ProblemError(422, "invalid_request", detail)
    item = result.items[body.item]
    cited = item.citations[body.citation]
    return Feedback(
        trace_id=trace_id,
        item=body.item,
        citation=body.citation,
        said_by=opened.caller.name,
        said_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        right=body.right,
        note=body.note,
        question=result.question,
        shape=result.shape,
        item_text=item.text,
        doc_id=cited.doc_id,
        doc_name=cited.doc_name,
        content_hash=cited.content_hash,
        page=cited.page,
        quote=cited.quote,
    )


def _table(opened: Opened, request: Request) -> FeedbackTable:
    """Return the table of feedback, made with the first request that needs it."""
    state = request.app.state
    if getattr(state, "feedback", None) is None:
        state.feedback = FeedbackTable(opened.served.state)
    table: FeedbackTable = state.feedback
    return table

"""`/v1/traces`, `/v1/answers` and `/v1/verify`: what was asked, what came of it, and whether it holds."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from pincite.interfaces.http.access.asked import noted
from pincite.interfaces.http.exporting import Form, export
from pincite.interfaces.http.openapi import sends, shows, takes
from pincite.interfaces.http.opened import Asking, Opened, Reading
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import body_of, named, reply
from pincite.interfaces.http.shapes import ReplayBody, TraceList, Verified
from pincite.interfaces.http.streaming import answered
from pincite.interfaces.http.working import Workers
from pincite.types.answer import Answer, Refusal
from pincite.types.trace import Bundle, Trace

router = APIRouter(tags=["answers"])


@router.get("/v1/traces", **shows(TraceList))
def list_traces(
    opened: Asking,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    after: Annotated[str | None, Query(description="The `next` of the reply before.")] = None,
) -> Response:
    """Return what was asked, newest first."""
    found = opened.library.store.journal.traces()
    if after is not None:
        found = found[next((i + 1 for i, one in enumerate(found) if one.trace_id == after), len(found)) :]
    more = found[limit - 1].trace_id if len(found) > limit else None
    return reply(TraceList(traces=found[:limit], next=more))


@router.get("/v1/traces/{trace_id}", **shows(Trace))
def get_trace(opened: Asking, trace_id: str) -> Response:
    """Return how a result came about: every step, what was read, and how long it took."""
    check_trace(opened, trace_id)
    return reply(opened.library.trace(trace_id))


@router.post("/v1/traces/{trace_id}/replay", openapi_extra=takes(ReplayBody), **shows(Answer, Refusal))
async def replay(
    opened: Asking, request: Request, trace_id: str, body: Annotated[ReplayBody, Depends(body_of(ReplayBody))]
) -> Response:
    """Run a question again from one of its steps and return the new result; the old trace stays."""
    await asyncio.to_thread(check_trace, opened, trace_id)
    work = noted(request, lambda _: opened.library.replay(trace_id, from_step=body.from_step), lambda result: [result])
    return reply(await answered(request, work))


@router.get("/v1/answers/{trace_id}", **shows(Answer, Refusal))
def get_answer(opened: Asking, trace_id: str) -> Response:
    """Return the answer or refusal of a trace."""
    check_trace(opened, trace_id)
    return reply(opened.library.result(trace_id))


@router.head("/v1/answers/{trace_id}/export", include_in_schema=False)
@router.get("/v1/answers/{trace_id}/export", **sends("application/octet-stream"))
async def export_answer(
    opened: Asking,
    request: Request,
    trace_id: str,
    form: Annotated[Form, Query(alias="format")] = "html",
    doc: Annotated[str | None, Query(description="The id of the cited PDF that is highlighted.")] = None,
) -> Response:
    """Return an answer as a file: a report, Markdown, CSV, the cited PDF with highlights, or JSON."""
    await asyncio.to_thread(check_trace, opened, trace_id)
    drawing: Workers = request.app.state.drawing
    library = opened.library
    place = opened.served.address_of(opened.collection)
    made = await drawing.run(lambda: export(place, library.result(trace_id), form, doc, request.app.state.drawers))
    headers = {"Content-Disposition": made.disposition, "X-Content-Type-Options": "nosniff"}
    return Response(made.content, headers={**headers, "Content-Type": made.media_type})


@router.get("/v1/answers/{trace_id}/bundle", **shows(Bundle))
def get_bundle(opened: Asking, trace_id: str) -> Response:
    """Return an answer with the lines that it quotes, for `POST /v1/verify` and `pincite verify`."""
    check_trace(opened, trace_id)
    return reply(opened.library.bundle(trace_id))


@router.post("/v1/verify", openapi_extra=takes(Bundle), **shows(Verified))
def verify(opened: Reading, body: Annotated[Bundle, Depends(body_of(Bundle))]) -> Response:
    """Check a bundle: quotes, places, hashes and values. It needs no document, and looks into none."""
    del opened  # only whether the caller may ask
    from pincite.verifying import check_bundle

    checked = check_bundle(body)
    return named("verified", Verified(result="verified", holds=all(one.holds for one in checked), citations=checked))


def check_trace(opened: Opened, trace_id: str) -> None:
    """Raise a `ProblemError` (404) where this collection has no such trace."""
    if opened.library.store.journal.trace(trace_id) is None:
        raise ProblemError(404, "unknown_trace", f"there is no trace {trace_id[:80]!r}")

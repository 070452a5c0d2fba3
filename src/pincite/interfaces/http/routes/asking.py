"""`/v1/ask`: a question, answered with pin cites or refused, as JSON or as it happens."""

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from pincite.interfaces.http.access.asked import noted
from pincite.interfaces.http.openapi import shows, takes
from pincite.interfaces.http.opened import Asking, Opened
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import body_of, reply
from pincite.interfaces.http.shapes import AskBody
from pincite.interfaces.http.streaming import Listener, answered, event_stream, wants_events
from pincite.types.answer import Answer, Refusal, Result

router = APIRouter(tags=["questions"])


@router.post("/v1/ask", openapi_extra=takes(AskBody), **shows(Answer, Refusal, events=True))
async def ask(opened: Asking, request: Request, body: Annotated[AskBody, Depends(body_of(AskBody))]) -> Response:
    """Return the answer or refusal, as `pincite ask --json` does; with `Accept: text/event-stream` event by event."""
    await asyncio.to_thread(_check, opened, body)
    work = noted(request, _work(opened, body), lambda result: [result])
    if wants_events(request):
        return event_stream(request, work, lambda result: {"event": "done", "result": result})
    return reply(await answered(request, work))


def _check(opened: Opened, body: AskBody) -> None:
    for doc_id in body.doc_ids:
        if opened.library.store.find_by_id(doc_id) is None:
            raise ProblemError(404, "unknown_document", f"there is no document of the id {doc_id[:80]!r}")


def _work(opened: Opened, body: AskBody) -> Callable[[Listener], Result]:
    return lambda listener: opened.library.ask(
        body.question,
        docs=body.docs,
        pages=body.pages,
        shape=body.shape,
        where=body.where,
        doc_ids=body.doc_ids,
        listener=listener,
    )

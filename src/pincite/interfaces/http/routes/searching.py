"""`/v1/search`: places that may hold an answer, with the reasons."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from pincite.interfaces.http.openapi import shows, takes
from pincite.interfaces.http.opened import Reading
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import body_of, named
from pincite.interfaces.http.shapes import SearchBody
from pincite.interfaces.http.working import Workers
from pincite.types.retrieval import RetrievalResult

router = APIRouter(tags=["questions"])


@router.post("/v1/search", openapi_extra=takes(SearchBody), **shows(RetrievalResult))
async def search(
    opened: Reading, request: Request, body: Annotated[SearchBody, Depends(body_of(SearchBody))]
) -> Response:
    """Return the best places, as `pincite search --json` does; nothing is answered."""
    if not 1 <= body.top_k <= 1000:
        raise ProblemError(422, "invalid_request", f"top_k is {body.top_k}; use a number from 1 to 1000")
    asking: Workers = request.app.state.asking
    found = await asking.run(
        lambda: opened.library.search(
            body.query, docs=body.docs, where=body.where, method=body.method, top_k=body.top_k
        )
    )
    return named("search", found)

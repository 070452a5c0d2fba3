"""`POST /v1/documents`: files in, jobs out."""

import asyncio
import time
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from pincite.interfaces.http import uploads
from pincite.interfaces.http.jobs import JobRunner
from pincite.interfaces.http.openapi import shows
from pincite.interfaces.http.opened import Writing
from pincite.interfaces.http.options import ServeOptions
from pincite.interfaces.http.replies import reply
from pincite.interfaces.http.shapes import JobList

router = APIRouter(tags=["documents"])

_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"file": {"type": "array", "items": {"type": "string", "format": "binary"}}},
                }
            },
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


@router.post("/v1/documents", openapi_extra=_BODY, **shows(JobList, status=202))
async def add_documents(
    opened: Writing,
    request: Request,
    name: Annotated[str | None, Query(description="What the file is called, where it is the body itself.")] = None,
    wait: Annotated[float, Query(ge=0, le=60, description="Wait at most this many seconds for the end.")] = 0,
) -> Response:
    """Take files: those of a form, or the body as one. 200 where all is over, else 202; bytes are added once."""
    runner: JobRunner = request.app.state.jobs
    options: ServeOptions = request.app.state.options
    received = await uploads.receive(request, name, opened.library.path, options)
    jobs = await asyncio.to_thread(runner.submit, opened.collection, opened.library, received)
    until = time.monotonic() + wait
    while not all(job.is_over for job in jobs) and time.monotonic() < until:
        await asyncio.sleep(0.1)
        jobs = tuple([await asyncio.to_thread(runner.get, opened.collection, job.job_id) for job in jobs])
    return reply(JobList(jobs=jobs), status=200 if all(job.is_over for job in jobs) else 202)

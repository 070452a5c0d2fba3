"""`/v1/jobs`: how far uploads have come, and how to stop them."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from pincite.interfaces.http.jobs import JobRunner
from pincite.interfaces.http.openapi import sends, shows
from pincite.interfaces.http.opened import Reading, Writing
from pincite.interfaces.http.replies import reply
from pincite.interfaces.http.shapes import Job, JobList
from pincite.interfaces.http.streaming import BEAT_S, server_sent
from pincite.types.record import to_json

router = APIRouter(tags=["jobs"])

#: How often a job is looked at for who watches it.
_LOOK_S: Final = 0.25


@router.get("/v1/jobs", **shows(JobList))
def list_jobs(
    opened: Reading,
    request: Request,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    state: Annotated[list[Literal["queued", "running", "done", "failed", "cancelled"]] | None, Query()] = None,
) -> Response:
    """Return the jobs of a collection, newest first."""
    runner: JobRunner = request.app.state.jobs
    return reply(JobList(jobs=runner.newest(opened.collection, limit, state or ())))


@router.get("/v1/jobs/{job_id}", **shows(Job))
def get_job(opened: Reading, request: Request, job_id: str) -> Response:
    """Return a job."""
    runner: JobRunner = request.app.state.jobs
    return reply(runner.get(opened.collection, job_id))


@router.post("/v1/jobs/{job_id}/cancel", **shows(Job))
def cancel_job(opened: Writing, request: Request, job_id: str) -> Response:
    """End a job; nothing of its file stays. A job that is over stays what it is."""
    runner: JobRunner = request.app.state.jobs
    return reply(runner.cancel(opened.collection, job_id))


@router.get("/v1/jobs/{job_id}/events", **sends("text/event-stream", description="A `job` event with each change."))
def follow_job(opened: Reading, request: Request, job_id: str) -> Response:
    """Tell of a job as it changes, until it is over."""
    runner: JobRunner = request.app.state.jobs
    first = runner.get(opened.collection, job_id)
    events = _changes(runner, opened.collection, first)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


async def _changes(runner: JobRunner, collection: str, job: Job) -> AsyncIterator[bytes]:
    yield _event(job)
    silent_s = 0.0
    while not job.is_over:
        await asyncio.sleep(_LOOK_S)
        silent_s += _LOOK_S
        now = await asyncio.to_thread(runner.get, collection, job.job_id)
        if now != job:
            job, silent_s = now, 0.0
            yield _event(job)
        elif silent_s >= BEAT_S:
            silent_s = 0.0
            yield b": working\n\n"


def _event(job: Job) -> bytes:
    return server_sent({"event": "job", **to_json(job)})

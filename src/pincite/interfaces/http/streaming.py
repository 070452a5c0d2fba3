"""Questions answered beside the event loop: their events as server-sent events; who goes away ends the work."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, TypeVar

from fastapi import Request
from starlette.responses import Response, StreamingResponse

from pincite.ask.events import AskEvent
from pincite.errors import PinciteError
from pincite.interfaces.http.problems import Problem, ProblemError, encoded, fault, problem_of
from pincite.interfaces.http.working import Workers
from pincite.types.record import to_json

T = TypeVar("T")
Listener = Callable[[AskEvent], None]

logger = logging.getLogger(__name__)

#: A comment is sent this often, so that proxies keep the connection, and one that is gone is noticed.
BEAT_S: Final = 15.0


class _GoneError(Exception):
    """Ends the work of a question that nobody waits for any more."""


class _Telling:
    """Takes events in the thread that answers, and hands them to the event loop."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[AskEvent] = asyncio.Queue()
        self.is_over = threading.Event()
        self._loop = asyncio.get_running_loop()

    def __call__(self, event: AskEvent) -> None:
        if self.is_over.is_set():
            raise _GoneError
        self._loop.call_soon_threadsafe(self.events.put_nowait, event)


def wants_events(request: Request) -> bool:
    """Say whether the reply is to be a stream of events."""
    return "text/event-stream" in request.headers.get("accept", "")


async def answered(request: Request, work: Callable[[Listener], T]) -> T:
    """Return what `work` returns; when the client goes away, the work ends at its next event."""
    asking: Workers = request.app.state.asking
    telling = _Telling()
    running = asyncio.ensure_future(asking.run(lambda: work(_checked(telling))))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({running, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise ProblemError(499, "client_closed_request", "nobody waits for the answer any more")
        return running.result()
    finally:
        telling.is_over.set()
        gone.cancel()
        running.cancel()


def _checked(telling: _Telling) -> Listener:
    def tell(_event: AskEvent) -> None:
        if telling.is_over.is_set():
            raise _GoneError

    return tell


async def _gone(request: Request) -> None:
    """Return when the client has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def event_stream(request: Request, work: Callable[[Listener], T], done: Callable[[T], Any]) -> Response:
    """Return the reply that tells what happens while `work` is done, and at the end what `done` makes of its value."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_told(request, work, done), media_type="text/event-stream", headers=headers)


async def _told(request: Request, work: Callable[[Listener], T], done: Callable[[T], Any]) -> AsyncIterator[bytes]:
    asking: Workers = request.app.state.asking
    telling = _Telling()
    running = asyncio.ensure_future(asking.run(lambda: work(telling)))
    following = asyncio.ensure_future(telling.events.get())
    try:
        while True:
            await asyncio.wait({running, following}, timeout=BEAT_S, return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                yield server_sent(to_json(following.result()))
                following = asyncio.ensure_future(telling.events.get())
            elif running.done():
                yield server_sent(done(running.result()))
                return
            else:
                yield b": working\n\n"
    except PinciteError as error:
        yield _error(problem_of(error))
    except ProblemError as error:
        yield _error(error.problem)
    except Exception:
        logger.exception("a fault in pincite")
        yield _error(fault())
    finally:
        telling.is_over.set()
        following.cancel()
        running.cancel()


def server_sent(event: dict[str, Any]) -> bytes:
    """Return an event in its form on the wire: its name, and its JSON on one line."""
    return b"event: %s\ndata: %s\n\n" % (str(event["event"]).encode(), encoded(event))


def _error(found: Problem) -> bytes:
    return b"event: error\ndata: %s\n\n" % encoded(found)

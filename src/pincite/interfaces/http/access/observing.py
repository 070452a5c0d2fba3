"""What became of each request, told to the log and the figures; a fault inside becomes a problem document."""

import logging
import secrets
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.interfaces.http.access.refusing import is_api, refuse
from pincite.types.record import Record

logger = logging.getLogger(__name__)

#: Methods that are told apart in logs and figures; a client can make up any other word.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
#: What a client that went away before there was a response is counted as, as nginx does.
GONE: Final = 499


class ServedRequest(Record, frozen=True, kw_only=True):
    """One request and its response, without a word of what was asked or answered.

    `route` is the template of the route, never the path; `caller` the name of the token. `asked` is what became of its
    questions: "answer", or the reason of a refusal.
    """

    request_id: str
    method: str
    route: str
    status: int
    ms: float
    caller: str
    bytes_in: int
    bytes_out: int
    asked: tuple[str, ...] = ()
    fault: str | None = None


class Observing:
    """The outermost part: counts bytes and time, gives the request an id, and tells `watchers` how it ended."""

    def __init__(self, app: ASGIApp, watchers: Sequence[Callable[[ServedRequest], None]]) -> None:
        """Stand before `app`."""
        self._app = app
        self._watchers = tuple(watchers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; other kinds of connections than HTTP are not spoken."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1003})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        request_id = secrets.token_hex(8)
        status, n_in, n_out, fault = GONE, 0, 0, None

        async def counted_receive() -> Message:
            nonlocal n_in
            message = await receive()
            n_in += len(message.get("body", b""))
            return message

        async def counted_send(message: Message) -> None:
            nonlocal status, n_out
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request_id.encode())]
            n_out += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, counted_receive, counted_send)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client and the log are told, and nobody reads its text
            fault = place_of(error)
            if status == GONE:
                detail = f"this is a fault in pincite; the server's log says more at {request_id}"
                await refuse(scope, counted_send, 500, "internal_error", detail)
        finally:
            state = scope.get("state", {})
            served = ServedRequest(
                request_id=request_id,
                method=scope["method"] if scope["method"] in _METHODS else "other",
                route=route_of(scope),
                status=status,
                ms=round((time.perf_counter() - began) * 1000, 1),
                caller=state["caller"].name if "caller" in state else "-",
                bytes_in=n_in,
                bytes_out=n_out,
                asked=state.get("asked", ()),
                fault=fault,
            )
            for watcher in self._watchers:
                watcher(served)


def route_of(scope: Scope) -> str:
    """Return the template of the route that a request met, `page` for files of the web page, `none` for no route."""
    template = getattr(scope.get("route"), "path_format", None)
    if template is not None:
        return str(template)
    return "none" if is_api(scope["path"]) else "page"


def place_of(error: BaseException) -> str:
    """Return which kind of error came up where in pincite, and where it was raised, without its message.

    The message may hold text of a document.

    >>> try:
    ...     int("the text of a document")
    ... except ValueError as error:
    ...     place_of(error).partition(" at ")[0]
    'ValueError'
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "pincite" in PurePath(frame.filename).parts]
    places = [f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in (*ours[-1:], *frames[-1:])]
    return " ".join([type(error).__name__, *(f"at {place}" for place in dict.fromkeys(places))])

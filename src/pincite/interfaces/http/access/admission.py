"""Lets a request in when its body is there and there is room for it; a slow client holds up nobody but itself."""

import asyncio
from collections import Counter
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.interfaces.http.access.bodies import (
    BodyError,
    BodyLimits,
    GoneError,
    Intake,
    check_length,
    limits_of,
    replayed,
    whole_body,
)
from pincite.interfaces.http.access.lanes import Lane, LaneFullError, Lanes, lane_of
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.rates import caller_key
from pincite.interfaces.http.access.refusing import refuse

#: Bodies that are read at a time, of all callers and of one; each may take `max_body_bytes` of memory. One caller alone
#: cannot use them up: who gets here has a token, or is on this machine.
_MOST_READING: Final = 512
_MOST_READING_OF_ONE: Final = 64
#: When to come back, in seconds: a question takes about this long.
_RETRY_AFTER_S: Final = 2


class Admission:
    """Reads the body of a request, waits for a place in its lane, and lets it in.

    Uploads are let in first and read while they come, in a lane of their own. Beyond what may wait it says 503.
    """

    def __init__(self, app: ASGIApp, *, lanes: Lanes, options: AccessOptions) -> None:
        """Stand before `app`."""
        self._app = app
        self._lanes = lanes
        self._options = options
        self._reading: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limits = limits_of(scope, self._options)
        try:
            check_length(scope, limits)
            name = lane_of(scope["method"], scope["path"])
            if name == "uploads":
                await self._take_in(self._lanes.by_name[name], limits, scope, receive, send)
                return
            given = replayed(await self._read(caller_key(scope), receive, limits), receive)
            if name is None:
                await self._run(scope, given, send)
            else:
                await self._serve(self._lanes.by_name[name], scope, given, receive, send)
        except BodyError as error:
            await refuse(scope, send, error.status, error.code, str(error))
        except LaneFullError:
            detail = f"the server has as much to do as it can; come back in {_RETRY_AFTER_S} s"
            await refuse(scope, send, 503, "overloaded", detail, {"retry-after": str(_RETRY_AFTER_S)})
        except GoneError:
            return

    async def _read(self, caller: str, receive: Receive, limits: BodyLimits) -> bytes:
        if self._reading[caller] >= _MOST_READING_OF_ONE or self._reading.total() >= _MOST_READING:
            raise LaneFullError
        self._reading[caller] += 1
        try:
            return await whole_body(receive, limits)
        finally:
            self._reading[caller] -= 1
            if not self._reading[caller]:
                del self._reading[caller]

    async def _serve(self, lane: Lane, scope: Scope, given: Receive, receive: Receive, send: Send) -> None:
        await _enter_unless_gone(lane, receive)
        with lane.inside():
            await self._run(scope, given, send)

    async def _take_in(self, lane: Lane, limits: BodyLimits, scope: Scope, receive: Receive, send: Send) -> None:
        await lane.enter()
        with lane.inside():
            intake = Intake(receive, limits)
            has_started = False

            async def send_unless_refused(message: Message) -> None:
                nonlocal has_started
                if intake.error is None or has_started:
                    has_started = True
                    await send(message)

            try:
                await self._run(scope, intake, send_unless_refused)
            except Exception:
                # The application only knows that the client went away; the reason is ours.
                if intake.error is None:
                    raise
        if intake.error is not None and not has_started:
            raise intake.error

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application; a client that does not take what it asked for is given up."""
        is_given_up = False

        async def send_in_time(message: Message) -> None:
            nonlocal is_given_up
            try:
                async with asyncio.timeout(self._options.send_timeout_s):
                    await send(message)
            except TimeoutError as error:
                is_given_up = True
                raise ConnectionAbortedError("the client does not take the response") from error

        try:
            await self._app(scope, receive, send_in_time)
        except Exception:
            if not is_given_up:
                raise


async def _enter_unless_gone(lane: Lane, receive: Receive) -> None:
    """Wait for a place, and stop waiting when the client goes away.

    Raises:
        LaneFullError: there is no room.
        GoneError: the client went away.

    """
    if not lane.is_full:
        await lane.enter()
        return
    entering = asyncio.ensure_future(lane.enter())
    leaving = asyncio.ensure_future(receive())
    try:
        await asyncio.wait((entering, leaving), return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        if entering.done() and entering.exception() is None:
            lane.leave()
        raise
    finally:
        leaving.cancel()
        entering.cancel()
        await asyncio.gather(entering, leaving, return_exceptions=True)
    if entering.cancelled():
        raise GoneError
    entering.result()

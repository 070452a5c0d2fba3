"""Bodies of requests: as large and as slow as is allowed, with or without a `Content-Length`."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.types import Message, Receive, Scope

from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.refusing import header

#: A bundle holds the quoted lines of an answer: it may be some times as large as another body.
_BUNDLE_TIMES: Final = 4


class BodyError(Exception):
    """The body is not taken; `status`, `code` and the message are those of the problem document."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        """Keep what the problem document says."""
        super().__init__(detail)
        self.status = status
        self.code = code


class GoneError(Exception):
    """The client went away before the body was there."""


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """What one body may be: bytes on the whole, and how long it may take."""

    max_bytes: int
    timeout_s: float
    bytes_per_s: float | None = None


def limits_of(scope: Scope, options: AccessOptions) -> BodyLimits:
    """Return the limits of a request's body: an upload may be large, and come as slowly as `bytes_per_s`."""
    if (scope["method"], scope["path"]) == ("POST", "/v1/documents"):
        return BodyLimits(options.max_upload_bytes, options.upload_idle_s, options.upload_bytes_per_s)
    times = _BUNDLE_TIMES if scope["path"] == "/v1/verify" else 1
    return BodyLimits(options.max_body_bytes * times, options.body_timeout_s)


def check_length(scope: Scope, limits: BodyLimits) -> None:
    """Refuse a body that says itself that it is too large, before any of it is read.

    Raises:
        BodyError: it is.

    """
    said = header(scope, b"content-length")
    if said is not None and said.isdecimal() and int(said) > limits.max_bytes:
        raise _too_large(limits)


async def whole_body(receive: Receive, limits: BodyLimits) -> bytes:
    """Return the body of a request, once all of it is there.

    Raises:
        BodyError: it is too large, or not there in time.
        GoneError: the client went away.

    """
    body = bytearray()
    try:
        async with asyncio.timeout(limits.timeout_s):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise GoneError
                body += message.get("body", b"")
                if len(body) > limits.max_bytes:
                    raise _too_large(limits)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError as error:
        raise _too_slow(limits) from error


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read already, and then what else the client does."""
    is_given = False

    async def give() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return give


class Intake:
    """Passes an upload on while it comes in, and ends it when it is too large or too slow.

    To the application the client then seems to have gone away, so that it clears up; `error` says why.
    """

    def __init__(self, receive: Receive, limits: BodyLimits, now: Callable[[], float] = time.monotonic) -> None:
        """Read nothing yet."""
        self.error: BodyError | None = None
        self._receive = receive
        self._limits = limits
        self._now = now
        self._n_bytes = 0
        self._waited_s = 0.0
        self._is_whole = False

    async def __call__(self) -> Message:
        """Return the next part of the body."""
        if self.error is not None:
            return {"type": "http.disconnect"}
        if self._is_whole:
            return await self._receive()
        began = self._now()
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                message = await self._receive()
        except TimeoutError:
            self.error = _too_slow(self._limits)
            return {"type": "http.disconnect"}
        # Only what the client took counts, never the time in which its bytes were worked on here.
        self._waited_s += self._now() - began
        self._n_bytes += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        self.error = self._found_error()
        return message if self.error is None else {"type": "http.disconnect"}

    def _found_error(self) -> BodyError | None:
        if self._n_bytes > self._limits.max_bytes:
            return _too_large(self._limits)
        if self._is_whole or self._limits.bytes_per_s is None:
            return None
        allowed_s = self._limits.timeout_s + self._n_bytes / self._limits.bytes_per_s
        return _too_slow(self._limits) if self._waited_s > allowed_s else None


def _too_large(limits: BodyLimits) -> BodyError:
    return BodyError(413, "too_large", f"the body of this request may have {limits.max_bytes:,} bytes")


def _too_slow(limits: BodyLimits) -> BodyError:
    if limits.bytes_per_s is None:
        return BodyError(408, "too_slow", f"the body of this request was not there within {limits.timeout_s:g} s")
    detail = f"an upload may pause for {limits.timeout_s:g} s, and has to come at {limits.bytes_per_s:,.0f} bytes/s"
    return BodyError(408, "upload_too_slow", detail)

"""Which pages and names may reach the server: no other site may, unless its origin was named."""

import ipaddress
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.interfaces.http.access.refusing import header, raw_headers, refuse

#: Methods that change nothing.
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PREFLIGHT_S: Final = 600
_ALLOWED_METHODS: Final = "GET, POST, DELETE"
_ALLOWED_HEADERS: Final = "authorization, content-type, accept, last-event-id, traceparent"
_EXPOSED_HEADERS: Final = "content-disposition, retry-after, x-request-id, etag"


class Origins:
    """Refuses requests that a page of another site makes, and answers the questions browsers ask before they do.

    With `local_only` the server has to be called by a name of this machine: a page whose name was pointed at it (DNS
    rebinding) is refused, because everybody who gets through may do everything.
    """

    def __init__(self, app: ASGIApp, *, allowed: Sequence[str], local_only: bool) -> None:
        """Stand before `app`; `allowed` are the origins of other sites that may call."""
        self._app = app
        self._allowed = frozenset(allowed)
        self._local_only = local_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        origin = header(scope, b"origin")
        if self._local_only and not is_loopback_name(header(scope, b"host") or ""):
            detail = (
                "without tokens only this machine is served: call it 127.0.0.1 or localhost, or use --require-token"
            )
            await refuse(scope, send, 421, "foreign_host", detail)
        elif origin in self._allowed and origin is not None:
            await self._serve_allowed(origin, scope, receive, send)
        elif is_foreign(scope):
            detail = "pages of other sites may not call this server; `pincite serve --cors ORIGIN` lets one in"
            await refuse(scope, send, 403, "foreign_origin", detail, {"vary": "origin"})
        else:
            await self._app(scope, receive, send)

    async def _serve_allowed(self, origin: str, scope: Scope, receive: Receive, send: Send) -> None:
        granted = {
            "access-control-allow-origin": origin,
            "access-control-expose-headers": _EXPOSED_HEADERS,
            "cross-origin-resource-policy": "cross-origin",
        }
        if scope["method"] == "OPTIONS" and header(scope, b"access-control-request-method") is not None:
            granted |= {
                "access-control-allow-methods": _ALLOWED_METHODS,
                "access-control-allow-headers": _ALLOWED_HEADERS,
                "access-control-max-age": str(_PREFLIGHT_S),
                "vary": "origin",
            }
            if header(scope, b"access-control-request-private-network") is not None:
                granted["access-control-allow-private-network"] = "true"
            await send({"type": "http.response.start", "status": 204, "headers": raw_headers(granted.items())})
            await send({"type": "http.response.body", "body": b""})
            return

        async def send_granted(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *raw_headers({**granted, "vary": "origin"}.items())]
            await send(message)

        await self._app(scope, receive, send_granted)


def is_foreign(scope: Scope) -> bool:
    """Say whether a page of another site made the request; following a link to here is no such request."""
    origin = header(scope, b"origin")
    if origin is not None:
        return not is_own(origin, header(scope, b"host") or "")
    if header(scope, b"sec-fetch-site") in (None, "same-origin", "none"):
        return False
    is_link = header(scope, b"sec-fetch-mode") == "navigate" and header(scope, b"sec-fetch-dest") == "document"
    return not (is_link and scope["method"] in SAFE_METHODS)


def is_own(origin: str, host: str) -> bool:
    """Say whether an origin is the server itself, as it is called by the `Host` header.

    The scheme is not compared: behind a proxy that speaks TLS the server does not know it.
    """
    try:
        parts = urlsplit(origin)
        called = urlsplit(f"//{host}")
        port = {"https": 443, "http": 80}[parts.scheme]
        pairs = (parts.hostname, parts.port or port), (called.hostname, called.port or port)
    except (ValueError, KeyError):
        return False
    return pairs[0] == pairs[1] and parts.hostname is not None


def is_loopback_name(host: str) -> bool:
    """Say whether a `Host` header names this machine: localhost, 127.0.0.0/8 or ::1, with any port."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False

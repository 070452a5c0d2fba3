"""How long an address and the headers of a request may be."""

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.interfaces.http.access.refusing import refuse

#: Browsers and proxies agree on about this much; the longest filters are far below.
MAX_TARGET_BYTES: Final = 8 * 2**10
MAX_HEADER_BYTES: Final = 32 * 2**10


class Lengths:
    """Refuses requests whose address (414) or headers (431) are too long, before anything is done with them."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "http":
            target = len(scope.get("raw_path") or scope["path"].encode()) + len(scope["query_string"])
            if target > MAX_TARGET_BYTES:
                await refuse(scope, send, 414, "uri_too_long", f"an address may have {MAX_TARGET_BYTES:,} bytes")
                return
            if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER_BYTES:
                detail = f"the headers of a request may have {MAX_HEADER_BYTES:,} bytes"
                await refuse(scope, send, 431, "headers_too_large", detail)
                return
        await self._app(scope, receive, send)

"""Headers that tell browsers to trust nothing but the page itself, on every response."""

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.interfaces.http.access.refusing import is_api, raw_headers

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    )
)
_EVERYWHERE: Final = raw_headers(
    {
        "content-security-policy": CONTENT_SECURITY_POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
    }.items()
)
#: What is asked of the API is kept by no cache, unless a route says otherwise.
_API_ONLY: Final = raw_headers({"cache-control": "no-store"}.items())
#: The page's files are asked for anew each time: modules of two versions do not fit together.
_PAGE_ONLY: Final = raw_headers({"cache-control": "no-cache"}.items())


class SecurityHeaders:
    """Adds the headers to each response that does not have them already."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        wanted = [*_EVERYWHERE, *(_API_ONLY if is_api(scope["path"]) else _PAGE_ONLY)]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message.get("headers", ())}
                message["headers"] = [*message.get("headers", ()), *(w for w in wanted if w[0] not in there)]
            await send(message)

        await self._app(scope, receive, send_with_headers)

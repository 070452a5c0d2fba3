"""Whose request it is: a bearer token, the cookie of the web page, or nobody's."""

import asyncio
import logging
from typing import Final

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.errors import StoreError
from pincite.interfaces.http.access.caller import EVERYONE, NOBODY, Caller
from pincite.interfaces.http.access.origins import SAFE_METHODS, is_own
from pincite.interfaces.http.access.refusing import header, is_api, refuse
from pincite.interfaces.http.access.tokens import Tokens

logger = logging.getLogger(__name__)

COOKIE: Final = "pincite_session"
#: What needs no token: it says nothing about any document.
_OPEN: Final = frozenset(
    {
        ("GET", "/v1/health"),
        ("HEAD", "/v1/health"),
        ("GET", "/v1/ready"),
        ("HEAD", "/v1/ready"),
        ("GET", "/v1/openapi.json"),
        ("POST", "/v1/session"),
        ("DELETE", "/v1/session"),
    }
)


class Authentication:
    """Puts the `Caller` into the state of each request, and refuses (401) who needs a token and has none."""

    def __init__(self, app: ASGIApp, *, tokens: Tokens, required: bool) -> None:
        """Stand before `app`; unless `required`, who shows no token may do everything."""
        self._app = app
        self._tokens = tokens
        self._required = required

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        shown = header(scope, b"authorization")
        session = None if shown is not None else session_of(scope)
        try:
            caller = await self._caller(shown, session)
        except StoreError as error:  # who cannot be asked about is let in by nobody
            logger.warning("%s: %s", error.code, error)
            detail = "the library's tokens cannot be read now; try again, the server's log says more"
            await refuse(scope, send, 503, error.code, detail, {"retry-after": "5"})
            return
        is_open = not is_api(scope["path"]) or (scope["method"], scope["path"]) in _OPEN
        if caller is None and (shown is not None or self._required) and not is_open:
            await self._ask_for_a_token(shown, session, scope, send)
        elif caller is not None and session is not None and not _is_same_origin(scope):
            detail = "a page of another site may not act with your session; send the token itself"
            await refuse(scope, send, 403, "foreign_origin", detail)
        else:
            stranger = NOBODY if self._required or shown is not None else EVERYONE
            scope.setdefault("state", {})["caller"] = caller or stranger
            scope["state"]["token_required"] = self._required
            await self._app(scope, receive, send)

    async def _caller(self, shown: str | None, session: str | None) -> Caller | None:
        def look() -> Caller | None:
            if shown is not None:
                scheme, _, token = shown.partition(" ")
                return self._tokens.caller_of(token.strip(" ")) if scheme.lower() == "bearer" else None
            return None if session is None else self._tokens.caller_of_session(session)

        is_slow = self._tokens.is_slow and (shown is not None or session is not None)
        return await asyncio.to_thread(look) if is_slow else look()

    async def _ask_for_a_token(self, shown: str | None, session: str | None, scope: Scope, send: Send) -> None:
        if shown is None and session is None:
            detail = "send a token: Authorization: Bearer pct_…; `pincite token new` makes one"
        else:
            detail = "the token is unknown, has expired, or was revoked; `pincite token new` makes another"
        challenge = 'Bearer realm="pincite"' + ("" if shown is None else ', error="invalid_token"')
        await refuse(scope, send, 401, "unauthorized", detail, {"www-authenticate": challenge})


def session_of(scope: Scope) -> str | None:
    """Return the session secret of the cookie, `None` where there is none."""
    sent = header(scope, b"cookie")
    return None if sent is None else cookie_parser(sent.replace(", ", "; ")).get(COOKIE)


def _is_same_origin(scope: Scope) -> bool:
    """Say whether a request with a cookie may do what it asks: to look is free, changes need proof of the own page."""
    if scope["method"] in SAFE_METHODS:
        return True
    origin = header(scope, b"origin")
    if origin is None:
        return header(scope, b"sec-fetch-site") == "same-origin"
    return is_own(origin, header(scope, b"host") or "")

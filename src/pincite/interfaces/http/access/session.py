"""`/v1/session`: the web page shows a token once, and gets a cookie that no script can read."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from pincite.interfaces.http.access.authentication import COOKIE, session_of
from pincite.interfaces.http.access.caller import SCOPES, Scope
from pincite.interfaces.http.access.tokens import SESSION_S, Tokens
from pincite.interfaces.http.openapi import shows, takes
from pincite.interfaces.http.opened import caller_of
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import body_of, reply
from pincite.types.record import Record

router = APIRouter(tags=["session"])


class TokenBody(Record, frozen=True, kw_only=True):
    """A token, as `pincite token new` showed it."""

    token: str


class SessionInfo(Record, frozen=True, kw_only=True):
    """Who is asking, what they may do, and in which collection (`*`: all); `token_required` says if one is needed."""

    name: str
    scopes: tuple[Scope, ...]
    collection: str
    token_required: bool


@router.get("/v1/session", **shows(SessionInfo))
def who(request: Request) -> Response:
    """Return who is asking."""
    caller = caller_of(request)
    scopes = tuple(scope for scope in SCOPES if caller.may(scope))
    required = bool(getattr(request.state, "token_required", False))
    return reply(SessionInfo(name=caller.name, scopes=scopes, collection=caller.collection, token_required=required))


@router.post("/v1/session", status_code=204, response_model=None, openapi_extra=takes(TokenBody))
def sign_in(request: Request, body: Annotated[TokenBody, Depends(body_of(TokenBody))]) -> Response:
    """Set the cookie of the web page in exchange for a token; 401 when it opens nothing."""
    session = _tokens(request).open_session(body.token)
    if session is None:
        detail = "the token is unknown, has expired, or was revoked; `pincite token new` makes another"
        raise ProblemError(401, "unauthorized", detail, headers={"www-authenticate": 'Bearer realm="pincite"'})
    response = Response(status_code=204)
    response.set_cookie(
        COOKIE,
        session,
        max_age=SESSION_S,
        path="/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.delete("/v1/session", status_code=204, response_model=None)
def sign_out(request: Request) -> Response:
    """End the session of the cookie, and delete the cookie."""
    session = session_of(request.scope)
    if session is not None:
        _tokens(request).close_session(session)
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


def _tokens(request: Request) -> Tokens:
    kept: Tokens | None = getattr(request.app.state, "tokens", None)
    if kept is None:
        raise ProblemError(404, "not_found", "there are no tokens: the application runs without `pincite serve`")
    return kept

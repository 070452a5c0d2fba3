"""Errors as problem documents (RFC 9457), with pincite's own error code."""

import logging
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pincite import errors
from pincite.errors import PinciteError
from pincite.types.record import Record

logger = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"

#: The status of each class of error; a class that is not named has that of the class it is a kind of.
STATUS_OF: Final[dict[type[PinciteError], int]] = {
    errors.PinciteError: 500,
    errors.SettingsError: 422,
    errors.MissingExtraError: 501,
    errors.QuestionError: 422,
    errors.UnknownDocumentError: 404,
    errors.DocumentGoneError: 409,
    errors.FilterError: 422,
    errors.SourceError: 422,
    errors.SourceLimitError: 413,
    errors.StoppedError: 409,
    errors.ParseError: 422,
    errors.UnsupportedFormatError: 415,
    errors.StoreError: 500,
    errors.LibraryBusyError: 503,
    errors.EmbeddingModelChangedError: 409,
    errors.QuoteError: 422,
    errors.PassagesError: 422,
    errors.ProviderError: 502,
    errors.RateLimitedError: 503,
    errors.ProviderUnavailableError: 503,
    errors.ProviderTimeoutError: 504,
}
#: What a status means, in a word or two.
_TITLES: Final = {
    400: "Not understood",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not found",
    405: "Wrong method",
    408: "Too slow",
    409: "Conflict",
    411: "Length missing",
    413: "Too large",
    414: "Address too long",
    415: "Not a type that is read",
    421: "Wrong server",
    422: "Cannot be processed",
    429: "Too many requests",
    431: "Headers too large",
    500: "A fault",
    501: "Not installed",
    502: "The model service failed",
    503: "Busy",
    504: "The model service did not reply",
    507: "No room",
}


class Problem(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong: `code` is pincite's own error code, `detail` says what, where and what to do.

    `errors` are the parts of a request that cannot be used; `jobs` are the files of an upload that was refused.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str | None = None
    errors: tuple[str, ...] = ()
    jobs: tuple[Any, ...] = ()


class ProblemError(Exception):
    """Ends a request with a problem document."""

    def __init__(self, status: int, code: str, detail: str, *, headers: dict[str, str] | None = None) -> None:
        """Keep what the document says, and headers to send with it."""
        super().__init__(detail)
        self.problem = problem(status, code, detail)
        self.headers = headers


def problem(status: int, code: str, detail: str, *, errors: tuple[str, ...] = ()) -> Problem:
    """Return the document of a problem."""
    title = _TITLES.get(status, "A problem")
    return Problem(
        type=f"urn:pincite:problem:{code}", title=title, status=status, detail=detail, code=code, errors=errors
    )


def problem_of(error: PinciteError) -> Problem:
    """Return the document of an error that pincite raises on purpose."""
    status = next(STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF)
    if isinstance(error, errors.StoreError):  # its message names folders of the server
        logger.warning("%s: %s", error.code, error)
        busy = isinstance(error, errors.LibraryBusyError)
        detail = "another process is writing to the library" if busy else "the library cannot be used now"
        return problem(status, error.code, f"{detail}; try again, the server's log says more")
    return problem(status, error.code, str(error))


def fault() -> Problem:
    """Return the document of what must not happen; it does not say what, which is in the log."""
    return problem(500, "internal_error", "this is a fault in pincite; the server's log says more")


def response(found: Problem, request: Request | None = None, headers: dict[str, str] | None = None) -> Response:
    """Return the response of a problem; `instance` is the path that was asked for."""
    if request is not None:
        found = msgspec.structs.replace(found, instance=request.url.path)
    sent = dict(headers or {})
    if found.status == 503:
        sent.setdefault("Retry-After", "5")
    return Response(encoded(found), status_code=found.status, media_type=MEDIA_TYPE, headers=sent)


def encoded(value: object) -> bytes:
    """Return JSON, also of text with half a surrogate pair in it."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        import json

        return json.dumps(msgspec.to_builtins(value)).encode()


def install(app: FastAPI) -> None:
    """Make every error of the application a problem document."""

    @app.exception_handler(ProblemError)
    async def _problem(request: Request, error: ProblemError) -> Response:
        return response(error.problem, request, error.headers)

    @app.exception_handler(PinciteError)
    async def _typed(request: Request, error: PinciteError) -> Response:
        retry_s = getattr(error, "retry_after_s", None)
        return response(problem_of(error), request, {"Retry-After": str(int(retry_s) + 1)} if retry_s else None)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        # What was sent is not repeated.
        found = tuple(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors())
        return response(problem(422, "invalid_request", "; ".join(found), errors=found), request)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "invalid_request")
        detail = f"there is no {request.url.path}" if error.status_code == 404 else str(error.detail)
        return response(problem(error.status_code, code, detail), request, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def _fault(request: Request, error: Exception) -> Response:
        logger.error("a fault in pincite: %s", type(error).__name__)
        return response(fault(), request)

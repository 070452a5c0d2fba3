"""Records out as JSON, and request bodies in: by the same library as everywhere else in pincite."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

import msgspec
from fastapi import Request
from starlette.responses import Response

from pincite.interfaces.http.problems import ProblemError, encoded
from pincite.types.record import to_json

T = TypeVar("T")

#: A JSON body larger than this is no question; bundles are the largest, and hold quoted lines only.
MOST_BODY_BYTES = 4 * 2**20


def reply(value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a record as JSON: the form that the command line prints with `--json`."""
    return Response(encoded(value), status_code=status, media_type="application/json", headers=dict(headers or {}))


def named(kind: str, value: object) -> Response:
    """Return `{"result": kind, …}` with the fields of a record, as the command line does."""
    return reply({"result": kind, **to_json(value)})


def body_of(kind: type[T]) -> Callable[[Request], Awaitable[T]]:
    """Return what reads a request's JSON body as a `kind`.

    Raises:
        ProblemError: the body is no JSON (400), not sent as JSON (415), too large (413), or of another form (422).

    """
    decoder = msgspec.json.Decoder(kind)

    async def read(request: Request) -> T:
        sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if sent != "application/json" and not sent.endswith("+json"):
            raise ProblemError(415, "invalid_request", "send the body as JSON, with Content-Type: application/json")
        content = await _content(request)
        try:
            return decoder.decode(content)
        except msgspec.ValidationError as error:
            raise ProblemError(422, "invalid_request", str(error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ProblemError(400, "invalid_request", f"the body is not JSON: {error}") from error

    return read


async def _content(request: Request) -> bytes:
    parts, n_bytes = [], 0
    async for part in request.stream():
        parts.append(part)
        n_bytes += len(part)
        if n_bytes > MOST_BODY_BYTES:
            raise ProblemError(413, "request_too_large", f"a body may have {MOST_BODY_BYTES // 2**20} MB")
    return b"".join(parts)

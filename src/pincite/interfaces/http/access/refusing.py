"""Problem documents from below the routes: what a middleware answers in place of the application."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from starlette.types import Scope, Send

from pincite.interfaces.http.problems import MEDIA_TYPE, encoded, problem

#: Stands for the route of what no route was found for, in logs and figures.
_API: Final = re.compile(r"/v1(/.*)?|/metrics", re.DOTALL)


async def refuse(
    scope: Scope, send: Send, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
) -> None:
    """Send a problem document and nothing else."""
    found = msgspec.structs.replace(problem(status, code, detail), instance=scope["path"])
    body = encoded(found)
    sent = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), **(headers or {})}
    await send({"type": "http.response.start", "status": status, "headers": raw_headers(sent.items())})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def raw_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Return headers as they are sent."""
    return [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in headers]


def header(scope: Scope, name: bytes) -> str | None:
    """Return a header of a request, `None` where it is not there; where it is there twice, both parted by a comma."""
    found = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return ", ".join(found) if found else None


def is_api(path: str) -> bool:
    """Say whether a path belongs to the API; all others are the files of the web page."""
    return _API.fullmatch(path) is not None

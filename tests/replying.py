"""What scripted models reply: forms filled from the very lines that they were sent."""

import re
from collections.abc import Callable
from typing import Any

from pincite.types.model import ModelRequest

Reply = Callable[[ModelRequest], dict[str, Any]]


def number_of(request: ModelRequest, text: str) -> int:
    """Return the number before the first line that holds `text`."""
    for line in request.data.splitlines():
        match = re.match(r"\[(\d+)\] (.*)", line)
        if match and text in match.group(2):
            return int(match.group(1))
    raise AssertionError(f"{text!r} was not sent: {request.data}")


def found(*items: tuple[str, str], **more: Any) -> Reply:
    """Return what replies with items of text and quote, each at the line that its quote is in; `more` joins each."""

    def reply(request: ModelRequest) -> dict[str, Any]:
        filled = []
        for text, quote in items:
            number = number_of(request, quote.split("\n")[0])
            quoted = {"first_line": number, "last_line": number + quote.count("\n"), "quote": quote}
            filled.append({"text": text, "quotes": [quoted], **more})
        return {"found": True, "items": filled}

    return reply


def things(*items: tuple[str, str]) -> Reply:
    """Return what replies with things to be counted, each with its quote."""
    return lambda request: {"found": True, "things": found(*items)(request)["items"]}


def claimed(text: str, quote: str, line: int = 1, **more: Any) -> dict[str, Any]:
    """Return a reply with one item that claims its place, whatever was sent."""
    quoted = {"first_line": line, "last_line": line, "quote": quote}
    return {"found": True, "items": [{"text": text, "quotes": [quoted], **more}]}


NOT_FOUND: dict[str, Any] = {"found": False, "items": [], "reason": "the lines do not say"}

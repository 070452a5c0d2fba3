"""The log of the server on standard error: a line for each request, as text or JSON, that no client can forge."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final, Literal, TextIO, cast

from pincite.interfaces.http.access.observing import ServedRequest, place_of
from pincite.types.record import to_json

#: Loggers whose records are written: ours, and the server's own about its start, end and connections.
_LOGGERS: Final = ("pincite", "uvicorn")
_REQUESTS: Final = logging.getLogger("pincite.requests")
_FIELD: Final = "served"


def log_request(served: ServedRequest) -> None:
    """Write the line of a request: an error where there was a fault, else information."""
    level = logging.ERROR if served.fault else logging.INFO
    _REQUESTS.log(level, "request", extra={_FIELD: served})


def configure_logs(form: Literal["text", "json"], stream: TextIO | None = None) -> None:
    """Write what pincite and its server log to `stream`, standard error by default, and nowhere else."""
    handler = logging.StreamHandler(stream or sys.stderr)
    # A formatter is whatever has a `format`; the standard class would add tracebacks, with the text of errors.
    handler.setFormatter(cast("logging.Formatter", LogLines(form)))
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO if name == "pincite" else logging.WARNING)


class LogLines:
    """Makes one line of one record; line breaks and control characters are escaped in every part of it."""

    def __init__(self, form: Literal["text", "json"]) -> None:
        """Write lines for people, or JSON for programs."""
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its line feed."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        level = record.levelname.lower()
        served: ServedRequest | None = getattr(record, _FIELD, None)
        if self._form == "json":
            return json.dumps({"at": at, "level": level, **_fields(record, served)}, ensure_ascii=True)
        if served is not None:
            return f"{at} {level} {_request_words(served)}"
        return f"{at} {level} " + " ".join(f"{_escaped(value)}" for value in _fields(record, None).values())


def _fields(record: logging.LogRecord, served: ServedRequest | None) -> dict[str, Any]:
    if served is not None:
        return {"event": "request", **{key: value for key, value in to_json(served).items() if value not in (None, ())}}
    fields: dict[str, Any] = {"event": record.name, "message": record.getMessage().strip()}
    if record.exc_info and record.exc_info[1] is not None:
        fields["fault"] = place_of(record.exc_info[1])
    return fields


def _request_words(served: ServedRequest) -> str:
    words = [
        served.request_id,
        served.method,
        served.route,
        str(served.status),
        f"{served.ms:.1f}ms",
        f"in={served.bytes_in}",
        f"out={served.bytes_out}",
        f"caller={_escaped(served.caller)}",
    ]
    words += [f"asked={','.join(served.asked)}"] if served.asked else []
    words += [f"fault={_escaped(served.fault)}"] if served.fault else []
    return " ".join(words)


def _escaped(text: str) -> str:
    """Return text as it is where it is one plain word, else in quotes with everything odd escaped."""
    plain = text.isascii() and text.isprintable() and not any(char in ' "\\' for char in text)
    return text if plain and text else json.dumps(text, ensure_ascii=True)

"""`Record`, the frozen base of every noun, and its one JSON form."""

from pathlib import Path
from typing import Any, TypeVar

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A frozen, keyword-only value. Compared by content; written to JSON by field name."""


R = TypeVar("R", bound=Record)


def to_json(value: object) -> Any:
    """Return `value` as plain dicts, lists, strings, numbers, booleans and `None`."""
    return msgspec.to_builtins(value)


def from_json(data: object, kind: type[R]) -> R:
    """Return the `kind` that `to_json` made `data` from.

    Raises:
        msgspec.ValidationError: `data` does not have that form; the message names the field.

    """
    return msgspec.convert(data, kind)


def dump_json(value: object) -> bytes:
    """Return `value` as indented UTF-8 JSON with a line feed at its end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def load_json(path: Path, kind: type[R]) -> R:
    """Return the `kind` kept in the JSON file at `path`."""
    return msgspec.json.decode(path.read_bytes(), type=kind)

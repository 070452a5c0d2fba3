"""A model's text to the form that was asked for: fences, preambles and stray types are read, never guessed at."""

import json
import re
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec

from pincite.errors import EmptyOutputError, InvalidOutputError
from pincite.protocols import R

#: What reasoning models write before their reply; it is neither shown nor read.
_THOUGHTS: Final = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
#: How much of a reply a message shows.
_SHOWN: Final = 200


def read_reply(text: str, schema: type[R]) -> R:
    """Return the first JSON object of `text` as a `schema`.

    Accepted are a Markdown fence, words before and after, raw line ends inside strings, numbers and lists written as
    strings, and missing or null fields that have a default. Anything else is an error, never a made-up value.

    Raises:
        EmptyOutputError: there is nothing but white space.
        InvalidOutputError: there is no JSON object, or it has another form; the message names the field.

    """
    said = without_thoughts(text)
    if not said:
        raise EmptyOutputError("the model returned no text", text=text)
    found = first_object(said)
    if found is None:
        raise InvalidOutputError(f"the reply holds no JSON object: {shown(said)}", text=text)
    try:
        return msgspec.convert(_eased(_encodable(found), schema), schema, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidOutputError(f"the reply has another form: {error}: {shown(said)}", text=text) from None


def without_thoughts(text: str) -> str:
    """Return `text` without blocks of reasoning and white space around it."""
    return _THOUGHTS.sub("", text).strip()


def first_object(text: str) -> dict[str, Any] | None:
    """Return the first whole JSON object of `text`; `NaN` and its like make it none."""
    decoder = json.JSONDecoder(strict=False, parse_constant=_no_constant)
    at = text.find("{")
    while at != -1:
        try:
            found, _ = decoder.raw_decode(text, at)
        except ValueError:
            at = text.find("{", at + 1)
            continue
        except RecursionError:
            return None
        # Only the outermost object counts: one inside a broken one is a part without its whole.
        return found if _opens(text, at) else None
    return None


def _encodable(value: Any) -> Any:
    """Return what was read with half characters, which no text can hold, as the mark of a lost one."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(one) for key, one in value.items()}
    return [_encodable(one) for one in value] if isinstance(value, list) else value


def _opens(text: str, at: int) -> bool:
    return "{" not in text[:at]


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def shown(text: str) -> str:
    """Return the beginning of a reply as one line, for a message."""
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…")


def _eased(value: Any, kind: Any) -> Any:
    """Return `value` with lists that came as JSON strings read, and nulls left out where the field has a default."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if isinstance(value, str):
            value = _from_string(value)
        if not isinstance(value, dict):
            return value
        fields = {f.encode_name: f for f in msgspec.structs.fields(kind)}
        return {
            name: _eased(one, fields[name].type) if name in fields else one
            for name, one in value.items()
            if not (one is None and name in fields and not fields[name].required)
        }
    if get_origin(kind) is tuple:
        if isinstance(value, str):
            value = _from_string(value)
        inner = get_args(kind)[0]
        return [_eased(one, inner) for one in value] if isinstance(value, list) else value
    return value


def _from_string(value: str) -> Any:
    try:
        return json.loads(value, strict=False)
    except ValueError:
        return value

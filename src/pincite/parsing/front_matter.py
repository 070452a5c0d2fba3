"""The metadata at the top of a Markdown file: YAML between `---`, TOML between `+++`, JSON between `;;;` or bare."""

import datetime as dt
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: Larger blocks are no front matter but text between two rules.
MAX_CHARS: Final = 65_536
#: More values than this is an alias bomb, deeper nesting a loop.
MAX_VALUES: Final = 10_000
MAX_DEPTH: Final = 40
#: Numbers beyond 64 bits stay text: no JSON reader keeps them.
_MAX_INTEGER: Final = 2**63

UNREADABLE: Final = "front matter unreadable"

_KEY: Final = re.compile(r"[\w.\"'-][^:=]{0,60}(?::(?:\s|$)|\s*=)")
_LOOKS_LIKE_DATA: Final = re.compile(r"\s|[-#\]}]|[\w.\"'-][^:=]{0,60}[:=]")
#: Opening line → (language, closing lines). A language may be named behind the dashes.
_MARKS: Final = {
    "---": ("yaml", {"---", "..."}),
    "---yaml": ("yaml", {"---", "..."}),
    "---toml": ("toml", {"---"}),
    "---json": ("json", {"---"}),
    "+++": ("toml", {"+++"}),
    ";;;": ("json", {";;;"}),
}
#: Tabs where YAML wants blanks, though people and other readers take them: to indent, and after a colon or dash.
_YAML_TAB: Final = re.compile(r"^[ \t]+|(?<=[:-])[ \t]*\t[ \t]*|[ \t]+$")
_INTEGER: Final = re.compile(r"[-+]?(?:0|[1-9]\d*)")
_FLOAT: Final = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`last_line` is the number of its closing line, 0 where there is none; `first_line` its opening one."""

    metadata: dict[str, Any] = field(default_factory=dict)
    first_line: int = 0
    last_line: int = 0
    warnings: tuple[str, ...] = ()


class _UnreadableError(Exception):
    """The block is no YAML, TOML or JSON that we take."""


def read_front_matter(lines: list[str]) -> FrontMatter:
    """Return the front matter of a file, an empty one where there is none.

    Blank lines may come before it. A block that is not closed, or that holds text and no keys, is part of the body.
    A block of keys that cannot be read is left out of the body, with the warning `UNREADABLE`.
    """
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return FrontMatter()
    if lines[first].startswith("{"):
        return _bare_json(lines, first)
    if lines[first].rstrip() not in _MARKS:
        return FrontMatter()
    language, closing = _MARKS[lines[first].rstrip()]
    n_chars = 0
    for index in range(first + 1, len(lines)):
        if lines[index].rstrip() in closing:
            return _read_block(lines[first + 1 : index], first + 1, index + 1, language)
        n_chars += len(lines[index])
        if n_chars > MAX_CHARS:
            break
    return FrontMatter()


def _bare_json(lines: list[str], first: int) -> FrontMatter:
    """Return an object of JSON that begins the file, ends with its line, and has a blank line and text below it."""
    last = next((index for index in range(first, len(lines)) if lines[index].rstrip().endswith("}")
                 and index + 1 < len(lines) and not lines[index + 1].strip()), None)  # fmt: skip
    if last is None or not any(line.strip() for line in lines[last + 1 :]):
        return FrontMatter()
    try:
        metadata = _read_json(lines[first : last + 1])
    except _UnreadableError:
        return FrontMatter()
    return FrontMatter(metadata, first + 1, last + 1) if metadata else FrontMatter()


def _read_block(block: list[str], first_line: int, last_line: int, language: str) -> FrontMatter:
    filled = [line for line in block if line.strip()]
    if not filled:
        return FrontMatter({}, first_line, last_line) if not block else FrontMatter()
    if not block[0].strip() or _holds_heading(block):
        return FrontMatter()
    try:
        metadata = _READERS[language](block)
    except _UnreadableError:
        if _KEY.match(filled[0]) and len(filled) == len(block) and all(map(_LOOKS_LIKE_DATA.match, filled)):
            return FrontMatter({}, first_line, last_line, (UNREADABLE,))
        return FrontMatter()
    return FrontMatter() if metadata is None else FrontMatter(metadata, first_line, last_line)


def _holds_heading(block: list[str]) -> bool:
    """Say whether a Markdown heading stands alone in the block: then its closing line is a rule of the body."""
    return any(
        re.match(r"#{1,6} ", line) and not before.strip() and not after.strip()
        for before, line, after in zip(block, block[1:], block[2:], strict=False)
    )


def _read_toml(block: list[str]) -> dict[str, Any] | None:
    import tomllib

    try:
        return _Converter().mapping(tomllib.loads("\n".join(block)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _UnreadableError from error


def _read_yaml(block: list[str]) -> dict[str, Any] | None:
    """Return the mapping of a YAML block; `None` where it is some other value, which then is text.

    Only the node graph is read, never an object made: tags have no power, aliases are counted.
    """
    import yaml

    def read(lines: list[str]) -> dict[str, Any] | None:
        node = yaml.compose("\n".join(lines), Loader=yaml.SafeLoader)
        return _Converter().node_mapping(node) if isinstance(node, yaml.MappingNode) else None

    try:
        try:
            return read(block)
        except yaml.YAMLError:
            untabbed = [_YAML_TAB.sub(lambda tab: tab.group().replace("\t", "  "), line) for line in block]
            if untabbed == block:
                raise
            return read(untabbed)
    except (yaml.YAMLError, RecursionError) as error:
        raise _UnreadableError from error


def _read_json(block: list[str]) -> dict[str, Any] | None:
    import json

    text = "\n".join(block)
    if len(text) > MAX_CHARS:
        raise _UnreadableError
    try:
        values = json.loads(text)
        return _Converter().mapping(values) if isinstance(values, dict) else None
    except (ValueError, RecursionError) as error:
        raise _UnreadableError from error


_READERS: Final = {"yaml": _read_yaml, "toml": _read_toml, "json": _read_json}


class _Converter:
    """Turns YAML nodes, TOML and JSON values into strings, numbers, booleans, lists and dicts; `None` is left out."""

    def __init__(self) -> None:
        self._n_values = 0

    def _count(self, depth: int) -> None:
        self._n_values += 1
        if self._n_values > MAX_VALUES or depth > MAX_DEPTH:
            raise _UnreadableError

    def mapping(self, values: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
        """Return a table of TOML or an object of JSON."""
        return {key: self._value(value, depth + 1) for key, value in values.items() if value is not None}

    def _value(self, value: Any, depth: int) -> Any:
        self._count(depth)
        if isinstance(value, dict):
            return self.mapping(value, depth)
        if isinstance(value, list):
            return [self._value(each, depth + 1) for each in value]
        if isinstance(value, dt.date | dt.time):
            return value.isoformat()
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        if isinstance(value, int) and abs(value) >= _MAX_INTEGER:
            return str(value)
        return value

    def node_mapping(self, node: Any, depth: int = 0) -> dict[str, Any]:
        """Return a YAML mapping node."""
        values = {}
        for key, value in node.value:
            converted = self._node(value, depth + 1)
            if converted is not None:
                values[str(key.value)] = converted
        return values

    def _node(self, node: Any, depth: int) -> Any:
        self._count(depth)
        if node.id == "mapping":
            return self.node_mapping(node, depth)
        if node.id == "sequence":
            return [self._node(each, depth + 1) for each in node.value]
        return _scalar(node.tag.rpartition(":")[2], node.value)


def _scalar(tag: str, text: str) -> Any:
    """Return a YAML scalar as YAML 1.2 reads it; what 1.1 alone takes for a number (`12:30`, `0777`) stays text.

    >>> [_scalar("int", "12:30"), _scalar("int", "7"), _scalar("bool", "true"), _scalar("timestamp", "2027-05-01")]
    ['12:30', 7, True, '2027-05-01']
    """
    if tag == "null":
        return None
    if tag == "bool":
        return text.lower() in {"true", "yes", "on"}
    if tag == "int" and _INTEGER.fullmatch(text) and len(text) < 20 and abs(int(text)) < _MAX_INTEGER:
        return int(text)
    if tag == "float" and _FLOAT.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    if tag == "timestamp":
        return _iso(text)
    return text


def _iso(text: str) -> str:
    try:
        moment = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        return text
    return text if len(text) <= 10 else moment.isoformat()

"""YAML and JSON as plain strings, lists and mappings, with the line on which each mapping begins."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from pincite.errors import PassagesError
from pincite.types.record import Record


class Structured(Record, frozen=True, kw_only=True):
    """What a file holds. `lines` has the first line of a mapping by its identity; of JSON they are not known."""

    name: str
    data: Any
    lines: dict[int, int]

    def place(self, mapping: object, what: str) -> str:
        """Return where a mapping of `data` stands: `passages.yaml:12`, or the file and `what`."""
        line = self.lines.get(id(mapping))
        return f"{self.name}, {what}" if line is None else f"{self.name}:{line}"


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8, with line feeds alone.

    Raises:
        PassagesError: it cannot be read, or is no UTF-8.

    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PassagesError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise PassagesError(f"{path}: not UTF-8 text, from byte {error.start}; save it as UTF-8") from error


def structured(text: str, name: str, *, is_json: bool = False) -> Structured:
    """Return what a text holds. In YAML every scalar is the text that stands there: `no` and `1.10` stay as they are.

    Raises:
        PassagesError: it is no such text, or a mapping has a key twice; the message says where.

    """
    return _json(text, name) if is_json else _yaml(text, name)


def _json(text: str, name: str) -> Structured:
    def mapping(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in pairs:
            if key in made:
                raise PassagesError(f"{name}: {key!r} stands twice in one object; keep one of them")
            made[key] = value
        return made

    try:
        return Structured(name=name, data=json.loads(text, object_pairs_hook=mapping), lines={})
    except json.JSONDecodeError as error:
        raise PassagesError(f"{name}:{error.lineno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise PassagesError(f"{name}: nested too deep") from error


def _yaml(text: str, name: str) -> Structured:
    lines: dict[int, int] = {}
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = None if node is None else _plain(node, name, lines, set())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        hint = "; put text with marks such as ? : # in quotes"
        raise PassagesError(f"{name}:{line}: not YAML: {error.problem or error.context}{hint}") from error
    except yaml.YAMLError as error:
        raise PassagesError(f"{name}: not YAML: {error}") from error
    except RecursionError as error:
        raise PassagesError(f"{name}: nested too deep") from error
    return Structured(name=name, data=data, lines=lines)


def _plain(node: Any, name: str, lines: dict[int, int], seen: set[int]) -> Any:
    line = node.start_mark.line + 1
    if id(node) in seen:  # one anchor named a thousand times over is how a small file fills a memory
        raise PassagesError(f"{name}:{line}: anchors and aliases are not read; write the value out")
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, name, lines, seen) for child in node.value]
    made: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = key_node.value
        if not isinstance(key, str) or key in made:
            what = f"{key!r} stands twice; keep one of them" if isinstance(key, str) else "a key has to be a word"
            raise PassagesError(f"{name}:{key_node.start_mark.line + 1}: {what}")
        made[key] = _plain(value_node, name, lines, seen)
    lines[id(made)] = line
    return made

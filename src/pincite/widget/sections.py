"""The Markdown form of a source file: front matter, and a heading of level 2 for each passage.

    ## What is a pin cite?
    id: pin-cite
    url: https://example.org/cites
    reviewed-by: Ada
    reviewed-on: 2026-11-30

    A pin cite names the exact page and lines.

The heading is the title. Lines of `key: value` below it belong to the passage, up to the first blank line; then comes
the text. Lines of one paragraph are joined by a blank, paragraphs stay apart.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from pincite.errors import PassagesError
from pincite.widget.structured import Structured, structured

_FRONT: Final = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING: Final = re.compile(r"##[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FIELD: Final = re.compile(r"([a-z][a-z_-]*):(?:[ \t]+(.*))?$")
#: What may stand below a heading.
_FIELDS: Final = frozenset({"id", "url", "tags", "reviewed_by", "reviewed_on", "cite", "title"})


def sections(text: str, name: str) -> Structured:
    """Return the mapping that the same file would be in YAML.

    Raises:
        PassagesError: the front matter is no YAML, or a field stands twice; the message says where.

    """
    front = _FRONT.match(text)
    head = structured("\n" + front.group(1), name).data if front else {}
    if head is not None and not isinstance(head, dict):
        raise PassagesError(f"{name}: the front matter has to be lines of `key: value`")
    body = text[front.end() :] if front else text
    first_line = text[: front.end()].count("\n") + 1 if front else 1
    lines: dict[int, int] = {}
    passages = []
    for line, title, below in _cut(body.split("\n"), first_line):
        passage = _passage(title, below, f"{name}:{line}")
        lines[id(passage)] = line
        passages.append(passage)
    return Structured(name=name, data={**(head or {}), "passages": passages}, lines=lines)


def _cut(lines: list[str], first_line: int) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the line, title and lines below of each heading of level 2; what stands before the first is a remark."""
    starts = [number for number, line in enumerate(lines) if _HEADING.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        heading = _HEADING.match(lines[start])
        yield first_line + start, heading.group(1) if heading else "", lines[start + 1 : end]


def _passage(title: str, below: list[str], place: str) -> dict[str, Any]:
    made: dict[str, Any] = {"title": title}
    rest = list(below)
    while rest and not rest[0].strip():
        rest.pop(0)
    while rest and (match := _FIELD.match(rest[0].rstrip())) and match.group(1).replace("-", "_") in _FIELDS:
        key = match.group(1).replace("-", "_")
        if key in made and key != "title":
            raise PassagesError(f"{place}: {key!r} stands twice; keep one of them")
        made[key] = (match.group(2) or "").strip()
        rest.pop(0)
    paragraphs = re.split(r"\n[ \t]*\n", "\n".join(rest).strip())
    made["text"] = "\n\n".join(" ".join(line.strip() for line in p.split("\n")) for p in paragraphs)
    made.setdefault("id", slug(title))
    return made


def slug(text: str) -> str:
    """Return an id made of a title: lower case, hyphens between words; `passage` where there is no letter in it.

    >>> slug("What is a “pin cite”?")
    'what-is-a-pin-cite'
    """
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())) or "passage"

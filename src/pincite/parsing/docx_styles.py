"""What the styles of a Word document make of its paragraphs: headings with a level, lists, captions, code, contents."""

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from pincite.parsing.docx_numbering import W

StyleKind = Literal["body", "heading", "title", "list", "caption", "code", "contents"]

_HEADING: Final = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop|rubrik) ?([1-9])", re.IGNORECASE)
_CONTENTS: Final = re.compile(r"(?:toc|contents|table of figures|index) ?(?:heading|[1-9])?", re.IGNORECASE)
_CODE: Final = re.compile(
    r".*(?:code|html preformatted|preformatted|source|listing|verbatim|macro text).*", re.IGNORECASE
)
_LIST: Final = re.compile(r"list(?: paragraph| bullet| number| continue)?.*", re.IGNORECASE)
#: Styles are based on one another; more steps than this are a loop.
_MAX_STEPS: Final = 20


@dataclass(frozen=True, slots=True)
class Style:
    """What a style makes of a paragraph; `level` is that of a heading, `num_id` and `num_level` its list."""

    kind: StyleKind = "body"
    level: int = 0
    num_id: str = ""
    num_level: int = 0
    is_bold: bool = False


class Styles:
    """The paragraph styles of one document."""

    def __init__(self, root: Any) -> None:
        self._found = {} if root is None else {s.get(f"{W}styleId", ""): s for s in root.iter(f"{W}style")}
        self._known: dict[str, Style] = {}
        self.default = next(
            (key for key, style in self._found.items()
             if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in {"1", "true"}), "",
        )  # fmt: skip

    def of(self, paragraph: Any) -> Style:
        """Return what the style of a paragraph and its own properties make of it."""
        properties = paragraph.find(f"{W}pPr")
        style = self._style(_value(properties, "pStyle") or self.default)
        if properties is None:
            return style
        outline = _value(properties, "outlineLvl")
        if outline.isdecimal() and int(outline) < 9 and style.kind == "body":
            style = Style("heading", int(outline) + 1, style.num_id, style.num_level)
        numbered = properties.find(f"{W}numPr")
        if numbered is not None:
            num_id, level = _value(numbered, "numId"), _value(numbered, "ilvl")
            kind: StyleKind = "list" if style.kind == "body" and num_id not in {"", "0"} else style.kind
            at = int(level) if level.isdecimal() and len(level) < 3 else style.num_level
            style = Style(kind, style.level, num_id or style.num_id, at, style.is_bold)
        return style

    def _style(self, style_id: str) -> Style:
        if style_id not in self._known:
            self._known[style_id] = self._resolved(style_id)
        return self._known[style_id]

    def _resolved(self, style_id: str) -> Style:
        """Return a style with what it takes over from those it is based on."""
        kind: StyleKind = "body"
        level, num_id, num_level, is_bold = 0, "", 0, False
        for step in range(_MAX_STEPS):
            style = self._found.get(style_id)
            if style is None:
                break
            name = _value(style, "name") or style_id
            properties = style.find(f"{W}pPr")
            outline = _value(properties, "outlineLvl")
            if kind == "body":
                kind, level = _kind(name, outline)
            numbered = properties.find(f"{W}numPr") if properties is not None else None
            if numbered is not None and not num_id:
                num_id = _value(numbered, "numId")
                at = _value(numbered, "ilvl")
                num_level = int(at) if at.isdecimal() and len(at) < 3 else 0
            runs = style.find(f"{W}rPr")
            is_bold = is_bold or (step == 0 and runs is not None and runs.find(f"{W}b") is not None)
            style_id = _value(style, "basedOn")
        if kind == "body" and num_id not in {"", "0"}:
            kind = "list"
        return Style(kind, level, num_id, num_level, is_bold)


def _kind(name: str, outline: str) -> tuple[StyleKind, int]:
    match = _HEADING.match(name)
    if match:
        return "heading", int(match.group(1))
    if name.lower() == "title":
        return "title", 1
    if name.lower() == "caption":
        return "caption", 0
    if _CONTENTS.fullmatch(name):
        return "contents", 0
    if outline.isdecimal() and int(outline) < 9:
        return "heading", int(outline) + 1
    if _CODE.fullmatch(name):
        return "code", 0
    return ("list", 0) if _LIST.fullmatch(name) else ("body", 0)


def _value(parent: Any, tag: str) -> str:
    found = parent.find(f"{W}{tag}") if parent is not None else None
    return str(found.get(f"{W}val") or "") if found is not None else ""

"""What one Word paragraph says: its text as it stands now, and the notes, comments and changes that hang on it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pincite.parsing.docx_numbering import W

_MATH_TEXT: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_DRAWING_NAME: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_BOX: Final = f"{W}txbxContent"
_SUPERSCRIPTS: Final = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_SUBSCRIPTS: Final = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_RAISED: Final = re.compile(r"[0-9+\-−n]{1,4}")
#: Characters of the Symbol and Wingdings fonts, which Word keeps in the private area → what is seen.
_SYMBOLS: Final = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0FC: "✓", 0xF0A8: "☐", 0xF0FE: "☒", 0xF0B0: "°",
                   0xF0B1: "±", 0xF0A3: "≤", 0xF0B3: "≥", 0xF06D: "μ", 0xF057: "Ω", 0xF0AE: "→",
                   0xF0E0: "→"}  # fmt: skip
_UNSEEN: Final = frozenset({f"{W}instrText", f"{W}delInstrText", f"{W}pPr", f"{W}rPr", _FALLBACK, f"{W}sdtPr"})
#: Type of half a point or one is not read by anybody; `w:sz` counts half points.
_UNREADABLE_SIZE: Final = 4


@dataclass(frozen=True, slots=True)
class Change:
    """A tracked change: what it did, by whom, on which day, to which text."""

    kind: str
    author: str
    day: str
    text: str


@dataclass(slots=True)
class ParagraphText:
    """What a paragraph says and what hangs on it; `boxes` are the text boxes anchored in it."""

    text: str = ""
    is_bold: bool = False
    note_ids: list[tuple[str, str]] = field(default_factory=list)
    comment_ids: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    hidden: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)


class ParagraphReader:
    """Reads the paragraphs of a document; footnotes and endnotes are numbered as they are met."""

    def __init__(self) -> None:
        self._note_numbers: dict[tuple[str, str], int] = {}

    def read(self, paragraph: Any) -> ParagraphText:
        """Return what a `w:p` says: insertions are part of its text, deletions are not."""
        found = ParagraphText()
        parts: list[str] = []
        n_chars = n_bold = 0
        changes: dict[tuple[str, str, str], list[str]] = {}
        for node, run, change in _inside(paragraph):
            text = self._text(node, found)
            if node.tag == _BOX:
                found.boxes.append(node)
            if not text:
                continue
            if change is not None:
                changes.setdefault(change, []).append(text)
            if change is not None and change[0] == "Deleted":
                continue
            reason = _why_unseen(run)
            if reason is not None:
                found.hidden.append((text, reason))
                continue
            parts.append(_raised(text, run))
            n_chars += len(text.strip())
            n_bold += len(text.strip()) if _is_on(run, "b") else 0
        found.text = "".join(parts)
        found.is_bold = n_chars > 0 and n_bold >= 0.9 * n_chars
        found.changes = [Change(*key, "".join(texts)) for key, texts in changes.items()]
        return found

    def _text(self, node: Any, found: ParagraphText) -> str:
        tag = node.tag
        if tag in {f"{W}t", f"{W}delText", _MATH_TEXT}:
            return node.text or ""
        if tag in {f"{W}tab", f"{W}ptab"}:
            return " "
        if tag in {f"{W}br", f"{W}cr"}:
            return " " if node.get(f"{W}type") in {"page", "column"} else "\n"
        if tag == f"{W}noBreakHyphen":
            return "‑"
        if tag == f"{W}sym":
            return _symbol(node.get(f"{W}char") or "")
        if tag in {f"{W}footnoteReference", f"{W}endnoteReference"}:
            key = ("footnote" if tag == f"{W}footnoteReference" else "endnote", node.get(f"{W}id") or "")
            found.note_ids.append(key)
            return f"[{self.number_of(key)}]"
        if tag == f"{W}commentReference":
            found.comment_ids.append(node.get(f"{W}id") or "")
        elif tag == _DRAWING_NAME:
            told = " ".join((node.get("descr") or "").split())
            return f" [{told}] " if len(told.split()) >= 2 else ""
        return ""

    def number_of(self, key: tuple[str, str]) -> int:
        """Return the number a note has in the order of its first mention."""
        return self._note_numbers.setdefault(key, len(self._note_numbers) + 1)


def _inside(paragraph: Any) -> Iterator[tuple[Any, Any, tuple[str, str, str] | None]]:
    """Yield what a paragraph holds in order, with the run it is in and the tracked change it belongs to.

    Text boxes are yielded, not entered: their paragraphs are paragraphs of their own.
    """
    stack: list[tuple[Any, Any, tuple[str, str, str] | None]] = [(paragraph, None, None)]
    while stack:
        node, run, change = stack.pop()
        if not isinstance(node.tag, str) or node.tag in _UNSEEN:
            continue
        if node is not paragraph:
            yield node, run, change
        if node.tag == _BOX:
            continue
        if node.tag == f"{W}r":
            run = node
        elif node.tag in {f"{W}ins", f"{W}moveTo"}:
            change = ("Inserted", *_who(node))
        elif node.tag in {f"{W}del", f"{W}moveFrom"}:
            change = ("Deleted", *_who(node))
        stack.extend((child, run, change) for child in reversed(node))


def _who(node: Any) -> tuple[str, str]:
    return " ".join((node.get(f"{W}author") or "").split()), (node.get(f"{W}date") or "")[:10]


def _symbol(code: str) -> str:
    try:
        value = int(code, 16)
    except ValueError:
        return ""
    if value in _SYMBOLS:
        return _SYMBOLS[value]
    if 0xF020 <= value <= 0xF0FF:
        return ""  # a picture of a font nobody knows here
    return chr(value) if 0x20 <= value < 0xD800 else ""


def _property(run: Any, name: str) -> Any:
    properties = run.find(f"{W}rPr") if run is not None else None
    return properties.find(f"{W}{name}") if properties is not None else None


def _is_on(run: Any, name: str) -> bool:
    found = _property(run, name)
    return found is not None and (found.get(f"{W}val") or "true").lower() not in {"0", "false", "off", "none"}


def _why_unseen(run: Any) -> str | None:
    """Return why nobody sees the text of a run, `None` where it is seen."""
    if run is None:
        return None
    if _is_on(run, "vanish"):
        return "hidden text (w:vanish)"
    size = _property(run, "sz")
    if size is not None and (size.get(f"{W}val") or "").isdecimal() and int(size.get(f"{W}val")) < _UNREADABLE_SIZE:
        return "type too small to see"
    colour = _property(run, "color")
    is_white = colour is not None and (colour.get(f"{W}val") or "").upper() == "FFFFFF"
    if is_white and not any(_is_shaded(node) for node in (run, *run.iterancestors())):
        return "white on white"
    return None


def _is_shaded(node: Any) -> bool:
    """Say whether an element sets a background, or lies where one may be: a table with a style, a text box."""
    if node.tag in {_BOX, f"{W}tbl", f"{W}hdr", f"{W}ftr"}:
        return True
    for tag in ("rPr", "pPr", "tcPr"):
        properties = node.find(f"{W}{tag}")
        if properties is not None and any(properties.find(f"{W}{name}") is not None for name in ("shd", "highlight")):
            return True
    return False


def _raised(text: str, run: Any) -> str:
    """Return raised or lowered digits as such, so that they do not run into the number before them."""
    found = _property(run, "vertAlign")
    if found is None or not _RAISED.fullmatch(text):
        return text
    table = {"superscript": _SUPERSCRIPTS, "subscript": _SUBSCRIPTS}.get(found.get(f"{W}val") or "", {})
    return text.translate(table)

"""What one paragraph of a slide says, and the bullet or number that stands before it."""

import re
from typing import Any, Final

#: The namespace of DrawingML (ECMA-376 part 1, 20.1).
A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SUPERSCRIPTS: Final = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_SUBSCRIPTS: Final = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_RAISED: Final = re.compile(r"[0-9+\-−n]{1,4}")


def paragraph_text(paragraph: Any) -> str:
    """Return the text of an `a:p`; a line feed stands for a line break, raised digits are raised."""
    parts = []
    for node in paragraph:
        if node.tag == f"{A}br":
            parts.append("\n")
        elif node.tag in {f"{A}r", f"{A}fld"}:
            text = "".join(leaf.text or "" for leaf in node.iter(f"{A}t"))
            properties = node.find(f"{A}rPr")
            baseline = (properties.get("baseline") or "0") if properties is not None else "0"
            if baseline != "0" and _RAISED.fullmatch(text):
                text = text.translate(_SUBSCRIPTS if baseline.startswith("-") else _SUPERSCRIPTS)
            parts.append(text)
        elif isinstance(node.tag, str) and not node.tag.endswith(("}pPr", "}endParaRPr")):
            parts.append("".join(leaf.text or "" for leaf in node.iter("{*}t")))
    return "".join(parts)


class ParagraphMarks:
    """Counts the paragraphs of one shape; `is_list` says that its paragraphs have bullets unless they say not."""

    def __init__(self, *, is_list: bool) -> None:
        self._is_list = is_list
        self._counts: dict[int, int] = {}

    def of(self, paragraph: Any) -> str:
        """Return the bullet or number of a paragraph with a blank behind it; none for running text."""
        properties = paragraph.find(f"{A}pPr")
        level = 0
        if properties is not None:
            lvl = properties.get("lvl") or "0"
            level = int(lvl) if lvl.isdecimal() and len(lvl) < 3 else 0
            numbered = properties.find(f"{A}buAutoNum")
            if numbered is not None:
                start = numbered.get("startAt") or "1"
                first = int(start) if start.isdecimal() and len(start) < 6 else 1
                self._counts[level] = self._counts.get(level, first - 1) + 1
                return _numbered(self._counts[level], numbered.get("type") or "")
            self._counts.pop(level, None)
            if properties.find(f"{A}buNone") is not None:
                return ""
            if properties.find(f"{A}buChar") is not None:
                return "• " if level == 0 else "◦ "
        if not self._is_list:
            return ""
        return "• " if level == 0 else "◦ "


def _numbered(number: int, form: str) -> str:
    shown = chr(ord("a") + (number - 1) % 26) if form.startswith("alpha") else str(number)
    if form.startswith("alphaUc"):
        shown = shown.upper()
    return f"{shown}) " if "Paren" in form else f"{shown}. "

"""What a line is for, as far as one page tells: caption, list item, footnote, table row, code, or running text."""

import re
from collections.abc import Sequence

from pincite.parsing.objects import caption
from pincite.parsing.pdf_lines import DraftLine

_LIST = re.compile(
    r"(?:[•▪▫■□◦‣●○–—·➢✓❖❑*]|[-−o](?=\s)|\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})\)|\d{1,2}\.(?!\d)|\((?:\d{1,2}|[a-z])\))\s+\S"
)
_FOOTNOTE = re.compile(r"(?:[⁰¹²³⁴-⁹]+|[*†‡§∗]|\(\d{1,2}\)|\d{1,2}(?=\s?[A-Z]))\s*\S")


def set_roles(lines: Sequence[DraftLine], usual_size: float, height_pt: float) -> None:
    """Set roles that one page is enough to tell, on lines that have none yet."""
    low = 0.55 * height_pt
    in_notes = False
    for line in lines:
        if line.role != "body" or line.layer not in {"text", "ocr"}:
            continue
        small = line.size < 0.93 * usual_size
        if line.table:
            line.role = "table"
        elif caption(line.text) is not None:
            line.role = "caption"
        elif line.fixed and len(line.text) > 1:
            line.role = "code"
        elif small and line.upright[1] > low and (in_notes or _FOOTNOTE.match(line.text)):
            line.role, in_notes = "footnote", True
            continue
        elif _LIST.match(line.text):
            line.role = "list"
        in_notes = False

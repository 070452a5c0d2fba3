"""Page labels from the label tree of a file (PDF 32000-1, 12.4.2), read so that no loop in it can do harm."""

from itertools import pairwise
from typing import Any

import pikepdf

from pincite.parsing.pdf_outline import printable

#: The tree is followed so deep, and so many ranges are read from it.
_DEEPEST, _MOST_RANGES = 40, 100_000
_ROMAN: tuple[tuple[int, str], ...] = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
)
_ROMAN += ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
#: Numbers beyond this have no Roman form and no form in letters worth showing.
_MOST = 4000
_ERRORS = (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RecursionError)


def page_labels(pdf: Any, n_pages: int) -> list[str | None]:
    """Return the label of each page of a file opened with pikepdf, `None` where there is none."""
    labels: list[str | None] = [None] * n_pages
    try:
        ranges = _ranges(pdf.Root.get("/PageLabels"))
    except _ERRORS:
        return labels
    starts = sorted(start for start in ranges if 0 <= start < n_pages)
    for start, end in pairwise([*starts, n_pages]):
        for index in range(start, end):
            try:
                labels[index] = printable(_label(ranges[start], index - start)).strip() or None
            except _ERRORS:
                break
    return labels


def _ranges(root: Any) -> dict[int, Any]:
    """Return the first page (from 0) of each range with what it says; every node of the tree is read once."""
    found: dict[int, Any] = {}
    seen: set[tuple[int, int]] = set()
    stack = [(root, 0)]
    while stack and len(found) < _MOST_RANGES:
        node, depth = stack.pop()
        if not isinstance(node, pikepdf.Dictionary) or depth > _DEEPEST or node.objgen in seen:
            continue
        if node.is_indirect:
            seen.add(node.objgen)
        numbers = node.get("/Nums")
        if isinstance(numbers, pikepdf.Array):
            for at in range(0, len(numbers) - 1, 2):
                found.setdefault(int(numbers[at]), numbers[at + 1])
        kids = node.get("/Kids")
        if isinstance(kids, pikepdf.Array):
            stack += [(kid, depth + 1) for kid in reversed(list(kids)[:_MOST_RANGES])]
    return found


def _label(said: Any, step: int) -> str:
    """Return the label of the page that stands `step` pages after the first of its range."""
    number = int(said.get("/St", 1)) + step
    style = str(said.get("/S", ""))
    return str(said.get("/P", "")) + _numeral(number, style)


def _numeral(number: int, style: str) -> str:
    if style == "/D":
        return str(number)
    if style not in {"/R", "/r", "/A", "/a"} or not 0 < number < _MOST:
        return ""
    if style in {"/A", "/a"}:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if style == "/A" else letters
    out = ""
    for value, sign in _ROMAN:
        out += sign * (number // value)
        number %= value
    return out.upper() if style == "/R" else out

"""Headings of scanned pages: by number, capitals, height and the white around them; type is not known there.

Text recognition knows no weight, and the height of a line by its tallest letters only. So a heading needs two signs,
and is less sure than one in a file that says how its text is set.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from pincite.parsing.locating import Start
from pincite.parsing.objects import caption
from pincite.types.document import Line

_NUMBER: Final = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+(?=[^\W\d_])")
_NAMED: Final = re.compile(
    r"(?:ARTICLE|CHAPTER|PART|TITLE|SECTION|ANNEX|APPENDIX|SCHEDULE|EXHIBIT|ITEM"
    r"|Article|Chapter|Part|Title|Section|Annex|Appendix|Schedule|Exhibit|Item)\s+(?:[IVXLC]+|\d+(?:\.\d+)*|[A-Z])\b"
    r"(?=$|[\s.:–—-]+(?:[\"“A-Z(]|$))"
)
#: A heading has at most so many characters and words, and leaves at least this share of the line free.
_LONGEST, _MOST_WORDS, _FREE = 90, 14, 0.12
#: So many words fewer where it ends in a stop, as a sentence does: "Section 2.02 Making the Advances."
_FEWER: Final = 6
#: A heading is taller than the text by this much, where it is taller at all.
_TALLER: Final = 1.25
#: The white above a heading, against that between the lines of the text.
_APART: Final = 1.4
#: Below this confidence the recognised characters are not trusted to be a title.
_READ: Final = 0.6
#: How sure a heading is: by a number that follows the last, by its word and number, by height, by capitals.
_COUNTED, _BY_WORD, _BY_HEIGHT, _BY_CAPITALS = 0.6, 0.6, 0.45, 0.4
#: A number may skip so many.
_SKIPPED: Final = 2


@dataclass(frozen=True, slots=True)
class _Usual:
    """How the text of a document stands on its pages: height and white of its lines, in points; edges by page."""

    height: float
    gap: float
    edges: dict[int, tuple[float, float]]


def scanned_starts(lines: Sequence[Line]) -> list[Start]:
    """Return where sections start on recognised pages; none where too little text was recognised to tell."""
    running = [line for line in lines if line.layer == "ocr" and line.role in {"body", "list"} and line.box is not None]
    if len(running) < 3:
        return []
    usual = _usual(running)
    out: list[Start] = []
    last: tuple[int, ...] = ()
    for at, line in enumerate(running):
        if not _may_be(line, usual):
            continue
        number = _numbers(line.text)
        confidence = _confidence(line, running, at, usual, last)
        if not confidence:
            continue
        last = number or last
        level = len(number) if number else (1 if _NAMED.match(line.text) or line.text.isupper() else 2)
        title = " ".join(line.text.split())
        out.append(
            Start(
                level=level,
                title=title,
                page_num=line.page_num,
                y=line.box.y0 if line.box else None,
                line_id=line.line_id,
                n_lines=1,
                confidence=confidence,
            )
        )
    return out


def _usual(running: Sequence[Line]) -> _Usual:
    heights = [line.font_size or 0.0 for line in running if len(line.text) > 30] or [
        line.font_size or 0.0 for line in running
    ]
    gaps = [
        below.box.y0 - above.box.y1
        for above, below in pairwise(running)
        if above.box and below.box and above.page_num == below.page_num and below.box.y0 > above.box.y0
    ]
    edges: dict[int, tuple[float, float]] = {}
    for line in running:
        if line.box is not None:
            left, right = edges.get(line.page_num, (line.box.x0, line.box.x1))
            edges[line.page_num] = (min(left, line.box.x0), max(right, line.box.x1))
    return _Usual(median(heights), max(0.0, median(gaps)) if gaps else 0.0, edges)


def _may_be(line: Line, usual: _Usual) -> bool:
    """Say whether a line is short, ends as a title does and was read well enough."""
    text = line.text.strip()
    words = text.split()
    label = _NUMBER.match(text) or _NAMED.match(text)
    titled = text[label.end() :].strip() if label else text
    letters = sum(map(str.isalpha, text))
    if not 3 <= len(text) <= _LONGEST or len(words) > _MOST_WORDS or letters < max(3, 0.6 * len(text.replace(" ", ""))):
        return False
    if text[-1] in ",;:-" or (line.confidence or 0.0) < _READ or "  " in titled or "\t" in titled or "=" in text:
        return False
    if caption(text) is not None and not _NAMED.match(text):
        return False
    left, right = usual.edges[line.page_num]
    box = line.box
    return box is not None and (right - box.x1 > _FREE * (right - left) or (label is not None and text.isupper()))


def _confidence(line: Line, running: Sequence[Line], at: int, usual: _Usual, last: tuple[int, ...]) -> float:
    """Return how sure it is that a line is a heading, 0 where it is none."""
    text = line.text.strip()
    apart = _is_apart(line, running, at, usual)
    ends = text.endswith(".") and not text.isupper()
    number = _numbers(text)
    if number is not None and not ends and apart and text[_after(text) :][:1].isupper():
        return _COUNTED if _follows(last, number) else 0.0
    if _NAMED.match(text) and apart and len(text.split()) <= _MOST_WORDS - _FEWER * ends:
        return _BY_WORD
    if ends or not text[0].isupper() or not apart:
        return 0.0
    if (line.font_size or 0.0) >= _TALLER * usual.height and len(text.split()) > 1:
        return _BY_HEIGHT
    return _BY_CAPITALS if text.isupper() and len(text.split()) > 1 else 0.0


def _after(text: str) -> int:
    match = _NUMBER.match(text)
    return match.end() if match else 0


def _numbers(text: str) -> tuple[int, ...] | None:
    match = _NUMBER.match(text)
    return tuple(map(int, match["number"].split("."))) if match else None


def _is_apart(line: Line, running: Sequence[Line], at: int, usual: _Usual) -> bool:
    """Say whether more white stands above a line than between lines of text; the first of a page has white above it."""
    above = running[at - 1] if at else None
    if above is None or above.page_num != line.page_num or above.box is None or line.box is None:
        return True
    gap = line.box.y0 - above.box.y1
    return gap < -usual.height or gap >= usual.gap + (_APART - 1) * usual.height


def _follows(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Say whether a number may come after the last: the next at its depth or above, or the first below it.

    A scan may begin anywhere, and recognition may lose a heading or two.
    """
    if not last:
        return True
    if len(number) > len(last):
        return number[: len(last)] == last and all(part <= 1 + _SKIPPED for part in number[len(last) :])
    before = last[: len(number)]
    return (
        number[:-1] >= before[:-1]
        and (number > before)
        and (number[:-1] != before[:-1] or number[-1] - before[-1] <= 1 + _SKIPPED)
    )

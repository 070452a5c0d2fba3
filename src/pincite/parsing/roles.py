"""What a line is for: heading, caption, list item, footnote, table row, code, or running text."""

import re
from collections import Counter
from collections.abc import Sequence

from pincite.parsing.contents import Start
from pincite.parsing.objects import caption
from pincite.parsing.pdf_lines import DraftLine
from pincite.types.document import Line

_LIST = re.compile(
    r"(?:[•▪▫■□◦‣●○–—·➢✓❖❑*]|[-−o](?=\s)|\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})\)|\d{1,2}\.(?!\d)|\((?:\d{1,2}|[a-z])\))\s+\S"
)
_FOOTNOTE = re.compile(r"(?:[⁰¹²³⁴-⁹]+|[*†‡§∗]|\(\d{1,2}\)|\d{1,2}(?=\s?[A-Z]))\s*\S")
#: Depth of the numbers in front of a heading: "2.1 Scope" is 2.
_NUMBERED = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3})*)\.?\s+(?=[^\W\d_])")
_PART = re.compile(r"(?:PART|Part|CHAPTER|Chapter)\s+[IVX\d]+\b")
_ITEM = re.compile(r"(?:ITEM|Item|ARTICLE|Article|SECTION|Section|ANNEX|Annex|APPENDIX|Appendix)\s+[\dA-Z]+[A-Z]?\b")
_LONGEST_HEADING = 120
#: A line with so many commas lists names.
_NAMES = 3
#: A heading's type is at least so much bigger than the body's, unless it is bold or numbered.
_BIGGER = 1.12
_MOST_LEVELS = 4


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


def body_size(lines: Sequence[Line]) -> float:
    """Return the size most of the running text is set in, in points; 0 when there is no text."""
    exact: dict[float, int] = {}
    for line in lines:
        if line.role == "body" and line.layer != "hidden" and line.font_size:
            exact[line.font_size] = exact.get(line.font_size, 0) + len(line.text)
    weights: Counter[float] = Counter()
    for size, n_chars in exact.items():
        weights[round(size * 2) / 2] += n_chars
    return weights.most_common(1)[0][0] if weights else 0.0


def heading_starts(lines: Sequence[Line]) -> list[Start]:
    """Return where sections start, judged by size, weight, numbering and the white around a line."""
    size = body_size(lines)
    running = [line for line in lines if line.layer in {"text", "ocr"} and line.role in {"body", "list"}]
    bold_body = _bold_share(running) > 0.5
    found: list[tuple[Line, tuple[float, bool], int]] = []
    for at, line in enumerate(running):
        if _is_heading(line, running, at, size, bold_body=bold_body):
            previous = found[-1] if found else None
            if previous is not None and _continues(previous[0], previous[2], line):
                found[-1] = (previous[0], previous[1], previous[2] + 1)
            else:
                found.append((line, (round(line.font_size or 0.0, 0), line.bold), 1))
    by_id = {line.line_id: line for line in lines}
    return _levelled(found, by_id)


def _bold_share(lines: Sequence[Line]) -> float:
    total = sum([len(line.text) for line in lines]) or 1
    return sum([len(line.text) for line in lines if line.bold]) / total


def _is_heading(line: Line, running: Sequence[Line], at: int, size: float, *, bold_body: bool) -> bool:
    text = line.text
    if not 3 <= len(text) <= _LONGEST_HEADING or text[-1] in ",;":
        return False
    bigger = bool(size) and (line.font_size or 0.0) >= _BIGGER * size
    heavy = line.bold and not bold_body and (line.font_size or 0.0) >= 0.95 * size
    if not (bigger or heavy or text.upper() == text):
        return False
    letters = sum(map(str.isalpha, text))
    if letters < 3 or letters < 0.5 * len(text.replace(" ", "")):
        return False
    numbered = _NUMBERED.match(text) or _ITEM.match(text) or _PART.match(text)
    names = text.count(",") >= _NAMES
    if not numbered and (text[-1] in ".:" or text[0].islower() or line.role == "list" or names):
        return False
    if not (bigger or heavy or _capitals(text, numbered=bool(numbered))):
        return False
    return _stands_apart(line, running, at)


def _capitals(text: str, *, numbered: bool) -> bool:
    """Return whether a line is a numbered heading in capitals (plain ones are too often something else)."""
    return numbered and text.upper() == text and len(text) <= 80


def _stands_apart(line: Line, running: Sequence[Line], at: int) -> bool:
    """Return whether a line does not simply go on from the line before it, and stands alone in its row."""
    if "  " in line.text and not _NUMBERED.match(line.text) and not _ITEM.match(line.text):
        return False
    if at == 0 or line.box is None:
        return True
    before = running[at - 1]
    if before.page_num != line.page_num or before.box is None:
        return True
    gap = line.box.y0 - before.box.y1
    same = before.bold == line.bold and abs((before.font_size or 0) - (line.font_size or 0)) < 0.5
    return gap > 0.25 * (line.box.height_pt) or gap < 0 or same or before.text.rstrip()[-1:] in ".:;"


def _continues(first: Line, n_lines: int, line: Line) -> bool:
    """Return whether a heading goes on in this line."""
    if line.line_id != first.line_id + n_lines or line.page_num != first.page_num:
        return False
    if line.bold != first.bold or abs((line.font_size or 0) - (first.font_size or 0)) > 0.5 or n_lines >= 3:
        return False
    if _NUMBERED.match(line.text) or _ITEM.match(line.text) or first.box is None or line.box is None:
        return False
    high = first.box.height_pt
    return line.box.y0 - (first.box.y0 + n_lines * high) < 0.9 * high


def _levelled(found: Sequence[tuple[Line, tuple[float, bool], int]], by_id: dict[int, Line]) -> list[Start]:
    """Return starts with levels: by the depth of their numbers, else by the rank of their type."""
    styles = Counter(style for _, style, _ in found)
    ranks = {style: rank for rank, style in enumerate(sorted(styles, reverse=True)[:_MOST_LEVELS], start=1)}
    out = []
    for line, style, n_lines in found:
        text = " ".join(by_id[line.line_id + step].text for step in range(n_lines))
        level = ranks.get(style, _MOST_LEVELS)
        numbered = _NUMBERED.match(text)
        if numbered and "." in numbered["number"]:
            level = max(level, numbered["number"].count(".") + 1)
        out.append(
            Start(
                level=level,
                title=" ".join(text.split()),
                page_num=line.page_num,
                y=line.box.y0 if line.box is not None else None,
                line_id=line.line_id,
                n_lines=n_lines,
            )
        )
    return out

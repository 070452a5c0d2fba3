"""Headings by their type: size, weight, numbering, the white around them, and that no paragraph is set like them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pincite.parsing.covers import cover_pages, is_address, is_form
from pincite.parsing.locating import Start, key
from pincite.parsing.ocr_headings import scanned_starts
from pincite.text.joining import join_lines
from pincite.types.document import Line

#: Depth of the numbers in front of a heading: "2.1 Scope" is 2.
_NUMBERED: Final = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3})*)\.?\s+(?=[^\W\d_])")
#: "A  Implementation details", "B.2 Forms": a letter counts only where type says heading, too.
_LETTERED: Final = re.compile(r"(?P<number>[A-Z](?:\.\d{1,2})*)\.?\s{1,4}(?=[A-Z][^\W\d_]{2})")
_PART: Final = re.compile(r"(?:PART|Part|CHAPTER|Chapter|TITLE|Title)\s+[IVX\d]+\b")
_ITEM: Final = re.compile(
    r"(?:ITEM|Item|ARTICLE|Article|SECTION|Section|ANNEX|Annex|APPENDIX|Appendix|SCHEDULE|Schedule|NOTE|Note|§)"
    r"\s*[\dA-Z]+(?:\.\d+)*[A-Z]?\b"
)
_LONGEST_HEADING: Final = 120
#: A line with so many commas lists names.
_NAMES: Final = 3
#: A heading's type is at least so much bigger than the body's, unless it is bold or numbered.
_BIGGER: Final = 1.12
_MOST_LEVELS: Final = 4
#: Type in which so many lines follow one another is that of paragraphs, where it sets so large a share of its text in
#: them and so many characters at all; lines follow one another with less white than this share of their height.
_PARAGRAPH_LINES, _PARAGRAPH_SHARE, _PARAGRAPH_CHARS, _LEADING = 3, 0.5, 400, 0.9
#: Lines of one heading have less white between them than this share of their height; two headings have more.
_WITHIN: Final = 0.6
#: A line is full when the next word would reach this share of the way to the edge of the text; lines are centred
#: when their middles are so near and their beginnings are not, in points (twice, as sums of edges are compared).
_FULL, _CENTRED_PT = 0.9, 6.0
#: A heading runs over at most so many lines.
_MOST_LINES: Final = 5
#: The same line at one height of so many pages is a running head.
_RUNNING_PAGES, _RUNNING_PT = 3, 6.0
#: Letters with marks between them that no word has: a font whose characters are not those printed.
_BROKEN: Final = re.compile(r"[^\W\d_][;<>=?@\\^|~][^\W\d_]|\ufffd")
#: A bold line with a colon at its end is a heading when it has so many words, else the name of a field.
_COLON_WORDS: Final = 3
#: The end of an entry of a table of contents.
_LEADERS: Final = re.compile(r"(?:[.…·_]\s?){3,}\s*\w{1,6}$")
_CONTINUED: Final = re.compile(
    r"[\s:,–—-]*[(\[]?(?:continued|cont[’']?d|cont\.|fortsetzung|fortgesetzt|suite)[)\]]?\.?\s*$", re.IGNORECASE
)
#: The heading of a paragraph that goes on behind it in the same line: "Extension of time. If you …".
_RUN_IN: Final = re.compile(r"[^\W\d_][^.]{6,}[^.A-Z]\.(?=\s+[A-Z])")
#: Words that no heading ends with.
_BINDING: Final = frozenset("a an the of for and or to in on at by with from und der die das für von de la".split())
#: How sure a heading is, 0 to 1: by number and type, by type, by a number and capitals alone.
_BY_NUMBER, _BY_TYPE, _BY_CAPITALS = 0.9, 0.7, 0.6

#: Size (to half a point) and weight.
_Style = tuple[float, bool]


@dataclass(frozen=True, slots=True)
class _Type:
    """How the text of a document is set."""

    size: float
    is_bold: bool
    of_paragraphs: frozenset[_Style]
    of_pages: dict[int, float]
    edges: dict[tuple[int, int], float]


@dataclass(slots=True)
class _Heading:
    line: Line
    n_lines: int
    confidence: float


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
    """Return where sections start, judged by size, weight, numbering and the white around a line.

    Recognised lines are judged by what is known of them, and are less sure.
    """
    running = [line for line in lines if line.layer == "text" and line.role in {"body", "list"}]
    type_ = _Type(
        body_size(lines), _bold_share(running) > 0.5, _paragraph_styles(running), _page_sizes(lines), _edges(running)
    )
    found: list[_Heading] = []
    for at, line in enumerate(running):
        confidence = _confidence(line, running, at, type_)
        if (
            found
            and _continues(found[-1], line)
            and _is_full(running, at, type_)
            and (confidence or _goes_on(found[-1], running, at))
        ):
            found[-1].n_lines += 1
        elif confidence:
            found.append(_Heading(line, 1, confidence))
    found = _without_covers(_without_running_heads(found), lines)
    found = sorted([*found, *_in_headers(lines, found)], key=lambda heading: heading.line.line_id)
    starts = _levelled(_without_continued(found), {line.line_id: line for line in lines})
    scanned = scanned_starts(lines)
    return sorted([*starts, *scanned], key=lambda start: start.line_id or 0) if scanned else starts


def _page_sizes(lines: Sequence[Line]) -> dict[int, float]:
    """Return the size most of each page is set in: that of its tables, where it has little else."""
    weights: dict[int, dict[float, int]] = {}
    for line in lines:
        size = line.font_size
        if size and line.role in {"body", "table", "list"}:
            sizes = weights.setdefault(line.page_num, {})
            sizes[size] = sizes.get(size, 0) + len(line.text)
    return {page_num: max(sizes, key=sizes.__getitem__) for page_num, sizes in weights.items()}


def _edges(running: Sequence[Line]) -> dict[tuple[int, int], float]:
    """Return how far to the right the text of each page and column goes, in points."""
    edges: dict[tuple[int, int], float] = {}
    for line in running:
        if line.box is not None:
            place = (line.page_num, line.column)
            edges[place] = max(edges.get(place, 0.0), line.box.x1)
    return edges


def _is_full(running: Sequence[Line], at: int, type_: _Type) -> bool:
    """Return whether the line before was broken because it was full, or both are centred: else headings differ."""
    before, line = running[at - 1], running[at]
    if before.box is None or line.box is None or _is_broken(before.text):
        return True
    word = len(line.text.split(" ", 1)[0]) + 1
    needed = before.box.x1 + word * (before.box.x1 - before.box.x0) / max(len(before.text), 1)
    middles = abs(before.box.x0 + before.box.x1 - line.box.x0 - line.box.x1)
    centred = middles < _CENTRED_PT and abs(before.box.x0 - line.box.x0) > _CENTRED_PT
    return centred or needed >= _FULL * type_.edges.get((before.page_num, before.column), 0.0)


def _style(line: Line) -> _Style:
    return round((line.font_size or 0.0) * 2) / 2, line.bold


def _paragraph_styles(running: Sequence[Line]) -> frozenset[_Style]:
    """Return the styles that set most of their text in paragraphs: no line is a heading by such type alone."""
    total: Counter[_Style] = Counter()
    inside: Counter[_Style] = Counter()
    run: list[Line] = []
    style: _Style | None = None
    for before, line in pairwise((None, *running)):
        if line is None:
            continue
        mine = _style(line)
        total[mine] += len(line.text)
        if before is None or mine != style or not _follows(before, line):
            run = []
        run.append(line)
        style = mine
        if len(run) == _PARAGRAPH_LINES:
            inside[mine] += sum(len(one.text) for one in run)
        elif len(run) > _PARAGRAPH_LINES:
            inside[mine] += len(line.text)
    return frozenset(
        style
        for style, n_chars in total.items()
        if n_chars >= _PARAGRAPH_CHARS and inside[style] >= _PARAGRAPH_SHARE * n_chars
    )


def _follows(before: Line, line: Line) -> bool:
    """Return whether a line stands right below the one before."""
    if before.page_num != line.page_num or before.box is None or line.box is None:
        return False
    return line.box.y0 - before.box.y0 >= 0 and line.box.y0 - before.box.y1 < _LEADING * line.box.height_pt


def _bold_share(lines: Sequence[Line]) -> float:
    total = sum([len(line.text) for line in lines]) or 1
    return sum([len(line.text) for line in lines if line.bold]) / total


def _confidence(line: Line, running: Sequence[Line], at: int, type_: _Type) -> float:
    """Return how sure it is that a line is a heading, 0 where it is none."""
    text = line.text
    size = line.font_size or 0.0
    if not 3 <= len(text) <= _LONGEST_HEADING or text[-1] in ",;。" or (text[0] == "(" and text[-1] == ")"):
        return 0.0
    is_of_text = _style(line) in type_.of_paragraphs
    bigger = bool(type_.size) and size >= _BIGGER * type_.size and not is_of_text
    usual = type_.of_pages.get(line.page_num, type_.size) if _is_banner(text) else type_.size
    heavy = line.bold and not type_.is_bold and size >= 0.95 * min(usual, type_.size)
    if not (bigger or heavy or text.upper() == text):
        return 0.0
    letters = sum(map(str.isalpha, text))
    if letters < 3 or letters < 0.5 * len(text.replace(" ", "")) or _BROKEN.search(text) or _LEADERS.search(text):
        return 0.0
    counted = _NUMBERED.match(text) or _ITEM.match(text) or _PART.match(text)
    numbered = bool(counted or ((bigger or heavy) and _LETTERED.match(text)))
    names = text.count(",") >= _NAMES
    ends = text[-1] == "." or (text[-1] == ":" and not (heavy and len(text.split()) >= _COLON_WORDS))
    if not numbered and (ends or text[0].islower() or line.role == "list" or names):
        return 0.0
    if not (bigger or heavy or _capitals(text, numbered=numbered)):
        return 0.0
    if not _stands_apart(line, running, at, numbered=numbered) or _runs_on(line, running, at, bigger=bigger):
        return 0.0
    if not (bigger or heavy):
        return _BY_CAPITALS
    return _BY_NUMBER if numbered else _BY_TYPE


def _is_banner(text: str) -> bool:
    """Return whether a line is words in capitals, as over a page of small figures."""
    return text.isupper() and len(text.split()) > 1


def _capitals(text: str, *, numbered: bool) -> bool:
    """Return whether a line is a numbered heading in capitals (plain ones are too often something else)."""
    return numbered and text.upper() == text and len(text) <= 80


def _stands_apart(line: Line, running: Sequence[Line], at: int, *, numbered: bool) -> bool:
    """Return whether a line does not simply go on from the line before it, and stands alone in its row."""
    if "  " in line.text and not numbered:
        return False
    if at == 0 or line.box is None:
        return True
    before = running[at - 1]
    if before.page_num != line.page_num or before.box is None:
        return True
    gap = line.box.y0 - before.box.y1
    same = before.bold == line.bold and abs((before.font_size or 0) - (line.font_size or 0)) < 0.5
    return gap > 0.25 * (line.box.height_pt) or gap < 0 or same or before.text.rstrip()[-1:] in ".:;"


def _runs_on(line: Line, running: Sequence[Line], at: int, *, bigger: bool) -> bool:
    """Return whether a paragraph only begins in bold: its next line is not, and goes on in small letters."""
    following = running[at + 1] if at + 1 < len(running) else None
    if bigger or following is None or following.bold or not _follows(line, following):
        return False
    return following.text[:1].islower()


def _continues(first: _Heading, line: Line) -> bool:
    """Return whether a heading goes on in this line."""
    one, n_lines = first.line, first.n_lines
    if line.line_id != one.line_id + n_lines or line.page_num != one.page_num:
        return False
    if line.bold != one.bold or abs((line.font_size or 0) - (one.font_size or 0)) > 0.5 or n_lines >= _MOST_LINES:
        return False
    if _NUMBERED.match(line.text) or _ITEM.match(line.text) or one.box is None or line.box is None:
        return False
    if one.text.isupper() != line.text.isupper():
        return False
    high = one.box.height_pt
    return line.box.y0 - (one.box.y0 + n_lines * high) < _WITHIN * high


def _goes_on(first: _Heading, running: Sequence[Line], at: int) -> bool:
    """Return whether a heading breaks in the middle of a word or a phrase, and this line is its rest."""
    before, line = running[at - 1], running[at]
    if not _follows(before, line) or _style(before) != _style(line) or not (line.bold or first.n_lines == 1):
        return False
    return line.text[:1].islower() and (_is_broken(before.text) or line.bold)


def _is_broken(text: str) -> bool:
    """Return whether a line ends in the middle of a word or a phrase."""
    return text[-1:] in "-‐" or text.rsplit(" ", 1)[-1].lower() in _BINDING


def _in_headers(lines: Sequence[Line], found: Sequence[_Heading]) -> list[_Heading]:
    """Return numbered headings that passed for headers, because all pages begin alike: the first of each."""
    known = {continued_key(h.line.text) for h in found if not _CONTINUED.search(h.line.text)}
    out = []
    for line in lines:
        if line.role != "header" or not line.bold or not _ITEM.match(line.text) or "  " in line.text:
            continue
        name = continued_key(line.text)
        if name not in known:
            known.add(name)
            out.append(_Heading(line, 1, _BY_TYPE))
    return out


def _without_continued(found: Sequence[_Heading]) -> list[_Heading]:
    """Return the headings but for those that only say that a section goes on: "Note 7. Income tax (continued)"."""
    seen: set[str] = set()
    out = []
    for heading in found:
        if not (_CONTINUED.search(heading.line.text) and continued_key(heading.line.text) in seen):
            out.append(heading)
        seen.add(continued_key(heading.line.text))
    return out


def continued_key(text: str) -> str:
    """Return the key of a title without "(continued)" at its end."""
    return key(_CONTINUED.sub("", text))


def _without_running_heads(found: Sequence[_Heading]) -> list[_Heading]:
    """Return the headings but for those that stand at one height of several pages: heads that were not told as such."""
    places: dict[str, list[tuple[int, float]]] = {}
    for heading in found:
        box = heading.line.box
        if box is not None:
            places.setdefault(key(heading.line.text), []).append((heading.line.page_num, box.y0))
    heads = {
        name
        for name, at in places.items()
        if len({page for page, _ in at}) >= _RUNNING_PAGES
        and max(y for _, y in at) - min(y for _, y in at) < _RUNNING_PT
    }
    return [heading for heading in found if key(heading.line.text) not in heads]


def _without_covers(found: Sequence[_Heading], lines: Sequence[Line]) -> list[_Heading]:
    """Return the headings but for the lines of a cover; the name of its form stays, and items that begin on it."""
    covers = cover_pages(lines)
    return [h for h in found if h.line.page_num not in covers or is_form(h.line.text) or _names_a_part(h.line.text)]


def _names_a_part(text: str) -> bool:
    return any(pattern.match(text) for pattern in (_ITEM, _PART, _NUMBERED)) and not is_address(text)


def _levelled(found: Sequence[_Heading], by_id: dict[int, Line]) -> list[Start]:
    """Return starts with levels: by the depth of their numbers, else by the rank of their type."""
    styles = {(round(heading.line.font_size or 0.0, 0), heading.line.bold) for heading in found}
    ranks = {style: rank for rank, style in enumerate(sorted(styles, reverse=True)[:_MOST_LEVELS], start=1)}
    out = []
    for heading in found:
        line, n_lines = heading.line, heading.n_lines
        text = join_lines([by_id[line.line_id + step].text for step in range(n_lines)]).text
        if n_lines > 1 and (sentence := _RUN_IN.match(text)):
            text = sentence[0]
        level = ranks.get((round(line.font_size or 0.0, 0), line.bold), _MOST_LEVELS)
        numbered = _NUMBERED.match(text) or _LETTERED.match(text)
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
                confidence=heading.confidence,
            )
        )
    return out

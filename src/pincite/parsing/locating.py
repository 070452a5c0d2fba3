"""Where the entries of a table of contents start: the line that holds the title, and how sure that is."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from pincite.types.document import FURNITURE, Line, TocOrigin

#: How far above a heading's line an outline may point, in points.
_ABOVE_PT: Final = 14.0
#: A heading runs over at most so many lines.
_HEADING_LINES: Final = 4
#: Where at most so many lines follow the place pointed at, the heading may be the first thing of the next page.
_LAST_LINES: Final = 2
#: On that next page it is within so many lines.
_FIRST_LINES: Final = 8
#: A title so far from the place pointed at is rather a mention of it, in points.
_NEAR_PT: Final = 60.0
#: How a line may hold a title, the likest first.
_WHOLE, _WITHOUT_NUMBER, _BEGINNING = 0, 1, 2
#: A heading in other words than its entry has this share of the entry's words; chosen by looking at 20 outlines.
_SHARED_WORDS: Final = 0.5
#: A heading that its entry only begins with has so many words.
_WORDS_OF_A_BEGINNING: Final = 2

#: How sure a start is, 0 to 1, by what it was found by: an order of evidence, not a share that was measured.
BY_TITLE: Final = 1.0
BY_BARE_TITLE: Final = 0.9
BY_WORDS: Final = 0.8
ELSEWHERE: Final = 0.7
BY_PLACE: Final = 0.6
BY_PAGE: Final = 0.4

_APART = re.compile(r"[\W_]+")
#: The same for plain text, in a fifth of the time.
_APART_ASCII = {code: None for code in range(128) if not chr(code).isalnum()}
_APART_LINES = {code: None for code in _APART_ASCII if chr(code) != "\n"}
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|item|article|annex|appendix|kapitel|chapitre|teil)\s+)?"
    r"(?:\d+(?:\.\d+)*[a-z]?|[ivxlc]+|[a-z])(?:[.:)]|\s|$)[\s.:)–—-]*",
    re.IGNORECASE,
)
_MARK = re.compile(r"[.:—–](?=\s)")
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Start:
    """Where a section starts: `y` is a displayed height; `line_id` is set once the line is known.

    `n_lines` is over how many lines the heading runs, 0 where the line is no heading. `page_num` 0 means that the
    entry leads nowhere. `confidence` is between 0 and 1.
    """

    level: int
    title: str
    page_num: int
    y: float | None = None
    line_id: int | None = None
    n_lines: int = 1
    confidence: float = 1.0
    origin: TocOrigin | None = None


@lru_cache(maxsize=4096)
def key(text: str) -> str:
    """Return what two writings of a title have in common: letters and digits, folded."""
    if text.isascii():
        return text.lower().translate(_APART_ASCII)
    return _APART.sub("", unicodedata.normalize("NFKC", text).casefold())


def keys(texts: Sequence[str]) -> list[str]:
    """Return the `key` of each text; many are folded at once, in a third of the time."""
    plain = [text for text in texts if text.isascii()]
    joined = "\n".join(plain)
    if not plain or joined.count("\n") != len(plain) - 1:
        return [key(text) for text in texts]
    folded = iter(joined.lower().translate(_APART_LINES).split("\n"))
    return [next(folded) if text.isascii() else key(text) for text in texts]


def bare(text: str) -> str:
    """Return a title without the number in front of it."""
    return _NUMBERING.sub("", text.strip(), count=1)


class PageIndex:
    """Finds the visible lines of a page quickly, in reading order."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._pages: dict[int, tuple[int, int]] = {}
        for at, line in enumerate(lines):
            first, _ = self._pages.get(line.page_num, (at, at))
            self._pages[line.page_num] = (first, at + 1)

    def lines(self, page_num: int) -> list[Line]:
        """Return the lines of running text of a page."""
        return [line for line in self.shown(page_num) if line.role not in FURNITURE]

    def shown(self, page_num: int) -> list[Line]:
        """Return the lines of a page, with headers and footers."""
        first, last = self._pages.get(page_num, (0, 0))
        return [line for line in self._lines[first:last] if line.layer != "hidden"]


@dataclass(frozen=True, slots=True)
class _Found:
    line: Line
    n_lines: int
    confidence: float


def located(starts: Sequence[Start], index: PageIndex) -> list[Start]:
    """Return the starts with their lines: by title near the place pointed at, else by the place alone."""
    return [_located(start, index) for start in starts]


def _located(start: Start, index: PageIndex) -> Start:
    lines = index.lines(start.page_num)
    found = _by_title(start, lines) or _in_header(start, index)
    if found is None:
        shown = [line for line in index.shown(start.page_num) if line.role != "footer"]
        found = _on_next_page(start, lines, index) or _by_words(start, shown) or _by_place(start, lines)
    if found is None:
        return replace(start, n_lines=0, confidence=BY_PAGE)
    line = found.line
    y = line.box.y0 if line.box is not None else start.y
    return replace(
        start,
        page_num=line.page_num,
        y=y,
        line_id=line.line_id,
        n_lines=found.n_lines,
        confidence=min(start.confidence, found.confidence),
    )


def _on_next_page(start: Start, lines: list[Line], index: PageIndex) -> _Found | None:
    """Return the title among the first lines of the next page; in other words if the entry points at a page's end."""
    following = replace(start, page_num=start.page_num + 1, y=None)
    first = index.lines(following.page_num)[:_FIRST_LINES]
    found = _by_title(following, first) or _in_header(following, index)
    at_the_end = _points_at_the_end(start, lines)
    if found is not None and not at_the_end:
        return replace(found, confidence=BY_BARE_TITLE)
    if found is None and at_the_end and first and first[0].box is not None:
        found = _by_words(replace(following, y=first[0].box.y0), first)
    return found


def _points_at_the_end(start: Start, lines: list[Line]) -> bool:
    y = start.y
    return y is not None and sum(line.box is not None and line.box.y0 >= y for line in lines) <= _LAST_LINES


def _by_title(start: Start, lines: list[Line]) -> _Found | None:
    """Return the line that holds the title: in full before without its number, then the nearest."""
    whole, short = key(start.title), key(bare(start.title))
    if not whole:
        return None
    found: list[tuple[tuple[bool, int, bool, float], _Found]] = []
    for at, line in enumerate(lines):
        n_lines, likeness = _matches(whole, short, lines, at)
        if n_lines:
            y = line.box.y0 if line.box is not None else 0.0
            away = abs(y - start.y) if start.y is not None else 0.0
            is_cell = line.role in {"table", "footnote"}
            match = _Found(line, n_lines, BY_TITLE if likeness == _WHOLE else BY_BARE_TITLE)
            found.append(((away > _NEAR_PT, likeness, is_cell, away), match))
    return min(found, key=lambda candidate: candidate[0])[1] if found else None


def _matches(whole: str, short: str, lines: list[Line], at: int) -> tuple[int, int]:
    """Return over how many lines from `at` the title runs, 0 when it does not stand there; and how like it they are."""
    text = ""
    for n_lines in range(1, _HEADING_LINES + 1):
        if at + n_lines > len(lines):
            break
        text += lines[at + n_lines - 1].text + " "
        mine = key(text)
        if mine == whole:
            return n_lines, _WHOLE
        rest = key(bare(text))
        if short and rest == short:
            return n_lines, _WITHOUT_NUMBER
        if n_lines == 1 and _begins_with(whole, text):
            return 1, _WITHOUT_NUMBER
        if n_lines == 1 and len(short) > 12 and rest.startswith(short) and len(mine) < 2 * len(whole):
            return 1, _BEGINNING
        if not (whole.startswith(mine) or (short and short.startswith(rest))):
            break
    return 0, _BEGINNING


def _begins_with(whole: str, text: str) -> bool:
    """Return whether a line begins with the title and a mark behind it: "1.2 Scope. This part …"."""
    return len(whole) > 6 and any(
        key(text[: mark.start()]) == whole for mark in _MARK.finditer(text, 0, 3 * len(whole))
    )


def _in_header(start: Start, index: PageIndex) -> _Found | None:
    """Return the line of the page's header that is the title: some reports print it nowhere else."""
    whole = key(start.title)
    header = [line for line in index.shown(start.page_num) if line.role == "header"]
    for at, line in enumerate(header):
        n_lines, likeness = _matches(whole, "", header, at)
        if n_lines and likeness == _WHOLE:
            return _Found(line, 0, BY_BARE_TITLE)
    return None


def _by_words(start: Start, lines: list[Line]) -> _Found | None:
    """Return the line near the place pointed at that has most words of the title, where it has enough of them."""
    words = {word.casefold() for word in _WORD.findall(start.title)}
    top = min((line.box.y0 for line in lines if line.box is not None), default=None)
    y = start.y if start.y is not None else top
    if y is None or not words:
        return None
    best: tuple[float, float, Line] | None = None
    for line in lines:
        if line.box is None or not y - _ABOVE_PT <= line.box.y0 <= y + 4 * _ABOVE_PT:
            continue
        mine = {word.casefold() for word in _WORD.findall(line.text)}
        share = len(words & mine) / max(len(words), 1)
        begins = len(mine) >= _WORDS_OF_A_BEGINNING and key(start.title).startswith(key(line.text))
        enough = begins or (share >= _SHARED_WORDS and len(mine) <= 3 * len(words))
        if enough and (best is None or (share, -line.box.y0) > best[:2]):
            best = (share, -line.box.y0, line)
    return _Found(best[2], int(best[2].role != "header"), BY_WORDS) if best is not None else None


def _by_place(start: Start, lines: list[Line]) -> _Found | None:
    """Return the first line at or below the place pointed at, the page's first line when none is given."""
    if not lines:
        return None
    if start.y is None:
        return _Found(lines[0], 0, BY_PAGE)
    below = [line for line in lines if line.box is not None and line.box.y0 >= start.y - _ABOVE_PT / 2]
    near = [line for line in below if line.box is not None and line.box.y0 <= start.y + 3 * _ABOVE_PT]
    candidates = near or below
    if not candidates:
        return _Found(lines[-1], 0, BY_PLACE)
    line = min(candidates, key=lambda line: (line.box.y0 if line.box is not None else 0.0, line.line_id))
    return _Found(line, 0, BY_PLACE)

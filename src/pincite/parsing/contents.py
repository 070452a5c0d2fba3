"""Sections with exact start lines: from an outline, a printed contents page, or headings."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from pincite.types.document import FURNITURE, Line, Page, Section, TocOrigin
from pincite.types.record import R

#: How far above a heading's line an outline may point, in points.
_ABOVE_PT = 14.0
#: A heading runs over at most so many lines.
_HEADING_LINES = 4
_APART = re.compile(r"[\W_]+")
#: The same for plain text, in a fifth of the time.
_APART_ASCII = {code: None for code in range(128) if not chr(code).isalnum()}
_APART_LINES = {code: None for code in _APART_ASCII if chr(code) != "\n"}
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|item|article|annex|appendix|kapitel|chapitre|teil)\s+)?"
    r"(?:\d+(?:\.\d+)*[a-z]?|[ivxlc]+|[a-z])(?:[.:)]|\s|$)[\s.:)–—-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Start:
    """Where a section starts: `y` is a displayed height; `line_id` is set once the line is known."""

    level: int
    title: str
    page_num: int
    y: float | None = None
    line_id: int | None = None
    n_lines: int = 1


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
    """Finds the lines of a page quickly: visible lines that are no header or footer, in reading order."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._pages: dict[int, tuple[int, int]] = {}
        for at, line in enumerate(lines):
            first, _ = self._pages.get(line.page_num, (at, at))
            self._pages[line.page_num] = (first, at + 1)

    def lines(self, page_num: int) -> list[Line]:
        """Return the lines of running text of a page."""
        first, last = self._pages.get(page_num, (0, 0))
        return [line for line in self._lines[first:last] if line.layer != "hidden" and line.role not in FURNITURE]


def located(starts: Sequence[Start], index: PageIndex) -> list[Start]:
    """Return the starts with their lines: by title near the place pointed at, else by the place alone."""
    out = []
    for given in starts:
        start = given
        lines = index.lines(start.page_num)
        found = _by_title(start, lines)
        if found is None and _points_at_the_end(start, lines):
            following = index.lines(start.page_num + 1)
            if (found := _by_title(_without_height(start), following)) is not None:
                start = Start(start.level, start.title, start.page_num + 1)
                lines = following
        line, n_lines = found or (_by_place(start, lines), 1)
        out.append(
            Start(
                start.level,
                start.title,
                start.page_num,
                line.box.y0 if line is not None and line.box is not None else start.y,
                line.line_id if line is not None else None,
                n_lines,
            )
        )
    return out


def _without_height(start: Start) -> Start:
    """Return the start without its height, to be looked for on a whole page."""
    return Start(start.level, start.title, start.page_num)


def _points_at_the_end(start: Start, lines: list[Line]) -> bool:
    return start.y is not None and all(line.box is None or line.box.y0 < start.y for line in lines)


def _by_title(start: Start, lines: list[Line]) -> tuple[Line, int] | None:
    """Return the line that holds the title, nearest to where the entry points, and over how many lines."""
    whole, short = key(start.title), key(bare(start.title))
    if not whole:
        return None
    found: list[tuple[float, Line, int]] = []
    for at, line in enumerate(lines):
        n_lines = _matches(whole, short, lines, at)
        if n_lines:
            y = line.box.y0 if line.box is not None else 0.0
            away = abs(y - start.y) if start.y is not None else 0.0
            found.append((away, line, n_lines))
    if not found:
        return None
    _, line, n_lines = min(found, key=lambda candidate: candidate[0])
    return line, n_lines


def _matches(whole: str, short: str, lines: list[Line], at: int) -> int:
    """Return over how many lines from `at` the title runs, 0 when it does not stand there."""
    text = ""
    for n_lines in range(1, _HEADING_LINES + 1):
        if at + n_lines > len(lines):
            return 0
        text += lines[at + n_lines - 1].text + " "
        mine = key(text)
        if mine == whole or (short and key(bare(text)) == short):
            return n_lines
        if n_lines == 1 and len(short) > 12 and key(bare(text)).startswith(short) and len(mine) < 2 * len(whole):
            return 1
        if not (whole.startswith(mine) or (short and short.startswith(key(bare(text))))):
            return 0
    return 0


def _by_place(start: Start, lines: list[Line]) -> Line | None:
    """Return the first line at or below the place pointed at, the page's first line when none is given."""
    if start.y is None or not lines:
        return lines[0] if lines else None
    below = [line for line in lines if line.box is not None and line.box.y0 >= start.y - _ABOVE_PT / 2]
    near = [line for line in below if line.box is not None and line.box.y0 <= start.y + 3 * _ABOVE_PT]
    candidates = near or below
    if not candidates:
        return lines[-1]
    return min(candidates, key=lambda line: (line.box.y0 if line.box is not None else 0.0, line.line_id))


def sections(
    starts: Sequence[Start], lines: Sequence[Line], pages: Sequence[Page], origin: TocOrigin
) -> tuple[Section, ...]:
    """Return sections with parents, breadcrumbs and ends; each ends where the next not below it starts."""
    visible = [line for line in lines if line.layer != "hidden"]
    if not starts:
        return ()
    order = {line.line_id: at for at, line in enumerate(visible)}
    where = [_position(start, visible, order) for start in starts]
    following = _following(starts)
    out: list[Section] = []
    chain: list[tuple[int, int, str]] = []
    for at, start in enumerate(starts):
        while chain and chain[-1][0] >= start.level:
            chain.pop()
        end = max(where[at], where[following[at]] - 1) if following[at] < len(starts) else len(visible) - 1
        first = visible[where[at]] if start.line_id is not None else None
        last = visible[end] if visible else None
        out.append(
            Section(
                section_id=at + 1,
                parent_id=chain[-1][1] if chain else None,
                level=len(chain) + 1,
                title=start.title,
                breadcrumb=(*(title for _, _, title in chain), start.title),
                start_page=start.page_num,
                start_line=first.line_num if first is not None else None,
                start_y=round(start.y, 2) if start.y is not None else None,
                end_page=max(start.page_num, last.page_num) if last is not None else pages[-1].page_num,
                end_line=last.line_num if last is not None and last.page_num >= start.page_num else None,
                origin=origin,
            )
        )
        chain.append((start.level, at + 1, start.title))
    return tuple(out)


def _following(starts: Sequence[Start]) -> list[int]:
    """Return for each start the next one that is not below it, or their number when there is none."""
    out = [len(starts)] * len(starts)
    open_starts: list[int] = []
    for at, start in enumerate(starts):
        while open_starts and starts[open_starts[-1]].level >= start.level:
            out[open_starts.pop()] = at
        open_starts.append(at)
    return out


def _position(start: Start, visible: Sequence[Line], order: dict[int, int]) -> int:
    """Return the place of a start among the visible lines: its line, or the first line of its page or later."""
    if start.line_id is not None:
        return order[start.line_id]
    low, high = 0, len(visible)
    while low < high:
        middle = (low + high) // 2
        if visible[middle].page_num < start.page_num:
            low = middle + 1
        else:
            high = middle
    return min(low, max(0, len(visible) - 1))


def assign(lines: list[Line], starts: Sequence[Start], change: Callable[[Line, dict[str, object]], Line]) -> None:
    """Give every line of running text the innermost section it stands in, and headings their role, in place."""
    begins: dict[int, int] = {}
    headings: set[int] = set()
    for section_id, start in enumerate(starts, start=1):
        if start.line_id is not None:
            begins[start.line_id] = section_id
            if start.n_lines:
                headings.update(range(start.line_id, start.line_id + start.n_lines))
    current: int | None = None
    for at, line in enumerate(lines):
        line_id = line.line_id
        current = begins.get(line_id, current)
        if current is None and line_id not in headings:
            continue
        changes: dict[str, object] = {}
        if current is not None and line.layer != "hidden":
            changes["section_id"] = current
        if line_id in headings and line.role in {"body", "list", "table", "caption"}:
            changes["role"] = "heading"
        if changes:
            lines[at] = change(line, changes)


def mark_headings(lines: list[Line], starts: Sequence[Start]) -> None:
    """Give lines that look like headings their role, in place, where the contents do not list them."""
    for start in starts:
        for line_id in range(start.line_id or 1, (start.line_id or 1) + start.n_lines):
            line = lines[line_id - 1]
            if start.line_id is not None and line.role in {"body", "list"}:
                lines[line_id - 1] = changed(line, {"role": "heading"})


def changed(record: R, changes: dict[str, object]) -> R:
    """Return the record with some of its fields changed."""
    return msgspec.structs.replace(record, **changes)

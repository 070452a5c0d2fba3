"""A contents page printed in the document: titles with page numbers that go up, set against the real pages."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.parsing.locating import BY_BARE_TITLE, ELSEWHERE, PageIndex, Start, bare, key, keys, located
from pincite.parsing.pdf_outline import Entry
from pincite.types.document import FURNITURE, Line, Page, TocOrigin

#: Contents stand within the first pages; a page of them has at least so many entries.
_WITHIN_PAGES, _FEWEST_ENTRIES = 25, 4
#: At least this share of the entries has to be found as titles on the pages they name.
_CONFIRMED = 0.5
#: At least this share of the lines that look like entries has rising page numbers.
_MOSTLY = 0.75
_ENTRY_END = re.compile(r"[.…·_\s]+(?P<page>\d{1,4}|[A-Z]{1,2}-\d{1,3})\s*$")
_WORD = re.compile(
    r"table of contents|contents|inhalt(?:sverzeichnis)?|sommaire|índice|indice|inhoud|spis treści", re.IGNORECASE
)
#: What stands where a number would, for parts that are left out.
_NO_PAGE = re.compile(r"[.…·_\s]+(?:N/?A|none|[-–—])\s*$", re.IGNORECASE)
#: Without a heading "Contents", so large a share of the entries has a number of its own: a table repeats its numbers.
_DISTINCT = 0.5
#: An entry runs over at most so many lines before that of its number; one that is not counted is rather long.
_MOST_LINES, _LONG = 4, 30
_COUNTED = re.compile(r"(?:item|part|article|section|chapter|annex|appendix|note)\s+\w|\d", re.IGNORECASE)
_RANKED = re.compile(
    r"(?:(?P<part>part|book|title|volume|teil|partie)|(?P<item>chapter|article|item|kapitel|chapitre)"
    r"|(?P<section>section|clause|§))\s*(?:\d|[ivxlc]+\b|[a-z]\b)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2})*)\.?\s")


@dataclass(frozen=True, slots=True)
class PrintedContents:
    """Sections read from a printed contents page; `links` when its lines are links to the places."""

    starts: list[Start]
    origin: TocOrigin


@dataclass(frozen=True, slots=True)
class _Printed:
    """An entry: its title and page number, and the lines they stand in; `x` is how far it is set in."""

    title: str
    label: str
    lines: tuple[Line, ...]
    x: float

    @property
    def page_num(self) -> int:
        """The page of the contents on which it stands."""
        return self.lines[0].page_num


#: Returns the links of a page: rectangle as displayed, and target with `y` as displayed.
Links = Callable[[int], list[tuple[tuple[float, float, float, float], Entry]]]


def printed_contents(
    lines: Sequence[Line], pages: Sequence[Page], links: Links, headings: Sequence[Start] = ()
) -> PrintedContents | None:
    """Return the sections of a printed contents page, or `None` when there is none that holds.

    A title that does not stand where its number leads, but is a heading on the page before or behind, starts there.
    """
    entries = _entries(lines)
    if len(entries) < _FEWEST_ENTRIES:
        return None
    levels = _levels(entries)
    index = PageIndex(lines)
    linked = _linked(entries, levels, links)
    if linked:
        return PrintedContents(_beside(located(linked, index), headings), "links")
    starts = _aligned(entries, levels, pages, index)
    return PrintedContents(_beside(starts, headings), "printed") if starts else None


def _beside(starts: Sequence[Start], headings: Sequence[Start]) -> list[Start]:
    """Return the starts, those that were not found by title at the heading of their title on a page beside."""
    out = []
    for start in starts:
        near = [
            heading
            for heading in (headings if start.confidence < BY_BARE_TITLE else ())
            if abs(heading.page_num - start.page_num) == 1 and key(bare(heading.title)) == key(bare(start.title))
        ]
        found = replace(near[0], level=start.level, title=start.title, confidence=ELSEWHERE) if near else start
        out.append(found)
    return out


def _entries(lines: Sequence[Line]) -> list[_Printed]:
    """Return the entries of the first pages whose numbers go up: the contents pages, one after another."""
    out: list[_Printed] = []
    last_page = last_label = 0
    for page_num, page in _by_page(lines, _WITHIN_PAGES):
        if out and page_num > last_page + 1:
            break
        found = _rising(_page_entries(page), last_label)
        titled = any(_WORD.fullmatch(line.text.strip(" .:")) for line in page)
        n_labels = len({entry.label for entry in found})
        counts = len(found) > 8 and n_labels >= _DISTINCT * len(found)
        if len(found) >= (2 if out else _FEWEST_ENTRIES) and (titled or out or counts):
            out += found
            last_page = page_num
            last_label = max((int(entry.label) for entry in found if entry.label.isdigit()), default=last_label)
    return out


def _by_page(lines: Sequence[Line], most: int) -> list[tuple[int, list[Line]]]:
    pages: dict[int, list[Line]] = {}
    for line in lines:
        if line.page_num > most:
            break
        if line.layer != "hidden" and line.role not in FURNITURE:
            pages.setdefault(line.page_num, []).append(line)
    return sorted(pages.items())


def _page_entries(page: Sequence[Line]) -> list[_Printed]:
    found = []
    before: list[Line] = []
    for line in page:
        match = _ENTRY_END.search(f" {line.text}") if line.text[-1:].isdigit() else None
        if match is None:
            before = _beginning(before, line)
            continue
        title = line.text[: max(0, match.start() - 1)].strip(" .…·_")
        goes_on = bool(before) and (title[:1].islower() or not title or _is_rest(before[0].text, title))
        lines = (*before, line) if goes_on else (line,)
        before = []
        title = " ".join([*(one.text for one in lines[:-1]), title])
        title = " ".join(re.sub(r"[.…·_]{3,}", " ", title).split()).strip(" .…·_")
        if sum(map(str.isalpha, title)) >= 2:
            found.append(_Printed(title, match["page"], lines, lines[0].box.x0 if lines[0].box is not None else 0.0))
    return found


def _beginning(before: Sequence[Line], line: Line) -> list[Line]:
    """Return the lines that an entry without a number yet may begin with."""
    if _NO_PAGE.search(line.text) or _WORD.fullmatch(line.text.strip(" .:")):
        return []
    if _COUNTED.match(line.text) or not before or len(before) >= _MOST_LINES:
        return [line] if _COUNTED.match(line.text) or len(line.text) > _LONG else []
    return [*before, line]


def _is_rest(before: str, title: str) -> bool:
    """Return whether a title without a number belongs to the counted line above it."""
    return bool(_COUNTED.match(before)) and not _COUNTED.match(title)


def _rising(entries: Sequence[_Printed], least: int) -> list[_Printed]:
    """Return the most entries whose page numbers never fall, or none when that leaves out too many.

    What is left out is a line that only looks like an entry: a year, a sum.
    """
    numbered = [(int(entry.label), entry) for entry in entries if entry.label.isdigit() and int(entry.label) >= least]
    best: list[list[_Printed]] = []
    tails: list[int] = []
    for number, entry in numbered:
        place = bisect_right(tails, number)
        chain = [*(best[place - 1] if place else []), entry]
        if place == len(tails):
            tails.append(number)
            best.append(chain)
        else:
            tails[place], best[place] = number, chain
    longest = best[-1] if best else []
    rises = len({entry.label for entry in longest}) >= 2
    kept = {id(entry) for entry in longest}
    lettered = [entry for entry in entries if not entry.label.isdigit()]
    if not rises or len(longest) + len(lettered) < _MOSTLY * len(entries):
        return []
    return [entry for entry in entries if id(entry) in kept or not entry.label.isdigit()]


def _levels(entries: Sequence[_Printed]) -> list[int]:
    """Return levels by the words before numbers (Part, Item), their depth, else by how far titles are set in."""
    edges: list[float] = []
    for x in sorted({round(entry.x) for entry in entries}):
        if not edges or x - edges[-1] > 6:
            edges.append(x)
    out = []
    for entry in entries:
        match = _NUMBERED.match(entry.title)
        depth = match["number"].count(".") + 1 if match else 0
        indent = sum(entry.x > edge + 3 for edge in edges[1:4]) + 1 if edges else 1
        out.append(max(depth, 1) if depth > 1 else min(indent, 4))
    return _worded_levels(entries, out)


def _worded_levels(entries: Sequence[_Printed], levels: Sequence[int]) -> list[int]:
    """Return the levels with those of entries like "PART I", "Item 1" set by their words, where there are two kinds.

    What stands between them without such a word is below the entry before it where it is set in deeper, else beside it.
    """
    ranks = [_rank(entry.title) for entry in entries]
    present = sorted({rank for rank in ranks if rank})
    if len(present) < 2 or sum(rank > 0 for rank in ranks) < len(ranks) / 3:
        return list(levels)
    out: list[int] = []
    indent = worded = 0
    for rank, level in zip(ranks, levels, strict=True):
        if rank:
            indent, worded = level, present.index(rank) + 1
            out.append(worded)
        else:
            out.append(level if not worded else worded + 1 if level > indent else worded)
    return out


def _rank(title: str) -> int:
    """Return how far up the word before a number stands: 1 a part, 2 a chapter or item, 3 a section; 0 without one."""
    match = _RANKED.match(title)
    return next((n for n, name in enumerate(("part", "item", "section"), start=1) if match[name]), 0) if match else 0


def _linked(entries: Sequence[_Printed], levels: Sequence[int], links: Links) -> list[Start]:
    """Return starts from links over the entries, when nearly all of them have one."""
    targets: dict[int, list[tuple[tuple[float, float, float, float], Entry]]] = {}
    out = []
    for entry, level in zip(entries, levels, strict=True):
        if entry.page_num not in targets:
            targets[entry.page_num] = links(entry.page_num)
        middles = [(line.box.y0 + line.box.y1) / 2 for line in entry.lines if line.box is not None]
        for (_, y0, _, y1), target in targets[entry.page_num]:
            if any(y0 - 1 <= middle <= y1 + 1 for middle in middles) and target.page_num > entry.page_num:
                out.append(Start(level, entry.title, target.page_num, target.y))
                break
    rising = all(a.page_num <= b.page_num for a, b in pairwise(out))
    return out if len(out) >= 0.8 * len(entries) and rising else []


def _aligned(
    entries: Sequence[_Printed], levels: Sequence[int], pages: Sequence[Page], index: PageIndex
) -> list[Start]:
    """Return starts on the physical pages: by label where titles are found there, else by one common shift."""
    by_label: dict[str, int] = {}
    for page in pages:
        if page.label is not None:
            by_label.setdefault(page.label, page.page_num)
    last = entries[-1].page_num
    candidates: list[dict[str, int]] = [by_label] if by_label else []
    numbers = {entry.label: int(entry.label) for entry in entries if entry.label.isdigit()}
    candidates += [
        {label: number + shift for label, number in numbers.items()} for shift in range(-2, min(30, last + 12))
    ]
    found = _Found(index)
    best: list[Start] = []
    best_hits = 0
    for where in candidates:
        starts = [
            Start(level, entry.title, where[entry.label])
            for entry, level in zip(entries, levels, strict=True)
            if entry.label in where and last <= where[entry.label] <= len(pages)
        ]
        hits = sum(found.is_there(start) for start in starts)
        if hits > best_hits:
            best, best_hits = starts, hits
    if best_hits < max(2, _CONFIRMED * len(entries)):
        return []
    return located(best, index)


class _Found:
    """Says whether titles stand on the pages they name. A page's lines are folded once, for all entries and shifts."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self._pages: dict[int, str] = {}
        self._titles: dict[str, str] = {}

    def is_there(self, start: Start) -> bool:
        """Return whether a line of the page begins or goes on with the title."""
        page = self._pages.get(start.page_num)
        if page is None:
            page = "\n".join(keys([line.text for line in self._index.lines(start.page_num)]))
            self._pages[start.page_num] = page
        title = self._titles.get(start.title)
        if title is None:
            title = self._titles[start.title] = (key(bare(start.title)) or key(start.title))[:30]
        return bool(page) and title in page

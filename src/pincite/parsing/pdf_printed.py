"""A contents page printed in the document: titles with page numbers that go up, set against the real pages."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.parsing.contents import PageIndex, Start, bare, key, keys, located
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
_COUNTED = re.compile(r"(?:item|part|article|section|chapter|annex|appendix|note)\s+\w|\d", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2})*)\.?\s")


@dataclass(frozen=True, slots=True)
class PrintedContents:
    """Sections read from a printed contents page; `links` when its lines are links to the places."""

    starts: list[Start]
    origin: TocOrigin


@dataclass(frozen=True, slots=True)
class _Printed:
    title: str
    label: str
    line: Line
    x: float


#: Returns the links of a page: rectangle as displayed, and target with `y` as displayed.
Links = Callable[[int], list[tuple[tuple[float, float, float, float], Entry]]]


def printed_contents(lines: Sequence[Line], pages: Sequence[Page], links: Links) -> PrintedContents | None:
    """Return the sections of a printed contents page, or `None` when there is none that holds."""
    entries = _entries(lines)
    if len(entries) < _FEWEST_ENTRIES:
        return None
    levels = _levels(entries)
    index = PageIndex(lines)
    linked = _linked(entries, levels, links)
    if linked:
        return PrintedContents(located(linked, index), "links")
    starts = _aligned(entries, levels, pages, index)
    return PrintedContents(starts, "printed") if starts else None


def _entries(lines: Sequence[Line]) -> list[_Printed]:
    """Return the entries of the first pages whose numbers go up: the contents pages, one after another."""
    out: list[_Printed] = []
    last_page = last_label = 0
    for page_num, page in _by_page(lines, _WITHIN_PAGES):
        if out and page_num > last_page + 1:
            break
        found = _rising(_page_entries(page), last_label)
        titled = any(_WORD.fullmatch(line.text.strip(" .:")) for line in page)
        if len(found) >= (2 if out else _FEWEST_ENTRIES) and (titled or out or len(found) > 8):
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
    before = ""
    for line in page:
        match = _ENTRY_END.search(line.text) if line.text[-1:].isdigit() else None
        if match is None:
            is_start = not _WORD.fullmatch(line.text.strip(" .:")) and len(line.text) > 30
            before = line.text.strip() if is_start else ""
            continue
        title = line.text[: match.start()].strip(" .…·_")
        if before and (title[:1].islower() or (_COUNTED.match(before) and not _COUNTED.match(title))):
            title = f"{before} {title}"
        before = ""
        title = " ".join(re.sub(r"[.…·_]{3,}", " ", title).split())
        if sum(map(str.isalpha, title)) >= 2:
            found.append(_Printed(title, match["page"], line, line.box.x0 if line.box is not None else 0.0))
    return found


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
    """Return levels by the depth of numbers, else by how far titles are set in."""
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
    return out


def _linked(entries: Sequence[_Printed], levels: Sequence[int], links: Links) -> list[Start]:
    """Return starts from links over the entries, when nearly all of them have one."""
    targets: dict[int, list[tuple[tuple[float, float, float, float], Entry]]] = {}
    out = []
    for entry, level in zip(entries, levels, strict=True):
        line = entry.line
        if line.box is None:
            return []
        if line.page_num not in targets:
            targets[line.page_num] = links(line.page_num)
        middle = (line.box.y0 + line.box.y1) / 2
        for (_, y0, _, y1), target in targets[line.page_num]:
            if y0 - 1 <= middle <= y1 + 1 and target.page_num > line.page_num:
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
    last = entries[-1].line.page_num
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
    return [replace(start, n_lines=start.n_lines if found.is_there(start) else 0) for start in located(best, index)]


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

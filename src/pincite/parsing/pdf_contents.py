"""Which table of contents of a PDF to trust: its outline, a contents page with links, a printed one, or its headings.

An outline is looked through before it is believed: entries without a title take that of the line they lead to, those
that lead to a wrong place go to the heading of their title, and an outline that says nothing is not used.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from pincite.parsing import pdf_outline
from pincite.parsing.headings import continued_key
from pincite.parsing.locating import BY_BARE_TITLE, ELSEWHERE, PageIndex, Start, bare, key, located
from pincite.parsing.notes import note_starts
from pincite.parsing.pdf_printed import Links, printed_contents
from pincite.parsing.pdf_rows import Rows, displayed_y
from pincite.types.document import TocOrigin

#: Titles that programs write for want of one.
_NO_TITLE: Final = re.compile(
    r"(?:untitled|unbenannt|sans titre|blank page|(?:page|slide|sheet|seite|folie|bookmark)\s*\d*|_toc\d+"
    r"|[^\s]+\.(?:pdf|docx?|indd|qxd|pptx?|xlsx?|tex|dvi)|[\W\d_]*)",
    re.IGNORECASE,
)
#: An outline of fewer entries tells nothing of a document of so many pages, where another source tells more.
_FEW_ENTRIES, _MANY_PAGES, _MORE = 3, 8, 4
#: Of so many entries at least this share stands in the text, or this share at most leads back to an earlier page.
_JUDGED, _CONFIRMED, _FALLS = 4, 0.2, 0.3
#: A title that an entry without one takes from its line is at most so long.
_LONGEST: Final = 120


@dataclass(frozen=True, slots=True)
class Contents:
    """Where sections start, from what, and what was wrong with a better source."""

    starts: list[Start]
    origin: TocOrigin
    warning: str | None = None


def contents(rows: Rows, document: Any, headings: list[Start]) -> Contents:
    """Return where sections start, by the best source there is: outline, printed contents, headings."""
    index = PageIndex(rows.lines)
    entries = _entries(rows, document)
    starts = _repaired(entries, index, headings)
    fault = _fault(entries, starts, len(rows.pages))
    if fault is None and (len(starts) >= _FEW_ENTRIES or len(rows.pages) < _MANY_PAGES):
        return Contents(_with_notes(starts, headings, "outline", rows), "outline", _repairs(entries, starts))
    links: Links = lambda page_num: _links(rows, document, page_num)  # noqa: E731
    other = _without_outline(rows, links, headings)
    if fault is None and len(other.starts) < _MORE:
        return Contents(starts, "outline", _repairs(entries, starts))
    warning = f"the outline of the file is not used: {fault}" if fault is not None and entries else None
    return replace(other, warning=warning)


def _without_outline(rows: Rows, links: Links, headings: list[Start]) -> Contents:
    printed = printed_contents(rows.lines, rows.pages, links, headings)
    if printed is not None:
        return Contents(_with_notes(printed.starts, headings, printed.origin, rows), printed.origin)
    return Contents(headings, "headings")


def _with_notes(starts: list[Start], headings: list[Start], origin: TocOrigin, rows: Rows) -> list[Start]:
    """Return the starts, and below a long section without parts the numbered notes in it."""
    return note_starts([replace(start, origin=origin) for start in starts], headings, rows.lines)


def _entries(rows: Rows, document: Any) -> list[Start]:
    """Return the outline's entries with heights as displayed; what repeats an entry to the letter is left out."""
    out: dict[tuple[int, str, int, float | None], Start] = {}
    for entry in pdf_outline.outline(document):
        y = displayed_y(rows.frames[entry.page_num - 1], entry.x, entry.y) if entry.page_num else None
        start = Start(entry.level, entry.title, entry.page_num, y)
        out.setdefault((entry.level, entry.title, entry.page_num, y), start)
    return list(out.values())


def _repaired(entries: Sequence[Start], index: PageIndex, headings: Sequence[Start]) -> list[Start]:
    """Return the entries with their lines; those that lead nowhere, or not to their title, by a heading."""
    at_heading = _unique(headings)
    out: list[Start] = []
    for entry in entries:
        if _NO_TITLE.fullmatch(entry.title) and entry.title:
            continue
        if out and key(entry.title) != continued_key(entry.title) == key(out[-1].title):
            continue  # "Strategic report (continued)", on each page
        start = located([entry], index)[0] if entry.page_num else replace(entry, confidence=0.0)
        if not entry.title:
            start = _named(start, index)
        elif start.confidence < BY_BARE_TITLE and (heading := _heading_of(entry, at_heading)) is not None:
            start = replace(heading, level=entry.level, title=entry.title, confidence=ELSEWHERE)
        if start.page_num and start.title:
            out.append(start)
    return out


def _unique(headings: Sequence[Start]) -> dict[str, Start]:
    """Return the headings that stand in the text once, by their titles with and without the number."""
    found: dict[str, list[Start]] = {}
    for heading in headings:
        for name in {key(heading.title), key(bare(heading.title))}:
            found.setdefault(name, []).append(heading)
    return {name: starts[0] for name, starts in found.items() if name and len(starts) == 1}


def _heading_of(entry: Start, at_heading: dict[str, Start]) -> Start | None:
    return at_heading.get(key(entry.title)) or at_heading.get(key(bare(entry.title)))


def _named(start: Start, index: PageIndex) -> Start:
    """Return a start without a title with that of its line, where it points at one."""
    line = next((line for line in index.shown(start.page_num) if line.line_id == start.line_id), None)
    if line is None or start.y is None or not any(char.isalpha() for char in line.text):
        return start
    return replace(start, title=" ".join(line.text.split())[:_LONGEST], n_lines=1)


def _fault(entries: Sequence[Start], starts: Sequence[Start], n_pages: int) -> str | None:
    """Return what makes an outline useless, `None` where it is of use."""
    if not entries:
        return "there is none"
    if not starts:
        return "its entries have no titles, or lead nowhere"
    confirmed = sum(start.confidence >= BY_BARE_TITLE for start in starts)
    places = Counter((entry.page_num, entry.y) for entry in entries)
    if n_pages > 1 and len(starts) >= _FEW_ENTRIES and len(places) == 1 and confirmed < len(starts) / 2:
        return "all its entries lead to one place"
    falls = sum(b.page_num < a.page_num for a, b in pairwise(starts))
    if len(starts) >= _JUDGED and confirmed < _CONFIRMED * len(starts) and falls > _FALLS * len(starts):
        return "its titles are not those of the text, and its places are out of order"
    return None


def _repairs(entries: Sequence[Start], starts: Sequence[Start]) -> str | None:
    """Return a sentence on entries of the outline that were put right or left out."""
    wrong = sum(start.confidence == ELSEWHERE for start in starts)
    blank = sum(not entry.title for entry in entries)
    lost = len(entries) - len(starts)
    parts = [
        f"{n} {what}"
        for n, what in (
            (wrong, "led to a wrong place and were put right by the headings"),
            (blank, "had no title"),
            (lost, "said nothing and were left out"),
        )
        if n
    ]
    return f"of the outline's {len(entries)} entries, {'; '.join(parts)}" if parts else None


def _links(rows: Rows, document: Any, page_num: int) -> list[tuple[tuple[float, float, float, float], Any]]:
    """Return the links of a page with rectangles and targets as displayed."""
    out = []
    frame = rows.frames[page_num - 1]
    for (left, bottom, right, top), entry in pdf_outline.links_on(document, page_num):
        a, b = displayed_y(frame, left, bottom), displayed_y(frame, right, top)
        if a is None or b is None:
            continue
        y = displayed_y(rows.frames[entry.page_num - 1], entry.x, entry.y)
        target = pdf_outline.Entry(entry.level, entry.title, entry.page_num, entry.x, y)
        out.append(((left, min(a, b), right, max(a, b)), target))
    return out

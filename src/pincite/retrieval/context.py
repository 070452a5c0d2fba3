"""From a passage to what is worth reading: the best lines in it (anchor) and what surrounds them (context)."""

from collections.abc import Mapping, Sequence

from pincite.protocols import Store
from pincite.retrieval.terms import QueryTerms, held_terms
from pincite.types.document import FURNITURE, Line, Section
from pincite.types.passage import LineRange, StoredPassage
from pincite.types.question import Granularity

#: Lines read before and after a passage for a pinpoint fact.
WINDOW_LINES = 4
#: A longer section is cut to this many lines around the anchor.
MAX_SECTION_LINES = 400
#: An anchor is at most this many lines, or one sentence over them.
ANCHOR_LINES = 3


def anchor_lines(lines: Sequence[Line], terms: QueryTerms) -> tuple[Line, ...]:
    """Return the fewest neighbouring lines (at most `ANCHOR_LINES`) that hold the most of the question.

    Without a matching term the first line with text is returned.
    """
    readable = [line for line in lines if line.text.strip() and line.role not in FURNITURE]
    if not readable:
        return tuple(lines[:1])
    held = [held_terms([line.text]) for line in readable]
    best: tuple[float, int, int, int] | None = None
    chosen = readable[:1]
    for size in range(1, ANCHOR_LINES + 1):
        for start in range(len(readable) - size + 1):
            window = readable[start : start + size]
            coverage = terms.coverage(_held_by(window, held[start : start + size]))
            # Of lines that hold the same words, the one that writes them as the question does comes first.
            alike = sum(term.surface in line.text for term in terms.terms for line in window)
            key = (round(coverage, 6), -size, alike, -start)
            if coverage > 0 and (best is None or key > best):
                best, chosen = key, window
    return tuple(chosen)


def _held_by(window: Sequence[Line], held: Sequence[Mapping[str, int]]) -> Mapping[str, int]:
    """Return the terms that neighbouring lines hold (not how often), from those of each; anew where words may go on."""
    if len(window) == 1:
        return held[0]
    if any(_may_break(line.text) for line in window[:-1]):
        return held_terms([line.text for line in window])
    merged: dict[str, int] = {}
    for one in held:
        merged.update(one)
    return merged


def _may_break(text: str) -> bool:
    """Say whether a word may go on in the next line: after a hyphen, or in a script without blanks."""
    end = text.rstrip()[-1:]
    return not end.isascii() or end == "-"


class ContextReader:
    """Finds what to read around a passage; contents and lines are fetched once a question."""

    def __init__(self, store: Store) -> None:
        """Read from `store`."""
        self._store = store
        self._toc: dict[str, tuple[Section, ...]] = {}

    def context(self, stored: StoredPassage, granularity: Granularity) -> LineRange:
        """Return the lines to read: the whole section for a list, else a window, never out of the section."""
        passage = stored.passage
        first, last = passage.first_line_id, passage.last_line_id
        before, after = (WINDOW_LINES, WINDOW_LINES)
        if granularity == "section":
            before = after = MAX_SECTION_LINES
        lines = self._store.lines(stored.doc_id, max(1, first - before), last + after)
        family = self._family(stored.doc_id, passage.section_id) if granularity == "section" else {passage.section_id}
        inside = [line.line_id for line in lines if line.section_id in family or first <= line.line_id <= last]
        first, last = _run_around(inside, first, last)
        return LineRange(doc_id=stored.doc_id, first_line_id=first, last_line_id=last)

    def section(self, doc_id: str, section: Section) -> LineRange | None:
        """Return the lines of a section with its sub-sections, or `None` when it has none."""
        family = self._family(doc_id, section.section_id)
        on_pages = self._store.page_lines(doc_id, section.start_page, section.end_page)
        lines = [line.line_id for line in on_pages if line.section_id in family]
        if not lines:
            return None
        return LineRange(doc_id=doc_id, first_line_id=lines[0], last_line_id=lines[-1])

    def _family(self, doc_id: str, section_id: int | None) -> set[int | None]:
        if section_id is None:
            return {None}
        if doc_id not in self._toc:
            self._toc[doc_id] = self._store.toc(doc_id)
        family: set[int | None] = {section_id}
        for section in self._toc[doc_id]:
            if section.parent_id in family:
                family.add(section.section_id)
        return family


def _run_around(line_ids: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """Return the longest run of ids without a gap that holds `first` to `last`."""
    known = set(line_ids)
    while first - 1 in known:
        first -= 1
    while last + 1 in known:
        last += 1
    return first, last

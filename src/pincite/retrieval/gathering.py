"""Which whole ranges hold the records of a set: a count or a list has to read all of them, not the best few."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from pincite.protocols import Store
from pincite.retrieval.contents import ContentsIndex, NamedSections
from pincite.retrieval.context import ContextReader
from pincite.text.sets import FEWEST_RECORDS, Noun
from pincite.types.document import FURNITURE, DocumentRecord, Line
from pincite.types.passage import LineRange

#: A set is read up to this many lines; what is beyond is said to be unread.
MAX_SET_LINES: Final = 20_000
#: Lists, tables and lines of a set are looked for in the documents that speak of it most: in this many, and in as many
#: more as have `MAX_SET_LINES` in all.
MAX_SET_DOCUMENTS: Final = 30
#: How many lines above the first section of a set are read with it: how many there are may be said there.
_LINES_ABOVE: Final = 12
_PASSAGES: Final = 1000
_BULLET: Final = re.compile(r"^\s*(?:[-*+•‣▪●○◦■□–·]|\(?\d{1,4}[.)])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Gathered:
    """The ranges of one set and what they are; `n_left` lines of the set stand in documents that are not read."""

    ranges: tuple[LineRange, ...]
    reason: str
    section: tuple[str, ...] = ()
    n_left: int = 0

    @property
    def n_lines(self) -> int:
        """How many lines the ranges have."""
        return _size(self.ranges)


class Gatherer:
    """Finds the places of a set in the documents of one scope."""

    def __init__(self, store: Store, contents: ContentsIndex, documents: Sequence[DocumentRecord]) -> None:
        """Look in `documents` only: those in force, inside the filter."""
        self._store = store
        self._contents = contents
        self._documents = {d.doc_id: d for d in documents}
        self._reader = ContextReader(store)

    def gather(self, noun: Noun) -> list[Gathered]:
        """Return the sets that a noun names: sections, files, tables, lists and lines that begin alike."""
        sections = [self._of_sections(s) for s in self._contents.records(noun, doc_ids=frozenset(self._documents))]
        found = [g for g in sections if g.ranges]
        files = [d for d in self._documents.values() if noun.names_file(d.name)]
        if len(files) >= FEWEST_RECORDS:
            whole = tuple(_range(d.doc_id, 1, d.n_lines) for d in files if d.n_lines)
            found.append(Gathered(whole, f"{len(files)} files are named alike: {files[0].name} … {files[-1].name}"))
        speaking = self._speaking_of(noun)
        looked_at = self._within_reach(speaking)
        for doc_id in looked_at:
            lines = self._store.lines(doc_id, 1, self._documents[doc_id].n_lines)
            blocks = tuple(_range(doc_id, *block) for block in _blocks(noun, lines, self._titles(doc_id)))
            if blocks:
                found.append(Gathered(blocks, f"{self._documents[doc_id].name} lists {noun.word}"))
        unread = [self._documents[doc_id] for doc_id in speaking[len(looked_at) :]]
        if unread:
            reason = f"{len(unread)} more documents speak of {noun.word}, {unread[0].name} among them"
            found.append(Gathered((), reason, n_left=sum(d.n_lines for d in unread)))
        return found

    def _within_reach(self, doc_ids: Sequence[str]) -> list[str]:
        """Return the first of the documents, as many as are looked through line by line."""
        n_lines = 0
        for position, doc_id in enumerate(doc_ids):
            n_lines += self._documents[doc_id].n_lines
            if position >= MAX_SET_DOCUMENTS and n_lines > MAX_SET_LINES:
                return list(doc_ids[:position])
        return list(doc_ids)

    def _of_sections(self, named: NamedSections) -> Gathered:
        first, last = named.sections[0][1], named.sections[-1][1]
        what = "files" if named.is_files else "sections"
        reason = f"{len(named.sections)} {what} are named alike: {first.title} … {last.title}"
        if named.is_files:
            # A document may have come into the library since the question began: it is no part of this answer.
            ids = dict.fromkeys(doc_id for doc_id, _ in named.sections if doc_id in self._documents)
            ranges = tuple(_range(doc_id, 1, self._documents[doc_id].n_lines) for doc_id in ids)
            return Gathered(ranges, reason)
        doc_id = named.sections[0][0]
        ends = [r for s in (first, last) if (r := self._reader.section(doc_id, s)) is not None]
        if not ends:
            return Gathered((), reason)
        start = max(1, min(e.first_line_id for e in ends) - _LINES_ABOVE)
        whole = _range(doc_id, start, max(e.last_line_id for e in ends))
        return Gathered((whole,), reason, first.breadcrumb[:-1])

    def _speaking_of(self, noun: Noun) -> list[str]:
        """Return the documents that hold the noun, those that speak of it most first."""
        named = [d.doc_id for d in self._documents.values() if noun.is_in(re.sub(r"[\d_.-]+", " ", d.name))]
        hits = self._store.search_terms(dict.fromkeys(noun.forms, 1.0), doc_ids=tuple(self._documents), k=_PASSAGES)
        passages = self._store.passages([hit.passage_id for hit in hits])
        speaking = dict.fromkeys([*(p.doc_id for p in passages), *named])
        # A document may have come into the library since the question began: it is no part of this answer.
        return [doc_id for doc_id in speaking if doc_id in self._documents]

    @cached_property
    def _toc(self) -> dict[str, dict[int | None, tuple[str, ...]]]:
        return {}

    def _titles(self, doc_id: str) -> dict[int | None, tuple[str, ...]]:
        if doc_id not in self._toc:
            self._toc[doc_id] = {s.section_id: s.breadcrumb for s in self._store.toc(doc_id)}
            self._toc[doc_id][None] = ()
        return self._toc[doc_id]


def _blocks(noun: Noun, lines: Sequence[Line], titles: dict[int | None, tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Yield first and last line of each table and list that the noun names, and of the lines that begin with it."""
    for block in _runs(lines):
        above = _above(lines, block[0])
        title = " ".join(titles.get(block[0].section_id, ()))
        named = sum(noun.is_in(_start(line.text)) for line in block)
        if named >= FEWEST_RECORDS or any(noun.is_in(text) for text in (above.text if above else "", title)) or (
            block[0].role == "table" and any(noun.is_in(line.text) for line in block[:3])
        ):  # fmt: skip
            first = above.line_id if above is not None and above.section_id == block[0].section_id else block[0].line_id
            yield first, block[-1].line_id
    named_lines = [n for n, line in enumerate(lines) if _is_named(noun, line)]
    if len(named_lines) >= FEWEST_RECORDS:
        last = named_lines[-1]
        while last + 1 < len(lines) and lines[last + 1].text.strip() and lines[last + 1].role == lines[last].role:
            last += 1
        yield max(1, lines[named_lines[0]].line_id - _LINES_ABOVE), lines[last].line_id


def _is_named(noun: Noun, line: Line) -> bool:
    if line.role == "list":
        return noun.is_in(_start(line.text))
    return line.role == "body" and noun.name_in(line.text) is not None


def _start(text: str) -> str:
    return " ".join(_BULLET.sub("", text.replace("|", " ")).split()[:2])


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the rows of each table and the lines of each list; blank lines and running heads part nothing."""
    run: list[Line] = []
    kind = ""
    for line in lines:
        if not line.text.strip() or line.role in FURNITURE or line.layer == "hidden":
            continue
        own = _kind(line)
        goes_on = kind == "list" and own == "" and line.role == "body" and line.text[:1].isspace()
        if run and (own != kind or line.section_id != run[-1].section_id) and not goes_on:
            yield run
            run = []
        kind = kind if goes_on else own
        if kind:
            run.append(line)
    if run:
        yield run


def _kind(line: Line) -> str:
    if line.role in ("table", "list"):
        return line.role
    return "list" if line.role == "body" and _BULLET.match(line.text) else ""


def _above(lines: Sequence[Line], first: Line) -> Line | None:
    """Return the line with text before a block: its lead-in or caption."""
    for line in reversed(lines[max(0, first.line_id - 6) : first.line_id - 1]):
        if line.text.strip() and line.role not in FURNITURE:
            return line
    return None


def _range(doc_id: str, first: int, last: int) -> LineRange:
    return LineRange(doc_id=doc_id, first_line_id=first, last_line_id=last)


def within(found: Sequence[Gathered], *, most: int | None = None) -> tuple[Gathered, ...]:
    """Return the sets cut to `most` lines in all (default `MAX_SET_LINES`), each with what of it is left out.

    A set of which nothing more fits keeps no range and still says how much it has.
    """
    left = MAX_SET_LINES if most is None else most
    kept: list[Gathered] = []
    for one in found:
        ranges: list[LineRange] = []
        for part in one.ranges:
            size = 0 if any(_holds(r, part) for one in kept for r in one.ranges) else _size([part])
            if 0 < left < size:
                ranges.append(_range(part.doc_id, part.first_line_id, part.first_line_id + left - 1))
            elif size <= left:
                ranges.append(part)
            left -= min(left, size)
        kept.append(replace(one, ranges=tuple(ranges), n_left=one.n_left + one.n_lines - _size(ranges)))
    return tuple(kept)


def _holds(whole: LineRange, part: LineRange) -> bool:
    is_inside = whole.first_line_id <= part.first_line_id and part.last_line_id <= whole.last_line_id
    return whole.doc_id == part.doc_id and is_inside


def _size(ranges: Sequence[LineRange]) -> int:
    return sum(r.last_line_id - r.first_line_id + 1 for r in ranges)

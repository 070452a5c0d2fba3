"""Which lines a named place is: a section whole, a table with its caption, a figure with the text about it, a term."""

from collections.abc import Iterator
from typing import Final

from pincite.text.mentions import find_mentions
from pincite.types.document import FURNITURE, NamedObject, ParsedDocument, Section, Table
from pincite.types.passage import LineRange

#: How many lines are read from the label of a place on whose end is not known: a table without cells, an annex.
OBJECT_LINES: Final = 40
#: A table begins at most so many lines behind its caption, or ends so many before it.
_TABLE_GAP: Final = 6
#: Lines of an equation, clause or term beside its first; lines beside each mention of a figure.
_AROUND_EQUATION, _CLAUSE_LINES, _TERM_LINES, _AROUND_MENTION = 4, 20, 6, 1
#: So many mentions of a figure or table are read with it.
_MOST_MENTIONS: Final = 6


def extent(document: ParsedDocument, named: NamedObject, doc_id: str) -> tuple[LineRange, ...]:
    """Return the lines of a named place, its own first; none where its line is not there."""
    at = {(line.page_num, line.line_num): line.line_id for line in document.lines}
    start = at.get((named.page_num, named.line_num))
    if start is None:
        return ()
    section = _section_at(document, named)
    if section is not None:
        return (_range(doc_id, *_of_section(at, section, start)),)
    if named.kind == "table" and (table := _table_at(document, named, start)) is not None:
        first, last = min(start, table.first_line_id), max(start, table.last_line_id)
        return (_range(doc_id, first, last), *_mentions(document, named, at, doc_id))
    if named.kind == "figure":
        return (_range(doc_id, start, _end_of_caption(document, start)), *_mentions(document, named, at, doc_id))
    if named.kind == "equation":
        return (_range(doc_id, max(1, start - _AROUND_EQUATION), _last(document, start + _AROUND_EQUATION)),)
    last = _before_next(document, named, at, start)
    return (_range(doc_id, start, last),)


def _range(doc_id: str, first: int, last: int) -> LineRange:
    return LineRange(doc_id=doc_id, first_line_id=first, last_line_id=max(first, last))


def _last(document: ParsedDocument, line_id: int) -> int:
    return min(len(document.lines), line_id)


def _section_at(document: ParsedDocument, named: NamedObject) -> Section | None:
    """Return the section that begins where an object stands, but for tables, figures and terms inside one."""
    if named.kind in {"table", "figure", "equation", "definition"}:
        return None
    place = (named.page_num, named.line_num)
    return next((s for s in document.toc if (s.start_page, s.start_line) == place), None)


def _of_section(at: dict[tuple[int, int], int], section: Section, start: int) -> tuple[int, int]:
    end = at.get((section.end_page, section.end_line or 0))
    return start, end if end is not None and end >= start else start + OBJECT_LINES


def _table_at(document: ParsedDocument, named: NamedObject, start: int) -> Table | None:
    """Return the table that a caption belongs to: the one with it, else the one below it, else the one above."""
    near = [
        table
        for table in document.tables
        if table.first_line_id - _TABLE_GAP <= start <= table.last_line_id + _TABLE_GAP
    ]
    if not near:
        return None
    own = [table for table in near if _is_of(table, named)]
    below = [table for table in near if table.last_line_id > start]
    return (own or below or near[-1:])[0]


def _is_of(table: Table, named: NamedObject) -> bool:
    return any(mention.label == named.label for mention in find_mentions(table.caption or ""))


def _end_of_caption(document: ParsedDocument, start: int) -> int:
    """Return the last line of a caption: it goes on in lines of the same size right below."""
    last = start
    first = document.lines[start - 1]
    for line in document.lines[start : start + 8]:
        same = line.page_num == first.page_num and line.font_size == first.font_size and line.layer == first.layer
        if not same or line.role not in {"caption", "body"} or line.section_id != first.section_id or not line.text:
            break
        last = line.line_id
        if line.text.rstrip().endswith("."):
            break
    return last


def _mentions(
    document: ParsedDocument, named: NamedObject, at: dict[tuple[int, int], int], doc_id: str
) -> Iterator[LineRange]:
    """Yield the lines around the mentions of a figure or table: what text says of it."""
    seen = 0
    for reference in document.references:
        line_id = at.get((reference.page_num, reference.line_num))
        if reference.target == named.label and line_id is not None and seen < _MOST_MENTIONS:
            seen += 1
            yield _range(doc_id, max(1, line_id - _AROUND_MENTION), _last(document, line_id + _AROUND_MENTION))


def _before_next(document: ParsedDocument, named: NamedObject, at: dict[tuple[int, int], int], start: int) -> int:
    """Return the last line before the next place of the same kind, or after as many lines as such a place has."""
    most = {"definition": _TERM_LINES, "clause": _CLAUSE_LINES}.get(named.kind, OBJECT_LINES)
    others = [at.get((o.page_num, o.line_num), 0) for o in document.objects if o.kind == named.kind]
    following = min((line_id for line_id in others if line_id > start), default=len(document.lines) + 1)
    last = min(start + most, following - 1, len(document.lines))
    while last > start and document.lines[last - 1].role in FURNITURE:
        last -= 1
    return last

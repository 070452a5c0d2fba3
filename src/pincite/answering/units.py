"""Lines to the units an answer is made of: sentences, list items, table rows, form fields, headings."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from pincite.answering.keyed import is_settings_file
from pincite.answering.measures import measures_in
from pincite.answering.titles import TERMINAL, is_title
from pincite.text.joining import JoinedLines, join_lines
from pincite.text.marks import without_markdown
from pincite.text.sentences import sentence_spans
from pincite.text.tokens import line_terms
from pincite.types.answer import ClaimedQuote
from pincite.types.citation import Span
from pincite.types.document import FURNITURE
from pincite.types.source import ReadingLine

UnitKind = Literal["sentence", "item", "row", "form", "heading", "mark"]
BULLET: Final = re.compile(r"^\s*(?:[-*+•‣▪●○◦■□–·]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])\s+(?=\S)")
#: A short line that ends in a colon names what follows; it says nothing itself.
_LABEL: Final = re.compile(r"^\s*(?:\S+\s+){0,4}\S+:\s*$")
#: A list item longer than this is also read sentence by sentence.
LONG_ITEM_WORDS: Final = 25


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters `start` to `end` (half-open) of one line."""

    line: ReadingLine
    start: int
    end: int


@dataclass(frozen=True)
class Unit:
    """The smallest stretch of a document that can be an answer on its own.

    `text` is running text without markup, `lead` what introduces it (the sentence before a list, a list's parent),
    `before` the sentence before it in the same paragraph.
    """

    kind: UnitKind
    pieces: tuple[Piece, ...]
    text: str
    order: int
    lead: str = ""
    before: str = ""
    paragraph: int = 0
    extra: tuple[str, ...] = field(default=())

    @property
    def line(self) -> ReadingLine:
        """The line it starts on."""
        return self.pieces[0].line

    @property
    def doc_id(self) -> str:
        """The document it stands in."""
        return self.line.doc_id

    @property
    def section_key(self) -> tuple[str, int | None]:
        """The section it stands in."""
        return (self.line.doc_id, self.line.line.section_id)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its own index terms, with the names of the table columns it has values in."""
        return frozenset(line_terms([p.line.line.text[p.start : p.end] for p in self.pieces]))

    @cached_property
    def measures(self) -> frozenset[str]:
        """The kinds of amount that it states: money, mass, length, time, share."""
        return measures_in(self.text)

    @cached_property
    def context_terms(self) -> frozenset[str]:
        """The index terms of what introduces it."""
        return frozenset(line_terms([self.lead, " ".join(self.line.header)]))

    @cached_property
    def before_terms(self) -> frozenset[str]:
        """The index terms of the sentence before it."""
        return frozenset(line_terms([self.before]))

    @cached_property
    def heading_terms(self) -> frozenset[str]:
        """The index terms of its headings."""
        return frozenset(line_terms(list(self.line.breadcrumb)))

    @property
    def said(self) -> str:
        """Everything that says what it is about, for checks of names and numbers."""
        line = self.line
        header = " ".join(line.header)
        return "\n".join(
            (line.doc_name, line.doc_date or "", *line.breadcrumb, header, self.lead, self.before, self.text)
        )

    def quote(self) -> ClaimedQuote:
        """Return the claim that the source's own characters stand where they were read."""
        ids = [p.line.line.line_id for p in self.pieces]
        text = "\n".join(p.line.line.text[p.start : p.end] for p in self.pieces)
        return ClaimedQuote(doc_id=self.doc_id, first_line_id=ids[0], last_line_id=ids[-1], quote=text)


def read_units(lines: Sequence[ReadingLine]) -> list[Unit]:
    """Return the units of the lines in reading order; headings and marks (running heads, watermarks) included."""
    units: list[Unit] = []
    above = _Above()
    forms = [line for line in lines if line.line.layer == "form"]
    fields: dict[str, str] = defaultdict(str)
    for line in forms:
        fields[line.doc_id] += " " + line.line.text.split(":")[0]
    form_pages = {(line.doc_id, line.line.page_num) for line in forms}
    for number, block in enumerate(_blocks(lines)):
        kind = _kind(block[0])
        if kind == "sentence" and is_title(block, form_pages):
            kind = "heading"
        made = list(_units_of(block, kind, len(units), above.around(number, kind, block[0], fields[block[0].doc_id])))
        above.see(kind, block[0], made)
        units.extend(made)
    return units


class _Above:
    """What stands above a block and introduces it: a title, the sentence before a list, the item before an item."""

    def __init__(self) -> None:
        self._title = self._lead = self._item = self._doc_id = self._asked = ""

    def around(self, paragraph: int, kind: UnitKind, line: ReadingLine, fields: str) -> "_Around":
        if line.doc_id != self._doc_id:
            # What ends one document introduces nothing in the next.
            self._title = self._lead = self._item = self._asked = ""
            self._doc_id = line.doc_id
        title = self._asked or ("" if line.breadcrumb else self._title)
        if kind in ("item", "row"):
            return _Around(paragraph, self._lead or title, self._item if kind == "item" else "")
        # The fields of a form are about one thing: each is introduced by the names of the others.
        return _Around(paragraph, title, fields if kind == "form" else "")

    def see(self, kind: UnitKind, line: ReadingLine, units: Sequence[Unit]) -> None:
        if kind == "heading":
            is_label = bool(_LABEL.match(line.line.text))
            is_asked = line.line.role != "heading" and bool(units) and units[0].text.endswith(("?", "？"))
            self._asked = units[0].text if is_asked else "" if line.line.role == "heading" else self._asked
            self._lead, self._item = (line.line.text.strip(), "") if is_label else ("", "")
            if not is_label:
                self._title = line.line.text.strip()
        elif kind == "sentence" and units:
            self._lead, self._item = units[-1].text, ""
        elif kind == "item" and units:
            self._item = units[0].text


@dataclass(frozen=True, slots=True)
class _Around:
    paragraph: int
    lead: str
    before: str


def _kind(line: ReadingLine) -> UnitKind:
    role = line.line.role
    if role == "body" and _LABEL.match(line.line.text):
        return "heading"
    if line.line.layer == "form":
        return "form"
    if role in FURNITURE:
        return "mark"
    if role == "heading":
        return "heading"
    if role in ("table", "code") or is_settings_file(line.doc_name):
        return "row"
    if role == "list" or (role == "body" and BULLET.match(line.line.text) and not line.line.text.strip()[0].isalnum()):
        return "item"
    return "sentence"


def _blocks(lines: Sequence[ReadingLine]) -> Iterator[list[ReadingLine]]:
    """Yield runs of lines that are one paragraph, one list item, one row."""
    block: list[ReadingLine] = []
    marks: list[list[ReadingLine]] = []
    seen: ReadingLine | None = None
    blank = False
    for line in lines:
        if line.line.layer == "hidden" or line.line.role == "metadata":
            seen = line
            continue
        if line.line.role == "footnote" and block and block[-1].line.role != "footnote":
            # The blank line before the note stands between it and the text, not between its own lines.
            apart = seen is not None and not seen.line.text.strip()
            if marks and marks[-1][-1].line.role == "footnote" and _goes_on(marks[-1][-1], line, seen, blank=apart):
                marks[-1].append(line)
            else:
                marks.append([line])
            seen = line
            continue
        if line.line.role in FURNITURE:
            # Running heads stand inside sentences that go on over a page: they are units of their own, after them.
            marks.append([line])
            seen = line
            continue
        if not line.line.text.strip():
            blank, seen = True, line
            continue
        if block and (not _goes_on(block[-1], line, seen, blank=blank) or _leaves_item(block, line)):
            yield block
            yield from marks
            block, marks = [], []
        block.append(line)
        seen, blank = line, False
    if block:
        yield block
    yield from marks


def _goes_on(before: ReadingLine, line: ReadingLine, seen: ReadingLine | None, *, blank: bool) -> bool:
    """Say whether a line belongs to the block of the line before it."""
    a, b = before.line, line.line
    if before.doc_id != line.doc_id or seen is None or b.line_id != seen.line.line_id + 1:
        return False
    kind = _kind(line)
    if kind != _kind(before) and not (kind == "sentence" and _kind(before) == "item" and not blank):
        return False
    if kind in ("row", "form", "heading", "mark") or a.layer != b.layer or a.section_id != b.section_id:
        return False
    if blank or BULLET.match(b.text):
        return False
    ended = bool(TERMINAL.search(a.text))
    if a.page_num != b.page_num and (before.is_doubtful or line.is_doubtful or b.page_num > a.page_num + 1):
        return False
    if a.page_num != b.page_num or a.column != b.column:
        return not ended and kind == "sentence"
    if a.box is None or b.box is None:
        return True
    gap = b.box.y0 - a.box.y1
    wide = gap > 0.75 * max(a.box.height_pt, 1.0)
    return not (wide and (ended or not b.text[:1].islower()))


#: By how many points a line stands left of an item's text to be no part of it.
_OUTDENT_PT: Final = 3.0


def _leaves_item(block: Sequence[ReadingLine], line: ReadingLine) -> bool:
    """Say whether a line on a page stands left of the indented lines of an item: the text goes on after the list."""
    last, box = block[-1].line.box, line.line.box
    if len(block) < 2 or last is None or box is None or _kind(block[0]) != "item":
        return False
    before = block[-1].line
    is_beside = (before.page_num, before.column) == (line.line.page_num, line.line.column)
    return is_beside and box.x0 < last.x0 - _OUTDENT_PT


def _units_of(block: list[ReadingLine], kind: UnitKind, order: int, around: _Around) -> Iterator[Unit]:
    joined = join_lines([line.line.text for line in block])
    if not any(c.isalnum() for c in joined.text):
        return
    whole = Span(start=0, end=len(joined.text))
    if kind == "sentence":
        spans = sentence_spans(joined.text)
    elif kind == "item" and len(joined.text.split()) > LONG_ITEM_WORDS:
        spans = tuple(dict.fromkeys((whole, *sentence_spans(joined.text))))
    else:
        spans = (whole,)
    before = around.before
    for number, span in enumerate(spans):
        unit = Unit(
            kind=kind if span == whole or kind != "item" else "sentence",
            pieces=_pieces(block, joined, span),
            text=_plain(joined.text[span.start : span.end], block[0]),
            order=order + number,
            lead=around.lead,
            before=before,
            paragraph=around.paragraph,
        )
        yield unit
        if kind == "sentence" or span != whole:
            before = unit.text


def _plain(text: str, line: ReadingLine) -> str:
    return without_markdown(text).text.strip() if line.is_markdown else text.strip()


def _pieces(block: list[ReadingLine], joined: JoinedLines, span: Span) -> tuple[Piece, ...]:
    first, last = joined.line_index_at(span.start), joined.line_index_at(span.end - 1)
    pieces = []
    for index in range(first, last + 1):
        text = block[index].line.text
        start = joined.line_offset_at(span.start) if index == first else len(text) - len(text.lstrip())
        end = joined.line_offset_at(span.end - 1) + 1 if index == last else len(text.rstrip())
        if start < end:
            pieces.append(Piece(block[index], start, end))
    return tuple(pieces)

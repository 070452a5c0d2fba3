"""The tables among the units that were read: rows with their names, the groups they stand in, and their places."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pincite.answering.records import name_column
from pincite.answering.units import Unit
from pincite.text.tokens import is_stop_term, token_terms
from pincite.types.answer import ClaimedQuote
from pincite.types.citation import CellRef
from pincite.types.source import RowPlace

#: Marks of notes behind the name of a row.
_MARKS: Final = re.compile(r"(?:\s*(?:[*†‡§]+|[⁰¹²³⁴-⁹]+|\((?:[a-z]|\d{1,2})\)|\(Notes?\s[\d,\s]+\)))+$")
#: So many names of groups, one in another, tell a row from others of its name.
_GROUPS: Final = 2
#: A longer line above a table is a sentence about it, not its title; shorter parts of a file name name nobody.
_TITLE_WORDS, _NAME_LETTERS = 10, 4
_STATEMENT: Final = re.compile(
    r"\bbalance sheets?\b|\bstatements? of (?:consolidated )?(?:income|operations|earnings|cash flows?"
    r"|financial position|profit|comprehensive income)\b|\bincome statements?\b"
    r"|\bcash flow statements?\b|\bprofit and loss\b",
    re.IGNORECASE,
)
_STATEMENTS: Final = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("cash", r"\bcash flows?\b"),
        ("balance", r"\bbalance sheets?\b|\bfinancial position\b"),
        ("income", r"\bstatements? of (?:consolidated )?(?:income|operations|earnings)\b|\bincome statements?\b"),
    )
)
#: "Harbour Trust and Subsidiaries" is the whole company.
_WITH_OTHERS: Final = re.compile(r"(?:\band|&)\s+(?:its\s+)?(?:consolidated\s+)?subsidiar\w+", re.IGNORECASE)
_PARTIAL: Final = re.compile(
    r"\b(?:condensed|parent|guarantors?|obligors?|subsidiar\w+|pro forma|segments?|non-gaap|reconciliations?|quarter\w*"
    r"|excerpts?|selected|summar\w+)\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"^\W*(?:table|tab\.|tabelle|tableau)\s*[\w.]*\s*[:.–—-]?\s*", re.IGNORECASE)


def name_terms(text: str) -> frozenset[str]:
    """Return the index terms of the words of a name, one a word, without stop words and possessive endings."""
    tokens = re.sub(r"['’]s\b", "", text).split()
    terms = {term for token in tokens for term in token_terms(token)[:1] if not is_stop_term(term)}
    return frozenset(term for term in terms if any(map(str.isalnum, term)))


def is_statement_title(text: str) -> bool:
    """Return whether a title is that of a financial statement of a whole company."""
    return _STATEMENT.search(text) is not None and _PARTIAL.search(_WITH_OTHERS.sub(" ", text)) is None


@dataclass(frozen=True)
class TableRow:
    """One row of values: its cells, the units of its lines, and the names of the groups it stands in."""

    place: RowPlace
    cells: tuple[str, ...]
    units: tuple[Unit, ...]
    groups: tuple[str, ...]
    stub: int

    @cached_property
    def name(self) -> str:
        """The name of the row, without marks of notes."""
        return _MARKS.sub("", self.cells[self.stub]).strip() if self.stub < len(self.cells) else ""

    @cached_property
    def terms(self) -> frozenset[str]:
        """The index terms of its name."""
        return name_terms(self.name)

    @cached_property
    def group_terms(self) -> frozenset[str]:
        """The index terms of the groups it stands in."""
        return name_terms(" ".join(self.groups))


@dataclass(frozen=True)
class TableView:
    """A table as far as it was read; `header` names the columns, `read_terms` are those of all its document's lines."""

    doc_id: str
    place: RowPlace
    header: tuple[str, ...]
    stub: int
    rows: tuple[TableRow, ...]
    by_line: dict[int, Unit] = field(repr=False, compare=False)
    read_terms: frozenset[str] = field(repr=False, compare=False, default=frozenset())

    @property
    def doc_name(self) -> str:
        """The name of its document."""
        return self.first.line.doc_name

    @property
    def first(self) -> Unit:
        """The unit of its first row of values."""
        return self.rows[0].units[0]

    @property
    def title(self) -> str:
        """Its caption, without the word table and its number; else the title of its section."""
        caption = _LABEL.sub("", self.place.caption or "").strip()
        crumb = self.first.line.breadcrumb
        return caption or (crumb[-1] if crumb else "")

    @cached_property
    def is_statement(self) -> bool:
        """Whether it is a financial statement of a company as a whole, not of a part of it or of a quarter."""
        return is_statement_title(self._titles)

    @cached_property
    def _titles(self) -> str:
        """All that stands over its rows and names it."""
        lead = self.first.lead if len(self.first.lead.split()) <= _TITLE_WORDS else ""
        return " ".join((self.place.caption or "", lead, *self.header, *self.first.line.breadcrumb[-1:]))

    def is_of(self, term: str) -> bool:
        """Return whether a term is part of the name of the document: whose figures these are."""
        return len(term) >= _NAME_LETTERS and term in self._whose

    @cached_property
    def _whose(self) -> str:
        return re.sub(r"[\W\d_]", "", self.doc_name.rpartition(".")[0]).lower()

    @cached_property
    def statement(self) -> str | None:
        """Which of the statements it is, or is about: "cash", "balance" or "income"; `None` where nothing says."""
        return next((kind for kind, pattern in _STATEMENTS if pattern.search(self._titles)), None)

    @cached_property
    def context_terms(self) -> frozenset[str]:
        """The index terms of all that says what the table is about."""
        line = self.first.line
        told = [self.place.caption or "", self.first.lead, *line.breadcrumb, re.sub(r"[._-]", " ", line.doc_name)]
        return name_terms(" ".join(told))

    @property
    def n_unread(self) -> int:
        """How many of its rows were not read."""
        header = self.place.header_rows
        read = {u.line.table.row for u in self.by_line.values() if u.line.table is not None}
        return self.place.n_rows - header - sum(row > header for row in read)

    def quote(self, row: TableRow, col: int | None = None) -> ClaimedQuote:
        """Return the claim that a row stands where it was read, pinned to one of its cells by `col` (from 0).

        The lines quoted reach from the name of the row to the cell.
        """
        units = list(row.units)
        ref = None
        if col is not None:
            ref = CellRef(table_id=row.place.table_id, row=row.place.row, col=col + 1)
            wanted = {*row.place.cell_lines[col], *row.place.cell_lines[row.stub]}
            known = sorted(i for i in wanted if i in self.by_line)
            if known and set(row.place.cell_lines[col]) & set(known):
                units = [self.by_line[i] for i in range(known[0], known[-1] + 1) if i in self.by_line]
        lines = [unit.line.line for unit in units]
        return ClaimedQuote(
            doc_id=self.doc_id,
            first_line_id=lines[0].line_id,
            last_line_id=lines[-1].line_id,
            quote="\n".join(line.text.strip() for line in lines),
            cell=ref,
        )


def views(units: Sequence[Unit]) -> list[TableView]:
    """Return the tables among units, in the order they were read."""
    found: dict[tuple[str, int], list[Unit]] = defaultdict(list)
    for unit in units:
        if unit.line.table is not None and unit.line.cells and unit.line.header and len(unit.pieces) == 1:
            found[unit.doc_id, unit.line.table.table_id].append(unit)
    terms = {
        doc_id: frozenset[str]().union(*(unit.terms for unit in units if unit.doc_id == doc_id))
        for doc_id in {doc_id for doc_id, _ in found}
    }
    return [view for (doc_id, _), own in found.items() if (view := _view(own, terms[doc_id])) is not None]


def _view(units: Sequence[Unit], read_terms: frozenset[str]) -> TableView | None:
    header = units[0].line.header
    stub = _naming_column(header, units)
    by_line = {unit.line.line.line_id: unit for unit in units}
    rows = tuple(_rows(units, stub))
    place = units[0].line.table
    if not rows or place is None:
        return None
    return TableView(units[0].doc_id, place, header, stub, rows, by_line, read_terms)


def _naming_column(header: Sequence[str], units: Sequence[Unit]) -> int:
    """Return the column that names the rows; the first also without a name, if it tells the rows apart.

    What stands beside several rows ("Closed book", written upwards) names groups: then the next column of words does.
    """
    if header[0].strip():
        return name_column(header)
    cells = [unit.line.cells for unit in units if len(unit.line.cells) == len(header)]
    firsts = [row[0].strip() for row in cells]
    if len(header) < 3 or not header[1].strip() or len(set(filter(None, firsts))) == len(firsts):
        return 0
    seconds = [row[1].strip() for row in cells]
    are_words = all(any(map(str.isalpha, text)) for text in seconds if text)
    is_better = len(set(filter(None, seconds))) > len(set(filter(None, firsts)))
    return 1 if are_words and is_better else 0


def _rows(units: Sequence[Unit], stub: int) -> Iterator[TableRow]:
    """Yield the rows of values; a row of one text alone names the rows below it."""
    by_row: dict[int, list[Unit]] = defaultdict(list)
    places: dict[int, RowPlace] = {}
    for unit in units:
        place = unit.line.table
        if place is not None and place.row > place.header_rows:
            by_row[place.row].append(unit)
            places[place.row] = place
    groups: list[str] = []
    named_before = False
    for number, own in sorted(by_row.items()):
        cells = own[0].line.cells
        texts = {cell.strip() for cell in cells if cell.strip()}
        if len(texts) == 1 and (len(cells) > 1 and cells[stub].strip()):
            groups = [*(groups if named_before else []), texts.pop()][-_GROUPS:]
            named_before = True
            continue
        named_before = False
        if texts:
            yield TableRow(places[number], cells, tuple(own), tuple(groups), stub)

"""Look-up in tables: the row and the column that words and years name, and what stands where they meet."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.asked_figures import LIGHT, SHARE_OF, SILENT, YEAR, Asked, plain_terms
from pincite.answering.conditions import is_blank
from pincite.answering.measures import MEASURED
from pincite.answering.tables import TableRow, TableView, name_terms
from pincite.answering.whose import documents_named
from pincite.text.cells import number_in_cell
from pincite.text.derived import currency_of, scale_of
from pincite.text.tokens import stem
from pincite.text.units import unit_name
from pincite.types.answer import Quantity

#: Words that say which of the statements is meant; other words of a question choose between no statements.
_OF_STATEMENTS: Final = frozenset(map(stem, "balance sheet income earnings operations cash flow statement".split()))
_MEASURED: Final = frozenset(map(stem, MEASURED))
#: Words that are often left out count for so little.
_LIGHT_WEIGHT: Final = 0.3
#: A row that holds less than this of what is asked, or more than that beside it, is another row.
_GOOD: Final = 0.62
#: Tables with rows that hold less of a name are not read for it.
_LIKELY: Final = 0.45
#: A word that the row has and the question has not costs this much of one that is missing in the row.
_EXTRA: Final = 0.5
#: A row that is no share, asked for as one; a row under another of the names that companies print a figure with.
_NO_SHARE, _NEARER, _RENAMED = 0.9, 0.985, 0.97
_CHANGE: Final = re.compile(r"change|growth|%|variance|increase|decrease|\bvs\b", re.IGNORECASE)
_IN_NAME: Final = re.compile(r"[(\[,]\s*(?:in\s+)?([^()\[\],]{1,14}?)\s*[)\]]?\s*$")


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell where row and column meet; `col` counts from 0, `score` is between 0 and 1."""

    view: TableView
    row: TableRow
    col: int
    score: float

    @property
    def text(self) -> str:
        """What stands in it."""
        return self.row.cells[self.col].strip() if self.col < len(self.row.cells) else ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stated there."""
        return is_blank(self.text)

    @property
    def name(self) -> str:
        """The names of its row and column."""
        return " ".join(filter(None, (self.row.name, self.view.header[self.col])))


def find_cells(
    asked: Sequence[Asked], tables: Sequence[TableView], hint: frozenset[str] = frozenset()
) -> list[FoundCell | None]:
    """Return the cell of each figure; those of one figure in several years from one row, where a row has them all."""
    found: dict[int, FoundCell | None] = {}
    for terms in dict.fromkeys(one.terms for one in asked):
        own = [at for at, one in enumerate(asked) if one.terms == terms]
        cells = _in_one_row([asked[at] for at in own], tables, hint) if len(own) > 1 else None
        found |= dict(zip(own, cells or [find_cell(asked[at], tables, hint) for at in own], strict=True))
    return [found[at] for at in range(len(asked))]


def _in_one_row(
    asked: Sequence[Asked], tables: Sequence[TableView], hint: frozenset[str]
) -> list[FoundCell | None] | None:
    """Return the cells of one figure for several years from the best row that has them all, `None` without one."""
    by_year = [_candidates(one, tables) for one in asked]
    rows: list[dict[tuple[int, int], FoundCell]] = [{} for _ in asked]
    for row, cells in zip(rows, by_year, strict=True):
        for cell in cells:
            row.setdefault((id(cell.view), cell.row.place.row), cell)
    shared = [key for key in rows[0] if all(key in other for other in rows)]
    best = find_among([rows[0][key] for key in shared], asked[0], hint)
    if best is None:
        return None
    return [row[id(best.view), best.row.place.row] for row in rows]


def find_cell(asked: Asked, tables: Sequence[TableView], hint: frozenset[str] = frozenset()) -> FoundCell | None:
    """Return the one cell that is asked for, or `None` when there is none or several hold different values.

    `hint` are words of the question that say which table is meant ("in the cash flow statement"). Where the words name
    a document, the cell is one of it.
    """
    return find_among(_candidates(asked, tables), asked, hint)


def _candidates(asked: Asked, tables: Sequence[TableView]) -> list[FoundCell]:
    """Return the cells that may be meant, in the order of the tables."""
    found: list[FoundCell] = []
    whose = documents_named(asked.text, {view.doc_name for view in tables})
    for view in tables:
        if (whose and view.doc_name not in whose) or _is_elsewhere(asked, view):
            continue
        for col in columns_for(asked, view):
            column = name_terms(view.header[col]) if col != view.stub else frozenset()
            for row in view.rows:
                score = _row_score(asked, row, view, column | (asked.names if whose else frozenset()))
                if score >= _GOOD:
                    found.append(FoundCell(view, row, col, score))
    return found


def find_among(found: Sequence[FoundCell], asked: Asked, hint: frozenset[str]) -> FoundCell | None:
    """Return the likeliest of some cells, `None` where others as likely hold different values.

    The first of the statements in a document are those of the company; those of a subsidiary or guarantor come behind.
    """
    if not found:
        return None
    ranks = {id(cell): _rank(cell, asked, hint) for cell in found}
    best = max(found, key=lambda cell: (*ranks[id(cell)], not cell.is_empty))
    rivals = [cell for cell in found if ranks[id(cell)] == ranks[id(best)] and cell is not best]
    if best.view.is_statement:
        rivals = [cell for cell in rivals if cell.view.doc_id != best.view.doc_id or cell.view is best.view]
    return None if any(_differs(cell, best) for cell in rivals) else best


def _is_elsewhere(asked: Asked, view: TableView) -> bool:
    """Say whether a figure stands in another of the statements: inventories in that of cash flows are changes."""
    return asked.statement is not None and view.statement is not None and asked.statement != view.statement


def _rank(cell: FoundCell, asked: Asked, hint: frozenset[str]) -> tuple[float, bool, bool, int]:
    """Return how likely a cell is meant: by its row, as one of the statements, by the words about its table."""
    is_its = cell.view.statement is not None and cell.view.statement == asked.statement
    is_statement = cell.view.is_statement
    hint = hint & _OF_STATEMENTS if is_statement else hint
    return round(cell.score, 3), is_its and is_statement, is_statement, len(hint & cell.view.context_terms)


def _differs(one: FoundCell, other: FoundCell) -> bool:
    a, b = number_in_cell(one.text), number_in_cell(other.text)
    return one.text != other.text if a is None or b is None else abs(a) != abs(b)


def columns_for(asked: Asked, view: TableView) -> list[int]:
    """Return the columns that a question means: that of its year, or those whose names it holds best."""
    places = [col for col in range(len(view.header)) if col != view.stub]
    if asked.year is not None:
        dated = [col for col in places if set(YEAR.findall(view.header[col])) == {asked.year}]
        plain = [col for col in dated if not _CHANGE.search(view.header[col])] or dated
        best = max((_held(asked, view.header[col]) for col in plain), default=0.0)
        return [col for col in plain if _held(asked, view.header[col]) == best]
    if any(YEAR.search(view.header[col]) for col in places):
        return []
    held = {col: _held(asked, view.header[col]) for col in places}
    best = max(held.values(), default=0.0)
    return [col for col in places if held[col] == best] if best > 0 else []


def _held(asked: Asked, name: str) -> float:
    """Return the share of a column's name that the question holds."""
    own = plain_terms(YEAR.sub(" ", name))
    return len(own & (asked.terms | asked.days)) / len(own) if own else 0.0


def _row_score(asked: Asked, row: TableRow, view: TableView, column: frozenset[str]) -> float:
    """Return how well a row is what words ask for: 1 when it is named by just these words."""
    is_share = SHARE_OF.search(row.name) is not None
    if is_share and not asked.is_share:
        return 0.0
    subject = column | (asked.names & view.read_terms)
    part = 1.0 if is_share == asked.is_share else _NO_SHARE
    own = max(_score(terms, row, view, subject) for terms in (asked.terms, *asked.others))
    renamed = max((_like(terms, asked) * _score(terms, row, view, subject) for terms in asked.renamed), default=0.0)
    return part * max(own, renamed)


def _like(terms: frozenset[str], asked: Asked) -> float:
    """Return how good another name of a figure is: "total revenues" for revenue comes before "net sales"."""
    return _NEARER if (terms & asked.terms) - LIGHT - asked.names else _RENAMED


def _score(terms: frozenset[str], row: TableRow, view: TableView, told: frozenset[str]) -> float:
    own = row.terms - SILENT
    own = frozenset(term for term in own if term in terms or not view.is_of(term))
    common = own & terms
    if not common - LIGHT:
        return 0.0
    grouped = (row.group_terms & terms) - own
    elsewhere = view.context_terms | told
    missing = terms - own - grouped - elsewhere - (_MEASURED - view.read_terms)
    # What only the group says is half said: "Total assets" below "Current assets" are not the total current assets.
    half = 0.5 * _weight(grouped)
    held = _weight(common) + half
    return held / (held + half + _weight(missing) + _EXTRA * _weight(own - terms))


def row_names(asked: Asked, name: str) -> float:
    """Return how likely a row of a name states a figure, whatever its table: 0 where it does not, else up to 1."""
    own = name_terms(name) - SILENT
    if SHARE_OF.search(name) is not None and not asked.is_share:
        return 0.0
    best = 0.0
    for terms in (asked.terms, *asked.others, *asked.renamed):
        wanted = terms - asked.names or terms
        common = own & wanted
        if common - LIGHT:
            held = _weight(common)
            best = max(best, held / (held + _weight(wanted - own) + _EXTRA * _weight(own - wanted - asked.names)))
    return best if best >= _LIKELY else 0.0


def _weight(terms: frozenset[str]) -> float:
    return sum(_LIGHT_WEIGHT if term in LIGHT else 1.0 for term in terms)


def quantity(cell: FoundCell) -> Quantity | None:
    """Return the number in a cell with the unit that cell, column, row or table give it; `None` when it holds none."""
    number = number_in_cell(cell.text)
    if number is None:
        return None
    place = cell.row.place
    sign = next((sign for sign in ("$", "€", "£", "¥", "₹") if sign in cell.text), None)
    unit = "%" if "%" in cell.text else _named_unit(cell.view.header[cell.col]) or _named_unit(cell.row.name)
    is_plain = unit is None
    return Quantity(
        number=format(number, "f"),
        unit=unit,
        scale=scale_of(place.scale) if is_plain and not _is_per_share(cell) else None,
        currency=currency_of(sign) or (currency_of(place.unit) if is_plain else None),
    )


def _is_per_share(cell: FoundCell) -> bool:
    """Say whether a value is one of those that "in millions, except per share data" leaves out."""
    said = " ".join((cell.row.name, *cell.row.groups)).lower()
    return "per share" in said or "per common share" in said or "per unit" in said


def _named_unit(name: str) -> str | None:
    """Return the unit that the name of a row or column ends in: "Torque (Nm)"."""
    match = _IN_NAME.search(name)
    if match is None:
        return None
    unit = match[1].strip()
    return unit if unit == "%" or unit_name(unit) is not None else None

"""Look-up in tables: the row and the column that words and years name, and what stands where they meet."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.conditions import is_blank
from pincite.answering.figure_names import other_names
from pincite.answering.tables import TableRow, TableView, name_terms
from pincite.answering.whose import documents_named
from pincite.text.cells import number_in_cell
from pincite.text.derived import currency_of, scale_of
from pincite.text.tokens import stem
from pincite.text.units import unit_name
from pincite.types.answer import Quantity
from pincite.types.question import Keyword

YEAR: Final = re.compile(r"(?<!\d)(?:FY\s?'?)?((?:19|20)\d\d)(?!\d)", re.IGNORECASE)
_RANGE: Final = re.compile(
    r"(?<!\d)(?:FY\s?)?((?:19|20)\d\d)\s*(?:-|–|—|to|through|until)\s*(?:FY\s?)?((?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
#: Words of a question about a figure that neither a row nor a column repeats.
_SILENT: Final = frozenset(
    stem(word)
    for word in """fiscal fy year years ended ending end quarter company amount value figure figures number much
    usd eur dollars dollar million millions billion billions thousand thousands percent percentage units unit reported
    report recorded according data table row column cell did does do is are was were has have show give tell state say
    answer question financial annual""".split()
)
#: Words that tell a sum from its parts, and are often left out: they count for little.
_LIGHT: Final = frozenset(stem(word) for word in "total net consolidated overall all".split())
_LIGHT_WEIGHT: Final = 0.3
#: Figures that are made of others, and short names that share no word with their long form.
_MADE: Final = frozenset(
    stem(word)
    for word in """ratio margin turnover return rate growth days cycle coverage yield conversion free working average
    ebitda per multiple intensity intensive leverage""".split()
)
_SHORT: Final = frozenset({stem("capex")})
#: A row that holds less than this of what is asked, or more than that beside it, is another row.
_GOOD: Final = 0.62
#: Tables with rows that hold less of a name are not read for it.
_LIKELY: Final = 0.45
#: A word that the row has and the question has not costs this much of one that is missing in the row.
_EXTRA: Final = 0.5
#: A row of shares of a figure is not the figure: "Percentage of total revenue".
#: A row that is no share, asked for as one; a row under another of the names that companies print a figure with.
_NO_SHARE, _RENAMED = 0.9, 0.97
_SHARE_OF: Final = re.compile(
    r"\b(?:percent(?:age)?|share|proportion)\s+of\b|%\s*of\b|\bas an? (?:percent|%)", re.IGNORECASE
)
_CHANGE: Final = re.compile(r"change|growth|%|variance|increase|decrease|\bvs\b", re.IGNORECASE)
#: A word written as a name, which does not open the sentence.
_NAME: Final = re.compile(r"(?<=[^\s.?!:] )[A-Z][\w&.-]*(?:['’]s)?")
_ASIDE: Final = re.compile(r"\([^()]*\)")
_IN_NAME: Final = re.compile(r"[(\[,]\s*(?:in\s+)?([^()\[\],]{1,14}?)\s*[)\]]?\s*$")


@dataclass(frozen=True, slots=True)
class Asked:
    """What one value is asked by: the words that name it, other ways to say them, the year as text or `None`.

    `names` are those of its words that are written as names: whose figures they are, where the document speaks of them.
    `renamed` is what companies print the same figure as. `is_share` says that a share is asked for ("percentage of revenue"); `text` are the words themselves.
    """

    terms: frozenset[str]
    others: tuple[frozenset[str], ...] = ()
    year: str | None = None
    names: frozenset[str] = frozenset()
    renamed: tuple[frozenset[str], ...] = ()
    is_share: bool = False
    text: str = ""


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


def phrase(text: str, keywords: Iterable[Keyword] = (), *, year: str | None = None) -> Asked:
    """Return what words of a question ask for; `keywords` of the vocabulary are other ways to say them."""
    own = _plain_terms(_ASIDE.sub(" ", YEAR.sub(" ", text)))
    others = []
    for keyword in keywords:
        if keyword.origin != "vocabulary" or not keyword.stands_for:
            continue
        replaced, other = _plain_terms(keyword.stands_for), _plain_terms(keyword.text)
        if replaced and replaced <= own and _is_same_thing(replaced, other):
            others.append((own - replaced) | other)
    names = name_terms(" ".join(_NAME.findall(text)))
    renamed = tuple(other_names(own, names | _LIGHT))
    return Asked(own, tuple(others), year, names, renamed=renamed, is_share=_SHARE_OF.search(text) is not None, text=text)


def _is_same_thing(named: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether a vocabulary's words name the same figure; those for a ratio only lead to what it is made of."""
    return not named & _MADE and bool((named & other) - _LIGHT or named <= _SHORT)


def _plain_terms(text: str) -> frozenset[str]:
    """Return the index terms of words that name something; "total" is no stop word of a table."""
    terms = name_terms(text)
    return frozenset(t for t in terms if t not in _SILENT and not YEAR.fullmatch(t))


def years_of(text: str) -> tuple[str, ...]:
    """Return the years that a text names, those within a range included.

    >>> years_of("FY2018 - FY2020"), years_of("in 2019")
    (('2018', '2019', '2020'), ('2019',))
    """
    found: dict[str, None] = {}
    for match in _RANGE.finditer(text):
        first, last = int(match[1]), int(match[2])
        if 0 < last - first <= 10:
            found.update(dict.fromkeys(map(str, range(first, last + 1))))
    found.update(dict.fromkeys(YEAR.findall(text)))
    return tuple(sorted(found))


def find_cell(asked: Asked, tables: Sequence[TableView], hint: frozenset[str] = frozenset()) -> FoundCell | None:
    """Return the one cell that is asked for, or `None` when there is none or several hold different values.

    `hint` are words of the question that say which table is meant ("in the cash flow statement"). Where the words name
    a document, the cell is one of it.
    """
    found: list[FoundCell] = []
    whose = documents_named(asked.text, {view.doc_name for view in tables})
    for view in tables:
        if whose and view.doc_name not in whose:
            continue
        for col in columns_for(asked, view):
            column = name_terms(view.header[col]) if col != view.stub else frozenset()
            for row in view.rows:
                score = _row_score(asked, row, view, column | (asked.names if whose else frozenset()))
                if score >= _GOOD:
                    found.append(FoundCell(view, row, col, score))
    if not found:
        return None
    ranks = {id(cell): _rank(cell, hint) for cell in found}
    best = max(found, key=lambda cell: (*ranks[id(cell)], not cell.is_empty))
    rivals = [cell for cell in found if ranks[id(cell)] == ranks[id(best)] and cell is not best]
    if best.view.is_statement:
        # Statements of others (a subsidiary, a guarantor) come behind those of the company, in the same document.
        rivals = [cell for cell in rivals if cell.view.doc_id != best.view.doc_id or cell.view is best.view]
    if any(_differs(cell, best) for cell in rivals):
        return None
    return best


def _rank(cell: FoundCell, hint: frozenset[str]) -> tuple[float, bool, int]:
    """Return how likely a cell is meant: by its row, as one of the statements, by the words about its table."""
    return round(cell.score, 3), cell.view.is_statement, len(hint & cell.view.context_terms)


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
    own = _plain_terms(YEAR.sub(" ", name))
    return len(own & asked.terms) / len(own) if own else 0.0


def _row_score(asked: Asked, row: TableRow, view: TableView, column: frozenset[str]) -> float:
    """Return how well a row is what words ask for: 1 when it is named by just these words."""
    is_share = _SHARE_OF.search(row.name) is not None
    if is_share and not asked.is_share:
        return 0.0
    subject = column | (asked.names & view.read_terms)
    part = 1.0 if is_share == asked.is_share else _NO_SHARE
    own = max(_score(terms, row, view, subject) for terms in (asked.terms, *asked.others))
    renamed = max((_score(terms, row, view, subject) for terms in asked.renamed), default=0.0)
    return part * max(own, _RENAMED * renamed)


def _score(terms: frozenset[str], row: TableRow, view: TableView, told: frozenset[str]) -> float:
    own = row.terms - _SILENT
    common = own & terms
    if not common - _LIGHT:
        return 0.0
    grouped = (row.group_terms & terms) - own
    elsewhere = view.context_terms | told
    missing = terms - own - grouped - elsewhere
    # What only the group says is half said: "Total assets" below "Current assets" are not the total current assets.
    half = 0.5 * _weight(grouped)
    held = _weight(common) + half
    return held / (held + half + _weight(missing) + _EXTRA * _weight(own - terms))


def row_names(asked: Asked, name: str) -> float:
    """Return how likely a row of a name states a figure, whatever its table: 0 where it does not, else up to 1."""
    own = name_terms(name) - _SILENT
    if _SHARE_OF.search(name) is not None and not asked.is_share:
        return 0.0
    best = 0.0
    for terms in (asked.terms, *asked.others, *asked.renamed):
        wanted = terms - asked.names or terms
        common = own & wanted
        if common - _LIGHT:
            held = _weight(common)
            best = max(best, held / (held + _weight(wanted - own) + _EXTRA * _weight(own - wanted - asked.names)))
    return best if best >= _LIKELY else 0.0


def _weight(terms: frozenset[str]) -> float:
    return sum(_LIGHT_WEIGHT if term in _LIGHT else 1.0 for term in terms)


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

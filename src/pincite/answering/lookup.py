"""Look-up in tables: the row and the column that words and years name, and what stands where they meet."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.conditions import is_blank
from pincite.answering.measures import MEASURED
from pincite.answering.tables import TableRow, TableView, name_terms
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
_MEASURED: Final = frozenset(map(stem, MEASURED))
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
#: A word that the row has and the question has not costs this much of one that is missing in the row.
_EXTRA: Final = 0.5
_CHANGE: Final = re.compile(r"change|growth|%|variance|increase|decrease|\bvs\b", re.IGNORECASE)
#: A word written as a name, which does not open the sentence.
_NAME: Final = re.compile(r"(?<=[^\s.?!:] )[A-Z][\w&.-]*(?:['’]s)?")
_ASIDE: Final = re.compile(r"\([^()]*\)")
_IN_NAME: Final = re.compile(r"[(\[,]\s*(?:in\s+)?([^()\[\],]{1,14}?)\s*[)\]]?\s*$")


@dataclass(frozen=True, slots=True)
class Asked:
    """What one value is asked by: the words that name it, other ways to say them, the year as text or `None`.

    `names` are those of its words that are written as names: whose figures they are, where the document speaks of them.
    """

    terms: frozenset[str]
    others: tuple[frozenset[str], ...] = ()
    year: str | None = None
    names: frozenset[str] = frozenset()


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
    return Asked(own, tuple(others), year, name_terms(" ".join(_NAME.findall(text))))


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

    `hint` are words of the question that say which table is meant ("in the cash flow statement").
    """
    found: list[FoundCell] = []
    for view in tables:
        for col in columns_for(asked, view):
            column = name_terms(view.header[col]) if col != view.stub else frozenset()
            for row in view.rows:
                score = _row_score(asked, row, view, column)
                if score >= _GOOD:
                    found.append(FoundCell(view, row, col, score))
    if not found:
        return None
    named = {id(cell): len(hint & cell.view.context_terms) for cell in found}
    best = max(found, key=lambda cell: (round(cell.score, 3), named[id(cell)], not cell.is_empty))
    rivals = [
        cell
        for cell in found
        if round(cell.score, 3) == round(best.score, 3) and named[id(cell)] == named[id(best)] and cell is not best
    ]
    if any(_differs(cell, best) for cell in rivals):
        return None
    return best


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
    subject = column | (asked.names & view.read_terms)
    return max(_score(terms, row, view, subject) for terms in (asked.terms, *asked.others))


def _score(terms: frozenset[str], row: TableRow, view: TableView, told: frozenset[str]) -> float:
    own = row.terms - _SILENT
    common = own & terms
    if not common - _LIGHT:
        return 0.0
    grouped = (row.group_terms & terms) - own
    elsewhere = view.context_terms | told
    missing = terms - own - grouped - elsewhere - (_MEASURED - view.read_terms)
    # What only the group says is half said: "Total assets" below "Current assets" are not the total current assets.
    half = 0.5 * _weight(grouped)
    held = _weight(common) + half
    return held / (held + half + _weight(missing) + _EXTRA * _weight(own - terms))


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

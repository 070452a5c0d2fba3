"""Table cells: where the row and the column of a question meet, rows without a value, rows that may not answer."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.asked import Asked
from pincite.answering.asked_words import ASKS, words_of
from pincite.answering.conditions import all_terms, content_terms, is_blank
from pincite.answering.labels import labelled_value
from pincite.answering.lists import ListItem
from pincite.answering.measures import MEASURED, measure_of
from pincite.answering.numbered import numbered_item, text_of
from pincite.answering.records import name_column
from pincite.answering.units import Unit
from pincite.text.dates import find_dates
from pincite.text.marks import without_markdown
from pincite.text.stopwords import FORM, WEAK
from pincite.text.tokens import is_stop_term, token_terms
from pincite.types.question import GenerationBrief


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """What a table says: the cells found, the row each stands in; `is_empty` when the cell of `row` asked for is.

    `unmet` is what the question asks of the row beside its name, and other rows have in its place.
    """

    items: tuple[ListItem, ...]
    column: str
    is_empty: bool = False
    row: str = ""
    unmet: str = ""


#: A cell answers only where its row, its column names and its headings hold this much of the question.
_CELL_COVERAGE: Final = 0.6

_Words = Mapping[str, frozenset[str]]


def cell_answer(brief: GenerationBrief, asked: Asked, units: Sequence[Unit]) -> CellAnswer | None:
    """Return the cell where the row and the column that the question names meet, or the rows that meet a condition.

    An empty cell is an answer of its own kind: nothing is stated there, whatever its neighbours hold.
    """
    words = words_of(brief)
    field = _field(brief, words, units)
    if field is not None:
        return field
    step = numbered_item(brief, units)
    if step is not None:
        return CellAnswer((ListItem(text_of(step), (step,)),), "")
    unmet: CellAnswer | None = None
    for table in _tables(units):
        header = table[0].line.header
        words = {**words_of(brief), **_asked_name(brief.question, header)}
        column = _column(header, words, brief.question)
        column = _place_column(header, brief.question) if column is None else column
        if column is None:
            continue
        if brief.shape == "list" and _asks_for_empty(brief.question):
            return _empty_rows(table, column)
        row = _named_row(table, words, column)
        if row is not None and (asked.coverage(row) >= _CELL_COVERAGE or _holds_all(row, words)):
            cells = row.line.cells
            cell = cells[column].strip() if column < len(cells) else ""
            cell = "" if is_blank(cell) else without_markdown(cell).text.strip() if row.line.is_markdown else cell
            item = ListItem(cell, (row,), column)
            name = next((text.strip() for at, text in enumerate(cells) if at != column and text.strip()), "")
            other = _unmet(row, table, words, column)
            if other:
                unmet = unmet or CellAnswer((), header[column], is_empty=True, row=name, unmet=other)
                continue
            return CellAnswer((item,) if cell else (), header[column], is_empty=not cell, row=name)
    return unmet or _labelled(brief, words_of(brief), units)


def _unmet(row: Unit, table: Sequence[Unit], words: _Words, column: int) -> str:
    """Return the cell of another row that the question names where this row has something else: "Asia" for "Europe"."""
    told = _context(row) | frozenset(t for c in (*row.line.cells, *row.line.header) for t in content_terms(c))
    left = {term for text, terms in words.items() if not terms & told for term in terms}
    asked = frozenset(term for terms in words.values() for term in terms)
    for other in table:
        for at, (text, own) in enumerate(zip(other.line.cells, row.line.cells, strict=False)):
            terms = _terms_of(text)
            if at != column and text != own and terms <= asked and terms & left:
                return text.strip()
    return ""


def _labelled(brief: GenerationBrief, words: _Words, units: Sequence[Unit]) -> CellAnswer | None:
    """Return the value of the label that is asked for of a thing; amounts are read elsewhere, with their unit."""
    if brief.shape not in ("text", "date"):
        return None
    found = labelled_value(words, units)
    if found is None or (brief.shape == "date" and not find_dates(found.value)):
        return None
    return CellAnswer((ListItem(found.value, (found.unit,)),), found.label)


_FIELD: Final = re.compile(r"^(?P<label>[^:]{2,80}):\s+(?P<value>\S.*)$", re.DOTALL)


def _field(brief: GenerationBrief, words: _Words, units: Sequence[Unit]) -> CellAnswer | None:
    """Return the value of the one form field whose label is what is asked for: "What are the remarks?"."""
    if brief.shape not in ("text", "list", "amount"):
        return None
    found: dict[Unit, re.Match[str]] = {}
    for unit in units:
        match = _FIELD.match(unit.text) if unit.kind == "form" else None
        label = content_terms(match["label"]) if match else frozenset()
        asked = [terms for text, terms in words.items() if text.lower() not in WEAK or terms & label]
        if match and label and asked and all(terms & label for terms in asked) and all(_is_in(t, asked) for t in label):
            found[unit] = match
    if len(found) != 1:
        return None
    ((unit, match),) = found.items()
    has_number = any(c.isdigit() for c in match["value"])
    if brief.shape == "amount" and has_number:
        return None  # read with its unit, which the label may name
    return CellAnswer((ListItem(match["value"].strip(), (unit,)),), match["label"].strip())


def _is_in(term: str, asked: Sequence[frozenset[str]]) -> bool:
    return any(term in terms for terms in asked)


def fitting_rows(brief: GenerationBrief, units: Sequence[Unit]) -> list[Unit]:
    """Return the units without the table rows that hold nothing of what the question asks beside its column.

    The row of the Beta does not say what the Alpha weighs, nor does a row of weights say what something costs.
    """
    words = words_of(brief)
    dropped: set[Unit] = set()
    for table in _tables(units):
        column = _column(table[0].line.header, words, brief.question)
        names = {row: _named_by(row, words, -1) for row in table}
        for row in table:
            told = _context(row) | names[row]
            if column is not None:
                told |= _header_terms(table[0].line.header[column])
            rest = [terms for text, terms in words.items() if _matters(text, brief) and not (terms & told)]
            own = content_terms(" ".join(row.line.cells)) | row.measures | frozenset(content_terms(_plain_header(row)))
            if rest and not any(terms & own for terms in rest):
                dropped.add(row)
    rows = {key for row in dropped if (key := _row_key(row)) is not None}
    return [unit for unit in units if unit not in dropped and _row_key(unit) not in rows]


def _row_key(unit: Unit) -> tuple[str, int, int] | None:
    """Return which row of which table a unit is a line of."""
    place = unit.line.table
    return None if place is None else (unit.doc_id, place.table_id, place.row)


def _plain_header(row: Unit) -> str:
    return " ".join(name for name, cell in zip(row.line.header, row.line.cells, strict=False) if not is_blank(cell))


def _matters(text: str, brief: GenerationBrief) -> bool:
    if text.startswith(ASKS):
        return True
    weight = next((k.weight for k in brief.keywords if k.text == text), 1.0)
    return weight >= 1.0 and text.lower() not in WEAK and text.lower() not in FORM


def _tables(units: Sequence[Unit]) -> list[list[Unit]]:
    """Return the rows of tables, one unit a row: of a row on several lines that with most of its cells."""
    tables: dict[tuple[object, ...], dict[object, Unit]] = defaultdict(dict)
    for unit in units:
        line, place = unit.line, unit.line.table
        if line.cells and line.header and line.cells != line.header:
            rows = tables[(unit.doc_id, line.header)]
            key = (place.table_id, place.row) if place is not None else unit.order
            known = rows.get(key)
            if known is None or _n_cells(unit) > _n_cells(known):
                rows[key] = unit
    return [list(rows.values()) for rows in tables.values()]


def _n_cells(unit: Unit) -> int:
    """Return how many cells of its row stand on the line of a unit."""
    place, line_id = unit.line.table, unit.line.line.line_id
    return 0 if place is None else sum(line_id in ids for ids in place.cell_lines)


_NUMBER: Final = re.compile(r"\d+")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def _column(header: Sequence[str], words: _Words, question: str) -> int | None:
    """Return the column whose name the question holds best; the first column names the rows.

    Of columns that differ in a number ("Officers 2030", "Officers 2031") the one with the question's number is meant.
    """
    naming = name_column(header)
    numbers = {n for text in words for n in _NUMBER.findall(text)} & {n for h in header for n in _NUMBER.findall(h)}
    years = {year for text in words for year in _YEAR.findall(text)}
    said = set(question.lower().split())
    best, chosen = (0.0, 0.0, 0), None
    for number, name in enumerate(header):
        if number == naming or (numbers and not numbers <= set(_NUMBER.findall(name))):
            continue
        if years and (own := set(_YEAR.findall(name))) and not own & years:
            continue  # "December 31, 2017" is no column of December 31, 2018
        asked_terms = frozenset[str]().union(*words.values())
        # A unit behind the name ("Length (m)") counts only where it is asked for.
        named = _terms_of(_UNIT_BEHIND.sub("", name)) or _terms_of(name)
        terms = named | {t for t in _terms_of(name) if t in asked_terms}
        held = sum(max((_asks_for(t, asked) for asked in words.values()), default=0.0) for t in terms)
        is_only_number = held == len(numbers) and bool(numbers) and len(terms) > held
        score = held / len(terms) if terms and not is_only_number else 0.0
        # Of two names that the question holds whole the longer one is meant: "Broker Non-Votes", not "Votes For".
        rank = (score, held, len(said & set(name.lower().split())))
        if score > 0 and rank > best:
            best, chosen = rank, number
    return chosen


_ASKED_NAME: Final = re.compile(
    r"^\W*what(?:['’]s|\s+(?:is|was|are|were))\s+the\s+(?P<name>[\w-]+)\s+(?:of|for)\b", re.IGNORECASE
)


def _asked_name(question: str, header: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return the word that is asked for where it is the very name of a column, though it may ask elsewhere: "state"."""
    match = _ASKED_NAME.match(question)
    terms = frozenset(token_terms(match["name"])[:1]) if match is not None else frozenset()
    is_column = any(terms & content_terms(name) for name in header)
    return {match["name"]: terms} if match is not None and is_column else {}


_WHERE: Final = re.compile(r"^\W*(?:in welche[rmn]\s|where\b|wo\b|où\b|dónde\b|dove\b)", re.IGNORECASE)
_PLACES: Final = frozenset(
    token_terms(word)[0]
    for word in "place location site position where address city town room building storage shelf venue standort ort "
    "lagerort platz stadt sitz adresse lieu ville emplacement adresse lugar ciudad ubicación luogo città".split()
)


def _place_column(header: Sequence[str], question: str) -> int | None:
    """Return the one column of places, where the question asks for one: "Where is the lathe?"."""
    if not _WHERE.match(question):
        return None
    naming = name_column(header)
    found = [n for n, name in enumerate(header) if n != naming and _PLACES & content_terms(name)]
    return found[0] if len(found) == 1 else None


_UNIT_BEHIND: Final = re.compile(r"(?<=\w)\s*[(\[][^()\[\]]*[)\]]\s*$")


def _terms_of(name: str) -> frozenset[str]:
    return frozenset(t for token in name.split() for t in token_terms(token)[:1] if not is_stop_term(t))


#: A column of the kind asked for ("Price" for "cost") is less surely meant than one of the very name.
_SAME_KIND: Final = 0.9


def _asks_for(term: str, asked: frozenset[str]) -> float:
    """Return how surely a word of a column name is what a word of the question asks for, 0 to 1."""
    if term in asked:
        return 1.0
    return _SAME_KIND if (measure_of(term) or "") in asked else 0.0


def _header_terms(name: str) -> frozenset[str]:
    terms = content_terms(name)
    kinds = frozenset(m for t in terms if (m := measure_of(t)) is not None)
    return terms | kinds


def _named_row(table: Sequence[Unit], words: _Words, column: int) -> Unit | None:
    """Return the one row that the question names, by its first cell, or by cells of other columns."""
    naming = name_column(table[0].line.header)
    asked = frozenset(t for terms in words.values() for t in terms)
    named = [r for r in table if naming < len(r.line.cells) and _is_name(r.line.cells[naming], asked)]
    most = max((len(_terms_of(row.line.cells[naming])) for row in named), default=0)
    named = [row for row in named if len(_terms_of(row.line.cells[naming])) == most]
    if len(named) > 1:
        # Rows of one name are told apart by the other cells that the question names.
        named = _telling(named, words, column)
    if not named and most == 0:
        named = _telling([r for r in table if _named_by(r, words, column)], words, column)
        named = [r for r in named if _holds_all(r, words)]
    return named[0] if len(named) == 1 else None


def _telling(rows: Sequence[Unit], words: _Words, column: int) -> list[Unit]:
    """Return the rows whose cells hold most of the question's words."""
    held = {row: len(_held_words(row, words, column)) for row in rows}
    most = max(held.values(), default=0)
    return [row for row in rows if held[row] == most]


def _held_words(row: Unit, words: _Words, column: int) -> list[str]:
    cells = " ".join(c for n, c in enumerate(row.line.cells) if n != column)
    own = {t for token in cells.split() for t in token_terms(token)[:1]}
    return [text for text, terms in words.items() if terms & own]


def _named_by(row: Unit, words: _Words, column: int) -> frozenset[str]:
    """Return the terms of the question that stand in cells of the row other than the column asked for."""
    held = _held_words(row, words, column)
    return frozenset(t for text in held for t in words[text])


def _holds_all(row: Unit, words: _Words) -> bool:
    """Say whether the row, its column names and its titles hold every word of the question itself."""
    header = frozenset(t for name in row.line.header for t in _header_terms(name))
    cells = all_terms(" ".join(row.line.cells))
    told = header | cells | row.measures | _context(row)
    return all(terms & told or text.lower() in WEAK or text.lower() in MEASURED for text, terms in words.items())


def _context(row: Unit) -> frozenset[str]:
    terms = row.heading_terms | content_terms(row.lead) | content_terms(re.sub(r"[._-]", " ", row.line.doc_name))
    # Under "Fares" stands what things cost.
    return terms | {kind for term in terms if (kind := measure_of(term)) is not None}


def _is_name(cell: str, terms: frozenset[str]) -> bool:
    """Say whether terms have all of a name; what it adds in brackets need not be asked: "Child (4–15)"."""
    own = _terms_of(_BRACKETS.sub("", cell)) or _terms_of(cell)
    return bool(own) and own <= terms


_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")


def _asks_for_empty(question: str) -> bool:
    return bool(
        re.search(r"\b(?:no|without|missing|lack(?:s|ing)?|not (?:stated|given|measured))\b", question, re.IGNORECASE)
    )


def _empty_rows(table: Sequence[Unit], column: int) -> CellAnswer:
    empty = [row for row in table if column < len(row.line.cells) and is_blank(row.line.cells[column])]
    naming = name_column(table[0].line.header)
    items = tuple(ListItem(row.line.cells[naming].strip(), (row,)) for row in empty if row.line.cells[naming].strip())
    return CellAnswer(items, table[0].line.header[column], is_empty=not items)

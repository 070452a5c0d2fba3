"""Sets of like things: sections named alike ("Project P-001" …) and table rows; counted, or filtered by a condition."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.asked import Asked
from pincite.answering.lists import FoundList, ListItem
from pincite.answering.units import Unit
from pincite.text.tokens import is_stop_term, stem, token_terms
from pincite.types.question import GenerationBrief


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Sections whose headings begin alike, each with the units below it."""

    noun: str
    headings: tuple[Unit, ...]
    bodies: tuple[tuple[Unit, ...], ...]


def record_sets(brief: GenerationBrief, units: Sequence[Unit]) -> list[RecordSet]:
    """Return sets of at least three sections whose headings begin with a noun of the question."""
    nouns = {stem(w.lower()) for k in brief.keywords for w in re.findall(r"[^\W\d_]{3,}", k.text)}
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position, unit in enumerate(units):
        words = re.findall(r"[^\W\d_]{3,}", unit.text)
        if unit.kind == "heading" and words and stem(words[0].lower()) in nouns and re.search(r"\d", unit.text):
            groups[(unit.doc_id, stem(words[0].lower()))].append(position)
    sets = []
    for (_, noun), positions in groups.items():
        if len(positions) >= 3:
            bodies = tuple(_body(units, position) for position in positions)
            sets.append(RecordSet(noun, tuple(units[p] for p in positions), bodies))
    return sets


def _body(units: Sequence[Unit], heading_at: int) -> tuple[Unit, ...]:
    heading = units[heading_at]
    body = []
    for unit in units[heading_at + 1 :]:
        if unit.kind == "heading" and unit.section_key != heading.section_key:
            break
        if unit.section_key == heading.section_key:
            body.append(unit)
    return tuple(body)


_LOW_INFORMATION: Final = frozenset(stem(w) for w in "register document file list all every total there".split())


def records_with(brief: GenerationBrief, records: RecordSet) -> FoundList | None:
    """Return the records that meet the condition of the question, each by its heading and the unit that says so.

    `None` when the question states no condition beyond the noun.
    """
    condition = condition_terms(brief, records.noun)
    if not condition:
        return None
    items = []
    for heading, body in zip(records.headings, records.bodies, strict=True):
        unit = next((u for u in body if _meets(u, condition, brief)), None)
        if unit is not None:
            items.append(ListItem(heading.text, (heading, unit)))
    return FoundList(tuple(items), 1.0, "records") if items else None


def condition_terms(brief: GenerationBrief, noun: str) -> list[frozenset[str]]:
    """Return the terms of the words beside the noun, one set of alternatives a word."""
    found = []
    for keyword in brief.keywords:
        terms = [t for token in keyword.text.split() for t in token_terms(token)]
        if terms and noun not in terms and not all(is_stop_term(t) or t in _LOW_INFORMATION for t in terms):
            found.append(frozenset(terms))
    return found


_NEGATED: Final = re.compile(r"\b(?:not|no|never|without)\b", re.IGNORECASE)


def _meets(unit: Unit, condition: Sequence[frozenset[str]], brief: GenerationBrief) -> bool:
    if not all(unit.terms & alternatives for alternatives in condition):
        return False
    return bool(_NEGATED.search(unit.text)) == bool(_NEGATED.search(brief.question))


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """What a table says: the cells found, the row each stands in; `is_empty` when the cell asked for is empty."""

    items: tuple[ListItem, ...]
    column: str
    is_empty: bool = False


#: A cell answers only where its row, its column names and its headings hold this much of the question.
_CELL_COVERAGE: Final = 0.6


def cell_answer(brief: GenerationBrief, asked: Asked, units: Sequence[Unit]) -> CellAnswer | None:
    """Return the cell where the row and the column that the question names meet, or the rows that meet a condition.

    An empty cell is an answer of its own kind: nothing is stated there, whatever its neighbours hold.
    """
    rows = [u for u in units if u.line.cells and u.line.header and u.line.cells != u.line.header]
    if not rows:
        return None
    words = {k.text: frozenset(t for token in k.text.split() for t in token_terms(token)) for k in brief.keywords}
    for table in _tables(rows):
        column = _column(table[0].line.header, words)
        if column is None:
            continue
        if brief.shape == "list" and _asks_for_empty(brief.question):
            return _empty_rows(table, column)
        row = _named_row(table, words, column)
        if row is not None and asked.coverage(row) >= _CELL_COVERAGE:
            cells = row.line.cells
            cell = cells[column].strip() if column < len(cells) else ""
            cell = "" if _is_blank(cell) else cell
            item = ListItem(cell, (row,))
            return CellAnswer((item,) if cell else (), table[0].line.header[column], is_empty=not cell)
    return None


def _tables(rows: Sequence[Unit]) -> list[list[Unit]]:
    tables: dict[tuple[str, tuple[str, ...]], list[Unit]] = defaultdict(list)
    for row in rows:
        tables[(row.doc_id, row.line.header)].append(row)
    return list(tables.values())


def _column(header: Sequence[str], words: dict[str, frozenset[str]]) -> int | None:
    """Return the column whose name the question holds best; the first column names the rows."""
    best, chosen = 0.0, None
    for number, name in enumerate(header):
        if number == 0:
            continue
        terms = [t for t in {t for token in name.split() for t in token_terms(token)[:1]} if not is_stop_term(t)]
        held = sum(any(t in alternatives for alternatives in words.values()) for t in terms)
        score = held / len(terms) if terms else 0.0
        if score > best:
            best, chosen = score, number
    return chosen


def _named_row(table: Sequence[Unit], words: dict[str, frozenset[str]], column: int) -> Unit | None:
    asked = frozenset(t for terms in words.values() for t in terms)
    named = [row for row in table if row.line.cells[0].strip() and _is_name(row.line.cells[0], asked)]
    most = max((len(_own(row.line.cells[0])) for row in named), default=0)
    named = [row for row in named if len(_own(row.line.cells[0])) == most]
    return named[0] if len(named) == 1 and column else None


_BLANK: Final = re.compile(r"\W*(?:n\s?/?\s?a\.?|n\.\s?a\.|none given|k\.\s?A\.|s\.?\s?o\.?)?\W*", re.IGNORECASE)


def _is_blank(cell: str) -> bool:
    return _BLANK.fullmatch(cell) is not None


def _own(cell: str) -> frozenset[str]:
    return frozenset(t for token in cell.split() for t in token_terms(token)[:1] if not is_stop_term(t))


def _is_name(cell: str, terms: frozenset[str]) -> bool:
    own = _own(cell)
    return bool(own) and own <= terms


def _asks_for_empty(question: str) -> bool:
    return bool(
        re.search(r"\b(?:no|without|missing|lack(?:s|ing)?|not (?:stated|given|measured))\b", question, re.IGNORECASE)
    )


def _empty_rows(table: Sequence[Unit], column: int) -> CellAnswer:
    empty = [row for row in table if column < len(row.line.cells) and _is_blank(row.line.cells[column])]
    items = tuple(ListItem(row.line.cells[0].strip(), (row,)) for row in empty)
    return CellAnswer(items, table[0].line.header[column], is_empty=not items)

"""Values that stand beside their names where no column has a name: two cells, two columns of plain text."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.asked_words import ASKS, words_of
from pincite.answering.conditions import content_terms, is_blank
from pincite.answering.measures import MEASURED, measures_in
from pincite.answering.tables import name_terms
from pincite.answering.units import BULLET, Unit
from pincite.text.amounts import find_quantities
from pincite.text.cells import number_in_cell
from pincite.text.dates import find_dates
from pincite.text.stopwords import FORM, WEAK
from pincite.types.answer import ClaimedQuote, Draft, DraftItem, Value
from pincite.types.citation import CellRef
from pincite.types.question import GenerationBrief
from pincite.types.source import ReadingLine

#: Two fields of a line of plain text, parted by a gap or by points that lead the eye.
_ALIGNED: Final = re.compile(r"^\s*(?P<name>\S(?:.*?\S)?)(?:\s*\.{3,}\s*|\s{2,}|\t+)(?P<value>\S(?:(?!\s{2,}|\t).)*)$")
#: So many lines in a row are two columns; one alone may have a gap by chance.
_FEWEST: Final = 2
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")
_SURE: Final = 0.9


@dataclass(frozen=True, slots=True)
class Pair:
    """A name and the value beside it, the lines they stand on, and the index terms of what they stand under."""

    name: str
    value: str
    lines: tuple[ReadingLine, ...]
    context: frozenset[str]
    column: int | None = None

    def quote(self) -> ClaimedQuote:
        """Return the claim that name and value stand where they were read, pinned to the cell of the value."""
        place = self.lines[0].table
        ref = None
        if place is not None and self.column is not None:
            ref = CellRef(table_id=place.table_id, row=place.row, col=self.column + 1)
        return ClaimedQuote(
            doc_id=self.lines[0].doc_id,
            first_line_id=self.lines[0].line.line_id,
            last_line_id=self.lines[-1].line.line_id,
            quote="\n".join(line.line.text.strip() for line in self.lines),
            cell=ref,
        )


def pair_answer(brief: GenerationBrief, units: Sequence[Unit]) -> Draft | None:
    """Return the value beside the name that a question has, where all else that it asks stands above them."""
    if brief.shape not in ("text", "amount", "date"):
        return None
    words = words_of(brief)
    found = [(rank, pair) for pair in _pairs(units) if (rank := _rank(words, pair)) is not None]
    if not found:
        return None
    best = max(rank for rank, _ in found)
    chosen = [pair for rank, pair in found if rank == best]
    if len({pair.value for pair in chosen}) > 1:
        return None
    value = _value(chosen[0].value, brief)
    if value is None and brief.shape != "text":
        return None
    item = DraftItem(text=chosen[0].value, quotes=(chosen[0].quote(),), value=value)
    return Draft(shape=brief.shape, items=(item,), confidence=_SURE)


#: A question for what a term, code or option means.
_MEANING: Final = re.compile(
    r"^\W*what (?:(?:do|does|did) (?P<does>.+?) (?:mean|stand for|do|denote|indicate)"
    r"|(?:is|are) (?:meant by )?(?P<is>.+?))\W*$",
    re.IGNORECASE,
)
#: What such a thing is called beside its own name.
_CALLED: Final = re.compile(
    r"^(?:an?|the)\s+|\b(?:(?:http|error|exit|status|return|response)\s+)?(?:status|codes?|errors?|options?|flags?|fields?|keys?"
    r"|settings?|switch(?:es)?|parameters?|arguments?|terms?|symbols?|abbreviations?|acronyms?)\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"^(?P<label>[^:–—]{1,60}?)\s*(?::|\s[–—-])\s+\S")


def labelled_meaning(brief: GenerationBrief, units: Sequence[Unit]) -> Draft | None:
    """Return the one list item that begins with the term, code or option whose meaning is asked: "429: too many …"."""
    match = _MEANING.match(brief.question) if brief.shape == "text" else None
    name = _bare(_CALLED.sub(" ", match["does"] or match["is"])) if match is not None else ""
    found = [unit for unit in units if unit.kind == "item" and name and _label_of(unit) == name]
    if len({unit.text for unit in found}) != 1:
        return None
    item = DraftItem(text=BULLET.sub("", found[0].text).strip(), quotes=(found[0].quote(),))
    return Draft(shape="text", items=(item,), confidence=_SURE)


def _label_of(unit: Unit) -> str:
    match = _LABEL.match(BULLET.sub("", unit.text))
    return _bare(_CALLED.sub(" ", match["label"])) if match is not None else ""


def _bare(text: str) -> str:
    return " ".join(re.findall(r"[\w.-]+", text.casefold()))


def _rank(words: dict[str, frozenset[str]], pair: Pair) -> tuple[int, int] | None:
    """Return how much of the question a pair holds; `None` where its name is not asked, or a word stands nowhere."""
    asked = frozenset(term for terms in words.values() for term in terms)
    own = name_terms(_BRACKETS.sub("", pair.name)) or name_terms(pair.name)
    if not own or not own <= asked:
        return None
    told = own | pair.context | measures_in(pair.value)
    for text, terms in words.items():
        is_filling = text.lower() in WEAK or text.lower() in FORM or text.lower() in MEASURED or text.startswith(ASKS)
        if not terms & told and not is_filling:
            return None
    return len(own), sum(bool(terms & told) for terms in words.values())


def _value(text: str, brief: GenerationBrief) -> Value | None:
    if brief.shape == "date":
        dates = find_dates(text)
        return dates[0].value if dates else None
    quantities = find_quantities(text) if brief.shape == "amount" else []
    return quantities[0].value if quantities else None


def _pairs(units: Sequence[Unit]) -> Iterator[Pair]:
    tables: dict[tuple[str, int], dict[int, list[Unit]]] = defaultdict(lambda: defaultdict(list))
    for unit in units:
        place = unit.line.table
        if place is not None and unit.line.cells:
            tables[unit.doc_id, place.table_id][place.row].append(unit)
        elif unit.kind == "sentence" and unit.line.line.box is None:
            yield from aligned(unit)
    for rows in tables.values():
        if _is_nameless([own[0] for own in rows.values()]):
            yield from (pair for own in rows.values() if (pair := _of_row(own)) is not None)


def _is_nameless(rows: Sequence[Unit]) -> bool:
    """Say whether the columns of a table have no names: none were told, or the first row is one of values."""
    header = rows[0].line.header
    if not any(name.strip() for name in header):
        return True
    others = [row.line.cells for row in rows if row.line.cells != header]
    if len(header) != 2 or not others or any(len(cells) != 2 for cells in others):
        return False
    values = [header[1], *(cells[1] for cells in others)]
    return all(number_in_cell(text) is not None and not _YEAR.fullmatch(text.strip()) for text in values)


def _of_row(units: Sequence[Unit]) -> Pair | None:
    """Return the pair of a row that has two texts; its lines in reading order."""
    line = units[0].line
    told = [column for column, text in enumerate(line.cells) if not is_blank(text)]
    if len(told) != 2:
        return None
    first, second = told
    lines = tuple(sorted((unit.line for unit in units), key=lambda one: one.line.line_id))
    caption = line.table.caption if line.table is not None else None
    return Pair(line.cells[first].strip(), line.cells[second].strip(), lines, _context(units[0], caption or ""), second)


def aligned(unit: Unit) -> Iterator[Pair]:
    """Yield the pairs of lines of plain text in two columns."""
    matches = [(piece.line, _ALIGNED.match(piece.line.line.text)) for piece in unit.pieces]
    if len(matches) < _FEWEST or not all(match for _, match in matches):
        return
    for line, match in matches:
        if match is not None:
            yield Pair(match["name"].strip(), match["value"].strip(), (line,), _context(unit, ""))


def _context(unit: Unit, caption: str) -> frozenset[str]:
    name = re.sub(r"[._-]", " ", unit.line.doc_name)
    return unit.heading_terms | content_terms(f"{unit.lead} {caption} {name}")

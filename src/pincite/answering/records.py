"""Sets of like records in what was read: sections, files, table rows, list items and lines that are named alike."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pincite.answering.block_records import block_records
from pincite.answering.like_records import LikeRecord, RecordSet, folded
from pincite.answering.named_lines import named_lines
from pincite.answering.units import BULLET, Unit
from pincite.text.sets import FEWEST_RECORDS, Noun
from pincite.text.tokens import stem
from pincite.types.source import ReadingLine

#: Rows under a column that names the set are one from two on.
_FEWEST_ROWS: Final = 2
#: A set is named by its own records where at least this share of them begin with the noun.
_MOST: Final = 0.8


def find_records(nouns: Sequence[Noun], units: Sequence[Unit]) -> RecordSet | None:
    """Return the set that one of the nouns names best, or `None`; parts of it in several places are joined."""
    best: RecordSet | None = None
    for noun in nouns:
        if noun is not nouns[0] and noun.word.isupper():
            continue  # "the CSF Profiles" are profiles: an acronym before the noun is no noun of its own
        found = [*_files(noun, units), *_sections(noun, units), *_rows(noun, units), *_items(noun, units)]
        found.extend((*named_lines(noun, units), *block_records(noun, units)))
        if not found:
            continue
        strength = max(f.strength for f in found)
        kind = next(f.kind for f in found if f.strength == strength)
        parts = [f for f in found if f.strength == strength and f.kind == kind]
        named = {folded(r.name) for p in parts for r in p.records}
        lines = [f for f in found if f.kind == "lines" and f.strength == strength]
        more = [f for f in lines if _goes_beyond(f, named)] if kind in ("rows", "items") else []
        kind, parts = ("lines", more) if more else (kind, parts)
        if best is None or strength > best.strength:
            best = RecordSet(noun, kind, strength, _joined(parts))
    return best


def _goes_beyond(lines: RecordSet, named: set[str]) -> bool:
    """Say whether lines name all that is named, and more: a table whose last rows were not seen as rows."""
    return named < {folded(r.name) for r in lines.records}


def _joined(parts: Sequence[RecordSet]) -> tuple[LikeRecord, ...]:
    """Return the records of all parts; a part that repeats the names of a larger one is the same set again."""
    records: list[LikeRecord] = []
    known: set[str] = set()
    for part in sorted(parts, key=lambda p: -len(p.records)):
        names = {folded(r.name) for r in part.records}
        if known and len(names & known) >= 0.5 * len(names):
            continue
        known |= names
        records.extend(part.records)
    return tuple(sorted(records, key=lambda r: r.head.order))


def _files(noun: Noun, units: Sequence[Unit]) -> Iterator[RecordSet]:
    """Yield files with one record each: their title, first line or name begins with the noun."""
    by_doc: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        by_doc[unit.doc_id].append(unit)
    records = []
    for body in by_doc.values():
        title = next((u for u in body if _is_heading(u)), body[0])
        is_named = noun.name_in(title.text) or (title is body[0] and noun.names_file(title.line.doc_name))
        if is_named and len(title.line.breadcrumb) <= 1:
            name = title.text if _is_heading(title) else noun.name_in(title.text) or title.text
            records.append(LikeRecord(name, title, tuple(u for u in body if u is not title), (title.line.doc_name,)))
    if len(records) >= FEWEST_RECORDS:
        yield RecordSet(noun, "files", 3, tuple(records))


def _is_heading(unit: Unit) -> bool:
    return unit.line.line.role == "heading"


def _sections(noun: Noun, units: Sequence[Unit]) -> Iterator[RecordSet]:
    """Yield sections that are named alike, and those below a title that names the set."""
    alike: dict[tuple[str, int], list[LikeRecord]] = defaultdict(list)
    below: dict[tuple[str, tuple[str, ...]], list[LikeRecord]] = defaultdict(list)
    siblings: dict[tuple[str, tuple[str, ...]], int] = defaultdict(int)
    for position, unit in enumerate(units):
        crumb = unit.line.breadcrumb
        if not _is_heading(unit) or not crumb or _is_repeated(units, position):
            continue
        siblings[(unit.doc_id, crumb[:-1])] += 1
        record = LikeRecord(unit.text, unit, tuple(_below(units, position)), (unit.line.doc_name, *crumb[:-1]))
        if noun.begins(unit.text):
            alike[(unit.doc_id, len(crumb))].append(record)
        elif len(crumb) > 1 and noun.names_set(crumb[-2]):
            below[(unit.doc_id, crumb[:-1])].append(record)
    for (doc_id, _), records in alike.items():
        only = all(siblings[(doc_id, r.head.line.breadcrumb[:-1])] <= len(records) for r in records)
        numbered = [r for r in records if re.search(r"\d", r.name)]
        kept = records if only or _share_labels(records) else numbered
        if len(kept) >= FEWEST_RECORDS:
            yield RecordSet(noun, "sections", 3, tuple(kept))
    for records in below.values():
        if len(records) >= FEWEST_RECORDS:
            yield RecordSet(noun, "sections", 2, tuple(records))


def _is_repeated(units: Sequence[Unit], position: int) -> bool:
    """Say whether a heading goes on from the line before: it is no section of its own."""
    before = units[position - 1] if position else None
    unit = units[position]
    return before is not None and _is_heading(before) and before.section_key == unit.section_key


def _below(units: Sequence[Unit], position: int) -> Iterator[Unit]:
    heading = units[position]
    for unit in units[position + 1 :]:
        ends = _is_heading(unit) and unit.section_key != heading.section_key
        if unit.doc_id != heading.doc_id or (ends and len(unit.line.breadcrumb) <= len(heading.line.breadcrumb)):
            break
        yield unit


def _share_labels(records: Sequence[LikeRecord]) -> bool:
    """Say whether most records have a label in common: "Status:" in each."""
    labels: dict[str, int] = defaultdict(int)
    for record in records:
        for label in {m for u in record.body for m in re.findall(r"(?:^|\s)([^\W\d_]+):\s", BULLET.sub("", u.text))}:
            labels[label] += 1
    return max(labels.values(), default=0) >= _MOST * len(records)


_TOTALS: Final = frozenset(
    stem(w) for w in "total totals sum subtotal average mean summe gesamt insgesamt somme".split()
)
_ROW_NUMBER: Final = re.compile(r"\W*(?:#|no|nr|nos|number|nummer|row|line|pos|position|n°|№)?\W*", re.IGNORECASE)


def name_column(header: Sequence[str]) -> int:
    """Return the column that names the rows: the first that is no running number.

    Of two columns the first names the rows also where nothing stands above it, as in the table behind a chart.
    """
    if len(header) == 2 and not header[0].strip():
        return 0
    return next((n for n, name in enumerate(header) if name.strip() and not _ROW_NUMBER.fullmatch(name)), 0)


def _rows(noun: Noun, units: Sequence[Unit]) -> Iterator[RecordSet]:
    tables: dict[tuple[object, ...], list[Unit]] = defaultdict(list)
    for unit in units:
        line = unit.line
        if line.cells and line.header and line.cells != line.header and not _is_total(line):
            tables[(*unit.section_key, line.header)].append(unit)
    for rows in tables.values():
        column, strength = _row_strength(noun, rows)
        # In a PDF a row of several lines may pass for two: so few rows prove no set there.
        is_sure = strength == 3 and rows[0].line.line.box is None
        if strength and len(rows) >= (_FEWEST_ROWS if is_sure else FEWEST_RECORDS):
            records = [_row_record(row, column) for row in rows if column < len(row.line.cells)]
            kept = {folded(r.name): r for r in reversed(records) if r.name}
            is_named_column = column != name_column(rows[0].line.header)
            chosen = tuple(reversed(kept.values())) if is_named_column else tuple(r for r in records if r.name)
            yield RecordSet(noun, "rows", strength, chosen)


def _row_record(row: Unit, column: int) -> LikeRecord:
    line = row.line
    return LikeRecord(line.cells[column].strip(), row, (), (line.doc_name, *line.breadcrumb, row.lead))


def _row_strength(noun: Noun, rows: Sequence[Unit]) -> tuple[int, int]:
    """Return which column names the records, and how surely the rows are what the noun says (0: they are not)."""
    line = rows[0].line
    column = name_column(line.header)
    begun = sum(noun.name_in(r.line.cells[column]) is not None for r in rows if column < len(r.line.cells))
    if noun.names_set(line.header[column]) or begun >= _MOST * len(rows):
        return column, 3
    if (line.breadcrumb and noun.names_set(line.breadcrumb[-1])) or _captions(noun, rows[0].lead):
        return column, 2
    other = next((n for n, name in enumerate(line.header) if noun.names_set(name)), None)
    if other is not None:
        return other, 2
    titles = (*line.breadcrumb[:-1], re.sub(r"\.\w+$|[_-]", " ", line.doc_name))
    return (column, 1) if any(noun.names_set(title) for title in titles) else (column, 0)


_CAPTION: Final = re.compile(r"^\W*(?:table|tab\.|tabelle|tableau)\s*[\w.]*\s*[:.–—-]?\s*", re.IGNORECASE)


def _captions(noun: Noun, lead: str) -> bool:
    return noun.introduces(lead) or (len(lead.split()) < 12 and noun.names_set(_CAPTION.sub("", lead)))


def _is_total(line: ReadingLine) -> bool:
    first = next((c for c in line.cells if c.strip()), "")
    words = re.findall(r"[^\W\d_]+", first)
    return (not words and not first) or (bool(words) and stem(words[0].lower()) in _TOTALS)


def _items(noun: Noun, units: Sequence[Unit]) -> Iterator[RecordSet]:
    """Yield lists whose items begin with the noun, or whose lead-in or title names the set."""
    runs: dict[tuple[object, ...], list[LikeRecord]] = defaultdict(list)
    alike: dict[str, list[LikeRecord]] = defaultdict(list)
    for unit in units:
        if unit.kind != "item":
            continue
        key = (*unit.section_key, unit.lead)
        run = runs[key]
        if run and _indent(unit) > _indent(run[0].head):
            run[-1] = replace(run[-1], body=(*run[-1].body, unit))
            continue
        run.append(LikeRecord(_item_name(unit), unit, (), (unit.line.doc_name, *unit.line.breadcrumb, unit.lead)))
    named: list[list[LikeRecord]] = []
    for run in runs.values():
        begun = sum(_begins(noun, r.head.text) for r in run)
        title = run[0].head.line.breadcrumb[-1] if run[0].head.line.breadcrumb else run[0].head.lead
        if begun >= _MOST * len(run) and begun:
            alike[run[0].head.doc_id].extend(run)
        elif len(run) >= _fewest(noun, run[0].head.lead) and _is_named(noun, run[0].head.lead, title):
            named.append(run)
    for records in alike.values():
        if len(records) >= FEWEST_RECORDS:
            yield RecordSet(noun, "items", 3, tuple(records))
    # A list whose lead-in says that it lists these leaves no doubt about the others under the same kind of title.
    led = [run for run in named if noun.introduces(run[0].head.lead)]
    for run in led or named:
        yield RecordSet(noun, "items", 2, tuple(run))


def _fewest(noun: Noun, lead: str) -> int:
    """Return how many items make a set: two do where nothing but its name stands above them, as in "Decisions:"."""
    return FEWEST_RECORDS - noun.is_word(lead.strip().rstrip(":："))


def _is_named(noun: Noun, lead: str, title: str) -> bool:
    """Say whether a list is one of these by its lead-in or title; a lead-in that has the noun otherwise denies it."""
    says_otherwise = lead.rstrip().endswith((":", "：")) and noun.is_in(lead)
    return noun.introduces(lead) or (noun.names_set(title) and not says_otherwise)


def _begins(noun: Noun, text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", BULLET.sub("", text))
    return bool(words) and noun.is_one(words[0])


def _indent(unit: Unit) -> int:
    text = unit.line.line.text
    return len(text) - len(text.lstrip())


_HEAD: Final = re.compile(r"^(?P<head>[^:;]{2,60}?)\s*(?:[:—–]|\s-\s)\s*\S")


def _item_name(unit: Unit) -> str:
    text = BULLET.sub("", unit.text).strip()
    match = _HEAD.match(text)
    return match["head"].strip() if match is not None else text

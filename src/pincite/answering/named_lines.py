"""Lines and paragraphs that begin with one noun and a name or number: "Patient 001 was …", "Tier 2: …"."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from pincite.answering.like_records import LikeRecord, RecordSet, folded
from pincite.answering.units import Piece, Unit
from pincite.text.sets import FEWEST_RECORDS, Noun


def named_lines(noun: Noun, units: Sequence[Unit]) -> Iterator[RecordSet]:
    """Yield lines and paragraphs that begin with the noun and a name or number, one record for each name."""
    by_doc: dict[str, dict[str, LikeRecord]] = defaultdict(dict)
    open_record: tuple[str, str] | None = None
    previous: Unit | None = None
    for unit in _line_units(noun, units):
        starts = previous is None or unit.paragraph != previous.paragraph or unit.extra == _LINE
        name = noun.name_in(unit.text.lstrip("| ")) if starts and unit.kind in ("sentence", "row", "item") else None
        records = by_doc[unit.doc_id]
        if name is not None:
            key = folded(name)
            if key in records:
                records[key] = replace(records[key], body=(*records[key].body, unit))
            else:
                records[key] = LikeRecord(name, unit, (), (unit.line.doc_name, *unit.line.breadcrumb))
            open_record = (unit.doc_id, key)
        elif open_record is not None and previous is not None and unit.paragraph == previous.paragraph:
            doc_id, key = open_record
            held = by_doc[doc_id][key]
            by_doc[doc_id][key] = replace(held, body=(*held.body, unit))
        else:
            open_record = None
        previous = unit
    for found in by_doc.values():
        kept = _of_one_kind(list(found.values()))
        if len(kept) >= FEWEST_RECORDS:
            yield RecordSet(noun, "lines", 3, tuple(kept))


def _of_one_kind(records: list[LikeRecord]) -> list[LikeRecord]:
    """Return the records with a number where most have one: "Tier 1" … "Tier 4", not "Tier Risk"."""
    numbered = [r for r in records if any(c.isdigit() for c in r.name)]
    return numbered if 2 * len(numbered) > len(records) else records


_LINE: Final = ("line",)


def _line_units(noun: Noun, units: Sequence[Unit]) -> Iterator[Unit]:
    """Yield units: of text files line by line, of pages parted where a line begins with a name and a colon."""
    done: set[tuple[str, int]] = set()
    for unit in units:
        if unit.kind == "row" and unit.line.cells == unit.line.header and unit.line.cells:
            continue
        if unit.kind != "sentence":
            yield unit
            continue
        starts = [n for n, piece in enumerate(unit.pieces) if n and _starts(noun, piece)]
        for first, last in pairwise([0, *starts, len(unit.pieces)]):
            pieces = unit.pieces[first:last]
            key = (unit.doc_id, pieces[0].line.line.line_id)
            if pieces[0].line.line.box is not None and not first and not _starts(noun, pieces[0]):
                yield unit if not starts else replace(unit, pieces=pieces, text=_text(pieces))
            elif key not in done:
                done.add(key)
                yield replace(unit, pieces=_whole(pieces), text=_text(_whole(pieces)), extra=_LINE)


def _starts(noun: Noun, piece: Piece) -> bool:
    """Say whether a new record may start on a line: any line of a text file, on a page a name with a colon."""
    text = piece.line.line.text.strip()
    if piece.line.line.box is None:
        return True
    name = noun.name_in(text)
    return piece.start <= len(text) and name is not None and text[text.find(name) + len(name) :][:1] in (":", "–", "—")


def _whole(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return the pieces with the first from the beginning of its line and the last to the end of its own."""
    made = list(pieces)
    first, last = made[0].line.line.text, made[-1].line.line.text
    made[0] = replace(made[0], start=len(first) - len(first.lstrip()))
    made[-1] = replace(made[-1], end=len(last.rstrip()))
    return tuple(made)


def _text(pieces: Sequence[Piece]) -> str:
    return " ".join(p.line.line.text[p.start : p.end].strip() for p in pieces)

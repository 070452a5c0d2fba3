"""Records that are paragraphs of labelled lines ("Name: Rufus", "Species: dog"), and items that say what they are."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.answering.like_records import LikeRecord, RecordSet
from pincite.answering.units import BULLET, Unit
from pincite.text.sets import FEWEST_RECORDS, Noun

_LABELLED: Final = re.compile(r"^\W*(?P<label>[^\W\d_][^:.;,]{0,38}?)\s*[:：]\s+(?P<value>\S.*?)\W*$")
_PARTS: Final = re.compile(r"\s+[-–—|]\s+|[;,]\s+")
#: Values of one label are kinds of things where they come so seldom: five dogs and three cats are, names are not.
_KINDS_SHARE: Final = 0.7


def block_records(noun: Noun, units: Sequence[Unit]) -> Iterator[RecordSet]:
    """Yield the paragraphs that begin with one label and are what the noun says.

    They are by that label ("Animal: Rufus"), by a value that they have ("Species: dog"), or by the title above them.
    """
    blocks: dict[tuple[str, int], list[Unit]] = defaultdict(list)
    for unit in units:
        if unit.kind == "sentence":
            blocks[(unit.doc_id, unit.paragraph)].append(unit)
    alike: dict[tuple[str, str], list[tuple[list[Unit], dict[str, str]]]] = defaultdict(list)
    for (doc_id, _), block in blocks.items():
        fields = _fields(block)
        if len(fields) > 1:
            alike[(doc_id, next(iter(fields)))].append((block, fields))
    for (_, first), group in alike.items():
        if len(group) >= FEWEST_RECORDS:
            yield from _set_of(noun, first, group)
    yield from _items_by_kind(noun, units)


def _items_by_kind(noun: Noun, units: Sequence[Unit]) -> Iterator[RecordSet]:
    """Yield the items of a list that say what each is in a part of its own: "Jon Vik - deckhand - joined 2028"."""
    runs: dict[tuple[object, ...], list[tuple[Unit, list[str]]]] = defaultdict(list)
    for unit in units:
        if unit.kind == "item":
            parts = [part.strip(" .") for part in _PARTS.split(BULLET.sub("", unit.text))]
            runs[(*unit.section_key, unit.lead, len(parts))].append((unit, parts))
    for (*_, n_parts), run in runs.items():
        for at in range(1, int(str(n_parts))):
            kept = [LikeRecord(parts[0], unit) for unit, parts in run if noun.is_one(parts[at])]
            if kept and len(run) >= FEWEST_RECORDS:
                yield RecordSet(noun, "blocks", 3, tuple(kept))
                return


def _set_of(noun: Noun, first: str, group: Sequence[tuple[list[Unit], dict[str, str]]]) -> Iterator[RecordSet]:
    records = [_record(block, fields[first]) for block, fields in group]
    if noun.is_word(first):
        yield RecordSet(noun, "blocks", 3, tuple(records))
        return
    for label in dict.fromkeys(label for _, fields in group for label in fields):
        values = Counter(fields[label].lower() for _, fields in group if label in fields)
        kept = [r for r, (_, fields) in zip(records, group, strict=True) if noun.is_one(fields.get(label, ""))]
        if label != first and kept and len(values) <= _KINDS_SHARE * len(group):
            yield RecordSet(noun, "blocks", 3, tuple(kept))
            return
    line = group[0][0][0].line
    titles = (*line.breadcrumb, re.sub(r"\.\w+$|[_-]", " ", line.doc_name))
    if any(noun.names_set(title) for title in titles):
        yield RecordSet(noun, "blocks", 2, tuple(records))


def _record(block: Sequence[Unit], name: str) -> LikeRecord:
    line = block[0].line
    return LikeRecord(name, block[0], tuple(block[1:]), (line.doc_name, *line.breadcrumb))


def _fields(block: Sequence[Unit]) -> dict[str, str]:
    """Return the values of the lines of a paragraph by their labels; nothing where its first line has none."""
    fields: dict[str, str] = {}
    for unit in block:
        for piece in unit.pieces:
            match = _LABELLED.match(piece.line.line.text[piece.start : piece.end])
            if match is not None:
                fields.setdefault(match["label"], match["value"])
            elif not fields:
                return {}
    return fields

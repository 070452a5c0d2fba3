"""What the numbered things of a set are called, where one sentence says it of all: "Partial (Tier 1)"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pincite.answering.like_records import LikeRecord, RecordSet, folded
from pincite.answering.units import Unit

_PARTS: Final = re.compile(r"\s*(?:[,;:–—]|\b(?:and|or|as|are|is|und|oder|et|ou)\b)\s*", re.IGNORECASE)
_MOST_NAME_WORDS: Final = 5


def called_records(found: RecordSet, units: Sequence[Unit]) -> RecordSet:
    """Return the set with the names that one sentence gives for all its numbers, cited there; else the set as it is.

    A line "Tier 1" alone tells who asks for the tiers nothing.
    """
    if found.kind != "lines" or not all(any(c.isdigit() for c in r.name) for r in found.records):
        return found
    for unit in units:
        if unit.kind not in ("sentence", "item"):
            continue
        names = [_called(record, unit.text) for record in found.records]
        if all(names):
            records = (replace(r, name=n or r.name, head=unit) for r, n in zip(found.records, names, strict=True))
            return replace(found, records=tuple(records))
    return found


def _called(record: LikeRecord, text: str) -> str | None:
    """Return the name that a sentence gives a record: "Partial (Tier 1)", "Tier 1 (Partial)"."""
    label = r"\s+".join(re.escape(word) for word in folded(record.name).split())
    before = re.search(rf"\((?:{label})\)", text, re.IGNORECASE)
    if before is not None:
        name = _PARTS.split(re.split(r"\)", text[: before.start()])[-1].strip())[-1].strip()
        is_name = name[:1].isalpha() and len(name.split()) <= _MOST_NAME_WORDS
        return f"{name} {before.group()}" if is_name else None
    after = re.search(rf"(?<!\w){label}\s*\(([^()]{{2,40}})\)", text, re.IGNORECASE)
    return after.group() if after is not None and after[1][:1].isalpha() else None

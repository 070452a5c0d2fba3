"""One record of a set of like things, and the set."""

from dataclasses import dataclass
from typing import Literal

from pincite.answering.units import Unit
from pincite.text.sets import Noun

RecordKind = Literal["sections", "files", "rows", "items", "lines", "blocks"]


@dataclass(frozen=True, slots=True)
class LikeRecord:
    """One record: its name as it stands in `head`, what is below it, and the titles and sentences it stands under."""

    name: str
    head: Unit
    body: tuple[Unit, ...] = ()
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Records of one kind; `strength` is 3 where each record says what it is, 2 where a title does, 1 a file's name."""

    noun: Noun
    kind: RecordKind
    strength: int
    records: tuple[LikeRecord, ...]


def folded(name: str) -> str:
    """Return a name as it is compared: "Tier 1:" is "tier 1"."""
    return " ".join(name.lower().split()).strip(" .:;,|")

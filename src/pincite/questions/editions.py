"""A question that names a version of a document by its number: "… according to version 1.2"."""

import re
from typing import Final

from msgspec.structs import replace

from pincite.types.question import ParsedQuestion
from pincite.types.record import Record

_VERSION: Final = re.compile(
    r"[,\s]*\b(?:(?:according to|as of|in|under|of|per|by|with|from|for|nach|laut|gemäß|selon|dans|d['’]après)\s+)?"
    r"(?:the\s+|der\s+|la\s+)?(?P<word>version|revision|edition|release|fassung|ausgabe|rev\.?|v\.?)\s*"
    r"(?P<number>\d+(?:\.\d+)*)(?![\w-]|\.\d)",
    re.IGNORECASE,
)


class OfVersion(Record, frozen=True, kw_only=True):
    """A question without the version that it names, and that version's number."""

    question: ParsedQuestion
    number: str


def without_version(question: ParsedQuestion) -> OfVersion | None:
    """Return what is asked of a version: the version itself need not name its number; `None` where none is named."""
    match = _VERSION.search(question.corrected)
    if match is None:
        return None
    asked = question.corrected[: match.start()] + " " + question.corrected[match.end() :]
    words = {match["word"].lower(), match["number"], f"{match['word']}{match['number']}".lower()}
    words |= {f"{match['word']} {match['number']}".lower()}
    rest = replace(
        question,
        corrected=re.sub(r"\s+(?=[?.!,])", "", " ".join(asked.split())),
        keywords=tuple(k for k in question.keywords if k.text.lower() not in words),
        must_distinguish=tuple(name for name in question.must_distinguish if name.lower() not in words),
    )
    return OfVersion(question=rest, number=match["number"]) if rest.keywords else None

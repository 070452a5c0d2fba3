"""The item of a numbered list that a question names by its number: "What is step 3?", "the second decision"."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.answering.units import BULLET, Unit
from pincite.text.sets import Noun
from pincite.types.question import GenerationBrief

_ASKED: Final = re.compile(
    r"^\W*(?:what(?:['’]s|\s+(?:is|does|are))|which is|read|show|give)\s+(?:me\s+)?(?:the\s+)?"
    r"(?:(?P<noun>[^\W\d_]{3,})\s+(?:no\.?\s*|number\s+|#)?(?P<number>\d{1,3})"
    r"|(?P<ordinal>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\s+(?P<ranked>[^\W\d_]{3,}))"
    r"(?:\s+say)?\W*$",
    re.IGNORECASE,
)
_ORDINALS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
#: What the items of any numbered list are called, whatever its title says.
_ANY_ITEM: Final = frozenset("step steps item items point points clause paragraph punkt ziffer nummer".split())
_NUMBER: Final = re.compile(r"^\s*\(?(?P<number>\d{1,3})[.)]\s")


def numbered_item(brief: GenerationBrief, units: Sequence[Unit]) -> Unit | None:
    """Return the one item with that number in a list that a title or lead-in calls so, or `None`.

    A "step" or "item" is one of the only list that has that number, too.
    """
    match = _ASKED.match(brief.question)
    if match is None:
        return None
    word = match["noun"] or match["ranked"]
    number = match["number"] or str(_ORDINALS.index(match["ordinal"].lower()) + 1)
    noun = Noun(word)
    numbered = [u for u in units if u.kind == "item" and _number_of(u) == number]
    found = [u for u in numbered if _is_called(noun, u)]
    if not found and word.lower() in _ANY_ITEM:
        found = numbered
    return found[0] if len(found) == 1 else None


def text_of(item: Unit) -> str:
    """Return an item without its number."""
    return BULLET.sub("", item.text).strip()


def _number_of(item: Unit) -> str | None:
    match = _NUMBER.match(item.line.line.text)
    return match["number"] if match is not None else None


def _is_called(noun: Noun, item: Unit) -> bool:
    title = item.line.breadcrumb[-1] if item.line.breadcrumb else ""
    return noun.introduces(item.lead) or noun.names_set(title)

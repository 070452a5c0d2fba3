"""Questions that offer a choice ("Is the gate red or blue?"): answered with what the source says of one of the two."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pincite.answering.units import Unit
from pincite.text.tokens import index_terms
from pincite.types.answer import Draft
from pincite.types.question import GenerationBrief

_CHOICE: Final = re.compile(
    r"^(?P<start>\W*(?:is|are|was|were|does|do|did|can|could|may|must|should|has|have|had|will|would)\s.*?)"
    r"(?P<first>[\w-]+),?\s+or\s+(?:(?:to|in|at|on|by|of|from|with|for|the|an?)\s+)*"
    r"(?P<second>[\w-]+(?:\s+[\w-]+)?)(?P<end>\W*)$",
    re.IGNORECASE | re.DOTALL,
)


def stated_choice(brief: GenerationBrief, units: Sequence[Unit]) -> GenerationBrief | None:
    """Return the question whether the one alternative holds that the source speaks of; `None` where that is not clear.

    The source has to hold one of the two in a unit that carries more of the rest of the question than any unit with
    the other. Both in one unit ("red and blue") is no choice that code could make.
    """
    match = _CHOICE.match(brief.question)
    if match is None or brief.shape != "text":
        return None
    first, second = (frozenset(index_terms(match[name])) for name in ("first", "second"))
    others = frozenset(t for keyword in brief.keywords for t in index_terms(keyword.text)) - first - second
    if not first or not second or first & second or not others:
        return None
    best = {name: _best(units, name, others) for name in (first, second)}
    if best[first] == best[second]:
        return None
    is_first = best[first] > best[second]
    dropped = second if is_first else first
    kept = match["first"] if is_first else match["second"]
    return replace(
        brief,
        question=f"{match['start']}{kept}{match['end']}",
        shape="boolean",
        keywords=tuple(k for k in brief.keywords if not set(index_terms(k.text)) <= dropped),
    )


def _best(units: Sequence[Unit], wanted: frozenset[str], others: frozenset[str]) -> int:
    """Return how much of the rest of the question stands with an alternative, 0 where nothing does."""
    held = ((unit.terms, unit.terms | unit.heading_terms | unit.context_terms) for unit in units)
    return max((len(others & around) for own, around in held if wanted <= own), default=0)


def as_choice(draft: Draft) -> Draft:
    """Return the draft of a yes or no as what the source says: the sentence itself, no yes."""
    items = tuple(replace(item, value=None) for item in draft.items)
    return replace(draft, shape="text", items=items, caveats=(), extraction_method="verbatim")

"""A comparison in words: the sides that a question names, and for each the sentence that says it."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.answering.confidence import Confidence
from pincite.answering.scoring import Scored
from pincite.text.tokens import index_terms
from pincite.types.answer import Cells, Draft, DraftItem
from pincite.types.question import GenerationBrief

_AND: Final = r"(?:\s+(?:and|with|to|against|versus|vs\.?|und|mit|et|avec|y|con)\s+|\s*,\s*(?:and\s+|und\s+)?)"
_ARTICLE: Final = r"(?:the|an?|die|der|das|den|dem|les?|la|el|los|las)"
#: What is said after the sides is what they are compared in.
_ASPECT: Final = (
    r"(?:\s*[:?.,;]|\s+(?:in|for|on|by|regarding|with\s+respect|when|bezüglich|hinsichtlich|bei|en|pour)\b|$)"
)
_SIDE: Final = r"[^,:?.;]{1,60}?"
_COMPARED: Final = (
    re.compile(
        rf"\b(?:compar\w+|vergleich\w*|differences?\s+between|unterschied\w*\s+zwischen|différences?\s+entre"
        rf"|diferencias?\s+entre)\s+(?P<sides>{_SIDE}(?:{_AND}{_SIDE}){{1,3}}){_ASPECT}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:does|do|did)\s+(?P<a>{_SIDE})\s+(?:differ\s+from|compare\s+(?:to|with))\s+(?P<b>{_SIDE}){_ASPECT}",
        re.IGNORECASE,
    ),
    re.compile(rf"^\W*(?P<a>{_SIDE})\s+(?:versus|vs\.?)\s+(?P<b>{_SIDE}){_ASPECT}", re.IGNORECASE),
)
#: A sentence on all sides that sets them side by side itself.
_CONTRASTS: Final = re.compile(
    r"\b(?:than|whereas|while|unlike|differ\w*|both|however|compar\w+|als|während|anders|beide|que|tandis)\b",
    re.IGNORECASE,
)
#: A side's sentence is as good as this share of the best one at least.
_AS_GOOD: Final = 0.5


def sides_of(question: str) -> tuple[str, ...]:
    """Return the names that a question sets side by side, without articles; none when it names fewer than two.

    >>> sides_of("Compare the Heron and the Otter: how many passengers do they carry?")
    ('Heron', 'Otter')
    >>> sides_of("How does plan A differ from plan B?")
    ('plan A', 'plan B')
    >>> sides_of("Compare the costs.")
    ()
    """
    for pattern in _COMPARED:
        match = pattern.search(question)
        if match is None:
            continue
        found = (
            re.split(_AND, match["sides"], flags=re.IGNORECASE)
            if "sides" in match.groupdict()
            else match.group("a", "b")
        )
        sides = [re.sub(rf"^\W*(?:{_ARTICLE}\s+)?", "", side, flags=re.IGNORECASE).strip() for side in found]
        named = tuple(side for side in sides if index_terms(side))
        if len(named) >= 2:
            return named
    return ()


def compared_in_words(brief: GenerationBrief, scored: Sequence[Scored], sure: Confidence) -> Draft | None:
    """Return the sides of a comparison with the sentence on each; `None` where one has none of its own.

    `scored` are the units, best first. One sentence that contrasts all sides is a better answer.
    """
    sides = sides_of(brief.question) if brief.shape == "comparison" else ()
    terms = [set(index_terms(side)) for side in sides]
    best = scored[0].unit
    if not sides or (_CONTRASTS.search(best.text) and all(one <= best.terms for one in terms)):
        return None
    chosen = [_best_of(one, [other for other in terms if other is not one], scored) for one in terms]
    found = [one for one in chosen if one is not None]
    if len(found) < len(sides) or len({one.unit for one in found}) < len(found):
        return None
    return Draft(
        shape="comparison",
        columns=("", "stated"),
        items=tuple(_row(side, one) for side, one in zip(sides, found, strict=True)),
        confidence=min(sure.of(one) for one in found),
    )


def _best_of(own: set[str], others: Sequence[set[str]], scored: Sequence[Scored]) -> Scored | None:
    """Return the best unit on one side and no other."""
    for one in scored:
        if one.score < _AS_GOOD * scored[0].score:
            return None
        held = one.unit.terms
        if own <= held and not any(other - own and other <= held for other in others) and one.unit.kind != "heading":
            return one
    return None


def _row(side: str, one: Scored) -> DraftItem:
    written = re.search(re.escape(side), one.unit.text, re.IGNORECASE)
    name = written.group() if written else ""
    return DraftItem(text=one.unit.text, quotes=(one.unit.quote(),), value=Cells(cells=(name, one.unit.text)))

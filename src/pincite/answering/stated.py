"""How many things of a set the text itself says there are, beside the records that can be counted."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.answering.conditions import Condition, Wanted, content_terms
from pincite.answering.like_records import RecordSet
from pincite.answering.units import Unit
from pincite.text.amounts import find_quantities
from pincite.text.sets import Noun

_STATES: Final = re.compile(
    r"\b(?:there (?:are|were)|contains?|lists?|holds?|has|have|comprises?|includes?|consists? of|in total|in all"
    r"|altogether|(?:register|list|table|total|set|fleet) of|es gibt|enthält|umfasst|il y a|contient)\b",
    re.IGNORECASE,
)
#: A sentence with more words than this beside the count says more than how many there are.
_MOST_OTHER_WORDS: Final = 4


def stated_counts(found: RecordSet, wanted: Condition, units: Sequence[Unit]) -> list[tuple[Unit, str]]:
    """Return the sentences outside the records that say how many there are, each with its number."""
    own = {id(u) for r in found.records for u in (r.head, *r.body)}
    lines = {(u.doc_id, p.line.line.line_id) for r in found.records for u in (r.head, *r.body) for p in u.pieces}
    stated = []
    for unit in units:
        if unit.kind != "sentence" or id(unit) in own or (unit.doc_id, unit.line.line.line_id) in lines:
            continue
        number = _number_of(found.noun, unit.text)
        if number is not None and _says_only(unit, found, wanted):
            stated.append((unit, number))
    return stated


def _number_of(noun: Noun, text: str) -> str | None:
    """Return the number right before the noun: "102 projects", "twelve open projects"."""
    for quantity in find_quantities(text):
        after = re.findall(r"[^\W\d_]+", text[quantity.span.end : quantity.span.end + 40])[:2]
        if quantity.value.number.isdigit() and any(noun.is_word(word) for word in after):
            return quantity.value.number
    return None


def _says_only(unit: Unit, found: RecordSet, wanted: Condition) -> bool:
    terms = content_terms(unit.text)
    asked = [w for w in wanted.wanted if not w.is_denied]
    if len(asked) != len(wanted.wanted) or wanted.comparisons or any(not (w.terms & terms) for w in asked):
        return False
    known = found.noun.forms | {t for w in asked for t in w.terms} | shared_terms(found)
    others = [t for t in terms if t not in known and not t.isdigit() and not _STATES.search(t)]
    return bool(wanted) or (bool(_STATES.search(unit.text)) and len(others) <= _MOST_OTHER_WORDS)


def is_stated_elsewhere(passed: Sequence[Wanted], found: RecordSet, units: Sequence[Unit]) -> bool:
    """Say whether a sentence outside the set counts such things of the whole that was passed over.

    "The encoder is a stack of 6 layers" answers how many layers the encoder has, whatever table of layers there is.
    """
    own = {u for r in found.records for u in (r.head, *r.body)}
    head = found.records[0].head.line
    titles = content_terms(" ".join((re.sub(r"[_.-]", " ", head.doc_name), *head.breadcrumb)))
    wholes = [one.terms for one in passed if not one.terms & titles]
    return any(
        unit.kind == "sentence"
        and unit not in own
        and any(terms & unit.terms for terms in wholes)
        and _number_of(found.noun, unit.text) is not None
        for unit in units
    )


def shared_terms(found: RecordSet) -> frozenset[str]:
    """Return the index terms of the titles and lead-ins that all records of a set stand under."""
    contexts = [content_terms(" ".join(re.sub(r"[_.-]", " ", c) for c in r.context)) for r in found.records]
    return frozenset.intersection(*contexts) if contexts else frozenset()

"""Telephone numbers, e-mail and web addresses: known by how they are written, where no text says what they are."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.answering.measures import WRITTEN, measure_of
from pincite.answering.units import Unit
from pincite.text.stopwords import FORM, WEAK
from pincite.text.tokens import token_terms
from pincite.types.answer import Draft, DraftItem
from pincite.types.question import GenerationBrief

_SURE: Final = 0.8
#: Words that go with the name of such a thing.
_WITH: Final = frozenset("number numbers address addresses contact line site page nummer adresse numéro".split())
_END: Final = ".,;:!?)>]\"'”’"


def contact_answer(brief: GenerationBrief, units: Sequence[Unit]) -> Draft | None:
    """Return the one number or address of the kind that is asked for, where all else that is asked stands around it."""
    if brief.shape not in ("text", "amount", "list"):
        return None
    words = {k.text: frozenset(token_terms(k.text)) for k in brief.keywords if k.origin in ("question", "correction")}
    kinds = {kind for terms in words.values() for t in terms if (kind := measure_of(t)) in WRITTEN}
    if len(kinds) != 1:
        return None
    pattern = WRITTEN[kinds.pop()]
    rest = [terms for text, terms in words.items() if not _is_of_kind(text, terms)]
    found: dict[str, Unit] = {}
    for unit in units:
        name = frozenset(token_terms(re.sub(r"[._-]", " ", unit.line.doc_name)))
        told = unit.terms | unit.heading_terms | unit.context_terms | unit.before_terms | name
        if all(terms & told for terms in rest):
            for match in pattern.finditer(unit.text):
                found.setdefault(match.group().rstrip(_END), unit)
    if len(found) != 1:
        return None
    ((text, unit),) = found.items()
    return Draft(shape="text", items=(DraftItem(text=text, quotes=(unit.quote(),)),), confidence=_SURE)


def _is_of_kind(text: str, terms: frozenset[str]) -> bool:
    is_filling = text.lower() in _WITH or text.lower() in WEAK or text.lower() in FORM
    return is_filling or any(measure_of(term) in WRITTEN for term in terms)

"""How well a unit answers a question: words, meaning, and whether it holds the kind of thing asked for."""

import logging
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.asked import Asked, is_negated, points_back
from pincite.answering.units import Unit
from pincite.errors import ProviderError
from pincite.protocols import Embedder
from pincite.types.question import GenerationBrief

logger = logging.getLogger(__name__)

#: How many units are compared by meaning; each costs an embedding.
COMPARED: Final = 16
_COVERAGE, _OWN, _MEANING, _WANTED, _RANK = 0.42, 0.1, 0.34, 0.09, 0.05
#: How much it counts that the thing asked for is not named: it may be there in other words.
_FOCUS_UNMET: Final = 0.5
#: Below this the kind of thing asked for (an amount, a date, a colour) is not there.
_KIND_WANTED: Final = 0.5
#: What is left of a score for each name that is missing.
_UNMET: Final = 0.85


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score (higher is better) and what the score is made of, each between 0 and 1.

    `unmet` counts what of the question is not met: names, a denial, an opposite, the thing asked for (half).
    """

    unit: Unit
    score: float
    coverage: float
    own: float
    meaning: float
    wanted: float
    unmet: float = 0.0


Fits = Callable[[Unit], bool]


def score_units(
    brief: GenerationBrief, asked: Asked, units: Sequence[Unit], *, fits: Fits, embedder: Embedder | None
) -> list[Scored]:
    """Return the units that are about the thing asked, best first.

    A unit that lacks a code or numbered name of the question is left out, however alike it is.
    """
    scored = [_by_words(asked, unit, brief, fits) for unit in units if _may_answer(asked, unit, brief)]
    scored.sort(key=lambda s: (-s.score, s.unit.order))
    if embedder is None:
        return scored
    try:
        compared = _by_meaning(brief.question, scored[:COMPARED], embedder)
    except ProviderError as error:
        logger.warning("compared by words alone: %s", error)
        return scored
    # The others keep their place behind: their meaning is only guessed, and a guess may not outdo what was measured.
    return [*sorted(compared, key=lambda s: (-s.score, s.unit.order)), *scored[COMPARED:]]


def _may_answer(asked: Asked, unit: Unit, brief: GenerationBrief) -> bool:
    """Say whether a unit is about the thing asked and says more of it than the question; a yes needs no more."""
    return asked.is_distinguished(unit) and (brief.shape == "boolean" or asked.adds_to(unit))


def _by_words(asked: Asked, unit: Unit, brief: GenerationBrief, fits: Fits) -> Scored:
    coverage, own = asked.coverage(unit), asked.own_coverage(unit)
    holds_kind = fits(unit) and not asked.lacks_kind(unit)
    wanted = (0.6 if holds_kind else 0.0) + (0.4 if _says_what_is_asked(brief.question, unit.text) else 0.0)
    unmet = float(asked.missing_names(unit))
    denies = asked.is_denied_in(unit) or asked.turns_round(unit)
    if asked.differs_in_negation(unit) if asked.is_negated else denies and brief.shape != "boolean":
        unmet += 1
    if asked.lacks_focus(unit):
        unmet += _FOCUS_UNMET
    if brief.shape == "boolean":
        # A yes or no about something else is worse than none: every thing asked about has to be there.
        unmet = max(unmet, asked.missing_words(unit))
    elif asked.says_opposite(unit):
        unmet += 1
    return _scored(unit, coverage, own, coverage * 0.7, wanted, unmet)


def _scored(unit: Unit, coverage: float, own: float, meaning: float, wanted: float, unmet: float) -> Scored:
    rank = 0.0 if unit.line.rank is None else 1.0 / math.sqrt(unit.line.rank)
    score = _COVERAGE * coverage + _OWN * own + _MEANING * meaning + _WANTED * wanted + _RANK * rank
    # A long sentence holds many words by chance: what is said briefly is said more surely.
    if unit.line.line.role == "caption":
        score *= 0.9
    score *= 1 - 0.25 * min(1.0, max(0.0, (len(unit.text) - 250) / 450))
    score *= 1 - 0.5 * max(0.0, _symbol_share(unit.text) - 0.15)
    if wanted < _KIND_WANTED:
        score *= 0.85
    if is_negated(unit.text):
        score *= 0.95  # "the password is never printed" seldom says what the password is
    if unit.kind == "heading":
        score *= 0.75  # a heading names its subject, it seldom says anything of it
    elif unit.kind == "mark":
        score *= 0.9
    return Scored(unit, score * _UNMET**unmet, coverage, own, meaning, wanted, unmet)


def _symbol_share(text: str) -> float:
    """Return the share of characters that are no letters, digits or blanks: high in markup and program text."""
    sample = text[:2000]
    return sum(not (c.isalnum() or c.isspace()) for c in sample) / max(len(sample), 1)


def _by_meaning(question: str, scored: Sequence[Scored], embedder: Embedder) -> list[Scored]:
    if not scored:
        return []
    vectors = embedder.embed([question, *(_in_context(s.unit) for s in scored)])
    cosines = vectors[1:] @ vectors[0]
    return [
        _scored(s.unit, s.coverage, s.own, max(0.0, float(cosine)), s.wanted, s.unmet)
        for s, cosine in zip(scored, cosines, strict=True)
    ]


def _in_context(unit: Unit) -> str:
    before = unit.before[-200:] if points_back(unit) else ""
    around = (*unit.line.breadcrumb[-2:], unit.lead[-160:], before, unit.text[:600])
    return " > ".join(part for part in around if part)


_WHO: Final = re.compile(r"^\W*(?:\w+\s){0,2}?(?:who|whom|whose)\b", re.IGNORECASE)
_WHERE: Final = re.compile(r"^\W*(?:\w+\s){0,2}?where\b", re.IGNORECASE)
_WHY: Final = re.compile(r"^\W*why\b", re.IGNORECASE)
_PLACE: Final = re.compile(
    r"\b(?:in|on|at|near|behind|under|above|inside|outside|east|west|north|south|of)\b", re.IGNORECASE
)
_CAUSE: Final = re.compile(
    r"\b(?:because|since|due to|so that|in order to|as a result|to avoid|reason)\b", re.IGNORECASE
)


_DEFINE: Final = re.compile(r"^\W*(?:what (?:is|are)|define)\s+(?:an?\s+|the\s+)?(?P<term>[^?]+?)\W*$", re.IGNORECASE)
_DEFINES: Final = (
    r"[^.,]{0,30}?\b(?:is|are|means?|refers? to|describes?|defines?|stands? for)\b|[^.]{0,10}?(?:,|:|—|–)\s"
)


def _definition_of(term: str) -> str:
    """Return a pattern of a text that begins by saying what a term is; up to two words may stand before the term.

    "A CSF Organizational Profile describes …" says what an organizational profile is.
    """
    return rf"\W*(?:(?:an?|the|each|every)\s+)?(?:[\w-]+\s+){{0,2}}?{re.escape(term)}s?\b(?:{_DEFINES})"


def _says_what_is_asked(question: str, text: str) -> bool:
    """Say whether a text has the mark of what the question word asks: a name, a place, a reason, a definition."""
    if _WHO.search(question):
        return bool(re.search(r"(?<=\s)(?:[A-Z][\w’'-]+)|[A-Z][a-z]+ [A-Z][a-z]+", text))
    if _WHERE.search(question):
        return bool(_PLACE.search(text))
    if _WHY.search(question):
        return bool(_CAUSE.search(text))
    define = _DEFINE.search(question)
    if define is not None and len(define["term"].split()) <= 5:
        return re.match(_definition_of(define["term"]), text, re.IGNORECASE) is not None
    return True

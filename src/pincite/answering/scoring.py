"""How well a unit answers a question: words, meaning, and whether it holds the kind of thing asked for."""

import logging
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pincite.answering.asked import Asked
from pincite.answering.denials import is_negated
from pincite.answering.near_misses import n_near_misses
from pincite.answering.others import (
    compounds_in,
    goes_elsewhere,
    has_compound_twin,
    is_of_other_years,
    names_other_people,
)
from pincite.answering.pointing import points_back
from pincite.answering.question_words import says_what_is_asked
from pincite.answering.spelt import spelt_out
from pincite.answering.units import Unit
from pincite.errors import ProviderError
from pincite.protocols import Embedder, Reranker
from pincite.text.fold import fold
from pincite.text.language import question_language
from pincite.types.question import GenerationBrief

logger = logging.getLogger(__name__)

#: How many units are compared by meaning; each costs an embedding.
COMPARED: Final = 16
_COVERAGE, _OWN, _MEANING, _WANTED, _SAID, _RANK = 0.42, 0.1, 0.34, 0.055, 0.12, 0.05
#: How much of a score depends on how close the unit comes to each word piece of the question, and the usual closeness:
#: with this and `_SAID` the sentence that is cited holds the answer for .75 instead of .735 of 196 questions of SQuAD
#: 2.0 (development half, by grid), and for as many of 70 of CLAPnq as before.
_CLOSE, _USUALLY_CLOSE = 1.0, 0.5
#: A value under its own label says all that was asked, whatever verb the question has: "Dredging: postponed".
_LABELLED: Final = 0.9
#: How much it counts that the thing asked for is not named: it may be there in other words.
_FOCUS_UNMET: Final = 0.5
#: What is left of a score for each name that is missing.
_UNMET: Final = 0.85


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score (higher is better) and what the score is made of, each between 0 and 1.

    `wanted` says whether the unit holds the kind of thing asked for, `said` how much of what the question word asks:
    names, a place, a reason, a definition. `unmet` counts what of the question is not met: names, a denial, an
    opposite, the thing asked for (half).
    """

    unit: Unit
    score: float
    coverage: float
    own: float
    meaning: float
    wanted: bool
    said: float
    unmet: float = 0.0


Fits = Callable[[Unit], bool]


def score_units(
    brief: GenerationBrief,
    asked: Asked,
    units: Sequence[Unit],
    *,
    fits: Fits,
    embedder: Embedder | None,
    closeness: Reranker | None = None,
) -> list[Scored]:
    """Return the units that are about the thing asked, best first.

    The first ones by words are compared by meaning with `embedder`, and piece by piece with `closeness`. A unit that
    lacks a code or numbered name of the question is left out, however alike it is.
    """
    scored = [_by_words(asked, unit, brief, fits) for unit in units if _may_answer(asked, unit, brief)]
    scored.sort(key=lambda s: (-s.score, s.unit.order))
    if embedder is None:
        return scored
    try:
        compared = _by_meaning(brief, scored[:COMPARED], embedder, closeness)
    except ProviderError as error:
        logger.warning("compared by words alone: %s", error)
        return scored
    # The others keep their place behind: their meaning is only guessed, and a guess may not outdo what was measured.
    return [*sorted(compared, key=lambda s: (-s.score, s.unit.order)), *scored[COMPARED:]]


def _may_answer(asked: Asked, unit: Unit, brief: GenerationBrief) -> bool:
    """Say whether a unit is about the thing asked and says more of it than the question; a yes needs no more."""
    if unit.kind in ("heading", "sentence") and unit.text.endswith(("?", "？")):
        return False  # a question that the document asks itself answers none
    if unit.line.cells and unit.line.cells == unit.line.header:
        return False  # names of columns say nothing of what stands below them
    return asked.is_distinguished(unit) and (brief.shape == "boolean" or asked.adds_to(unit))


def _by_words(asked: Asked, unit: Unit, brief: GenerationBrief, fits: Fits) -> Scored:
    coverage, own = asked.coverage(unit), asked.own_coverage(unit)
    holds_kind = fits(unit) and not asked.lacks_kind(unit)
    said = says_what_is_asked(brief.question, unit.text)
    # In German every noun has a capital: a missing one may be there in other words.
    is_name = 0.5 if question_language(brief.question) == "de" else 1.0
    unmet = is_name * asked.missing_names(unit)
    denies = asked.is_denied_in(unit) or asked.turns_round(unit)
    if asked.differs_in_negation(unit) if asked.is_negated else denies and brief.shape != "boolean":
        unmet += 1
    if asked.lacks_focus(unit):
        unmet += 1 if asked.knows(asked.focus) else _FOCUS_UNMET
    unmet += asked.missing_subjects(unit)
    unmet += n_near_misses(brief.question, unit.text)
    unmet += asked.lacks_what_others_do(unit) or is_of_other_years(brief.question, unit)
    unmet += asked.is_labelled_otherwise(unit)
    unmet += names_other_people(brief.question, unit.text)
    if question_language(brief.question) == "de":
        unmet += has_compound_twin(compounds_in(brief.question), unit.text) or goes_elsewhere(brief.question, unit.text)
    spelt = long_form_asked(brief)
    if spelt is not None:
        if spelt in fold(unit.text).text.casefold():
            coverage = max(coverage, _LABELLED)
        else:
            unmet += 1
    if not unmet and asked.is_labelled(unit) and not asked.missing_words(unit):
        coverage = max(coverage, _LABELLED)
    if brief.shape == "boolean":
        # A yes or no about something else is worse than none: every thing asked about has to be there.
        unmet = max(unmet, asked.missing_words(unit))  # what is missing counts once
    elif asked.says_opposite(unit):
        unmet += 1
    scored = Scored(unit, 0.0, coverage, own, coverage * 0.7, holds_kind, said, unmet)
    return replace(scored, score=_score(scored))


def _score(s: Scored) -> float:
    """Return the score of a unit from its parts."""
    unit = s.unit
    rank = 0.0 if unit.line.rank is None else 1.0 / math.sqrt(unit.line.rank)
    score = _COVERAGE * s.coverage + _OWN * s.own + _MEANING * s.meaning + _RANK * rank
    score += _WANTED * s.wanted + _SAID * s.said
    # A long sentence holds many words by chance: what is said briefly is said more surely.
    if unit.line.line.role == "caption":
        score *= 0.9
    score *= 1 - 0.25 * min(1.0, max(0.0, (len(unit.text) - 250) / 450))
    score *= 1 - 0.5 * max(0.0, _symbol_share(unit.text) - 0.15)
    if not s.wanted:
        score *= 0.85
    if is_negated(unit.text):
        score *= 0.95  # "the password is never printed" seldom says what the password is
    if unit.kind == "heading":
        score *= 0.75  # a heading names its subject, it seldom says anything of it
    elif unit.kind == "mark":
        score *= 0.9
    return float(score * _UNMET**s.unmet)


def _symbol_share(text: str) -> float:
    """Return the share of characters that are no letters, digits or blanks: high in markup and program text."""
    sample = text[:2000]
    return sum(not (c.isalnum() or c.isspace()) for c in sample) / max(len(sample), 1)


def _by_meaning(
    brief: GenerationBrief, scored: Sequence[Scored], embedder: Embedder, closeness: Reranker | None
) -> list[Scored]:
    if not scored:
        return []
    question = spelt_out(brief.question, brief)
    texts = [spelt_out(_in_context(s.unit), brief) for s in scored]
    vectors = embedder.embed([question, *texts])
    cosines = vectors[1:] @ vectors[0]
    # The model keeps what it made of the last texts, so that this look costs no second run.
    close = [_USUALLY_CLOSE] * len(texts) if closeness is None else closeness.scores(question, texts)
    out = []
    for s, cosine, near in zip(scored, cosines, close, strict=True):
        compared = replace(s, meaning=max(0.0, float(cosine)))
        out.append(replace(compared, score=_score(compared) * (1 + _CLOSE * (float(near) - _USUALLY_CLOSE))))
    return out


def _in_context(unit: Unit) -> str:
    before = unit.before[-200:] if points_back(unit) else ""
    around = (*unit.line.breadcrumb[-2:], unit.lead[-160:], before, unit.text[:600])
    return " > ".join(part for part in around if part)


#: A question for what letters stand for, in its form of any language.
_STANDS_FOR: Final = re.compile(
    r"\b(?:stands?\s+for|means?|short\s+for|abbreviat\w+|acronym|bedeutet|steht|heißt|abkürzung|signifie\w*|veut\s+dire)\b"
    r"|^\W*what\s+is\s+[A-Z]{2,}s?\W*$",
    re.IGNORECASE,
)


def long_form_asked(brief: GenerationBrief) -> str | None:
    """Return the long form of the acronym whose meaning is asked, in lower case; `None` where none is known."""
    if not _STANDS_FOR.search(brief.question):
        return None
    longs = [k.text for k in brief.keywords if k.origin == "vocabulary" and k.stands_for]
    longs = [text for text in longs if len(re.findall(r"\w+", text)) > 1]
    return fold(longs[0]).text.casefold() if len(longs) == 1 else None

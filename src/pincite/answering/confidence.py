"""How likely it is that the best unit answers the question: logistic models of how it was found."""

import logging
import math
from typing import Final

from pincite.answering.scoring import Scored
from pincite.errors import ProviderError
from pincite.protocols import Reranker

logger = logging.getLogger(__name__)

#: The model with a closer look: the unit's meaning in its context, what of the question is not met (up to one thing),
#: and how close the unit comes to each word piece of the question. Fitted with equal shares of questions with and
#: without an answer on SQuAD 2.0 and CLAPnq (development halves, by document); `docs/decisions/0004-refusals.md`.
_BASE: Final = -2.85
_NEAR_IN_MEANING: Final = 2.66
_NOT_MET: Final = 1.21
_CLOSE: Final = 2.47
#: Each further thing that is not met counts half of the first.
_FURTHER: Final = 0.5
#: A unit that holds so much of the question, with what introduces it, and lacks nothing is at least so near in meaning
#: and so close: "Then wait 40 seconds." under the heading that says after what.
_SAYS_ALL: Final = 0.9
_MEANING_OF_ALL, _CLOSENESS_OF_ALL = 0.55, 0.6

#: Weights of the model without one: both words and meaning have to fit, so their product weighs most.
_INTERCEPT: Final = -4.6
_BOTH: Final = 7.5
_COVERAGE: Final = 1.0
_MEANING: Final = 3.0
#: What is left for each name of the question that is missing, or a denial that only the question makes.
_UNMET: Final = 0.4
#: The meaning of a unit in a script that the default embedder does not know is this share of its coverage, as it is
#: where there is no embedder.
_OF_COVERAGE: Final = 0.7
#: How much of the odds is kept so that a confidence means how often it is right: temperature scaling (C. Guo et al.,
#: "On Calibration of Modern Neural Networks", ICML 2017), fitted on 390 questions of SQuAD 2.0's development
#: half. Whether something is answered does not change. What error is left stands in benchmarks/README.md.
_TEMPERATURE: Final = 0.3


#: The first letter beyond Latin Extended-B and the phonetic letters.
_FIRST_NOT_LATIN: Final = "\u0370"


class Confidence:
    """How likely units answer one question; each is looked at once more where there is a model to look with."""

    def __init__(self, question: str, closeness: Reranker | None) -> None:
        """Look with `closeness`: the mean cosine of each piece of the question to the nearest piece of a unit."""
        self._question = question
        self._closeness = closeness

    def of(self, best: Scored) -> float:
        """Return how likely (0–1) the unit answers the question."""
        if not is_latin(self._question):
            return _by_words(best, max(best.meaning, _OF_COVERAGE * best.coverage))
        close = self._close(best)
        return _by_words(best, best.meaning) if close is None else _by_closeness(best, close)

    def _close(self, best: Scored) -> float | None:
        if self._closeness is None:
            return None
        try:
            # A question without content ("the") comes close to nothing, and nothing can be said of it that way.
            return float(self._closeness.scores(self._question, [best.unit.text])[0]) or None
        except ProviderError as error:
            logger.warning("not looked at again: %s", error)
            return None


def is_latin(text: str) -> bool:
    """Return whether most letters are Latin: the default model cuts other scripts into pieces that it does not know."""
    letters = [c for c in text if c.isalpha()]
    return 2 * sum(c < _FIRST_NOT_LATIN for c in letters) >= len(letters)


def _by_closeness(best: Scored, close: float) -> float:
    meaning = best.meaning
    if best.coverage >= _SAYS_ALL and not best.unmet:
        meaning, close = max(meaning, _MEANING_OF_ALL), max(close, _CLOSENESS_OF_ALL)
    unmet = min(1.0, best.unmet) + _FURTHER * max(0.0, best.unmet - 1)
    z = _BASE + _NEAR_IN_MEANING * meaning - _NOT_MET * unmet + _CLOSE * close
    return round(1 / (1 + math.exp(-z)), 4)


def _by_words(best: Scored, meaning: float) -> float:
    both = best.coverage * meaning
    z = _INTERCEPT + _BOTH * both + _COVERAGE * best.coverage + _MEANING * meaning
    likely = float(_UNMET**best.unmet) / (1 + math.exp(-z))
    odds = math.pow(likely / max(1 - likely, 1e-9), _TEMPERATURE)
    return round(odds / (1 + odds), 4)

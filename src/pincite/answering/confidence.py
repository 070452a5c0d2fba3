"""How likely it is that the best unit answers the question: a logistic model of how it was found."""

import math
from collections.abc import Sequence
from typing import Final

from pincite.answering.scoring import Scored

#: Weights of the logistic model: both words and meaning have to fit, so their product weighs most. Set between two
#: public question sets half of whose questions have no answer (SQuAD 2.0 and CLAPnq, development halves).
_INTERCEPT: Final = -4.6
_BOTH: Final = 7.5
_COVERAGE: Final = 1.0
_MEANING: Final = 3.0
#: What is left for each name of the question that is missing, or a denial that only the question makes.
_UNMET: Final = 0.4


#: How much of the odds is kept so that a confidence means how often it is right: temperature scaling (C. Guo et al.,
#: "On Calibration of Modern Neural Networks", ICML 2017), fitted on 390 questions of SQuAD 2.0's development
#: half. Whether something is answered does not change. What error is left stands in benchmarks/README.md.
_TEMPERATURE: Final = 0.3


def confidence(scored: Sequence[Scored]) -> float:
    """Return how likely (0–1) the first unit answers the question."""
    if not scored:
        return 0.0
    best = scored[0]
    both = best.coverage * best.meaning
    z = _INTERCEPT + _BOTH * both + _COVERAGE * best.coverage + _MEANING * best.meaning
    likely = float(_UNMET**best.unmet) / (1 + math.exp(-z))
    odds = math.pow(likely / max(1 - likely, 1e-9), _TEMPERATURE)
    return round(odds / (1 + odds), 4)

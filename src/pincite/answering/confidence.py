"""How likely it is that the best unit answers the question: a logistic model of how it was found."""

import math
from collections.abc import Sequence
from typing import Final

from pincite.answering.scoring import Scored

#: Weights of the logistic model, fitted on the development half of public question sets (benchmarks/refusals.py).
_INTERCEPT: Final = -4.6
_COVERAGE: Final = 1.4
_OWN: Final = 0.9
_MEANING: Final = 5.0


def confidence(scored: Sequence[Scored]) -> float:
    """Return how likely (0–1) the first unit answers the question."""
    if not scored:
        return 0.0
    best = scored[0]
    z = _INTERCEPT + _COVERAGE * best.coverage + _OWN * best.own + _MEANING * best.meaning
    return round(1 / (1 + math.exp(-z)), 4)

"""Measures of a ranked list against what is relevant: hit, reciprocal rank, nDCG, recall.

The formulas are those of trec_eval (`success`, `recip_rank`, `ndcg_cut`, `recall`): gains are the grades, discounts
`log2(rank + 1)`. `ranked` holds each key once, best first; `gold` is key → grade, grades above 0.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def hit_at(ranked: Sequence[K], gold: Mapping[K, int], k: int) -> float:
    """Return 1 when something relevant is among the first `k`, else 0."""
    return float(any(key in gold for key in ranked[:k]))


def reciprocal_rank(ranked: Sequence[K], gold: Mapping[K, int]) -> float:
    """Return one over the rank of the first relevant key; 0 when there is none."""
    return next((1 / rank for rank, key in enumerate(ranked, start=1) if key in gold), 0.0)


def ndcg_at(ranked: Sequence[K], gold: Mapping[K, int], k: int) -> float:
    """Return the discounted gain of the first `k` as a share of the best possible."""
    found = _gain([gold.get(key, 0) for key in ranked[:k]])
    best = _gain(sorted(gold.values(), reverse=True)[:k])
    return found / best if best else 0.0


def recall_at(ranked: Sequence[K], gold: Mapping[K, int], k: int) -> float:
    """Return the share of what is relevant that is among the first `k`."""
    return sum(key in gold for key in ranked[:k]) / len(gold) if gold else 0.0


def _gain(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))

"""Several scored lists to one: each detector's scores on a common scale, then a weighted sum.

A convex combination of scaled scores keeps how much better a place is, which ranks throw away (S. Bruch, S. Gai and
A. Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM Transactions on Information Systems 42(1), 2023).
`docs/decisions/0007-scores-not-ranks.md` has our figures.
"""

from collections.abc import Mapping, Sequence

from pincite.types.passage import PassageHit


def fuse(
    lists: Mapping[str, Sequence[PassageHit]], weights: Mapping[str, float], *, depth: int, shares: frozenset[str]
) -> dict[int, float]:
    """Return passage id → fused score, higher is better, in descending order; equal scores keep the lists' order.

    A list of `depth` hits was cut: what is not in it scored at most its last, which becomes 0. Of a shorter list
    nothing is left out, and 0 stays 0. The best hit of a detector becomes 1. Detectors named in `shares` score between
    0 and 1 by themselves and are taken as they are.
    """
    scores: dict[int, float] = {}
    for name, hits in lists.items():
        floor = hits[-1].score if len(hits) >= depth else 0.0
        best = max((hit.score for hit in hits), default=0.0)
        for hit in hits:
            scaled = hit.score if name in shares else _scaled(hit.score, floor, best)
            scores[hit.passage_id] = scores.get(hit.passage_id, 0.0) + weights.get(name, 1.0) * scaled
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


def _scaled(score: float, floor: float, best: float) -> float:
    if best <= floor:
        return 1.0 if score >= best else 0.0
    return max(0.0, (score - floor) / (best - floor))

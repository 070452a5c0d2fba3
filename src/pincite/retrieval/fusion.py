"""Several ranked lists to one: weighted reciprocal rank fusion (Cormack, Clarke & Büttcher 2009)."""

from collections.abc import Mapping, Sequence

#: The constant of the paper: how fast a lower rank loses weight.
K = 60


def fuse(lists: Mapping[str, Sequence[int]], weights: Mapping[str, float]) -> dict[int, float]:
    """Return id → fused score, higher is better, in descending order; ids of equal score keep the first list's order.

    >>> list(fuse({"a": [1, 2], "b": [2, 3]}, {"a": 1.0, "b": 1.0}))
    [2, 1, 3]
    """
    scores: dict[int, float] = {}
    for name, ids in lists.items():
        for rank, passage_id in enumerate(ids, start=1):
            scores[passage_id] = scores.get(passage_id, 0.0) + weights.get(name, 1.0) / (K + rank)
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))

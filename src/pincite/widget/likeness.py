"""Which sets share most of their members? Found without comparing each with each."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence


def like_pairs(sets: Sequence[frozenset[str]], share: float) -> Iterator[tuple[int, int]]:
    """Yield `(later, earlier)` for sets whose common members are at least `share` of all members of the two.

    Two such sets also share one of their rarest members: of n members, one of the n - ⌈share · n⌉ + 1 rarest (prefix
    filtering, Chaudhuri, Ganti and Kaushik 2006). Only sets that meet there are compared. Empty sets are like none.

    >>> list(like_pairs([frozenset("abcd"), frozenset("xyz"), frozenset("abce")], 0.6))
    [(2, 0)]
    """
    frequency = Counter(member for own in sets for member in own)
    holding: dict[str, list[int]] = {}
    for later, own in enumerate(sets):
        rarest = sorted(own, key=lambda member: (frequency[member], member))
        near: set[int] = set()
        for member in rarest[: len(own) - math.ceil(share * len(own)) + 1]:
            near.update(holding.get(member, ()))
            holding.setdefault(member, []).append(later)
        for earlier in sorted(near):
            n_shared = len(own & sets[earlier])
            if n_shared >= share * (len(own) + len(sets[earlier]) - n_shared):
                yield later, earlier

"""Where to cut a row of units so that passages have a good size and end at good places."""

from collections.abc import Sequence
from typing import Final

from pincite.passages.units import Unit, ends_sentence

#: Costs of a cut. Only their relation matters: a passage half as long as it should be costs `SMALL` / 4, a bit more
#: than a cut inside a sentence.
SMALL: Final = 20.0
PER_PASSAGE: Final = 0.5
AFTER_SENTENCE: Final = 1.0
IN_CODE: Final = 1.0
IN_SENTENCE: Final = 3.0
AFTER_LEAD_IN: Final = 4.0
BEFORE_LIST: Final = 0.5
NEVER: Final = 1e6


def cut(
    units: Sequence[Unit], costs: Sequence[float], *, min_words: float, max_words: float, repeated: float = 0.0
) -> list[tuple[int, int]]:
    """Return half-open ranges of units, in order, that together hold each unit once; the cheapest there are.

    `costs[i]` is the cost of a cut after unit `i`. `repeated` words are added to each range but the first (a table's
    header). No range has more than `max_words` words, except one unit alone.
    """
    best = [0.0] + [float("inf")] * len(units)
    starts = [0] * (len(units) + 1)
    for end in range(1, len(units) + 1):
        n_words = 0.0
        for start in range(end - 1, -1, -1):
            n_words += units[start].n_words
            n_all = n_words + (repeated if start else 0.0)
            if n_all > max_words and start < end - 1:
                break
            missing = max(0.0, min_words - n_all) / min_words
            cost = best[start] + PER_PASSAGE + SMALL * missing * missing
            if cost < best[end]:
                best[end], starts[end] = cost, start
        if end < len(units):
            best[end] += costs[end - 1]
    ranges = []
    end = len(units)
    while end > 0:
        ranges.append((starts[end], end))
        end = starts[end]
    return ranges[::-1]


def cut_costs(units: Sequence[Unit]) -> list[float]:
    """Return what a cut after each unit of running text costs."""
    last_index = {unit.block: index for index, unit in enumerate(units)}
    costs: list[float] = []
    open_until, open_text = -1, ""
    for index, unit in enumerate(units):
        if last_index[unit.block] >= open_until:
            open_until, open_text = last_index[unit.block], unit.text
        following = units[index + 1] if index + 1 < len(units) else None
        costs.append(_cost(unit, following, open_text if open_until > index else None))
    return costs


def _cost(unit: Unit, following: Unit | None, open_text: str | None) -> float:
    """Return the cost after `unit`; `open_text` is the line at which a block that goes on later was left."""
    if unit.kind == "heading":
        return NEVER
    if open_text is not None:
        if unit.kind == "code":
            return IN_CODE
        return AFTER_SENTENCE if ends_sentence(open_text) else IN_SENTENCE
    if following is not None and following.kind in {"list", "code"} and unit.kind not in {"list", "code"}:
        return AFTER_LEAD_IN if unit.text.rstrip().endswith(":") else BEFORE_LIST
    return 0.0

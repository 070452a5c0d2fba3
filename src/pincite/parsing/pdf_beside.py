"""Tables that text flows around: the words inside rules are lines of their own, not the ends of those beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.parsing.pdf_areas import RuledGrid
from pincite.parsing.pdf_calls import Floats, Ints
from pincite.parsing.pdf_lines import DraftLine, View, lines_of

#: Fewer words than this beside a table, or inside it, are no text that flows around it.
_FEWEST_WORDS = 8
#: Words beside a table stand on the lines of its rows when so great a share of them does, to so many points.
_SAME_ROW_SHARE, _SAME_ROW = 0.5, 1.0
#: A caption above a table reaches so many line heights up; text stands so many line heights away from it.
_CAPTION_REACH, _APART = 3.2, 0.8


@dataclass(frozen=True, slots=True)
class Boxed:
    """Words (by place in the view) of a table with text beside it, and the part of the page from top to bottom."""

    words: Ints
    top: float
    bottom: float


def boxed_tables(made: View, chosen: Ints, grids: Sequence[RuledGrid]) -> list[Boxed]:
    """Return the ruled tables among chosen words of a view that other words stand beside."""
    return list(_boxed(made, chosen, grids)) if grids and len(chosen) else []


def _boxed(made: View, chosen: Ints, grids: Sequence[RuledGrid]) -> Iterator[Boxed]:
    box, baseline = made.box.take(chosen, axis=0), made.baseline.take(chosen)
    x, y = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    for grid in grids:
        x0, y0, x1, y1 = grid.box
        beside = (y > y0) & (y < y1)
        inside = beside & (x > x0) & (x < x1)
        beside &= (box[:, 2] < x0 + 1) | (box[:, 0] > x1 - 1)
        if min(int(inside.sum()), int(beside.sum())) < _FEWEST_WORDS:
            continue
        levels = np.unique(baseline[beside].round())
        own = np.unique(baseline[inside].round())
        shared = np.abs(levels[:, None] - own).min(axis=1) <= _SAME_ROW
        if shared.sum() > _SAME_ROW_SHARE * len(levels):
            continue
        top = y0 - _CAPTION_REACH * float(np.median(made.high[chosen[inside]]))
        above = _caption(box, made.high[chosen], y, (x0, top, x1, y0))
        yield Boxed(chosen[inside | above], float(box[inside | above, 1].min()), y1)


def _caption(box: Floats, high: Floats, y: Floats, room: tuple[float, float, float, float]) -> np.ndarray:
    """Return which words stand right above a table, within its sides and apart from the text beside them."""
    x0, top, x1, bottom = room
    near = (y > top) & (y < bottom)
    own = near & (box[:, 0] > x0 - 3) & (box[:, 2] < x1 + 3)
    for level in np.unique(box[near, 3].round()).tolist():
        row = near & (np.abs(box[:, 3] - level) < 1.0)
        left = box[row & ~own & (box[:, 2] <= x0 + 3), 2]
        right = box[row & ~own & (box[:, 0] >= x1 - 3), 0]
        others = row & ~own
        if not (row & own).any():
            continue
        a, b, apart = box[row & own, 0].min(), box[row & own, 2].max(), _APART * float(high[row].max())
        close = (len(left) and a - left.max() < apart) or (len(right) and right.min() - b < apart)
        if close or int(others.sum()) > len(left) + len(right):
            own &= ~row
    return own


def with_tables(lines: list[DraftLine], boxed: list[Boxed], made: View) -> list[DraftLine]:
    """Return lines with those of tables put in, each at the widest gap between the lines beside it."""
    for table in boxed:
        own = lines_of(made, np.sort(table.words), columns=False)
        beside = [at for at, line in enumerate(lines) if table.top < line.upright[3] and line.upright[1] < table.bottom]
        if not beside:
            lines = sorted([*lines, *own], key=lambda line: line.upright[1])
            continue
        places = range(beside[0], beside[-1] + 2)
        at = max(places, key=lambda place: (_gap(lines, place), place))
        lines = [*lines[:at], *own, *lines[at:]]
    return lines


def _gap(lines: list[DraftLine], place: int) -> float:
    """Return how far the line at a place is below the one before it; the ends of a page and a column are far."""
    if place in (0, len(lines)) or lines[place].column != lines[place - 1].column:
        return 1e9
    return lines[place].upright[1] - lines[place - 1].upright[3]

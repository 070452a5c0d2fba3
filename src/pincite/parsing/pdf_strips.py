"""White strips that run down a page: where no word stands, with words on either side."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.parsing.pdf_calls import Floats, Ints

#: Points a cell of the coverage picture is wide.
CELL_PT = 2.0


@dataclass(frozen=True, slots=True)
class Picture:
    """Where a strip of the least width may begin: a line a row, a column a cell of `CELL_PT`.

    `white` says that no word of the row stands in the strip, `left` and `right` that one stands beside it.
    """

    white: npt.NDArray[np.bool_]
    left: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]


def picture_of(x0: Floats, x1: Floats, row: Ints, width: int, wide: int) -> Picture:
    """Return the picture of words from `x0` to `x1`, counted in cells; a strip is `wide` cells wide."""
    n_rows = int(row.max()) + 1
    first = np.clip(x0 + 0.25, 0, width - 1).astype(np.int64)
    end = np.clip(np.ceil(x1 - 0.25), 1, width).astype(np.int64)
    wider = end > first
    if not wider.all():
        first, end, row = first[wider], end[wider], row[wider]
    places = width - wide + 1
    size = n_rows * (places + 1)
    line = row * (places + 1)
    opens = np.bincount(line + np.maximum(first - wide + 1, 0), minlength=size)
    shuts = np.bincount(line + np.minimum(end, places), minlength=size)
    white = (opens - shuts).reshape(n_rows, places + 1).cumsum(axis=1)[:, :places] <= 0
    leftmost, rightmost = np.full(n_rows, width), np.zeros(n_rows, np.int64)
    np.minimum.at(leftmost, row, first)
    np.maximum.at(rightmost, row, end)
    at = np.arange(places)
    return Picture(white, leftmost[:, None] < at, (rightmost - wide)[:, None] > at)


def candidates(picture: Picture) -> list[tuple[int, int, int]]:
    """Return `(x, first row, last row)` of white strips, those beside most rows first.

    For every x the best run of rows that are white there is found, counting rows with words on either side.
    Where fewer than two white rows have words to the right nothing is counted, which leaves a tenth of a page
    of prose.
    """
    white = picture.white
    n_rows, width = white.shape
    some = (np.add.reduce(white & picture.right, axis=0, dtype=np.int32) >= 2).nonzero()[0]
    if len(some) == 0:
        return []
    clear = white.T[some]
    blocked = ~clear
    left, right = picture.left.T[some].cumsum(axis=1), picture.right.T[some].cumsum(axis=1)
    left_before = np.maximum.accumulate(left * blocked, axis=1)
    right_before = np.maximum.accumulate(right * blocked, axis=1)
    score = np.minimum(left - left_before, right - right_before) * clear
    most = score.max(axis=1)
    if most.max() < 2:
        return []
    best, bottom = np.zeros(width, np.int64), np.zeros(width, np.int64)
    best[some] = most
    bottom[some] = n_rows - 1 - score[:, ::-1].argmax(axis=1)
    return _peaks(best, bottom, white)


def _peaks(best: Ints, bottom: Ints, white: npt.NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return the middle of each stretch of equal strips, best first, a few at most."""
    edges = ((best[1:] != best[:-1]) | (bottom[1:] != bottom[:-1])).nonzero()[0] + 1
    stretches = zip([0, *edges.tolist()], [*edges.tolist(), len(best)], strict=True)
    found = [(int(best[a]), b - a, (a + b - 1) // 2) for a, b in stretches if best[a] >= 2]
    found.sort(reverse=True)
    out = []
    for _, _, x in found[:6]:
        blocked = np.flatnonzero(~white[: bottom[x] + 1, x])
        below = np.flatnonzero(~white[bottom[x] :, x])
        top = int(blocked[-1]) + 1 if len(blocked) else 0
        last = int(bottom[x]) + int(below[0]) - 1 if len(below) else white.shape[0] - 1
        out.append((x, top, last))
    return out

"""White strips that run down a page: where no word stands, with words on either side."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.parsing.pdf_calls import Floats, Ints

#: Points a cell of the coverage picture is wide.
CELL_PT = 2.0


@dataclass(slots=True)
class Picture:
    """Where a strip of the least width may begin: a line a row, a column a cell of `CELL_PT`.

    `white` says that no word of the row stands in the strip. A word stands to its left where the strip begins behind
    `left` of the row, and to its right where it begins before `right`.
    """

    white: npt.NDArray[np.bool_]
    left: Ints
    right: Ints


def picture_of(x0: Floats, x1: Floats, row: Ints, width: int, wide: int) -> Picture:
    """Return the picture of words from `x0` to `x1`, counted in cells; a strip is `wide` cells wide."""
    n_rows = int(row.max()) + 1
    first = np.minimum(np.maximum(x0 + 0.25, 0), width - 1).astype(np.int64)
    end = np.minimum(np.maximum(np.ceil(x1 - 0.25), 1), width).astype(np.int64)
    wider = end > first
    if not wider.all():
        first, end, row = first[wider], end[wider], row[wider]
    places = width - wide + 1
    line = row * (places + 1)
    change = np.bincount(line + np.maximum(first - wide + 1, 0), minlength=n_rows * (places + 1))
    change -= np.bincount(line + np.minimum(end, places), minlength=len(change))
    # What opens in a row shuts in it, so that the sum may run on from one row into the next.
    white = change.cumsum().reshape(n_rows, places + 1)[:, :places] <= 0
    leftmost, rightmost = np.full(n_rows, width), np.zeros(n_rows, np.int64)
    np.minimum.at(leftmost, row, first)
    np.maximum.at(rightmost, row, end)
    return Picture(white, leftmost, rightmost - wide)


def candidates(picture: Picture) -> list[tuple[int, int, int]]:
    """Return `(x, first row, last row)` of white strips, those beside most rows first.

    For every x the best run of rows that are white there is found, counting rows with words on either side.
    Where fewer than two white rows have words to the right nothing is counted, which leaves a tenth of a page
    of prose.
    """
    white, before, behind = picture.white, picture.left[:, None], picture.right[:, None]
    n_rows, width = white.shape
    beside = white & (behind > np.arange(width))
    some = (np.add.reduce(beside, axis=0, dtype=np.int32) >= 2).nonzero()[0]
    if len(some) == 0:
        return []
    clear = white.take(some, axis=1)
    score = np.minimum(_in_one_run(before < some, clear), _in_one_run(behind > some, clear))
    score *= clear
    most = score.max(axis=0)
    if most.max() < 2:
        return []
    best, bottom = np.zeros(width, np.int64), np.zeros(width, np.int64)
    best[some] = most
    bottom[some] = n_rows - 1 - score[::-1].argmax(axis=0)
    return _peaks(best, bottom, white)


def _in_one_run(counted: npt.NDArray[np.bool_], clear: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Return for every row how many are counted down to it since the last that is not clear."""
    so_far = np.add.accumulate(counted, axis=0, dtype=np.int32)
    runs: npt.NDArray[np.int32] = so_far - np.maximum.accumulate(so_far * ~clear, axis=0)
    return runs


def _peaks(best: Ints, bottom: Ints, white: npt.NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return the middle of each stretch of equal strips, best first, a few at most."""
    edges = ((best[1:] != best[:-1]) | (bottom[1:] != bottom[:-1])).nonzero()[0] + 1
    heads = [0, *edges.tolist()]
    stretches = zip(best.take(heads).tolist(), heads, [*heads[1:], len(best)], strict=True)
    found = [(most, b - a, (a + b - 1) // 2) for most, a, b in stretches if most >= 2]
    found.sort(reverse=True)
    out = []
    for _, _, x in found[:6]:
        blocked = np.flatnonzero(~white[: bottom[x] + 1, x])
        below = np.flatnonzero(~white[bottom[x] :, x])
        top = int(blocked[-1]) + 1 if len(blocked) else 0
        last = int(bottom[x]) + int(below[0]) - 1 if len(below) else white.shape[0] - 1
        out.append((x, top, last))
    return out

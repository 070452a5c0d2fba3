"""Reading order: a page is cut at the white strips between columns of prose, then read cut by cut.

A strip is a rectangle of white that runs down some rows with words on both sides. Rows that cross it
(headings, wide figures) end it, so the page falls into what is above, left, right and below, and each part
is cut again. A strip between the cells of a table is left alone: rows of a table are read across.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.parsing.pdf_calls import Floats, Ints

#: Least width of a strip, in ems of the page's usual size: for long strips, and for those of few rows.
_GUTTER_EM, _SHORT_GUTTER_EM = 0.7, 1.2
#: A strip beside fewer rows than this is short.
_SHORT_ROWS = 6
#: Least words a row on each side, on average, that prose has and the cells of a table have not.
_PROSE_WORDS = 2.8
#: Largest share of words with digits in prose beside a gutter.
_PROSE_DIGITS = 0.3
#: Parts within parts; a page is never nested deeper.
_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Region:
    """Words (by index) that are read across, row by row; `column` counts from 1, left to right."""

    words: Ints
    column: int


@dataclass(frozen=True, slots=True)
class Layout:
    """What the cuts look at: upright boxes, rows from the top, whether a word is a number, the em."""

    box: Floats
    row: Ints
    numeric: npt.NDArray[np.bool_]
    bold: npt.NDArray[np.bool_]
    em: float


@dataclass(frozen=True, slots=True)
class _Strip:
    x0: float
    x1: float
    top: int
    bottom: int


def rows_of(baseline: Floats, size: Floats) -> Ints:
    """Return a row number for each word, from the top: words share one when their baselines nearly do."""
    order = np.argsort(baseline, kind="stable")
    row = np.zeros(len(baseline), np.int64)
    current, anchor = -1, -1e9
    sizes = size.tolist()
    for at, y in zip(order.tolist(), baseline[order].tolist(), strict=True):
        if y - anchor > 0.35 * sizes[at] or current < 0:
            current += 1
            anchor = y
        row[at] = current
    return row


def regions(layout: Layout) -> list[Region]:
    """Return the parts of the page in reading order; together they hold every word once."""
    return _cut(layout, np.arange(len(layout.row)), 1, _DEPTH)


def _cut(layout: Layout, words: Ints, column: int, depth: int) -> list[Region]:
    if len(words) == 0:
        return []
    strip = _strip(layout, words) if depth and len(words) > 6 else None
    if strip is None:
        return [Region(words, column)]
    row = layout.row[words]
    inside = (row >= strip.top) & (row <= strip.bottom)
    middle = (layout.box[words, 0] + layout.box[words, 2]) / 2
    left = inside & (middle < strip.x1)
    out = _cut(layout, words[row < strip.top], column, depth - 1)
    first = _cut(layout, words[left], column, depth - 1)
    beside = max((region.column for region in first), default=column) + 1
    out += first
    out += _cut(layout, words[inside & ~left], beside, depth - 1)
    return out + _cut(layout, words[row > strip.bottom], column, depth - 1)


def _strip(layout: Layout, words: Ints) -> _Strip | None:
    """Return the best white strip between two columns of prose, or `None`."""
    box = layout.box[words]
    rows, row = np.unique(layout.row[words], return_inverse=True)
    if len(rows) < 2:
        return None
    x_left = float(box[:, 0].min())
    width = int(box[:, 2].max() - x_left) + 2
    taken = _coverage(box[:, 0] - x_left, box[:, 2] - x_left, row, len(rows), width)
    for gutter_em, least in ((_GUTTER_EM, _SHORT_ROWS), (_SHORT_GUTTER_EM, 2)):
        wide = max(3, round(gutter_em * layout.em))
        for x, top, bottom in _candidates(taken, wide, least):
            strip = _Strip(x + x_left, x + wide + x_left, top, bottom)
            good = _as_columns(layout, words, row, strip)
            if good is not None:
                return _Strip(good.x0, good.x1, int(rows[good.top]), int(rows[good.bottom]))
    return None


def _coverage(x0: Floats, x1: Floats, row: Ints, n_rows: int, width: int) -> npt.NDArray[np.bool_]:
    """Return a picture of the words: one line a row, one column a point."""
    marks = np.zeros((n_rows, width + 1), np.int32)
    np.add.at(marks, (row, np.clip(x0, 0, width - 1).astype(np.int64)), 1)
    np.add.at(marks, (row, np.clip(np.ceil(x1), 1, width).astype(np.int64)), -1)
    return np.cumsum(marks, axis=1)[:, :width] > 0


def _candidates(taken: npt.NDArray[np.bool_], wide: int, least: int) -> list[tuple[int, int, int]]:
    """Return `(x, first row, last row)` of white strips, those beside most rows first."""
    n_rows, width = taken.shape
    if width <= wide + 2:
        return []
    total = np.concatenate((np.zeros((n_rows, 1), np.int32), np.cumsum(taken, axis=1, dtype=np.int32)), axis=1)
    white = total[:, wide:] == total[:, :-wide]
    n = white.shape[1]
    left = total[:, :n] > 0
    right = total[:, -1:] > total[:, wide:]
    run = np.zeros(n, np.int32)
    n_left, n_right, start = run.copy(), run.copy(), run.copy()
    best, best_top, best_bottom = run.copy(), run.copy(), run.copy()
    for r in range(n_rows):
        free = white[r]
        start = np.where(free & (run == 0), r, start)
        run = np.where(free, run + 1, 0)
        n_left = np.where(free, n_left + left[r], 0)
        n_right = np.where(free, n_right + right[r], 0)
        score = np.minimum(n_left, n_right)
        better = score > best
        best = np.where(better, score, best)
        best_top = np.where(better, start, best_top)
        best_bottom = np.where(better | (free & (score == best) & (start == best_top)), r, best_bottom)
    return _peaks(best, best_top, best_bottom, least)


def _peaks(best: Ints, top: Ints, bottom: Ints, least: int) -> list[tuple[int, int, int]]:
    """Return the middle of each stretch of equal strips, best first, a few at most."""
    edges = np.flatnonzero((np.diff(best) != 0) | (np.diff(top) != 0) | (np.diff(bottom) != 0)) + 1
    stretches = zip([0, *edges.tolist()], [*edges.tolist(), len(best)], strict=True)
    found = [(int(best[a]), b - a, (a + b - 1) // 2) for a, b in stretches if best[a] >= least]
    found.sort(reverse=True)
    return [(x, int(top[x]), int(bottom[x])) for _, _, x in found[:6]]


def _as_columns(layout: Layout, words: Ints, row: Ints, strip: _Strip) -> _Strip | None:
    """Return the strip cut down to the rows where both sides are prose columns, or `None`."""
    inside = (row >= strip.top) & (row <= strip.bottom)
    middle = (layout.box[words, 0] + layout.box[words, 2]) / 2
    left, right = inside & (middle < strip.x1), inside & (middle >= strip.x1)
    rows_left, rows_right = np.unique(row[left]), np.unique(row[right])
    if len(rows_left) < 2 or len(rows_right) < 2:
        return None
    first, last = max(rows_left[0], rows_right[0]), min(rows_left[-1], rows_right[-1])
    beside = min(
        np.count_nonzero((rows_left >= first) & (rows_left <= last)),
        np.count_nonzero((rows_right >= first) & (rows_right <= last)),
    )
    if beside < 2:
        return None
    if not (_is_prose(layout, words[left], len(rows_left)) and _is_prose(layout, words[right], len(rows_right))):
        return None
    top, bottom = _without_headings(layout, words, row, left, right, strip)
    return _Strip(strip.x0, strip.x1, top, bottom) if bottom > top else None


def _is_prose(layout: Layout, words: Ints, n_rows: int) -> bool:
    """Return whether the words of one side of a strip look like lines of running text."""
    if len(words) < _PROSE_WORDS * n_rows:
        return False
    return float(layout.numeric[words].mean()) <= _PROSE_DIGITS


def _without_headings(
    layout: Layout,
    words: Ints,
    row: Ints,
    left: npt.NDArray[np.bool_],
    right: npt.NDArray[np.bool_],
    strip: _Strip,
) -> tuple[int, int]:
    """Return first and last row of the strip up to the first short heading that stands over both columns.

    Such a row has words on the left alone, and white above and below it across both columns.
    """
    box = layout.box[words]
    top, bottom = strip.top, strip.bottom
    both = np.unique(row[left | right])
    for at in both.tolist():
        if np.any(right & (row == at)):
            continue
        mine = box[left & (row == at)]
        high = float((mine[:, 3] - mine[:, 1]).max())
        above = box[(row < at) & (row >= strip.top), 3]
        below = box[(row > at) & (row <= strip.bottom), 1]
        clear_above = len(above) == 0 or float(mine[:, 1].min() - above.max()) > 0.5 * high
        clear_below = len(below) > 0 and float(below.min() - mine[:, 3].max()) > 0.2 * high
        heading = high > 1.12 * _usual_height(box) or bool(layout.bold[words][left & (row == at)].all())
        if clear_above and clear_below and heading and len(above):
            if at - 1 > top:
                return top, at - 1
            top = at + 1
        elif clear_above and clear_below and heading:
            top = at + 1
    return top, bottom


def _usual_height(box: Floats) -> float:
    return float(np.median(box[:, 3] - box[:, 1]))

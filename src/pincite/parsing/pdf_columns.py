"""Reading order: a page is cut at the white strips between columns of prose, then read cut by cut.

A strip is a rectangle of white that runs down some rows with words on both sides. Rows that cross it
(headings, wide figures) end it, so the page falls into what is above, left, right and below, and each part
is cut again. A strip between the cells of a table is left alone: rows of a table are read across.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.parsing.objects import caption, may_be_caption
from pincite.parsing.pdf_calls import Floats, Ints
from pincite.parsing.pdf_geometry import median

#: Least width of a strip, in line heights: for long strips, and for those of few rows.
_GUTTER, _SHORT_GUTTER = 0.6, 1.1
#: A gap below this share of the line height is a space between words, whatever stands above and below.
_WORD_SPACE = 0.45
#: A strip beside fewer rows than this is short.
_SHORT_ROWS = 6
#: Least words a row on each side, on average, that prose has and the cells of a table have not.
_PROSE_WORDS, _SHORT_PROSE_WORDS = 2.8, 3.9
#: Largest share of words with digits in prose beside a gutter.
_PROSE_DIGITS = 0.3
#: Parts within parts; a page is never nested deeper.
_DEPTH = 8
#: Points a cell of the coverage picture is wide.
_CELL_PT = 2.0
_CJK_WORD, FIRST_CJK = 2.0, "\u2e80"


@dataclass(frozen=True, slots=True)
class Region:
    """Words (by index) that are read across, row by row; `column` counts from 1, left to right."""

    words: Ints
    column: int


@dataclass(frozen=True, slots=True)
class Layout:
    """What the cuts look at: upright boxes, rows from the top, texts of words, which are numbers, the line height."""

    box: Floats
    row: Ints
    texts: Callable[[Ints], list[str]]
    numeric: npt.NDArray[np.bool_]
    high: float
    reach: Floats
    any_cjk: bool

    @classmethod
    def of(
        cls,
        box: Floats,
        high: Floats,
        row: Ints,
        texts: Callable[[Ints], list[str]],
        numeric: npt.NDArray[np.bool_],
        *,
        any_cjk: bool = True,
    ) -> "Layout":
        """Return the layout of words that stand upright; `any_cjk` is false when no word can be Chinese or Japanese."""
        return cls(box, row, texts, numeric, median(high), _reach(box, high, row), any_cjk)


def _reach(box: Floats, high: Floats, row: Ints) -> Floats:
    """Return the right edge of each word, or the left of the next where only a space of its size lies between."""
    order = np.lexsort((box[:, 0], row))
    a, b = order[:-1], order[1:]
    gap = box[b, 0] - box[a, 2]
    near = (row[a] == row[b]) & (gap > 0) & (gap < _WORD_SPACE * high[a])
    reach: Floats = box[:, 2].copy()
    reach[a[near]] = box[b[near], 0]
    return reach


@dataclass(frozen=True, slots=True)
class _Strip:
    x: float
    top: int
    bottom: int


def rows_of(baseline: Floats, high: Floats) -> Ints:
    """Return a row number for each word, from the top: words share one when their baselines nearly do."""
    halves = np.round(baseline * 2).astype(np.int64)
    order = halves.argsort(kind="stable")
    halves = halves[order]
    fresh = np.ones(len(halves), bool)
    fresh[1:] = halves[1:] != halves[:-1]
    heads = fresh.nonzero()[0]
    tallest = np.maximum.reduceat(high[order], heads)
    numbers = []
    current, anchor, reach = -1, -1e9, 0.0
    for level, tall in zip((halves[heads] / 2).tolist(), tallest.tolist(), strict=True):
        if level - anchor > 0.3 * max(tall, reach):
            current += 1
            anchor, reach = level, tall
        numbers.append(current)
    rows = np.empty(len(order), np.int64)
    rows[order] = np.array(numbers, np.int64)[fresh.cumsum() - 1]
    return rows


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
    left = inside & (_middle(layout, words) < strip.x)
    out = _cut(layout, words[row < strip.top], column, depth - 1)
    first = _cut(layout, words[left], column, depth - 1)
    beside = max((region.column for region in first), default=column) + 1
    out += first
    out += _cut(layout, words[inside & ~left], beside, depth - 1)
    return out + _cut(layout, words[row > strip.bottom], column, depth - 1)


def _middle(layout: Layout, words: Ints) -> Floats:
    middle: Floats = (layout.box[words, 0] + layout.box[words, 2]) / 2
    return middle


def _distinct(row: Ints) -> Ints:
    """Return the row numbers that occur, in order (a quarter of the time of `numpy.unique` on a page)."""
    return np.bincount(row).nonzero()[0]


def _strip(layout: Layout, words: Ints) -> _Strip | None:
    """Return the best white strip between two columns of prose, or `None`."""
    box = layout.box[words]
    taken_rows = np.bincount(layout.row[words]) > 0
    rows = taken_rows.nonzero()[0]
    if len(rows) < 2:
        return None
    row = (taken_rows.cumsum() - 1)[layout.row[words]]
    x_left = float(box[:, 0].min())
    width = int((float(box[:, 2].max()) - x_left) / _CELL_PT) + 2
    wide = max(2, round(_GUTTER * layout.high / _CELL_PT))
    if width <= wide + 2:
        return None
    picture = _picture((box[:, 0] - x_left) / _CELL_PT, (layout.reach[words] - x_left) / _CELL_PT, row, width, wide)
    for x, top, bottom in _candidates(picture):
        strip = _Strip((x + wide / 2) * _CELL_PT + x_left, top, bottom)
        good = _as_columns(layout, words, row, strip)
        if good is not None:
            return _Strip(good.x, int(rows[good.top]), int(rows[good.bottom]))
    return None


@dataclass(frozen=True, slots=True)
class _Picture:
    """Where a strip of the least width may begin: a line a row, a column a cell of `_CELL_PT`.

    `white` says that no word of the row stands in the strip, `left` and `right` that one stands beside it.
    """

    white: npt.NDArray[np.bool_]
    left: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]


def _picture(x0: Floats, x1: Floats, row: Ints, width: int, wide: int) -> _Picture:
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
    return _Picture(white, leftmost[:, None] < at, (rightmost - wide)[:, None] > at)


def _candidates(picture: _Picture) -> list[tuple[int, int, int]]:
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


def _as_columns(layout: Layout, words: Ints, row: Ints, strip: _Strip) -> _Strip | None:
    """Return the strip cut down to the rows where both sides are prose columns, or `None`."""
    inside = (row >= strip.top) & (row <= strip.bottom)
    middle = _middle(layout, words)
    left, right = inside & (middle < strip.x), inside & (middle >= strip.x)
    rows_left, rows_right = _distinct(row[left]), _distinct(row[right])
    if len(rows_left) < 2 or len(rows_right) < 2:
        return None
    first, last = max(rows_left[0], rows_right[0]), min(rows_left[-1], rows_right[-1])
    beside = min(
        np.count_nonzero((rows_left >= first) & (rows_left <= last)),
        np.count_nonzero((rows_right >= first) & (rows_right <= last)),
    )
    if beside < 2:
        return None
    if _is_captioned(layout, words, row, left) and _is_captioned(layout, words, row, right):
        return strip
    gutter = layout.box[words[right], 0].min() - layout.box[words[left], 2].max()
    if beside < _SHORT_ROWS and gutter < _SHORT_GUTTER * layout.high:
        return None
    least = _SHORT_PROSE_WORDS if beside < _SHORT_ROWS else _PROSE_WORDS
    for side, rows in ((left, rows_left), (right, rows_right)):
        if not _is_prose(layout, words[side], least * len(rows)):
            return None
    top, bottom = _without_headings(layout, words, row, left, right, strip)
    return _Strip(strip.x, top, bottom) if bottom > top else None


def _is_captioned(layout: Layout, words: Ints, row: Ints, side: npt.NDArray[np.bool_]) -> bool:
    """Return whether one side of a strip begins with the caption of a figure or table: two stand side by side."""
    first = words[side & (row == row[side].min())]
    ordered = first[np.argsort(layout.box[first, 0])]
    return may_be_caption(layout.texts(ordered[:1])[0]) and caption(" ".join(layout.texts(ordered))) is not None


def _is_prose(layout: Layout, words: Ints, least: float) -> bool:
    """Return whether one side of a strip has at least so many words, few of them with digits.

    Chinese and Japanese set no spaces: there, so many characters make a word.
    """
    n_words: float = len(words)
    if not layout.any_cjk and n_words < least:
        return False
    if layout.any_cjk:
        n_words = sum(len(text) / _CJK_WORD if text[0] >= FIRST_CJK else 1 for text in layout.texts(words))
    if n_words < least:
        return False
    return int(np.count_nonzero(layout.numeric[words])) <= _PROSE_DIGITS * n_words


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
    alone = np.setdiff1d(_distinct(row[left]), _distinct(row[right]))
    for at in alone.tolist():
        mine = box[left & (row == at)]
        high = float((mine[:, 3] - mine[:, 1]).max())
        above = box[(row < at) & (row >= strip.top), 3]
        below = box[(row > at) & (row <= strip.bottom), 1]
        room = float(mine[:, 1].min() - above.max()) / high if len(above) else 9.0
        clear_below = len(below) > 0 and float(below.min() - mine[:, 3].max()) > 0.15 * high
        if room < 0.4 or not clear_below or (high < 1.12 * layout.high and room < 0.8):
            continue
        if len(above) and at - 1 > top:
            return top, at - 1
        top = at + 1
    return top, bottom

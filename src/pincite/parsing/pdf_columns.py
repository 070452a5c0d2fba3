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
from pincite.parsing.pdf_strips import CELL_PT, candidates, picture_of
from pincite.text.stopwords import ALL_STOP_WORDS

#: Least width of a strip, in line heights: for long strips, and for those of few rows.
_GUTTER, _SHORT_GUTTER = 0.6, 1.1
#: A gap below this share of the line height is a space between words, whatever stands above and below.
_WORD_SPACE = 0.45
#: Words of a column are never so many line heights apart.
_CELL_GAP = 1.5
#: A strip beside fewer rows than this is short.
_SHORT_ROWS = 6
#: Least words a row on each side, on average, that prose has and the cells of a table have not.
_PROSE_WORDS, _SHORT_PROSE_WORDS = 2.8, 3.9
#: Largest share of words with digits in prose beside a gutter.
_PROSE_DIGITS = 0.3
#: Text and a table beside it have so many rows each, of which at most this share are rows of both.
_APART_ROWS, _APART_SHARE = 8, 0.6
#: Rows of each column that tell whether sentences run down it.
_FEWEST_DOWN = 2
#: Parts within parts; a page is never nested deeper.
_DEPTH = 8
_CJK_WORD, FIRST_CJK = 2.0, "\u2e80"


@dataclass(frozen=True, slots=True)
class Region:
    """Words (by index) that are read across, row by row; `column` counts from 1, left to right."""

    words: Ints
    column: int


@dataclass(slots=True)
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
        """Return the layout of words that stand upright, row by row from left to right.

        `any_cjk` is false when no word can be Chinese or Japanese.
        """
        return cls(box, row, texts, numeric, median(high), _reach(box, high, row), any_cjk)


def _reach(box: Floats, high: Floats, row: Ints) -> Floats:
    """Return the right edge of each word, or the left of the next where only a space of its size lies between."""
    gap = box[1:, 0] - box[:-1, 2]
    near = (row[1:] == row[:-1]) & (gap > 0) & (gap < _WORD_SPACE * high[:-1])
    reach: Floats = box[:, 2].copy()
    np.copyto(reach[:-1], box[1:, 0], where=near)
    return reach


@dataclass(frozen=True, slots=True)
class _Strip:
    x: float
    top: int
    bottom: int


def rows_of(baseline: Floats, high: Floats) -> Ints:
    """Return a row number for each word, from the top: words share one when their baselines nearly do."""
    halves = np.rint(baseline * 2)
    order = halves.argsort(kind="stable")
    halves = halves.take(order)
    fresh = np.ones(len(halves), bool)
    fresh[1:] = halves[1:] != halves[:-1]
    heads = fresh.nonzero()[0]
    tallest = np.maximum.reduceat(high.take(order), heads)
    numbers = []
    current, anchor, reach = -1, -1e9, 0.0
    for level, tall in zip((halves[heads] / 2).tolist(), tallest.tolist(), strict=True):
        if level - anchor > 0.3 * max(tall, reach):
            current += 1
            anchor, reach = level, tall
        numbers.append(current)
    rows = np.empty(len(order), np.int64)
    rows[order] = np.array(numbers, np.int64).take(fresh.cumsum() - 1)
    return rows


def regions(layout: Layout) -> list[Region]:
    """Return the parts of the page in reading order; together they hold every word once."""
    return _cut(layout, np.arange(len(layout.row)), 1, _DEPTH)


def _cut(layout: Layout, words: Ints, column: int, depth: int, *, is_column: bool = False) -> list[Region]:
    """Return the parts of some words in reading order; `is_column` when columns were found beside them already."""
    if len(words) == 0:
        return []
    strip = _strip(layout, words, is_column=is_column) if depth and len(words) > 6 else None
    if strip is None:
        return [Region(words, column)]
    row = layout.row[words]
    inside = (row >= strip.top) & (row <= strip.bottom)
    left = inside & ((layout.box[words, 0] + layout.box[words, 2]) / 2 < strip.x)
    out = _cut(layout, words[row < strip.top], column, depth - 1)
    first = _cut(layout, words[left], column, depth - 1, is_column=True)
    beside = max((region.column for region in first), default=column) + 1
    out += first
    out += _cut(layout, words[inside & ~left], beside, depth - 1, is_column=True)
    return out + _cut(layout, words[row > strip.bottom], column, depth - 1)


def _distinct(row: Ints) -> Ints:
    """Return the row numbers that occur, in order (a quarter of the time of `numpy.unique` on a page)."""
    return np.bincount(row).nonzero()[0]


def _strip(layout: Layout, words: Ints, *, is_column: bool) -> _Strip | None:
    """Return the best white strip between two columns of prose, or `None`."""
    box = layout.box.take(words, axis=0)
    known = layout.row.take(words)
    taken_rows = np.bincount(known) > 0
    rows = taken_rows.nonzero()[0]
    if len(rows) < 2:
        return None
    row = (taken_rows.cumsum() - 1).take(known)
    x_left = float(box[:, 0].min())
    width = int((float(box[:, 2].max()) - x_left) / CELL_PT) + 2
    wide = max(2, round(_GUTTER * layout.high / CELL_PT))
    if width <= wide + 2:
        return None
    reach = layout.reach.take(words)
    picture = picture_of((box[:, 0] - x_left) / CELL_PT, (reach - x_left) / CELL_PT, row, width, wide)
    part = _Part(words, box, row, (box[:, 0] + box[:, 2]) / 2, len(rows))
    for x, top, bottom in candidates(picture):
        strip = _Strip((x + wide / 2) * CELL_PT + x_left, top, bottom)
        good = _as_columns(layout, part, strip, is_column=is_column)
        if good is not None:
            return _Strip(good.x, int(rows[good.top]), int(rows[good.bottom]))
    return None


@dataclass(slots=True)
class _Part:
    """The words that are cut, row by row from left to right, with their rows counted from 0 and without gaps."""

    words: Ints
    box: Floats
    row: Ints
    middle: Floats
    n_rows: int

    def rows_of(self, side: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return which rows have words of one side."""
        return np.bincount(self.row[side], minlength=self.n_rows) > 0


def _as_columns(layout: Layout, part: _Part, strip: _Strip, *, is_column: bool) -> _Strip | None:
    """Return the strip cut down to the rows where both sides are prose columns, or `None`.

    A strip of few rows needs more words in each, or all rows and another sign: words that are a column
    themselves (three columns are found two by two), or a sentence that runs from one side to the other.
    """
    words, row = part.words, part.row
    inside = (row >= strip.top) & (row <= strip.bottom)
    to_the_left = part.middle < strip.x
    left, right = inside & to_the_left, inside & ~to_the_left
    has_left, has_right = part.rows_of(left), part.rows_of(right)
    rows_left, rows_right = has_left.nonzero()[0], has_right.nonzero()[0]
    whole = strip.top == 0 and strip.bottom == part.n_rows - 1
    if len(rows_left) < 2 or len(rows_right) < 1:
        return None
    n_common = int(np.count_nonzero(has_left & has_right))
    beside = _beside(rows_left, rows_right, n_common)
    # A last column of one row is told by the sentence that runs into it alone.
    one = len(rows_right) == 1 and whole and rows_right[0] == 0 and _runs_on(layout, part, left, right)
    if beside < 2 and not one:
        return None
    if _is_captioned(layout, part, left) and _is_captioned(layout, part, right):
        return strip
    gutter = part.box[right, 0].min() - part.box[left, 2].max()
    if beside < _SHORT_ROWS and gutter < _SHORT_GUTTER * layout.high:
        return None
    few = bool(beside < _SHORT_ROWS)
    if few and whole:
        beside_others = is_column and not (_has_cells(layout, words[left]) or _has_cells(layout, words[right]))
        few = not beside_others and not _runs_on(layout, part, left, right)
    few = few and not _reads_down(layout, part, left, right)
    least = _SHORT_PROSE_WORDS if few else _PROSE_WORDS
    prose = [
        _is_prose(layout, words[side], least * len(rows)) for side, rows in ((left, rows_left), (right, rows_right))
    ]
    if not all(prose):
        table, rows = (right, rows_right) if prose[0] else (left, rows_left)
        fewest = min(len(rows_left), len(rows_right))
        apart = fewest >= _APART_ROWS and n_common <= _APART_SHARE * fewest
        if not (any(prose) and apart and _has_names(layout, words[table], len(rows))):
            return None
    top, bottom = _without_headings(layout, part, left, has_left & ~has_right, strip)
    return _Strip(strip.x, top, bottom) if bottom > top else None


def _beside(rows_left: Ints, rows_right: Ints, n_common: int) -> int:
    """Return how many rows of either side stand beside the other; columns may be set at heights of their own."""
    first, last = max(rows_left[0], rows_right[0]), min(rows_left[-1], rows_right[-1])
    if first <= last and n_common == 0:
        first, last = first - 1, last + 1
    return min(int(np.count_nonzero((rows >= first) & (rows <= last))) for rows in (rows_left, rows_right))


def _has_names(layout: Layout, words: Ints, n_rows: int) -> bool:
    """Return whether most rows hold a word, not numbers alone: rows of a table, not the last columns of one."""
    named = layout.row[words[~layout.numeric[words]]]
    return 2 * len(_distinct(named)) > n_rows


def _has_cells(layout: Layout, words: Ints) -> bool:
    """Return whether words of a row stand wide apart, as cells of a table do."""
    ordered = words[np.lexsort((layout.box[words, 0], layout.row[words]))]
    a, b = ordered[:-1], ordered[1:]
    apart = layout.box[b, 0] - layout.box[a, 2] > _CELL_GAP * layout.high
    return bool((apart & (layout.row[a] == layout.row[b])).any())


def _runs_on(layout: Layout, part: _Part, left: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_]) -> bool:
    """Return whether a sentence seems to run from the end of the left column to the top of the right one."""
    row = part.row
    last, first = part.words[left & (row == row[left].max())], part.words[right & (row == row[right].min())]
    ends = layout.texts(last[[layout.box[last, 2].argmax()]])[0]
    begins = layout.texts(first[[layout.box[first, 0].argmin()]])[0]
    if begins[0].isdigit():  # "at least" – "20 metres": a word that cannot end a cell
        return ends.islower() and ends in ALL_STOP_WORDS
    return begins[0].islower() and len(begins) > 1 and (ends[-1].isalpha() or ends[-1] == ",")


def _reads_down(layout: Layout, part: _Part, left: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_]) -> bool:
    """Return whether lines on either side go on in the line below, and only the last ends a sentence.

    Rows of a table begin alike; the lines of a sentence that wraps begin small, whatever the first begins with.
    """
    words, row = part.words, part.row
    sides = [side & (row >= row[right].min()) for side in (left, right)]
    if any(len(_distinct(row[side])) < _FEWEST_DOWN for side in sides):
        return False
    begins, ends = zip(*(_ends_of_rows(layout, words[side], row[side]) for side in sides), strict=True)
    goes_on = all(begin[0].islower() for side in begins for begin in side[1:])
    is_open = all(end[-1].isalnum() or end[-1] == "," for end in (*ends[0], *ends[1][:-1]))
    return goes_on and is_open and not begins[0][0][0].islower() and ends[1][-1][-1] in ".!?"


def _ends_of_rows(layout: Layout, words: Ints, row: Ints) -> tuple[list[str], list[str]]:
    """Return the first and the last word of each row; the words are in order."""
    first = np.ones(len(row), bool)
    first[1:] = row[1:] != row[:-1]
    return layout.texts(words[first]), layout.texts(words[np.append(first[1:], [True])])


def _is_captioned(layout: Layout, part: _Part, side: npt.NDArray[np.bool_]) -> bool:
    """Return whether one side of a strip begins with the caption of a figure or table: two stand side by side."""
    at = int(side.argmax())
    if not may_be_caption(layout.texts(part.words[at : at + 1])[0]):
        return False
    first = part.words[side & (part.row == part.row[at])]
    return caption(" ".join(layout.texts(first))) is not None


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
    layout: Layout, part: _Part, left: npt.NDArray[np.bool_], alone: npt.NDArray[np.bool_], strip: _Strip
) -> tuple[int, int]:
    """Return first and last row of the strip up to the first short heading that stands over both columns.

    Such a row has words on the left `alone`, and white above and below it across both columns.
    """
    box, row = part.box, part.row
    top, bottom = strip.top, strip.bottom
    for at in alone.nonzero()[0].tolist():
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

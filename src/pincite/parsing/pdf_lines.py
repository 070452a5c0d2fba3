"""Words to lines: rows within each region, raised and lowered numerals kept apart, cells spaced."""

import re
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import numpy as np

from pincite.parsing.pdf_calls import Floats, Ints
from pincite.parsing.pdf_cells import CELL_GAP, Parts, cells_of, gaps_of, logical_order
from pincite.parsing.pdf_columns import FIRST_CJK, Layout, Region, regions, rows_of
from pincite.parsing.pdf_geometry import Frame, displayed, row_by_row, upright
from pincite.parsing.pdf_string import RTL
from pincite.parsing.pdf_text import Words

#: Text smaller than this share of its neighbour, and shifted, is raised or lowered.
_SCRIPT_SIZE = 0.86
#: The render mode that thickens letters by their outline.
_FILL_AND_STROKE = 2
#: Text drawn with this render mode and not hidden is what OCR read in a scan.
_INVISIBLE = 3
#: At most so many small words of a page are compared with every other word.
_LOOSE_MARKS = 40
#: The height of a line in ems, on the whole (pdfium's boxes reach from descent to ascent).
_EM = 0.9
#: Raised marks belong to a word this many ems away: any mark, and the number of a note.
_NEAR_MARK, _FAR_MARK = 0.6, 1.8
_NOTE_MARK = re.compile(r"\d{1,2}(,\s?\d{1,2})*,?")
_NUMERIC = re.compile(r"[^\w]*\d[\d.,:/%()\-–—$€£]*[^\w]*|[$€£%—–-]+")


class DraftLine(msgspec.Struct, gc=False):
    """A line before it gets its number. `box` is as displayed, `cells` are `(x0, x1, text)` upright.

    `places` are those of its words in the view, from left to right.

    It is no dataclass because it is made forty times a page, which msgspec does in a quarter of the time.
    """

    text: str
    box: tuple[float, float, float, float]
    upright: tuple[float, float, float, float]
    size: float
    bold: bool
    column: int
    turn: int
    fixed: bool = False
    cells: list[tuple[float, float, str]] = msgspec.field(default_factory=list)
    role: str = "body"
    layer: str = "text"
    reason: str = ""
    table: int = 0
    places: Ints | None = None
    confidence: float | None = None


@dataclass(slots=True)
class View:
    """The words of one direction, upright: `index` are their places in the page's words."""

    words: Words
    index: Ints
    turn: int
    box: Floats
    high: Floats
    baseline: Floats
    script: Ints
    frame: Frame
    plain: bool


def view(words: Words, index: Ints, turn: int, frame: Frame) -> View:
    """Return the words at `index` turned upright, raised and lowered ones set on their neighbour's baseline."""
    box = upright(words.box.take(index, axis=0), turn, frame.width_pt, frame.height_pt)
    high = words.high.take(index)
    baseline = box[:, 3] - 0.22 * high
    made = View(words, index, turn, box, high, baseline, words.script.take(index), frame, words.plain)
    _set_scripts(made)
    return made


def _set_scripts(made: View) -> None:
    """Set small shifted words on the baseline of the word they belong to."""
    high, n = made.high, len(made.high)
    if n < 2:
        return
    smaller = made.script != 0
    smaller[1:] |= high[1:] < _SCRIPT_SIZE * high[:-1]
    smaller[:-1] |= high[:-1] < _SCRIPT_SIZE * high[1:]
    small = smaller.nonzero()[0].tolist()
    for i in [*small, *small[::-1]]:
        for j in (i - 1, i + 1):
            if 0 <= j < n and _joins(made, i, j):
                break
    loose = [i for i in small if not made.script[i]]
    for i in loose[:_LOOSE_MARKS]:
        touching = np.abs(made.box[:, 2] - made.box[i, 0]) < 0.2 * high
        touching |= np.abs(made.box[:, 0] - made.box[i, 2]) < 0.1 * high
        for j in np.flatnonzero(touching & (np.abs(made.baseline - made.baseline[i]) < 0.7 * high)).tolist():
            if _joins(made, i, j):
                break


def _joins(made: View, i: int, j: int) -> bool:
    """Set word `i` on the baseline of `j` when it is its raised or lowered mark; return whether it is."""
    if made.script[i] and abs(made.baseline[i] - made.baseline[j]) < 1e-6:
        return True
    em = made.high[j] * _EM
    if made.script[j] or made.high[i] >= _SCRIPT_SIZE * made.high[j]:
        return False
    gap = max(made.box[i, 0] - made.box[j, 2], made.box[j, 0] - made.box[i, 2])
    shift = (made.baseline[j] - made.baseline[i]) / em
    if not (0.1 < shift < 0.75 or -0.4 < shift < -0.04) or not -0.35 * em <= gap <= _FAR_MARK * em:
        return False
    if gap > _NEAR_MARK * em and (shift < 0 or _NOTE_MARK.fullmatch(made.words.text(int(made.index[i]))) is None):
        return False
    made.script[i] = 1 if shift > 0 else -1
    made.baseline[i] = made.baseline[j]
    return True


def is_numeric(text: str) -> bool:
    """Return whether a word is a number, an amount or a dash that stands for one."""
    return _NUMERIC.fullmatch(text) is not None


def lines_of(made: View, chosen: Ints, *, columns: bool, rows: Ints | None = None) -> list[DraftLine]:
    """Return the lines made of the chosen words of a view, in reading order.

    `rows` are theirs if known; the words then come row by row, from left to right.
    """
    if len(chosen) == 0:
        return []
    if rows is None:
        chosen, rows = _ordered(made, chosen)
    parts = regions_in(made, chosen, rows) if columns else []
    return lines_in_regions(made, chosen, parts) if len(parts) > 1 else _region_lines(made, chosen, 1, rows)


def regions_in(made: View, chosen: Ints, rows: Ints) -> list[Region]:
    """Return the parts that chosen words of a view are read in; they come row by row, from left to right."""
    return regions(
        Layout.of(
            made.box.take(chosen, axis=0),
            made.high.take(chosen),
            rows,
            lambda words: _texts(made, chosen[words]),
            made.words.numeric.take(made.index.take(chosen)),
            any_cjk=made.words.highest >= ord(FIRST_CJK),
        )
    )


def lines_in_regions(made: View, chosen: Ints, parts: list[Region]) -> list[DraftLine]:
    """Return the lines of parts of the chosen words of a view, part by part."""
    out: list[DraftLine] = []
    for part in parts:
        words, rows = _ordered(made, np.sort(chosen.take(part.words)))
        out += _region_lines(made, words, part.column, rows)
    return out


def _ordered(made: View, words: Ints) -> tuple[Ints, Ints]:
    """Return words row by row, from left to right, and the row of each."""
    row = rows_of(made.baseline.take(words), made.high.take(words))
    order = row_by_row(made.box[:, 0].take(words), row)
    return words.take(order), row.take(order)


def _texts(made: View, chosen: Ints) -> list[str]:
    index = made.index[chosen]
    return made.words.slices(made.words.start[index], made.words.end[index])


def _region_lines(made: View, ranked: Ints, column: int, row: Ints) -> list[DraftLine]:
    """Return the rows of one region as lines; the words come row by row, from left to right."""
    index, box, high = made.index.take(ranked), made.box.take(ranked, axis=0), made.high.take(ranked)
    words = made.words
    fresh = np.ones(len(ranked), bool)
    if made.plain:
        gap = box[1:, 0] - box[:-1, 2]
        em = _EM * np.maximum(high[1:], high[:-1])
        joined = (row[1:] == row[:-1]) & (index[1:] == index[:-1] + 1) & (gap <= CELL_GAP * em) & (gap > -em)
        script = made.script.take(ranked)
        fresh[1:] = ~(
            joined & words.spaced[index[1:]] & ~words.broken[index[1:]] & (script[1:] == 0) & (script[:-1] == 0)
        )
    runs = fresh.nonzero()[0]
    lasts = np.append(runs[1:] - 1, len(ranked) - 1)
    em, x0, x1 = _EM * high.take(runs), box[:, 0].take(runs), np.maximum.reduceat(box[:, 2], runs)
    gaps = np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:]) / np.maximum(em[1:], em[:-1])
    parts = Parts(
        text=_slices(words, index[runs], index[lasts]),
        x0=x0.tolist(),
        x1=x1.tolist(),
        em=em.tolist(),
        gap=[0.0, *gaps.tolist()],
        first=index[runs].tolist(),
        last=index[lasts].tolist(),
        script=made.script[ranked[runs]].tolist(),
        words=words,
    )
    fresh[:] = True
    fresh[1:] = row[1:] != row[:-1]
    heads = fresh.nonzero()[0]
    low, far = np.minimum.reduceat(box[:, :2], heads), np.maximum.reduceat(box[:, 2:], heads)
    boxes = np.concatenate((low, far), axis=1).tolist()
    cuts = [*runs.searchsorted(heads).tolist(), len(runs)]
    styles = _styles(words, words.run[index[runs]], words.run[index[lasts]])
    lines = [
        _line(made, parts, styles, a, b, tuple(where), column)
        for (a, b), where in zip(pairwise(cuts), boxes, strict=True)
    ]
    ends = [*heads.tolist(), len(ranked)]
    for line, a, b in zip(lines, ends, ends[1:], strict=False):
        line.places = ranked[a:b]
    return lines


def lines_in_rows(made: View, chosen: Ints, rows: Ints) -> list[DraftLine]:
    """Return a line for each row of the chosen words of a view; they come row by row, from left to right."""
    return _region_lines(made, chosen, 1, rows) if len(chosen) else []


@dataclass(frozen=True, slots=True)
class _Styles:
    """The style of the runs in `Parts`, an entry a run."""

    size: list[float]
    bold: list[bool]
    fixed: list[bool]
    ocr: list[bool]


def _styles(words: Words, first: Ints, last: Ints) -> _Styles:
    """Return sizes, and which runs are bold from their first word to their last: by font, or by a thick outline."""
    bold = np.array([font.bold for font in words.fonts], bool)[words.font] | (words.mode == _FILL_AND_STROKE)
    fixed = np.array([font.fixed for font in words.fonts], bool)[words.font]
    return _Styles(
        words.size[first].tolist(),
        (bold[first] & bold[last]).tolist(),
        fixed[first].tolist(),
        (words.mode[first] == _INVISIBLE).tolist(),
    )


def _slices(words: Words, first: Ints, last: Ints) -> list[str]:
    """Return the text of runs from their first to their last word, with one blank between words."""
    texts = words.slices(words.start.take(first), words.end.take(last))
    return texts if words.one_blank else [" ".join(text.split()) for text in texts]


def _line(
    made: View, parts: Parts, styles: _Styles, a: int, b: int, where: tuple[float, float, float, float], column: int
) -> DraftLine:
    """Return the line made of the runs `a` to `b` of a row."""
    if b - a == 1:
        main, cells = a, [(parts.x0[a], parts.x1[a], parts.text[a])]
    else:
        order, gaps = list(range(a, b)), parts.gap[a + 1 : b]
        if not made.plain and any(RTL.search(parts.text[k]) for k in order):
            order = logical_order(order, parts.text)
            gaps = gaps_of(parts, order)
        cells = cells_of(parts, order, gaps)
        main = max(order, key=lambda k: len(parts.text[k]))
    return DraftLine(
        text="  ".join([cell[2] for cell in cells]),
        box=displayed(where, made.turn, made.frame.width_pt, made.frame.height_pt) if made.turn else where,
        upright=where,
        size=styles.size[main],
        bold=styles.bold[main],
        column=column,
        turn=made.turn,
        fixed=styles.fixed[main],
        layer="ocr" if styles.ocr[main] else "text",
        cells=cells,
    )

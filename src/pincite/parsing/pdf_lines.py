"""Words to lines: rows within each region, raised and lowered numerals kept apart, cells spaced."""

import re
import unicodedata
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pincite.parsing.pdf_calls import Floats, Ints
from pincite.parsing.pdf_columns import Layout, Region, regions, rows_of
from pincite.parsing.pdf_geometry import Frame, displayed, upright
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
#: Gaps in ems: between words, between cells, and between cells for certain.
_WORD_GAP, _CELL_GAP, _SURE_CELL_GAP = 0.16, 1.2, 2.0
_RAISED = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
#: Raised marks belong to a word this many ems away: any mark, and the number of a note.
_NEAR_MARK, _FAR_MARK = 0.6, 1.8
_NOTE_MARK = re.compile(r"\d{1,2}(,\s?\d{1,2})*,?")
#: A section number, or the number or letter of a list item.
_SECTION_NUMBER = re.compile(r"\d{1,2}(\.\d{1,3})+\.?|\(?(\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\d{1,2}(?=$)")
_NUMERAL_RUN = re.compile(r"[0-9+\-−=()]+(,[0-9+\-−=()]+)*")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_NUMERIC = re.compile(r"[^\w]*\d[\d.,:/%()\-–—$€£]*[^\w]*|[$€£%—–-]+")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_CJK = re.compile("[\u2e80-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60]")
_ODD_SPACE = re.compile(r"\s\s+|[^\S ]")


@dataclass(slots=True)
class DraftLine:
    """A line before it gets its number. `box` is as displayed, `cells` are `(x0, x1, text)` upright."""

    text: str
    box: tuple[float, float, float, float]
    upright: tuple[float, float, float, float]
    size: float
    bold: bool
    column: int
    turn: int
    fixed: bool = False
    cells: list[tuple[float, float, str]] = field(default_factory=list)
    role: str = "body"
    layer: str = "text"
    reason: str = ""
    table: int = 0


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
    box = upright(words.box[index], turn, frame.width_pt, frame.height_pt)
    high = words.high[index]
    plain = words.codes.isascii() or not (_RTL.search(words.codes) or _CJK.search(words.codes))
    baseline = box[:, 3] - 0.22 * high
    made = View(words, index, turn, box, high, baseline, words.script[index].copy(), frame, plain)
    _set_scripts(made)
    return made


def _set_scripts(made: View) -> None:
    """Set small shifted words on the baseline of the word they belong to."""
    high, n = made.high, len(made.high)
    if n < 2:
        return
    biggest = np.maximum(np.r_[0, high[:-1]], np.r_[high[1:], 0])
    small = np.flatnonzero((high < _SCRIPT_SIZE * biggest) | (made.script != 0)).tolist()
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
    """Return the lines made of the chosen words of a view, in reading order; `rows` are theirs if known."""
    if len(chosen) == 0:
        return []
    row = rows_of(made.baseline[chosen], made.high[chosen]) if rows is None else rows
    parts = [Region(np.arange(len(chosen)), 1)]
    if columns:
        parts = regions(
            Layout.of(
                made.box[chosen],
                made.high[chosen],
                row,
                lambda words: _texts(made, chosen[words]),
            )
        )
    out: list[DraftLine] = []
    for part in parts:
        whole = row[part.words] if len(parts) == 1 else None
        out += _region_lines(made, chosen[part.words], part.column, whole)
    return out


def _texts(made: View, chosen: Ints) -> list[str]:
    codes = made.words.codes
    index = made.index[chosen]
    starts, ends = made.words.start[index].tolist(), made.words.end[index].tolist()
    return [codes[a:b] for a, b in zip(starts, ends, strict=True)]


def _region_lines(made: View, chosen: Ints, column: int, rows: Ints | None) -> list[DraftLine]:
    """Return the rows of one region as lines."""
    row = rows_of(made.baseline[chosen], made.high[chosen]) if rows is None else rows
    order = np.lexsort((made.box[chosen, 0], row))
    row, ranked = row[order], chosen[order]
    index, box = made.index[ranked], made.box[ranked]
    words = made.words
    fresh = np.ones(len(ranked), bool)
    if made.plain:
        gap = box[1:, 0] - box[:-1, 2]
        em = _EM * np.maximum(made.high[ranked[1:]], made.high[ranked[:-1]])
        joined = (row[1:] == row[:-1]) & (index[1:] == index[:-1] + 1) & (gap <= _CELL_GAP * em) & (gap > -em)
        script = made.script[ranked]
        fresh[1:] = ~(
            joined & words.spaced[index[1:]] & ~words.broken[index[1:]] & (script[1:] == 0) & (script[:-1] == 0)
        )
    runs = np.flatnonzero(fresh)
    lasts = np.r_[runs[1:] - 1, len(ranked) - 1]
    parts = _Parts(
        text=_slices(words, index[runs], index[lasts]),
        x0=box[runs, 0].tolist(),
        x1=np.maximum.reduceat(box[:, 2], runs).tolist(),
        em=(_EM * made.high[ranked[runs]]).tolist(),
        first=index[runs].tolist(),
        last=index[lasts].tolist(),
        script=made.script[ranked[runs]].tolist(),
        words=words,
    )
    heads = np.flatnonzero(np.r_[True, np.diff(row) != 0])
    low, high = np.minimum.reduceat(box[:, :2], heads), np.maximum.reduceat(box[:, 2:], heads)
    boxes = np.concatenate((low, high), axis=1).tolist()
    cuts = np.r_[np.searchsorted(runs, heads), len(runs)].tolist()
    return [_line(made, parts, a, b, tuple(where), column) for (a, b), where in zip(pairwise(cuts), boxes, strict=True)]


@dataclass(slots=True)
class _Parts:
    """Runs of plain words, row after row from left to right; a run is a slice of the page's text."""

    text: list[str]
    x0: list[float]
    x1: list[float]
    em: list[float]
    first: list[int]
    last: list[int]
    script: list[int]
    words: Words


def _slices(words: Words, first: Ints, last: Ints) -> list[str]:
    codes = words.codes
    texts = [words.slice(a, b) for a, b in zip(words.start[first].tolist(), words.end[last].tolist(), strict=True)]
    if _ODD_SPACE.search(codes):
        texts = [" ".join(text.split()) if " " in text or "\xa0" in text else text for text in texts]
    return texts


def _line(
    made: View, parts: _Parts, a: int, b: int, where: tuple[float, float, float, float], column: int
) -> DraftLine:
    """Return the line made of the runs `a` to `b` of a row."""
    order = list(range(a, b))
    if not made.plain and any(_RTL.search(parts.text[k]) for k in order):
        order = _logical(order, parts.text)
    cells = _cells(parts, order) if b - a > 1 else [(parts.x0[a], parts.x1[a], parts.text[a])]
    main = order[0] if len(order) == 1 else max(order, key=lambda k: len(parts.text[k]))
    words = made.words
    run = words.run[parts.first[main]]
    font = words.fonts[words.font[run]]
    return DraftLine(
        text="  ".join([cell[2] for cell in cells]),
        box=displayed(where, made.turn, made.frame.width_pt, made.frame.height_pt),
        upright=where,
        size=float(words.size[run]),
        bold=_is_bold(words, run) and _is_bold(words, words.run[parts.last[main]]),
        column=column,
        turn=made.turn,
        fixed=font.fixed,
        layer="ocr" if words.mode[run] == _INVISIBLE else "text",
        cells=cells,
    )


def _is_bold(words: Words, run: int) -> bool:
    """Return whether a run is set in a bold font, or made bold by its outline."""
    return words.fonts[words.font[run]].bold or bool(words.mode[run] == _FILL_AND_STROKE)


def _cells(parts: _Parts, order: list[int]) -> list[tuple[float, float, str]]:
    """Return `(x0, x1, text)` of the parts of a row that stand wide apart; one part is an ordinary line."""
    x0, x1, em = parts.x0, parts.x1, parts.em
    gaps = [max(x0[k] - x1[j], x0[j] - x1[k]) / max(em[j], em[k]) for j, k in pairwise(order)]
    ordered = sorted(gaps)
    usual = ordered[len(ordered) // 2] if len(ordered) >= 4 else 0.0
    cells: list[tuple[float, float, str]] = []
    members = [order[0]]
    text = _shown(parts, order, 0)
    for at, gap in enumerate(gaps, start=1):
        if gap > _SURE_CELL_GAP or (gap > _CELL_GAP and gap > 2.5 * usual):
            cells.append((min(x0[k] for k in members), max(x1[k] for k in members), text))
            members, text = [order[at]], _shown(parts, order, at)
        else:
            text += _space(parts, order, at, gap) + _shown(parts, order, at)
            members.append(order[at])
    cells.append((min(x0[k] for k in members), max(x1[k] for k in members), text))
    return _with_marker(cells)


def _with_marker(cells: list[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Return cells with a bullet or section number in front joined to what it introduces."""
    if len(cells) < 2:
        return cells
    (x0, _, marker), (_, x1, text), *rest = cells
    bullet = len(marker) == 1 and not marker.isalnum() and marker not in "$€£¥—–-%"
    number = not rest and _SECTION_NUMBER.fullmatch(marker) is not None and text[0].isalpha()
    return [(x0, x1, f"{marker} {text}"), *rest] if bullet or number else cells


def _space(parts: _Parts, order: list[int], at: int, gap: float) -> str:
    """Return the space before a run of a row, or nothing; `gap` is in ems."""
    i, j = order[at - 1], order[at]
    words, b = parts.words, parts.first[j]
    follows = b == parts.last[i] + 1 and not words.broken[b]
    glued = follows and not words.spaced[b]
    if parts.script[j] and not parts.script[i]:
        whole = _form(parts, order, at) is not None or (parts.script[j] < 0 and glued)
        return "" if gap < 0.5 and whole else " "
    if parts.script[i] and not parts.script[j]:
        return _after_mark(parts, order, at, gap, glued=glued)
    if gap < 0.6 and _CJK.match(parts.text[j][0]) and _CJK.match(parts.text[i][-1]):
        return ""
    if glued:
        return " " if gap > 0.3 else ""
    return " " if (follows and words.spaced[b]) or gap > _WORD_GAP else ""


def _after_mark(parts: _Parts, order: list[int], at: int, gap: float, *, glued: bool) -> str:
    """Return the space after a raised or lowered mark.

    A mark may sit in the gap between two words, so the words are measured, not the mark.
    """
    if parts.text[order[at]][0] in ".,;:)]" and gap < 0.4:
        return ""
    if not glued or gap > _WORD_GAP:
        return " "
    if parts.script[order[at - 1]] < 0 or at < 2:
        return ""
    i, j = order[at - 2], order[at]
    before, after = parts.text[i], parts.text[j]
    apart = (parts.x0[j] - parts.x1[i]) / parts.em[j]
    words = before[-1].isalpha() and after[0].isalpha() and max(len(before), len(after)) > 1
    return " " if words and apart >= 0.2 else ""


def _form(parts: _Parts, order: list[int], at: int) -> str | None:
    """Return a run in raised or lowered characters, or `None` when some have no such form."""
    text = parts.text[order[at]]
    if _NUMERAL_RUN.fullmatch(text):
        return text.translate(_RAISED if parts.script[order[at]] > 0 else _LOWERED)
    ordinal = text in _ORDINALS and at > 0 and parts.text[order[at - 1]][-1:].isdigit()
    if ordinal or all(unicodedata.category(char) in {"Po", "Sm", "So"} for char in text):
        return text
    return None


def _shown(parts: _Parts, order: list[int], at: int) -> str:
    text = parts.text[order[at]]
    if not parts.script[order[at]]:
        return text
    form = _form(parts, order, at)
    return text if form is None else form


def _logical(order: list[int], texts: list[str]) -> list[int]:
    """Return a row's words in the order they are read when the row runs from right to left.

    Runs of left-to-right words and numbers keep their own direction within it.
    """
    rtl = [bool(_RTL.search(texts[k])) for k in order]
    letters = sum(len(texts[k]) for k, r in zip(order, rtl, strict=True) if r)
    latin = sum(len(texts[k]) for k, r in zip(order, rtl, strict=True) if not r and any(map(str.isalpha, texts[k])))
    runs: list[tuple[bool, list[int]]] = []
    for member, is_rtl in zip(order, rtl, strict=True):
        if runs and runs[-1][0] == is_rtl:
            runs[-1][1].append(member)
        else:
            runs.append((is_rtl, [member]))
    if latin > letters:
        return [m for is_rtl, run in runs for m in (reversed(run) if is_rtl else run)]
    return [m for is_rtl, run in reversed(runs) for m in (reversed(run) if is_rtl else run)]

"""Words to lines: rows within each region, raised and lowered numerals kept apart, cells spaced."""

import re
import unicodedata
from dataclasses import dataclass, field

import numpy as np

from pincite.parsing.pdf_calls import Floats, Ints
from pincite.parsing.pdf_columns import Layout, Region, regions, rows_of
from pincite.parsing.pdf_geometry import Frame, displayed, upright
from pincite.parsing.pdf_text import Words

#: Text smaller than this share of its neighbour, and shifted, is raised or lowered.
_SCRIPT_SIZE = 0.86
#: Gaps in ems: between words, between cells, and between cells for certain.
_WORD_GAP, _CELL_GAP, _SURE_CELL_GAP = 0.16, 1.2, 2.0
_RAISED = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_NUMERAL_RUN = re.compile(r"[0-9+\-−=()]+(,[0-9+\-−=()]+)*")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_NUMERIC = re.compile(r"[^\w]*\d[\d.,:/%()\-–—$€£]*[^\w]*|[$€£%—–-]+")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_CJK = re.compile("[\u2e80-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60]")


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
    font: int
    baseline: float
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
    baseline: Floats
    size: Floats
    script: Ints
    frame: Frame
    bold: np.ndarray


def view(words: Words, index: Ints, turn: int, frame: Frame, bold_fonts: np.ndarray) -> View:
    """Return the words at `index` turned upright, raised and lowered ones set on their neighbour's baseline."""
    box = upright(words.box[index], turn, frame.width_pt, frame.height_pt)
    point = np.concatenate((words.base[index], words.base[index]), axis=1)
    baseline = upright(point, turn, frame.width_pt, frame.height_pt)[:, 1].copy()
    font = words.font[index]
    bold = np.where(font >= 0, bold_fonts[font], False) | (words.mode[index] == 2)
    made = View(words, index, turn, box, baseline, words.size[index], words.script[index].copy(), frame, bold)
    _set_scripts(made)
    return made


def _set_scripts(made: View) -> None:
    """Set small shifted words on the baseline of the word they belong to."""
    size, n = made.size, len(made.size)
    if n < 2:
        return
    biggest = np.maximum(np.r_[0, size[:-1]], np.r_[size[1:], 0])
    small = np.flatnonzero(size < _SCRIPT_SIZE * biggest)
    for i in [*small.tolist(), *small[::-1].tolist()]:
        for j in (i - 1, i + 1):
            if 0 <= j < n and _joins(made, i, j):
                break


def _joins(made: View, i: int, j: int) -> bool:
    """Set word `i` on the baseline of `j` when it is its raised or lowered mark; return whether it is."""
    if made.script[i] and abs(made.baseline[i] - made.baseline[j]) < 1e-6:
        return True
    em = made.size[j]
    if made.script[j] or made.size[i] >= _SCRIPT_SIZE * em:
        return False
    gap = made.box[i, 0] - made.box[j, 2] if j < i else made.box[j, 0] - made.box[i, 2]
    shift = (made.baseline[j] - made.baseline[i]) / em
    if not -0.35 * em <= gap <= 0.6 * em or not (0.1 < shift < 0.75 or -0.4 < shift < -0.04):
        return False
    made.script[i] = 1 if shift > 0 else -1
    made.baseline[i] = made.baseline[j]
    return True


def is_numeric(text: str) -> bool:
    """Return whether a word is a number, an amount or a dash that stands for one."""
    return _NUMERIC.fullmatch(text) is not None


def lines_of(made: View, chosen: Ints, *, columns: bool) -> list[DraftLine]:
    """Return the lines made of the chosen words of a view, in reading order."""
    if len(chosen) == 0:
        return []
    text = made.words.text
    if columns:
        size = made.size[chosen]
        layout = Layout(
            box=made.box[chosen],
            row=rows_of(made.baseline[chosen], size),
            numeric=np.array([is_numeric(text[i]) for i in made.index[chosen].tolist()], bool),
            bold=made.bold[chosen],
            em=float(np.median(size)),
        )
        parts = regions(layout)
    else:
        parts = [Region(np.arange(len(chosen)), 1)]
    out: list[DraftLine] = []
    for part in parts:
        out += _region_lines(made, chosen[part.words], part.column)
    return out


def _region_lines(made: View, chosen: Ints, column: int) -> list[DraftLine]:
    row = rows_of(made.baseline[chosen], made.size[chosen])
    order = np.lexsort((made.box[chosen, 0], row))
    cuts = [0, *(np.flatnonzero(np.diff(row[order])) + 1).tolist(), len(order)]
    ranked = chosen[order].tolist()
    return [_line(made, ranked[a:b], column) for a, b in zip(cuts, cuts[1:], strict=False)]


def _line(made: View, members: list[int], column: int) -> DraftLine:
    """Return the line made of a row's words, given from left to right."""
    words, box = made.words, made.box
    index = made.index
    strings = [words.text[index[i]] for i in members]
    if any(_RTL.search(string) for string in strings):
        members = _logical(members, strings)
        strings = [words.text[index[i]] for i in members]
    cells = _cells(made, members, strings)
    rows = box[members]
    low, high = rows.min(axis=0), rows.max(axis=0)
    upright_box = (float(low[0]), float(low[1]), float(high[2]), float(high[3]))
    lengths = np.array([len(string) for string in strings])
    main = members[int(lengths.argmax())]
    bold = bool(lengths[made.bold[members]].sum() * 2 > lengths.sum())
    return DraftLine(
        text="  ".join(cell[2] for cell in cells),
        box=displayed(upright_box, made.turn, made.frame.width_pt, made.frame.height_pt),
        upright=upright_box,
        size=float(made.size[main]),
        bold=bold,
        column=column,
        turn=made.turn,
        font=int(words.font[index[main]]),
        baseline=float(made.baseline[main]),
        cells=cells,
    )


def _cells(made: View, members: list[int], strings: list[str]) -> list[tuple[float, float, str]]:
    """Return `(x0, x1, text)` of the parts of a row that stand wide apart; one part is an ordinary line."""
    x0, x1 = made.box[members, 0].tolist(), made.box[members, 2].tolist()
    size = made.size[members].tolist()
    gaps = [x0[k + 1] - x1[k] if x0[k + 1] >= x0[k] else x0[k] - x1[k + 1] for k in range(len(x0) - 1)]
    ordered = sorted(gaps)
    usual = ordered[len(ordered) // 2] if len(ordered) >= 4 else 0.0
    cells: list[tuple[float, float, str]] = []
    text = _shown(made, members, strings, 0)
    start = 0
    for k in range(1, len(members)):
        em = max(size[k - 1], size[k])
        gap = gaps[k - 1]
        if gap > _SURE_CELL_GAP * em or (gap > _CELL_GAP * em and gap > 2.5 * usual):
            cells.append((min(x0[start:k]), max(x1[start:k]), text))
            text, start = _shown(made, members, strings, k), k
        else:
            text += _space(made, members, strings, k, gap / em) + _shown(made, members, strings, k)
    cells.append((min(x0[start:]), max(x1[start:]), text))
    return cells


def _space(made: View, members: list[int], strings: list[str], k: int, gap_em: float) -> str:
    """Return the space before word `k` of a row, or nothing."""
    i, j = members[k - 1], members[k]
    a, b = int(made.index[i]), int(made.index[j])
    glued = b == a + 1 and not made.words.spaced[b] and not made.words.broken[b]
    if made.script[j] and not made.script[i]:
        return "" if gap_em < 0.5 and _form(strings, made.script, members, k) is not None else " "
    if made.script[i] and not made.script[j]:
        return _after_mark(made, members, strings, k, gap_em, glued=glued)
    if _CJK.match(strings[k][0]) and _CJK.match(strings[k - 1][-1]) and gap_em < 0.6:
        return ""
    if glued:
        return " " if gap_em > 0.3 else ""
    if made.words.spaced[b] and b == a + 1 and not made.words.broken[b]:
        return " "
    return " " if gap_em > _WORD_GAP else ""


def _after_mark(made: View, members: list[int], strings: list[str], k: int, gap_em: float, *, glued: bool) -> str:
    """Return the space after a raised or lowered mark.

    A mark may sit in the gap between two words, so the words are measured, not the mark.
    """
    if not glued or gap_em > _WORD_GAP:
        return " "
    if made.script[members[k - 1]] < 0 or k < 2:
        return ""
    before, after = strings[k - 2], strings[k]
    apart = float(made.box[members[k], 0] - made.box[members[k - 2], 2]) / float(made.size[members[k]])
    words = before[-1].isalpha() and after[0].isalpha() and max(len(before), len(after)) > 1
    return " " if words and apart >= 0.2 else ""


def _form(strings: list[str], script: Ints, members: list[int], k: int) -> str | None:
    """Return word `k` in raised or lowered characters, or `None` when some have no such form."""
    string = strings[k]
    if _NUMERAL_RUN.fullmatch(string):
        return string.translate(_RAISED if script[members[k]] > 0 else _LOWERED)
    ordinal = string in _ORDINALS and k > 0 and strings[k - 1][-1:].isdigit()
    if ordinal or all(unicodedata.category(char) in {"Po", "Sm", "So"} for char in string):
        return string
    return None


def _shown(made: View, members: list[int], strings: list[str], k: int) -> str:
    if not made.script[members[k]]:
        return strings[k]
    form = _form(strings, made.script, members, k)
    return strings[k] if form is None else form


def _logical(members: list[int], strings: list[str]) -> list[int]:
    """Return a row's words in the order they are read when the row runs from right to left.

    Runs of left-to-right words and numbers keep their own direction within it.
    """
    rtl = [bool(_RTL.search(string)) for string in strings]
    letters = sum(len(s) for s, r in zip(strings, rtl, strict=True) if r)
    latin = sum(len(s) for s, r in zip(strings, rtl, strict=True) if not r and any(map(str.isalpha, s)))
    runs: list[tuple[bool, list[int]]] = []
    for member, is_rtl in zip(members, rtl, strict=True):
        if runs and runs[-1][0] == is_rtl:
            runs[-1][1].append(member)
        else:
            runs.append((is_rtl, [member]))
    if latin > letters:
        return [m for is_rtl, run in runs for m in (reversed(run) if is_rtl else run)]
    return [m for is_rtl, run in reversed(runs) for m in (reversed(run) if is_rtl else run)]

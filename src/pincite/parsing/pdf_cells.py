"""The runs of a row to its text: spaces, cells, raised and lowered numerals, writing from right to left."""

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from pincite.parsing.pdf_string import CJK, RTL
from pincite.parsing.pdf_text import Words

#: Gaps in ems: between words, between cells, and between cells for certain.
_WORD_GAP, CELL_GAP, _SURE_CELL_GAP = 0.16, 1.2, 2.0
#: No line of words is set looser than this, on the whole.
_LOOSE = 0.48
_RAISED = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
#: A section number, or the number or letter of a list item.
_SECTION_NUMBER = re.compile(r"\d{1,2}(\.\d{1,3})+\.?|\(?(\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\d{1,2}(?=$)")
_NUMERAL_RUN = re.compile(r"[0-9+\-−=()]+(,[0-9+\-−=()]+)*")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})


@dataclass(slots=True)
class Parts:
    """Runs of plain words, row after row from left to right; a run is a slice of the page's text.

    `gap` is how far each stands from the run before it, in ems.
    """

    text: list[str]
    x0: list[float]
    x1: list[float]
    em: list[float]
    gap: list[float]
    first: list[int]
    last: list[int]
    script: list[int]
    words: Words


def gaps_of(parts: Parts, order: list[int]) -> list[float]:
    """Return how far apart, in ems, neighbours stand in a row that is read in this order."""
    x0, x1, em = parts.x0, parts.x1, parts.em
    return [max(x0[k] - x1[j], x0[j] - x1[k]) / max(em[j], em[k]) for j, k in pairwise(order)]


def cells_of(parts: Parts, order: list[int], gaps: list[float]) -> list[tuple[float, float, str]]:
    """Return `(x0, x1, text)` of the parts of a row that stand wide apart; one part is an ordinary line."""
    x0, x1 = parts.x0, parts.x1
    ordered = sorted(gaps)
    usual = ordered[len(ordered) // 2] if len(ordered) >= 4 else 0.0
    if usual > _LOOSE and 2 * sum([parts.text[k][-1].isdigit() for k in order]) > len(order):
        usual = _LOOSE  # a row of numbers, each in a cell of its own
    cells: list[tuple[float, float, str]] = []
    members = [order[0]]
    text = _shown(parts, order, 0)
    for at, gap in enumerate(gaps, start=1):
        if gap > _SURE_CELL_GAP or (gap > CELL_GAP and gap > 2.5 * usual):
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


def _space(parts: Parts, order: list[int], at: int, gap: float) -> str:
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
    if gap < 0.6 and CJK.match(parts.text[j][0]) and CJK.match(parts.text[i][-1]):
        return ""
    if glued:
        return " " if gap > 0.3 else ""
    return " " if (follows and words.spaced[b]) or gap > _WORD_GAP else ""


def _after_mark(parts: Parts, order: list[int], at: int, gap: float, *, glued: bool) -> str:
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


def _form(parts: Parts, order: list[int], at: int) -> str | None:
    """Return a run in raised or lowered characters, or `None` when some have no such form."""
    text = parts.text[order[at]]
    if _NUMERAL_RUN.fullmatch(text):
        return text.translate(_RAISED if parts.script[order[at]] > 0 else _LOWERED)
    ordinal = text in _ORDINALS and at > 0 and parts.text[order[at - 1]][-1:].isdigit()
    if ordinal or all(unicodedata.category(char) in {"Po", "Sm", "So"} for char in text):
        return text
    return None


def _shown(parts: Parts, order: list[int], at: int) -> str:
    text = parts.text[order[at]]
    if not parts.script[order[at]]:
        return text
    form = _form(parts, order, at)
    return text if form is None else form


def logical_order(order: list[int], texts: list[str]) -> list[int]:
    """Return a row's words in the order they are read when the row runs from right to left.

    Runs of left-to-right words and numbers keep their own direction within it.
    """
    rtl = [bool(RTL.search(texts[k])) for k in order]
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

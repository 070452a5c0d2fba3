"""Raised and lowered characters inside words: notes glued to numbers, exponents, formulas."""

from itertools import pairwise

import numpy as np

from pincite.parsing import pdf_calls
from pincite.parsing.pdf_calls import Floats, Ints
from pincite.parsing.pdf_geometry import Frame, char_boxes


def scripts_in(
    text: int, touching: Ints, starts: Ints, ends: Ints, boxes: Floats, turn: Ints, frame: Frame
) -> dict[int, list[tuple[int, int, int]]]:
    """Return the words that hold raised or lowered characters: their place → `(start, end, shift)` pieces.

    Words are looked at when their ends differ in height or level, or when letters touch digits.
    """
    high = np.maximum(boxes[:, 3] - boxes[:, 1], 0.01).reshape(-1, 2)
    level = boxes[:, 3].reshape(-1, 2)
    tallest = high.max(axis=1)
    wanted = np.abs(high[:, 0] - high[:, 1]) > 0.12 * tallest
    wanted |= np.abs(level[:, 0] - level[:, 1]) > 0.05 * tallest
    wanted[np.searchsorted(starts, touching, side="right") - 1] = True
    words = np.flatnonzero(wanted & (turn == 0) & (ends - starts > 1)).tolist()
    if not words:
        return {}
    spans = [(int(starts[word]), int(ends[word])) for word in words]
    chars = [at for span in spans for at in range(*span)]
    box = char_boxes(text, chars, frame)
    origin = pdf_calls.origins(text, chars)
    base = -frame.display(origin[:, 0], origin[:, 1])[1]
    tall = box[:, 3] - box[:, 1]
    out: dict[int, list[tuple[int, int, int]]] = {}
    at = 0
    for word, (start, end) in zip(words, spans, strict=True):
        pieces = _pieces(start, tall[at : at + end - start], base[at : at + end - start])
        if len(pieces) > 1:
            out[word] = pieces
        at += end - start
    return out


def _pieces(start: int, tall: Floats, base: Floats) -> list[tuple[int, int, int]]:
    """Return `(start, end, shift)` of the runs of one height; shift is +1 raised, -1 lowered, 0 neither."""
    full = float(tall.max())
    main = float(base[int(tall.argmax())])
    small = tall < 0.86 * full
    shift = (small & (base - main > 0.1 * full)).astype(np.int64) - (small & (main - base > 0.04 * full))
    cuts = [0, *(np.flatnonzero(np.diff(shift)) + 1).tolist(), len(tall)]
    return [(start + a, start + b, int(shift[a])) for a, b in pairwise(cuts)]


def cut_scripts(starts: Ints, ends: Ints, scripts: dict[int, list[tuple[int, int, int]]]) -> tuple[Ints, Ints, Ints]:
    """Return starts, ends and shifts with the words cut that hold raised or lowered characters."""
    whole = np.ones(len(starts), bool)
    whole[list(scripts)] = False
    pieces = np.array([piece for parts in scripts.values() for piece in parts], np.int64)
    first = np.concatenate((starts[whole], pieces[:, 0]))
    last = np.concatenate((ends[whole], pieces[:, 1]))
    shift = np.concatenate((np.zeros(int(whole.sum()), np.int64), pieces[:, 2]))
    order = np.argsort(first)
    return first[order], last[order], shift[order]

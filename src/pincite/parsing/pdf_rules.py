"""Rules drawn on a page: thin lines and the edges of boxes, across and down, as they delimit cells of tables."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium_c

from pincite.parsing.pdf_calls import Floats, call, chars_where, each, handle, ready
from pincite.parsing.pdf_geometry import Frame

#: A rule is at most so thick and at least so long, in points.
_THICK, _LONG = 3.0, 5.0
#: At most so many objects of a page, and segments of one path, are looked at.
_MOST, _MOST_SEGMENTS = 6000, 600
#: Form objects are looked into so deep.
_DEPTH = 3
#: Pieces of a rule lie at most so far apart and off their line, in points; ends of rules meet within as much.
_APART, _OFF, MEET = 2.5, 1.5, 3.5

_Matrix = tuple[float, float, float, float, float, float]
_Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight rule: at `at` (y of one that runs across, x of one that runs down), from `start` to `end`."""

    at: float
    start: float
    end: float


def rules_on(page: Any, frame: Frame) -> Floats:
    """Return the boxes of thin lines and of the edges of boxes that an open page draws, as displayed."""
    found = list(_boxes(_objects(page), None, _DEPTH))
    if not found:
        return np.zeros((0, 4))
    left, bottom, right, top = np.array(found).T
    return frame.boxes(left, bottom, right, top)


def _objects(page: Any) -> list[int]:
    n = min(_MOST, pdfium_c.FPDFPage_CountObjects(page))
    return [obj or 0 for obj in chars_where("FPDFPage_GetObject", handle(page), range(max(0, n)))]


def _boxes(objects: list[int], matrix: _Matrix | None, depth: int) -> Iterator[_Box]:
    """Yield `left, bottom, right, top` in page space of what is thin; `matrix` is that of the form around."""
    types = each("FPDFPageObj_GetType", ready(objects))
    for obj, kind in zip(objects, types, strict=True):
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            yield from (_moved(box, matrix) for box in _of_path(obj))
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth:
            raw = ctypes.cast(obj, pdfium_c.FPDF_PAGEOBJECT)
            n = min(_MOST, pdfium_c.FPDFFormObj_CountObjects(raw))
            inner = [call("FPDFFormObj_GetObject")(obj, at) or 0 for at in range(max(0, n))]
            own = _matrix(obj)
            yield from _boxes(inner, own if matrix is None else _product(own, matrix), depth - 1)


def _of_path(obj: int) -> Iterator[_Box]:
    """Yield the thin parts of one path, in the space it is drawn in."""
    values = (ctypes.c_float * 4)()
    at = ctypes.addressof(values)
    if not call("FPDFPageObj_GetBounds")(obj, at, at + 4, at + 8, at + 12):
        return
    left, bottom, right, top = values
    wide, high = right - left, top - bottom
    if min(wide, high) <= _THICK:
        if max(wide, high) >= _LONG:
            yield (left, bottom, right, top)
        return
    n = call("FPDFPath_CountSegments")(obj)
    modes = (ctypes.c_int * 2)()
    first = ctypes.addressof(modes)
    drawn = call("FPDFPath_GetDrawMode")(obj, first, first + 4)
    if not drawn or not modes[1]:
        return
    if n in (4, 5):
        yield from ((left, y, right, y) for y in (bottom, top))
        yield from ((x, bottom, x, top) for x in (left, right))
    elif n <= _MOST_SEGMENTS:
        yield from _of_segments(obj, n)


def _of_segments(obj: int, n: int) -> Iterator[_Box]:
    """Yield the straight parts of a path of many segments that run across or down."""
    values = (ctypes.c_float * 2)()
    at = ctypes.addressof(values)
    a, b, c, d, e, f = _matrix(obj)
    before: tuple[float, float] | None = None
    for segment in (call("FPDFPath_GetPathSegment")(obj, number) for number in range(n)):
        if not segment or not call("FPDFPathSegment_GetPoint")(segment, at, at + 4):
            before = None
            continue
        x, y = values
        point = (a * x + c * y + e, b * x + d * y + f)
        kind = call("FPDFPathSegment_GetType")(segment)
        if before is not None and kind == pdfium_c.FPDF_SEGMENT_LINETO:
            wide, high = abs(point[0] - before[0]), abs(point[1] - before[1])
            if min(wide, high) <= 1.0 and max(wide, high) >= _LONG:
                yield (min(point[0], before[0]), min(point[1], before[1]),
                       max(point[0], before[0]), max(point[1], before[1]))  # fmt: skip
        before = point


def _matrix(obj: int) -> _Matrix:
    values = pdfium_c.FS_MATRIX()
    if not pdfium_c.FPDFPageObj_GetMatrix(ctypes.cast(obj, pdfium_c.FPDF_PAGEOBJECT), ctypes.byref(values)):
        return (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    return (values.a, values.b, values.c, values.d, values.e, values.f)


def _product(inner: _Matrix, outer: _Matrix) -> _Matrix:
    """Return the matrix that applies `inner` first and `outer` then."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _moved(box: _Box, matrix: _Matrix | None) -> _Box:
    if matrix is None:
        return box
    a, b, c, d, e, f = matrix
    left, bottom, right, top = box
    xs, ys = (a * left + c * bottom + e, a * right + c * top + e), (b * left + d * bottom + f, b * right + d * top + f)
    return (min(xs), min(ys), max(xs), max(ys))


def straight(boxes: Floats) -> tuple[list[Rule], list[Rule]]:
    """Return the rules across and those down of thin boxes, pieces of one rule joined."""
    if len(boxes) == 0:
        return [], []
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    across, down = boxes[wide >= high], boxes[high > wide]
    return (
        _joined((across[:, 1] + across[:, 3]) / 2, across[:, 0], across[:, 2]),
        _joined((down[:, 0] + down[:, 2]) / 2, down[:, 1], down[:, 3]),
    )


def _joined(at: Floats, start: Floats, end: Floats) -> list[Rule]:
    """Return rules whose pieces touch as one; a rule drawn twice is one as well."""
    if len(at) == 0:
        return []
    ordered = np.sort(at)
    levels = np.concatenate(([0], (np.diff(ordered) > _OFF).cumsum()))
    level = levels[ordered.searchsorted(at)]
    order = np.lexsort((start, level))
    out: list[Rule] = []
    current = -1
    for place, y, a, b in zip(level[order].tolist(), at[order].tolist(), start[order].tolist(), end[order].tolist(),
                              strict=True):  # fmt: skip
        if place == current and a <= out[-1].end + _APART:
            if b > out[-1].end:
                out[-1] = Rule(out[-1].at, out[-1].start, b)
        else:
            out.append(Rule(y, a, b))
        current = place
    return out

"""Rules drawn on a page: thin lines and the edges of boxes, across and down, as they delimit cells of tables."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium_c

from pincite.parsing.pdf_calls import Floats, PageObjects, bounds, call, kinds_of, ready
from pincite.parsing.pdf_geometry import Frame

_PATH, _FORM = pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_FORM
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


@dataclass(slots=True)
class Rule:
    """A straight rule: at `at` (y of one that runs across, x of one that runs down), from `start` to `end`."""

    at: float
    start: float
    end: float


def rules_on(drawn: PageObjects, frame: Frame) -> Floats:
    """Return the boxes of thin lines and of the edges of boxes that an open page draws, as displayed."""
    objects, types = drawn.known()
    found = _thin(objects[:_MOST], types[:_MOST], _DEPTH)
    if len(found) == 0:
        return found
    return frame.boxes(*found.T)


def _thin(objects: list[int], types: npt.NDArray[np.uint8], depth: int) -> Floats:
    """Return `left, bottom, right, top` of what is thin among objects, in the space they are drawn in."""
    paths = [objects[at] for at in (types == _PATH).nonzero()[0].tolist()]
    boxes = bounds(ready(paths))
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    narrow = np.minimum(wide, high) <= _THICK
    parts = [boxes[narrow & (np.maximum(wide, high) >= _LONG)]]
    more = _edges([paths[at] for at in (~narrow).nonzero()[0].tolist()], boxes[~narrow].tolist())
    if more:
        parts.append(np.array(more))
    if depth:
        parts += [_of_form(objects[at], depth) for at in (types == _FORM).nonzero()[0].tolist()]
    return np.concatenate(parts)


def _of_form(obj: int, depth: int) -> Floats:
    """Return the boxes of what is thin in a form object, in the space around it."""
    n = min(_MOST, pdfium_c.FPDFFormObj_CountObjects(ctypes.cast(obj, pdfium_c.FPDF_PAGEOBJECT)))
    inner = [call("FPDFFormObj_GetObject")(obj, at) for at in range(max(0, n))]
    left, bottom, right, top = _thin(inner, kinds_of(inner), depth - 1).T
    a, b, c, d, e, f = _matrix(obj)
    xs = np.stack((a * left + c * bottom + e, a * right + c * top + e))
    ys = np.stack((b * left + d * bottom + f, b * right + d * top + f))
    return np.stack((xs.min(axis=0), ys.min(axis=0), xs.max(axis=0), ys.max(axis=0)), axis=1)


def _edges(paths: list[int], boxes: list[list[float]]) -> list[_Box]:
    """Return the edges of paths that are no thin lines, where they are drawn."""
    modes = (ctypes.c_int * 2)()
    first = ctypes.addressof(modes)
    draw_mode, n_segments = call("FPDFPath_GetDrawMode"), call("FPDFPath_CountSegments")
    out: list[_Box] = []
    for obj, (left, bottom, right, top) in zip(paths, boxes, strict=True):
        if not draw_mode(obj, first, first + 4) or not modes[1]:
            continue
        n = n_segments(obj)
        if n in (4, 5):
            out += [(left, y, right, y) for y in (bottom, top)]
            out += [(x, bottom, x, top) for x in (left, right)]
        elif n <= _MOST_SEGMENTS:
            out += _of_segments(obj, n)
    return out


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
            out[-1].end = max(b, out[-1].end)
        else:
            out.append(Rule(y, a, b))
        current = place
    return out

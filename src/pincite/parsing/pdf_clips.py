"""Runs of text that a clipping path cuts off, wholly or in part."""

import ctypes
from itertools import repeat

from pincite.parsing.pdf_calls import call, each, ready

#: A run may be cut by this share of its area, 0 to 1: boxes of text reach beyond its letters.
_CUT = 0.3
#: At most so many paths of a clip, and points of a path, are looked at.
_MOST_PATHS, _MOST_POINTS = 8, 64

_Box = tuple[float, float, float, float]


def clipped_runs(objects: list[int]) -> list[int]:
    """Return which text objects (by place) lie outside their clipping path with a good part of their area.

    Bounds and clip are compared in the object's own space, that of its form or of the page.
    """
    clips = each("FPDFPageObj_GetClipPath", ready(objects))
    counts = each("FPDFClipPath_CountPaths", ready(clips))
    if max(counts, default=0) <= 0:
        return []
    cut: dict[int, bool] = {}
    for obj, clip, n in zip(objects, clips, counts, strict=True):
        if n > 0 and obj not in cut:
            cut[obj] = _is_cut(obj, clip, n)
    return [at for at, obj in enumerate(objects) if cut.get(obj, False)]


def _is_cut(obj: int, clip: int, n_paths: int) -> bool:
    values = (ctypes.c_float * 4)()
    at = ctypes.addressof(values)
    if not call("FPDFPageObj_GetBounds")(obj, at, at + 4, at + 8, at + 12):
        return False
    x0, y0, x1, y1 = values
    area = (x1 - x0) * (y1 - y0)
    if area <= 0:
        return False
    for path in range(min(n_paths, _MOST_PATHS)):
        box = _path_box(clip, path)
        if box is not None:
            x0, y0, x1, y1 = max(x0, box[0]), max(y0, box[1]), min(x1, box[2]), min(y1, box[3])
    return max(0.0, x1 - x0) * max(0.0, y1 - y0) < (1 - _CUT) * area


def _path_box(clip: int, path: int) -> _Box | None:
    """Return the box around the points of a path; `None` for one too long to be a mere frame, or empty."""
    n = call("FPDFClipPath_CountPathSegments")(clip, path)
    if not 0 < n <= _MOST_POINTS:
        return None
    point = (ctypes.c_float * 2)()
    at = ctypes.addressof(point)
    xs, ys = [], []
    for segment in map(call("FPDFClipPath_GetPathSegment"), repeat(clip), repeat(path), range(n)):
        if call("FPDFPathSegment_GetPoint")(segment, at, at + 4):
            xs.append(point[0])
            ys.append(point[1])
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None

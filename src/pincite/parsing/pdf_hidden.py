"""Text that is in the file but that a person cannot see, each word with the reason.

Cheap signs come first (render mode, size, place, opacity). A word whose colour is that of what lies under it,
or that something was drawn over, is only suspected; the page is then rendered once, and words that leave
no mark in the picture are hidden.
"""

from typing import Any

import numpy as np

from pincite.parsing.pdf_geometry import Frame
from pincite.parsing.pdf_marks import Drawn
from pincite.parsing.pdf_text import Truths, Words

#: Text smaller than this on the page cannot be read by a person, in points.
_TINY_PT = 2.0
#: Render modes (PDF 32000-1, table 106): invisible, and used for clipping only.
_INVISIBLE, _CLIP = 3, 7
#: Pictures that cover this share of the page may be a scan whose invisible text is the document.
_SCAN_SHARE = 0.3
#: Opacity, 0 to 255, below which nothing is seen; colour difference, 0 to 255, that a person can tell.
_CLEAR, _TELL = 13, 22
#: The picture that suspicion is checked in has so many pixels a point; it is grey, 0 to 255.
_PIXELS_PER_PT = 2.0
#: A page with fewer objects is always looked at for shapes; others only when some text is nearly white.
_FEW_OBJECTS = 300
_NEARLY_WHITE = 238


def wants_shapes(words: Words, n_objects: int) -> bool:
    """Return whether filled shapes have to be known to judge the words of a page."""
    return len(words) > 0 and (n_objects <= _FEW_OBJECTS or bool(_pale(words).any()))


def _rgb(words: Words) -> np.ndarray:
    return np.stack([(words.colour >> shift) & 255 for shift in (16, 8, 0)], axis=1)


def _pale(words: Words) -> Truths:
    colour = words.colour
    pale: Truths = (colour & 255 >= _NEARLY_WHITE) & (colour >> 8 & 255 >= _NEARLY_WHITE)
    pale &= colour >> 16 & 255 >= _NEARLY_WHITE
    return pale


def hidden_words(page: Any, words: Words, frame: Frame, drawn: Drawn) -> dict[int, str]:
    """Return the words a person cannot see, each with the reason."""
    found: dict[int, str] = {}
    if len(words) == 0:
        return found
    box, mode, size = words.box, words.mode[words.run], words.size[words.run]
    x, y = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    outside = (x < 0) | (y < 0) | (x > frame.width_pt) | (y > frame.height_pt)
    clear = ((words.colour >> 24) < _CLEAR) & (mode % 4 != 1)
    over_scan = _over_scan(x, y, drawn, frame)
    for signs, reason in (
        (outside, "outside the page"),
        ((mode == _INVISIBLE) & ~over_scan, "drawn invisibly"),
        ((size < _TINY_PT) & (words.high < _TINY_PT), "too small to read"),
    ):
        for word in np.flatnonzero(signs).tolist():
            found.setdefault(word, reason)
    looked = drawn.shapes or drawn.pictures or _pale(words).any()
    suspects = _suspects(words, drawn, over_scan) if looked else {}
    for word in np.flatnonzero(mode == _CLIP).tolist():
        suspects.setdefault(word, "used for clipping only")
    for word in np.flatnonzero(clear).tolist():
        suspects.setdefault(word, "fully transparent")
    for word in found:
        suspects.pop(word, None)
    if suspects:
        found |= _without_a_mark(page, words, frame, suspects)
    return found


def _over_scan(x: np.ndarray, y: np.ndarray, drawn: Drawn, frame: Frame) -> Truths:
    """Return which words stand on a picture that is large enough to be a scan."""
    over = np.zeros(len(x), bool)
    if drawn.share < _SCAN_SHARE:
        return over
    for picture in drawn.pictures:
        x0, y0, x1, y1 = picture.box
        if (x1 - x0) * (y1 - y0) >= 0.02 * frame.width_pt * frame.height_pt:
            over |= (x >= x0 - 2) & (x <= x1 + 2) & (y >= y0 - 2) & (y <= y1 + 2)
    return over


def _suspects(words: Words, drawn: Drawn, over_scan: Truths) -> dict[int, str]:
    """Return words that may have the colour of what lies under them, or that may be covered."""
    rgb = _rgb(words)
    box = words.box
    x, y = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    under = np.full((len(words), 3), 255, np.int64)
    order = np.array([drawn.order.get(obj, 1 << 30) for obj in words.objects], np.int64)[words.run]
    covered = np.zeros(len(words), bool)
    for shape in drawn.shapes:
        if shape.alpha < 200:
            continue
        x0, y0, x1, y1 = shape.box
        inside = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
        under[inside & (order > shape.order)] = shape.rgb
        covered |= inside & (order < shape.order)
    for picture in drawn.pictures:
        x0, y0, x1, y1 = picture.box
        inside = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
        covered |= inside & (order < picture.order) & ~over_scan
        under[inside & (order > picture.order)] = -255
    alike = np.abs(rgb - under).max(axis=1) < _TELL
    found = dict.fromkeys(np.flatnonzero(alike).tolist(), "in the colour of its background")
    for word in np.flatnonzero(covered).tolist():
        found.setdefault(word, "covered by something drawn over it")
    return found


def _without_a_mark(page: Any, words: Words, frame: Frame, suspects: dict[int, str]) -> dict[int, str]:
    """Return the suspects that leave no mark in a picture of the page."""
    scale = min(_PIXELS_PER_PT, 4000 / max(frame.width_pt, frame.height_pt, 1.0))
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        picture = bitmap.to_numpy().reshape(bitmap.height, bitmap.width, -1)[:, :, 0]
        out = {}
        for word, reason in suspects.items():
            x0, y0, x1, y1 = (words.box[word] * scale).tolist()
            part = picture[max(0, int(y0)) : int(y1) + 1, max(0, int(x0)) : int(x1) + 1]
            if part.size == 0 or int(part.max()) - int(part.min()) < _TELL:
                out[word] = reason
    finally:
        bitmap.close()
    return out

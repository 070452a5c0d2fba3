"""Text that is in the file but that a person cannot see, each word with the reason.

Cheap signs come first (render mode, size, place, opacity). A word whose colour is that of what lies under it,
or that something was drawn over, is only suspected; the page is then rendered once, and words that leave
no mark in the picture are hidden.
"""

from typing import Any, TypeAlias

import numpy as np

from pincite.parsing.pdf_calls import call, handle, text_objects
from pincite.parsing.pdf_clips import clipped_runs
from pincite.parsing.pdf_geometry import Frame
from pincite.parsing.pdf_marks import Drawn
from pincite.parsing.pdf_text import Truths, Words

#: Text smaller than this on the page cannot be read by a person, in points.
_TINY_PT = 2.0
#: Render modes (PDF 32000-1, table 106): only stroked, invisible, and used for clipping only.
_STROKE, _INVISIBLE, _CLIP = 1, 3, 7
#: A word narrower than this share of its height a letter is a line, not letters (an `l` has 0.2).
_NARROW = 0.04
#: Pictures that cover this share of the page may be a scan whose invisible text is the document.
_SCAN_SHARE = 0.3
#: Opacity, 0 to 255, below which nothing is seen; colour difference, 0 to 255, that a person can tell.
_CLEAR, _TELL = 13, 22
_COVERED, _PICTURED = "covered by something drawn over it", "covered by a picture"
_CUT_OFF, _NO_CONTRAST = "cut off by a clipping path", "in the colour of its background"
#: Suspects at whose place something else may leave a mark.
_UNDER_OTHERS = {_PICTURED, _CUT_OFF}
#: The picture that suspicion is checked in has so many pixels a point; it is grey, 0 to 255.
_PIXELS_PER_PT = 2.0
#: A page with fewer objects is always looked at for shapes; others only when some text is nearly white.
_FEW_OBJECTS = 300
_NEARLY_WHITE = 238

#: Rows and columns of a picture.
_Place: TypeAlias = tuple[slice, slice]


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


def hidden_words(page: Any, textpage: Any, words: Words, frame: Frame, drawn: Drawn) -> dict[int, str]:
    """Return the words a person cannot see, each with the reason; `page` and its `textpage` are open."""
    found: dict[int, str] = {}
    if len(words) == 0:
        return found
    box, mode, size = words.box, words.mode.take(words.run), words.size.take(words.run)
    x, y = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    over_scan = _over_scan(x, y, drawn, frame)
    _note(found, (x < 0) | (y < 0) | (x > frame.width_pt) | (y > frame.height_pt), "outside the page")
    _note(found, (mode == _INVISIBLE) & ~over_scan, "drawn invisibly")
    _note(found, ((size < _TINY_PT) & (words.high < _TINY_PT)) | _squeezed(words), "too small to read")
    looked = drawn.shapes or drawn.pictures or _pale(words).any()
    suspects = _suspects(words, drawn, over_scan) if looked else {}
    _note(suspects, mode == _CLIP, "used for clipping only")
    _note(suspects, ((words.colour >> 24) < _CLEAR) & (mode % 4 != _STROKE), "fully transparent")
    _note(suspects, mode % 4 == _STROKE, _NO_CONTRAST)
    if runs := clipped_runs(words.objects):
        _note(suspects, np.isin(words.run, runs), _CUT_OFF)
    for word in found:
        suspects.pop(word, None)
    if suspects:
        found |= _without_a_mark(page, textpage, words, frame, suspects)
    return found


def _note(found: dict[int, str], signs: Truths, reason: str) -> None:
    """Add the words that have a sign, with the reason, where they have none yet."""
    for word in signs.nonzero()[0].tolist():
        found.setdefault(word, reason)


def _squeezed(words: Words) -> Truths:
    """Return which words are pressed together until their letters have next to no width."""
    wide, high = words.box[:, 2] - words.box[:, 0], words.box[:, 3] - words.box[:, 1]
    width = np.where(words.turn % 180 == 0, wide, np.maximum(wide, high))
    size = np.minimum(words.size[words.run], words.high)
    n_letters = words.end - words.start
    squeezed: Truths = (n_letters > 1) & (width < _NARROW * n_letters * size)
    return squeezed


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
    covered, pictured = np.zeros(len(words), bool), np.zeros(len(words), bool)
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
        pictured |= inside & (order < picture.order) & ~over_scan
        under[inside & (order > picture.order)] = -255
    alike: Truths = np.abs(rgb - under).max(axis=1) < _TELL
    found: dict[int, str] = {}
    _note(found, alike, _NO_CONTRAST)
    _note(found, pictured, _PICTURED)
    _note(found, covered, _COVERED)
    return found


def _without_a_mark(page: Any, textpage: Any, words: Words, frame: Frame, suspects: dict[int, str]) -> dict[int, str]:
    """Return the suspects that leave no mark in a picture of the page.

    Other things may be drawn at the place of a word: where the picture is not even, the page is drawn again
    without the suspects that may be covered or cut off, and those that are not missed are hidden.
    """
    scale = min(_PIXELS_PER_PT, 4000 / max(frame.width_pt, frame.height_pt, 1.0))
    picture = _picture(page, scale)
    places = {word: _pixels(words, word, scale) for word in suspects}
    out, marked = {}, []
    for word, reason in suspects.items():
        part = picture[places[word]]
        if part.size == 0 or int(part.max()) - int(part.min()) < _TELL:
            out[word] = reason
        elif reason in _UNDER_OTHERS:
            marked.append(word)
    if not marked:
        return out
    missed = _changed(
        page, picture, handle(textpage), words.start[marked].tolist(), [places[word] for word in marked], scale
    )
    return out | {word: suspects[word] for word, seen in zip(marked, missed, strict=True) if not seen}


def _changed(
    page: Any, picture: np.ndarray, text: int, starts: list[int], places: list[_Place], scale: float
) -> list[bool]:
    """Return for each word, by the place of its first letter, whether the picture changes there without it."""
    objects = text_objects(text, starts).tolist()
    activate = call("FPDFPageObj_SetIsActive")
    off = {obj for obj in set(objects) - {0} if activate(obj, 0)}
    try:
        without = _picture(page, scale)
    finally:
        for obj in off:
            activate(obj, 1)
    change = np.abs(picture - without)
    return [obj not in off or int(change[place].max()) >= _TELL for obj, place in zip(objects, places, strict=True)]


def _picture(page: Any, scale: float) -> np.ndarray:
    """Return a grey picture of the page, a row of pixels a line, 0 to 255."""
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        picture: np.ndarray = bitmap.to_numpy().reshape(bitmap.height, bitmap.width, -1)[:, :, 0].astype(np.int16)
    finally:
        bitmap.close()
    return picture


def _pixels(words: Words, word: int, scale: float) -> _Place:
    """Return where in the picture a word stands."""
    x0, y0, x1, y1 = (words.box[word] * scale).tolist()
    return slice(max(0, int(y0)), max(0, int(y1) + 1)), slice(max(0, int(x0)), max(0, int(x1) + 1))

"""What is drawn besides text: pictures and filled shapes, and text drawn twice."""

import ctypes
import hashlib
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
import pypdfium2.raw as pdfium_c

from pincite.parsing.pdf_calls import Ints, PageObjects, call
from pincite.parsing.pdf_geometry import Frame, median, row_by_row
from pincite.parsing.pdf_text import Truths, Words

#: Raw picture data beyond this many bytes is hashed by its length and place alone.
_HASHED_BYTES = 1 << 22
#: At most so many shapes or pictures of a page are looked at.
_MOST = 3000
#: Text this many times the page's usual size, in points at least, and aslant or over other text is a watermark.
WATERMARK_SIZE, WATERMARK_PT = 1.8, 24.0
#: Letters stand in this part of the height of a word's box, 0 to 1 from the top; at most so many are compared.
_INK_TOP, _INK_BOTTOM, _MOST_STAMPS = 0.15, 0.85, 200
#: Form objects are looked into so deep.
_DEPTH = 4
#: A stamp has so many letters; the render mode of text that is not painted.
_STAMP_LETTERS, _INVISIBLE = 3, 3


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's box as displayed, inside the page, the hash of its data, and its place in drawing order."""

    box: tuple[float, float, float, float]
    content_hash: str
    order: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled area: its box as displayed, its colour and alpha, and its place in drawing order."""

    box: tuple[float, float, float, float]
    rgb: tuple[int, int, int]
    alpha: int
    order: int


@dataclass(slots=True)
class Drawn:
    """What a page draws. `share` is how much of the page pictures cover, 0 to 1; `n_objects` counts all."""

    pictures: list[Picture] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    share: float = 0.0
    n_objects: int = 0
    order: dict[int, int] = field(default_factory=dict)


def repeated_words(words: Words) -> list[int]:
    """Return words drawn again at the same place, as is done to look bold or to cast a shadow."""
    order = row_by_row(words.box[:, 0], np.rint(words.box[:, 1] / 2))
    x, y = words.box.take(order, axis=0)[:, :2].T
    near = 0.18 * words.high.take(order)
    again: set[int] = set()
    for step in (1, 2):
        close = (np.abs(x[step:] - x[:-step]) < near[:-step]) & (np.abs(y[step:] - y[:-step]) < near[:-step])
        for at in close.nonzero()[0].tolist():
            i, j = int(order[at]), int(order[at + step])
            if words.text(i) == words.text(j):
                again.add(max(i, j))
    return sorted(again)


def stamped_words(words: Words, keep: Truths) -> Ints:
    """Return big words that are drawn over smaller ones, with those that follow in the file: a stamp, a watermark.

    `keep` are the words to be looked at. A title, a drop cap or the big sign of a formula covers no other words, or
    has not the letters of a word.
    """
    if len(words) == 0:
        return np.zeros(0, np.int64)
    if words.high.max() <= WATERMARK_PT:
        return np.zeros(0, np.int64)
    big = words.high > max(WATERMARK_PT, WATERMARK_SIZE * median(words.high))
    if not big.any():
        return np.zeros(0, np.int64)
    big &= keep & (words.mode[words.run] != _INVISIBLE)
    places = big.nonzero()[0]
    out: list[Ints] = []
    for stamp in np.split(places, (np.diff(places) > 1).nonzero()[0] + 1)[:_MOST_STAMPS]:
        texts = words.slices(words.start[stamp], words.end[stamp])
        if sum(map(str.isalpha, "".join(texts))) >= _STAMP_LETTERS and _covers_words(words, stamp, keep & ~big):
            out.append(stamp)
    return np.concatenate(out) if out else np.zeros(0, np.int64)


def _covers_words(words: Words, stamp: Ints, others: Truths) -> bool:
    """Return whether smaller words stand where the letters of a stamp are."""
    box, level = words.box, (words.box[:, 1] + words.box[:, 3]) / 2
    for word in stamp.tolist():
        x0, y0, x1, y1 = box[word].tolist()
        low, high = y0 + _INK_TOP * (y1 - y0), y0 + _INK_BOTTOM * (y1 - y0)
        over = others & (box[:, 0] < x1 - 1) & (box[:, 2] > x0 + 1) & (level > low) & (level < high)
        if (over & (WATERMARK_SIZE * words.high < words.high[word])).any():
            return True
    return False


def drawn_on(drawn: PageObjects, frame: Frame, *, shapes: bool) -> Drawn:
    """Return the pictures a page draws, and with `shapes` its filled areas."""
    out = Drawn(n_objects=drawn.n)
    objects, kinds = drawn.known()
    out.order = {obj: at for at, obj in enumerate(objects)} if shapes else {}
    wanted = {pdfium_c.FPDF_PAGEOBJ_FORM, pdfium_c.FPDF_PAGEOBJ_IMAGE}
    wanted |= {pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_SHADING} if shapes else set()
    found = [
        (at, obj, kind) for at, (obj, kind) in enumerate(zip(objects, kinds.tolist(), strict=True)) if kind in wanted
    ]
    for at, obj, kind in found[:_MOST]:
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            _add_picture(out, obj, frame, at)
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            _look_into(out, obj, obj, frame, at, _DEPTH)
        elif (shape := _shape(obj, frame, at)) is not None:
            out.shapes.append(shape)
    area = frame.width_pt * frame.height_pt or 1.0
    covered = sum((p.box[2] - p.box[0]) * (p.box[3] - p.box[1]) for p in out.pictures)
    out.share = min(1.0, covered / area)
    return out


def _look_into(out: Drawn, form: int, outer: int, frame: Frame, at: int, depth: int) -> None:
    """Count a form object as one picture, where the form stands, when it holds a picture."""
    raw = ctypes.cast(form, pdfium_c.FPDF_PAGEOBJECT)
    n = pdfium_c.FPDFFormObj_CountObjects(raw)
    for inner in map(call("FPDFFormObj_GetObject"), repeat(form), range(max(0, min(n, 200)))):
        kind = call("FPDFPageObj_GetType")(inner)
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            _add_picture(out, inner, frame, at, outer=outer)
            return
        if kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth:
            _look_into(out, inner, outer, frame, at, depth - 1)


def _add_picture(out: Drawn, obj: int, frame: Frame, at: int, *, outer: int = 0) -> None:
    box = _box(outer or obj, frame)
    if box is None or box[2] - box[0] < 1 or box[3] - box[1] < 1:
        return
    raw = ctypes.cast(obj, pdfium_c.FPDF_PAGEOBJECT)
    size = pdfium_c.FPDFImageObj_GetImageDataRaw(raw, None, 0)
    data = b""
    if size <= _HASHED_BYTES:
        buffer = ctypes.create_string_buffer(max(1, size))
        pdfium_c.FPDFImageObj_GetImageDataRaw(raw, buffer, size)
        data = buffer.raw[:size]
    digest = hashlib.sha256(data or str(size).encode()).hexdigest()
    out.pictures.append(Picture(box, digest, at))


def _box(obj: int, frame: Frame) -> tuple[float, float, float, float] | None:
    """Return an object's bounds as displayed, cut to the page, or `None` when it lies outside."""
    values = (ctypes.c_float * 4)()
    at = ctypes.addressof(values)
    if not call("FPDFPageObj_GetBounds")(obj, at, at + 4, at + 8, at + 12):
        return None
    left, bottom, right, top = values
    xa, ya = frame.display(left, bottom)
    xb, yb = frame.display(right, top)
    box = (
        max(0.0, min(xa, xb)),
        max(0.0, min(ya, yb)),
        min(frame.width_pt, max(xa, xb)),
        min(frame.height_pt, max(ya, yb)),
    )
    return box if box[2] > box[0] and box[3] > box[1] else None


def _shape(obj: int, frame: Frame, at: int) -> Shape | None:
    """Return a filled path, or `None` when it is only stroked, or thin as a rule."""
    values = (ctypes.c_uint * 4)()
    first = ctypes.addressof(values)
    if call("FPDFPath_GetDrawMode")(obj, first, first + 4) and values[0] == pdfium_c.FPDF_FILLMODE_NONE:
        return None
    box = _box(obj, frame)
    if box is None or box[2] - box[0] < 3 or box[3] - box[1] < 3:
        return None
    if not call("FPDFPageObj_GetFillColor")(obj, first, first + 4, first + 8, first + 12):
        return None
    red, green, blue, alpha = values
    return Shape(box, (red, green, blue), alpha, at)

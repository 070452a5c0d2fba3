"""What is drawn besides readable text: pictures, text drawn twice, and text that a person cannot see."""

import ctypes
import hashlib
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium_c

from pincite.parsing.pdf_calls import Ints, call, handle
from pincite.parsing.pdf_geometry import Frame
from pincite.parsing.pdf_text import Words

#: Text smaller than this on the page cannot be read by a person, in points.
_TINY_PT = 2.0
#: A picture that covers this share of the page may be a scan with an invisible text layer.
_SCAN_SHARE = 0.5
_INVISIBLE = 3
#: Raw picture data beyond this many bytes is hashed by its first part and its length.
_HASHED_BYTES = 1 << 22


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's box as displayed, inside the page, and the hash of its data."""

    box: tuple[float, float, float, float]
    content_hash: str


@dataclass(slots=True)
class Pictures:
    """The pictures of a page and the largest share of the page that one of them covers."""

    pictures: list[Picture]
    share: float


def repeated_words(words: Words) -> list[int]:
    """Return words drawn again at the same place, as is done to look bold or to cast a shadow."""
    x, y, near = words.box[:, 0], words.box[:, 1], 0.18 * words.high
    again: set[int] = set()
    for order in (np.lexsort((x, np.round(y))), np.lexsort((y, np.round(x)))):
        for step in (1, 2):
            a, b = order[:-step], order[step:]
            close = (np.abs(x[a] - x[b]) < near[a]) & (np.abs(y[a] - y[b]) < near[a])
            for i, j in zip(a[close].tolist(), b[close].tolist(), strict=True):
                if words.text(i) == words.text(j):
                    again.add(max(i, j))
    return sorted(again)


def pictures_on(page: Any, frame: Frame) -> Pictures:
    """Return the pictures on a page, those inside form objects too."""
    at = handle(page)
    n = pdfium_c.FPDFPage_CountObjects(page)
    objects = list(map(call("FPDFPage_GetObject"), repeat(at), range(n)))
    types = list(map(call("FPDFPageObj_GetType"), objects))
    found = [obj for obj, kind in zip(objects, types, strict=True) if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE]
    pictures = [picture for obj in found if (picture := _picture(obj, frame)) is not None]
    area = frame.width_pt * frame.height_pt or 1.0
    share = max(((p.box[2] - p.box[0]) * (p.box[3] - p.box[1]) / area for p in pictures), default=0.0)
    return Pictures(pictures, share)


def _picture(obj: int, frame: Frame) -> Picture | None:
    raw = ctypes.cast(obj, pdfium_c.FPDF_PAGEOBJECT)
    values = [ctypes.c_float() for _ in range(4)]
    if not pdfium_c.FPDFPageObj_GetBounds(raw, *values):
        return None
    left, bottom, right, top = (np.array([value.value], float) for value in values)
    x0, y0, x1, y1 = frame.boxes(left, bottom, right, top)[0].tolist()
    box = (max(0.0, x0), max(0.0, y0), min(frame.width_pt, x1), min(frame.height_pt, y1))
    if box[2] - box[0] < 1 or box[3] - box[1] < 1:
        return None
    size = pdfium_c.FPDFImageObj_GetImageDataRaw(raw, None, 0)
    data = b""
    if size <= _HASHED_BYTES:
        buffer = ctypes.create_string_buffer(max(1, size))
        pdfium_c.FPDFImageObj_GetImageDataRaw(raw, buffer, size)
        data = buffer.raw[:size]
    return Picture(box, hashlib.sha256(data + str(size).encode()).hexdigest())


def hidden_words(page: Any, words: Words, frame: Frame, pictures: Pictures) -> dict[int, str]:
    """Return the words a person cannot see, each with the reason."""
    del page
    if len(words) == 0:
        return {}
    found: dict[int, str] = {}
    box, mode, size = words.box, words.mode[words.run], words.size[words.run]
    middle_x, middle_y = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    outside = (middle_x < 0) | (middle_y < 0) | (middle_x > frame.width_pt) | (middle_y > frame.height_pt)
    for i in np.flatnonzero(outside).tolist():
        found[i] = "outside the page"
    if pictures.share < _SCAN_SHARE:
        for i in np.flatnonzero(mode == _INVISIBLE).tolist():
            found.setdefault(i, "drawn invisibly")
    for i in np.flatnonzero((size < _TINY_PT) & (words.high < _TINY_PT)).tolist():
        found.setdefault(i, "too small to read")
    alpha = words.colour >> 24
    for i in np.flatnonzero((alpha == 0) & (mode % 4 != 1)).tolist():
        found.setdefault(i, "fully transparent")
    return found


def ocr_words(words: Words, pictures: Pictures) -> Ints:
    """Return the words of an invisible text layer over a scan: there they are the document."""
    if pictures.share < _SCAN_SHARE:
        return np.zeros(0, np.int64)
    return np.flatnonzero(words.mode[words.run] == _INVISIBLE)

"""pdfium functions bound for bulk use: integers in, numbers out, results written into numpy arrays.

pypdfium2's own bindings convert every argument and release the interpreter lock on each call, which costs
more than the calls themselves when there are thousands a page. These bindings take plain addresses and
keep the lock (a parse runs alone in its process), so `map` drives them at about 0.3 microseconds a call.
"""

import ctypes
from collections.abc import Callable, Iterable
from functools import cache
from itertools import repeat
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium_c

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

_POINTER = ctypes.c_void_p
_INT = ctypes.c_int


@cache
def call(name: str) -> Callable[..., Any]:
    """Return the pdfium function `name`, bound to take handles and addresses as integers."""
    restype, *argtypes = _SIGNATURES[name]
    address = ctypes.cast(getattr(pdfium_c, name), _POINTER).value
    assert address is not None  # noqa: S101 - every name in the table is a function of the library
    bound: Callable[..., Any] = ctypes.PYFUNCTYPE(restype, *argtypes)(address)
    return bound


_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "FPDFText_GetText": (_INT, _POINTER, _INT, _INT, _POINTER),
    "FPDFText_GetUnicode": (ctypes.c_uint, _POINTER, _INT),
    "FPDFText_IsHyphen": (_INT, _POINTER, _INT),
    "FPDFText_IsGenerated": (_INT, _POINTER, _INT),
    "FPDFText_HasUnicodeMapError": (_INT, _POINTER, _INT),
    "FPDFText_GetLooseCharBox": (_INT, _POINTER, _INT, _POINTER),
    "FPDFText_GetCharOrigin": (_INT, _POINTER, _INT, _POINTER, _POINTER),
    "FPDFText_GetMatrix": (_INT, _POINTER, _INT, _POINTER),
    "FPDFText_GetFontSize": (ctypes.c_double, _POINTER, _INT),
    "FPDFText_GetTextObject": (_POINTER, _POINTER, _INT),
    "FPDFText_GetFillColor": (_INT, _POINTER, _INT, _POINTER, _POINTER, _POINTER, _POINTER),
    "FPDFTextObj_GetTextRenderMode": (_INT, _POINTER),
    "FPDFTextObj_GetFont": (_POINTER, _POINTER),
    "FPDFFont_GetBaseFontName": (ctypes.c_size_t, _POINTER, _POINTER, ctypes.c_size_t),
    "FPDFFont_GetWeight": (_INT, _POINTER),
    "FPDFFont_GetFlags": (_INT, _POINTER),
    "FPDFPageObj_GetBounds": (_INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "FPDFPageObj_GetFillColor": (_INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "FPDFPageObj_GetClipPath": (_POINTER, _POINTER),
    "FPDFPageObj_CountMarks": (_INT, _POINTER),
    "FPDFPageObj_GetMark": (_POINTER, _POINTER, ctypes.c_ulong),
    "FPDFPageObj_SetIsActive": (_INT, _POINTER, _INT),
    "FPDFPageObjMark_GetParamStringValue": (
        _INT,
        _POINTER,
        ctypes.c_char_p,
        _POINTER,
        ctypes.c_ulong,
        _POINTER,
    ),
    "FPDFClipPath_CountPaths": (_INT, _POINTER),
    "FPDFClipPath_CountPathSegments": (_INT, _POINTER, _INT),
    "FPDFClipPath_GetPathSegment": (_POINTER, _POINTER, _INT, _INT),
    "FPDFPathSegment_GetPoint": (_INT, _POINTER, _POINTER, _POINTER),
    "FPDFPath_GetDrawMode": (_INT, _POINTER, _POINTER, _POINTER),
    "FPDFPage_GetObject": (_POINTER, _POINTER, _INT),
    "FPDFPageObj_GetType": (_INT, _POINTER),
    "FPDFFormObj_GetObject": (_POINTER, _POINTER, ctypes.c_ulong),
}


def handle(pointer: Any) -> int:
    """Return the address behind a pypdfium2 handle or raw pointer (0 for a null pointer)."""
    return ctypes.cast(getattr(pointer, "raw", pointer), _POINTER).value or 0


def chars_where(name: str, textpage: int, indexes: Iterable[int]) -> list[Any]:
    """Return the result of a `(textpage, index)` function for every index."""
    return list(map(call(name), repeat(textpage), indexes))


def loose_boxes(textpage: int, indexes: list[int]) -> Floats:
    """Return `[left, top, right, bottom]` in page space for each character: advance wide, line high."""
    out = np.zeros((len(indexes), 4), np.float32)
    base = out.ctypes.data
    rows = range(base, base + 16 * len(indexes), 16)
    list(map(call("FPDFText_GetLooseCharBox"), repeat(textpage), indexes, rows))
    return out.astype(np.float64)


def origins(textpage: int, indexes: list[int]) -> Floats:
    """Return `[x, y]` of each character's origin, on the baseline, in page space."""
    out = np.zeros((len(indexes), 2), np.float64)
    base = out.ctypes.data
    end = base + 16 * len(indexes)
    xs, ys = range(base, end, 16), range(base + 8, end + 8, 16)
    list(map(call("FPDFText_GetCharOrigin"), repeat(textpage), indexes, xs, ys))
    return out


def matrices(textpage: int, indexes: list[int]) -> Floats:
    """Return `[a, b, c, d, e, f]` of each character, forms and text matrix applied."""
    out = np.zeros((len(indexes), 6), np.float32)
    base = out.ctypes.data
    rows = range(base, base + 24 * len(indexes), 24)
    list(map(call("FPDFText_GetMatrix"), repeat(textpage), indexes, rows))
    return out.astype(np.float64)


def fill_colours(textpage: int, indexes: list[int]) -> Ints:
    """Return `[red, green, blue, alpha]`, 0 to 255, of each character's fill."""
    out = np.zeros((len(indexes), 4), np.uint32)
    base = out.ctypes.data
    end = base + 16 * len(indexes)
    columns = [range(base + at, end + at, 16) for at in (0, 4, 8, 12)]
    list(map(call("FPDFText_GetFillColor"), repeat(textpage), indexes, *columns))
    return out.astype(np.int64)

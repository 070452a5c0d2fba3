"""pdfium functions bound for bulk use: integers in, numbers out, results written into numpy arrays.

pypdfium2's own bindings convert every argument and release the interpreter lock on each call, which costs
more than the calls themselves when there are thousands a page. These bindings take plain addresses and
keep the lock (a parse runs alone in its process). What is asked of every character goes further: the places
for the answers are arguments made once (`_Room`), so nothing is converted, and `map` drives a call in about
0.13 microseconds, half of what it takes with an address made anew.
"""

import ctypes
import threading
from collections import deque
from collections.abc import Callable, Iterable
from functools import cache
from itertools import repeat
from typing import Any, Final, TypeAlias

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


@cache
def _bare(name: str) -> Callable[..., Any]:
    """Return the pdfium function `name`, bound to take whole numbers of C's `int` and ready arguments as they are."""
    address = ctypes.cast(getattr(pdfium_c, name), _POINTER).value
    assert address is not None  # noqa: S101 - every name in the table is a function of the library
    bound: Callable[..., Any] = ctypes.PYFUNCTYPE(_SIGNATURES[name][0])(address)
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
    "FPDFText_GetTextObject": (ctypes.c_size_t, _POINTER, _INT),
    "FPDFText_GetFillColor": (_INT, _POINTER, _INT, _POINTER, _POINTER, _POINTER, _POINTER),
    "FPDFTextObj_GetTextRenderMode": (_INT, _POINTER),
    "FPDFTextObj_GetFont": (ctypes.c_size_t, _POINTER),
    "FPDFFont_GetBaseFontName": (ctypes.c_size_t, _POINTER, _POINTER, ctypes.c_size_t),
    "FPDFFont_GetWeight": (_INT, _POINTER),
    "FPDFFont_GetFlags": (_INT, _POINTER),
    "FPDFPageObj_GetBounds": (_INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "FPDFPageObj_GetFillColor": (_INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "FPDFPageObj_GetClipPath": (ctypes.c_size_t, _POINTER),
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
    "FPDFPath_CountSegments": (_INT, _POINTER),
    "FPDFPath_GetPathSegment": (_POINTER, _POINTER, _INT),
    "FPDFPathSegment_GetType": (_INT, _POINTER),
    "FPDFPath_GetDrawMode": (_INT, _POINTER, _POINTER, _POINTER),
    "FPDFPage_GetObject": (ctypes.c_size_t, _POINTER, _INT),
    "FPDFPageObj_GetType": (_INT, _POINTER),
    "FPDFFormObj_GetObject": (ctypes.c_size_t, _POINTER, ctypes.c_ulong),
}


def handle(pointer: Any) -> int:
    """Return the address behind a pypdfium2 handle or raw pointer (0 for a null pointer)."""
    return ctypes.cast(getattr(pointer, "raw", pointer), _POINTER).value or 0


def ready(pointers: Iterable[int]) -> list[Any]:
    """Return handles as arguments for `each`, converted once however often they are used."""
    return list(map(_POINTER.from_param, pointers))


def each(name: str, pointers: Iterable[Any]) -> list[Any]:
    """Return the result of a function of one handle for each of the `ready` ones."""
    return list(map(_bare(name), pointers))


def chars_where(name: str, textpage: int, indexes: Iterable[int]) -> list[Any]:
    """Return the result of a `(textpage, index)` function, or one of another handle and index, for every index."""
    return list(map(_bare(name), repeat(_POINTER.from_param(textpage)), indexes))


def text_objects(textpage: int, indexes: list[int]) -> Ints:
    """Return the handle of the text object that each character belongs to; 0 for one that pdfium made up."""
    return np.array(chars_where("FPDFText_GetTextObject", textpage, indexes), np.int64)


class PageObjects:
    """What an open page draws: `n` objects, whose handles and types are asked for once, when they are first wanted."""

    def __init__(self, page: Any) -> None:
        self.n = max(0, pdfium_c.FPDFPage_CountObjects(page))
        self._page = handle(page)
        self._known: tuple[list[int], npt.NDArray[np.uint8]] | None = None

    def known(self) -> tuple[list[int], npt.NDArray[np.uint8]]:
        """Return the handles of the objects, 0 for one that is missing, and pdfium's number for the type of each."""
        if self._known is None:
            handles = chars_where("FPDFPage_GetObject", self._page, range(self.n))
            self._known = handles, kinds_of(handles)
        return self._known


def kinds_of(objects: list[int]) -> npt.NDArray[np.uint8]:
    """Return pdfium's number for the type of each page object."""
    return np.frombuffer(bytes(map(call("FPDFPageObj_GetType"), objects)), np.uint8)


#: So many characters are asked at once; a page has about 1,300 ends of words.
_AT_ONCE: Final = 2048


class _Room:
    """Rows of numbers that pdfium writes its answers into, with the arguments that point there."""

    def __init__(self, kind: type[np.generic], n_numbers: int, *, n_pointers: int) -> None:
        """Make room for answers of so many numbers, taken through one pointer, or through one for each number."""
        self.rows: npt.NDArray[Any] = np.zeros((_AT_ONCE, n_numbers), kind)
        base, row, number = self.rows.ctypes.data, self.rows.strides[0], self.rows.strides[1]
        self.pointers = [
            ready(range(base + at * number, base + at * number + row * _AT_ONCE, row)) for at in range(n_pointers)
        ]


class _Rooms(threading.local):
    """One room a thread for each kind of answer, made when it is first wanted."""

    def __init__(self) -> None:
        self._made: dict[str, _Room] = {}

    def of(self, name: str, kind: type[np.generic], n_numbers: int, n_pointers: int) -> _Room:
        """Return the room for the answers of a function."""
        room = self._made.get(name)
        if room is None:
            room = self._made[name] = _Room(kind, n_numbers, n_pointers=n_pointers)
        return room


_ROOMS: Final = _Rooms()


def _answers(name: str, textpage: int, indexes: list[int], room: _Room, out: npt.NDArray[Any]) -> None:
    """Write what a function says of each character into the rows of `out`; zeros where it says nothing."""
    page, function = _POINTER.from_param(textpage), _bare(name)
    for at in range(0, len(indexes), _AT_ONCE):
        part = indexes[at : at + _AT_ONCE]
        rows = room.rows[: len(part)]
        rows.fill(0)
        deque(map(function, repeat(page), part, *room.pointers), maxlen=0)
        out[at : at + len(part)] = rows


def loose_boxes(textpage: int, indexes: list[int]) -> Floats:
    """Return `[left, top, right, bottom]` in page space for each character: advance wide, line high."""
    out = np.empty((len(indexes), 4))
    name = "FPDFText_GetLooseCharBox"
    _answers(name, textpage, indexes, _ROOMS.of(name, np.float32, 4, 1), out)
    return out


def origins(textpage: int, indexes: list[int]) -> Floats:
    """Return `[x, y]` of each character's origin, on the baseline, in page space."""
    out = np.empty((len(indexes), 2))
    name = "FPDFText_GetCharOrigin"
    _answers(name, textpage, indexes, _ROOMS.of(name, np.float64, 2, 2), out)
    return out


def matrices(textpage: int, indexes: list[int]) -> Floats:
    """Return `[a, b, c, d, e, f]` of each character, forms and text matrix applied."""
    out = np.empty((len(indexes), 6))
    name = "FPDFText_GetMatrix"
    _answers(name, textpage, indexes, _ROOMS.of(name, np.float32, 6, 1), out)
    return out


def bounds(objects: list[Any]) -> Floats:
    """Return `[left, bottom, right, top]` of each page object of `ready` handles, in the space it is drawn in."""
    out = np.empty((len(objects), 4))
    name = "FPDFPageObj_GetBounds"
    room, function = _ROOMS.of(name, np.float32, 4, 4), _bare(name)
    for at in range(0, len(objects), _AT_ONCE):
        part = objects[at : at + _AT_ONCE]
        rows = room.rows[: len(part)]
        rows.fill(0)
        deque(map(function, part, *room.pointers), maxlen=0)
        out[at : at + len(part)] = rows
    return out


def fill_colours(textpage: int, indexes: list[int]) -> Ints:
    """Return `[red, green, blue, alpha]`, 0 to 255, of each character's fill."""
    out = np.empty((len(indexes), 4), np.int64)
    name = "FPDFText_GetFillColor"
    _answers(name, textpage, indexes, _ROOMS.of(name, np.uint32, 4, 4), out)
    return out

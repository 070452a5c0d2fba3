"""A page's string, a character for each of pdfium's: hyphens, ligatures, and what may not be stored."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from pincite.parsing import pdf_calls
from pincite.parsing.pdf_calls import Ints, call, chars_where

#: White space beyond ASCII and the no-break space.
_WIDE_SPACES = (0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
#: What may not be stored: controls, lone surrogates, noncharacters. (U+FFFD is put in their place.)
_MEANINGLESS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: Bullets and ticks of the Symbol and Wingdings fonts, which arrive in the private use area.
_SYMBOLS = {
    0xF0B7: "•", 0xF0A7: "▪", 0xF0A8: "▫", 0xF06E: "■", 0xF06F: "□", 0xF0FC: "✓", 0xF0D8: "➢", 0xF02D: "-",
    0xF0E0: "→", 0xF076: "❖", 0xF071: "❑", 0xF0FE: "☑", 0xF0A3: "≤", 0xF0B3: "≥", 0xF0B1: "±", 0xF0B0: "°",
}  # fmt: skip
_SYMBOL = re.compile("[\uf000-\uf0ff]")
_LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "st": "ﬆ"}
_LETTERS = re.compile("ffi|ffl|ff|fi|fl")
_DIGITS = re.compile(r"\d")
#: Private mark of the places after a ligature, taken out when text is cut from the page's string.
REST = "\ue0ff"
#: What a code is, bits in the table of `_kinds`: white space, a digit of any script, one of ASCII, a letter, what does
#: not stand with amounts, what is of `RTL` or `CJK`, white space that is no blank and ends no line. An ASCII digit and
#: a letter beside it add up to `_TOUCHING`.
_SPACE, _DIGIT, _PLAIN_DIGIT, _LETTER, _NO_AMOUNT, _UNLIKE, _ODD_SPACE = 1, 2, 4, 8, 16, 32, 64
_TOUCHING = _PLAIN_DIGIT + _LETTER
_AMOUNT_SIGNS = "$€£%—–-"
#: Scripts written from right to left, and Chinese and Japanese, whose rows are not put together as others are.
RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
CJK = re.compile("[\u2e80-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60]")


def page_string(text: int, n_chars: int) -> tuple[str, list[int], int]:
    """Return one character for each of pdfium's, where hyphens at line ends are, how many mean nothing."""
    if n_chars <= 0:
        return "", [], 0
    buffer = np.empty(n_chars + 1, np.uint16)
    written = call("FPDFText_GetText")(text, 0, n_chars, buffer.ctypes.data) - 1
    if written == n_chars and not _odd().take(buffer[:n_chars], mode="clip").any():
        return buffer[:n_chars].tobytes().decode("utf-16-le"), [], 0
    if written == n_chars and not ((buffer[:n_chars] & 0xF800) == 0xD800).any():
        string = buffer[:n_chars].tobytes().decode("utf-16-le", "surrogatepass")
    else:
        values = chars_where("FPDFText_GetUnicode", text, range(n_chars))
        string = "".join(chr(value) if value < 0x110000 else "\ufffd" for value in values)
    hyphens: list[int] = []
    if _MEANINGLESS.search(string):
        odd = [match.start() for match in re.finditer("[\ufffe\x02]", string)]
        flags = chars_where("FPDFText_IsHyphen", text, odd)
        hyphens = [at for at, flag in zip(odd, flags, strict=True) if flag == 1]
        chars = list(string)
        for at in hyphens:
            chars[at] = "-"
        string, n_damaged = _MEANINGLESS.subn("\ufffd", "".join(chars))
    else:
        n_damaged = string.count("\ufffd")
    if _SYMBOL.search(string):
        string = string.translate(_SYMBOLS)
    return string, hyphens, n_damaged


@cache
def _odd() -> npt.NDArray[np.bool_]:
    """Return for every UTF-16 unit whether a page's string with it has to be looked at again (most have none).

    One look into a table takes a fifth of the time of searching the string for each kind.
    """
    out = np.zeros(0x10000, bool)
    for first, last in ((0, 8), (0x0E, 0x1F), (0x7F, 0x9F), (0xD800, 0xDFFF), (0xF000, 0xF0FF), (0xFDD0, 0xFDEF)):
        out[first : last + 1] = True
    out[0xFFFD:] = True
    return out


def with_ligatures(text: int, codes: str, maps_ligatures: Callable[[], bool]) -> str:
    """Return the string with U+FB00 to U+FB06 where letters share one glyph, its other places marked empty."""
    found = [match.span() for match in _LETTERS.finditer(codes)]
    if not found:
        return codes
    ends = pdf_calls.loose_boxes(text, [at for start, end in found for at in (start, end - 1)])
    alike = (ends[0::2] == ends[1::2]).all(axis=1)
    shared = [found[at] for at in alike.nonzero()[0].tolist()]
    if not shared or not maps_ligatures():
        return codes
    chars = list(codes)
    for start, end in shared:
        chars[start] = _LIGATURES[codes[start:end]]
        chars[start + 1 : end] = REST * (end - start - 1)
    return "".join(chars)


@dataclass(slots=True)
class Spans:
    """Where words start and end (exclusive), where line feeds are, and where letters and digits touch.

    `highest` is the highest code of the string, at most 0xFFFF; `plain` says that nothing in it is written from
    right to left, or in Chinese or Japanese, `one_blank` that all words of a line are parted by a single blank. `kinds`
    says what each character is.
    """

    starts: Ints
    ends: Ints
    feeds: Ints
    touching: Ints
    highest: int
    plain: bool
    one_blank: bool
    kinds: npt.NDArray[np.uint8]


def word_spans(codes: str) -> Spans:
    """Return the words of a page's string."""
    units = codes.encode("utf-16-le", "surrogatepass")
    values = np.frombuffer(units, np.uint16)
    if len(values) != len(codes):
        wide = np.frombuffer(codes.encode("utf-32-le", "surrogatepass"), np.uint32)
        values = np.minimum(wide, 0xFFFF).astype(np.uint16)
    kinds = _kinds().take(values, mode="clip")
    space = np.ones(len(kinds) + 2, bool)
    space[1:-1] = kinds & _SPACE
    edges = (space[1:] != space[:-1]).nonzero()[0]
    marks = kinds & _TOUCHING
    touching = ((marks[1:] + marks[:-1]) == _TOUCHING).nonzero()[0]
    highest = int(values.max()) if len(values) else 0
    held = int(np.bitwise_or.reduce(kinds))
    feeds = (values == ord("\n")).nonzero()[0]
    one_blank = not held & _ODD_SPACE and "  " not in codes and codes.count("\r\n") == len(feeds) == codes.count("\r")
    return Spans(edges[0::2], edges[1::2], feeds, touching, highest, not held & _UNLIKE, one_blank, kinds)


def numeric_words(kinds: npt.NDArray[np.uint8], starts: Ints) -> npt.NDArray[np.bool_]:
    """Return which words have a digit, or are nothing but currency signs, percent signs and dashes.

    Words start at `starts`, in order; between them is nothing but white space.
    """
    held = np.bitwise_or.reduceat(kinds, starts)
    numeric: npt.NDArray[np.bool_] = (held & (_DIGIT | _NO_AMOUNT)) != _NO_AMOUNT
    return numeric


@cache
def _kinds() -> npt.NDArray[np.uint8]:
    """Return for every UTF-16 unit what it is, in bits: one look into a table for all that is asked of a page."""
    every = "".join(map(chr, range(0x10000)))
    out = np.full(0x10000, _NO_AMOUNT, np.uint8)
    out[[ord(sign) for sign in _AMOUNT_SIGNS]] = 0
    for first, last in ((ord("A"), ord("Z")), (ord("a"), ord("z")), (0xC0, 0x1FFF)):
        out[first : last + 1] |= _LETTER
    out[[ord(digit) for digit in _DIGITS.findall(every)]] |= _DIGIT
    out[ord("0") : ord("9") + 1] |= _PLAIN_DIGIT
    for first, last in re.findall("(.)-(.)", RTL.pattern + CJK.pattern):
        out[ord(first) : ord(last) + 1] |= _UNLIKE
    out[[0x20, 10, 13]] = _SPACE
    out[[9, 11, 12, 0xA0, *_WIDE_SPACES]] = _SPACE | _ODD_SPACE
    return out

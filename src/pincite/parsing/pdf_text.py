"""Words of a page as pdfium gives them, with boxes, direction, colour and, run by run, size and font.

Only the first and last character of a word are asked for their place, and only the first word of a run for
its style: that is what keeps a page at a few milliseconds. Words that may hold a raised or lowered numeral
are looked at character by character.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium_c

from pincite.parsing import pdf_calls
from pincite.parsing.pdf_calls import Floats, Ints, call, chars_where, handle
from pincite.parsing.pdf_fonts import Font, fonts_of
from pincite.parsing.pdf_geometry import Frame

Truths: TypeAlias = npt.NDArray[np.bool_]

#: Runs between white space.
_WORD = re.compile(r"\S+")
#: Letters touching digits: a raised or lowered numeral may be glued to the word.
_GLUED = re.compile(r"[^\W\d_][0-9]|[0-9][^\W\d_]")
#: What may not be stored: controls, lone surrogates, noncharacters. (U+FFFD is put in their place.)
_MEANINGLESS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: Bullets and ticks of the Symbol and Wingdings fonts, which arrive in the private use area.
_SYMBOLS = {
    0xF0B7: "•", 0xF0A7: "▪", 0xF0A8: "▫", 0xF06E: "■", 0xF06F: "□", 0xF0FC: "✓", 0xF0D8: "➢", 0xF02D: "-",
    0xF0E0: "→", 0xF076: "❖", 0xF071: "❑", 0xF0FE: "☑", 0xF0A3: "≤", 0xF0B3: "≥", 0xF0B1: "±", 0xF0B0: "°",
}  # fmt: skip
_SYMBOL = re.compile("[\uf000-\uf0ff]")
#: Private mark of a hyphen at a line end while words are cut.
_BREAK = "\ue0fe"
#: A gap wider than this many line heights, or text overlapping backwards, starts a new run.
_RUN_GAP = 1.1
#: So many words of a page are asked whether their font has a Unicode map.
_SAMPLE = 48


@dataclass(slots=True)
class Words:
    """The words of a page in the order of the file; arrays have one entry a word.

    `codes[start:end]` is the text. `box` is `[x0, y0, x1, y1]` as displayed, `high` the height of the line
    across its direction. `turn` is the direction of the text, clockwise in degrees, or -1 when it is aslant.
    `spaced` says that white space stood before the word, `broken` that pdfium saw a line break there.
    `script` is +1 for raised and -1 for lowered text. `run` leads to the arrays that have one entry a run:
    `size`, `font`, `mode` (the PDF text render mode), `objects` (pdfium's handles, valid while the page is open).
    """

    codes: str
    start: Ints
    end: Ints
    box: Floats
    high: Floats
    turn: Ints
    spaced: Truths
    broken: Truths
    colour: Ints
    script: Ints
    run: Ints
    size: Floats
    font: Ints
    mode: Ints
    fonts: list[Font]
    objects: list[int]
    n_damaged: int
    unmapped: float

    def __len__(self) -> int:
        return len(self.start)

    def text(self, word: int) -> str:
        """Return the text of one word."""
        return self.codes[self.start[word] : self.end[word]]


def no_words() -> Words:
    """Return the words of a page that has none."""
    whole, real, truth = np.zeros(0, np.int64), np.zeros(0), np.zeros(0, bool)
    table = np.zeros((0, 4))
    return Words(
        "", whole, whole, table, real, whole, truth, truth, whole, whole, whole, real, whole, whole, [], [], 0, 0.0
    )


def read_words(textpage: Any, frame: Frame) -> Words:
    """Return the words of an open page of text."""
    text = handle(textpage)
    codes, hyphens, n_damaged = _page_string(text, pdfium_c.FPDFText_CountChars(textpage))
    spans = [match.span() for match in _WORD.finditer(codes)]
    if not spans:
        return no_words()
    if hyphens:
        spans = _cut_after(spans, hyphens)
    starts, ends = (np.array(column, np.int64) for column in zip(*spans, strict=True))
    spaced, broken = _separations(codes, starts, ends)
    turn = _turns(text, starts, broken, frame)
    boxes = _boxes(text, np.stack((starts, ends - 1), 1).ravel().tolist(), frame)
    if scripts := _scripts(text, codes, spans, boxes, turn, frame):
        return _with_scripts(text, codes, spans, scripts, n_damaged, frame)
    none = np.zeros(len(spans), np.int64)
    return _styled(text, codes, starts, ends, boxes, turn, spaced, broken, none, n_damaged)


def _page_string(text: int, n_chars: int) -> tuple[str, list[int], int]:
    """Return one character for each of pdfium's, where hyphens at line ends are, how many mean nothing."""
    if n_chars <= 0:
        return "", [], 0
    buffer = np.zeros(n_chars + 1, np.uint16)
    written = call("FPDFText_GetText")(text, 0, n_chars, buffer.ctypes.data) - 1
    if written == n_chars and not ((buffer & 0xF800) == 0xD800).any():
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


def _cut_after(spans: list[tuple[int, int]], hyphens: list[int]) -> list[tuple[int, int]]:
    """Return spans cut after each of the given places."""
    places = set(hyphens)
    out = []
    for start, end in spans:
        inner = [at + 1 for at in range(start, end - 1) if at in places]
        out += list(pairwise([start, *inner, end]))
    return out


def _separations(codes: str, starts: Ints, ends: Ints) -> tuple[Truths, Truths]:
    """Return where white space stood before a word, and where a line break (or a cut hyphen) did."""
    spaced = np.ones(len(starts), bool)
    spaced[1:] = starts[1:] > ends[:-1]
    feeds = np.array([match.start() for match in re.finditer("\n", codes)], np.int64)
    broken = np.zeros(len(starts), bool)
    at = np.searchsorted(starts, feeds)
    broken[at[at < len(starts)]] = True
    broken[0] = True
    return spaced, broken | ~spaced


def _turns(text: int, starts: Ints, broken: Truths, frame: Frame) -> Ints:
    """Return the direction of each word, asked for once a line of pdfium's: 0, 90, 180, 270, or -1 aslant."""
    first = np.flatnonzero(broken)
    matrix = pdf_calls.matrices(text, starts[first].tolist())
    dx, dy = frame.direction(matrix[:, 0], matrix[:, 1])
    degrees = np.degrees(np.arctan2(dy, dx)) % 360
    nearest = np.round(degrees / 90) * 90
    turn = np.where(np.abs(degrees - nearest) <= 8, nearest % 360, -1).astype(np.int64)
    lines: Ints = turn[np.cumsum(broken) - 1]
    return lines


def _boxes(text: int, indexes: list[int], frame: Frame) -> Floats:
    """Return the loose boxes of characters as displayed."""
    loose = pdf_calls.loose_boxes(text, indexes)
    return frame.boxes(loose[:, 0], loose[:, 3], loose[:, 2], loose[:, 1])


def _scripts(
    text: int, codes: str, spans: list[tuple[int, int]], boxes: Floats, turn: Ints, frame: Frame
) -> dict[int, list[tuple[int, int, int]]]:
    """Return the words that hold raised or lowered characters: their place → `(start, end, shift)` pieces.

    Words are looked at when their ends differ in height or level, or when letters touch digits.
    """
    high = np.maximum(boxes[:, 3] - boxes[:, 1], 0.01).reshape(-1, 2)
    level = boxes[:, 3].reshape(-1, 2)
    tallest = high.max(axis=1)
    uneven = np.abs(high[:, 0] - high[:, 1]) > 0.12 * tallest
    uneven |= np.abs(level[:, 0] - level[:, 1]) > 0.05 * tallest
    lying = turn == 0
    wanted = set(np.flatnonzero(uneven & lying).tolist())
    if _GLUED.search(codes):
        starts = np.array([start for start, _ in spans])
        touching = [match.start() for match in _GLUED.finditer(codes)]
        wanted |= set((np.searchsorted(starts, touching, side="right") - 1).tolist())
    words = sorted(at for at in wanted if lying[at] and spans[at][1] - spans[at][0] > 1)
    if not words:
        return {}
    chars = [at for word in words for at in range(*spans[word])]
    box = _boxes(text, chars, frame)
    origin = pdf_calls.origins(text, chars)
    base = -frame.display(origin[:, 0], origin[:, 1])[1]
    tall = box[:, 3] - box[:, 1]
    out: dict[int, list[tuple[int, int, int]]] = {}
    at = 0
    for word in words:
        start, end = spans[word]
        pieces = _pieces(start, tall[at : at + end - start], base[at : at + end - start])
        if len(pieces) > 1:
            out[word] = pieces
        at += end - start
    return out


def _pieces(start: int, tall: Floats, base: Floats) -> list[tuple[int, int, int]]:
    """Return `(start, end, shift)` of the runs of one height; shift is +1 raised, -1 lowered, 0 neither."""
    full = float(tall.max())
    main = float(base[int(tall.argmax())])
    small = tall < 0.86 * full
    shift = (small & (base - main > 0.1 * full)).astype(np.int64) - (small & (main - base > 0.04 * full))
    cuts = [0, *(np.flatnonzero(np.diff(shift)) + 1).tolist(), len(tall)]
    return [(start + a, start + b, int(shift[a])) for a, b in pairwise(cuts)]


def _with_scripts(
    text: int,
    codes: str,
    spans: list[tuple[int, int]],
    scripts: dict[int, list[tuple[int, int, int]]],
    n_damaged: int,
    frame: Frame,
) -> Words:
    """Return the words with those cut that hold raised or lowered characters."""
    parts = [piece for at, span in enumerate(spans) for piece in scripts.get(at, [(*span, 0)])]
    starts, ends, shifts = (np.array(column, np.int64) for column in zip(*parts, strict=True))
    spaced, broken = _separations(codes, starts, ends)
    broken &= spaced | np.isin(starts, [start for start, _ in spans])
    turn = _turns(text, starts, broken, frame)
    boxes = _boxes(text, np.stack((starts, ends - 1), 1).ravel().tolist(), frame)
    return _styled(text, codes, starts, ends, boxes, turn, spaced, broken, shifts, n_damaged)


def _styled(
    text: int,
    codes: str,
    starts: Ints,
    ends: Ints,
    both: Floats,
    turn: Ints,
    spaced: Truths,
    broken: Truths,
    script: Ints,
    n_damaged: int,
) -> Words:
    """Return the words with boxes as displayed, colours, and the style of each run."""
    first, last = both[0::2], both[1::2]
    box = np.concatenate((np.minimum(first[:, :2], last[:, :2]), np.maximum(first[:, 2:], last[:, 2:])), 1)
    lying = turn % 180 == 0
    high = np.where(lying, first[:, 3] - first[:, 1], first[:, 2] - first[:, 0])
    colour = pdf_calls.fill_colours(text, starts.tolist())
    packed = (colour[:, 3] << 24) | (colour[:, 0] << 16) | (colour[:, 1] << 8) | colour[:, 2]
    gap = _gaps(box, lying)
    fresh = broken | (script != 0) | np.r_[True, script[:-1] != 0]
    fresh[1:] |= (packed[1:] != packed[:-1]) | (np.abs(high[1:] - high[:-1]) > 0.06 * high[:-1])
    fresh[1:] |= np.abs(gap) > _RUN_GAP * high[1:]
    runs = np.flatnonzero(fresh)
    at = starts[runs].tolist()
    objects = [value or 0 for value in chars_where("FPDFText_GetTextObject", text, at)]
    matrix = pdf_calls.matrices(text, at)
    size = np.abs(np.array(chars_where("FPDFText_GetFontSize", text, at))) * np.hypot(matrix[:, 2], matrix[:, 3])
    mode_of = call("FPDFTextObj_GetTextRenderMode")
    fonts, font = fonts_of(objects)
    run = np.cumsum(fresh) - 1
    flat = high < 0.2 * size[run]
    if flat.any():
        box, high = _lifted(box, high, size[run], flat, lying)
    return Words(
        codes=codes,
        start=starts,
        end=ends,
        box=box,
        high=np.maximum(high, 0.1),
        turn=turn,
        spaced=spaced,
        broken=broken,
        colour=packed,
        script=script,
        run=run,
        size=size,
        font=font,
        mode=np.array([mode_of(obj) if obj else 0 for obj in objects], np.int64),
        fonts=fonts,
        objects=objects,
        n_damaged=n_damaged,
        unmapped=_unmapped(text, starts),
    )


def _unmapped(text: int, starts: Ints) -> float:
    """Return the share of words whose font does not say what their glyphs mean, 0 to 1, from a sample."""
    sample = starts[:: max(1, len(starts) // _SAMPLE)].tolist()
    return sum(chars_where("FPDFText_HasUnicodeMapError", text, sample)) / len(sample)


def _gaps(box: Floats, lying: Truths) -> Floats:
    """Return the distance between each word and the next along the line."""
    across = np.maximum(box[1:, 0] - box[:-1, 2], box[:-1, 0] - box[1:, 2])
    along = np.maximum(box[1:, 1] - box[:-1, 3], box[:-1, 1] - box[1:, 3])
    gaps: Floats = np.where(lying[1:], across, along)
    return gaps


def _lifted(box: Floats, high: Floats, size: Floats, flat: Truths, lying: Truths) -> tuple[Floats, Floats]:
    """Return boxes with height for words of fonts that have no metrics: a line around the baseline."""
    box = box.copy()
    level = flat & lying
    box[level, 1] -= 0.8 * size[level]
    box[level, 3] += 0.2 * size[level]
    upended = flat & ~lying
    box[upended, 0] -= 0.8 * size[upended]
    box[upended, 2] += 0.2 * size[upended]
    return box, np.where(flat, size, high)

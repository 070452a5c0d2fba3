"""Words of a page as pdfium gives them, with boxes, baselines, size, direction, font and colour."""

import ctypes
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium_c

from pincite.parsing import pdf_calls
from pincite.parsing.pdf_calls import Floats, Ints, call, chars_where, handle
from pincite.parsing.pdf_geometry import Frame

#: Runs between white space. U+FFFE (a hyphen at a line end) has been replaced before.
_WORD = re.compile(r"\S+")
#: Letters touching digits: a raised or lowered numeral may be glued to the word.
_GLUED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]|\d[-−+–]?\d")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: Places of bullets and ticks in the Symbol and Wingdings fonts, which arrive in the private use area.
_SYMBOL_BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0A8: "▫", 0xF06E: "■", 0xF0FC: "✓", 0xF0D8: "➢", 0xF02D: "-"}
#: Private mark of a hyphen at a line end while words are cut.
_BREAK = "\ue0fe"


@dataclass(slots=True)
class Words:
    """The words of a page in the order of the file; all arrays have one entry a word.

    `box` is `[x0, y0, x1, y1]` and `base` the start of the baseline, both as displayed. `turn` is the
    direction of the text, clockwise in degrees, or -1 when it is aslant. `spaced` says that white space
    stood before the word, `broken` that pdfium saw a line break there. `script` is +1 for raised and -1
    for lowered text. `stream` numbers the words.
    """

    text: list[str]
    first: Ints
    box: Floats
    base: Floats
    size: Floats
    turn: Ints
    spaced: npt.NDArray[np.bool_]
    broken: npt.NDArray[np.bool_]
    font: Ints
    colour: Ints
    mode: Ints
    objects: list[int]
    script: Ints
    fonts: list[str]
    n_damaged: int
    n_unmapped: int
    n_chars: int

    def __len__(self) -> int:
        return len(self.text)


def read_words(page: Any, textpage: Any, frame: Frame) -> Words:
    """Return the words of an open page."""
    text = handle(textpage)
    codes = _page_string(text, pdfium_c.FPDFText_CountChars(textpage))
    spans = [match.span() for match in _WORD.finditer(codes)]
    pieces = _cut_at_breaks(codes, spans)
    pieces, scripts = _cut_scripts(text, codes, pieces)
    return _measured(text, codes, pieces, scripts, frame)


def no_words() -> Words:
    """Return the words of a page that has none."""
    whole, real, truth = np.zeros(0, np.int64), np.zeros(0), np.zeros(0, bool)
    table = np.zeros((0, 4))
    return Words([], whole, table, table[:, :2], real, whole, truth, truth, whole, whole, whole, [], whole, [], 0, 0, 0)


def _page_string(text: int, n_chars: int) -> str:
    """Return one character for each of pdfium's, a line-end hyphen as `_BREAK`."""
    if n_chars <= 0:
        return ""
    buffer = np.zeros(n_chars + 1, np.uint16)
    written = call("FPDFText_GetText")(text, 0, n_chars, buffer.ctypes.data) - 1
    plain = written == n_chars and not ((buffer & 0xF800) == 0xD800).any()
    if plain:
        string = buffer[:n_chars].tobytes().decode("utf-16-le", "surrogatepass")
    else:
        values = chars_where("FPDFText_GetUnicode", text, range(n_chars))
        string = "".join(chr(value) if value < 0x110000 else "\ufffd" for value in values)
    odd = [at for at, char in enumerate(string) if char in "\ufffe\x02"]
    if not odd:
        return string
    chars = list(string)
    for at, hyphen in zip(odd, chars_where("FPDFText_IsHyphen", text, odd), strict=True):
        chars[at] = _BREAK if hyphen == 1 else "\ufffe"
    return "".join(chars)


def _cut_at_breaks(codes: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans cut after each line-end hyphen."""
    if _BREAK not in codes:
        return spans
    pieces = []
    for start, end in spans:
        at = codes.find(_BREAK, start, end)
        while at != -1:
            pieces.append((start, at + 1))
            start = at + 1
            at = codes.find(_BREAK, start, end)
        if start < end:
            pieces.append((start, end))
    return pieces


def _cut_scripts(text: int, codes: str, pieces: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], dict[int, int]]:
    """Return pieces cut where raised or lowered characters start or stop inside them, and which those are.

    Only pieces whose ends differ in height, or that mix letters with digits, are looked at by character.
    """
    if not pieces:
        return pieces, {}
    ends = [at for start, end in pieces for at in (start, end - 1)]
    tall = _extents(text, ends).reshape(-1, 2)
    uneven = np.abs(tall[:, 0] - tall[:, 1]) > 0.12 * tall.max(axis=1)
    out: list[tuple[int, int]] = []
    scripts: dict[int, int] = {}
    for (start, end), differs in zip(pieces, uneven.tolist(), strict=True):
        if end - start > 1 and (differs or _GLUED.search(codes, start, end)):
            for first, last, shift in _runs_by_height(text, start, end):
                if shift:
                    scripts[first] = shift
                out.append((first, last))
        else:
            out.append((start, end))
    return out, scripts


def _extents(text: int, indexes: list[int]) -> Floats:
    """Return how high each character's line is, across the direction of its text."""
    boxes = pdf_calls.loose_boxes(text, indexes)
    matrix = pdf_calls.matrices(text, indexes)
    upright = np.abs(matrix[:, 0]) >= np.abs(matrix[:, 1])
    return np.where(upright, boxes[:, 1] - boxes[:, 3], boxes[:, 2] - boxes[:, 0])


def _runs_by_height(text: int, start: int, end: int) -> list[tuple[int, int, int]]:
    """Return `(start, end, shift)` of the runs of one height; shift is +1 raised, -1 lowered, 0 neither."""
    indexes = list(range(start, end))
    tall = _extents(text, indexes)
    up = pdf_calls.matrices(text, [start])[0, 2:4]
    base = pdf_calls.origins(text, indexes) @ (up / (np.hypot(up[0], up[1]) or 1.0))
    full = float(tall.max())
    main = float(base[int(tall.argmax())])
    small = tall < 0.86 * full
    raised, lowered = small & (base - main > 0.1 * full), small & (main - base > 0.04 * full)
    shift = np.where(raised, 1, np.where(lowered, -1, 0))
    cuts = [0, *(np.flatnonzero(np.diff(shift)) + 1).tolist(), end - start]
    return [(start + a, start + b, int(shift[a])) for a, b in zip(cuts, cuts[1:], strict=False)]


def _measured(text: int, codes: str, pieces: list[tuple[int, int]], scripts: dict[int, int], frame: Frame) -> Words:
    if not pieces:
        return no_words()
    firsts = [start for start, _ in pieces]
    lasts = [end - 1 for _, end in pieces]
    n = len(pieces)
    ends = pdf_calls.loose_boxes(text, firsts + lasts)
    boxes = frame.boxes(ends[:, 0], ends[:, 3], ends[:, 2], ends[:, 1])
    box = np.concatenate((np.minimum(boxes[:n, :2], boxes[n:, :2]), np.maximum(boxes[:n, 2:], boxes[n:, 2:])), 1)
    origin = pdf_calls.origins(text, firsts)
    base = np.stack(frame.display(origin[:, 0], origin[:, 1]), axis=1)
    matrix = pdf_calls.matrices(text, firsts)
    dx, dy = frame.direction(matrix[:, 0], matrix[:, 1])
    font_size = np.array(chars_where("FPDFText_GetFontSize", text, firsts), float)
    size = np.abs(font_size) * np.hypot(matrix[:, 2], matrix[:, 3])
    objects = [value or 0 for value in chars_where("FPDFText_GetTextObject", text, firsts)]
    fonts, font = _fonts(objects)
    colour = pdf_calls.fill_colours(text, firsts)
    mode_of = call("FPDFTextObj_GetTextRenderMode")
    before = [codes[start - 1] if start else "\n" for start in firsts]
    gaps = [codes[end:start] for end, start in zip([0, *(last + 1 for last in lasts[:-1])], firsts, strict=True)]
    strings, n_damaged = _strings(codes, pieces)
    return Words(
        text=strings,
        first=np.array(firsts, np.int64),
        box=_sound(box, base, size),
        base=base,
        size=np.where(size > 0, size, 1.0),
        turn=_turns(dx, dy),
        spaced=np.array([char.isspace() for char in before], bool),
        broken=np.array(["\n" in gap or "\r" in gap for gap in gaps], bool),
        font=font,
        colour=(colour[:, 3] << 24) | (colour[:, 0] << 16) | (colour[:, 1] << 8) | colour[:, 2],
        mode=np.array([mode_of(obj) if obj else 0 for obj in objects], np.int64),
        objects=objects,
        script=np.array([scripts.get(start, 0) for start in firsts], np.int64),
        fonts=fonts,
        n_damaged=n_damaged,
        n_unmapped=0,
        n_chars=sum(map(len, strings)),
    )


def _turns(dx: Floats, dy: Floats) -> Ints:
    """Return 0, 90, 180 or 270 for text that runs along an edge of the page, -1 for text aslant."""
    degrees = np.degrees(np.arctan2(dy, dx)) % 360
    nearest = np.round(degrees / 90) * 90
    return np.where(np.abs(degrees - nearest) <= 8, nearest % 360, -1).astype(np.int64)


def _sound(box: Floats, base: Floats, size: Floats) -> Floats:
    """Return boxes with height: a font without metrics gets a line box around its baseline."""
    flat = (box[:, 3] - box[:, 1] < 0.2 * size) & (box[:, 2] - box[:, 0] > 0)
    box[flat, 1] = np.minimum(box[flat, 1], base[flat, 1] - 0.8 * size[flat])
    box[flat, 3] = np.maximum(box[flat, 3], base[flat, 1] + 0.2 * size[flat])
    return box


def _fonts(objects: list[int]) -> tuple[list[str], Ints]:
    """Return the names of the fonts in use and, for each object, which it has (0 is unknown)."""
    font_of = call("FPDFTextObj_GetFont")
    fonts: dict[int, int] = {}
    index = [fonts.setdefault(font_of(obj) or 0, len(fonts)) if obj else -1 for obj in objects]
    return [_font_name(font) for font in fonts], np.array(index, np.int64)


def _font_name(font: int) -> str:
    """Return the base name of a font and, after a space, its weight when it is heavy."""
    if not font:
        return ""
    raw = ctypes.cast(font, pdfium_c.FPDF_FONT)
    size = pdfium_c.FPDFFont_GetBaseFontName(raw, None, 0)
    buffer = ctypes.create_string_buffer(max(1, size))
    pdfium_c.FPDFFont_GetBaseFontName(raw, buffer, size)
    name = buffer.value.decode("utf-8", "replace")
    return name + (" bold" if pdfium_c.FPDFFont_GetWeight(raw) >= 600 else "")


def _strings(codes: str, pieces: list[tuple[int, int]]) -> tuple[list[str], int]:
    """Return the text of each piece without characters that have no meaning, and how many those were."""
    strings = []
    n_damaged = 0
    dirty = _CONTROLS.search(codes) is not None or max(codes, default="") > "\u1fff"
    for start, end in pieces:
        string = codes[start:end]
        if dirty:
            string = string.replace(_BREAK, "-").replace("\u200b", "").replace("\ufeff", "")
            string, n = _CONTROLS.subn("\ufffd", string)
            n_damaged += n
            if any("\uf000" <= char <= "\uf0ff" for char in string):
                string = "".join(_SYMBOL_BULLETS.get(ord(char), char) for char in string)
        strings.append(string)
    return strings, n_damaged

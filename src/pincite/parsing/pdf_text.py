"""Words of a page as pdfium gives them, with boxes, direction, colour and, run by run, size and font.

Only the first and last character of a word are asked for their place, and only the first word of a run for
its style: that is what keeps a page at a few milliseconds. Words that may hold a raised or lowered numeral
are looked at character by character.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium_c

from pincite.parsing import pdf_calls
from pincite.parsing.pdf_calls import Floats, Ints, chars_where, each, handle, ready, text_objects
from pincite.parsing.pdf_fonts import Font, fonts_of
from pincite.parsing.pdf_geometry import Frame, char_boxes
from pincite.parsing.pdf_scripts import cut_scripts, scripts_in
from pincite.parsing.pdf_string import REST, Spans, numeric_words, page_string, with_ligatures, word_spans
from pincite.parsing.pdf_turns import cut_at_turns, turns, with_columns

Truths: TypeAlias = npt.NDArray[np.bool_]

#: A gap wider than this many line heights, or text overlapping backwards, starts a new run.
_RUN_GAP = 1.1
#: The first character of the scripts that may be written from top to bottom.
_FIRST_CJK = 0x2E80
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
    `highest` is the highest code in `codes`, or 0xFFFF; `plain` says that none is of a script of `RTL` or `CJK`,
    `one_blank` that a single blank parts all words of a line, `has_rest` that places are left empty by ligatures.
    `numeric` are words with a digit, or of currency signs, percent signs and dashes alone.
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
    highest: int
    plain: bool
    one_blank: bool
    has_rest: bool
    numeric: Truths

    def __len__(self) -> int:
        return len(self.start)

    def text(self, word: int) -> str:
        """Return the text of one word."""
        return self.slice(int(self.start[word]), int(self.end[word]))

    def slice(self, start: int, end: int) -> str:
        """Return a part of the page's string, without the places that a ligature leaves empty."""
        return self.codes[start:end].replace(REST, "")

    def slices(self, starts: Ints, ends: Ints) -> list[str]:
        """Return parts of the page's string, as `slice` does each."""
        codes = self.codes
        parts = [codes[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        return [part.replace(REST, "") for part in parts] if self.has_rest else parts


def no_words() -> Words:
    """Return the words of a page that has none."""
    whole, real, truth = np.zeros(0, np.int64), np.zeros(0), np.zeros(0, bool)
    table = np.zeros((0, 4))
    return Words(
        "",
        whole,
        whole,
        table,
        real,
        whole,
        truth,
        truth,
        whole,
        whole,
        whole,
        real,
        whole,
        whole,
        [],
        [],
        n_damaged=0,
        unmapped=0.0,
        highest=0,
        plain=True,
        one_blank=True,
        has_rest=False,
        numeric=truth,
    )


def read_words(textpage: Any, frame: Frame, *, maps_ligatures: Callable[[], bool] = lambda: False) -> Words:
    """Return the words of an open page of text.

    `maps_ligatures` says whether a font of the page gives ligatures their own code points. pdfium writes
    those as letters; they are put back, because the source's own characters are kept.
    """
    text = handle(textpage)
    codes, hyphens, n_damaged = page_string(text, pdfium_c.FPDFText_CountChars(textpage))
    codes = with_ligatures(text, codes, maps_ligatures)
    spans = word_spans(codes)
    starts, ends, feeds = spans.starts, spans.ends, spans.feeds
    if not len(starts):
        return no_words()
    if hyphens:
        starts, ends = _cut_after(starts, ends, hyphens)
    spaced, broken = _separations(starts, ends, feeds)
    objects = text_objects(text, starts.tolist())
    asked = broken | _changes(objects)
    matrix = pdf_calls.matrices(text, starts[asked].tolist()).take(asked.cumsum() - 1, axis=0)
    turn = turns(matrix, frame)
    turning = starts[:0]
    if (turn != turn[0]).any():
        starts, ends, turn = cut_at_turns(text, starts, ends, turn, frame)
        turning = starts[1:][turn[1:] != turn[:-1]]
        spaced, broken = _separations(starts, ends, feeds)
        broken |= np.isin(starts, turning)
    boxes = _end_boxes(text, starts, ends, frame)
    if spans.highest >= _FIRST_CJK:
        turn = with_columns(turn, boxes, broken)
    shifts = np.zeros(len(starts), np.int64)
    if scripts := scripts_in(text, spans.touching, starts, ends, boxes, turn, frame):
        whole = starts
        starts, ends, shifts = cut_scripts(starts, ends, scripts)
        spaced, broken = _separations(starts, ends, feeds)
        broken = (broken & (spaced | np.isin(starts, whole))) | np.isin(starts, turning)
        turn = turn[np.searchsorted(whole, starts, side="right") - 1]
        boxes = _with_pieces(text, boxes, whole, starts, ends, frame)
    if len(starts) != len(objects):
        objects = text_objects(text, starts.tolist())
        matrix = pdf_calls.matrices(text, starts.tolist())
    colour = _colours(text, starts, objects)
    scale = np.hypot(matrix[:, 2], matrix[:, 3])
    placed = _Placed(text, codes, starts, ends, boxes, turn, spaced, broken, shifts, colour, objects, scale)
    return _styled(placed, spans, n_damaged=n_damaged)


def _end_boxes(text: int, starts: Ints, ends: Ints, frame: Frame) -> Floats:
    """Return the boxes of the first and last character of each word, in turns; lone characters are asked once."""
    fresh = np.ones(2 * len(starts), bool)
    fresh[1::2] = ends - starts > 1
    places = np.empty(2 * len(starts), np.int64)
    places[0::2], places[1::2] = starts, ends - 1
    boxes: Floats = char_boxes(text, places[fresh].tolist(), frame).take(fresh.cumsum() - 1, axis=0)
    return boxes


def _cut_after(starts: Ints, ends: Ints, hyphens: list[int]) -> tuple[Ints, Ints]:
    """Return the spans cut after each of the given places that lie inside one."""
    places = np.array(hyphens, np.int64) + 1
    word = np.searchsorted(starts, places, side="right") - 1
    places = places[(word >= 0) & (places < ends[word])]
    return np.sort(np.concatenate((starts, places))), np.sort(np.concatenate((ends, places)))


def _separations(starts: Ints, ends: Ints, feeds: Ints) -> tuple[Truths, Truths]:
    """Return where white space stood before a word, and where a line break (or a cut hyphen) did."""
    spaced = np.ones(len(starts), bool)
    spaced[1:] = starts[1:] > ends[:-1]
    broken = ~spaced
    at = np.searchsorted(starts, feeds)
    broken[at[at < len(starts)]] = True
    broken[0] = True
    return spaced, broken


def _with_pieces(text: int, boxes: Floats, before: Ints, starts: Ints, ends: Ints, frame: Frame) -> Floats:
    """Return the boxes of all words, those of words that were not cut taken over; `before` are their old starts."""
    place = np.searchsorted(before, starts, side="right") - 1
    pieces = np.bincount(place, minlength=len(before))
    cut = pieces[place] > 1
    out: Floats = boxes.reshape(-1, 8)[place].reshape(-1, 2, 4)
    out[cut] = _end_boxes(text, starts[cut], ends[cut], frame).reshape(-1, 2, 4)
    return out.reshape(-1, 4)


def _colours(text: int, starts: Ints, objects: Ints) -> Ints:
    """Return each word's fill: alpha, red, green and blue, packed into one number.

    A text object has one colour, so that of the first of its words is asked for; handles cost half of colours.
    """
    fresh = _changes(objects)
    colours: Ints = _packed(text, starts[fresh]).take(fresh.cumsum() - 1)
    return colours


def _changes(objects: Ints) -> Truths:
    """Return which words belong to another text object than the word before them."""
    fresh = np.ones(len(objects), bool)
    fresh[1:] = objects[1:] != objects[:-1]
    return fresh


def _packed(text: int, starts: Ints) -> Ints:
    colour = pdf_calls.fill_colours(text, starts.tolist())
    return (colour[:, 3] << 24) | (colour[:, 0] << 16) | (colour[:, 1] << 8) | colour[:, 2]


@dataclass(frozen=True, slots=True)
class _Placed:
    """Words with their places, before style: pdfium's text page, the page's string, and an entry a word."""

    text: int
    codes: str
    starts: Ints
    ends: Ints
    boxes: Floats
    turn: Ints
    spaced: Truths
    broken: Truths
    script: Ints
    colour: Ints
    objects: Ints
    scale: Floats


def _styled(placed: _Placed, spans: Spans, *, n_damaged: int) -> Words:
    """Return the words with boxes as displayed and the style of each run; a line's last word is its own run."""
    text, script, colour = placed.text, placed.script, placed.colour
    first, last = placed.boxes[0::2], placed.boxes[1::2]
    box = np.empty((len(first), 4))
    np.minimum(first[:, :2], last[:, :2], out=box[:, :2])
    np.maximum(first[:, 2:], last[:, 2:], out=box[:, 2:])
    lying = placed.turn % 180 == 0
    high = np.where(lying, first[:, 3] - first[:, 1], first[:, 2] - first[:, 0])
    fresh = placed.broken | (script != 0)
    fresh[:-1] |= placed.broken[1:]
    fresh[-1] = True
    fresh[1:] |= (script[:-1] != 0) | (colour[1:] != colour[:-1])
    fresh[1:] |= np.abs(high[1:] - high[:-1]) > 0.06 * high[:-1]
    fresh[1:] |= np.abs(_gaps(box, lying)) > _RUN_GAP * high[1:]
    at = placed.starts[fresh].tolist()
    objects = placed.objects[fresh].tolist()
    size = np.abs(np.array(chars_where("FPDFText_GetFontSize", text, at))) * placed.scale[fresh]
    fonts, font = fonts_of(objects)
    run = np.cumsum(fresh) - 1
    flat = high < 0.2 * size.take(run)
    if flat.any():
        box, high = _lifted(box, high, size[run], flat, lying)
    return Words(
        codes=placed.codes,
        start=placed.starts,
        end=placed.ends,
        box=box,
        high=np.maximum(high, 0.1),
        turn=placed.turn,
        spaced=placed.spaced,
        broken=placed.broken,
        colour=colour,
        script=script,
        run=run,
        size=size,
        font=font,
        mode=np.array(each("FPDFTextObj_GetTextRenderMode", ready(objects)), np.int64),
        fonts=fonts,
        objects=objects,
        n_damaged=n_damaged,
        unmapped=_unmapped(text, placed.starts),
        highest=spans.highest,
        plain=spans.plain,
        one_blank=spans.one_blank,
        has_rest=REST in placed.codes,
        numeric=numeric_words(spans.kinds, placed.starts),
    )


def _unmapped(text: int, starts: Ints) -> float:
    """Return the share of words whose font does not say what their glyphs mean, 0 to 1, from a sample."""
    sample = starts[:: max(1, len(starts) // _SAMPLE)].tolist()
    found: float = sum(chars_where("FPDFText_HasUnicodeMapError", text, sample)) / len(sample)
    return found


def _gaps(box: Floats, lying: Truths) -> Floats:
    """Return the distance between each word and the next along the line."""
    if lying.all():
        only: Floats = np.maximum(box[1:, 0] - box[:-1, 2], box[:-1, 0] - box[1:, 2])
        return only
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

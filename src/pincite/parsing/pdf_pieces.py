"""The words of an area to pieces that stand in one cell each, and the levels that pieces stand on."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import numpy as np

from pincite.parsing.grids import is_period, is_value
from pincite.parsing.pdf_areas import Area
from pincite.parsing.pdf_lines import DraftLine, View, is_numeric
from pincite.parsing.pdf_rules import MEET

#: Beside a number, words so many line heights apart stand in cells of their own.
_NUMBER_GAP = 0.75
#: A rule across this share of a table goes from one side to the other.
_WIDE_RULE = 0.7
#: Running text has so many words in a piece.
_PROSE_WORDS = 6
#: Signs that belong to the amount after them, and before them.
BEFORE_AMOUNT, AFTER_AMOUNT = frozenset("$€£¥"), frozenset({"%", ")", ")%", "%)"})
#: Lines whose middles differ by less than this share of their height stand beside each other.
_BESIDE = 0.45


class Piece(msgspec.Struct, gc=False):
    """Words of one line that stand in one cell: the place of the line, the places of the words in the view.

    `lefts` and `rights` are their edges; `shown` is the text as it is read, where it is known already. `has_number` is
    false where no word is a number or a sign of amounts. A page with a table makes hundreds, so it is a struct as
    `DraftLine` is.
    """

    line: int
    words: list[int]
    texts: list[str]
    lefts: list[float]
    rights: list[float]
    box: tuple[float, float, float, float]
    first: int = -1
    last: int = -1
    shown: str | None = None
    has_number: bool = True
    _is_value: bool | None = None

    def part(self, a: int, b: int, first: int, last: int) -> "Piece":
        """Return the words `a` to `b` (half-open) as a piece of its own, in columns `first` to `last`."""
        lefts, rights = self.lefts[a:b], self.rights[a:b]
        box = (lefts[0], self.box[1], max(rights), self.box[3])
        return Piece(self.line, self.words[a:b], self.texts[a:b], lefts, rights, box, first, last)

    @property
    def text(self) -> str:
        """The words with blanks between; what is shown is made anew from the words."""
        return " ".join(self.texts)

    @property
    def is_value(self) -> bool:
        """Whether it is a number, an amount or a mark for nothing."""
        if self._is_value is None:
            maybe = self.has_number or len(self.texts) == 1
            self._is_value = maybe and (all(map(is_numeric, self.texts)) or is_value(self.text))
        return self._is_value


@dataclass(slots=True)
class Level:
    """Pieces that stand beside each other, from left to right.

    `n_values` is how many beyond the first column are values, once columns are known; a year names a column.
    """

    pieces: list[Piece]
    top: float = 0.0
    bottom: float = 0.0
    n_values: int = 0

    @property
    def is_prose(self) -> bool:
        """Whether its pieces are running text."""
        return sum(len(p.texts) for p in self.pieces) >= _PROSE_WORDS * len(self.pieces)

    def place(self, pieces: list[Piece]) -> None:
        """Set the pieces, each in its column."""
        self.pieces = pieces
        self.n_values = sum([p.first > 0 and p.is_value and not is_period(p.text) for p in pieces])


def levels_of(lines: Sequence[DraftLine], area: Area, made: View) -> list[Level]:
    """Return the pieces of an area on their levels, from the top; what stands around the table is left out."""
    return _trimmed(_levels(_pieces(lines, area, made)), area)


def _pieces(lines: Sequence[DraftLine], area: Area, made: View) -> list[Piece]:
    """Return the cells of lines as pieces, cut at the rules that run down between their words."""
    chosen = [(at, lines[at].places) for at in area.lines]
    known = [(at, places) for at, places in chosen if places is not None and len(places)]
    if not known:
        return []
    every = np.concatenate([places for _, places in known])
    box, index = made.box.take(every, axis=0), made.index.take(every)
    texts = made.words.slices(made.words.start.take(index), made.words.end.take(index))
    x0s, y0s, x1s, y1s = (side.tolist() for side in box.T)
    numbers, numeric = every.tolist(), made.words.numeric.take(index).tolist()
    out: list[Piece] = []
    start = 0
    for at, places in known:
        end = start + len(places)
        for a, b, shown in _cut(lines[at], area, texts[start:end], x0s[start:end], x1s[start:end]):
            c, d = start + a, start + b
            if area.ruled and not area.box[0] - MEET < (x0s[c] + x1s[d - 1]) / 2 < area.box[2] + MEET:
                continue
            where = (x0s[c], min(y0s[c:d]), max(x1s[c:d]), max(y1s[c:d]))
            has_number = True in numeric[c:d]
            out.append(Piece(at, numbers[c:d], texts[c:d], x0s[c:d], x1s[c:d], where, -1, -1, shown, has_number))
        start = end
    return out


def _cut(
    line: DraftLine, area: Area, texts: Sequence[str], lefts: Sequence[float], rights: Sequence[float]
) -> Iterable[tuple[int, int, str | None]]:
    """Yield where cells of a line begin and end among its words, and their text where it is one of the line's own."""
    if len(line.cells) == 1 and not area.down:
        yield 0, len(texts), line.cells[0][2]
        return
    cells = sorted(line.cells)
    own = [0, *(bisect_left(lefts, cell[0] - 0.1) for cell in cells[1:]), len(lefts)]
    cuts = set(own)
    if len(cells) > 1:
        high = _NUMBER_GAP * (line.upright[3] - line.upright[1])
        for n in [n for n, (left, right) in enumerate(zip(lefts[1:], rights, strict=False), 1) if left - right > high]:
            whole = texts[n - 1] in BEFORE_AMOUNT or texts[n] in AFTER_AMOUNT
            if not whole and n not in cuts and (is_numeric(texts[n - 1]) or is_numeric(texts[n])):
                cuts.add(n)
    middle = (line.upright[1] + line.upright[3]) / 2
    for rule in area.down:
        if rule.start - 2 < middle < rule.end + 2 and lefts[0] < rule.at < rights[-1]:
            cuts.add(next((n for n in range(len(lefts)) if (lefts[n] + rights[n]) / 2 > rule.at), 0))
    known = {(a, b): cell[2] for a, b, cell in zip(own, own[1:], cells, strict=False)}
    borders = sorted(_between_amounts(cuts, texts, lefts, rights))
    for a, b in pairwise(borders):
        yield a, b, known.get((a, b))


def _between_amounts(
    cuts: set[int], texts: Sequence[str], lefts: Sequence[float], rights: Sequence[float]
) -> Iterable[int]:
    """Yield the cuts that leave signs of currency with the amount after them, and signs of percent with that before."""
    n_words = len(texts)
    for at in cuts:
        if not 0 < at < n_words:
            yield at
        elif texts[at] in AFTER_AMOUNT:
            if at + 1 < n_words and at + 1 not in cuts and lefts[at + 1] - rights[at] > 3.0:
                yield at + 1
        elif texts[at - 1] not in BEFORE_AMOUNT or not is_numeric(texts[at]):
            yield at
        elif at > 1 and at - 1 not in cuts:
            yield at - 1


def _trimmed(levels: list[Level], area: Area) -> list[Level]:
    """Return the levels without running text above the first and below the last, and what follows the last rule."""
    if area.ruled or not levels:
        return levels
    valued = [at for at, level in enumerate(levels) if any(p.is_value for p in level.pieces[1:])]
    if not valued:
        return levels
    left = min(p.box[0] for level in levels for p in level.pieces)
    right = max(p.box[2] for level in levels for p in level.pieces)
    wide = [r.at for r in area.across if min(r.end, right) - max(r.start, left) > _WIDE_RULE * (right - left)]
    first, last = 0, len(levels) - 1
    while first < valued[0] and levels[first].is_prose:
        first += 1
    while last > valued[-1] and (
        levels[last].is_prose or (len(wide) > 1 and (levels[last].top + levels[last].bottom) / 2 > max(wide))
    ):
        last -= 1
    return levels[first : last + 1]


def _levels(pieces: list[Piece]) -> list[Level]:
    """Return pieces sorted into levels: those whose middles are nearly as high."""
    levels: list[Level] = []
    middle = -1e9
    for piece in sorted(pieces, key=lambda p: (p.box[1] + p.box[3]) / 2):
        own, high = (piece.box[1] + piece.box[3]) / 2, piece.box[3] - piece.box[1]
        if own - middle > _BESIDE * high:
            levels.append(Level([]))
            middle = own
        levels[-1].pieces.append(piece)
    for level in levels:
        level.pieces.sort(key=lambda p: p.box[0])
        level.top, level.bottom = min(p.box[1] for p in level.pieces), max(p.box[3] for p in level.pieces)
    return levels

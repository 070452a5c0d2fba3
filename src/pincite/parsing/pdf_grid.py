"""The words of an area to pieces, and pieces to the columns and levels of a table."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pincite.parsing.grids import is_period, is_value
from pincite.parsing.pdf_areas import Area
from pincite.parsing.pdf_lines import DraftLine, View, is_numeric
from pincite.parsing.pdf_rules import MEET

#: A rule down parts columns when it runs beside at least this share of the height of a table.
_LONG_RULE = 0.35
#: A piece over several columns is cut where two words stand so many line heights apart.
_CUT_GAP = 0.55
#: Between two rules down, cells part columns only when so many lines and this share of them have several.
_MANY_SPLIT, _SHARE_SPLIT = 3, 0.5
#: Beside a number, words so many line heights apart stand in cells of their own.
_NUMBER_GAP = 0.75
#: A rule across this share of a table goes from one side to the other.
_WIDE_RULE = 0.7
#: Running text has so many words in a piece.
_PROSE_WORDS = 6
#: Cells of a column begin, end or have their middle within so many points of another, in so great a share.
_ALIGNED, _ALIGNED_SHARE = 2.0, 0.65
#: Signs that belong to the amount after them, and before them.
BEFORE_AMOUNT, AFTER_AMOUNT = frozenset("$€£¥"), frozenset({"%", ")", ")%", "%)"})
_MARK = re.compile(r"\(?[a-z]\)|\(\d\)|[*†‡§]{1,3}|[⁰¹²³⁴-⁹]+|\[[a-z\d]\]")
#: Lines whose middles differ by less than this share of their height stand beside each other.
_BESIDE = 0.45


@dataclass(slots=True)
class Piece:
    """Words of one line that stand in one cell: the place of the line, the places of the words in the view.

    `lefts` and `rights` are their edges; `shown` is the text as it is read, where it is known already.
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
            self._is_value = all(map(is_numeric, self.texts)) or is_value(self.text)
        return self._is_value


@dataclass(slots=True)
class Level:
    """Pieces that stand beside each other, from left to right."""

    pieces: list[Piece]
    top: float = 0.0
    bottom: float = 0.0

    @property
    def is_prose(self) -> bool:
        """Whether its pieces are running text."""
        return sum(len(p.texts) for p in self.pieces) >= _PROSE_WORDS * len(self.pieces)

    @property
    def n_values(self) -> int:
        """How many pieces beyond the first column are values; a year names a column."""
        return sum(p.is_value and not is_period(p.text) for p in self.pieces if p.first > 0)


@dataclass(slots=True)
class Laid:
    """A table laid out: levels from the top, columns as extents from left to right."""

    levels: list[Level]
    spans: list[tuple[float, float]]
    walls: list[float] = field(default_factory=list)

    @property
    def bounds(self) -> list[float]:
        """The borders between columns: the rule there is, else the middle of the white."""
        out = []
        for (_, a), (b, _) in zip(self.spans, self.spans[1:], strict=False):
            wall = next((x for x in self.walls if a - MEET <= x <= b + MEET), None)
            out.append((a + b) / 2 if wall is None else wall)
        return out


def laid_out(lines: Sequence[DraftLine], area: Area, made: View) -> Laid | None:
    """Return the levels and columns of an area, every piece in its column or columns; `None` below two columns."""
    levels = _trimmed(_levels(_pieces(lines, area, made)), area)
    if len(levels) < 2:
        return None
    walls = _walls(area, levels)
    laid = Laid(levels, _without_marks(_columns(levels, walls), levels), walls)
    if len(laid.spans) < 2:
        return None
    bounds = laid.bounds
    for level in levels:
        level.pieces = [part for piece in level.pieces for part in _placed(piece, bounds)]
    return laid


def _pieces(lines: Sequence[DraftLine], area: Area, made: View) -> list[Piece]:
    """Return the cells of lines as pieces, cut at the rules that run down between their words."""
    chosen = [(at, lines[at].places) for at in area.lines]
    known = [(at, places) for at, places in chosen if places is not None and len(places)]
    if not known:
        return []
    every = np.concatenate([places for _, places in known])
    box, index = made.box[every], made.index[every]
    texts = made.words.slices(made.words.start[index], made.words.end[index])
    x0s, y0s, x1s, y1s = (side.tolist() for side in box.T)
    numbers = every.tolist()
    out: list[Piece] = []
    start = 0
    for at, places in known:
        end = start + len(places)
        for a, b, shown in _cut(lines[at], area, texts[start:end], x0s[start:end], x1s[start:end]):
            c, d = start + a, start + b
            if area.ruled and not area.box[0] - MEET < (x0s[c] + x1s[d - 1]) / 2 < area.box[2] + MEET:
                continue
            where = (x0s[c], min(y0s[c:d]), max(x1s[c:d]), max(y1s[c:d]))
            out.append(Piece(at, numbers[c:d], texts[c:d], x0s[c:d], x1s[c:d], where, shown=shown))
        start = end
    return out


def _cut(
    line: DraftLine, area: Area, texts: Sequence[str], lefts: Sequence[float], rights: Sequence[float]
) -> Iterable[tuple[int, int, str | None]]:
    """Yield where cells of a line begin and end among its words, and their text where it is one of the line's own."""
    cells = sorted(line.cells)
    own = [0, *(bisect_left(lefts, cell[0] - 0.1) for cell in cells[1:]), len(lefts)]
    cuts = set(own)
    if len(cells) > 1:
        high = _NUMBER_GAP * (line.upright[3] - line.upright[1])
        for n in range(1, len(lefts)):
            apart = lefts[n] - rights[n - 1] > high
            whole = texts[n - 1] in BEFORE_AMOUNT or texts[n] in AFTER_AMOUNT
            if apart and not whole and (is_numeric(texts[n - 1]) or is_numeric(texts[n])):
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


def _walls(area: Area, levels: Sequence[Level]) -> list[float]:
    """Return the places of rules down that part columns, from left to right; borders of the table are none."""
    if not levels or not area.down:
        return []
    top, bottom = levels[0].top, levels[-1].bottom
    left = min(p.box[0] for level in levels for p in level.pieces)
    right = max(p.box[2] for level in levels for p in level.pieces)
    lengths: list[list[float]] = []
    for rule in sorted(area.down, key=lambda r: r.at):
        long = max(0.0, min(rule.end, bottom) - max(rule.start, top))
        if lengths and rule.at - lengths[-1][0] <= MEET:
            lengths[-1][1] += long
        else:
            lengths.append([rule.at, long])
    return [x for x, long in lengths if long >= _LONG_RULE * (bottom - top) and left < x < right]


def _columns(levels: Sequence[Level], walls: Sequence[float]) -> list[tuple[float, float]]:
    """Return the extents of columns: between rules those of the pieces that stand under each other."""
    spans: list[tuple[float, float]] = []
    for a, b in zip([-1e9, *walls], [*walls, 1e9], strict=True):
        rows = [
            [
                p
                for p in level.pieces
                if p.box[0] > a - MEET and p.box[2] < b + MEET and a < (p.box[0] + p.box[2]) / 2 < b
            ]
            for level in levels
        ]
        rows = [row for row in rows if row]
        if not rows:
            continue
        found = stacked([[(p.box[0], p.box[2]) for p in row] for row in rows])
        whole = (min(p.box[0] for row in rows for p in row), max(p.box[2] for row in rows for p in row))
        if walls and len(found) > 1 and not _is_split(rows):
            found = [whole]
        spans += found or [whole]
    return spans


def _without_marks(spans: list[tuple[float, float]], levels: Sequence[Level]) -> list[tuple[float, float]]:
    """Return the columns, those that hold nothing but marks of notes joined to the one before them."""
    out: list[tuple[float, float]] = []
    for a, b in spans:
        texts = [
            p.text for level in levels for p in level.pieces if p.box[0] < b and p.box[2] > a and p.box[2] <= b + 1
        ]
        if out and texts and all(_MARK.fullmatch(text) for text in texts):
            out[-1] = (out[-1][0], b)
        else:
            out.append((a, b))
    return out


def _is_split(rows: Sequence[Sequence[Piece]]) -> bool:
    """Say whether rows between two rules have columns of their own: many rows with several pieces, or with values."""
    several = [row for row in rows if len(row) > 1]
    values = sum(2 * sum(p.is_value for p in row) >= len(row) for row in several)
    return len(several) >= _MANY_SPLIT and (len(several) >= _SHARE_SPLIT * len(rows) or values >= _MANY_SPLIT)


def stacked(rows: Sequence[Sequence[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Return the horizontal extents of columns: pieces that overlap belong together.

    Those of the fullest rows come first; a piece that would join two columns (a heading over both) does not count.
    Neighbours that never stand in one row are one column, set to the left here and to the right there.
    """
    spans: list[tuple[float, float]] = []
    most = max(len(row) for row in rows)
    for least in range(most, 0 if most == 1 else 1, -1):
        for row in rows:
            if len(row) != least:
                continue
            for x0, x1 in row:
                touched = [at for at, (a, b) in enumerate(spans) if x0 < b - 0.5 and x1 > a + 0.5]
                if not touched:
                    spans.append((x0, x1))
                elif len(touched) == 1:
                    a, b = spans[touched[0]]
                    spans[touched[0]] = (min(a, x0), max(b, x1))
        spans.sort()
    return _never_beside(rows, spans)


def _never_beside(
    rows: Sequence[Sequence[tuple[float, float]]], spans: list[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Return columns, neighbours joined that no row has both of."""
    held = [{at for at, (a, b) in enumerate(spans) for x0, x1 in row if x0 < b - 0.5 and x1 > a + 0.5} for row in rows]
    out: list[tuple[float, float]] = []
    members: list[set[int]] = []
    for at, span in enumerate(spans):
        if out and not any(at in row and members[-1] & row for row in held):
            out[-1] = (out[-1][0], max(out[-1][1], span[1]))
            members[-1].add(at)
        else:
            out.append(span)
            members.append({at})
    return out


def is_aligned(pieces: Sequence[Piece]) -> bool:
    """Say whether most pieces of columns beyond the first begin, end or have their middle where another does."""
    columns: dict[int, list[Piece]] = {}
    for piece in pieces:
        if piece.first > 0:
            columns.setdefault(piece.first, []).append(piece)
    edges: list[Callable[[Piece], float]] = [lambda p: p.box[0], lambda p: (p.box[0] + p.box[2]) / 2]
    if 5 * sum(p.is_value for p in pieces) >= len(pieces):
        edges.append(lambda p: p.box[2])  # numbers end below each other; so do lines of text that fill a column
    aligned = total = 0
    for own in columns.values():
        if len(own) < 2:
            continue
        total += len(own)
        kept: set[int] = set()
        for edge in edges:
            at = sorted((edge(piece), n) for n, piece in enumerate(own))
            for (x0, a), (x1, b) in pairwise(at):
                if x1 - x0 <= _ALIGNED:
                    kept |= {a, b}
        aligned += len(kept)
    return total > 0 and aligned >= _ALIGNED_SHARE * total


def _placed(piece: Piece, bounds: Sequence[float]) -> Iterable[Piece]:
    """Return a piece with its columns; one that reaches over a border is cut where its words stand apart there."""
    columns = [bisect_left(bounds, (a + b) / 2) for a, b in zip(piece.lefts, piece.rights, strict=True)]
    first, last = columns[0], columns[-1]
    if first == last:
        piece.first = piece.last = first
        return [piece]
    high = _CUT_GAP * (piece.box[3] - piece.box[1])
    cuts = [
        n for n in range(1, len(columns)) if columns[n] > columns[n - 1] and piece.lefts[n] - piece.rights[n - 1] > high
    ]
    if not cuts:
        piece.first, piece.last = first, last
        return [piece]
    return [piece.part(a, b, columns[a], columns[b - 1]) for a, b in pairwise([0, *cuts, len(columns)])]

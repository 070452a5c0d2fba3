"""Pieces to the columns of a table: by the rules between them, and by what stands under each other."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.parsing.pdf_areas import Area
from pincite.parsing.pdf_lines import DraftLine, View
from pincite.parsing.pdf_pieces import Level, Piece, levels_of
from pincite.parsing.pdf_rules import MEET

#: A rule down parts columns when it runs beside at least this share of the height of a table.
_LONG_RULE = 0.35
#: A piece over several columns is cut where two words stand so many line heights apart.
_CUT_GAP = 0.55
#: Between two rules down, cells part columns only when so many lines and this share of them have several.
_MANY_SPLIT, _SHARE_SPLIT = 3, 0.5
#: Cells of a column begin, end or have their middle within so many points of another, in so great a share.
_ALIGNED, _ALIGNED_SHARE = 2.0, 0.65
#: The mark of a note, alone.
_MARK = re.compile(r"\(?[a-z]\)|\(\d\)|[*†‡§]{1,3}|[⁰¹²³⁴-⁹]+|\[[a-z\d]\]")


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
    levels = levels_of(lines, area, made)
    if len(levels) < 2:
        return None
    walls = _walls(area, levels)
    laid = Laid(levels, _without_marks(_columns(levels, walls), levels), walls)
    if len(laid.spans) < 2:
        return None
    bounds = laid.bounds
    for level in levels:
        level.place([part for piece in level.pieces for part in _placed(piece, bounds)])
    return laid


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
    """Return the columns, those that hold nothing but marks of notes joined to the one before them.

    A name alone in its column, with such a mark behind it, stands over the values below the mark.
    """
    out: list[tuple[float, float]] = []
    before: list[tuple[int, str]] = []
    for a, b in spans:
        own = [
            (at, p.text)
            for at, level in enumerate(levels)
            for p in level.pieces
            if p.box[0] < b and p.box[2] > a and p.box[2] <= b + 1
        ]
        marks = bool(own) and all(_MARK.fullmatch(text) for _, text in own)
        named = len(before) == 1 and any(at == before[0][0] and _MARK.fullmatch(text) for at, text in own)
        if out and (marks or named):
            out[-1] = (out[-1][0], b)
        else:
            out.append((a, b))
        before = own
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

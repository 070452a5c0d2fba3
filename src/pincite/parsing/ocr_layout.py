"""Pieces of recognised text to rows in reading order, and runs of rows to tables."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from pincite.parsing.grids import guess_header_rows
from pincite.types.document import Cell, Table
from pincite.types.geometry import BBox

#: Pieces that share this much of the lower one's height stand in one row.
_SAME_ROW: Final = 0.5
#: A gap between columns of text is at least this share of the picture's width; a column at least so wide.
_GUTTER: Final = 0.02
_COLUMN: Final = 0.25
_MIN_COLUMN_PIECES: Final = 3
_MIN_TABLE_ROWS: Final = 3
#: The box of a piece reaches over its letters by so much of its height.
_REACH: Final = 0.5
#: A picture that slants less, as the tangent of the angle, is read as it stands; more than 20 degrees is no slant.
_STRAIGHT, _STEEP = 0.004, 0.36
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text in one line; pixels from the top-left corner, `score` from 0 to 1.

    Of a picture that was turned or slants, `x0` to `y1` are where the piece stands once it is straight, which orders
    the pieces, and `placed` is where it stands in the picture.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    score: float
    placed: Box | None = None

    @property
    def seen(self) -> Box:
        """The box in the picture as it is."""
        return self.placed or (self.x0, self.y0, self.x1, self.y1)


@dataclass(frozen=True, slots=True)
class Found:
    """What an engine found: a text, its four corners (from the one where it begins, clockwise), its score.

    `box` is the one of all its letters, where that is more than the corners.
    """

    text: str
    corners: tuple[tuple[float, float], ...]
    score: float
    box: Box | None = None


def straightened(found: Sequence[Found]) -> list[Piece]:
    """Return pieces as they stand once the slant that most of them share is taken out."""
    slopes = [slope for one in found if (slope := _slope(one)) is not None]
    slope = median(slopes) if slopes else 0.0
    angle = math.atan(slope) if _STRAIGHT < abs(slope) < _STEEP else 0.0
    cos, sin = math.cos(-angle), math.sin(-angle)
    pieces = []
    for one in found:
        xs, ys = [x for x, _ in one.corners], [y for _, y in one.corners]
        flat_x = [x * cos - y * sin for x, y in one.corners]
        flat_y = [x * sin + y * cos for x, y in one.corners]
        seen = one.box or (min(xs), min(ys), max(xs), max(ys))
        pieces.append(Piece(one.text, min(flat_x), min(flat_y), max(flat_x), max(flat_y), one.score, seen))
    return pieces


def _slope(one: Found) -> float | None:
    """Return the slope of the line a text stands on, `None` for one too short to tell."""
    (x0, y0), (x1, y1) = one.corners[0], one.corners[1]
    height = math.dist(one.corners[0], one.corners[-1])
    return (y1 - y0) / (x1 - x0) if x1 - x0 > 3 * height > 0 else None


def rows_in_order(pieces: Sequence[Piece], width: float) -> list[list[Piece]]:
    """Return pieces as rows, column by column where text is set in columns, else from the top down.

    >>> a, b = Piece("b", 50, 0, 90, 10, 1.0), Piece("a", 0, 1, 40, 11, 1.0)
    >>> [[piece.text for piece in row] for row in rows_in_order([a, b], 100)]
    [['a', 'b']]
    """
    cut = _gutter(pieces, width)
    if cut is None:
        return _rows(pieces)
    top = min(p.y0 for p in pieces if p.x1 <= cut or p.x0 >= cut)
    above = [p for p in pieces if p.x0 < cut < p.x1 and p.y0 < top]
    below = [p for p in pieces if p.x0 < cut < p.x1 and p.y0 >= top]
    left = [p for p in pieces if p.x1 <= cut]
    right = [p for p in pieces if p.x0 >= cut]
    return [*_rows(above), *rows_in_order(left, width), *rows_in_order(right, width), *_rows(below)]


def _gutter(pieces: Sequence[Piece], width: float) -> float | None:
    """Return the middle of a gap between two columns of running text, `None` where there are no such columns."""
    spans = sorted((p.x0, p.x1) for p in pieces if p.x1 - p.x0 < 0.6 * width)
    reach = spans[0][1] if spans else 0.0
    for x0, x1 in spans[1:]:
        middle = (reach + x0) / 2
        if x0 - reach >= _GUTTER * width and _are_columns(pieces, middle, width):
            return middle
        reach = max(reach, x1)
    return None


def _are_columns(pieces: Sequence[Piece], at: float, width: float) -> bool:
    sides = [[p for p in pieces if p.x1 <= at], [p for p in pieces if p.x0 >= at]]
    crossing = [p for p in pieces if p.x0 < at < p.x1]
    if len(crossing) > 2:
        return False
    return all(
        len(side) >= _MIN_COLUMN_PIECES and median(p.x1 - p.x0 for p in side) >= _COLUMN * width for side in sides
    )


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: (p.y0 + p.y1) / 2):
        if rows and _shares_row(rows[-1][-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda p: p.x0) for row in rows]


def _shares_row(a: Piece, b: Piece) -> bool:
    overlap, height = min(a.y1, b.y1) - max(a.y0, b.y0), min(a.y1 - a.y0, b.y1 - b.y0)
    # Boxes reach over their letters: two of one line may overlap a little.
    beside = max(b.x0 - a.x1, a.x0 - b.x1) >= -_REACH * height
    return overlap >= _SAME_ROW * height and beside


def box_of(pieces: Sequence[Piece], scale: float, size: tuple[float, ...]) -> BBox:
    """Return the box of pieces in the picture, in points, cut to a page of `size` points."""
    boxes = [piece.seen for piece in pieces]
    x0, y0 = max(0.0, min(b[0] for b in boxes) * scale), max(0.0, min(b[1] for b in boxes) * scale)
    x1, y1 = min(size[0], max(b[2] for b in boxes) * scale), min(size[1], max(b[3] for b in boxes) * scale)
    x0, y0 = min(x0, size[0]), min(y0, size[1])
    return BBox(x0=round(x0, 2), y0=round(y0, 2), x1=round(max(x0, x1), 2), y1=round(max(y0, y1), 2))


def recognised_tables(
    rows: Sequence[Sequence[Piece]],
    *,
    page_num: int,
    n_lines_before: int,
    n_tables_before: int,
    scale: float,
    size: tuple[float, ...],
) -> list[Table]:
    """Return runs of rows with the same number of pieces that stand below one another as tables.

    The first of `rows` is the line after the first `n_lines_before` of the document.
    """
    found: list[Table] = []
    start = 0
    while start < len(rows):
        end = start + 1
        while end < len(rows) and len(rows[start]) > 1 and _are_aligned(rows[end - 1], rows[end]):
            end += 1
        if end - start >= _MIN_TABLE_ROWS:
            table_id, first = n_tables_before + len(found) + 1, n_lines_before + start
            found.append(_table(rows[start:end], page_num, first, table_id, scale, size))
        start = end
    return found


def _are_aligned(above: Sequence[Piece], below: Sequence[Piece]) -> bool:
    if len(above) != len(below):
        return False
    return all(min(a.x1, b.x1) > max(a.x0, b.x0) for a, b in zip(above, below, strict=True))


def _table(
    rows: Sequence[Sequence[Piece]],
    page_num: int,
    n_before: int,
    table_id: int,
    scale: float,
    size: tuple[float, ...],
) -> Table:
    return Table(
        table_id=table_id,
        page_num=page_num,
        caption=None,
        n_rows=len(rows),
        n_cols=len(rows[0]),
        header_rows=guess_header_rows([[piece.text for piece in row] for row in rows]),
        first_line_id=n_before + 1,
        last_line_id=n_before + len(rows),
        cells=tuple(
            Cell(row=row, col=col, text=piece.text, line_ids=(n_before + row,), box=box_of([piece], scale, size))
            for row, pieces in enumerate(rows, start=1)
            for col, piece in enumerate(pieces, start=1)
        ),
    )

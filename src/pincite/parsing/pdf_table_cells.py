"""The rows of a table to its cells: names over several columns, cells over several rows, the text and box of each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pincite.parsing.pdf_areas import Area, Box
from pincite.parsing.pdf_geometry import displayed
from pincite.parsing.pdf_grid import Laid
from pincite.parsing.pdf_lines import View, lines_in_rows
from pincite.parsing.pdf_pieces import Piece
from pincite.parsing.pdf_table_rows import Rows

#: Dots that lead the eye from a label to its value.
LEADERS = re.compile(r"(?:\s*[.·…_]){3,}$")
#: A name stands over columns when its middle is theirs, within this share of their width.
_CENTRED = 0.12
#: Names of one column stand so many line heights apart at most.
_NEAR_NAME = 0.7


@dataclass(slots=True)
class GridCell:
    """A cell: its rows and columns from 1, its text, its box as displayed, the places of its lines."""

    row: int
    col: int
    last_row: int
    last_col: int
    text: str
    box: Box
    lines: list[int]


@dataclass(slots=True)
class DraftCell:
    """A cell before its text is made: rows and columns from 0."""

    row: int
    col: int
    last_row: int
    last_col: int
    pieces: list[Piece]


def cells_in(rows: Rows, laid: Laid, area: Area) -> list[DraftCell]:
    """Return the cells of rows; names over several columns and cells over several rows have all their places."""
    made: dict[tuple[int, int], DraftCell] = {}
    for number, row in enumerate(rows.rows):
        is_header = number < rows.n_header
        for level in row.levels:
            for piece in level.pieces:
                first, last = piece.first, piece.last
                if not is_header and not area.ruled:
                    last = first
                cell = made.get((number, first))
                if cell is None:
                    made[number, first] = DraftCell(number, first, number, last, [piece])
                else:
                    cell.pieces.append(piece)
                    cell.last_col = max(cell.last_col, last)
    if rows.n_header:
        _widen_names(made, rows, laid, area)
        _join_names(made, rows, laid, area)
    if area.ruled:
        _widen_alone(made, rows, laid, area)
        _heighten(made, rows, laid, area)
    return sorted(made.values(), key=lambda cell: (cell.row, cell.col))


def _taken(made: dict[tuple[int, int], DraftCell]) -> set[tuple[int, int]]:
    return {
        (row, col)
        for cell in made.values()
        for row in range(cell.row, cell.last_row + 1)
        for col in range(cell.col, cell.last_col + 1)
    }


def _extent(cell: DraftCell) -> Box:
    if len(cell.pieces) == 1:
        return cell.pieces[0].box
    boxes = [p.box for p in cell.pieces]
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _widen_names(made: dict[tuple[int, int], DraftCell], rows: Rows, laid: Laid, area: Area) -> None:
    """Let a name above others reach over the columns it stands over: by the rule below it, or by its middle."""
    spans = laid.spans
    for number in range(rows.n_header):
        names = [cell for _, cell in sorted((col, cell) for (row, col), cell in made.items() if row == number)]
        for cell in names:
            taken = {col for one in names for col in range(one.col, one.last_col + 1)}
            box = _extent(cell)
            middle = (box[0] + box[2]) / 2
            under = [r for r in area.across if box[3] - 3 < r.at < box[3] + 0.9 * (box[3] - box[1])
                     and r.start - 2 < middle < r.end + 2]  # fmt: skip
            wide = [at for at, (a, b) in enumerate(spans) if any(r.start - 3 < (a + b) / 2 < r.end + 3 for r in under)]
            if area.ruled:
                wide = _between_walls(cell, box, laid, area)
            elif not wide or len(wide) == len(spans) or number == rows.n_header - 1:
                wide = _centred(cell, middle, spans, made, number, rows)
            wide = [at for at in wide if at not in taken or cell.col <= at <= cell.last_col]
            reach = _run_around(wide, cell)
            if reach[0] < cell.col:
                del made[number, cell.col]
                made[number, reach[0]] = cell
            cell.col, cell.last_col = reach


def _run_around(wide: Sequence[int], cell: DraftCell) -> tuple[int, int]:
    """Return the run of columns without a gap around those that a cell has."""
    first, last = cell.col, cell.last_col
    while first - 1 in wide:
        first -= 1
    while last + 1 in wide:
        last += 1
    return first, last


def _between_walls(cell: DraftCell, box: Box, laid: Laid, area: Area) -> list[int]:
    """Return the columns between the rules down on either side of a cell."""
    y, x = (box[1] + box[3]) / 2, (box[0] + box[2]) / 2
    walls = [r.at for r in area.down if r.start - 1 < y < r.end + 1]
    left = max([w for w in walls if w < x], default=-1e9)
    right = min([w for w in walls if w > x], default=1e9)
    if left == -1e9 and right == 1e9:
        return [cell.col]
    return [at for at, (a, b) in enumerate(laid.spans) if left < (a + b) / 2 < right]


def _centred(
    cell: DraftCell, middle: float, spans: Sequence[tuple[float, float]], made: dict[tuple[int, int], DraftCell],
    number: int, rows: Rows,
) -> list[int]:  # fmt: skip
    """Return the columns that a name stands over by its middle, where the row below names each of them."""
    if number + 1 >= rows.n_header:
        return list(range(cell.col, cell.last_col + 1))
    below = {at for (row, at) in made if row == number + 1}
    best = [*range(cell.col, cell.last_col + 1)]
    for first in range(max(1, 0), cell.col + 1):
        for last in range(max(cell.last_col, first + 1), len(spans)):
            off = abs((spans[first][0] + spans[last][1]) / 2 - middle)
            between = set(range(first, last + 1))
            free = all((number, at) not in made or cell.col <= at <= cell.last_col for at in between)
            if (
                free
                and off < _CENTRED * (spans[last][1] - spans[first][0])
                and between <= below
                and len(between) > len(best)
            ):
                best = sorted(between)
    return best


def _join_names(made: dict[tuple[int, int], DraftCell], rows: Rows, laid: Laid, area: Area) -> None:
    """Join a name to the one below it in a later row of names when they stand close and no rule is between."""
    for number in range(1, rows.n_header):
        for col in range(len(laid.spans)):
            below = made.get((number, col))
            above = next((c for c in made.values() if c.last_row == number - 1 and c.col == col), None)
            if below is None or above is None or above.col != above.last_col or below.col != below.last_col:
                continue
            a, b = _extent(above), _extent(below)
            gap, high = b[1] - a[3], below.pieces[0].box[3] - below.pieces[0].box[1]
            middle = (b[0] + b[2]) / 2
            parted = any(a[3] - 3 < r.at < b[1] + 3 and r.start - 2 < middle < r.end + 2 for r in area.across)
            if gap < _NEAR_NAME * high and not parted:
                above.pieces += below.pieces
                above.last_row = number
                del made[number, col]


def _heighten(made: dict[tuple[int, int], DraftCell], rows: Rows, laid: Laid, area: Area) -> None:
    """Let cells reach over empty ones below and above them that no rule parts from them."""
    _join_open(made, rows, laid, area)
    taken = _taken(made)
    for cell in sorted(made.values(), key=lambda one: (one.row, one.col)):
        for step in (1, -1):
            while True:
                row = cell.last_row if step == 1 else cell.row
                other = row + step
                if not 0 <= other < len(rows.rows) or (other < rows.n_header) != (cell.row < rows.n_header):
                    break
                places = {(other, col) for col in range(cell.col, cell.last_col + 1)}
                if places & taken or not _open(rows, laid, area, min(row, other), cell):
                    break
                taken |= places
                if step == 1:
                    cell.last_row = other
                else:
                    cell.row = other


def _widen_alone(made: dict[tuple[int, int], DraftCell], rows: Rows, laid: Laid, area: Area) -> None:
    """Let the name of a group of rows, alone in its row, reach as far as no rule runs down beside it."""
    for number in range(rows.n_header, len(rows.rows)):
        own = [cell for (row, _), cell in made.items() if row == number]
        if len(own) == 1 and len(own[0].pieces) == 1:
            wide = _between_walls(own[0], _extent(own[0]), laid, area)
            own[0].last_col = max([own[0].last_col, *(at for at in wide if at > own[0].col)])


def _join_open(made: dict[tuple[int, int], DraftCell], rows: Rows, laid: Laid, area: Area) -> None:
    """Join cells below each other that no rule parts, in columns where rules part others."""
    for col in range(len(laid.spans)):
        own = [cell for (_, at), cell in sorted(made.items()) if at == col and cell.row >= rows.n_header]
        parted = [_open(rows, laid, area, a.row, a) if b.row == a.row + 1 else None for a, b in pairwise(own)]
        if all(parted) or not any(parted):
            continue
        for (_, below), is_open in zip(reversed([*pairwise(own)]), reversed(parted), strict=True):
            above = made.get((below.row - 1, col))
            if is_open and above is not None:
                above.pieces += below.pieces
                above.last_row = max(above.last_row, below.last_row)
                del made[below.row, col]


def _open(rows: Rows, laid: Laid, area: Area, above: int, cell: DraftCell) -> bool:
    """Say whether rows are parted by a rule in other columns, and not in those of a cell."""
    top, bottom = rows.rows[above], rows.rows[above + 1]
    low, high = (top.top + top.bottom) / 2, (bottom.top + bottom.bottom) / 2
    between = [r for r in area.across if low < r.at < high]
    a, b = laid.spans[cell.col][0], laid.spans[cell.last_col][1]
    if any(r.start - 2 < (a + b) / 2 < r.end + 2 for r in between):
        return False
    return bool(between)


def _is_shown_as_written(piece: Piece, made: View) -> bool:
    """Let a piece be shown with a blank between words, where they are so in the file; return whether they are."""
    if made.script[piece.words].any():
        return False
    if len(piece.words) > 1:
        index = made.index[piece.words]
        rest = index[1:]
        follows = made.words.spaced[rest] & ~made.words.broken[rest] & (rest == index[:-1] + 1)
        if not (made.plain and follows.all()):
            return False
    piece.shown = " ".join(piece.texts)
    return True


def shown(cells: Sequence[DraftCell], made: View) -> list[GridCell]:
    """Return the cells with text and box, made of their words as lines are."""
    unknown = [
        piece
        for cell in cells
        for piece in cell.pieces
        if piece.shown is None and not _is_shown_as_written(piece, made)
    ]
    words = [word for piece in unknown for word in piece.words]
    numbers = [number for number, piece in enumerate(unknown) for _ in piece.words]
    drawn = lines_in_rows(made, np.array(words, np.int64), np.array(numbers, np.int64))
    for piece, part in zip(unknown, drawn, strict=True):
        piece.shown = part.text
    out = []
    for cell in cells:
        pieces = cell.pieces
        text = pieces[0].shown or "" if len(pieces) == 1 else " ".join([piece.shown or "" for piece in pieces])
        if "  " in text:
            text = " ".join(text.split())
        if text.endswith((".", "…", "·", "_")):
            text = LEADERS.sub("", text)
        lines = [pieces[0].line] if len(pieces) == 1 else sorted({piece.line for piece in pieces})
        box = _extent(cell)
        if made.turn:
            box = displayed(box, made.turn, made.frame.width_pt, made.frame.height_pt)
        out.append(GridCell(cell.row + 1, cell.col + 1, cell.last_row + 1, cell.last_col + 1, text, box, lines))
    return out

"""Tables of a page: areas of rows and rules become grids of cells, with empty cells kept."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pincite.parsing.objects import caption
from pincite.parsing.pdf_areas import Area, Box, loose_areas, ruled_areas
from pincite.parsing.pdf_calls import Floats
from pincite.parsing.pdf_geometry import displayed, upright
from pincite.parsing.pdf_grid import Laid, Piece, is_aligned, laid_out
from pincite.parsing.pdf_lines import DraftLine, View, is_numeric, lines_in_rows
from pincite.parsing.pdf_rules import Rule, straight
from pincite.parsing.pdf_table_rows import Row, Rows, rows_in

#: A table without crossing rules has at least so many rows with two cells or more, with a rule above or below fewer.
_FEWEST_ROWS, _FEWEST_RULED = 3, 2
#: Spaces between cells of a row, and for every empty cell between them.
_BEFORE_AMOUNT, _AFTER_AMOUNT = frozenset("$€£¥"), frozenset({"%", ")", ")%", "%)"})
_CELL_SPACES, _EMPTY_SPACES = "  ", "    "
#: Cells of running text have more words on average than those of a table without crossing rules, or without any.
_PROSE_WORDS, _BARE_PROSE_WORDS = 9.0, 3.4
#: Dots that lead the eye from a label to its value.
_LEADERS = re.compile(r"(?:\s*[.·…_]){3,}$")
_LED = re.compile(r"[.…]{3,}\s*(\d{1,4})$")
_CONTENTS = re.compile(r"^\W*(?:table of |list of )?(?:contents|index|inhalt|sommaire|tables|figures)\b", re.IGNORECASE)
_NOTE = re.compile(r"(?:sources?|notes?|n\.?b\.?|quelle|hinweis|[*†‡§¹²³⁴⁵⁶⁷⁸⁹]|\(?[a-z1-9]\))[\s:.]", re.IGNORECASE)


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
class Grid:
    """A table as found: the places of its lines, its first line, its cells."""

    first: int
    last: int
    n_rows: int
    n_cols: int
    header_rows: int
    caption: str | None
    line: DraftLine
    cells: list[GridCell] = field(default_factory=list)


def mark_tables(lines: list[DraftLine], made: View, rules: Floats, *, offset: int = 0) -> list[Grid]:
    """Return the tables among the lines of a page; their lines are marked, and show their empty cells.

    `made` is the view that the lines were made of, `rules` are boxes of what is drawn thin on the page, as displayed.
    Lines of a table that others stand between are put together.
    """
    tabular = [line for line in lines if len(line.cells) >= 2]
    if len(tabular) < 2 and not (len(rules) and lines):
        return []
    for line in tabular:
        line.cells = _whole_amounts(line.cells)
    across, down = straight(upright(rules, made.turn, made.frame.width_pt, made.frame.height_pt))
    areas = ruled_areas(lines, across, down)
    for area in areas:
        _put_together(lines, area)
    if areas:
        areas = ruled_areas(lines, across, down)
    taken = {at for area in areas for at in area.lines}
    areas += loose_areas(lines, taken, across, down)
    grids: list[Grid] = []
    for area in sorted(areas, key=lambda one: min(one.lines)):
        grid = _grid(lines, area, made)
        if grid is None:
            continue
        grids.append(grid)
        for line in lines[grid.first : grid.last + 1]:
            line.table = offset + len(grids)
    return grids


def _put_together(lines: list[DraftLine], area: Area) -> None:
    """Put the lines of an area behind each other, from the top, where the first of them stood."""
    first, last = min(area.lines), max(area.lines)
    if last - first + 1 == len(area.lines):
        return
    chosen = set(area.lines)
    mine = sorted((lines[at] for at in area.lines), key=lambda line: (round(line.upright[1] / 3), line.upright[0]))
    others = [line for at, line in enumerate(lines[first : last + 1], start=first) if at not in chosen]
    lines[first : last + 1] = [*mine, *others]


def _whole_amounts(cells: list[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Return cells with currency signs joined to the amount after them, and signs of percent to the one before."""
    out: list[tuple[float, float, str]] = []
    for x0, x1, text in cells:
        opens = bool(out) and out[-1][2] in _BEFORE_AMOUNT and is_numeric(text.split(" ", 1)[0])
        if opens or (out and text in _AFTER_AMOUNT and out[-1][2][-1:].isdigit()):
            left, _, before = out[-1]
            out[-1] = (left, x1, f"{before} {text}")
        else:
            out.append((x0, x1, text))
    return out


def _grid(lines: list[DraftLine], area: Area, made: View) -> Grid | None:
    """Return the table of an area, or `None` when its cells do not stand under each other."""
    laid = laid_out(lines, area, made)
    if laid is None:
        return None
    rows = _without_asides(rows_in(laid, area), laid, area)
    many = sum(len({p.first for level in row.levels for p in level.pieces}) >= 2 for row in rows.rows)
    fewest = _FEWEST_RULED if area.ruled or len(area.across) >= 2 else _FEWEST_ROWS
    if many < fewest or (not area.ruled and (_is_prose(rows, bare=not area.across) or _is_contents(lines, rows))):
        return None
    if not area.ruled and not is_aligned([p for row in rows.rows for level in row.levels for p in level.pieces]):
        return None
    places = sorted({p.line for row in rows.rows for level in row.levels for p in level.pieces})
    if _is_figure(lines, places, rows):
        return None
    cells = _cells(rows, laid, area)
    grid = Grid(places[0], places[-1], len(rows.rows), len(laid.spans), rows.n_header,
                _caption_above(lines, places[0]), lines[places[0]])  # fmt: skip
    grid.cells = _shown(cells, made)
    _show_empty_cells(lines, cells, made)
    return grid


def _is_contents(lines: Sequence[DraftLine], rows: Rows) -> bool:
    """Say whether rows are entries of a table of contents: dots or the word lead to numbers that never fall."""
    ends: list[int] = []
    led = 0
    for row in rows.rows:
        pieces = [p for level in row.levels for p in level.pieces]
        if pieces and (match := _LED.search(pieces[-1].text)):
            ends.append(int(match[1]))
            led += 1
        elif len(pieces) > 1 and pieces[-1].text.isdigit():
            ends.append(int(pieces[-1].text))
            led += any(_LEADERS.search(p.text) for p in pieces[:-1])
    if len(ends) < 3 or 2 * len(ends) < len(rows.rows) or any(b < a for a, b in pairwise(ends)):
        return False
    first = rows.rows[0].levels[0].pieces[0].line
    titled = any(_CONTENTS.search(line.text) for line in lines[max(0, first - 3) : first + 1])
    return titled or (2 * led > len(ends) and max(len(level.pieces) for r in rows.rows for level in r.levels) <= 3)


def _is_figure(lines: Sequence[DraftLine], places: Sequence[int], rows: Rows) -> bool:
    """Say whether the caption of a figure stands right above or below, and rows have no names: a chart or diagram."""
    near = [*lines[max(0, places[0] - 3) : places[0] + 1], *lines[places[-1] : places[-1] + 3]]
    if not any((found := caption(line.text)) is not None and found[0] == "figure" for line in near):
        return False
    body = rows.rows[rows.n_header :]
    named = sum(
        any(p.first == 0 and not p.is_value for level in row.levels for p in level.pieces)
        and any(level.n_values for level in row.levels)
        for row in body
    )
    return 2 * named < len(body)


def _is_prose(rows: Rows, *, bare: bool) -> bool:
    """Say whether the cells beyond the first column are running text: two columns of it that were not parted."""
    most = _BARE_PROSE_WORDS if bare else _PROSE_WORDS
    texts = [p for row in rows.rows for level in row.levels for p in level.pieces if p.first > 0]
    values = sum(p.is_value for p in texts)
    return bool(texts) and values < 0.2 * len(texts) and sum(len(p.texts) for p in texts) > most * len(texts)


def _without_asides(rows: Rows, laid: Laid, area: Area) -> Rows:
    """Return the rows without a title above and notes below that stand in a row of their own."""
    kept, n_header = rows.rows, rows.n_header
    while len(kept) > 2 and _is_title(kept[0], laid):
        kept, n_header = kept[1:], max(0, n_header - 1)
    while len(kept) > 2 and _is_note(kept[-1], laid):
        kept = kept[:-1]
    return Rows(kept, min(n_header, len(kept) - 1))


def _alone(row: Row) -> list[Piece] | None:
    """Return the pieces of a row that is one text, from the first column on; `None` where there are more."""
    if any(len(level.pieces) > 1 for level in row.levels):
        return None
    return [level.pieces[0] for level in row.levels]


def _is_title(row: Row, laid: Laid) -> bool:
    alone = _alone(row)
    if alone is None:
        return False
    left, right = laid.spans[0][0], laid.spans[-1][1]
    second = laid.spans[1][0]
    centred = abs((alone[0].box[0] + alone[0].box[2]) / 2 - (left + right) / 2) < 0.08 * (right - left)
    return any(p.first == 0 and (p.last > 0 or p.box[2] > second) for p in alone) or (centred and len(laid.spans) > 2)


def _is_note(row: Row, laid: Laid) -> bool:
    alone = _alone(row)
    if alone is None or alone[0].first != 0:
        return False
    return any(p.last > 0 or p.box[2] > laid.spans[1][0] for p in alone) or bool(_NOTE.match(alone[0].text))


@dataclass(slots=True)
class _Draft:
    """A cell before its text is made: rows and columns from 0."""

    row: int
    col: int
    last_row: int
    last_col: int
    pieces: list[Piece]


def _cells(rows: Rows, laid: Laid, area: Area) -> list[_Draft]:
    """Return the cells of rows; names over several columns and cells over several rows have all their places."""
    made: dict[tuple[int, int], _Draft] = {}
    for number, row in enumerate(rows.rows):
        is_header = number < rows.n_header
        for level in row.levels:
            for piece in level.pieces:
                first, last = piece.first, piece.last
                if not is_header and not area.ruled:
                    last = first
                cell = made.get((number, first))
                if cell is None:
                    made[number, first] = _Draft(number, first, number, last, [piece])
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


def _taken(made: dict[tuple[int, int], _Draft]) -> set[tuple[int, int]]:
    return {
        (row, col)
        for cell in made.values()
        for row in range(cell.row, cell.last_row + 1)
        for col in range(cell.col, cell.last_col + 1)
    }


def _extent(cell: _Draft) -> Box:
    boxes = [p.box for p in cell.pieces]
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _widen_names(made: dict[tuple[int, int], _Draft], rows: Rows, laid: Laid, area: Area) -> None:
    """Let a name above others reach over the columns it stands over: by the rule below it, or by its middle."""
    spans = laid.spans
    for number in range(rows.n_header):
        for cell in [c for (row, _), c in sorted(made.items()) if row == number]:
            taken = _taken(made)
            box = _extent(cell)
            middle = (box[0] + box[2]) / 2
            under = [r for r in area.across if box[3] - 3 < r.at < box[3] + 0.9 * (box[3] - box[1])
                     and r.start - 2 < middle < r.end + 2]  # fmt: skip
            wide = [at for at, (a, b) in enumerate(spans) if any(r.start - 3 < (a + b) / 2 < r.end + 3 for r in under)]
            if area.ruled:
                wide = _between_walls(cell, box, laid, area)
            elif not wide or len(wide) == len(spans) or number == rows.n_header - 1:
                wide = _centred(cell, middle, spans, made, number, rows)
            wide = [at for at in wide if (number, at) not in taken or cell.col <= at <= cell.last_col]
            reach = _run_around(wide, cell)
            if reach[0] < cell.col:
                del made[number, cell.col]
                made[number, reach[0]] = cell
            cell.col, cell.last_col = reach


def _run_around(wide: Sequence[int], cell: _Draft) -> tuple[int, int]:
    """Return the run of columns without a gap around those that a cell has."""
    first, last = cell.col, cell.last_col
    while first - 1 in wide:
        first -= 1
    while last + 1 in wide:
        last += 1
    return first, last


def _between_walls(cell: _Draft, box: Box, laid: Laid, area: Area) -> list[int]:
    """Return the columns between the rules down on either side of a cell."""
    y, x = (box[1] + box[3]) / 2, (box[0] + box[2]) / 2
    walls = [r.at for r in area.down if r.start - 1 < y < r.end + 1]
    left = max([w for w in walls if w < x], default=-1e9)
    right = min([w for w in walls if w > x], default=1e9)
    if left == -1e9 and right == 1e9:
        return [cell.col]
    return [at for at, (a, b) in enumerate(laid.spans) if left < (a + b) / 2 < right]


def _centred(
    cell: _Draft, middle: float, spans: Sequence[tuple[float, float]], made: dict[tuple[int, int], _Draft],
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
            if free and off < 0.12 * (spans[last][1] - spans[first][0]) and between <= below and len(between) > len(best):
                best = sorted(between)
    return best


def _join_names(made: dict[tuple[int, int], _Draft], rows: Rows, laid: Laid, area: Area) -> None:
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
            if gap < 0.7 * high and not parted:
                above.pieces += below.pieces
                above.last_row = number
                del made[number, col]


def _heighten(made: dict[tuple[int, int], _Draft], rows: Rows, laid: Laid, area: Area) -> None:
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


def _widen_alone(made: dict[tuple[int, int], _Draft], rows: Rows, laid: Laid, area: Area) -> None:
    """Let the name of a group of rows, alone in its row, reach as far as no rule runs down beside it."""
    for number in range(rows.n_header, len(rows.rows)):
        own = [cell for (row, _), cell in made.items() if row == number]
        if len(own) == 1 and len(own[0].pieces) == 1:
            wide = _between_walls(own[0], _extent(own[0]), laid, area)
            own[0].last_col = max([own[0].last_col, *(at for at in wide if at > own[0].col)])


def _join_open(made: dict[tuple[int, int], _Draft], rows: Rows, laid: Laid, area: Area) -> None:
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


def _open(rows: Rows, laid: Laid, area: Area, above: int, cell: _Draft) -> bool:
    """Say whether rows are parted by a rule in other columns, and not in those of a cell."""
    top, bottom = rows.rows[above], rows.rows[above + 1]
    low, high = (top.top + top.bottom) / 2, (bottom.top + bottom.bottom) / 2
    between = [r for r in area.across if low < r.at < high]
    a, b = laid.spans[cell.col][0], laid.spans[cell.last_col][1]
    if any(r.start - 2 < (a + b) / 2 < r.end + 2 for r in between):
        return False
    return bool(between)


def _shown(cells: Sequence[_Draft], made: View) -> list[GridCell]:
    """Return the cells with text and box, made of their words as lines are."""
    unknown = [piece for cell in cells for piece in cell.pieces if piece.shown is None]
    words = [word for piece in unknown for word in piece.words]
    numbers = [number for number, piece in enumerate(unknown) for _ in piece.words]
    drawn = lines_in_rows(made, np.array(words, np.int64), np.array(numbers, np.int64))
    for piece, part in zip(unknown, drawn, strict=True):
        piece.shown = part.text
    out = []
    for cell in cells:
        text = " ".join([piece.shown or "" for piece in cell.pieces])
        if "  " in text:
            text = " ".join(text.split())
        if text.endswith((".", "…", "·", "_")):
            text = _LEADERS.sub("", text)
        lines = sorted({piece.line for piece in cell.pieces})
        box = displayed(_extent(cell), made.turn, made.frame.width_pt, made.frame.height_pt)
        out.append(GridCell(cell.row + 1, cell.col + 1, cell.last_row + 1, cell.last_col + 1, text, box, lines))
    return out


def _show_empty_cells(lines: list[DraftLine], cells: Sequence[_Draft], made: View) -> None:
    """Write the lines anew with room for the cells that are empty between two that are not."""
    by_line: dict[int, list[tuple[float, int, str, int]]] = {}
    for cell in cells:
        for piece in cell.pieces:
            by_line.setdefault(piece.line, []).append((piece.box[0], piece.first, piece.shown or "", len(piece.words)))
    for at, parts in by_line.items():
        line = lines[at]
        whole = line.places is not None and sum(n for *_, n in parts) == len(line.places)
        if len(parts) < 2 or not whole:
            continue
        if made.words.plain is False and line.text.replace(" ", "") != "".join(t for *_, t, _ in sorted(parts)).replace(" ", ""):
            continue
        text, before = "", -1
        for _, column, shown, _ in sorted(parts):
            if before >= 0:
                text += _CELL_SPACES + _EMPTY_SPACES * max(0, column - before - 1)
            text, before = text + shown, column
        line.text = text


def _caption_above(lines: Sequence[DraftLine], start: int) -> str | None:
    for at in range(start - 1, max(-1, start - 4), -1):
        if caption(lines[at].text) is not None:
            return lines[at].text
    return None

"""Tables without names of columns: the years above them are taken in, and what goes on below a table joins it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pincite.parsing.grids import is_period
from pincite.parsing.objects import caption
from pincite.parsing.pdf_geometry import displayed
from pincite.parsing.pdf_lines import DraftLine, View
from pincite.parsing.pdf_pieces import BEFORE_AMOUNT
from pincite.parsing.pdf_table_cells import GridCell
from pincite.parsing.pdf_table_titles import counted_by, title_of
from pincite.parsing.pdf_tables import Grid

#: Years stand at most so many lines above the first row, and so many line heights above what is below them.
_ABOVE, _GAP = 4, 3.0
#: So many lines at most may stand between two parts of a table that rules part.
_BETWEEN: Final = 4
#: Over so many columns at least stand the years that begin a table inside another.
_YEARS: Final = 2
#: A cell stands under a name when it lies within so many points of its column.
_BESIDE: Final = 14.0
#: The name of a group of rows has at most so many words.
_NAME_WORDS: Final = 9

_Cell = tuple[float, float, str]


def with_heads(grids: Sequence[Grid], lines: Sequence[DraftLine], made: View) -> list[Grid]:
    """Return the tables of a page, in order, each with its names of columns as far as lines above it hold them.

    "2031  2030", "ASSETS", "Current assets:": the years, then names of groups. A table that begins again below a rule
    ("Total assets", "Liabilities") has the columns of the one above it, and is the rest of it.
    """
    out: list[Grid] = []
    for grid in (part for one in grids for part in _parts(one, lines)):
        if not grid.header_rows and out and _is_rest(out[-1], grid, lines):
            _join(out[-1], grid, lines, made)
            continue
        if not grid.header_rows:
            _take_years(grid, lines, made)
        out.append(grid)
    return out


def _parts(grid: Grid, lines: Sequence[DraftLine]) -> list[Grid]:
    """Return the tables that one area holds: years over the columns begin another, below the first rows."""
    rows: dict[int, dict[int, str]] = {}
    for cell in grid.cells:
        rows.setdefault(cell.row, {})[cell.col] = cell.text
    start = next((row for row in sorted(rows) if row > grid.header_rows + 1 and _is_header(rows[row])), None)
    if start is None or grid.header_rows == 0:
        return [grid]
    last = start
    while start - 1 > grid.header_rows + 1 and _is_names(rows.get(start - 1, {})):
        start -= 1
    places = sorted(at for cell in grid.cells if cell.row >= start for at in cell.lines)
    above = [at for cell in grid.cells if cell.last_row < start for at in cell.lines]
    if not places or not above or max(above) >= places[0]:
        return [grid]
    below = [cell for cell in grid.cells if cell.row >= start]
    _move(below, 1 - start)
    rest = replace(
        grid, first=places[0], n_rows=grid.n_rows - start + 1, header_rows=last - start + 1, cells=below,
        caption=title_of(lines, places[0], grid.last), line=lines[places[0]],
    )  # fmt: skip
    grid.last, grid.n_rows = places[0] - 1, start - 1
    grid.cells = [cell for cell in grid.cells if cell not in below]
    return [grid, *_parts(rest, lines)]


def _is_header(row: dict[int, str]) -> bool:
    """Say whether a row holds years over columns, and at most says what these count in."""
    named = [text for col, text in row.items() if col > 1 and text.strip()]
    stub = row.get(1, "").strip()
    return len(named) >= _YEARS and all(map(is_period, named)) and (not stub or stub.startswith("("))


def _is_names(row: dict[int, str]) -> bool:
    """Say whether a row names columns in words alone: "Fiscal", "Fiscal"."""
    named = [text for col, text in row.items() if col > 1 and text.strip()]
    return len(named) >= _YEARS and not row.get(1, "").strip() and not any(any(map(str.isdigit, t)) for t in named)


def _take_years(grid: Grid, lines: Sequence[DraftLine], made: View) -> None:
    """Put the line of years above a table, and what stands between, into it; nothing where there is none."""
    for at in range(grid.first - 1, max(-1, grid.first - 1 - _ABOVE), -1):
        line, below = lines[at], lines[at + 1]
        gap, high = below.upright[1] - line.upright[3], max(1.0, line.upright[3] - line.upright[1])
        if line.table or line.column != below.column or gap > _GAP * high or gap < -high:
            return
        placed = _placed(line.cells, grid)
        years = {col: cell for col, cell in placed.items() if is_period(cell[2])}
        if len(years) == grid.n_cols - 1 and 0 not in years:
            _put_above(grid, lines, made, at)
            return
        if not _is_group(line):
            return


def _put_above(grid: Grid, lines: Sequence[DraftLine], made: View, at: int) -> None:
    names: dict[int, list[int]] = {col: [at] for col in _placed(lines[at].cells, grid)}
    top = at
    days = _placed(lines[at - 1].cells, grid) if at and not lines[at - 1].table else {}
    if len(days) == grid.n_cols - 1 and all(is_period(cell[2]) for cell in days.values()):
        top = at - 1
        names = {col: [top, at] for col in names}
    rows = [[_cell(1, col, places, lines, grid, made) for col, places in sorted(names.items())]]
    rows += [[_whole(row, place, lines, made)] for row, place in enumerate(range(at + 1, grid.first), start=2)]
    _move(grid.cells, len(rows))
    if grid.caption in {lines[place].text for place in range(top, grid.first)}:
        grid.caption = title_of(lines, top, grid.last)
    if grid.counted.scale is None and grid.counted.unit is None:
        grid.counted = counted_by(lines, top, ())
    grid.cells = [*(cell for row in rows for cell in row), *grid.cells]
    grid.n_rows, grid.header_rows = grid.n_rows + len(rows), 1
    _mark(lines, top, grid.first, lines[grid.first].table)
    grid.first, grid.line = top, lines[top]


def _is_rest(before: Grid, grid: Grid, lines: Sequence[DraftLine]) -> bool:
    """Say whether a table without names goes on with the columns of the table before it on the page."""
    between = lines[before.last + 1 : grid.first]
    if not before.header_rows or before.n_cols != grid.n_cols or not 0 <= len(between) <= _BETWEEN:
        return False
    if grid.first <= before.last or any(line.column != lines[grid.first].column for line in between):
        return False
    near = all(a[0] - _BESIDE < b[1] and b[0] - _BESIDE < a[1] for a, b in zip(before.spans, grid.spans, strict=True))
    fits = all(_is_group(line) or _placed(line.cells, before) for line in between)
    return near and fits and not any(line.table or caption(line.text) for line in between)


def _join(before: Grid, grid: Grid, lines: Sequence[DraftLine], made: View) -> None:
    rows: list[GridCell] = []
    for row, at in enumerate(range(before.last + 1, grid.first), start=before.n_rows + 1):
        placed = _placed(lines[at].cells, before)
        parts = [_cell(row, col, [at], lines, before, made) for col in sorted(placed)]
        rows += parts if len(lines[at].cells) > 1 else [_whole(row, at, lines, made)]
    n_between = grid.first - before.last - 1
    _move(grid.cells, before.n_rows + n_between)
    before.cells = [*before.cells, *rows, *grid.cells]
    _mark(lines, before.last + 1, grid.last + 1, lines[before.first].table)
    before.n_rows, before.last = before.n_rows + n_between + grid.n_rows, grid.last


def _move(cells: Sequence[GridCell], n_rows: int) -> None:
    for cell in cells:
        cell.row, cell.last_row = cell.row + n_rows, cell.last_row + n_rows


def _mark(lines: Sequence[DraftLine], first: int, end: int, table: int) -> None:
    for line in lines[first:end]:
        line.table = table


def _is_group(line: DraftLine) -> bool:
    """Say whether a line may name a group of rows: a few words in one cell."""
    return len(line.cells) <= 1 and len(line.text.split()) <= _NAME_WORDS and caption(line.text) is None


def _placed(cells: Sequence[_Cell], grid: Grid) -> dict[int, _Cell]:
    """Return the cells of a line by their columns, from 0; nothing where one stands in none, or two in one."""
    found: dict[int, _Cell] = {}
    for x0, x1, text in _amounts(cells):
        middle = (x0 + x1) / 2
        cols = [col for col, (a, b) in enumerate(grid.spans) if a - _BESIDE <= middle <= b + _BESIDE]
        cols = cols[:1] if len(cols) < 2 else [min(cols, key=lambda col: abs(middle - sum(grid.spans[col]) / 2))]
        if not cols or cols[0] in found:
            return {}
        found[cols[0]] = (x0, x1, text)
    return found


def _amounts(cells: Sequence[_Cell]) -> list[_Cell]:
    """Return cells with each sign of a currency before its amount: "50,710 $", "47,528" are "50,710", "$ 47,528"."""
    out: list[_Cell] = []
    sign = ""
    for x0, x1, text in cells:
        words = text.split()
        own = [sign, *words] if sign else words
        sign = own.pop() if len(own) > 1 and own[-1] in BEFORE_AMOUNT else ""
        out.append((x0, x1, " ".join(own)))
    return out


def _cell(row: int, col: int, places: Sequence[int], lines: Sequence[DraftLine], grid: Grid, made: View) -> GridCell:
    """Return the cell of a column that one or two lines hold, one above the other."""
    parts = [(at, cell) for at in places if (cell := _placed(lines[at].cells, grid).get(col)) is not None]
    box = (
        min(cell[0] for _, cell in parts),
        min(lines[at].upright[1] for at, _ in parts),
        max(cell[1] for _, cell in parts),
        max(lines[at].upright[3] for at, _ in parts),
    )
    text = " ".join(cell[2] for _, cell in parts)
    return GridCell(row, col + 1, row, col + 1, text, _shown(box, made), [at for at, _ in parts])


def _whole(row: int, at: int, lines: Sequence[DraftLine], made: View) -> GridCell:
    """Return a line as the name of a group: the first cell of a row."""
    return GridCell(row, 1, row, 1, lines[at].text, _shown(lines[at].upright, made), [at])


def _shown(box: tuple[float, float, float, float], made: View) -> tuple[float, float, float, float]:
    return displayed(box, made.turn, made.frame.width_pt, made.frame.height_pt)

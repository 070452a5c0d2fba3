"""Simple grids: rows of cells that stand under each other become tables, with empty cells kept."""

from dataclasses import dataclass, field

from pincite.parsing.objects import caption
from pincite.parsing.pdf_lines import DraftLine, is_numeric

#: A table has at least so many rows with two cells or more.
_FEWEST_ROWS = 3
#: Lines with a single cell that may stand inside a table in a row (wrapped text, names of groups).
_MOST_SINGLE = 2
#: Rows lie at most so many line heights apart.
_ROW_GAP = 3.0
#: Spaces between cells of a row, and for every empty cell between them.
_BEFORE_AMOUNT, _AFTER_AMOUNT = frozenset("$€£¥"), frozenset({"%", ")", ")%", "%)"})
_CELL_SPACES, _EMPTY_SPACES = "  ", "    "


@dataclass(slots=True)
class Grid:
    """A table as found: the places of its lines, its first line, `(row, column, text, place of line)` of cells."""

    first: int
    last: int
    n_cols: int
    header_rows: int
    caption: str | None
    line: DraftLine
    cells: list[tuple[int, int, str, int]] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)


def mark_tables(lines: list[DraftLine], *, offset: int = 0) -> list[Grid]:
    """Return the grids among the lines of a page; their lines are marked, and show their empty cells."""
    grids: list[Grid] = []
    for line in lines:
        if len(line.cells) >= 2:
            line.cells = _whole_amounts(line.cells)
    at = 0
    n_lines = len(lines)
    while at < n_lines:
        if len(lines[at].cells) < 2:
            at += 1
            continue
        end = _run(lines, at)
        grid = _grid(lines, at, end) if end > at else None
        if grid is None:
            at = max(end, at + 1)
            continue
        grids.append(grid)
        for line in lines[grid.first : grid.last + 1]:
            line.table = offset + len(grids)
        _show_empty_cells(lines, grid)
        at = grid.last + 1
    return grids


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


def _run(lines: list[DraftLine], start: int) -> int:
    """Return where the run of table-like lines that starts here ends (exclusive), or `start`."""
    if len(lines[start].cells) < 2:
        return start
    end, single, last = start + 1, 0, start
    while end < len(lines):
        line, before = lines[end], lines[end - 1]
        gap = line.upright[1] - before.upright[3]
        high = max(1.0, line.upright[3] - line.upright[1])
        titled = len(line.cells) == 1 and line.bold and (line.size > 1.08 * before.size or gap > 0.7 * high)
        if titled or line.column != before.column or line.turn != before.turn or gap > _ROW_GAP * high or gap < -high:
            break
        if len(line.cells) >= 2:
            single, last = 0, end
        else:
            single += 1
            if single > _MOST_SINGLE:
                break
        end += 1
    return last + 1


def _grid(lines: list[DraftLine], start: int, end: int) -> Grid | None:
    """Return the grid of a run of lines, or `None` when its cells do not stand under each other."""
    rows = [at for at in range(start, end) if len(lines[at].cells) >= 2]
    if len(rows) < _FEWEST_ROWS:
        return None
    spans = _columns([[(x0, x1) for x0, x1, _ in lines[at].cells] for at in rows])
    if len(spans) < 2:
        return None
    grid = Grid(start, end - 1, len(spans), 0, _caption_above(lines, start), lines[start], spans=spans)
    for row, at in enumerate(range(start, end), start=1):
        for x0, x1, text in lines[at].cells:
            grid.cells.append((row, _column(spans, x0, x1) + 1, text, at))
    places = [(cell[0], cell[1]) for cell in grid.cells]
    if len(set(places)) < 0.85 * len(places):
        return None
    grid.header_rows = _header_rows(lines, start, end)
    return grid


def _columns(rows: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Return the horizontal extents of columns: cells that overlap belong together.

    Cells of the fullest rows come first; a cell that would join two columns (a heading over both) does not
    count.
    """
    spans: list[tuple[float, float]] = []
    most = max(len(row) for row in rows)
    for least in range(most, 1, -1):
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
    return spans


def _column(spans: list[tuple[float, float]], x0: float, x1: float) -> int:
    """Return the place of the column a cell lies in: the first of those it overlaps, else the nearest."""
    overlaps = [at for at, (a, b) in enumerate(spans) if x0 < b - 0.5 and x1 > a + 0.5]
    if overlaps:
        return overlaps[0]
    middle = (x0 + x1) / 2
    return min(range(len(spans)), key=lambda at: abs((spans[at][0] + spans[at][1]) / 2 - middle))


def _header_rows(lines: list[DraftLine], start: int, end: int) -> int:
    """Return how many rows at the top name the columns: those before the first with a number beyond its label."""
    for at in range(start, min(end, start + 4)):
        values = [text for _, _, text in lines[at].cells[1:]]
        if any(is_numeric(word) for text in values for word in text.split()[:1]) and not _years(values):
            return at - start
    return 1


def _years(values: list[str]) -> bool:
    return bool(values) and all(text.strip().isdigit() and 1900 <= int(text.strip()) <= 2100 for text in values)


def _caption_above(lines: list[DraftLine], start: int) -> str | None:
    for at in range(start - 1, max(-1, start - 4), -1):
        if caption(lines[at].text) is not None:
            return lines[at].text
    return None


def _show_empty_cells(lines: list[DraftLine], grid: Grid) -> None:
    """Write the rows anew with room for the cells that are empty between two that are not."""
    for at in range(grid.first, grid.last + 1):
        line = lines[at]
        if len(line.cells) < 2:
            continue
        text, before = "", -1
        for x0, x1, cell in line.cells:
            column = _column(grid.spans, x0, x1)
            if before >= 0:
                text += _CELL_SPACES + _EMPTY_SPACES * max(0, column - before - 1)
            text, before = text + cell, column
        line.text = text

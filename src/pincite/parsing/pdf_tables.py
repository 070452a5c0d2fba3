"""Tables of a page: areas of rows and rules become grids of cells, with empty cells kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.parsing.pdf_areas import Area, Ruled, loose_areas, ruled_areas
from pincite.parsing.pdf_grid import is_aligned, laid_out
from pincite.parsing.pdf_lines import DraftLine, View, is_numeric
from pincite.parsing.pdf_pieces import AFTER_AMOUNT, BEFORE_AMOUNT
from pincite.parsing.pdf_table_cells import DraftCell, GridCell, cells_in, shown
from pincite.parsing.pdf_table_kinds import is_contents, is_figure, is_prose, without_asides
from pincite.parsing.pdf_table_rows import Rows, rows_in
from pincite.parsing.pdf_table_titles import counted_by, title_of
from pincite.parsing.table_units import Counted

#: A table without crossing rules has at least so many rows with two cells or more, with rules above and below fewer.
_FEWEST_ROWS, _FEWEST_RULED = 3, 2
#: Spaces between cells of a row, and for every empty cell between them.
_CELL_SPACES, _EMPTY_SPACES = "  ", "    "


@dataclass(slots=True)
class Grid:
    """A table as found: the places of its lines, its first line, its cells, the extents of its columns upright."""

    first: int
    last: int
    n_rows: int
    n_cols: int
    header_rows: int
    caption: str | None
    counted: Counted
    line: DraftLine
    cells: list[GridCell] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)


def mark_tables(lines: list[DraftLine], made: View, rules: Ruled, *, offset: int = 0) -> list[Grid]:
    """Return the tables among the lines of a page; their lines are marked, and show their empty cells.

    `made` is the view that the lines were made of, `rules` what is ruled in it.
    Lines of a table that others stand between are put together.
    """
    tabular = [line for line in lines if len(line.cells) >= 2]
    if len(tabular) < 2 and not ((rules.across or rules.down) and lines):
        return []
    for line in tabular:
        line.cells = _whole_amounts(line.cells)
    areas = ruled_areas(lines, rules.grids)
    if sum(_put_together(lines, area) for area in areas):
        areas = ruled_areas(lines, rules.grids)
    taken = {at for area in areas for at in area.lines}
    areas += loose_areas(lines, taken, rules.across, rules.down)
    grids: list[Grid] = []
    for area in sorted(areas, key=lambda one: min(one.lines)):
        grid = _grid(lines, area, made)
        if grid is None:
            continue
        grids.append(grid)
        for line in lines[grid.first : grid.last + 1]:
            line.table = offset + len(grids)
    return grids


def _put_together(lines: list[DraftLine], area: Area) -> bool:
    """Put the lines of an area behind each other, from the top, where the first stood; return whether any moved."""
    first, last = min(area.lines), max(area.lines)
    if last - first + 1 == len(area.lines):
        return False
    chosen = set(area.lines)
    mine = sorted((lines[at] for at in area.lines), key=lambda line: (round(line.upright[1] / 3), line.upright[0]))
    others = [line for at, line in enumerate(lines[first : last + 1], start=first) if at not in chosen]
    lines[first : last + 1] = [*mine, *others]
    return True


def _whole_amounts(cells: list[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Return cells with currency signs joined to the amount after them, and signs of percent to the one before."""
    out: list[tuple[float, float, str]] = []
    for x0, x1, text in cells:
        opens = bool(out) and out[-1][2] in BEFORE_AMOUNT and is_numeric(text.split(" ", 1)[0])
        if opens or (out and text in AFTER_AMOUNT and out[-1][2][-1:].isdigit()):
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
    rows = without_asides(rows_in(laid, area), laid, area)
    if not _is_table(lines, rows, area):
        return None
    cells = cells_in(rows, laid, area)
    finished = shown(cells, made)
    places = sorted({p.line for row in rows.rows for level in row.levels for p in level.pieces})
    names = [cell.text for cell in finished if cell.row <= max(1, rows.n_header)]
    # "(In millions except par value)" may stand in a row of its own below the names.
    names += [c.text for c in finished if c.col == 1 and 0 < c.row - rows.n_header <= 3 and c.text.startswith("(")]
    grid = Grid(
        first=places[0],
        last=places[-1],
        n_rows=len(rows.rows),
        n_cols=len(laid.spans),
        header_rows=rows.n_header,
        caption=title_of(lines, places[0], places[-1]),
        counted=counted_by(lines, places[0], names),
        line=lines[places[0]],
        cells=finished,
        spans=laid.spans,
    )
    _show_empty_cells(lines, cells, made)
    return grid


def _is_table(lines: Sequence[DraftLine], rows: Rows, area: Area) -> bool:
    """Say whether rows are those of a table: enough of them with several cells, and not what only looks like one."""
    many = sum(len({p.first for level in row.levels for p in level.pieces}) >= 2 for row in rows.rows)
    if many < (_FEWEST_RULED if area.ruled or len(area.across) >= 2 else _FEWEST_ROWS):
        return False
    if not area.ruled:
        pieces = [p for row in rows.rows for level in row.levels for p in level.pieces]
        if is_prose(rows, bare=not area.across) or is_contents(lines, rows) or not is_aligned(pieces):
            return False
    return not is_figure(lines, rows)


def _show_empty_cells(lines: list[DraftLine], cells: Sequence[DraftCell], made: View) -> None:
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
        if not made.words.plain and line.text.replace(" ", "") != "".join(t for *_, t, _ in sorted(parts)).replace(
            " ", ""
        ):
            continue
        text, before = "", -1
        for _, column, written, _ in sorted(parts):
            if before >= 0:
                text += _CELL_SPACES + _EMPTY_SPACES * max(0, column - before - 1)
            text, before = text + written, column
        line.text = text

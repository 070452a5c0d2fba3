"""A sheet to lines and tables: a row is a line and its number the row's, a tab ends a cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.parsing.composing import Composer
from pincite.parsing.grids import Grid, Spanned, grid_of, guess_header_rows, is_period, is_value
from pincite.parsing.paragraphs import one_line
from pincite.types.document import Role

#: Rows and columns behind more blank ones than this were left there by mistake; each blank row is a line.
MAX_BLANK_ROWS: Final = 10_000
MAX_BLANK_COLS: Final = 500
#: Rows at the top of a table that may be its header.
_MAX_HEADER_ROWS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The visible cells of one sheet by row and column (from 1), and the areas that are one cell.

    `merged` has `(first row, first column, last row, last column)`.
    """

    name: str
    cells: Mapping[tuple[int, int], str]
    merged: Sequence[tuple[int, int, int, int]] = ()
    bold: frozenset[tuple[int, int]] = frozenset()


def write_sheet(sheet: Sheet, composer: Composer) -> tuple[str, ...]:
    """Write a sheet as a page; return what a reader should know of what was left out."""
    composer.start_page(sheet.name)
    composer.section(sheet.name, 1)
    rows, warnings = _rows(sheet)
    ids: dict[int, int] = {}
    next_row = 1
    for block in _blocks(sorted(rows)):
        n_title, n_table = _extent([rows[row] for row in block])
        for number, row in enumerate(block):
            while next_row < row:
                composer.row("")
                next_row += 1
            ids[row] = composer.row(_row_text(rows[row]), _role(number, n_title, n_table))
            next_row += 1
        if n_table:
            table_rows = block[n_title : n_title + n_table]
            caption = " ".join(rows[block[n_title - 1]].values()) if n_title else None
            composer.mark_table(_grid(sheet, rows, table_rows), [ids[row] for row in table_rows], caption=caption)
    return warnings


def _row_text(texts: Mapping[int, str]) -> str:
    return "\t".join(texts.get(col, "") for col in range(1, max(texts) + 1))


def _role(number: int, n_title: int, n_table: int) -> Role:
    """Return the role of a row of a block: of its table, the line right above it, or text around it."""
    if n_title <= number < n_title + n_table:
        return "table"
    return "caption" if n_table and number == n_title - 1 else "body"


def _rows(sheet: Sheet) -> tuple[dict[int, dict[int, str]], tuple[str, ...]]:
    """Return the cells by row and column, without those far off the rest."""
    rows: dict[int, dict[int, str]] = {}
    for (row, col), text in sorted(sheet.cells.items()):
        if one_line(text):
            rows.setdefault(row, {})[col] = one_line(text)
    last_row = _reach(sorted(rows), MAX_BLANK_ROWS)
    last_col = _reach(sorted({col for cells in rows.values() for col in cells}), MAX_BLANK_COLS)
    kept = {
        row: near
        for row, cells in rows.items()
        if row <= last_row and (near := {col: text for col, text in cells.items() if col <= last_col})
    }
    n_left = sum(map(len, rows.values())) - sum(map(len, kept.values()))
    said = f"sheet {sheet.name!r}: {n_left} cells far off all others were not read"
    return kept, ((said,) if n_left else ())


def _reach(numbers: Sequence[int], most_blank: int) -> int:
    """Return the last of ascending numbers before a gap wider than allowed."""
    last = 0
    for number in numbers:
        if number - last > most_blank:
            break
        last = number
    return last


def _blocks(numbers: Sequence[int]) -> list[list[int]]:
    """Return runs of rows without a blank one between."""
    blocks: list[list[int]] = []
    for number in numbers:
        if blocks and blocks[-1][-1] == number - 1:
            blocks[-1].append(number)
        else:
            blocks.append([number])
    return blocks


def _extent(rows: Sequence[Mapping[int, str]]) -> tuple[int, int]:
    """Return how many rows of a block stand before its table, and how many are the table; none where it is no table."""
    n_before = 0
    while n_before < len(rows) and len(rows[n_before]) == 1:
        n_before += 1
    end = len(rows)
    # A lone cell in the first column may be a row without values; a long text below a table is a note to it.
    while end > n_before and len(rows[end - 1]) == 1 and len(next(iter(rows[end - 1].values()))) > 40:
        end -= 1
    return (n_before, end - n_before) if end - n_before >= 2 else (0, 0)


def _grid(sheet: Sheet, rows: Mapping[int, Mapping[int, str]], table_rows: Sequence[int]) -> Grid:
    first = min(col for row in table_rows for col in rows[row])
    last = max(col for row in table_rows for col in rows[row])
    spans = {(top, left): (bottom, right) for top, left, bottom, right in sheet.merged}
    covered = {
        (row, col)
        for (top, left), (bottom, right) in spans.items()
        for row in range(max(top, table_rows[0]), min(bottom, table_rows[-1]) + 1)
        for col in range(max(left, first), min(right, last) + 1)
        if (row, col) != (top, left)
    }
    cells = []
    for row in table_rows:
        line = []
        for col in range(first, last + 1):
            if (row, col) in covered:
                continue
            bottom, right = spans.get((row, col), (row, col))
            n_cols, n_rows = min(right, last) - col + 1, min(bottom, table_rows[-1]) - row + 1
            line.append(Spanned(rows[row].get(col, ""), n_cols, n_rows))
        cells.append(line)
    grid = grid_of(cells, header_rows=0)
    return Grid(grid.rows, grid.filled, _header_rows(sheet, grid, table_rows))


def _header_rows(sheet: Sheet, grid: Grid, table_rows: Sequence[int]) -> int:
    """Return how many rows name the columns: rows of names above the first row with a value, as far as they look so."""
    n_named = 0
    for row in grid.filled[:_MAX_HEADER_ROWS]:
        if any(is_value(text) and not is_period(text) for text in row[1:] if text):
            break
        n_named += 1
    spans_columns = any(grid.rows[0][col] == "" and grid.filled[0][col] for col in range(1, grid.n_cols))
    if spans_columns and 2 <= n_named < grid.n_rows:
        return 2
    is_bold = all(
        (table_rows[0], col) in sheet.bold for (row, col), text in sheet.cells.items() if row == table_rows[0] and text
    )
    if is_bold and sheet.bold and n_named and not all((table_rows[1], col) in sheet.bold for _, col in sheet.bold):
        return 1
    return guess_header_rows(grid.filled)

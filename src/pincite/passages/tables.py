"""The rows of a table as units, and the header that each piece of it repeats."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.passages.units import SpacedLine, Unit
from pincite.passages.words import count_words, holds_words
from pincite.text.joining import join_lines
from pincite.types.document import Cell, Line, Table


@dataclass(frozen=True, slots=True)
class TableUnits:
    """The rows of a table; the first `n_header` units are its header."""

    units: list[Unit]
    n_header: int


class TableIndex:
    """Finds the table that a line belongs to."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = sorted(tables, key=lambda table: table.first_line_id)
        self._firsts = [table.first_line_id for table in self._tables]

    def at(self, line: Line) -> Table | None:
        """Return the table that holds a line, if there is one."""
        index = bisect_right(self._firsts, line.line_id) - 1
        if index < 0 or line.line_id > self._tables[index].last_line_id:
            return None
        return self._tables[index]


def table_units(stretch: Sequence[SpacedLine], table: Table | None) -> TableUnits:
    """Return one unit for each row of a table: the lines of a row are never parted."""
    lines = [spaced.line for spaced in stretch]
    rows = _rows(table)
    ends = _row_ends(lines, rows)
    units: list[Unit] = []
    start = 0
    for index in range(len(lines)):
        if ends[index]:
            units.append(_unit(lines[start : index + 1], len(units), rows))
            start = index + 1
    return TableUnits(units, _n_header(units, table, rows))


def _rows(table: Table | None) -> dict[int, list[Cell]]:
    rows: dict[int, list[Cell]] = {}
    for cell in table.cells if table is not None else ():
        if cell.line_ids:
            rows.setdefault(cell.row, []).append(cell)
    return rows


def _row_ends(lines: Sequence[Line], rows: dict[int, list[Cell]]) -> list[bool]:
    """Say for each line whether a cut after it parts no row."""
    until: dict[int, int] = {}
    for cells in rows.values():
        ids = [line_id for cell in cells for line_id in cell.line_ids]
        until[min(ids)] = max(until.get(min(ids), 0), *ids)
    ends = []
    last = 0
    for line in lines:
        last = max(last, until.get(line.line_id, 0))
        ends.append(line.line_id >= last)
    if ends:
        ends[-1] = True
    return ends


def _unit(lines: Sequence[Line], block: int, rows: dict[int, list[Cell]]) -> Unit:
    text = lines[0].text.strip() if len(lines) == 1 else _row_text(lines, rows)
    # Bars between cells are no words.
    n_words = count_words(text.replace("|", " "))
    return Unit(tuple(lines), n_words, block, "table", text)


def _row_text(lines: Sequence[Line], rows: dict[int, list[Cell]]) -> str:
    """Return the rows that stand on several lines, a row each, cells parted by bars."""
    ids = {line.line_id for line in lines}
    texts = [
        " | ".join(cell.text for cell in sorted(cells, key=lambda cell: cell.col))
        for _, cells in sorted(rows.items())
        if ids.issuperset(line_id for cell in cells for line_id in cell.line_ids)
    ]
    return "\n".join(texts) if texts else join_lines([line.text for line in lines]).text


def _n_header(units: Sequence[Unit], table: Table | None, rows: dict[int, list[Cell]]) -> int:
    """Return how many units come before the first row of values: header rows and the rule below them."""
    if table is None or table.header_rows == 0:
        is_ruled = len(units) > 2 and not holds_words(units[1].text)
        return 2 if table is None and is_ruled else 0
    ids = [i for row, cells in rows.items() if row <= table.header_rows for cell in cells for i in cell.line_ids]
    last = max(ids, default=0)
    n_header = sum(unit.lines[0].line_id <= last for unit in units)
    while n_header < len(units) and not holds_words(units[n_header].text):
        n_header += 1
    return n_header if n_header < len(units) else 0

"""Tables that go on over a page: the rows of the next page go with the header that stands before them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from pincite.parsing.pdf_lines import DraftLine
from pincite.parsing.pdf_tables import Grid
from pincite.types.document import Cell, Table

#: Borders of columns may shift by so many points from one page to the next; those of a grid of rules by fewer.
_SHIFT: Final = 14.0
_EXACT: Final = 2.0
_CONTINUED: Final = re.compile(r"\b(?:continued|cont['’.]?d?|fortsetzung|suite)\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
#: Roles of lines that may stand between the two parts of a table.
_PASSED: Final = frozenset({"header", "footer", "footnote"})


@dataclass(frozen=True, slots=True)
class Placed:
    """A table with the extents of its columns on page `page_num`, and whether it begins and ends what stands there."""

    table: Table
    page_num: int
    spans: list[tuple[float, float]]
    is_first: bool
    is_last: bool


def placed(table: Table, grid: Grid, lines: Sequence[DraftLine]) -> Placed:
    """Return a table with what else stands on its page: `lines` are all of them, in order."""
    start = next(at for at, line in enumerate(lines) if line is grid.line)
    end = start + grid.last - grid.first
    before = [line for line in lines[:start] if line.role not in _PASSED and line.text.strip()]
    after = [line for line in lines[end + 1 :] if line.role not in _PASSED and line.text.strip()]
    is_first = not before or (len(before) <= 2 and any(_CONTINUED.search(line.text) for line in before))
    is_last = not after or all(_CONTINUED.search(line.text) for line in after)
    return Placed(table, table.page_num, grid.spans, is_first, is_last)


def joined(before: Placed, after: Placed) -> Table | None:
    """Return both parts as one table, or `None` when the second is a table of its own.

    It goes on when nothing stands between, the columns are the same, and the second part repeats the header, has none,
    or stands in a grid of the very same columns. A repeated header is left out.
    """
    one, two = before.table, after.table
    if not (before.is_last and after.is_first) or after.page_num != before.page_num + 1 or one.n_cols != two.n_cols:
        return None
    shifts = [max(abs(a - c), abs(b - d)) for (a, b), (c, d) in zip(before.spans, after.spans, strict=True)]
    if not all(_overlap(a, b) for a, b in zip(before.spans, after.spans, strict=True)):
        return None
    header = _header(one)
    repeated = bool(header) and header == _header(two)
    if not repeated and two.header_rows:
        same_grid = max(shifts) <= _EXACT
        if not same_grid or two.caption is not None or _of_other_times(header, _header(two)):
            return None
    elif not repeated and two.caption is not None and not _CONTINUED.search(two.caption):
        return None
    dropped = two.header_rows if repeated else 0
    return _both(one, two, dropped)


def _overlap(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return a[0] - _SHIFT < b[1] and b[0] - _SHIFT < a[1]


def _header(table: Table) -> list[str]:
    return [cell.text for cell in table.cells if cell.row <= table.header_rows]


def _of_other_times(one: Sequence[str], two: Sequence[str]) -> bool:
    """Say whether two headers name years and not the same: then each is of a table of its own."""
    years = [set(_YEAR.findall(" ".join(header))) for header in (one, two)]
    return all(years) and years[0] != years[1]


def _both(one: Table, two: Table, dropped: int) -> Table:
    offset = one.n_rows - dropped
    more = [
        Cell(row=cell.row + offset, col=cell.col, text=cell.text, line_ids=cell.line_ids, box=cell.box)
        for cell in two.cells
        if cell.row > dropped
    ]
    return msgspec.structs.replace(
        one,
        n_rows=one.n_rows + two.n_rows - dropped,
        last_line_id=two.last_line_id,
        unit=one.unit or two.unit,
        scale=one.scale or two.scale,
        cells=(*one.cells, *more),
    )

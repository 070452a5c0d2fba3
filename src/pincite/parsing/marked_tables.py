"""Tables written in the lines of a text file: drawn with marks, or a mark before each cell."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from pincite.parsing.grids import guess_header_rows
from pincite.parsing.table_units import counted_in
from pincite.types.document import Cell, Table

GRID_RULE: Final = re.compile(r"\s*\+(?:[-=]+\+)+\s*")
SIMPLE_RULE: Final = re.compile(r"\s*=+(?:[ \t]+=+)+\s*")

#: A row: its cells, each with its text and the numbers of its lines.
Row = list[tuple[str, tuple[int, ...]]]


def table_of(
    rows: Sequence[Row], first: int, last: int, *, table_id: int, header_rows: int | None, caption: str | None
) -> Table | None:
    """Return the table of rows on lines `first` to `last`; `None` for less than two rows or columns."""
    n_cols = max((len(row) for row in rows), default=0)
    if len(rows) < 2 or n_cols < 2:
        return None
    texts = [[text for text, _ in row] + [""] * (n_cols - len(row)) for row in rows]
    cells = tuple(
        Cell(row=number, col=col, text=text, line_ids=line_ids)
        for number, row in enumerate(rows, start=1)
        for col, (text, line_ids) in enumerate(row, start=1)
    )
    n_header = guess_header_rows(texts) if header_rows is None else header_rows
    counted = counted_in([caption or "", *(text for row in texts[: max(1, n_header)] for text in row)])
    return Table(
        table_id=table_id,
        page_num=1,
        caption=caption,
        n_rows=len(rows),
        n_cols=n_cols,
        header_rows=n_header if n_header < len(rows) else 0,
        first_line_id=first,
        last_line_id=last,
        unit=counted.unit,
        scale=counted.scale,
        cells=cells,
    )


def grid_rows(lines: Sequence[str], first: int) -> tuple[list[Row], int]:
    """Return the rows of a table drawn as a grid, and how many are its header; `first` numbers the first line.

    >>> rows, n_header = grid_rows(["+----+---+", "| a  | b |", "+====+===+", "| c  | 1 |", "+----+---+"], 1)
    >>> [[text for text, _ in row] for row in rows], n_header
    ([['a', 'b'], ['c', '1']], 1)
    """
    edges = sorted({at for line in lines if GRID_RULE.fullmatch(line) for at, char in enumerate(line) if char == "+"})
    rows: list[Row] = []
    n_header = 0
    band: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=first):
        if not GRID_RULE.fullmatch(line):
            band.append((number, line))
            continue
        if band:
            rows.append(_band_cells(band, edges))
        band = []
        if "=" in line and rows:
            n_header = len(rows)
    return rows, n_header


def _band_cells(band: Sequence[tuple[int, str]], edges: Sequence[int]) -> Row:
    """Return the cells of the lines between two rules; an edge without a bar is inside a spanning cell."""
    bars = [at for at in edges if any(line[at : at + 1] in {"|", "+"} for _, line in band)]
    row: Row = []
    ids = tuple(number for number, _ in band)
    for left, right in pairwise(bars):
        text = " ".join(filter(None, (line[left + 1 : right].strip() for _, line in band)))
        row.append((text, ids))
        row += [("", ids)] * sum(left < at < right for at in edges)
    return row


def simple_rows(lines: Sequence[str], first: int) -> tuple[list[Row], int]:
    """Return the rows of a table under rules of `=`, and how many are its header.

    >>> rows, n_header = simple_rows(["===== ===", "Pier  m", "===== ===", "North 40", "===== ==="], 1)
    >>> [[text for text, _ in row] for row in rows], n_header
    ([['Pier', 'm'], ['North', '40']], 1)
    """
    rule = lines[0]
    starts = [match.start() for match in re.finditer(r"=+", rule)]
    ends = [*starts[1:], 10**6]
    rows: list[Row] = []
    n_header = n_rules = 0
    for number, line in enumerate(lines, start=first):
        if SIMPLE_RULE.fullmatch(line):
            n_rules += 1
            if n_rules == 2:
                n_header = len(rows)
            continue
        if not line.strip() or re.fullmatch(r"\s*-+(?:\s+-+)*\s*", line):
            continue
        texts = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        if not texts[0] and rows:
            # Without a first cell a line goes on with the row above.
            rows[-1] = [
                (" ".join(filter(None, (before, text))), (*ids, number))
                for (before, ids), text in zip(rows[-1], texts, strict=True)
            ]
            continue
        rows.append([(text, (number,)) for text in texts])
    return rows, (n_header if n_rules > 2 else 0)


_ASCIIDOC_CELL: Final = re.compile(r"(?:(?<=\s)|^)(?:\d+(?:\.\d+)?[+*])?(?:[<^>.]{0,4})?[aehlmsvd]?(?<!\\)\|")


def asciidoc_rows(lines: Sequence[str], first: int, n_cols: int) -> tuple[list[Row], bool]:
    """Return the rows of an AsciiDoc table, and whether a blank line behind the first says that it is the header.

    `n_cols` 0 means: as many as the first line has.

    >>> [[text for text, _ in row] for row in asciidoc_rows(["|Pier |Length", "", "|North", "|40 m"], 1, 0)[0]]
    [['Pier', 'Length'], ['North', '40 m']]
    """
    cells: Row = []
    first_row_ended = False
    for number, line in enumerate(lines, start=first):
        if not line.strip():
            first_row_ended = first_row_ended or (bool(cells) and (len(cells) == n_cols))
            continue
        parts = _ASCIIDOC_CELL.split(line)
        if parts[0].strip() and cells:
            text, ids = cells[-1]
            cells[-1] = (f"{text} {parts[0].strip()}".strip(), (*ids, number))
        cells += [(part.strip().replace("\\|", "|"), (number,)) for part in parts[1:]]
        n_cols = n_cols or len(cells)
    rows = [cells[start : start + n_cols] for start in range(0, len(cells), n_cols)] if n_cols else []
    return rows, first_row_ended

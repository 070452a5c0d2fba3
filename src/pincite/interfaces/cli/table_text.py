"""One table of a document at the terminal: no wider than the page, numbers flush right, what spans shown once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pincite.interfaces.cli.output import WIDTH, counted, print_line

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.types.document import Cell, ParsedDocument, Table

#: A column is never set narrower than this, and the first, which is repeated in each block, no wider.
_LEAST, _MOST_STUB = 8, 32
_GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class _Row:
    texts: list[str]
    is_header: bool


def print_table(console: "Console", table: "Table", document: "ParsedDocument") -> None:
    """Print a table: caption, place and size, then its rows.

    At a terminal a table that is too wide is shown in blocks of columns, the first column in each; in a pipe a row is a
    line. A name over several columns is printed once, above the first of them; cells that are empty stay blank.
    """
    print_line(console, f"{table.caption or 'Table'}  ({_place(table, document)}; {_shape(table)})", style="bold")
    rows = _rows(table)
    if not rows:
        return
    right = [_is_right(rows, col) for col in range(table.n_cols)]
    natural = [max(_width(row.texts[col]) for row in rows) for col in range(table.n_cols)]
    if not console.is_terminal:
        _print_block(console, rows, list(range(table.n_cols)), natural, right)
        return
    widths = [min(natural[0], _MOST_STUB), *natural[1:]]
    for number, block in enumerate(_blocks(widths, min(WIDTH, console.width))):
        if number:
            console.print()
        _print_block(console, rows, block, _fitted(block, widths, min(WIDTH, console.width)), right)


def _place(table: "Table", document: "ParsedDocument") -> str:
    from pincite.types.citation import Verdict
    from pincite.verifying import CitedDocument

    cited = CitedDocument(document, doc_id="", name=document.name)
    lines = document.lines_between(table.first_line_id, table.last_line_id)
    return cited.citation_of_lines(lines, Verdict(status="verified")).place


def _shape(table: "Table") -> str:
    units = " ".join(filter(None, (table.scale, table.unit)))
    size = f"{counted(table.n_rows, 'row')}, {counted(table.n_cols, 'column')}"
    return size + (f", in {units}" if units else "")


def _rows(table: "Table") -> list[_Row]:
    """Return the texts of each row; what spans several places stands in the first of them alone."""
    from pincite.rendering.visible import one_line

    cells = {(cell.row, cell.col): cell for cell in table.cells}
    rows = []
    for row in range(1, table.n_rows + 1):
        texts = []
        for col in range(1, table.n_cols + 1):
            cell = cells.get((row, col))
            again = cell is not None and any(
                _is_same(cell, cells.get(place)) for place in ((row, col - 1), (row - 1, col))
            )
            texts.append("" if cell is None or again else one_line(cell.text.replace("\t", " ")))
        rows.append(_Row(texts, row <= table.header_rows))
    return rows


def _is_same(cell: "Cell", other: "Cell | None") -> bool:
    """Say whether two places hold one cell: the same text in the same box."""
    return other is not None and bool(cell.text) and cell.box is not None and (cell.text, cell.box) == (
        other.text,
        other.box,
    )  # fmt: skip


def _is_right(rows: Sequence[_Row], col: int) -> bool:
    """Say whether most of a column below the header are numbers."""
    from pincite.text.cells import number_in_cell

    texts = [row.texts[col] for row in rows if not row.is_header and row.texts[col]]
    return col > 0 and bool(texts) and 2 * sum(number_in_cell(text) is not None for text in texts) > len(texts)


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the columns that are printed side by side; the first column opens each block."""
    blocks: list[list[int]] = [[0]]
    used = widths[0]
    for col in range(1, len(widths)):
        # A column of text may be folded; where there are few columns, all are.
        least = widths[col] if len(widths) > 3 else min(widths[col], _LEAST)
        if used + len(_GAP) + min(least, room // 2) > room and len(blocks[-1]) > 1:
            blocks.append([0])
            used = widths[0]
        blocks[-1].append(col)
        used += len(_GAP) + min(least, room // 2)
    return blocks


def _fitted(block: Sequence[int], widths: Sequence[int], room: int) -> list[int]:
    """Return widths of columns that fit into the room: the widest give way first."""
    out = [*widths]
    left = room - len(_GAP) * (len(block) - 1)
    while sum(out[col] for col in block) > left:
        widest = max(block, key=lambda col: out[col])
        if out[widest] <= _LEAST:
            break
        out[widest] -= 1
    return out


def _print_block(
    console: "Console", rows: Sequence[_Row], block: Sequence[int], widths: Sequence[int], right: Sequence[bool]
) -> None:
    from rich.text import Text

    for row in rows:
        wrapped = [
            [line.plain for line in Text(row.texts[col]).wrap(console, max(1, widths[col]))] or [""] for col in block
        ]
        for number in range(max(map(len, wrapped))):
            parts = [
                _set(lines[number].rstrip() if number < len(lines) else "", widths[col], flush_right=right[col])
                for col, lines in zip(block, wrapped, strict=True)
            ]
            line = _GAP.join(parts).rstrip()
            console.print(Text(line, style="dim" if row.is_header else ""), soft_wrap=True)


def _set(text: str, width: int, *, flush_right: bool) -> str:
    pad = " " * (width - _width(text))
    return pad + text if flush_right else text + pad

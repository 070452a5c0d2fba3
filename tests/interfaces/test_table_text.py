"""Tables at the terminal: within 80 columns, every cell there, empty ones blank."""

import io

from rich.console import Console
from tests.making import pages

from pincite.interfaces.cli.table_text import print_table
from pincite.types.document import Cell, Table
from pincite.types.geometry import BBox


def table(header: list[str], rows: list[list[str]]) -> Table:
    cells = [
        Cell(row=r, col=c, text=text, line_ids=(1,) if text else (), box=None)
        for r, row in enumerate([header, *rows], start=1)
        for c, text in enumerate(row, start=1)
    ]
    return Table(
        table_id=1, page_num=1, caption="Table 1. Berths", n_rows=len(rows) + 1, n_cols=len(header), header_rows=1,
        first_line_id=1, last_line_id=1, scale="thousands", cells=tuple(cells),
    )  # fmt: skip


def printed(shown: Table, width: int = 80) -> list[str]:
    out = io.StringIO()
    print_table(Console(file=out, width=width, force_terminal=True, color_system=None), shown, pages("Berths"))
    return out.getvalue().splitlines()


def test_numbers_stand_under_each_other() -> None:
    """A column of numbers is set flush right, an empty cell stays blank, the scale is said."""
    lines = printed(table(["Pier", "2031"], [["North", "1,204"], ["South", ""], ["West", "7"]]))

    assert lines[0] == "Table 1. Berths  (l.1; 4 rows, 2 columns, in thousands)"
    assert lines[1:] == ["Pier    2031", "North  1,204", "South", "West       7"]


def test_a_wide_table_is_shown_in_blocks() -> None:
    """No line is wider than the terminal, no cell is left out, and each block repeats the first column."""
    header = ["Pier", *(f"Month {n:02} of 2031" for n in range(12))]
    lines = printed(table(header, [["North pier", *(str(1000 + n) for n in range(12))]]))
    text = "\n".join(lines)

    assert max(map(len, lines)) <= 80
    assert all(name in text for name in header)
    assert all(str(1000 + n) in text for n in range(12))
    assert text.count("North pier") == text.count("Pier") > 1


def test_a_name_over_several_columns_is_printed_once() -> None:
    """What stands in several places in one box is one cell."""
    box = BBox(x0=10, y0=10, x1=90, y1=20)
    shown = table(["Pier", "2031", "2031"], [["North", "1", "2"], ["South", "3", "4"]])
    cells = tuple(
        Cell(row=c.row, col=c.col, text=c.text, line_ids=c.line_ids, box=box if c.text == "2031" else None)
        for c in shown.cells
    )
    spanning = Table(
        table_id=1, page_num=1, caption=None, n_rows=3, n_cols=3, header_rows=1, first_line_id=1, last_line_id=1,
        cells=cells,
    )  # fmt: skip

    assert "\n".join(printed(spanning)).count("2031") == 1

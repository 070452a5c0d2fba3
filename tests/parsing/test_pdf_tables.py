"""Tables of PDFs: where they are, their rows, columns, names and boxes, and what only looks like one."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from pincite.types.document import ParsedDocument, Table

Parse = Callable[..., ParsedDocument]


def at(x: float, y: float, text: str, font: str = "F", size: float = 10) -> str:
    """Return a piece of a content stream that sets a text; y counts from the bottom."""
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET\n"


def row(y: float, cells: Iterable[tuple[float, str]], font: str = "F") -> str:
    """Return a row of texts at their x."""
    return "".join(at(x, y, text, font) for x, text in cells)


def rule(x0: float, y0: float, x1: float, y1: float) -> str:
    """Return a thin line."""
    return f"{x0} {y0} m {x1} {y1} l S\n"


def ruled(xs: Sequence[float], ys: Sequence[float]) -> str:
    """Return a grid of rules."""
    return "".join(rule(xs[0], y, xs[-1], y) for y in ys) + "".join(rule(x, ys[0], x, ys[-1]) for x in xs)


def texts(table: Table) -> list[list[str]]:
    """Return the cells of a table, a list a row."""
    cells = {(cell.row, cell.col): cell.text for cell in table.cells}
    return [[cells[r, c] for c in range(1, table.n_cols + 1)] for r in range(1, table.n_rows + 1)]


STATEMENT = (
    at(72, 700, "Harbour Trust", "B")
    + at(72, 686, "Statement of Costs", "B")
    + at(72, 672, "(In thousands, except per share data)")
    + at(330, 652, "Year ended December 31,")
    + row(638, [(345, "2031"), (455, "2030")], "B")
    + at(72, 622, "Moorings:")
    + row(608, [(84, "North pier"), (320, "$"), (348, "1,204"), (388, "$"), (462, "987")])
    + row(594, [(84, "South pier"), (356, "310"), (460, "(12)")])
    + row(580, [(84, "West pier"), (356, "45")])
    + row(566, [(72, "Total moorings"), (320, "$"), (348, "1,559"), (388, "$"), (462, "975")])
)


def test_a_statement_without_rules_is_read_as_rows_and_years(parse_drawn: Parse) -> None:
    """Signs of currency far from their amount open no column, and a cell that is empty stays empty."""
    (table,) = parse_drawn(STATEMENT).tables

    assert texts(table)[-5:] == [
        ["Moorings:", "", ""],
        ["North pier", "$ 1,204", "$ 987"],
        ["South pier", "310", "(12)"],
        ["West pier", "45", ""],
        ["Total moorings", "$ 1,559", "$ 975"],
    ]


def test_a_name_over_columns_stands_in_each_of_them(parse_drawn: Parse) -> None:
    """The header says of each column what stands above it, the lone line over both years included."""
    (table,) = parse_drawn(STATEMENT).tables

    assert (table.header_rows, texts(table)[:2]) == (
        2,
        [["", "Year ended December 31,", "Year ended December 31,"], ["", "2031", "2030"]],
    )


def test_title_and_scale_come_from_the_lines_above(parse_drawn: Parse) -> None:
    """A bold line above is the title, "(In thousands …)" the scale."""
    (table,) = parse_drawn(STATEMENT).tables

    assert (table.caption, table.scale, table.unit) == ("Statement of Costs", "thousands", None)


def test_each_cell_has_a_box_of_its_own(parse_drawn: Parse) -> None:
    """The box of a cell holds its text and nothing of its neighbours."""
    (table,) = parse_drawn(STATEMENT).tables
    box = next(cell.box for cell in table.cells if cell.text == "310")

    assert box is not None
    assert (round(box.x0), round(box.x1)) == (356, 373)
    assert 792 - 594 - 10 < box.y0 < box.y1 < 792 - 594 + 4


GRID = (
    ruled([72, 172, 272, 372], [600, 620, 640, 660, 680])
    + row(666, [(76, "Pier"), (240, "2031")])
    + row(646, [(190, "In"), (290, "Out")])
    + row(626, [(76, "North"), (190, "40"), (290, "38")])
    + row(606, [(76, "South"), (290, "12")])
)


def test_rules_make_columns_and_rows(parse_drawn: Parse) -> None:
    """Cells stand between rules, empty ones too."""
    (table,) = parse_drawn(GRID).tables

    assert texts(table)[2:] == [["North", "40", "38"], ["South", "", "12"]]


def test_a_cell_over_several_columns_or_rows_is_one(parse_drawn: Parse) -> None:
    """Where no rule parts them, a name reaches over the columns below it, and a label over the rows beside it."""
    merged = (
        "".join(rule(72, y, 372, y) for y in (580, 620, 680)) + rule(172, 600, 372, 600) + rule(172, 640, 372, 640)
        + rule(172, 660, 372, 660)
        + rule(72, 580, 72, 680) + rule(172, 580, 172, 680) + rule(272, 580, 272, 660) + rule(372, 580, 372, 680)
        + row(666, [(256, "2031")]) + row(646, [(76, "Pier"), (190, "In"), (290, "Out")])
        + row(626, [(76, "North"), (190, "40"), (290, "38")])
        + row(606, [(76, "South"), (190, "10"), (290, "12")]) + row(586, [(190, "11"), (290, "13")])
    )  # fmt: skip
    (table,) = parse_drawn(merged).tables

    assert texts(table)[0][1:] == ["2031", "2031"]
    assert texts(table)[-2:] == [["South", "10", "12"], ["South", "11", "13"]]


def test_words_that_wrap_inside_a_cell_are_one_cell(parse_drawn: Parse) -> None:
    """A row between two rules is one row, however many lines its cells take."""
    wrapped = (
        ruled([72, 172, 400], [560, 600, 640, 660])
        + row(646, [(76, "Rule"), (180, "What it says")])
        + row(626, [(76, "Moor"), (180, "Boats are moored with two")])
        + row(614, [(180, "lines and a fender.")])
        + row(586, [(76, "Leave"), (180, "Boats leave at")])
        + row(574, [(76, "early"), (180, "high water.")])
    )
    (table,) = parse_drawn(wrapped).tables

    assert texts(table)[1:] == [
        ["Moor", "Boats are moored with two lines and a fender."],
        ["Leave early", "Boats leave at high water."],
    ]


def test_labels_that_wrap_around_their_values_are_one_row(parse_drawn: Parse) -> None:
    """A row of numbers alone, set at the middle of a label of two lines, is a row of the table."""
    drawn = rule(72, 700, 500, 700) + row(686, [(72, "Measure"), (300, "2029"), (360, "2030"), (420, "2031")])
    drawn += rule(72, 680, 500, 680)
    for number, y in enumerate((650, 610, 570)):
        drawn += at(72, y + 5, f"Boats that were moored over night, kind {number} (all") + at(72, y - 5, "sizes)")
        drawn += row(y, [(300, f"{number}.10"), (360, f"{number}.20"), (420, f"{number}.30")])
    drawn += rule(72, 560, 500, 560)
    (table,) = parse_drawn(drawn).tables

    assert texts(table)[1:] == [
        [f"Boats that were moored over night, kind {n} (all sizes)", f"{n}.10", f"{n}.20", f"{n}.30"] for n in range(3)
    ]


def test_a_table_with_text_around_it_is_not_mixed_with_it(parse_drawn: Parse) -> None:
    """Lines beside a ruled table are read on their own, and the table's rows on theirs."""
    prose = "the harbour keeps its boats on piers that were".split()
    drawn = "".join(at(72, 700 - 13 * n, " ".join(prose)) for n in range(12))
    drawn += ruled([360, 440, 500, 560], [600, 620, 640, 660, 680])
    for n, (name, a, b) in enumerate(
        (("Pier", "In", "Out"), ("North", "4", "5"), ("South", "6", "7"), ("All", "10", "12"))
    ):
        drawn += row(665 - 20 * n, [(364, name), (450, a), (510, b)])
    document = parse_drawn(drawn)

    assert {line.text for line in document.lines if line.role != "table"} == {" ".join(prose)}
    assert texts(document.tables[0])[1] == ["North", "4", "5"]


def test_a_table_over_two_pages_is_one_with_one_header(parse_drawn: Parse) -> None:
    """Rows of the next page go with the header, which is not repeated among them."""

    def page(first: int, n: int) -> str:
        out = (
            at(280, 760, "Harbour book")
            + at(300, 30, f"Page {first}")
            + row(720, [(72, "Berth"), (300, "Length"), (420, "Fee")], "B")
        )
        for k in range(n):
            out += row(700 - 14 * k, [(72, f"Berth {first + k}"), (300, f"{10 + k} m"), (420, f"{100 + k}")])
        return out

    (table,) = parse_drawn(page(1, 40), page(41, 40), page(81, 12)).tables

    assert (table.n_rows, table.header_rows, texts(table)[0]) == (93, 1, ["Berth", "Length", "Fee"])
    assert [texts(table)[41], texts(table)[-1]] == [["Berth 41", "10 m", "100"], ["Berth 92", "21 m", "111"]]


def test_leading_dots_are_no_part_of_a_label(parse_drawn: Parse) -> None:
    """What leads the eye to the value says nothing."""
    drawn = row(700, [(72, "Size"), (300, "Fee"), (380, "Days")])
    for n, name in enumerate(("Small", "Middle", "Large", "Huge")):
        drawn += row(680 - 14 * n, [(72, f"{name} " + "." * 40), (300, f"{14 + n}"), (380, f"{3 - n % 2}")])
    (table,) = parse_drawn(drawn).tables

    assert [cells[0] for cells in texts(table)] == ["Size", "Small", "Middle", "Large", "Huge"]


def test_contents_pages_and_columns_of_text_are_no_tables(parse_drawn: Parse) -> None:
    """Entries that lead to page numbers, and lines of text side by side, have no cells to look up."""
    contents = at(72, 720, "Contents", "B") + "".join(
        row(700 - 14 * n, [(72, f"{n + 1} Chapter of piers " + "." * 30), (500, f"{3 * n + 1}")]) for n in range(9)
    )
    left, right = "the keeper of the north pier counts the boats", "and the keeper of the south pier does not"
    columns = "".join(row(700 - 12 * n, [(72, f"{n} {left}"), (330, right)]) for n in range(14))

    assert [parse_drawn(page).tables for page in (contents, columns)] == [(), ()]


def test_the_axes_of_a_chart_are_no_table(parse_drawn: Parse) -> None:
    """Numbers on either side of a picture with the caption of a figure stand in no rows."""
    drawn = at(72, 720, "Figure 1: Boats and their length") + "".join(
        row(690 - 20 * n, [(72, f"{600 - 100 * n}"), (320, f"0.{9 - n}")]) for n in range(6)
    )

    assert parse_drawn(drawn).tables == ()


def test_a_grid_in_one_path_and_within_a_form_is_seen(parse_drawn: Parse) -> None:
    """Rules may be drawn as one path, as thin boxes, or with the page scaled."""
    path = "".join(f"72 {y} m 372 {y} l " for y in (600, 620, 640)) + "".join(
        f"{x} 600 m {x} 640 l " for x in (72, 172, 272, 372)
    )
    boxes = "".join(f"72 {y} 300 0.6 re f\n" for y in (600, 620, 640)) + "".join(
        f"{x} 600 0.6 40 re f\n" for x in (72, 172, 272, 372)
    )
    words = row(626, [(76, "Pier"), (190, "In"), (290, "Out")]) + row(606, [(76, "North"), (290, "38")])

    assert [
        texts(parse_drawn(drawn + words).tables[0])[1]
        for drawn in (path + "S\n", boxes, f"q 1 0 0 1 0 0 cm {boxes} Q\n")
    ] == [["North", "", "38"]] * 3


def test_boxes_of_cells_follow_the_turn_of_the_page(parse_drawn: Parse) -> None:
    """On a page that is shown turned, the boxes are where a reader sees the cells."""
    document = parse_drawn(GRID, rotate=90)
    lines = {line.line_id: line for line in document.lines}

    for cell in document.tables[0].cells:
        if cell.box is not None:
            box = lines[cell.line_ids[0]].box
            assert box is not None
            assert box.x0 - 1 <= cell.box.x0 <= cell.box.x1 <= box.x1 + 1
            assert box.y0 - 1 <= cell.box.y0 <= cell.box.y1 <= box.y1 + 1


def test_rows_come_in_the_order_of_their_lines(parse_drawn: Parse) -> None:
    """The lines of a table follow each other as its rows do."""
    (table,) = parse_drawn(STATEMENT).tables
    firsts = [min(i for c in table.cells if c.row == r for i in c.line_ids) for r in range(1, table.n_rows + 1)]

    assert all(a < b for a, b in pairwise(firsts))


def test_the_table_of_another_year_does_not_go_on_from_the_page_before(parse_drawn: Parse) -> None:
    """Two tables on two pages with the same columns and headers of different years are two."""

    def page(year: int, top: float) -> str:
        out = row(top, [(72, "Harbour"), (300, f"Fees {year}"), (420, f"Boats {year}")], "B")
        for k in range(int((top - 40) / 14)):
            out += row(top - 20 - 14 * k, [(72, f"Berth {k + 1}"), (300, f"{100 + k}"), (420, f"{10 + k}")])
        return out

    tables = parse_drawn(page(2031, 720), page(2030, 720)).tables

    assert [texts(table)[0] for table in tables] == [
        ["Harbour", "Fees 2031", "Boats 2031"],
        ["Harbour", "Fees 2030", "Boats 2030"],
    ]


_SHEET = [("Cash", "3,160", "1,514"), ("Boats", "1,978", "2,337"), ("Piers", "9,545", "9,094")]


def _rows(top: float, rows: list[tuple[str, str, str]]) -> str:
    return "".join(row(top - 14 * k, [(72, a), (364, b), (450, c)]) for k, (a, b, c) in enumerate(rows))


def test_years_above_a_table_name_its_columns(parse_drawn: Parse) -> None:
    """Also where names of groups stand between the years and the first row, and the days stand above them."""
    drawn = at(230, 740, "Balance sheet of the harbour", "B") + row(715, [(350, "May 26,"), (440, "May 27,")], "B")
    drawn += row(703, [(364, "2031"), (450, "2030")], "B") + at(72, 689, "ASSETS") + at(72, 675, "Current assets:")
    (table,) = parse_drawn(drawn + _rows(661, _SHEET)).tables

    assert (table.header_rows, texts(table)[0]) == (1, ["", "May 26, 2031", "May 27, 2030"])
    assert [texts(table)[-3], texts(table)[-1]] == [["Cash", "3,160", "1,514"], ["Piers", "9,545", "9,094"]]


def test_what_goes_on_below_a_rule_is_of_the_same_table(parse_drawn: Parse) -> None:
    """A second part without years of its own has the columns of the first; the total between belongs to them."""
    grid = "".join(f"{x} 645 m {x} 700 l S {x} 560 m {x} 612 l S " for x in (60, 340, 420, 520))
    rules = "".join(f"60 {y} m 520 {y} l S " for y in (700, 686, 672, 658, 645, 612, 598, 584, 571, 560))
    drawn = row(712, [(364, "2031"), (450, "2030")], "B") + _rows(689, _SHEET) + grid + rules
    drawn += row(630, [(72, "Total assets"), (364, "14,683"), (450, "12,945")]) + at(72, 617, "Liabilities", "B")
    drawn += _rows(601, [("Loans", "880", "1,281"), ("Dues", "7,545", "7,054"), ("Fines", "3,163", "2,466")])
    tables = parse_drawn(drawn).tables

    rows = [one for table in tables for one in texts(table)]
    assert len(tables) == 1
    assert (tables[0].header_rows, rows[0]) == (1, ["", "2031", "2030"])
    assert ["Total assets", "14,683", "12,945"] in rows
    assert rows[-1] == ["Fines", "3,163", "2,466"]


def test_years_within_a_table_begin_another(parse_drawn: Parse) -> None:
    """What stands below other years is not read under the first ones."""
    drawn = row(715, [(72, "Harbour"), (364, "2031"), (450, "2030")], "B") + _rows(701, _SHEET)
    drawn += row(659, [(364, "2029"), (450, "2028")], "B") + _rows(
        645, [("Fees", "12", "11"), ("Fines", "3", "4"), ("Dues", "7", "8")]
    )
    tables = parse_drawn(drawn).tables

    assert [texts(table)[0] for table in tables] == [["Harbour", "2031", "2030"], ["", "2029", "2028"]]
    assert texts(tables[1])[1] == ["Fees", "12", "11"]


def test_a_table_with_a_caption_of_its_own_may_stand_over_a_chart(parse_drawn: Parse) -> None:
    """The caption of the figure below it does not make rows of years a chart."""
    drawn = at(72, 730, "Table 3 - Boats by quarter", "B")
    drawn += row(710, [(300, "Q1"), (380, "Q2"), (460, "Total")], "B")
    for k in range(4):
        drawn += row(
            696 - 14 * k, [(72, f"{2028 + k}"), (300, f"{34 + k}.7"), (380, f"{36 + k}.2"), (460, f"{70 + k}.9")]
        )
    (table,) = parse_drawn(drawn + at(72, 636, "Figure 3 - Boats by quarter", "B")).tables

    assert texts(table)[1] == ["2028", "34.7", "36.2", "70.9"]

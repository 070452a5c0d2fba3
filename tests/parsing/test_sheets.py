"""Workbooks and delimited text: cells by name, values as they are shown, tables with their header."""

import datetime as dt
import io
from collections.abc import Sequence
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from tests.parsing.made_files import xlsx_bytes

from pincite.parsing.cell_formats import shown
from pincite.parsing.delimited import CsvParser
from pincite.parsing.xlsx import XlsxParser
from pincite.types.document import ParsedDocument


def parse(rows: Sequence[Sequence[Any]]) -> ParsedDocument:
    book = openpyxl.Workbook()
    for row, values in enumerate(rows, start=1):
        for col, value in enumerate(values, start=1):
            book.active.cell(row, col, value)
    out = io.BytesIO()
    book.save(out)
    return XlsxParser().parse(out.getvalue(), name="a.xlsx", uri="file:///a.xlsx")


def csv(text: str, name: str = "a.csv") -> ParsedDocument:
    return CsvParser().parse(text.encode(), name=name, uri="file:///a.csv")


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        (0.155, "0.0%", "15.5%"),
        (1250.5, '#,##0.00\\ "€"', "1,250.50 €"),
        (-1250.5, "#,##0.00;(#,##0.00)", "(1,250.50)"),
        (-3, "0;[Red]-0", "-3"),
        (1250, "[$€-407] #,##0", "€ 1,250"),
        (0.1 + 0.2, "General", "0.3"),
        (12.0, "General", "12"),
        (7, "000", "007"),
        (1500000, '0.0,,"M"', "1.5M"),
        (2.5, "0.###", "2.5"),
        (True, "General", "TRUE"),
        (dt.date(2031, 4, 5), "dd/mm/yyyy", "2031-04-05"),
        (dt.datetime(2031, 4, 5, 14, 30), "General", "2031-04-05 14:30"),  # noqa: DTZ001 - a cell has no zone
        (dt.time(9, 5), "h:mm", "09:05"),
        (1e20, "0.00E+00", "1E+20"),
        (-0.001, "0.0", "0.0"),
        ("a;b", "@", "a;b"),
        (0, '0;-0;"none"', "none"),
        (dt.timedelta(hours=30, minutes=5), "[h]:mm", "30:05"),
    ],
)
def test_values_are_shown_as_the_sheet_shows_them(value: object, form: str, expected: str) -> None:
    """A quote of a cell is what a person sees in it; dates are ISO days, which nobody can misread."""
    assert shown(value, form) == expected


@given(st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=12))
def test_no_number_format_breaks_the_reading(value: float, form: str) -> None:
    """Whatever a format says, a number becomes some text."""
    assert isinstance(shown(value, form), str)


def test_a_row_is_a_line_of_its_own_number() -> None:
    """Line 7 of a sheet is its row 7, and the third cell of it is in column C."""
    document = parse(
        [["Fees"], [], [None, None, "Boat", "Price"], [None, None, "Small", 14], [None, None, "Large", 20]]
    )

    assert [(line.line_num, line.text) for line in document.lines if line.text] == [
        (1, "Fees"), (3, "\t\tBoat\tPrice"), (4, "\t\tSmall\t14"), (5, "\t\tLarge\t20"),
    ]  # fmt: skip


def test_each_table_of_a_sheet_has_its_header() -> None:
    """Two tables below one another are two; what stands right above one is its caption."""
    document = parse(
        [["Boats"], ["Boat", "Fee"], ["Small", 14], ["Large", 20], [], ["Pier", "2030", "2031"], ["North", 4, 6]]
    )

    assert [(t.caption, t.header_rows, t.n_rows, t.n_cols) for t in document.tables] == [
        ("Boats", 1, 3, 2), (None, 1, 2, 3),
    ]  # fmt: skip


def test_heads_over_several_columns_name_them_all() -> None:
    """Of two header rows the upper one, merged, names every column below it."""
    staff = XlsxParser().parse(xlsx_bytes(), name="a.xlsx", uri="a").tables[1]

    assert staff.header_rows == 2
    assert [cell.text for cell in staff.cells if cell.row == 1] == ["", "2030", "2030", "2031", "2031"]


def test_hidden_sheets_rows_and_columns_are_not_read() -> None:
    """What nobody sees in a workbook is listed, never searched."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (("Boat", "Fee", "Cost"), ("Small", 14, 3), ("Large", 20, 5)):
        sheet.append(row)
    sheet.column_dimensions["C"].hidden = True
    sheet.row_dimensions[3].hidden = True
    out = io.BytesIO()
    book.save(out)
    document = XlsxParser().parse(out.getvalue(), name="a.xlsx", uri="a")

    assert [line.text for line in document.lines] == ["Boat\tFee", "Small\t14"]
    assert document.parsing_summary.hidden_text[0].text == "Cost 3 Large 20 5"


def test_a_formula_without_a_result_is_said() -> None:
    """A program wrote a sum and never computed it: the cell is empty, and the reader knows why."""
    document = parse([["Boat", "Fee"], ["All", "=SUM(B1:B1)"]])

    assert document.lines[1].text == "All"
    assert "1 formula has no stored result" in document.parsing_summary.warnings[0]


def test_a_large_workbook_is_read_by_the_quick_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit only values are read, in the same places, and the reader is told."""
    monkeypatch.setattr("pincite.parsing.xlsx.MAX_STYLED_CELLS", 3)
    document = parse([[], ["", "Boat", "Fee"], ["", "Small", 14.5], ["", "Large", 20]])

    assert [line.text for line in document.lines] == ["", "\tBoat\tFee", "\tSmall\t14.5", "\tLarge\t20"]
    assert "number formats were not applied" in document.parsing_summary.warnings[0]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter: str) -> None:
    """The mark that parts most lines alike parts the cells."""
    document = csv("\n".join(delimiter.join(row) for row in (("Pier", "Length"), ("North", "40 m"), ("South", "35 m"))))

    assert [cell.text for cell in document.tables[0].cells] == ["Pier", "Length", "North", "40 m", "South", "35 m"]
    assert document.tables[0].header_rows == 1


def test_decimal_commas_are_no_delimiters() -> None:
    """A German export keeps its numbers whole."""
    (table,) = csv("Pier;Länge\nNord;40,5\nSüd;35,25\n").tables

    assert [cell.text for cell in table.cells][2:] == ["Nord", "40,5", "Süd", "35,25"]


def test_a_record_over_two_lines_is_one_row() -> None:
    """Lines stay those of the file; a quoted line end parts no row."""
    document = csv('Pier,Note\nNorth,"good\nand wide"\nSouth,\n')
    cells = document.tables[0].cells

    assert (document.tables[0].n_rows, len(document.lines)) == (3, 4)
    assert (cells[3].text, cells[3].line_ids) == ("good and wide", (2, 3))


@pytest.mark.parametrize("text", ["", "hello\n", "one line, with a comma\nand another\n", '"never closed\n', "\n\n"])
def test_text_that_is_no_table_stays_text(text: str) -> None:
    """A .csv that holds prose is read line by line."""
    assert csv(text).tables == ()


@given(st.text(max_size=300), st.sampled_from(["a.csv", "a.tsv"]))
def test_any_text_is_read_line_by_line(text: str, name: str) -> None:
    """Whatever a delimited file holds, its lines are the file's own."""
    document = csv(text.encode("utf-8", "replace").decode().replace("\0", ""), name)

    assert all(cell.line_ids and cell.line_ids[-1] <= len(document.lines) for t in document.tables for cell in t.cells)


def test_text_boxes_are_read_and_name_the_cell_under_their_corner() -> None:
    """What an author wrote over the cells is text like any other; a box that nobody sees is listed as hidden."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet("Costs")
        sheet.write_row(0, 0, ["Item", "Fee"])
        sheet.write_row(1, 0, ["Berth", 12])
        sheet.insert_textbox("D12", "Refunds are paid within 14 days.\nAsk at the office.")
        sheet.insert_textbox("C2", "Cranes are hired by the hour.")
        book.add_worksheet("Notes").insert_textbox("A1", "The gate opens at 7.")
    document = XlsxParser().parse(out.getvalue(), name="a.xlsx", uri="file:///a.xlsx")

    boxes = {s.title: s for s in document.toc if s.level == 2}
    assert [(s.title, s.start_page) for s in boxes.values()] == [
        ("Text box at C2", 1),
        ("Text box at D12", 1),
        ("Text box at A1", 2),
    ]
    said = [
        [line.text for line in document.lines if line.section_id == s.section_id and line.text] for s in boxes.values()
    ]
    assert said == [
        ["Cranes are hired by the hour."],
        ["Refunds are paid within 14 days.", "Ask at the office."],
        ["The gate opens at 7."],
    ]
    assert [line.line_num for line in document.lines if line.text == "Berth\t12"] == [2]

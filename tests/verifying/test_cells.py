"""Cells that are cited, and values computed from them: looked up and computed again."""

import pytest
from tests.making import cited, pages

from pincite.types.answer import ClaimedQuote, Derivation, Draft, DraftItem, Quantity
from pincite.types.citation import CellRef
from pincite.types.document import Cell, ParsedDocument, Table
from pincite.types.geometry import BBox
from pincite.verifying import CitedDocument, Verified, verify

TEXT = "# Pumps\n\n| Pump | Torque (Nm) | Limit (h) |\n| --- | --- | --- |\n| HX-20 | 18 | 400 |\n| HX-60 | 55 | |\n"
ROWS = {5: "| HX-20 | 18 | 400 |", 6: "| HX-60 | 55 | |"}


def claim(line: int, row: int, col: int) -> ClaimedQuote:
    ref = CellRef(table_id=1, row=row, col=col)
    return ClaimedQuote(doc_id="note.md", first_line_id=line, last_line_id=line, quote=ROWS[line], cell=ref)


def checked(item: DraftItem) -> Verified:
    return verify(Draft(shape="amount", items=(item,)), {"note.md": cited(TEXT)})


@pytest.mark.parametrize(
    ("line", "row", "col", "number", "holds"),
    [
        (5, 2, 2, "18", True),
        (5, 2, 2, "400", False),  # the neighbour's value, though it is on the line
        (5, 2, 3, "18", False),
        (5, 3, 2, "55", False),  # another row than the one quoted
        (6, 3, 3, "55", False),  # an empty cell
        (5, 9, 2, "18", False),  # no such cell
    ],
)
def test_a_cell_states_its_own_value_alone(line: int, row: int, col: int, number: str, holds: bool) -> None:
    """A value has to be that of the cell it is pinned to, on the lines that are quoted."""
    found = checked(DraftItem(text=number, quotes=(claim(line, row, col),), value=Quantity(number=number)))

    assert bool(found.items) == holds
    assert [item.citations[0].cell.row_name for item in found.items if item.citations[0].cell] == ["HX-20"] * holds


def test_the_words_of_an_item_are_those_of_its_cell() -> None:
    """A figure of the neighbour in the words of an item fails, though the quoted row holds it."""
    assert checked(DraftItem(text="400", quotes=(claim(5, 2, 2),))).items == ()


@pytest.mark.parametrize(
    ("operator", "number", "unit", "holds"),
    [
        ("difference", "37", None, True),
        ("difference", "-37", None, False),
        ("sum", "73", None, True),
        ("mean", "36.5", None, True),
        ("mean", "36", None, False),
        ("ratio", "3.06", None, True),
        ("ratio", "3.0", None, False),
        ("change", "-67.3", "%", True),
        ("change", "-67.3", None, False),
    ],
)
def test_what_is_computed_is_computed_again(operator: str, number: str, unit: str | None, holds: bool) -> None:
    """A result stands only when it comes out of the cited cells, rounded to the places it is written with."""
    item = DraftItem(
        text=number,
        quotes=(claim(6, 3, 2), claim(5, 2, 2)),
        value=Quantity(number=number, unit=unit),
        derivation=Derivation(operator=operator, operands=("HX-60: 55", "HX-20: 18")),  # type: ignore[arg-type]
    )

    assert bool(checked(item).items) == holds


def test_an_operand_says_what_its_cell_says() -> None:
    """An operand with another figure than its cell is no operand."""
    item = DraftItem(
        text="38",
        quotes=(claim(6, 3, 2), claim(5, 2, 2)),
        value=Quantity(number="37"),
        derivation=Derivation(operator="difference", operands=("HX-60: 56", "HX-20: 18")),
    )

    assert checked(item).items == ()


def paged() -> ParsedDocument:
    from msgspec.structs import replace

    document = pages("Torque 18 400")
    cells = tuple(
        Cell(row=1, col=col, text=text, line_ids=(1,), box=BBox(x0=50.0 * col, y0=10, x1=50.0 * col + 20, y1=20))
        for col, text in enumerate(("Torque", "18", "400"), start=1)
    )
    table = Table(
        table_id=1, page_num=1, caption=None, n_rows=1, n_cols=3, header_rows=0, first_line_id=1, last_line_id=1,
        unit=None, scale=None, cells=cells,
    )  # fmt: skip
    return replace(document, tables=(table,))


def test_a_cell_is_shown_by_its_own_box() -> None:
    """What is highlighted is the cell, not its row."""
    document = paged()
    quote = ClaimedQuote(
        doc_id="d", first_line_id=1, last_line_id=1, quote="Torque 18 400", cell=CellRef(table_id=1, row=1, col=2)
    )
    draft = Draft(shape="amount", items=(DraftItem(text="18", quotes=(quote,), value=Quantity(number="18")),))
    (item,) = verify(draft, {"d": CitedDocument(document, doc_id="d", name="d.pdf")}).items

    assert [box.box for box in item.citations[0].boxes] == [(100.0, 10.0, 120.0, 20.0)]

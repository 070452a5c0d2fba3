"""A cell that a quote is said to hold: it is looked up in the table, and its own box is what is shown."""

from msgspec.structs import replace

from pincite.text.fold import fold
from pincite.types.citation import CellRef, Citation, HighlightBox
from pincite.types.document import Cell, Table
from pincite.verifying.cited import CitedDocument


def cell_of(ref: CellRef, document: CitedDocument) -> tuple[Table, Cell] | None:
    """Return the table and the cell that a reference names, `None` when the document has none there."""
    table = document.table(ref.table_id)
    if table is None:
        return None
    found = next((cell for cell in table.cells if (cell.row, cell.col) == (ref.row, ref.col)), None)
    return None if found is None else (table, found)


def with_cell(citation: Citation, ref: CellRef, document: CitedDocument) -> tuple[Citation, str | None]:
    """Return the citation of a quote pinned to one cell in it, or the reason why the cell is not there.

    The cell has to stand on a line that is quoted, and to have text: an empty cell states nothing.
    """
    found = cell_of(ref, document)
    if found is None:
        return citation, f"there is no cell in row {ref.row}, column {ref.col} of table {ref.table_id}"
    table, cell = found
    if not cell.text.strip():
        return citation, f"the cell in row {ref.row}, column {ref.col} of table {ref.table_id} is empty"
    if not set(cell.line_ids) & set(citation.line_ids):
        return citation, f"the cell {cell.text!r} of table {ref.table_id} is not on the lines that are quoted"
    if not holds_cell(_text(cell, document), cell.text):
        return citation, f"the cell {cell.text!r} of table {ref.table_id} is not what its lines say"
    boxes = citation.boxes
    if cell.box is not None:
        page = next(page for page in document.document.pages if page.page_num == _page(cell, document))
        box = cell.box
        boxes = (
            HighlightBox(
                page=page.page_num,
                width_pt=page.width_pt,
                height_pt=page.height_pt,
                box=(box.x0, box.y0, box.x1, box.y1),
            ),
        )
    named = CellRef(
        table_id=ref.table_id,
        row=ref.row,
        col=ref.col,
        text=cell.text,
        row_name=_row_name(table, cell),
        column_name=_column_name(table, cell),
        unit=table.unit,
        scale=table.scale,
    )
    return replace(citation, boxes=boxes, cell=named), None


def holds_cell(text: str, cell: str) -> bool:
    r"""Say whether the words of a cell stand in a text, in their order; lines of other cells may stand between them.

    >>> holds_cell("Net income $  709 $  621", "$ 709"), holds_cell("Torque  18  400", "650")
    (True, False)
    >>> holds_cell(r"| T-1 | a\|b |", "a|b")
    True
    """
    # Markdown writes a bar inside a cell as "\\|".
    return bool(cell.strip()) and (_stands_in(text, cell) or _stands_in(text.replace("\\|", "|"), cell))


def _stands_in(text: str, cell: str) -> bool:
    at = 0
    plain = fold(text).text
    for word in fold(cell).text.split():
        found = plain.find(word, at)
        if found < 0:
            return False
        at = found + len(word)
    return True


def _page(cell: Cell, document: CitedDocument) -> int:
    return document.document.lines[cell.line_ids[0] - 1].page_num


def _text(cell: Cell, document: CitedDocument) -> str:
    return " ".join(document.document.lines[line_id - 1].text for line_id in cell.line_ids)


def _row_name(table: Table, cell: Cell) -> str:
    """Return the first text of the row."""
    own = (one.text for one in table.cells if one.row == cell.row and one.text.strip())
    return next(own, "")


def _column_name(table: Table, cell: Cell) -> str:
    """Return the names above the cell in the header, from the top."""
    above = [one.text for one in table.cells if one.col == cell.col and one.row <= table.header_rows and one.text]
    return " ".join(dict.fromkeys(above))

"""Values of cells, and values computed from cells: read and computed again from what is cited."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from pincite.text.cells import number_in_cell
from pincite.text.derived import currency_of, derived, factor_of, rounded, scale_of
from pincite.text.formulas import degree, evaluate, operands_of
from pincite.types.answer import DraftItem, Quantity
from pincite.types.citation import CellRef


def states(cell: CellRef, value: Quantity) -> bool:
    """Say whether a cell holds a value, with the scale and currency that it or its table states."""
    number, claimed = number_in_cell(cell.text), _decimal(value.number)
    if number is None or claimed != number:
        return False
    if value.scale is not None and value.scale != scale_of(cell.scale):
        return False
    if value.currency is not None and value.currency not in {currency_of(cell.unit), currency_of(_sign(cell.text))}:
        return False
    return value.unit is None or value.unit in {cell.unit, "%" if "%" in cell.text else None} or _is_named(value, cell)


def is_recomputed(item: DraftItem, cells: Sequence[CellRef]) -> bool:
    """Say whether the value of a derived item comes out again from the numbers of the cells it cites.

    Each operand names its cell by ending in its text; a value may be rounded to the places it is written with.
    """
    if item.derivation is None or not isinstance(item.value, Quantity):
        return False
    operands = item.derivation.operands
    numbers = [number_in_cell(cell.text) for cell in cells]
    known = [number for number in numbers if number is not None]
    if len(known) != len(cells) or len(operands) != len(cells):
        return False
    if not all(operand.endswith(cell.text) for operand, cell in zip(operands, cells, strict=True)):
        return False
    scales = [scale_of(cell.scale) for cell in cells]
    if item.derivation.operator == "formula":
        return _is_worked_out(item.value, item.derivation.formula or "", known, scales)
    if item.derivation.operator == "ratio":
        known = [number * factor_of(scale) for number, scale in zip(known, scales, strict=True)]
        scales = [None]
    if len(set(scales)) > 1:
        return False
    result = derived(item.derivation.operator, known)
    claimed = _decimal(item.value.number)
    if result is None or claimed is None:
        return False
    if not _fits(item.value, item.derivation.operator, cells, scales[0]):
        return False
    places = max(0, -int(claimed.as_tuple().exponent))
    return rounded(result, places) == claimed


def _is_worked_out(value: Quantity, formula: str, numbers: Sequence[Decimal], scales: Sequence[str | None]) -> bool:
    """Say whether a value is what a formula makes of all its operands; one that counts has their scale, others none."""
    common = set(scales)
    if len(common) > 1:
        numbers = [number * factor_of(scale) for number, scale in zip(numbers, scales, strict=True)]
    claimed, result = _decimal(value.number), evaluate(formula, numbers)
    if claimed is None or result is None or operands_of(formula) != tuple(range(1, len(numbers) + 1)):
        return False
    counts = degree(formula, numbers)
    scale = scales[0] if counts == 1 and len(common) == 1 else None
    if counts is None or value.scale != scale or (counts == 0 and value.currency is not None):
        return False
    if value.unit is not None and not (value.unit == "%" and counts == 0 and formula.endswith("× 100")):
        return False
    return rounded(result, max(0, -int(claimed.as_tuple().exponent))) == claimed


def _fits(value: Quantity, operator: str, cells: Sequence[CellRef], scale: str | None) -> bool:
    """Say whether the unit and scale of a result are those that its operands give it."""
    if operator == "change":
        return value.unit == "%" and value.scale is None
    if operator == "ratio":
        return value.unit is None and value.scale is None and value.currency is None
    is_share = all("%" in cell.text for cell in cells)
    return value.scale == scale and (value.unit != "%" or is_share)


def _decimal(written: str) -> Decimal | None:
    try:
        return Decimal(written)
    except InvalidOperation:
        return None


def _sign(text: str) -> str | None:
    return next((sign for sign in ("$", "€", "£", "¥", "₹") if sign in text), None)


def _is_named(value: Quantity, cell: CellRef) -> bool:
    """Say whether the unit of a value stands in the names of its row and column: "Torque (Nm)"."""
    return (
        value.unit is not None
        and value.unit in f"{cell.row_name} {cell.column_name} {cell.text}".replace("(", " ").replace(")", " ").split()
    )

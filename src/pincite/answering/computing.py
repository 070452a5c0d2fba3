"""Results of operations on cells that were found: the value, how it comes about, and a cite of each operand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from pincite.answering.formulas import Formula
from pincite.answering.lookup import FoundCell, quantity
from pincite.text.cells import number_in_cell
from pincite.text.derived import derived, factor_of, rounded, scale_of
from pincite.text.formulas import degree, evaluate, filled_in
from pincite.types.answer import Derivation, DraftItem, Quantity

Operator = Literal["sum", "difference", "ratio", "mean", "change", "formula"]
_I: Final = re.IGNORECASE
_ROUND: Final = re.compile(r"\b(?P<n>one|two|three|four|\d)\s+decimal", _I)
_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4}
_SIGNS: Final = {"sum": " + ", "difference": " − ", "ratio": " ÷ "}
#: Rows of amounts that are spent, which statements of cash flows print as negative.
_PAID: Final = re.compile(
    r"\b(?:paid|pay|payments?|purchases?|purchased|spending|expenditures?|additions?|dividends?|costs?|expenses?"
    r"|acquisitions?|repurchases?)\b",
    _I,
)


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived item, or why it can not be computed although the table is there."""

    item: DraftItem | None
    reason: str | None = None
    caveats: tuple[str, ...] = ()


def computed(operator: Operator, cells: Sequence[FoundCell], question: str) -> Derived | None:
    """Return the result of one operation on cells, `None` where they hold no numbers that go together."""
    known = _numbers(cells)
    scales = [scale_of(cell.row.place.scale) for cell in cells]
    if known is None or _is_unclear(scales) or (operator != "ratio" and len(set(scales)) > 1):
        return None
    if operator == "ratio":
        known = [number * factor_of(scale) for number, scale in zip(known, scales, strict=True)]
    result = derived(operator, known)
    if result is None:
        return None
    value = _value(operator, result, cells, _places(operator, known, question))
    operands = tuple(f"{cell.name}: {cell.text}" for cell in cells)
    item = DraftItem(
        text=_said(operator, value, cells),
        quotes=tuple(cell.view.quote(cell.row, cell.col) for cell in cells),
        value=value,
        derivation=Derivation(operator=operator, operands=operands),
    )
    return Derived(item)


def worked_out(made: Formula, cells: Sequence[FoundCell], question: str) -> Derived | None:
    """Return the result of a formula of several steps, with its steps in the figures of the source."""
    known = _numbers(cells)
    scales = [scale_of(cell.row.place.scale) for cell in cells]
    if known is None or _is_unclear(scales):
        return None
    formula, paid = _with_paid(made.text, known, cells)
    if len(set(scales)) > 1:
        known = [number * factor_of(scale) for number, scale in zip(known, scales, strict=True)]
    result, counts = evaluate(formula, known), degree(formula, known)
    if result is None or counts is None:
        return None
    usual = 0 if counts else 1 if made.is_percent else 2
    like = quantity(cells[0]) if counts else None
    value = Quantity(
        number=format(rounded(result, _places("formula", known, question, usual=usual)), "f"),
        unit="%" if made.is_percent and not counts else None,
        scale=scales[0] if counts and len(set(scales)) == 1 else None,
        currency=like.currency if like else None,
    )
    caveats = [f"computed by the usual formula: {one}" for one in dict.fromkeys(made.usual)]
    caveats += [f"taken as an amount paid: {name}" for name in dict.fromkeys(paid)]
    return Derived(_worked_item(formula, value, cells), caveats=tuple(caveats))


def _numbers(cells: Sequence[FoundCell]) -> list[Decimal] | None:
    numbers = [number_in_cell(cell.text) for cell in cells]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(cells) else None


def _with_paid(formula: str, numbers: Sequence[Decimal], cells: Sequence[FoundCell]) -> tuple[str, list[str]]:
    """Return a formula that takes what was paid as a positive amount, and the rows of such amounts."""
    paid = []
    for place, (number, cell) in enumerate(zip(numbers, cells, strict=True), start=1):
        if number < 0 and _PAID.search(cell.row.name):
            formula = formula.replace(f"[{place}]", f"(−[{place}])")
            paid.append(cell.row.name)
    return formula, paid


def _worked_item(formula: str, value: Quantity, cells: Sequence[FoundCell]) -> DraftItem:
    names = "; ".join(f"[{place}] {cell.name}" for place, cell in enumerate(cells, start=1))
    shown = value.number + (" %" if value.unit else "")
    operands = tuple(f"{cell.name}: {cell.text}" for cell in cells)
    return DraftItem(
        text=f"{shown} = {filled_in(formula, [_plain(cell.text) for cell in cells])} ({names})",
        quotes=tuple(cell.view.quote(cell.row, cell.col) for cell in cells),
        value=value,
        derivation=Derivation(operator="formula", operands=operands, formula=formula),
    )


def _is_unclear(scales: Sequence[str | None]) -> bool:
    """Say whether some figures count in thousands, say, and others do not tell what they count in."""
    return None in scales and len(set(scales)) > 1


def _plain(text: str) -> str:
    """Return the figure of a cell as it stands in a formula: without its currency."""
    return text.lstrip("$€£¥₹ ").strip()


def _places(operator: Operator, numbers: Sequence[Decimal], question: str, *, usual: int | None = None) -> int:
    """Return how many decimals a result has: as many as are asked for, else what its operands bear."""
    match = _ROUND.search(question)
    if match is not None:
        return _NUMBERS.get(match["n"].lower()) or int(match["n"])
    if usual is not None:
        return usual
    most = max(max(0, -int(number.as_tuple().exponent)) for number in numbers)
    return {"ratio": 2, "change": 1, "mean": most + 1}.get(operator, most)


def _value(operator: Operator, result: Decimal, cells: Sequence[FoundCell], places: int) -> Quantity:
    number = format(rounded(result, places), "f")
    if operator == "ratio":
        return Quantity(number=number)
    if operator == "change":
        return Quantity(number=number, unit="%")
    like = quantity(cells[0])
    scale = scale_of(cells[0].row.place.scale)
    return Quantity(
        number=number, unit=like.unit if like else None, scale=scale, currency=like.currency if like else None
    )


def _said(operator: Operator, value: Quantity, cells: Sequence[FoundCell]) -> str:
    """Return the result and how it comes about, in the figures of the source."""
    texts = [cell.text for cell in cells]
    shown = value.number + (" %" if value.unit == "%" else "")
    if operator == "change":
        return f"{shown}: from {texts[0]} to {texts[1]} ({cells[0].name}, {cells[1].view.header[cells[1].col]})"
    names = "; ".join(cell.name for cell in cells)
    if operator == "mean":
        return f"{shown}: the mean of {', '.join(texts)} ({names})"
    return f"{shown} = {_SIGNS[operator].join(texts)} ({names})"

"""Every number, date and name of currency in an item is parsed again from its quotes."""

import csv
import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Literal

from pincite.text.amounts import find_quantities
from pincite.text.dates import find_dates
from pincite.text.fold import fold
from pincite.text.units import unit_meant
from pincite.types.answer import Cells, DateValue, DraftItem, Quantity, Value
from pincite.types.citation import CellRef
from pincite.verifying.cell_quotes import holds_cell
from pincite.verifying.derived import is_recomputed, states

Outcome = Literal["passed", "failed", "none"]


def check_values(
    item: DraftItem, quotes: Sequence[str], cells: Sequence[CellRef] = (), names: Sequence[str] = ()
) -> Outcome:
    """Return whether everything that can be counted or dated in `item` stands in `quotes`.

    `none` means that the item holds no number and no date. A derived item is checked by its operands: a count
    has to count the quotes, all else is computed again from the `cells` that are cited, in their order. `names` are
    those of the documents that are cited: a row of an answer may be named by its document.
    """
    text = " ".join(quotes)
    if item.derivation is not None:
        if item.derivation.operator != "count":
            return "passed" if is_recomputed(item, cells) else "failed"
        counted = isinstance(item.value, Quantity) and item.value.number == str(len(item.derivation.operands))
        return "passed" if counted else "failed"
    if cells:
        # The row that is quoted holds the neighbours too: only the cell itself counts.
        text = " ".join(cell.text for cell in cells)
    outcomes = _cell_outcomes(item.value, cells, names) if cells else _value_outcomes(item, text)
    if not isinstance(item.value, Cells):
        outcomes += _text_outcomes(item.text, text)
    if not outcomes:
        return "none"
    return "passed" if all(outcomes) else "failed"


def _cell_outcomes(value: Value | None, cells: Sequence[CellRef], names: Sequence[str]) -> list[bool]:
    """Return whether a value is what one of the cited cells says; cells side by side are those that are cited."""
    if isinstance(value, Cells):
        known = [fold(text).text for cell in cells for text in (cell.text, cell.row_name)]
        return [one in names or any(fold(one).text in text for text in known) for one in value.cells if one]
    if isinstance(value, Quantity):
        return [
            any(
                states(cell, value)
                or any(_same_quantity(value, q.value, cell.text) for q in find_quantities(cell.text))
                for cell in cells
            )
        ]
    if isinstance(value, DateValue):
        return [value.iso in _dates_in(cell.text) for cell in cells[:1]]
    return []


def row_in_cells(row: str) -> str:
    """Return a row of a CSV file with its cells set apart, so that `Lock 5,4 m` is no 5.4 metres.

    >>> row_in_cells("Lock 5,4 m"), row_in_cells("Lock 5;4,2 m")
    ('Lock 5 | 4 m', 'Lock 5 | 4,2 m')
    """
    delimiter = next((mark for mark in ("\t", ";", "|") if mark in row), ",")
    return "\n".join(" | ".join(cells) for cells in csv.reader(row.split("\n"), delimiter=delimiter))


def _value_outcomes(item: DraftItem, text: str) -> list[bool]:
    value = item.value
    if isinstance(value, Quantity):
        return [any(_same_quantity(value, q.value, text) for q in find_quantities(text))]
    if isinstance(value, DateValue):
        return [fold(value.original).text in fold(text).text and value.iso in _dates_in(text)]
    if isinstance(value, Cells):
        folded = fold(text).text
        return [fold(cell).text in folded or holds_cell(text, cell) for cell in value.cells if cell]
    return []


def _same_quantity(claimed: Quantity, found: Quantity, text: str) -> bool:
    return (
        _number(claimed.number) == _number(found.number)
        and claimed.scale == found.scale
        and (claimed.currency is None or claimed.currency == found.currency)
        and (claimed.unit is None or claimed.unit == found.unit or _holds_word(text, claimed.unit))
    )


def _holds_word(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(fold(word).text)}(?!\w)", fold(text).text) is not None


def _number(written: str) -> Decimal | str:
    try:
        return Decimal(written)
    except InvalidOperation:
        return written


def _text_outcomes(said: str, text: str) -> list[bool]:
    """Every number that the item's own words hold is one of the quotes' numbers; so is every date."""
    if "," in said and row_in_cells(said) in text:
        said = row_in_cells(said)  # a row as it stands is parted as its quote is
    known: dict[Decimal | str, list[Quantity]] = defaultdict(list)
    for found in find_quantities(text):
        known[_number(found.value.number)].append(found.value)
    dates = _dates_in(text)
    numbers = [
        any(not _differs(q.value, one, text) for one in known.get(_number(q.value.number), ()))
        for q in find_quantities(said)
        if not q.in_words
    ]
    return numbers + [any(_is_part(d.value.iso, of=date) for date in dates) for d in find_dates(said)]


def _differs(claimed: Quantity, found: Quantity, text: str) -> bool:
    """Say whether one number is given in another unit, scale or currency: 340 tonnes for 340 kg.

    A unit that is not known may be the other in another language.
    """
    units = {unit_meant(one.unit or "") for one in (claimed, found)}
    if len(units) > 1 and None not in units and not _holds_word(text, claimed.unit or ""):
        return True
    currencies = {claimed.currency, found.currency}
    is_other_scale = claimed.scale is not None and found.scale is not None and claimed.scale != found.scale
    return is_other_scale or (len(currencies) > 1 and currencies <= _SURE_CURRENCIES)


#: Currencies of one name in every language; "crowns" and "Kronen" may be one.
_SURE_CURRENCIES = frozenset({"USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR"})


def _dates_in(text: str) -> set[str]:
    """Return the ISO dates of `text`, numeric ones in both orders of day and month."""
    return {d.value.iso for day_first in (True, False) for d in find_dates(text, day_first=day_first)}


def _is_part(iso: str, *, of: str) -> bool:
    """Say whether a date is another one or what is known of it: "1996" or "--05-12" of "1996-05-12"."""
    return of == iso or of.startswith(f"{iso}-") or (iso.startswith("--") and of.endswith(iso[1:]))

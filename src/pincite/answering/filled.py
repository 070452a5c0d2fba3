"""A filled form to a draft: line numbers to lines, values taken from the quotes themselves, problems said."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from msgspec.structs import replace

from pincite.answering.forms import AmountItem, CountForm, DateItem, Form, FormItem, RowItem, TableForm, TruthItem
from pincite.answering.numbered_lines import NumberedLines
from pincite.text.amounts import find_quantities, plain_number
from pincite.text.dates import find_dates
from pincite.types.answer import (
    Cells,
    ClaimedQuote,
    DateValue,
    Derivation,
    Draft,
    DraftItem,
    Quantity,
    Truth,
    Value,
)
from pincite.types.question import GenerationBrief
from pincite.types.record import Record

#: More items than this are no answer; a model that loops writes them.
MOST_ITEMS: Final = 500


class Mapped(Record, frozen=True, kw_only=True):
    """An item as a draft has it, and what is wrong with it."""

    item: DraftItem
    problems: tuple[str, ...]


def draft_of_form(form: Form, brief: GenerationBrief, lines: NumberedLines) -> Draft:
    """Return the draft that a filled form makes; nothing of it is checked against the documents yet.

    Whatever the form says of its own completeness and confidence is kept beside, as `claimed_*`.
    """
    problems = list(_form_problems(form))
    is_refused = not form.found
    mapped = () if is_refused else tuple(_mapped(item, lines) for item in form.items[:MOST_ITEMS])
    problems += [problem for one in mapped for problem in one.problems]
    items = tuple(one.item for one in mapped)
    draft = Draft(
        shape=brief.shape,
        items=items,
        columns=form.columns if isinstance(form, TableForm) else (),
        reason=form.reason or ("The model found no answer in the lines it was given." if not items else None),
        conflicting_evidence=form.conflicting,
        extraction_method="verbatim" if all(map(_is_verbatim, items)) else "inferred",
        claimed_complete=form.complete,
        claimed_confidence=min(max(form.confidence, 0.0), 1.0),
        problems=tuple(dict.fromkeys(problems)),
    )
    is_counted = isinstance(form, CountForm) and not form.stated and bool(items)
    return _counted(draft, brief) if is_counted else draft


def _form_problems(form: Form) -> Iterator[str]:
    if form.found and not form.items:
        yield "found is true, but there are no items: give the items with their quotes, or set found to false"
    if not form.found and form.items:
        yield "found is false, but there are items: either the lines answer the question or they do not"
    if isinstance(form, TableForm):
        for row in form.items:
            if len(row.cells) != len(form.columns):
                yield f"{row.text!r} has {len(row.cells)} cells for {len(form.columns)} columns"


def _mapped(item: FormItem, lines: NumberedLines) -> Mapped:
    quotes: list[ClaimedQuote] = []
    problems: list[str] = []
    for quoted in item.quotes:
        if lines.line(quoted.first_line) is None:
            problems.append(f"{item.text!r} cites line {quoted.first_line}; the lines go from 1 to {len(lines)}")
        claim = lines.claim(quoted.first_line, quoted.last_line, quoted.quote)
        if claim is not None:
            quotes.append(claim)
    if not item.quotes:
        problems.append(f"{item.text!r} has no quote")
    value = _value(item, " ".join(q.quote for q in quotes))
    return Mapped(item=DraftItem(text=item.text, quotes=tuple(quotes), value=value), problems=tuple(problems))


def _value(item: FormItem, quoted: str) -> Value | None:
    """Return the value as the quote has it where it has it; else as the model wrote it, for the check to refuse."""
    if isinstance(item, AmountItem):
        return _quantity(item, quoted)
    if isinstance(item, DateItem):
        for day_first in (True, False):
            for date in find_dates(quoted, day_first=day_first):
                if date.value.iso == item.iso:
                    return date.value
        return DateValue(iso=item.iso, original=item.original)
    if isinstance(item, TruthItem):
        return Truth(value=item.value)
    if isinstance(item, RowItem):
        return Cells(cells=item.cells)
    return None


def _quantity(item: AmountItem, quoted: str) -> Quantity:
    claimed = find_quantities(item.number)
    number = claimed[0].value.number if len(claimed) == 1 else plain_number(item.number)
    for found in find_quantities(quoted):
        said = found.value
        if _decimal(said.number) != _decimal(number):
            continue
        if item.currency and said.currency and item.currency.casefold() != said.currency.casefold():
            continue
        return said
    return Quantity(number=number, unit=item.unit, scale=item.scale, currency=item.currency)


def _decimal(number: str) -> Decimal | str:
    try:
        return Decimal(number)
    except InvalidOperation:
        return number


def _is_verbatim(item: DraftItem) -> bool:
    words = " ".join(item.text.casefold().split()).rstrip(".")
    return any(words in " ".join(quote.quote.casefold().split()) for quote in item.quotes)


def _counted(draft: Draft, brief: GenerationBrief) -> Draft:
    """Return a count of the items of a draft: the model finds the things, code counts them."""
    items = _without_repeats(draft.items)
    number = str(len(items))
    counted = DraftItem(
        text=number,
        value=Quantity(number=number, unit=brief.unit),
        quotes=tuple(quote for item in items for quote in item.quotes),
        derivation=Derivation(operator="count", operands=tuple(item.text for item in items)),
    )
    return replace(draft, shape="amount", items=(counted,), extraction_method="computed")


def _without_repeats(items: Sequence[DraftItem]) -> list[DraftItem]:
    return list({" ".join(item.text.casefold().split()): item for item in items}.values())

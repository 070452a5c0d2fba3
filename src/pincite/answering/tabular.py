"""What tables answer: a value where row and column meet, a value computed from several, rows side by side."""

from collections.abc import Sequence

from msgspec.structs import replace

from pincite.answering.asked_figures import phrase, years_of
from pincite.answering.cells import CellAnswer
from pincite.answering.comparing import Tabular, compared, compared_documents, shown_table, side_by_side, whole_table
from pincite.answering.derivations import asked_core, derive, is_made, stated
from pincite.answering.lists import ListItem
from pincite.answering.lookup import FoundCell, find_cell, find_cells, quantity
from pincite.answering.tables import TableView, name_terms
from pincite.answering.truths import truth_of_cell
from pincite.text.amounts import find_quantities
from pincite.text.dates import find_dates
from pincite.types.answer import DateValue, Draft, DraftItem, Value
from pincite.types.question import GenerationBrief, Shape

#: How sure a computed value and a cell are; a row that is named by other words is less so.
_SURE, _COMPUTED, _LEAST = 0.95, 0.9, 0.5
#: "What were total assets in 2030?" asks for a cell, not for a list, where a row has about this name.
_NAMED = 0.9


def from_tables(brief: GenerationBrief, tables: Sequence[TableView]) -> Draft | None:
    """Return what tables alone answer: a computed value, a comparison, a table; `None` where they do not."""
    if not tables or brief.counts:
        return None
    if brief.shape in ("list", "text") and (shown := shown_table(brief, tables)) is not None:
        return _draft("table", shown)
    if brief.shape in ("boolean", "list"):
        return None
    computed = derive(brief, tables)
    if computed is not None:
        if computed.item is None:
            return Draft(shape=brief.shape, items=(), reason=computed.reason)
        return Draft(
            shape="amount",
            items=(computed.item,),
            confidence=_COMPUTED,
            caveats=computed.caveats,
            extraction_method="computed",
        )
    if brief.shape == "comparison":
        return _draft("comparison", compared_documents(brief, tables) or compared(brief, tables))
    return _draft("table", whole_table(brief, tables)) if brief.shape == "table" else None


def _draft(shape: Shape, found: Tabular | None) -> Draft | None:
    if found is None:
        return None
    return Draft(
        shape=shape,
        items=found.items,
        columns=found.columns,
        confidence=_COMPUTED if found.items else 0.0,
        caveats=found.caveats,
        reason=found.reason,
    )


def from_cell(brief: GenerationBrief, tables: Sequence[TableView]) -> Draft | None:
    """Return the value of the year that a question names, from the row that it names, or that the cell is empty."""
    years = years_of(brief.question)
    if not years or brief.counts or brief.shape not in ("amount", "text", "date", "list"):
        return None
    if is_made(brief) and stated(brief, tables) is None:
        return None
    if len(years) > 1:
        return _of_years(brief, years, tables)
    wanted = phrase(asked_core(brief.question), brief.keywords, year=years[0])
    found = find_cell(wanted, tables, name_terms(brief.question))
    if found is None or (brief.shape == "list" and found.score < _NAMED):
        return None
    if found.is_empty:
        return Draft(shape=brief.shape, items=(), reason=f"The table states no {found.name} there: the cell is empty.")
    value = _value(found, brief.shape)
    item = DraftItem(text=found.text, quotes=(found.view.quote(found.row, found.col),), value=value)
    shape: Shape = "date" if isinstance(value, DateValue) else "text" if value is None else "amount"
    return Draft(shape=shape, items=(item,), confidence=max(_LEAST, _SURE * found.score))


def _of_years(brief: GenerationBrief, years: Sequence[str], tables: Sequence[TableView]) -> Draft | None:
    """Return the values of several years side by side, where one row holds them all; a year without one is said to be.

    "What was net income in 2019 and 2020?"
    """
    core = asked_core(brief.question)
    hint = name_terms(brief.question)
    cells = find_cells([phrase(core, brief.keywords, year=year) for year in years], tables, hint)
    found = [cell for cell in cells if cell is not None]
    if len(found) < len(years) or any(cell.row is not found[0].row for cell in found):
        return None
    view = found[0].view
    side = side_by_side(view, [found[0].row], [cell.col for cell in found])
    draft = _draft("comparison", side)
    return draft if draft is None else replace(draft, confidence=max(_LEAST, _SURE * min(c.score for c in found)))


def _value(found: FoundCell, shape: Shape) -> Value | None:
    if shape == "date":
        dates = find_dates(found.text)
        return dates[0].value if dates else None
    return quantity(found) if shape in ("amount", "text") else None


def pinned(item: ListItem, shape: Shape, tables: Sequence[TableView]) -> DraftItem:
    """Return an item of a cell as a draft, cited by the cell where its table is known."""
    found = _cell_of(item, tables)
    if found is None:
        told = find_quantities(item.text) if shape == "amount" else find_dates(item.text) if shape == "date" else ()
        first = told[0].value if told else None
        return DraftItem(text=item.text, quotes=tuple(unit.quote() for unit in item.units), value=first)
    value: Value | None = _value(found, shape)
    if value is None and shape == "amount":
        value = next((found.value for found in find_quantities(item.text)), None)
    return DraftItem(text=item.text, quotes=(found.view.quote(found.row, found.col),), value=value)


def _cell_of(item: ListItem, tables: Sequence[TableView]) -> FoundCell | None:
    if item.column is None or len(item.units) != 1:
        return None
    unit, place = item.units[0], item.units[0].line.table
    for view in tables:
        if place is not None and (view.doc_id, view.place.table_id) == (unit.doc_id, place.table_id):
            row = next((row for row in view.rows if row.place.row == place.row), None)
            return None if row is None else FoundCell(view, row, item.column, 1.0)
    return None


def drafted(brief: GenerationBrief, answer: CellAnswer, tables: Sequence[TableView]) -> Draft:
    """Return the draft of an answer that cells give."""
    if answer.is_empty:
        if answer.unmet:
            reason = f"No row of the table is both {answer.row} and {answer.unmet}."
            return Draft(shape=brief.shape, items=(), reason=reason)
        whose = f"for {answer.row}" if answer.row else "there"
        reason = f"The table states no {answer.column} {whose}: the cell is empty."
        return Draft(shape=brief.shape, items=(), reason=reason)
    items = tuple(pinned(item, brief.shape, tables) for item in answer.items)
    truth = truth_of_cell(items[0].text, brief.question) if brief.shape == "boolean" and len(items) == 1 else None
    items = (replace(items[0], value=truth),) if truth is not None else items
    return Draft(shape=brief.shape, items=items, confidence=_SURE)

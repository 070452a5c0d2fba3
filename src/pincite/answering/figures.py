"""Which figures of tables a question asks for, and which tables of a document have rows of their names."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.answering.asked_figures import Asked, phrase, years_of
from pincite.answering.comparing import asked_of_documents
from pincite.answering.derivations import asked_core, wanted_of
from pincite.answering.lookup import row_names
from pincite.answering.tables import is_statement_title
from pincite.answering.whose import documents_named
from pincite.types.document import ParsedDocument, Table
from pincite.types.question import GenerationBrief

#: So many tables of a document are read for one figure, those with the likeliest rows.
_TABLES_EACH: Final = 4
#: A longer table is no statement: it is not read whole for one of its rows.
_MOST_ROWS: Final = 150
_SHAPES: Final = frozenset({"amount", "text", "list", "comparison"})
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def figures_of(brief: GenerationBrief) -> tuple[Asked, ...]:
    """Return the figures of years that a question asks for or that have to be known to compute it; none for others."""
    years = years_of(brief.question)
    if not years or brief.counts or brief.shape not in _SHAPES:
        return ()
    wanted = wanted_of(brief)
    if wanted is not None:
        return wanted.operands
    if brief.shape == "comparison":
        return tuple(asked_of_documents(brief, year) for year in years)
    core = asked_core(brief.question)
    return tuple(phrase(core, brief.keywords, year=year) for year in years)


def named_in(brief: GenerationBrief, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of some document names that a question names, in its order."""
    return documents_named(brief.question, names)


def tables_with(figures: Sequence[Asked], document: ParsedDocument) -> tuple[Table, ...]:
    """Return the tables of a document, in its order, with rows of the names of figures and with their years."""
    chosen: dict[int, Table] = {}
    rows = {table.table_id: list(_names(table)) for table in document.tables if table.n_rows <= _MOST_ROWS}
    for asked in figures:
        scored = []
        for table in document.tables:
            names = rows.get(table.table_id, [])
            score = max((row_names(asked, name) for name in names), default=0.0)
            if score > 0 and _has_year(table, asked.year):
                scored.append((round(score, 2), is_statement_title(table.caption or ""), -table.table_id, table))
        for *_, table in sorted(scored, key=lambda one: one[:3], reverse=True)[:_TABLES_EACH]:
            chosen[table.table_id] = table
    return tuple(chosen[table_id] for table_id in sorted(chosen))


def _names(table: Table) -> Iterator[str]:
    """Yield the names of the rows of a table: the first text of each."""
    row = 0
    for cell in table.cells:
        if cell.row > max(row, table.header_rows) and any(map(str.isalpha, cell.text)):
            row = cell.row
            yield cell.text


def _has_year(table: Table, year: str | None) -> bool:
    header = " ".join(cell.text for cell in table.cells if cell.row <= table.header_rows)
    return table.header_rows > 0 and (year is None or year in _YEAR.findall(header))

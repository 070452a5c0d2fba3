"""Answers of the shapes table and comparison: a table as it stands, or the rows and columns of one side by side."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pincite.answering.asked_figures import Asked, phrase, years_of
from pincite.answering.conditions import is_blank
from pincite.answering.figure_names import other_names
from pincite.answering.lookup import FoundCell, find_cell
from pincite.answering.tables import TableRow, TableView, name_terms
from pincite.answering.whose import documents_named
from pincite.types.answer import Cells, ClaimedQuote, DraftItem
from pincite.types.question import GenerationBrief

#: A table is the one meant when its title and names hold this share of what is asked.
_MEANT: Final = 0.5
#: Of an answer each cell is cited by its own box up to so many, else its rows as one each, and the answer says so.
_MOST_CITED: Final = 1000
#: A longer line above a table (words) is a sentence about it.
_TITLE_WORDS: Final = 8
_FIGURES: Final = (
    "figures|numbers|statistics|metrics|results|prices|rates|tariffs|dates|hours|times|values|measurements|readings|data"
    "|specifications|dimensions|details|terms"
)
#: A question for a table under its title, or for figures that only a table gives with what they are figures of.
_SHOWN: Final = re.compile(
    r"^\W*(?:please\s+)?(?:(?:can|could) you\s+)?"
    r"(?:(?:show|display|present|print|give|zeig(?:e|en)?(?:\s+sie)?|muestr[ae]|montre[rz]?)(?:[\s-]+(?:me|us|mir|uns|moi|nous))?\s+"
    r"(?:all\s+)?(?:the|our|its|die|den|das|les|la|le|los|las)\s+(?P<what>[^?.,;:]+?)"
    rf"|what (?:are|were) (?:the|our|its|your) (?P<figures>(?:[\w-]+\s+){{0,3}}(?:{_FIGURES})"
    r"(?:\s+(?:of|for)\s[^?.,;:]+?)?))\W*$",
    re.IGNORECASE,
)
_SHOWN_FORM: Final = frozenset(name_terms("table list overview"))
#: At most so many rows are given.
_MOST_ROWS: Final = 200
_LABEL: Final = re.compile(r"\b(table|tab\.|exhibit)\s+([A-Z]?\d[\w.]*)", re.IGNORECASE)
_FORM: Final = frozenset(name_terms("compare comparison versus vs difference differ table show tabulate row column"))


@dataclass(frozen=True, slots=True)
class Tabular:
    """An answer in rows: the names of its columns, an item a row, and what has to be said of it."""

    columns: tuple[str, ...]
    items: tuple[DraftItem, ...]
    caveats: tuple[str, ...] = ()
    reason: str | None = None


def compared(brief: GenerationBrief, tables: Sequence[TableView]) -> Tabular | None:
    """Return the rows or columns that a question compares, side by side, from the one table that has them both.

    A cell without text is left empty and said to be; nothing is taken from its neighbours.
    """
    asked = phrase(brief.question, brief.keywords).terms - _FORM
    years = years_of(brief.question)
    best: tuple[float, Tabular] | None = None
    for view in tables:
        rows = _named_rows(view, asked)
        columns = _named_columns(view, asked, years)
        if len(rows) >= 2:
            told = [col for col in range(len(view.header)) if col != view.stub and (not columns or col in columns)]
            found = side_by_side(view, rows, told)
        elif len(rows) == 1 and len(columns) >= 2:
            found = side_by_side(view, rows, columns)
        else:
            continue
        strength = sum(len(row.terms) for row in rows) + 0.1 * min(len(columns), len(years) or 1)
        if best is None or strength > best[0]:
            best = (strength, found)
    return best[1] if best else None


def compared_documents(brief: GenerationBrief, tables: Sequence[TableView]) -> Tabular | None:
    """Return one figure of several documents side by side, a row each, for the years that a question names.

    "Compare the total assets of Boeing and Lockheed Martin in 2018": a document without the figure is said to be.
    """
    names = list(dict.fromkeys(view.doc_name for view in tables))
    named = documents_named(brief.question, names)
    years = years_of(brief.question)
    if len(named) < 2 or not years:
        return None
    items, caveats = [], []
    for name in named:
        own = [view for view in tables if view.doc_name == name]
        cells = [find_cell(asked_of_documents(brief, year), own) for year in years]
        found = [cell for cell in cells if cell is not None and not cell.is_empty]
        if not found:
            caveats.append(f"{name}: no table that was read states it for {' and '.join(years)}")
            continue
        items.append(_of_document(name, cells))
        counted = " ".join(filter(None, (found[0].row.place.scale, found[0].row.place.unit)))
        caveats += [f"{name} counts in {counted}"] if counted else []
    return Tabular(("document", "row", *years), tuple(items), tuple(caveats)) if len(items) > 1 else None


def asked_of_documents(brief: GenerationBrief, year: str) -> Asked:
    """Return the figure of a year that a question compares, without the names of those that it compares."""
    words = phrase(brief.question, brief.keywords)
    terms = (words.terms - _FORM - words.names) or (words.terms - _FORM)
    renamed = tuple(other_names(terms, frozenset()))
    return replace(words, terms=terms, others=(), renamed=renamed, year=year, text="")


def _of_document(name: str, cells: Sequence[FoundCell | None]) -> DraftItem:
    """Return the row of a document: its name, that of the figure, and what stands there for each year."""
    told = [cell for cell in cells if cell is not None and not cell.is_empty]
    texts = ["" if cell is None or cell.is_empty else cell.text for cell in cells]
    quotes = tuple(cell.view.quote(cell.row, cell.col) for cell in told)
    return DraftItem(
        text=" | ".join((name, told[0].row.name, *texts)),
        quotes=quotes,
        value=Cells(cells=(name, told[0].row.name, *texts)),
    )


def _named_rows(view: TableView, asked: frozenset[str]) -> list[TableRow]:
    """Return the rows whose whole name a question holds; of names within others the longer ones."""
    line = view.first.line
    subject = name_terms(re.sub(r"[._-]", " ", line.doc_name))
    rows = [row for row in view.rows if row.terms and row.terms <= asked and not row.terms <= subject]
    return [row for row in rows if not any(row.terms < other.terms for other in rows)]


def _named_columns(view: TableView, asked: frozenset[str], years: Sequence[str]) -> list[int]:
    """Return the columns that a question names, by year or by name."""
    places = [col for col in range(len(view.header)) if col != view.stub]
    dated = [col for col in places if set(years_of(view.header[col])) & set(years)]
    if dated:
        return dated
    share = {col: _share(name_terms(view.header[col]), asked) for col in places}
    best = max(share.values(), default=0.0)
    return [col for col in places if share[col] == best] if best >= _MEANT else []


def _share(own: frozenset[str], asked: frozenset[str]) -> float:
    return len(own & asked) / len(own) if own else 0.0


def side_by_side(view: TableView, rows: Sequence[TableRow], columns: Sequence[int]) -> Tabular:
    """Return rows of a table with some of its columns, each cell cited by its own box; an empty cell stays empty."""
    items, empty = [], []
    for row in rows:
        texts = [row.cells[col].strip() for col in columns]
        told = [col for col, text in zip(columns, texts, strict=True) if text and not is_blank(text)]
        empty += [
            f"{row.name}: {view.header[col]} is not stated, the cell is empty" for col in columns if col not in told
        ]
        # A side that states nothing is cited by its name.
        pinned = tuple(view.quote(row, col) for col in told or [view.stub])
        cells = tuple("" if col not in told else text for col, text in zip(columns, texts, strict=True))
        items.append(_item((row.name, *cells), pinned))
    if not any(isinstance(item.value, Cells) and any(item.value.cells[1:]) for item in items):
        return Tabular((), (), reason=f"The table states nothing there: {'; '.join(empty)}.")
    return Tabular((_stub_name(view), *(view.header[col] for col in columns)), tuple(items), tuple(empty))


def _item(cells: tuple[str, ...], quotes: tuple[ClaimedQuote, ...]) -> DraftItem:
    return DraftItem(text=" | ".join(cells), quotes=quotes, value=Cells(cells=cells))


def _stub_name(view: TableView) -> str:
    return view.header[view.stub]


def whole_table(brief: GenerationBrief, tables: Sequence[TableView]) -> Tabular | None:
    """Return the table that a question asks for by its number, its title or the names in it, cell by cell."""
    view = _meant(brief, tables)
    return None if view is None else _whole(view)


def shown_table(brief: GenerationBrief, tables: Sequence[TableView]) -> Tabular | None:
    """Return the one table under the title that a question asks to be shown: "Show the key figures."."""
    match = _SHOWN.match(brief.question)
    asked = name_terms(match["what"] or match["figures"]) - _SHOWN_FORM if match is not None else frozenset()
    meant = [view for view in tables if asked and _has_title(view, asked)]
    return _whole(meant[0]) if len(meant) == 1 else None


def _has_title(view: TableView, asked: frozenset[str]) -> bool:
    """Say whether a caption, a section or a short line above a table is called by these words, and by few others."""
    crumb = view.first.line.breadcrumb
    titles = (
        view.title,
        crumb[-1] if crumb else "",
        view.first.lead if len(view.first.lead.split()) <= _TITLE_WORDS else "",
    )
    return any(asked <= terms and len(asked) >= _MEANT * len(terms) for terms in map(name_terms, titles))


def _whole(view: TableView) -> Tabular:
    rows = view.rows[:_MOST_ROWS]
    each = len(rows) * len(view.header) <= _MOST_CITED
    items = []
    for row in rows:
        cells = tuple(row.name if col == view.stub else cell.strip() for col, cell in enumerate(row.cells))
        told = [col for col, cell in enumerate(row.cells) if cell.strip()] if each else []
        items.append(_item(cells, tuple(view.quote(row, col) for col in told) or (view.quote(row),)))
    left = view.n_unread + max(0, len(view.rows) - _MOST_ROWS)
    caveats = [f"the table: {view.place.caption}"] if view.place.caption else []
    caveats += [f"{left} more rows of this table were not read"] if left > 0 else []
    caveats += [] if each else [f"more than {_MOST_CITED} cells: each row is cited as a whole"]
    counted = " ".join(filter(None, (view.place.scale, view.place.unit)))
    caveats += [f"the table counts in {counted}"] if counted else []
    return Tabular(view.header, tuple(items), tuple(caveats))


def _meant(brief: GenerationBrief, tables: Sequence[TableView]) -> TableView | None:
    label = _LABEL.search(brief.question)
    if label is not None:
        wanted = re.compile(rf"\b{label[1]}\s+{re.escape(label[2])}(?!\w)", re.IGNORECASE)
        named = next((view for view in tables if wanted.search(view.place.caption or "")), None)
        # A table that was read alone is meant: its label may stand beside it, outside its caption.
        return tables[0] if named is None and len(tables) == 1 and not brief.keywords else named
    asked = phrase(brief.question, brief.keywords).terms - _FORM
    if not asked:
        return None
    scored = [(len(asked & _said(view)) / len(asked), len(asked & name_terms(view.title)), view) for view in tables]
    scored = [one for one in scored if one[0] >= _MEANT]
    return max(scored, key=lambda one: one[:2])[2] if scored else None


def _said(view: TableView) -> frozenset[str]:
    return view.context_terms | name_terms(" ".join(view.header))

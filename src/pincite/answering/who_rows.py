"""Who it is that a table says it of: the names of the rows whose other cells meet the question."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.answering.asked_words import ASKS, words_of
from pincite.answering.conditions import content_terms
from pincite.answering.tables import TableRow, TableView, name_terms
from pincite.text.stopwords import WEAK
from pincite.types.answer import Draft, DraftItem
from pincite.types.question import GenerationBrief

_WHO: Final = re.compile(r"^\W*(?:who|whose names?|wer|qui|quién(?:es)?)\b", re.IGNORECASE)
#: Verbs that say no more than that somebody is there.
_BELONGING: Final = frozenset(
    "sit sits belong belongs live lives stay stays arbeitet sitzt gehört travaille trabaja".split()
)
_SURE: Final = 0.9
#: More names than this are no answer to who it is.
_MOST: Final = 30


def who_rows(brief: GenerationBrief, tables: Sequence[TableView]) -> Draft | None:
    """Return the names of the rows of one table with a cell that the question names whole, and all its other words.

    "Who works in Engineering?" `None` where no row is so, or the rows have no names.
    """
    if not _WHO.match(brief.question) or brief.shape not in ("text", "list"):
        return None
    words = [
        terms
        for text, terms in words_of(brief).items()
        if text.lower() not in WEAK and text.lower() not in _BELONGING and not text.startswith(ASKS)
    ]
    for view in tables:
        rows = [row for row in view.rows if _meets(row, view, words)]
        if 0 < len(rows) <= _MOST and len(rows) < max(2, len(view.rows)):
            items = tuple(DraftItem(text=row.name, quotes=(view.quote(row),)) for row in rows)
            return Draft(
                shape="list" if len(items) > 1 else "text", items=items, confidence=_SURE, summary=brief.question
            )
    return None


def _meets(row: TableRow, view: TableView, words: Sequence[frozenset[str]]) -> bool:
    """Say whether a row has a name, a cell that the question names whole, and every word that it asks by."""
    if not any(map(str.isalpha, row.name)) or not words:
        return False
    asked = frozenset[str]().union(*words)
    named = [col for col, cell in enumerate(row.cells) if col != view.stub and _is_named(cell, asked)]
    if not named:
        return False
    told = frozenset(term for col in named for term in content_terms(f"{row.cells[col]} {view.header[col]}"))
    return all(terms & (told | view.context_terms) for terms in words)


def _is_named(cell: str, asked: frozenset[str]) -> bool:
    terms = name_terms(cell)
    return bool(terms) and terms <= asked

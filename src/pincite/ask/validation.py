"""What is wrong with a draft, as reasons that can be told to whoever wrote it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from pincite.text.fold import fold
from pincite.text.language import guess_language, question_language
from pincite.types.answer import Cells, DateValue, Draft, DraftItem, Quantity, Truth, Value
from pincite.types.question import GenerationBrief, Shape
from pincite.types.source import ReadingLine
from pincite.verifying import Verified

#: The kind of value that an item of each shape has to carry.
_VALUES: Final[dict[Shape, type[Value]]] = {
    "amount": Quantity,
    "date": DateValue,
    "boolean": Truth,
    "table": Cells,
    "comparison": Cells,
}
#: A word with a capital that does not begin its sentence: in these languages, a name.
_NAME: Final = re.compile(r"(?<![.!?:“\"(\s])\s+[“\"(]?([A-Z][\w’'-]{2,})")
#: As much text tells a language.
_SAMPLE_CHARS: Final = 5000
_NAMED_BY_CAPITALS: Final = frozenset({"en", "fr", "es"})


def problems_of(
    draft: Draft, verified: Verified, brief: GenerationBrief, lines: Sequence[ReadingLine]
) -> tuple[str, ...]:
    """Return every reason why a draft does not hold, exact enough to be told to a model; none means that it does.

    Checked are the form itself, found against items, the places against the lines that were sent, the kind of value,
    names against quotes, and what the verifier rejected (quotes, numbers, dates).
    """
    found = [
        *draft.problems,
        *verified.rejected,
        *(reason for item in draft.items for reason in _item_problems(item, draft, brief, lines)),
        *_shape_problems(draft),
    ]
    return tuple(dict.fromkeys(found))


def without_unsupported(draft: Draft, brief: GenerationBrief, lines: Sequence[ReadingLine]) -> Draft:
    """Return a draft without the items that no correction mended: their problems are caveats."""
    kept: list[DraftItem] = []
    dropped: list[str] = []
    for item in draft.items:
        reasons = list(_item_problems(item, draft, brief, lines))
        if reasons:
            dropped += reasons
        else:
            kept.append(item)
    caveats = (*draft.caveats, *(f"dropped: {reason}" for reason in dropped))
    return replace(draft, items=tuple(kept), caveats=tuple(dict.fromkeys(caveats)))


def _shape_problems(draft: Draft) -> Iterator[str]:
    truths = {item.value for item in draft.items if isinstance(item.value, Truth)}
    if draft.shape == "boolean" and len(truths) > 1 and not draft.conflicting_evidence:
        yield "there are a yes and a no: give one, or say that the lines conflict"


def _item_problems(
    item: DraftItem, draft: Draft, brief: GenerationBrief, lines: Sequence[ReadingLine]
) -> Iterator[str]:
    if not item.text.strip():
        yield "an item has no text"
    wanted = _VALUES.get(draft.shape)
    if wanted is not None and not isinstance(item.value, wanted):
        yield f"{item.text!r} has no {_KIND[draft.shape]}, which the question asks for"
    if isinstance(item.value, Cells) and draft.columns and len(item.value.cells) != len(draft.columns):
        yield f"{item.text!r} has {len(item.value.cells)} cells for {len(draft.columns)} columns"
    sent = {(line.doc_id, line.line.line_id) for line in lines}
    for quote in item.quotes:
        if (quote.doc_id, quote.first_line_id) not in sent:
            yield f"{item.text!r} cites a line that was not sent"
    names = _strange_names(item, brief, lines)
    if names and item.derivation is None:
        yield f"{item.text!r} names {', '.join(names)}, which its quotes do not"


_KIND: Final[dict[Shape, str]] = {
    "amount": "amount",
    "date": "date",
    "boolean": "yes or no",
    "table": "cells",
    "comparison": "cells",
}


def _strange_names(item: DraftItem, brief: GenerationBrief, lines: Sequence[ReadingLine]) -> list[str]:
    """Return the names in an item that are in none of its quotes, nor in the question, nor above its lines."""
    quoted = " ".join(quote.quote for quote in item.quotes)
    sent = " ".join(line.line.text for line in lines)[:_SAMPLE_CHARS]
    if guess_language(sent) not in _NAMED_BY_CAPITALS or question_language(brief.question) not in _NAMED_BY_CAPITALS:
        return []
    cited = {(q.doc_id, i) for q in item.quotes for i in range(q.first_line_id, q.last_line_id + 1)}
    above = {
        title
        for line in lines
        if (line.doc_id, line.line.line_id) in cited
        for title in (*line.breadcrumb, line.doc_name, *line.header)
    }
    known = fold(" ".join((quoted, brief.question, *above))).text.casefold()
    return [name for name in dict.fromkeys(_NAME.findall(item.text)) if fold(name).text.casefold() not in known]

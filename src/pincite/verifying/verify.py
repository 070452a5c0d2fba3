"""A draft to what leaves pincite: items whose every citation was checked, or none."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pincite.types.answer import Draft, DraftItem, Item
from pincite.types.citation import Citation
from pincite.types.passage import LineRange
from pincite.types.record import Record
from pincite.verifying.cited import CitedDocument
from pincite.verifying.completeness import completeness
from pincite.verifying.quotes import check_quote
from pincite.verifying.structure import structure_problems
from pincite.verifying.values import check_values, row_in_cells


class Verified(Record, frozen=True, kw_only=True):
    """The items that hold, and what was found on the way.

    `rejected` gives one reason for each item that was dropped. `completeness` is between 0 and 1.
    """

    items: tuple[Item, ...]
    rejected: tuple[str, ...]
    caveats: tuple[str, ...]
    completeness: float
    is_complete: bool
    is_structured: bool


def verify(draft: Draft, documents: Mapping[str, CitedDocument], *, read: tuple[LineRange, ...] = ()) -> Verified:
    """Check every quote and value of a draft against whole documents; drop the items that fail.

    `read` are the lines that the answerer saw: they decide between several places of the same quote.
    """
    items: list[Item] = []
    rejected: list[str] = []
    caveats: list[str] = list(draft.caveats)
    for draft_item in draft.items:
        checked = _check_item(draft_item, documents, read)
        if isinstance(checked, Item):
            items.append(checked)
            caveats.extend(_repeats(checked))
        else:
            rejected.append(checked)
    whole = completeness(draft, items, dict(documents))
    problems = structure_problems(items, dict(documents))
    caveats.extend((*whole.missing, *problems, *(f"dropped: {reason}" for reason in rejected)))
    return Verified(
        items=tuple(items),
        rejected=tuple(rejected),
        caveats=tuple(dict.fromkeys(caveats)),
        completeness=round(whole.score, 3),
        is_complete=bool(items) and not rejected and whole.is_complete,
        is_structured=not problems,
    )


def _check_item(item: DraftItem, documents: Mapping[str, CitedDocument], read: tuple[LineRange, ...]) -> Item | str:
    """Return the item with its citations, or why it is dropped."""
    citations: list[Citation] = []
    for claim in item.quotes:
        document = documents.get(claim.doc_id)
        if document is None:
            return f"{item.text!r} cites a document that is not there: {claim.doc_id!r}"
        checked = check_quote(claim, document, read)
        if checked.citation is None:
            return f"{item.text!r}: {checked.reason}"
        citations.append(checked.citation)
    if not citations:
        return f"{item.text!r} has no quote"
    is_rows = [documents[c.doc_id].document.media_type == "text/csv" for c in citations]
    quotes = [row_in_cells(c.quote) if rows else c.quote for c, rows in zip(citations, is_rows, strict=True)]
    outcome = check_values(item, quotes, [c.cell for c in citations if c.cell is not None], _names(citations))
    if outcome == "failed":
        return f"{item.text!r}: its value is not in its quotes"
    return Item(
        text=item.text,
        value=item.value,
        derivation=item.derivation,
        citations=tuple(_with_value(citation, outcome) for citation in citations),
    )


def _names(citations: Sequence[Citation]) -> list[str]:
    return list(dict.fromkeys(citation.doc_name for citation in citations))


def _with_value(citation: Citation, outcome: str) -> Citation:
    return replace(citation, verdict=replace(citation.verdict, value=outcome))


def _repeats(item: Item) -> list[str]:
    return [
        f"{citation.place}: {citation.verdict.reason}"
        for citation in item.citations
        if citation.verdict.reason is not None
    ]

"""Pages that the question names: the printed label first, then the number of the sheet."""

from collections.abc import Sequence

from pincite.types.document import DocumentRecord, Page
from pincite.types.record import Record


class PageHit(Record, frozen=True, kw_only=True):
    """A page that the question names; `by_label` says that the printed number matched."""

    doc_id: str
    page: Page
    by_label: bool


def named_pages(hint: str, documents: Sequence[tuple[DocumentRecord, Sequence[Page]]]) -> list[PageHit]:
    """Return the pages that `hint` names in each document: by printed label, failing that by number."""
    hits: list[PageHit] = []
    for record, pages in documents:
        labelled = [p for p in pages if p.label is not None and p.label.casefold() == hint.casefold()]
        if labelled:
            hits.extend(PageHit(doc_id=record.doc_id, page=p, by_label=True) for p in labelled)
        elif hint.isdigit():
            hits.extend(PageHit(doc_id=record.doc_id, page=p, by_label=False) for p in pages if p.page_num == int(hint))
    return hits

"""Pages that the question names: the printed label first, then the number of the sheet."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.types.document import DocumentRecord, Page
from pincite.types.record import Record

#: A range of numbers is read out up to this many pages.
_MOST_PAGES: Final = 50
_SHEET: Final = re.compile(r"sheet (?P<number>\d+)", re.IGNORECASE)


class PageHit(Record, frozen=True, kw_only=True):
    """A page that the question names; `by_label` says that the printed number matched."""

    doc_id: str
    page: Page
    by_label: bool


def named_pages(hint: str, documents: Sequence[tuple[DocumentRecord, Sequence[Page]]]) -> list[PageHit]:
    """Return the pages that `hint` names in each document: by printed label, failing that by number.

    "2-3" is the page so labelled; where no page is, the pages from 2 to 3. "first", "last" and "sheet 4" count the
    pages of the file.
    """
    return [hit for record, pages in documents for hit in _named_in(hint, record.doc_id, pages)]


def _named_in(hint: str, doc_id: str, pages: Sequence[Page]) -> list[PageHit]:
    if labelled := _labelled(hint, pages):
        return _hits(doc_id, labelled, by_label=True)
    sheet = _SHEET.fullmatch(hint)
    if sheet is not None:
        return _hits(doc_id, _numbered(sheet["number"], pages))
    if hint.casefold() in ("first", "last"):
        return _hits(doc_id, (pages[:1] if hint.casefold() == "first" else pages[-1:]))
    if hint.isdigit():
        return _hits(doc_id, _numbered(hint, pages))
    return _range(hint, doc_id, pages)


def _range(hint: str, doc_id: str, pages: Sequence[Page]) -> list[PageHit]:
    """Return the pages of a range: between two labels, or, in figures, each page on its own."""
    for mark in re.finditer(r"[-–]", hint):
        first, last = hint[: mark.start()].strip(), hint[mark.end() :].strip()
        if first.isdigit() and last.isdigit():
            numbers = range(int(first), min(int(last), int(first) + _MOST_PAGES - 1) + 1)
            hits = [hit for n in numbers for hit in _named_in(str(n), doc_id, pages)]
            return [h for h in hits if h.by_label] or hits
        start, end = _labelled(first, pages), _labelled(last, pages)
        between = [p for p in pages if start and end and start[0].page_num <= p.page_num <= end[-1].page_num]
        if between:
            return _hits(doc_id, between, by_label=True)
    return []


def _labelled(label: str, pages: Sequence[Page]) -> list[Page]:
    wanted = _plain(label)
    return [p for p in pages if p.label is not None and _plain(p.label) == wanted]


def _plain(label: str) -> str:
    return re.sub(r"\s*[‐-―]\s*", "-", label).strip().casefold()


def _numbered(number: str, pages: Sequence[Page]) -> list[Page]:
    return [p for p in pages if p.page_num == int(number)]


def _hits(doc_id: str, pages: Sequence[Page], *, by_label: bool = False) -> list[PageHit]:
    return [PageHit(doc_id=doc_id, page=p, by_label=by_label) for p in pages]

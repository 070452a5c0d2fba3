"""Places of documents in words, the same as in citations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.errors import PinciteError

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.types.citation import Citation
    from pincite.types.document import Page
    from pincite.types.passage import LineRange


def citation_of(library: "Library", lines: "LineRange") -> "Citation | None":
    """Return the citation of a range of lines without its empty ones; `None` where the document is gone."""
    from pincite.types.citation import Verdict
    from pincite.verifying import CitedDocument

    try:
        record = library.store.resolve(lines.doc_id)
        document = library.document(lines.doc_id)
    except PinciteError:
        return None
    found = [x for x in document.lines_between(lines.first_line_id, lines.last_line_id) if x.text.strip()]
    if not found:
        return None
    cited = CitedDocument(document, doc_id=record.doc_id, name=record.name)
    return cited.citation_of_lines(found, Verdict(status="verified", match="exact"))


def place_of(library: "Library", lines: "LineRange") -> str:
    """Return `paper.pdf p.6 l.33–37`."""
    citation = citation_of(library, lines)
    return f"document {lines.doc_id}, which has changed" if citation is None else str(citation)


def page_named(pages: "Sequence[Page]", asked: str) -> "Page | None":
    """Return the page with that printed number, else the one at that place in the file; `sheet 8` is the place."""
    wanted = asked.strip().lower()
    if not wanted.startswith("sheet"):
        for page in pages:
            if page.label is not None and page.label.lower() == wanted:
                return page
    number = wanted.removeprefix("sheet").strip()
    return next((page for page in pages if str(page.page_num) == number), None)

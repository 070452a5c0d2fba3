"""Draw the citations of an answer in the form that a file name's ending asks for."""

import logging
from collections.abc import Sequence
from pathlib import Path

from pincite.errors import SettingsError
from pincite.rendering.annotate import annotate_pdf
from pincite.rendering.citing import NumberedCitation, number_citations
from pincite.rendering.excerpt import cited_page_lines
from pincite.rendering.originals import Access, as_pdf, write_atomically
from pincite.rendering.page_picture import MOST_PAGES, CitedPage, captioned_page, cited_pages, png, stacked
from pincite.rendering.report import report_html
from pincite.types.answer import Answer, Result
from pincite.types.document import Line

logger = logging.getLogger(__name__)

#: The endings that `highlight` knows, and what each gives.
ENDINGS = {
    ".pdf": "the original PDF with highlight annotations",
    ".png": "a picture of the cited pages",
    ".html": "a report that stands alone",
}


def highlight(result: Result, path: Path, *, access: Access) -> Path:
    """Write the citations of a result to `path` and return it.

    `.html` takes any document and refusals too. `.pdf` and `.png` take answers that cite PDFs or pictures. Where an
    answer cites several, `cited.pdf` holds the first and the others lie beside it, named after their
    documents: `cited.second.pdf`; see `paths_written`.

    Raises:
        SettingsError: the ending is another one, or what was cited has no pages to draw on.
        PasswordRequiredError, CorruptFileError: an original cannot be drawn.

    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        known = "; ".join(f"{known} for {what}" for known, what in ENDINGS.items())
        raise SettingsError(f"cannot write highlights to {path.name!r}: use {known}")
    if ending == ".html":
        return write_atomically(path, report_html(result, access).encode("utf-8"))
    if not isinstance(result, Answer):
        raise SettingsError(f"there is no answer to draw in {path.name!r}; a report (.html) shows what was searched")
    citations = number_citations(result.items).citations
    originals = _pdf_originals(citations, path, access)
    if ending == ".png":
        return write_atomically(path, _pictures(citations, originals, access))
    written = paths_written(citations, path)
    for doc_id, target in written.items():
        mine = [numbered for numbered in citations if numbered.citation.doc_id == doc_id]
        password, name = access.password_of(doc_id), mine[0].citation.doc_name
        annotate_pdf(originals[doc_id], mine, target, password=password, name=name)
    if len(written) > 1:
        logger.info("%d documents are cited; the others lie beside %s", len(written), path)
    return path


def paths_written(citations: Sequence[NumberedCitation], path: Path) -> dict[str, Path]:
    """Return the file for each cited document by its id, in order of first use; the first is at `path`."""
    names = {numbered.citation.doc_id: numbered.citation.doc_name for numbered in citations}
    written: dict[str, Path] = {}
    for doc_id, name in names.items():
        target = path if not written else path.with_name(f"{path.stem}.{_plain(name)}{path.suffix}")
        n = 2
        while target in written.values():
            target = path.with_name(f"{path.stem}.{_plain(name)}-{n}{path.suffix}")
            n += 1
        written[doc_id] = target
    return written


def _pdf_originals(citations: Sequence[NumberedCitation], path: Path, access: Access) -> dict[str, bytes]:
    """Return the original of each cited document as a PDF; all of them must be PDFs or pictures."""
    originals: dict[str, bytes] = {}
    for numbered in citations:
        citation = numbered.citation
        if citation.doc_id in originals:
            continue
        original = access.originals(citation.doc_id)
        if original is None:
            raise SettingsError(f"the original of {citation.doc_name!r} is not kept; use a report (.html) instead")
        drawable = as_pdf(original)
        if drawable is None:
            raise SettingsError(
                f"{citation.doc_name!r} is no PDF and no picture, so it cannot be drawn in {path.name!r}; "
                "use a report (.html) instead"
            )
        originals[citation.doc_id] = drawable
    return originals


def _pictures(citations: Sequence[NumberedCitation], originals: dict[str, bytes], access: Access) -> bytes:
    pages = cited_pages(citations)
    drawn = [
        captioned_page(originals[page.doc_id], page, _lines(page, access), password=access.password_of(page.doc_id))
        for page in pages[:MOST_PAGES]
    ]
    return png(stacked(drawn, pages[MOST_PAGES:]))


def _lines(page: CitedPage, access: Access) -> Sequence[Line]:
    return cited_page_lines(access, page.citations[0].citation, page.page_num)


def _plain(name: str) -> str:
    """Return the stem of a document name with what file systems dislike as hyphens."""
    stem = Path(name.replace("\\", "/")).stem
    kept = "".join(char if char.isalnum() or char in "._-" else "-" for char in stem)
    return kept.strip(".-")[:80] or "document"

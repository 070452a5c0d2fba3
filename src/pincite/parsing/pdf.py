"""`PdfiumParser`: PDF bytes to a parsed document, page by page."""

import gc
import logging
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pypdfium2 as pdfium

from pincite.parsing.furniture import Edges, furniture
from pincite.parsing.ocr import OcrOptions
from pincite.parsing.pdf_document import finished
from pincite.parsing.pdf_forms import Annotations
from pincite.parsing.pdf_ocr import PageRecogniser
from pincite.parsing.pdf_open import OpenPdf, open_pdf
from pincite.parsing.pdf_pages import PageDraft, PageReader, failed_page
from pincite.parsing.pdf_rows import Rows
from pincite.parsing.pdf_shown import ShownPages
from pincite.parsing.picture import OnOcr
from pincite.protocols import Progress
from pincite.types.content_hash import hash_of
from pincite.types.document import ParsedDocument

_LOG = logging.getLogger(__name__)
#: Pages looked at on either side to find headers and footers that repeat.
_NEIGHBOURS = 8


class _CollectorOff:
    """Keeps Python's garbage collector off while a file is parsed in any thread; it saves 4 % of the time.

    What a parse makes stays until its end, so there is nothing to collect: a page leaves three objects in cycles.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_parses = 0
        self._was_on = False

    def __enter__(self) -> None:
        with self._lock:
            if self._n_parses == 0:
                self._was_on = gc.isenabled()
                gc.disable()
            self._n_parses += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._n_parses -= 1
            if self._n_parses == 0 and self._was_on:
                gc.enable()


_COLLECTOR_OFF = _CollectorOff()


@dataclass(frozen=True, slots=True)
class _Judged:
    draft: PageDraft
    n_top: int
    n_bottom: int


class PdfiumParser:
    """Reads PDFs with pdfium's text and pincite's own line builder."""

    version: ClassVar[str] = "pdfium-lines/5"

    def __init__(self, password: str | None = None, ocr: OcrOptions | None = None, on_ocr: OnOcr | None = None) -> None:
        """Open with `password`; read pages by text recognition where `ocr` says so, and tell `on_ocr` before each."""
        self._password = password
        self._ocr = ocr
        self._on_ocr = on_ocr or (lambda _: None)

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: lines in reading order with boxes, contents, flags for what is unreadable.

        Raises:
            EmptyFileError: there are no bytes.
            NotAPdfError: the bytes are of another type.
            PasswordRequiredError: encrypted, and no password opens it.
            CorruptFileError: broken beyond repair.

        """
        opened = open_pdf(content, name=name, password=self._password)
        annotations = Annotations(opened.content, self._password)
        try:
            with _COLLECTOR_OFF:
                rows = self._read(opened, annotations, progress)
                return finished(
                    rows,
                    opened,
                    annotations,
                    name=name,
                    uri=uri,
                    parser=self.version,
                    content_hash=hash_of(content),
                    n_bytes=len(content),
                )
        finally:
            annotations.close()
            opened.document.close()

    def _read(self, opened: OpenPdf, annotations: Annotations, progress: Progress | None) -> Rows:
        """Return the rows of every page."""
        n_pages = len(opened.document)
        rows = Rows(warnings=list(opened.warnings))
        if progress is not None:
            progress(0, n_pages)
        shown = ShownPages(opened.content, annotations.file)
        reader = PageReader(opened.document, annotations, shown, has_pictures=b"/Image" in opened.content)
        recogniser = PageRecogniser(opened.document, self._ocr, self._on_ocr, rows.warnings)
        for page in _with_furniture(reader, n_pages, rows.warnings):
            rows.add(recogniser.look_at(page.draft), page.n_top, page.n_bottom)
            if progress is not None:
                progress(page.draft.page_num, n_pages)
        recogniser.finish()
        rows.ocr_engine = recogniser.engine_name
        _drop_missing(rows, annotations)
        return rows


def _drop_missing(rows: Rows, annotations: Annotations) -> None:
    """Take out the last pages when they cannot be read and the page tree, followed without loops, has fewer."""
    if "page_failed" not in rows.pages[-1].flags:
        return
    n_pages = annotations.n_pages()
    while n_pages and len(rows.pages) > n_pages and "page_failed" in rows.pages[-1].flags:
        page = rows.pages.pop()
        rows.frames.pop()
        rows.warnings.remove(f"page {page.page_num} could not be read")
        if (warning := "the list of pages leads back to itself; every page is read once") not in rows.warnings:
            rows.warnings.append(warning)


def _with_furniture(reader: PageReader, n_pages: int, warnings: list[str]) -> Iterator[_Judged]:
    """Yield each page with its numbers of header and footer rows, keeping only a few pages in memory."""
    waiting: deque[PageDraft] = deque()
    seen: deque[Edges] = deque(maxlen=2 * _NEIGHBOURS + 1)
    for index in range(n_pages):
        draft = _read_page(reader, index, warnings)
        waiting.append(draft)
        seen.append(draft.edges)
        if len(waiting) > _NEIGHBOURS:
            yield _judged(waiting.popleft(), seen, n_pages)
    while waiting:
        yield _judged(waiting.popleft(), seen, n_pages)


def _judged(draft: PageDraft, seen: deque[Edges], n_pages: int) -> _Judged:
    others = [edges for edges in seen if edges.page_num != draft.page_num]
    n_top, n_bottom = furniture(draft.edges, others, n_pages)
    return _Judged(draft, n_top, n_bottom)


def _read_page(reader: PageReader, index: int, warnings: list[str]) -> PageDraft:
    """Return the page at `index`; one that cannot be read is empty and marked as failed."""
    try:
        return reader.read(index)
    except (pdfium.PdfiumError, ValueError, ArithmeticError, LookupError, TypeError) as error:
        _LOG.warning("page %d could not be read: %s", index + 1, error)
        warnings.append(f"page {index + 1} could not be read")
        return failed_page(index + 1)

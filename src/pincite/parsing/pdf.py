"""`PdfiumParser`: PDF bytes to a parsed document, page by page."""

import hashlib
import logging
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pypdfium2 as pdfium

from pincite.parsing.furniture import Edges, furniture
from pincite.parsing.pdf_lines import DraftLine
from pincite.parsing.pdf_open import open_pdf
from pincite.parsing.pdf_pages import PageDraft, failed_page, page_lines, read_page
from pincite.protocols import Progress
from pincite.types.document import HiddenText, Image, Line, Page, ParsedDocument, ParsingSummary
from pincite.types.geometry import BBox

_LOG = logging.getLogger(__name__)
#: Pages looked at on either side to find headers and footers that repeat.
_NEIGHBOURS = 8


@dataclass(slots=True)
class _Rows:
    """What has been read so far, in the order of the pages."""

    pages: list[Page] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    hidden: list[HiddenText] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class PdfiumParser:
    """Reads PDFs with pdfium's text and pincite's own line builder."""

    version: ClassVar[str] = "pdfium-lines/1"

    def __init__(self, password: str | None = None) -> None:
        self._password = password

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: lines in reading order with boxes, contents, flags for what is unreadable.

        Raises:
            EmptyFileError: there are no bytes.
            NotAPdfError: the bytes are of another type.
            PasswordRequiredError: encrypted, and no password opens it.
            CorruptFileError: broken beyond repair.

        """
        opened = open_pdf(content, name=name, password=self._password)
        document = opened.document
        try:
            n_pages = len(document)
            if progress is not None:
                progress(0, n_pages)
            rows = _Rows(warnings=list(opened.warnings))
            for draft, n_top, n_bottom in _with_furniture(document, n_pages, rows.warnings):
                _add_page(rows, draft, n_top, n_bottom)
                if progress is not None:
                    progress(draft.page_num, n_pages)
        finally:
            document.close()
        return ParsedDocument(
            name=name,
            uri=uri,
            media_type="application/pdf",
            content_hash=hashlib.sha256(content).hexdigest(),
            n_bytes=len(content),
            parser=self.version,
            metadata={},
            parsing_summary=ParsingSummary(
                n_pages=n_pages,
                format="PDF",
                encryption=opened.encryption,
                hidden_text=tuple(rows.hidden),
                warnings=tuple(rows.warnings),
            ),
            pages=tuple(rows.pages),
            lines=tuple(rows.lines),
            images=tuple(rows.images),
        )


def _with_furniture(document: Any, n_pages: int, warnings: list[str]) -> Iterator[tuple[PageDraft, int, int]]:
    """Yield each page with its numbers of header and footer rows, keeping only a few pages in memory."""
    waiting: deque[PageDraft] = deque()
    seen: deque[Edges] = deque(maxlen=2 * _NEIGHBOURS + 1)
    for index in range(n_pages):
        draft = _read(document, index, warnings)
        waiting.append(draft)
        seen.append(draft.edges)
        if len(waiting) > _NEIGHBOURS:
            yield _judged(waiting.popleft(), seen, n_pages)
    while waiting:
        yield _judged(waiting.popleft(), seen, n_pages)


def _judged(draft: PageDraft, seen: deque[Edges], n_pages: int) -> tuple[PageDraft, int, int]:
    others = [edges for edges in seen if edges.page_num != draft.page_num]
    n_top, n_bottom = furniture(draft.edges, others, n_pages)
    return draft, n_top, n_bottom


def _read(document: Any, index: int, warnings: list[str]) -> PageDraft:
    """Return the page at `index`; one that cannot be read is empty and marked as failed."""
    try:
        return read_page(document, index)
    except (pdfium.PdfiumError, ValueError, ArithmeticError, LookupError) as error:
        _LOG.warning("page %d could not be read: %s", index + 1, error)
        warnings.append(f"page {index + 1} could not be read")
        return failed_page(index + 1)


def _add_page(rows: _Rows, draft: PageDraft, n_top: int, n_bottom: int) -> None:
    width, height = draft.frame.width_pt, draft.frame.height_pt
    lines = page_lines(draft, n_top, n_bottom)
    for line_num, line in enumerate(lines, start=1):
        rows.lines.append(_line(line, draft.page_num, line_num, len(rows.lines) + 1, width, height))
    for picture in draft.pictures.pictures:
        rows.images.append(Image(page_num=draft.page_num, box=_box(picture.box), content_hash=picture.content_hash))
    rows.pages.append(
        Page(
            page_num=draft.page_num,
            width_pt=width,
            height_pt=height,
            rotation=draft.frame.rotation,
            n_lines=len(lines),
            n_columns=max((line.column for line in lines), default=1),
        )
    )


def _line(line: DraftLine, page_num: int, line_num: int, line_id: int, width: float, height: float) -> Line:
    x0, y0, x1, y1 = line.box
    x0, x1 = max(0.0, min(x0, width)), max(0.0, min(x1, width))
    y0, y1 = max(0.0, min(y0, height)), max(0.0, min(y1, height))
    return Line(
        line_id=line_id,
        page_num=page_num,
        line_num=line_num,
        text=line.text,
        box=_box((x0, y0, x1, y1)),
        column=line.column,
        role=line.role,  # type: ignore[arg-type]
        layer=line.layer,  # type: ignore[arg-type]
        font_size=round(line.size, 2),
        bold=line.bold,
    )


def _box(box: tuple[float, float, float, float]) -> BBox:
    x0, y0, x1, y1 = (round(value, 2) for value in box)
    return BBox(x0=x0, y0=y0, x1=max(x0, x1), y1=max(y0, y1))

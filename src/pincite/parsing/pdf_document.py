"""What only the whole document tells: labels, contents, sections of lines, objects, the summary."""

import re
from collections import Counter
from typing import Any

from pincite.parsing import pdf_outline
from pincite.parsing.contents import assign, changed, mark_headings, sections
from pincite.parsing.headings import heading_starts
from pincite.parsing.objects import named_objects, references
from pincite.parsing.pdf_captions import captioned
from pincite.parsing.pdf_contents import contents
from pincite.parsing.pdf_forms import Annotations
from pincite.parsing.pdf_labels import printed_labels
from pincite.parsing.pdf_open import OpenPdf
from pincite.parsing.pdf_page_labels import page_labels
from pincite.parsing.pdf_rows import Rows
from pincite.parsing.profile import profiled
from pincite.text.language import guess_language
from pincite.types.document import UNREADABLE_FLAGS, Attachment, ParsedDocument, ParsingSummary, TocOrigin

#: The language is guessed from so many characters.
_LANGUAGE_SAMPLE = 20_000
#: What programs write for want of a title: a file name, or that there is none.
_NO_TITLE = re.compile(
    r"\.(?:docx?|indd|pdf|xlsx?|pptx?|tex|dvi|qxd)$|^\(?(?:untitled|anonymous|unspecified)|^[\W\d_]*$|^edgar pdf$",
    re.IGNORECASE,
)


def finished(
    rows: Rows,
    opened: OpenPdf,
    annotations: Annotations,
    *,
    name: str,
    uri: str,
    parser: str,
    content_hash: str,
    n_bytes: int,
) -> ParsedDocument:
    """Return the document made of the rows of all pages; the open file is asked for the rest."""
    _label(rows, opened, annotations)
    headings = heading_starts(rows.lines)
    found = contents(rows, opened.document, headings)
    if found.warning is not None:
        rows.warnings.append(found.warning)
    assign(rows.lines, found.starts, changed)
    if found.starts is not headings:
        mark_headings(rows.lines, headings)
    toc = sections(found.starts, rows.lines, rows.pages, found.origin) if found.starts else ()
    objects = named_objects(rows.lines, toc)
    metadata = pdf_outline.information(opened.document)
    document = ParsedDocument(
        name=name,
        uri=uri,
        media_type="application/pdf",
        content_hash=content_hash,
        n_bytes=n_bytes,
        parser=parser,
        metadata=metadata,
        parsing_summary=_summary(rows, opened, metadata, found.origin if toc else None),
        pages=tuple(rows.pages),
        lines=tuple(rows.lines),
        toc=toc,
        tables=tuple(rows.tables),
        images=tuple(captioned(rows.images, rows.lines)),
        objects=objects,
        references=references(rows.lines, objects),
    )
    return profiled(document)


def _label(rows: Rows, opened: OpenPdf, annotations: Annotations) -> None:
    """Give the pages their labels: from the label tree, else from printed numbers."""
    labels: list[str | None] = []
    if b"/PageLabels" in opened.content or b"/ObjStm" in opened.content:
        labels = page_labels(annotations.file(), len(rows.pages))
    if not any(labels):
        labels = printed_labels(rows.lines, len(rows.pages))
    rows.pages = [changed(page, {"label": label}) for page, label in zip(rows.pages, labels, strict=True)]


def _summary(rows: Rows, opened: OpenPdf, metadata: dict[str, Any], origin: TocOrigin | None) -> ParsingSummary:
    sample: list[str] = []
    size = 0
    for line in rows.lines:
        if line.role == "body" and line.layer != "hidden":
            sample.append(line.text)
            size += len(line.text)
            if size > _LANGUAGE_SAMPLE:
                break
    scanned = tuple(page.page_num for page in rows.pages if page.kind == "scanned")
    unreadable = tuple(page.page_num for page in rows.pages if UNREADABLE_FLAGS.intersection(page.flags))
    producer = metadata.get("producer")
    return ParsingSummary(
        language=guess_language("\n".join(sample)) if size > 40 else None,
        n_pages=len(rows.pages),
        format="PDF",
        producer=producer if isinstance(producer, str) else None,
        title=_title(rows, metadata),
        scanned_pages=scanned,
        unreadable_pages=unreadable,
        toc_origin=origin,
        encryption=opened.encryption,
        ocr_engine=rows.ocr_engine,
        hidden_text=tuple(rows.hidden),
        attachments=_attachments(rows, opened.document),
        warnings=tuple(rows.warnings),
    )


def _attachments(rows: Rows, document: Any) -> tuple[Attachment, ...]:
    """Return the files embedded in the document, and those pinned to a page that are not among them."""
    listed = pdf_outline.attachments(document)
    return listed + tuple(pinned for pinned in rows.attachments if pinned not in listed)


def _title(rows: Rows, metadata: dict[str, Any]) -> str | None:
    """Return the title the file gives itself, else the biggest line near the top of the first page."""
    given = metadata.get("title")
    if isinstance(given, str) and len(given) > 3 and not _NO_TITLE.search(given):
        return given
    first = [line for line in rows.lines if line.page_num == 1 and line.layer in {"text", "ocr"}][:60]
    # A stamp along the edge of the page ("arXiv:…") is no title, however big.
    first = [line for line in first if line.box is None or line.box.height_pt < line.box.x1 - line.box.x0 + 1]
    sizes = Counter(round(line.font_size or 0.0) for line in first if len(line.text) > 3)
    if not sizes:
        return None
    biggest = max(sizes)
    parts = [line.text for line in first if round(line.font_size or 0.0) == biggest and len(line.text) > 3][:3]
    return " ".join(" ".join(parts).split()) if sizes[biggest] <= 4 else None

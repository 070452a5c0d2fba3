"""What only the whole document tells: labels, contents, sections of lines, objects, the summary."""

import re
from collections import Counter
from typing import Any

from pincite.parsing import pdf_outline
from pincite.parsing.contents import PageIndex, Start, assign, changed, located, mark_headings, sections
from pincite.parsing.objects import named_objects, references
from pincite.parsing.pdf_forms import Annotations
from pincite.parsing.pdf_labels import printed_labels
from pincite.parsing.pdf_open import OpenPdf
from pincite.parsing.pdf_page_labels import page_labels
from pincite.parsing.pdf_printed import printed_contents
from pincite.parsing.pdf_rows import Rows, displayed_y
from pincite.parsing.roles import heading_starts
from pincite.text.language import guess_language
from pincite.types.document import UNREADABLE_FLAGS, Attachment, ParsedDocument, ParsingSummary, TocOrigin

#: The language is guessed from so many characters.
_LANGUAGE_SAMPLE = 20_000
#: What programs write for want of a title: a file name, or that there is none.
_NO_TITLE = re.compile(
    r"\.(?:docx?|indd|pdf|xlsx?|pptx?|tex|dvi|qxd)$|^\(?(?:untitled|anonymous|unspecified)", re.IGNORECASE
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
    starts, origin = _starts(rows, opened.document, headings)
    assign(rows.lines, starts, changed)
    if starts is not headings:
        mark_headings(rows.lines, headings)
    toc = sections(starts, rows.lines, rows.pages, origin) if starts else ()
    objects = named_objects(rows.lines, toc)
    metadata = pdf_outline.information(opened.document)
    return ParsedDocument(
        name=name,
        uri=uri,
        media_type="application/pdf",
        content_hash=content_hash,
        n_bytes=n_bytes,
        parser=parser,
        metadata=metadata,
        parsing_summary=_summary(rows, opened, metadata, origin if toc else None),
        pages=tuple(rows.pages),
        lines=tuple(rows.lines),
        toc=toc,
        tables=tuple(rows.tables),
        images=tuple(rows.images),
        objects=objects,
        references=references(rows.lines, objects),
    )


def _label(rows: Rows, opened: OpenPdf, annotations: Annotations) -> None:
    """Give the pages their labels: from the label tree, else from printed numbers."""
    labels: list[str | None] = []
    if b"/PageLabels" in opened.content or b"/ObjStm" in opened.content:
        labels = page_labels(annotations.file(), len(rows.pages))
    if not any(labels):
        labels = printed_labels(rows.lines, len(rows.pages))
    rows.pages = [changed(page, {"label": label}) for page, label in zip(rows.pages, labels, strict=True)]


def _starts(rows: Rows, document: Any, headings: list[Start]) -> tuple[list[Start], TocOrigin]:
    """Return where sections start, by the best source there is: outline, printed contents, headings."""
    entries = pdf_outline.outline(document)
    if entries:
        starts = [
            Start(
                entry.level, entry.title, entry.page_num, displayed_y(rows.frames[entry.page_num - 1], entry.x, entry.y)
            )
            for entry in entries
        ]
        return located(starts, PageIndex(rows.lines)), "outline"
    printed = printed_contents(rows.lines, rows.pages, lambda page_num: _links(rows, document, page_num))
    if printed is not None:
        return printed.starts, printed.origin
    return headings, "headings"


def _links(rows: Rows, document: Any, page_num: int) -> list[tuple[tuple[float, float, float, float], Any]]:
    """Return the links of a page with rectangles and targets as displayed."""
    out = []
    frame = rows.frames[page_num - 1]
    for (left, bottom, right, top), entry in pdf_outline.links_on(document, page_num):
        a, b = displayed_y(frame, left, bottom), displayed_y(frame, right, top)
        if a is None or b is None:
            continue
        y = displayed_y(rows.frames[entry.page_num - 1], entry.x, entry.y)
        target = pdf_outline.Entry(entry.level, entry.title, entry.page_num, entry.x, y)
        out.append(((left, min(a, b), right, max(a, b)), target))
    return out


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
    sizes = Counter(round(line.font_size or 0.0) for line in first if len(line.text) > 3)
    if not sizes:
        return None
    biggest = max(sizes)
    parts = [line.text for line in first if round(line.font_size or 0.0) == biggest and len(line.text) > 3][:3]
    return " ".join(" ".join(parts).split()) if sizes[biggest] <= 4 else None

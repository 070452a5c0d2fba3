"""Records to rows of the tables and back."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pincite.storage.values import Row, box_of, corners, dumped, restored, storable
from pincite.types.document import (
    Cell,
    DocumentRecord,
    Image,
    Line,
    NamedObject,
    Page,
    ParsedDocument,
    ParsingSummary,
    PlacedObject,
    Reference,
    Section,
    Table,
)
from pincite.types.geometry import BBox
from pincite.types.passage import Passage, StoredPassage
from pincite.types.record import from_json, to_json


def head_of(record: DocumentRecord) -> dict[str, Any]:
    """Return the fields that a document has from its record, for whoever puts the rest of it together."""
    return {
        "name": record.name,
        "uri": record.uri,
        "media_type": record.media_type,
        "content_hash": record.content_hash,
        "n_bytes": record.n_bytes,
        "parser": record.parser,
        "metadata": record.metadata,
        "parsing_summary": record.parsing_summary,
    }


def document_row(record: DocumentRecord) -> Row:
    """Return the row of `documents`, without its `doc_no`."""
    return (
        None, storable(record.doc_id), storable(record.name), storable(record.uri), record.media_type,
        record.content_hash, record.n_bytes, record.parser, record.n_pages, record.n_lines, record.added_at,
        record.status, dumped(record.metadata), dumped(to_json(record.parsing_summary)), dumped(record.origin),
    )  # fmt: skip


RECORD_COLUMNS = (
    "doc_id, name, uri, media_type, content_hash, bytes, parser, n_pages, n_lines, added_at, status, metadata, "
    "parsing_summary, origin"
)


def record_of(row: Row) -> DocumentRecord:
    """Return the record that a row of `RECORD_COLUMNS` holds."""
    (doc_id, name, uri, media_type, content_hash, n_bytes, parser, n_pages, n_lines, added_at, status, metadata,
     summary, origin) = row  # fmt: skip
    return DocumentRecord(
        doc_id=restored(doc_id),
        name=restored(name),
        uri=restored(uri),
        media_type=media_type,
        content_hash=content_hash,
        n_bytes=n_bytes,
        parser=parser,
        n_pages=n_pages,
        n_lines=n_lines,
        added_at=added_at,
        status=status,
        metadata=json.loads(metadata),
        parsing_summary=from_json(json.loads(summary), ParsingSummary),
        origin=json.loads(origin),
    )


def page_rows(doc_id: str, document: ParsedDocument) -> Iterator[Row]:
    """Yield the rows of `pages`; `text` is the page's visible lines, a line each."""
    texts: dict[int, list[str]] = {}
    for line in document.lines:
        if line.layer != "hidden":
            texts.setdefault(line.page_num, []).append(line.text)
    for page in document.pages:
        yield (
            doc_id, page.page_num, page.label, page.width_pt, page.height_pt, page.rotation, page.kind, page.n_lines,
            page.n_columns, "\n".join(texts.get(page.page_num, ())), dumped(page.flags),
        )  # fmt: skip


PAGE_COLUMNS = "page_num, label, width_pt, height_pt, rotation, kind, n_lines, n_columns, flags"


def page_of(row: Row) -> Page:
    """Return the page that a row of `PAGE_COLUMNS` holds."""
    page_num, label, width_pt, height_pt, rotation, kind, n_lines, n_columns, flags = row
    return Page(
        page_num=page_num,
        label=restored(label),
        width_pt=width_pt,
        height_pt=height_pt,
        rotation=rotation,
        kind=kind,
        n_lines=n_lines,
        n_columns=n_columns,
        flags=tuple(json.loads(flags)),
    )


def line_rows(doc_id: str, lines: Iterable[Line]) -> Iterator[Row]:
    """Yield the rows of `lines`."""
    for line in lines:
        yield (
            doc_id, line.line_id, line.page_num, line.line_num, line.text, *corners(line.box), line.column,
            line.section_id, line.role, line.layer, line.font_size, int(line.bold), line.confidence,
        )  # fmt: skip


LINE_COLUMNS = (
    'line_id, page_num, line_num, text, x0, y0, x1, y1, "column", section_id, role, layer, font_size, bold, confidence'
)


def line_of(row: Row) -> Line:
    """Return the line that a row of `LINE_COLUMNS` holds."""
    line_id, page_num, line_num, text, x0, y0, x1, y1, column, section_id, role, layer, font_size, bold, sure = row
    return Line(
        line_id=line_id,
        page_num=page_num,
        line_num=line_num,
        text=text if type(text) is str else restored(text),
        box=box_of(x0, y0, x1, y1),
        column=column,
        section_id=section_id,
        role=role,
        layer=layer,
        font_size=font_size,
        bold=bool(bold),
        confidence=sure,
    )


def toc_rows(doc_id: str, toc: Iterable[Section]) -> Iterator[Row]:
    """Yield the rows of `toc`."""
    for position, s in enumerate(toc):
        yield (
            doc_id, s.section_id, s.parent_id, s.level, s.title, dumped(s.breadcrumb), s.start_page, s.start_line,
            s.start_y, s.end_page, s.end_line, s.origin, position, s.confidence,
        )  # fmt: skip


TOC_COLUMNS = (
    "section_id, parent_id, level, title, breadcrumb, start_page, start_line, start_y, end_page, end_line, origin, "
    "confidence"
)


def section_of(row: Row) -> Section:
    """Return the section that a row of `TOC_COLUMNS` holds."""
    (section_id, parent_id, level, title, breadcrumb, start_page, start_line, start_y, end_page, end_line,
     origin, confidence) = row  # fmt: skip
    return Section(
        section_id=section_id,
        parent_id=parent_id,
        level=level,
        title=restored(title),
        breadcrumb=tuple(json.loads(breadcrumb)),
        start_page=start_page,
        start_line=start_line,
        start_y=start_y,
        end_page=end_page,
        end_line=end_line,
        origin=origin,
        confidence=confidence,
    )


def table_rows(doc_id: str, tables: Iterable[Table]) -> Iterator[Row]:
    """Yield the rows of `tables`."""
    for position, t in enumerate(tables):
        yield (
            doc_id, t.table_id, t.page_num, t.caption, t.n_rows, t.n_cols, t.header_rows, t.first_line_id,
            t.last_line_id, t.unit, t.scale, position,
        )  # fmt: skip


def cell_rows(doc_id: str, tables: Iterable[Table]) -> Iterator[Row]:
    """Yield the rows of `cells`."""
    for table_position, table in enumerate(tables):
        for position, cell in enumerate(table.cells):
            yield (
                doc_id, table.table_id, cell.row, cell.col, cell.text, dumped(cell.line_ids), *corners(cell.box),
                table_position, position,
            )  # fmt: skip


CELL_COLUMNS = '"row", col, text, line_ids, x0, y0, x1, y1, table_position'


def cell_of(row: Row) -> Cell:
    """Return the cell that a row of `CELL_COLUMNS` holds."""
    at_row, col, text, line_ids, x0, y0, x1, y1, _ = row
    return Cell(
        row=at_row, col=col, text=restored(text), line_ids=tuple(json.loads(line_ids)), box=box_of(x0, y0, x1, y1)
    )


TABLE_COLUMNS = (
    "table_id, page_num, caption, n_rows, n_cols, header_rows, first_line_id, last_line_id, unit, scale, position"
)


def table_of(row: Row, cells: tuple[Cell, ...]) -> Table:
    """Return the table that a row of `TABLE_COLUMNS` holds, with its cells."""
    table_id, page_num, caption, n_rows, n_cols, header_rows, first_line_id, last_line_id, unit, scale, _ = row
    return Table(
        table_id=table_id,
        page_num=page_num,
        caption=restored(caption),
        n_rows=n_rows,
        n_cols=n_cols,
        header_rows=header_rows,
        first_line_id=first_line_id,
        last_line_id=last_line_id,
        unit=restored(unit),
        scale=restored(scale),
        cells=cells,
    )


def image_rows(doc_id: str, images: Iterable[Image]) -> Iterator[Row]:
    """Yield the rows of `images`."""
    for position, i in enumerate(images):
        yield (doc_id, i.page_num, *corners(i.box), i.content_hash, i.caption_line_id, position)


IMAGE_COLUMNS = "page_num, x0, y0, x1, y1, content_hash, caption_line_id"


def image_of(row: Row) -> Image:
    """Return the image that a row of `IMAGE_COLUMNS` holds."""
    page_num, x0, y0, x1, y1, content_hash, caption_line_id = row
    return Image(
        page_num=page_num,
        box=BBox(x0=x0, y0=y0, x1=x1, y1=y1),
        content_hash=content_hash,
        caption_line_id=caption_line_id,
    )


def object_rows(doc_id: str, objects: Iterable[NamedObject]) -> Iterator[Row]:
    """Yield the rows of `objects`."""
    for position, o in enumerate(objects):
        yield (doc_id, o.kind, o.label, o.title, o.page_num, o.line_num, position)


def object_of(row: Row) -> NamedObject:
    """Return the object that a row `kind, label, title, page_num, line_num` holds."""
    kind, label, title, page_num, line_num = row
    return NamedObject(kind=kind, label=restored(label), title=restored(title), page_num=page_num, line_num=line_num)


def placed_object_of(row: Row) -> PlacedObject:
    """Return the object that a row `doc_id, kind, label, title, page_num, line_num` holds, with its document."""
    doc_id, *rest = row
    return PlacedObject(doc_id=restored(doc_id), named=object_of(tuple(rest)))


def reference_rows(doc_id: str, references: Iterable[Reference]) -> Iterator[Row]:
    """Yield the rows of `references`."""
    for position, r in enumerate(references):
        yield (doc_id, r.kind, r.label, r.page_num, r.line_num, r.target, position)


def reference_of(row: Row) -> Reference:
    """Return the reference that a row `kind, label, page_num, line_num, target` holds."""
    kind, label, page_num, line_num, target = row
    return Reference(kind=kind, label=restored(label), page_num=page_num, line_num=line_num, target=restored(target))


def passage_rows(doc_id: str, first_passage_id: int, passages: Iterable[Passage]) -> Iterator[Row]:
    """Yield the rows of `passages`, numbered from `first_passage_id` without gaps."""
    for passage_id, p in enumerate(passages, start=first_passage_id):
        yield (
            passage_id, doc_id, p.first_line_id, p.last_line_id, p.first_page, p.last_page, p.section_id,
            dumped(p.breadcrumb), p.kind, p.text, p.text_hash,
        )  # fmt: skip


PASSAGE_COLUMNS = (
    "passage_id, doc_id, first_line_id, last_line_id, first_page, last_page, section_id, breadcrumb, kind, text, "
    "text_hash"
)


def passage_of(row: Row) -> StoredPassage:
    """Return the passage that a row of `PASSAGE_COLUMNS` holds."""
    (passage_id, doc_id, first_line_id, last_line_id, first_page, last_page, section_id, breadcrumb, kind, text,
     text_hash) = row  # fmt: skip
    passage = Passage(
        first_line_id=first_line_id,
        last_line_id=last_line_id,
        first_page=first_page,
        last_page=last_page,
        section_id=section_id,
        breadcrumb=tuple(json.loads(breadcrumb)),
        kind=kind,
        text=restored(text),
        text_hash=text_hash,
    )
    return StoredPassage(passage_id=passage_id, doc_id=restored(doc_id), passage=passage)

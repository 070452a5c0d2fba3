"""A parsed document: a small relational set of pages, lines, sections, tables and objects.

Keys are `page_num`, `line_num` (both from 1, `line_num` anew on each page) and `line_id`, which numbers
the lines of a document 1…N in reading order, so `document.lines[line_id - 1].line_id == line_id`.
In Markdown and text files a line is the file's own line: `line_num == line_id ==` what an editor shows.
"""

import contextlib
import datetime as dt
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import msgspec

from pincite.types.frames import frame
from pincite.types.geometry import BBox, PageSize
from pincite.types.record import Record

if TYPE_CHECKING:
    from pandas import DataFrame

Role = Literal["body", "heading", "header", "footer", "caption", "table", "footnote", "list", "code", "metadata"]
Layer = Literal["text", "ocr", "form", "annotation", "hidden"]
PageKind = Literal["digital", "scanned", "mixed", "blank"]
TocOrigin = Literal["outline", "links", "printed", "headings", "markup"]
ObjectKind = Literal["figure", "table", "annex", "equation", "section", "clause", "note", "definition"]

#: Roles that are not part of the running text: searched with less weight, never quoted inside a sentence.
FURNITURE: frozenset[Role] = frozenset({"header", "footer"})


class Line(Record, frozen=True, kw_only=True):
    """One visible line: the unit of citation.

    `text` holds the source's own characters; a line-end hyphen stays. `box` is `None` in files without
    pages. `layer` is `hidden` where a person cannot see the text: such lines are listed in the parsing
    report and are never searched, quoted or answered from. `confidence`, 0 to 1, is how sure text recognition is of a
    line that it read; `None` for any other.
    """

    line_id: int
    page_num: int
    line_num: int
    text: str
    box: BBox | None = None
    column: int = 1
    section_id: int | None = None
    role: Role = "body"
    layer: Layer = "text"
    font_size: float | None = None
    bold: bool = False
    confidence: float | None = None


class Page(Record, frozen=True, kw_only=True):
    """One page, slide, sheet or spine item; a text file has one.

    `label` is the number printed on the page, as text. `flags` say why a reader should not trust the
    text; see `PAGE_FLAGS`.
    """

    page_num: int
    label: str | None = None
    width_pt: float = 0.0
    height_pt: float = 0.0
    rotation: int = 0
    kind: PageKind = "digital"
    n_lines: int = 0
    n_columns: int = 1
    flags: tuple[str, ...] = ()

    @property
    def size(self) -> PageSize:
        """The page as it is displayed, in points."""
        return PageSize(width_pt=self.width_pt, height_pt=self.height_pt)


#: Every page flag and what it means to a reader.
PAGE_FLAGS: dict[str, str] = {
    "no_text": "the page has no text at all",
    "image_without_text": "most of the page is a picture whose text was not read (OCR needed)",
    "unreadable_text_layer": "the text layer is not what is printed (broken font map; OCR needed)",
    "damaged_text_layer": "some characters have no Unicode value and are shown as U+FFFD",
    "hidden_text": "text that a person cannot see was left out",
    "watermark": "a watermark was drawn over or under the text",
    "page_failed": "the page could not be read",
    "read_by_ocr": "the text was recognised in the picture of the page (OCR)",
    "ocr_unsure": "text recognition is unsure of the page: compare with the picture",
}
#: Flags that mean: what this page says is unknown, so an answer may be there unread.
UNREADABLE_FLAGS: frozenset[str] = frozenset({"image_without_text", "unreadable_text_layer", "page_failed"})


class Section(Record, frozen=True, kw_only=True):
    """One entry of the table of contents, with where it starts and ends.

    `start_line` and `end_line` are line numbers on `start_page` and `end_page`. `breadcrumb` holds the
    titles from the outermost section to this one. `origin` says where the entry was read; `confidence` (0 to 1) how
    sure the start is: 1 where the line holds the title, less where only a place or a page is known.
    """

    section_id: int
    parent_id: int | None
    level: int
    title: str
    breadcrumb: tuple[str, ...]
    start_page: int
    start_line: int | None
    start_y: float | None
    end_page: int
    end_line: int | None
    origin: TocOrigin
    confidence: float = 1.0


class Cell(Record, frozen=True, kw_only=True):
    """One cell of a table; `row` and `col` start at 1."""

    row: int
    col: int
    text: str
    line_ids: tuple[int, ...]
    box: BBox | None = None


class Table(Record, frozen=True, kw_only=True):
    """A table; `first_line_id` to `last_line_id` are its lines."""

    table_id: int
    page_num: int
    caption: str | None
    n_rows: int
    n_cols: int
    header_rows: int
    first_line_id: int
    last_line_id: int
    unit: str | None = None
    scale: str | None = None
    cells: tuple[Cell, ...] = ()


class Image(Record, frozen=True, kw_only=True):
    """A picture region on a page."""

    page_num: int
    box: BBox
    content_hash: str
    caption_line_id: int | None = None


class NamedObject(Record, frozen=True, kw_only=True):
    """A figure, table, annex, equation, section, clause, note or defined term that text can name, where it stands."""

    kind: ObjectKind
    label: str
    title: str
    page_num: int
    line_num: int


class PlacedObject(Record, frozen=True, kw_only=True):
    """A named object of one document of a library."""

    doc_id: str
    named: NamedObject


class Reference(Record, frozen=True, kw_only=True):
    """A mention of another place; `target` is the label of the object it resolves to, if any."""

    kind: ObjectKind
    label: str
    page_num: int
    line_num: int
    target: str | None = None


class HiddenText(Record, frozen=True, kw_only=True):
    """Text in the file that a person cannot see, and why."""

    page_num: int
    text: str
    reason: str


class Attachment(Record, frozen=True, kw_only=True):
    """A file inside the file; `name` is reduced to a safe base name."""

    name: str
    n_bytes: int


class QuotedLine(Record, frozen=True, kw_only=True):
    """A quote that was looked up in the document, and the line it begins on."""

    line_id: int
    page_num: int
    line_num: int
    text: str


class ModelProfile(Record, frozen=True, kw_only=True):
    """What a language model says a document is, beside what rules found; `doc_type` is its opinion.

    Every field name stands in the document, and `summary` holds quotes alone. `n_rejected` counts those that did not
    hold. `model` is `provider:model`.
    """

    model: str
    doc_type: str | None = None
    typical_fields: tuple[str, ...] = ()
    summary: tuple[QuotedLine, ...] = ()
    n_rejected: int = 0
    origin: Literal["model"] = "model"


class ParsingSummary(Record, frozen=True, kw_only=True):
    """What one should know of a document before asking it; computed without a model, but for `model_profile`.

    `summary` is a few of its own sentences, a line each; they stand in the lines `summary_line_ids`. `page_flags` says
    for each flag (see `PAGE_FLAGS`) which pages have it.
    """

    doc_type: str | None = None
    language: str | None = None
    n_pages: int = 0
    format: str = ""
    producer: str | None = None
    title: str | None = None
    typical_fields: tuple[str, ...] = ()
    summary: str | None = None
    summary_line_ids: tuple[int, ...] = ()
    page_flags: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    scanned_pages: tuple[int, ...] = ()
    unreadable_pages: tuple[int, ...] = ()
    toc_origin: TocOrigin | None = None
    encryption: str | None = None
    encoding: str | None = None
    ocr_engine: str | None = None
    hidden_text: tuple[HiddenText, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    warnings: tuple[str, ...] = ()
    model_profile: ModelProfile | None = None


class ParsedDocument(Record, frozen=True, kw_only=True):
    """What a parser returns. The same bytes and parser version always give the same rows.

    `metadata` holds front matter or the PDF information dictionary, as strings, numbers, booleans, lists
    and dicts; dates are ISO strings. `content_hash` is the SHA-256 of the bytes, in hexadecimal.
    """

    name: str
    uri: str
    media_type: str
    content_hash: str
    n_bytes: int
    parser: str
    metadata: dict[str, Any]
    parsing_summary: ParsingSummary
    pages: tuple[Page, ...]
    lines: tuple[Line, ...]
    toc: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
    images: tuple[Image, ...] = ()
    objects: tuple[NamedObject, ...] = ()
    references: tuple[Reference, ...] = ()

    def lines_between(self, first_line_id: int, last_line_id: int) -> tuple[Line, ...]:
        """Return the lines from one id to another, both included."""
        return self.lines[first_line_id - 1 : last_line_id]

    def page_lines(self, page_num: int) -> tuple[Line, ...]:
        """Return the lines of one page, in reading order."""
        return tuple(line for line in self.lines if line.page_num == page_num)

    def page_text(self, page_num: int) -> str:
        """Return the visible lines of one page, a line each."""
        return "\n".join(line.text for line in self.page_lines(page_num) if line.layer != "hidden")

    @property
    def line_df(self) -> "DataFrame":
        """The lines as a table. Each `…_df` raises `SettingsError` where pandas is not installed."""
        return frame(Line, self.lines)

    @property
    def page_df(self) -> "DataFrame":
        """The pages as a table."""
        return frame(Page, self.pages)

    @property
    def toc_df(self) -> "DataFrame":
        """The contents as a table."""
        return frame(Section, self.toc)

    @property
    def table_df(self) -> "DataFrame":
        """The tables as a table, without their cells."""
        return frame(Table, self.tables, without=frozenset({"cells"}))

    @property
    def cell_df(self) -> "DataFrame":
        """The cells of all tables as a table, each with the `table_id` of its table."""
        cells = frame(Cell, [cell for table in self.tables for cell in table.cells])
        cells.insert(0, "table_id", [table.table_id for table in self.tables for _ in table.cells])
        return cells

    @property
    def image_df(self) -> "DataFrame":
        """The picture regions as a table."""
        return frame(Image, self.images)

    @property
    def object_df(self) -> "DataFrame":
        """The named objects as a table."""
        return frame(NamedObject, self.objects)

    @property
    def reference_df(self) -> "DataFrame":
        """The mentions of other places as a table."""
        return frame(Reference, self.references)


#: Metadata that date a document: from when it holds, then when it was written.
DATE_KEYS: Final = (
    "valid_from effective_date effective effective_from in_force in_force_since date version_date issued issue_date "
    "published publication_date revised revision_date last_updated updated updated_at last_modified lastmod modified"
).split()


class DocumentRecord(Record, frozen=True, kw_only=True):
    """One row of the `documents` table: a document as the library keeps it.

    `name` is what citations show: unique in the library. `status` is `ready`, `no_text` or `failed`. `origin` is what
    the source said of the file, never the file itself: `source`, `version`, `permalink`, `path`, `ref` and the like.
    """

    doc_id: str
    name: str
    uri: str
    media_type: str
    content_hash: str
    n_bytes: int
    parser: str
    n_pages: int
    n_lines: int
    added_at: str
    status: Literal["ready", "no_text", "failed"]
    metadata: dict[str, Any]
    parsing_summary: ParsingSummary
    origin: dict[str, str] = msgspec.field(default_factory=dict)

    @classmethod
    def of(
        cls,
        document: ParsedDocument,
        *,
        doc_id: str,
        name: str,
        added_at: str,
        has_text: bool,
        origin: Mapping[str, str] | None = None,
    ) -> Self:
        """Return the record of a parsed document; `added_at` is an ISO time, `has_text` says that it has passages."""
        return cls(
            doc_id=doc_id,
            name=name,
            uri=document.uri,
            media_type=document.media_type,
            content_hash=document.content_hash,
            n_bytes=document.n_bytes,
            parser=document.parser,
            n_pages=len(document.pages),
            n_lines=len(document.lines),
            added_at=added_at,
            status="ready" if has_text else "no_text",
            metadata=document.metadata,
            parsing_summary=document.parsing_summary,
            origin=dict(origin or {}),
        )

    @property
    def date(self) -> str | None:
        """The ISO date that the document gives itself in its metadata, or `None`."""
        keys = {key.lower().replace("-", "_").replace(" ", "_"): key for key in self.metadata}
        for key in DATE_KEYS:
            value = str(self.metadata.get(keys.get(key, "")) or "").strip()
            if not value:
                continue
            if re.match(r"\d{4}-\d{2}-\d{2}(?!\d)", value):
                return value[:10]
            for form in ("%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b %d, %Y", "%Y/%m/%d", "%d.%m.%Y"):
                with contextlib.suppress(ValueError):
                    return dt.datetime.strptime(value, form).date().isoformat()  # noqa: DTZ007 (a day has no zone)
        return None

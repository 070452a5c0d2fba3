"""PowerPoint presentations: a slide is a page, with its tables, charts, speaker notes and comments.

Pictures, sounds, macros and linked files do nothing.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.slide import Slide

from pincite.parsing.archive import attachments_of, core_properties, macro_warnings, open_package, reading, xml_of
from pincite.parsing.composed import Facts
from pincite.parsing.composing import Composer
from pincite.parsing.grids import Spanned, grid_of, grid_of_texts
from pincite.parsing.media_types import PPTX
from pincite.parsing.paragraphs import one_line
from pincite.parsing.pptx_text import A, ParagraphMarks, paragraph_text
from pincite.protocols import Progress
from pincite.types.document import HiddenText, ParsedDocument

_FURNITURE: Final = frozenset({PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER,
                               PP_PLACEHOLDER.HEADER})  # fmt: skip
_TITLES: Final = frozenset({PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE})
#: Placeholders whose paragraphs the master draws as a list.
_LISTS: Final = frozenset({PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY})
#: Shapes whose tops differ by less than this stand side by side (a quarter of an inch in EMU, ECMA-376 20.1.2.1).
_ROW_EMU: Final = 228_600
_MAX_DEPTH: Final = 20


class PptxParser:
    """Parses .pptx, .pptm, .ppsx and .potx."""

    version: ClassVar[str] = "pptx/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: a page for each slide, a line for each paragraph, list item and table row.

        Raises:
            CorruptFileError: it is no presentation, or a damaged one.
            ParseMemoryError: it unpacks to more than any document needs.

        """
        archive = open_package(content, name)
        with reading(name, "a PowerPoint presentation"):
            presentation = Presentation(io.BytesIO(content))
            size = (int(presentation.slide_width or 0), int(presentation.slide_height or 0))
            reader = _Reader(size=size, authors=_authors(presentation, name), name=name)
            slides = list(presentation.slides)
            for number, slide in enumerate(slides, start=1):
                reader.slide(slide, number)
                if progress is not None:
                    progress(number, len(slides))
            metadata = core_properties(presentation.core_properties)
        composer = reader.composer
        facts = Facts(
            media_type=PPTX,
            format_name="PowerPoint",
            metadata=metadata,
            title=metadata.get("title") if metadata.get("title") != "PowerPoint Presentation" else None,
            warnings=(*macro_warnings(archive), *reader.warnings),
            attachments=attachments_of(archive),
            hidden=tuple(reader.hidden),
        )
        document = composer.document(content, facts, name=name, uri=uri, parser=self.version)
        if progress is not None:
            progress(len(document.pages), len(document.pages))
        return document


@dataclass(slots=True)
class _Reader:
    """Writes slides into a `Composer`."""

    size: tuple[int, int]
    authors: dict[str, str]
    name: str
    composer: Composer = field(default_factory=Composer)
    hidden: list[HiddenText] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def slide(self, slide: Slide, number: int) -> None:
        """Write one slide; one that is not shown is an empty page, so that numbers stay those of the file."""
        self.composer.start_page()
        if slide.element.get("show") in {"0", "false"}:
            text = " ".join(one_line(node.text or "") for node in slide.element.iter(f"{A}t"))
            self.hidden.append(HiddenText(page_num=number, text=text[:500], reason="a slide that is not shown"))
            self.warnings.append(f"slide {number} is hidden and was not read")
            return
        shapes = _in_order(slide.shapes)
        title = next((s for s in shapes if _placeholder(s) in _TITLES and s.has_text_frame), None)
        text = one_line(" ".join(map(paragraph_text, title.text_frame._txBody.iter(f"{A}p")))) if title else ""  # noqa: SLF001
        if text:
            self.composer.heading(text, 1)
        else:
            self.composer.section(f"Slide {number}", 1)
        for shape in shapes:
            if shape is not title:
                self._shape(shape, number, 0)
        self._diagrams(slide)
        self._notes(slide)
        self._comments(slide)

    def _shape(self, shape: Any, number: int, depth: int) -> None:
        reason = self._why_unseen(shape)
        if reason is not None:
            text = one_line(" ".join(node.text or "" for node in shape._element.iter(f"{A}t")))  # noqa: SLF001
            if text:
                self.hidden.append(HiddenText(page_num=number, text=text[:500], reason=reason))
            return
        if hasattr(shape, "shapes"):
            for inner in _in_order(shape.shapes) if depth < _MAX_DEPTH else ():
                self._shape(inner, number, depth + 1)
        elif getattr(shape, "has_table", False):
            self._table(shape.table)
        elif getattr(shape, "has_chart", False):
            self._chart(shape.chart)
        elif shape.has_text_frame:
            self._text(shape)
        else:
            told = one_line(shape._element.xpath("string(.//p:cNvPr/@descr)"))  # noqa: SLF001
            if len(told.split()) >= 2:
                self.composer.add(f"[{told}]", "caption")

    def _why_unseen(self, shape: Any) -> str | None:
        if shape._element.xpath("./*/p:cNvPr/@hidden") in (["1"], ["true"]):  # noqa: SLF001
            return "a hidden shape"
        left, top, width, height = shape.left, shape.top, shape.width, shape.height
        if None in (left, top, width, height) or not all(self.size):
            return None
        inside = left < self.size[0] and top < self.size[1] and left + width > 0 and top + height > 0
        return None if inside or not (width and height) else "outside the slide"

    def _text(self, shape: Any) -> None:
        kind = _placeholder(shape)
        marks = ParagraphMarks(is_list=kind in _LISTS)
        for paragraph in shape.text_frame._txBody.iterchildren(f"{A}p"):  # noqa: SLF001
            text = paragraph_text(paragraph)
            if not one_line(text):
                continue
            mark = marks.of(paragraph)
            if kind in _FURNITURE:
                self.composer.add(text, "footer")
            else:
                self.composer.add(mark + text, "list" if mark else "body")

    def _table(self, table: Any) -> None:
        rows = []
        for row in table.rows:
            cells = []
            for cell in row.cells:
                if cell.is_spanned:
                    continue
                text = one_line(" ".join(map(paragraph_text, cell._tc.iter(f"{A}p"))))  # noqa: SLF001
                n_cols, n_rows = (cell.span_width, cell.span_height) if cell.is_merge_origin else (1, 1)
                cells.append(Spanned(text, n_cols, n_rows))
            rows.append(cells)
        self.composer.table(grid_of(rows, header_rows=1 if table.first_row else None))

    def _chart(self, chart: Any) -> None:
        """Write what a chart shows as a table: a row for each category, a column for each series."""
        if chart.has_title and chart.chart_title.has_text_frame:
            self.composer.add(chart.chart_title.text_frame.text, "caption")
        for plot in chart.plots:
            series = list(plot.series)
            names = ["", *(one_line(one.name or "") or f"Series {n}" for n, one in enumerate(series, start=1))]
            categories = [one_line(str(label)) for label in plot.categories]
            values = [list(one.values) for one in series]
            rows = [[label, *(_value(column, at) for column in values)] for at, label in enumerate(categories)]
            self.composer.table(grid_of_texts([names, *rows], header_rows=1))

    def _diagrams(self, slide: Slide) -> None:
        """Write the texts of diagrams (SmartArt), which stand in parts of their own."""
        for relation in slide.part.rels.values():
            if relation.is_external or not relation.reltype.endswith("/diagramData"):
                continue
            root = xml_of(relation.target_part.blob, self.name)
            for point in root.iter("{http://schemas.openxmlformats.org/drawingml/2006/diagram}t"):
                text = one_line(" ".join(map(paragraph_text, point.iter(f"{A}p"))))
                self.composer.add(f"• {text}" if text else "", "list")

    def _notes(self, slide: Slide) -> None:
        frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        if frame is None or not one_line(frame.text):
            return
        self.composer.section("Speaker notes", 2)
        for paragraph in frame._txBody.iterchildren(f"{A}p"):  # noqa: SLF001
            self.composer.add(paragraph_text(paragraph))

    def _comments(self, slide: Slide) -> None:
        for relation in slide.part.rels.values():
            if relation.is_external or not relation.reltype.endswith("/comments"):
                continue
            for comment in xml_of(relation.target_part.blob, self.name).iter("{*}cm", "{*}reply"):
                own = [node for node in comment if not str(node.tag).endswith("}replyLst")]
                texts = [leaf.text or "" for node in own for leaf in node.iter(f"{A}t", "{*}text")]
                author = self.authors.get(comment.get("authorId") or "", "") or "somebody"
                text = one_line(" ".join(texts))
                self.composer.add(f"Comment by {author}: {text}" if text else "", layer="annotation")


def _in_order(shapes: Any) -> list[Any]:
    """Return shapes as they are read: from the top down, side by side ones from the left."""
    found = list(shapes)
    return sorted(found, key=lambda shape: ((shape.top or 0) // _ROW_EMU, shape.left or 0))


def _placeholder(shape: Any) -> Any:
    return shape.placeholder_format.type if shape.is_placeholder else None


def _value(column: list[Any], at: int) -> str:
    value = column[at] if at < len(column) else None
    return "" if value is None else f"{value:.10g}"


def _authors(presentation: Any, name: str) -> dict[str, str]:
    return dict(_author_names(presentation, name))


def _author_names(presentation: Any, name: str) -> Iterator[tuple[str, str]]:
    for relation in presentation.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(("/commentAuthors", "/authors")):
            for author in xml_of(relation.target_part.blob, name):
                yield author.get("id") or "", one_line(author.get("name") or "")

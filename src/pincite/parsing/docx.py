"""Word documents: paragraphs, lists, tables, notes, comments and tracked changes in reading order.

Page breaks of a Word file are hints to whoever lays it out, so there are no pages; sections are what is cited.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from docx.opc.part import Part
from docx.package import Package

from pincite.errors import CorruptFileError
from pincite.parsing.archive import attachments_of, core_properties, macro_warnings, open_package, reading, xml_of
from pincite.parsing.composed import Facts
from pincite.parsing.composing import Composer
from pincite.parsing.docx_numbering import Numbering, W
from pincite.parsing.docx_styles import Style, Styles
from pincite.parsing.docx_text import ParagraphReader, ParagraphText
from pincite.parsing.grids import Grid, Spanned, grid_of
from pincite.parsing.media_types import DOCX
from pincite.parsing.paragraphs import one_line
from pincite.protocols import Progress
from pincite.types.document import HiddenText, ParsedDocument, Role

#: Wrappers whose content is part of the text around them.
_WRAPPERS: Final = frozenset(f"{W}{tag}" for tag in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"))
#: Cells with more text than this are the layout of a page, not values.
_MAX_CELL_CHARS: Final = 2000
#: A bold paragraph of at most this length that ends no sentence is a heading where no style says what is one.
_MAX_TITLE_CHARS: Final = 100


class DocxParser:
    """Parses .docx, .docm and .dotx. Macros, fields and linked files do nothing."""

    version: ClassVar[str] = "docx/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page without a size, a line for each paragraph, list item and table row.

        Raises:
            CorruptFileError: it is no Word document, or a damaged one.
            ParseMemoryError: it unpacks to more than any document needs.

        """
        archive = open_package(content, name)
        with reading(name, "a Word document"):
            package = Package.open(io.BytesIO(content))
            reader = _Reader.of(package.main_document_part, name)
            metadata = core_properties(package.core_properties)
            reader.read()
        facts = Facts(
            media_type=DOCX,
            format_name="Word",
            metadata=metadata,
            title=metadata.get("title"),
            origin="headings",
            warnings=(*macro_warnings(archive), *reader.warnings()),
            attachments=attachments_of(archive),
            hidden=tuple(reader.hidden),
        )
        document = reader.composer.document(content, facts, name=name, uri=uri, parser=self.version)
        if progress is not None:
            progress(1, 1)
        return document


@dataclass(slots=True)
class _Reader:
    """Writes one document into a `Composer`."""

    body: Any
    styles: Styles
    numbering: Numbering
    notes: dict[tuple[str, str], Any]
    comments: dict[str, Any]
    furniture: list[tuple[Role, Any]]
    composer: Composer = field(default_factory=Composer)
    text: ParagraphReader = field(default_factory=ParagraphReader)
    hidden: list[HiddenText] = field(default_factory=list)
    n_changes: int = 0
    shift: int = 0
    has_headings: bool = False

    @classmethod
    def of(cls, main: Part, name: str) -> "_Reader":
        """Return a reader of the parts of a document.

        Raises:
            CorruptFileError: there is no body.

        """
        parts: dict[str, list[Any]] = {}
        for relation in main.rels.values():
            if not relation.is_external:
                parts.setdefault(relation.reltype.rsplit("/", 1)[-1], []).append(relation.target_part.blob)
        roots = {kind: [xml_of(blob, name) for blob in blobs] for kind, blobs in parts.items() if kind in _PARTS}
        body = xml_of(main.blob, name).find(f"{W}body")
        if body is None:
            raise CorruptFileError("there is no text part in it", origin=name)
        notes = {
            (kind, note.get(f"{W}id", "")): note
            for kind in ("footnote", "endnote")
            for root in roots.get(f"{kind}s", [])
            for note in root.iter(f"{W}{kind}")
            if note.get(f"{W}type") in {None, "normal"}
        }
        comments = {c.get(f"{W}id", ""): c for root in roots.get("comments", []) for c in root.iter(f"{W}comment")}
        kinds: tuple[Role, Role] = ("header", "footer")
        furniture = [(kind, root) for kind in kinds for root in roots.get(kind, [])]
        styles = Styles(next(iter(roots.get("styles", [])), None))
        numbering = Numbering.of(next(iter(roots.get("numbering", [])), None))
        return cls(body, styles, numbering, notes, comments, furniture)

    def read(self) -> None:
        """Write headers, text and footers; comments that hang nowhere come last."""
        styled = [(self.styles.of(p), p) for p in self.body.iter(f"{W}p")]
        self.has_headings = any(style.kind in {"heading", "title"} for style, _ in styled)
        self.shift = int(any(style.kind == "title" and _has_text(p) for style, p in styled))
        self._furniture("header")
        self._blocks(self.body)
        self._comments(list(self.comments))
        self._furniture("footer")

    def warnings(self) -> tuple[str, ...]:
        """Return what a reader should know of the text."""
        if not self.n_changes:
            return ()
        plural = "s" if self.n_changes > 1 else ""
        return (f"{self.n_changes} tracked change{plural}: the text is read as if accepted, and each is listed",)

    def _furniture(self, role: Role) -> None:
        """Write each different text of the headers, or of the footers, once."""
        seen: set[str] = set()
        for kind, root in self.furniture:
            for paragraph in root.iter(f"{W}p") if kind == role else ():
                text = one_line(self.text.read(paragraph).text)
                if text and text not in seen:
                    seen.add(text)
                    self.composer.add(text, role)

    def _blocks(self, parent: Any) -> None:
        for block in _unwrapped(parent):
            if block.tag == f"{W}p":
                self._paragraph(block)
            elif block.tag == f"{W}tbl":
                self._table(block)

    def _paragraph(self, paragraph: Any) -> None:
        found, style = self.text.read(paragraph), self.styles.of(paragraph)
        text = found.text
        if one_line(text):
            kind = style.kind
            if kind == "body" and not self.has_headings and _is_title(found):
                kind, style = "heading", Style("heading", 1)
            mark = self.numbering.mark(style.num_id, style.num_level) if style.num_id else ""
            self._write(mark, text, kind, style, is_bold=found.is_bold)
        self._hangings([found])
        for box in found.boxes:
            self._blocks(box)

    def _write(self, mark: str, text: str, kind: str, style: Style, *, is_bold: bool) -> None:
        if kind in {"heading", "title"}:
            self.composer.heading(mark + text, 1 if kind == "title" else style.level + self.shift)
        elif kind == "code":
            self.composer.code(text)
        else:
            roles: dict[str, Role] = {"list": "list", "caption": "caption", "contents": "metadata"}
            self.composer.add(mark + text, roles.get(kind, "body"), bold=is_bold)

    def _hangings(self, paragraphs: list[ParagraphText]) -> None:
        """Write the notes, changes and comments of paragraphs behind them, and keep what is hidden in them."""
        for found in paragraphs:
            self.hidden += [
                HiddenText(page_num=1, text=one_line(text)[:500], reason=reason)
                for text, reason in found.hidden
                if one_line(text)
            ]
            for key in found.note_ids:
                note = self.notes.pop(key, None)
                text = "" if note is None else " ".join(self._texts(note))
                self.composer.add(f"[{self.text.number_of(key)}] {text}" if one_line(text) else "", "footnote")
            for change in found.changes:
                self.n_changes += 1
                who = ", ".join(filter(None, (change.author, change.day)))
                said = one_line(change.text)
                self.composer.add(f"{change.kind} by {who or 'somebody'}: {said}" if said else "", layer="annotation")
            self._comments(found.comment_ids)

    def _comments(self, ids: list[str]) -> None:
        for comment_id in ids:
            comment = self.comments.pop(comment_id, None)
            text = "" if comment is None else " ".join(self._texts(comment))
            if comment is not None and one_line(text):
                author = one_line(comment.get(f"{W}author") or "") or "somebody"
                self.composer.add(f"Comment by {author}: {text}", layer="annotation")

    def _texts(self, parent: Any) -> Iterator[str]:
        for paragraph in parent.iter(f"{W}p"):
            yield one_line(self.text.read(paragraph).text)

    def _table(self, table: Any) -> None:
        rows = [row for row in _unwrapped(table) if row.tag == f"{W}tr" and not _is_deleted(row)]
        read: list[ParagraphText] = []
        grid = self._grid(rows, read)
        if grid is None:
            for row in rows:
                for cell in _unwrapped(row):
                    self._blocks(cell)
            return
        self.composer.table(grid)
        self._hangings(read)

    def _grid(self, rows: list[Any], read: list[ParagraphText]) -> Grid | None:
        """Return the grid of a table of values, `None` for one that only lays out the page."""
        cells: list[list[tuple[Spanned, bool, int]]] = []
        for row in rows:
            col, found = 0, []
            for cell in (c for c in _unwrapped(row) if c.tag == f"{W}tc"):
                texts = [self.text.read(paragraph) for paragraph in cell.iter(f"{W}p")]
                read += texts
                text = " ".join(filter(None, (one_line(one.text) for one in texts)))
                if len(text) > _MAX_CELL_CHARS or any(self.styles.of(p).kind == "heading" for p in cell.iter(f"{W}p")):
                    return None
                n_cols, goes_on = _spans(cell)
                found.append((Spanned(text, n_cols), goes_on, col))
                col += n_cols
            cells.append(found)
        n_header = sum(1 for row in rows if row.find(f"{W}trPr/{W}tblHeader") is not None)
        grid = grid_of(_merged(cells), header_rows=n_header or None)
        return grid if grid.n_rows >= 2 and grid.n_cols >= 2 else None


_PARTS: Final = frozenset({"styles", "numbering", "footnotes", "endnotes", "comments", "header", "footer"})


def _unwrapped(parent: Any) -> Iterator[Any]:
    """Yield the blocks of a part, those inside content controls and insertions too."""
    stack = list(reversed(parent))
    while stack:
        node = stack.pop()
        if node.tag in _WRAPPERS:
            stack.extend(reversed(node))
        elif isinstance(node.tag, str):
            yield node


def _merged(cells: list[list[tuple[Spanned, bool, int]]]) -> list[list[Spanned]]:
    """Return rows of cells in which those that only continue the cell above are part of it."""
    merged: list[list[Spanned]] = []
    for number, row in enumerate(cells):
        kept = []
        for cell, goes_on, col in row:
            if goes_on and number:
                continue
            n_rows = 1
            while number + n_rows < len(cells) and any(more and at == col for _, more, at in cells[number + n_rows]):
                n_rows += 1
            kept.append(Spanned(cell.text, cell.n_cols, n_rows))
        merged.append(kept)
    return merged


def _spans(cell: Any) -> tuple[int, bool]:
    """Return over how many columns a cell goes, and whether it continues the cell above."""
    span = cell.find(f"{W}tcPr/{W}gridSpan")
    value = span.get(f"{W}val") if span is not None else None
    merge = cell.find(f"{W}tcPr/{W}vMerge")
    goes_on = merge is not None and (merge.get(f"{W}val") or "continue") == "continue"
    return (int(value) if value and value.isdecimal() and len(value) < 5 else 1), goes_on


def _is_deleted(row: Any) -> bool:
    return row.find(f"{W}trPr/{W}del") is not None


def _has_text(paragraph: Any) -> bool:
    return any((node.text or "").strip() for node in paragraph.iter(f"{W}t"))


def _is_title(found: ParagraphText) -> bool:
    text = one_line(found.text)
    return found.is_bold and len(text) <= _MAX_TITLE_CHARS and text[-1] not in ".;,:!?" and any(map(str.isalpha, text))

"""A document put together paragraph by paragraph, for formats whose text has no lines of its own.

A paragraph is a line, a list item and a table row too; a blank line parts paragraphs, as in a text file. Cells of a
row are parted by tabs, as they are when a table is copied. A very long paragraph is several lines, each of whole
sentences.
"""

from collections.abc import Sequence
from typing import Final

from pincite.parsing.composed import Composed, Facts, document_of
from pincite.parsing.grids import Grid
from pincite.parsing.paragraphs import UNPRINTED, one_line, pieces, row_text
from pincite.parsing.table_units import counted_in
from pincite.parsing.text_document import Heading
from pincite.types.document import Cell, Layer, Line, ParsedDocument, Role, Table

#: Roles of lines that follow one another without a blank line.
_TIGHT: Final[frozenset[Role]] = frozenset({"list", "code", "header", "footer", "metadata"})


class Composer:
    """Takes paragraphs, headings and tables in reading order, and makes the document of them."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._labels: list[str | None] = []
        self._counts: list[int] = []
        self._headings: list[Heading] = []
        self._tables: list[Table] = []
        self._last: Role | None = None
        self._waiting: list[tuple[str, int]] = []

    @property
    def n_lines(self) -> int:
        """How many lines there are so far."""
        return len(self._lines)

    @property
    def n_pages(self) -> int:
        """How many pages were started."""
        return len(self._labels)

    def start_page(self, label: str | None = None) -> None:
        """Begin the next page (slide, sheet, spine item)."""
        self._labels.append(label)
        self._counts.append(0)
        self._last = None

    def section(self, title: str, level: int) -> None:
        """Let a section begin with the next line; its title stands in no line."""
        if one_line(title):
            self._waiting.append((one_line(title), level))

    def heading(self, text: str, level: int) -> None:
        """Add a heading that opens a section."""
        title = one_line(text)
        if title:
            self._break("heading")
            self._waiting.append((title, level))
            self._append(title, "heading")

    def add(self, text: str, role: Role = "body", *, layer: Layer = "text", bold: bool = False) -> tuple[int, ...]:
        """Add a paragraph, in which a line feed ends a line; return the ids of its lines."""
        texts = [piece for part in text.split("\n") for piece in pieces(one_line(part))]
        if not texts:
            return ()
        self._break(role)
        return tuple(self._append(piece, role, layer=layer, bold=bold) for piece in texts)

    def code(self, text: str) -> None:
        """Add a block of code, whose lines and indents stay."""
        lines = [UNPRINTED.sub("", line).rstrip() for line in text.replace("\r\n", "\n").split("\n")]
        while lines and not lines[0]:
            lines.pop(0)
        while lines and not lines[-1]:
            lines.pop()
        if not lines:
            return
        self._last = self._last and "body"
        self._break("code")
        for line in lines:
            self._append(line.expandtabs(4), "code" if line else "body")
        self._last = "body"

    def row(self, text: str, role: Role = "body", *, layer: Layer = "text") -> int:
        """Add one line as it stands, right behind the one before; a row of a sheet, or a blank line."""
        self._last = role
        return self._append(UNPRINTED.sub("", text), role, layer=layer)

    def table(self, grid: Grid, *, caption: str | None = None, layer: Layer = "text") -> None:
        """Add a table, a line for each row; one of a single row or column is paragraphs."""
        if grid.n_rows < 2 or grid.n_cols < 2:
            for row in grid.rows:
                for text in row:
                    self.add(text, layer=layer)
            return
        self._last = self._last and "body"
        self._break("table")
        ids = [self._append(row_text(row), "table" if any(row) else "body", layer=layer) for row in grid.rows]
        self._last = "body"
        self.mark_table(grid, ids, caption=caption)

    def mark_table(self, grid: Grid, line_ids: Sequence[int], *, caption: str | None = None) -> None:
        """Make a table of lines that are there, one for each row."""
        cells = tuple(
            Cell(row=row, col=col, text=UNPRINTED.sub("", text), line_ids=(line_ids[row - 1],))
            for row, texts in enumerate(grid.filled, start=1)
            for col, text in enumerate(texts, start=1)
        )
        names = [text for row in grid.rows[: max(1, grid.header_rows)] for text in row]
        counted = counted_in([caption or "", *names])
        self._tables.append(
            Table(
                table_id=len(self._tables) + 1,
                page_num=len(self._labels) or 1,
                caption=caption,
                n_rows=grid.n_rows,
                n_cols=grid.n_cols,
                header_rows=grid.header_rows,
                first_line_id=line_ids[0],
                last_line_id=line_ids[-1],
                unit=counted.unit,
                scale=counted.scale,
                cells=cells,
            )
        )

    def _break(self, role: Role) -> None:
        """Put a blank line before a paragraph, unless it goes on with a list or with the lines of a header."""
        if self._last is not None and not (role in _TIGHT and role == self._last):
            self._append("", "body")

    def _append(self, text: str, role: Role, *, layer: Layer = "text", bold: bool = False) -> int:
        if not self._labels:
            self.start_page()
        line_id = len(self._lines) + 1
        self._counts[-1] += 1
        if text:
            self._headings += [Heading(level, title, line_id, line_id) for title, level in self._waiting]
            self._waiting = []
        self._last = role
        self._lines.append(
            Line(
                line_id=line_id,
                page_num=len(self._labels),
                line_num=self._counts[-1],
                text=text,
                role=role,
                layer=layer,
                bold=bold,
            )
        )
        return line_id

    def document(self, content: bytes, facts: Facts, *, name: str, uri: str, parser: str) -> ParsedDocument:
        """Return the document of all that was added."""
        if not self._labels:
            self.start_page()
        composed = Composed(
            lines=self._lines,
            headings=tuple(self._headings),
            tables=tuple(self._tables),
            labels=self._labels,
            counts=self._counts,
        )
        return document_of(composed, content, facts, name=name, uri=uri, parser=parser)

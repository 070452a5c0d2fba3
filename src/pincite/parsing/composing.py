"""A document put together paragraph by paragraph, for formats whose text has no lines of its own.

A paragraph is a line, a list item and a table row too; a blank line parts paragraphs, as in a text file. Cells of a
row are parted by tabs, as they are when a table is copied. A very long paragraph is several lines, each of whole
sentences.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from pincite.parsing.grids import Grid
from pincite.parsing.objects import named_objects, references
from pincite.parsing.profile import profiled
from pincite.parsing.table_units import counted_in
from pincite.parsing.text_document import Heading, sections
from pincite.text.characters import holds_text
from pincite.text.language import SAMPLE_CHARS, guess_language
from pincite.text.sentences import sentence_spans
from pincite.types.content_hash import hash_of
from pincite.types.document import (
    FURNITURE,
    Attachment,
    Cell,
    HiddenText,
    Layer,
    Line,
    Page,
    ParsedDocument,
    ParsingSummary,
    Role,
    Section,
    Table,
    TocOrigin,
)

#: A paragraph longer than this is cut into lines at sentence ends, so that a cite names less than half a page.
MAX_LINE_CHARS: Final = 1000
#: What does not print and no reader could quote; line feeds and tabs are handled before.
_UNPRINTED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_BLANKS: Final = re.compile(r"[ \t\r\n\f\v]+")
#: Roles of lines that follow one another without a blank line.
_TIGHT: Final[frozenset[Role]] = frozenset({"list", "code", "header", "footer", "metadata"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a whole file beside its lines."""

    media_type: str
    format_name: str
    metadata: dict[str, Any] = field(default_factory=dict)
    title: str | None = None
    producer: str | None = None
    encoding: str | None = None
    language: str | None = None
    origin: TocOrigin = "markup"
    warnings: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    hidden: tuple[HiddenText, ...] = ()


def one_line(text: str) -> str:
    r"""Return text with each run of blanks and line ends as one blank, without what does not print.

    >>> one_line(" a\tb\n\n c\x00 ")
    'a b c'
    """
    return _UNPRINTED.sub("", _BLANKS.sub(" ", text)).strip(" ")


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
        texts = [piece for part in text.split("\n") for piece in _pieces(one_line(part))]
        if not texts:
            return ()
        self._break(role)
        return tuple(self._append(piece, role, layer=layer, bold=bold) for piece in texts)

    def code(self, text: str) -> None:
        """Add a block of code, whose lines and indents stay."""
        lines = [_UNPRINTED.sub("", line).rstrip() for line in text.replace("\r\n", "\n").split("\n")]
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
        return self._append(_UNPRINTED.sub("", text), role, layer=layer)

    def table(self, grid: Grid, *, caption: str | None = None, layer: Layer = "text") -> None:
        """Add a table, a line for each row; one of a single row or column is paragraphs."""
        if grid.n_rows < 2 or grid.n_cols < 2:
            for row in grid.rows:
                for text in row:
                    self.add(text, layer=layer)
            return
        self._last = self._last and "body"
        self._break("table")
        ids = [self._append(_row_text(row), "table" if any(row) else "body", layer=layer) for row in grid.rows]
        self._last = "body"
        self.mark_table(grid, ids, caption=caption)

    def mark_table(self, grid: Grid, line_ids: Sequence[int], *, caption: str | None = None) -> None:
        """Make a table of lines that are there, one for each row."""
        cells = tuple(
            Cell(row=row, col=col, text=_UNPRINTED.sub("", text), line_ids=(line_ids[row - 1],))
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
        toc = _toc(tuple(self._headings), self._lines, facts.origin)
        lines = _in_sections(self._lines, self._headings)
        objects = named_objects(lines, toc)
        seen = {line.page_num for line in lines if line.layer != "hidden" and holds_text(line.text)}
        pages = tuple(
            Page(
                page_num=page_num,
                label=label,
                kind="digital" if page_num in seen else "blank",
                n_lines=count,
                flags=() if page_num in seen else ("no_text",),
            )
            for page_num, (label, count) in enumerate(zip(self._labels, self._counts, strict=True), start=1)
        )
        document = ParsedDocument(
            name=name,
            uri=uri,
            media_type=facts.media_type,
            content_hash=hash_of(content),
            n_bytes=len(content),
            parser=parser,
            metadata=facts.metadata,
            parsing_summary=_summary(facts, lines, toc, n_pages=len(pages), has_text=bool(seen)),
            pages=pages,
            lines=lines,
            toc=toc,
            tables=tuple(self._tables),
            objects=objects,
            references=references(lines, objects),
        )
        return profiled(document)


def _pieces(text: str) -> list[str]:
    """Return a paragraph as lines of whole sentences, none much longer than `MAX_LINE_CHARS`."""
    if len(text) <= MAX_LINE_CHARS:
        return [text] if text else []
    pieces: list[str] = []
    start = end = 0
    for span in sentence_spans(text):
        if end > start and span.end - start > MAX_LINE_CHARS:
            pieces.append(text[start:end].strip())
            start = end
        end = span.end
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]


def _row_text(row: Sequence[str]) -> str:
    return _UNPRINTED.sub("", "\t".join(text.replace("\t", " ") for text in row)).rstrip("\t ")


def _toc(headings: tuple[Heading, ...], lines: Sequence[Line], origin: TocOrigin) -> tuple[Section, ...]:
    """Return the sections, their places in pages and lines of pages."""
    found = []
    for section in sections(headings, len(lines), origin):
        first, last = lines[(section.start_line or 1) - 1], lines[(section.end_line or 1) - 1]
        found.append(
            msgspec.structs.replace(
                section,
                start_page=first.page_num,
                start_line=first.line_num,
                end_page=last.page_num,
                end_line=last.line_num,
            )
        )
    return tuple(found)


def _in_sections(lines: Sequence[Line], headings: Sequence[Heading]) -> tuple[Line, ...]:
    """Return the lines, each with the innermost section it stands in."""
    ids: dict[int, int] = {}
    for section_id, heading in enumerate(headings, start=1):
        ids[heading.first_line] = section_id
    current: int | None = None
    found = []
    for line in lines:
        current = ids.get(line.line_id, current)
        found.append(line if current is None else msgspec.structs.replace(line, section_id=current))
    return tuple(found)


def _summary(
    facts: Facts, lines: Sequence[Line], toc: Sequence[Section], *, n_pages: int, has_text: bool
) -> ParsingSummary:
    first = next((section.title for section in toc if section.level == 1), None)
    return ParsingSummary(
        language=facts.language or guess_language(_sample(lines)),
        n_pages=n_pages,
        format=facts.format_name,
        producer=facts.producer,
        title=facts.title or first,
        toc_origin=facts.origin if toc else None,
        encoding=facts.encoding,
        hidden_text=facts.hidden,
        attachments=facts.attachments,
        warnings=facts.warnings if has_text else (*facts.warnings, "the file has no text"),
    )


def _sample(lines: Sequence[Line]) -> str:
    """Return running text to guess the language from; of a file of tables alone, their cells."""
    texts: list[str] = []
    roles = Counter(line.role for line in lines if line.text)
    skipped = {"code", "metadata", *FURNITURE} | ({"table"} if roles["table"] < roles.total() else set())
    n_chars = 0
    for line in lines:
        if line.role in skipped or line.layer == "hidden":
            continue
        texts.append(line.text[:SAMPLE_CHARS])
        n_chars += len(texts[-1])
        if n_chars > SAMPLE_CHARS:
            break
    return "\n".join(texts)

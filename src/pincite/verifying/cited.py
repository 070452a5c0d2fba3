"""A document as the verifier sees it: its lines, pages and sections, and where quotes stand in it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from pincite.text.quotes import QuoteFinder, QuoteMatch
from pincite.types.citation import Citation, CitedLine, HighlightBox, Verdict
from pincite.types.document import FURNITURE, Line, ParsedDocument, Table
from pincite.verifying.anchors import PAGELESS, anchor_of

#: Media types whose `line_num` is the line of the file itself.
_FILE_LINES: Final = frozenset({"text/markdown", "text/plain"})


class CitedDocument:
    """A whole parsed document under the id and name that citations show."""

    def __init__(self, document: ParsedDocument, *, doc_id: str, name: str, permalink: str | None = None) -> None:
        """Wrap `document`; nothing is folded before the first quote is looked up. `permalink` is its address."""
        self.document = document
        self.doc_id = doc_id
        self.name = name
        self._permalink = permalink

    @cached_property
    def _visible(self) -> tuple[Line, ...]:
        return tuple(line for line in self.document.lines if line.layer != "hidden")

    @cached_property
    def _finder(self) -> QuoteFinder:
        lines = self._visible
        return QuoteFinder(
            [line.text for line in lines],
            skipped=frozenset(i for i, line in enumerate(lines) if line.role in FURNITURE or line.role == "footnote"),
            markdown=self.document.media_type == "text/markdown",
        )

    def find(self, quote: str) -> tuple[QuoteMatch, ...]:
        """Return every place of `quote` in the visible lines, in reading order."""
        return tuple(self._finder.find(quote))

    def line_ids(self, match: QuoteMatch) -> tuple[int, ...]:
        """Return the ids of the lines that a match touches."""
        return tuple(self._visible[span.index].line_id for span in match.spans)

    def citation(self, match: QuoteMatch, *, claimed: str, verdict: Verdict) -> Citation:
        """Return the citation of a match: place, source characters and boxes."""
        lines = [self._visible[span.index] for span in match.spans]
        return self._citation(lines, [(span.start, span.end) for span in match.spans], match.quote, claimed, verdict)

    def citation_of_lines(self, lines: Sequence[Line], verdict: Verdict) -> Citation:
        """Return the citation of whole lines, as the nearest places of a refusal need."""
        quote = "\n".join(line.text for line in lines)
        return self._citation(lines, [(0, len(line.text)) for line in lines], quote, quote, verdict)

    def _citation(
        self, lines: Sequence[Line], spans: Sequence[tuple[int, int]], quote: str, claimed: str, verdict: Verdict
    ) -> Citation:
        first, last = lines[0], lines[-1]
        pages = {page.page_num: page for page in self.document.pages}
        page = pages.get(first.page_num)
        media_type = self.document.media_type
        is_pageless = media_type in PAGELESS
        section = self.breadcrumb(first)
        return Citation(
            doc_id=self.doc_id,
            doc_name=self.name,
            content_hash=self.document.content_hash,
            page=None if is_pageless else first.page_num,
            page_label=page.label if page else None,
            last_page=None if is_pageless else last.page_num,
            last_page_label=pages[last.page_num].label if last.page_num in pages else None,
            first_line=first.line_num,
            last_line=last.line_num,
            line_ids=tuple(line.line_id for line in lines),
            section=section,
            quote=quote,
            claimed_quote=claimed,
            boxes=tuple(_boxes(lines, self.document)),
            verdict=verdict,
            layer=first.layer,
            anchor=anchor_of(media_type, lines, spans, page, section),
            link=self._link(first, last),
            lines=tuple(
                CitedLine(line_id=x.line_id, page_num=x.page_num, line_num=x.line_num, text=x.text) for x in lines
            ),
        )

    def _link(self, first: Line, last: Line) -> str | None:
        """Return the address of lines: `…/a.md#L10-L14` where a line is the file's own line, else of the document."""
        if self._permalink is None or not self._permalink.startswith(("https://", "http://")):
            return None
        if self.document.media_type not in _FILE_LINES or "/blob/" not in self._permalink:
            return self._permalink
        lines = f"#L{first.line_num}" + (f"-L{last.line_num}" if last.line_num != first.line_num else "")
        return self._permalink + lines

    def table(self, table_id: int) -> Table | None:
        """Return a table of the document by its number."""
        return self._tables.get(table_id)

    @cached_property
    def _tables(self) -> dict[int, Table]:
        return {table.table_id: table for table in self.document.tables}

    def breadcrumb(self, line: Line) -> tuple[str, ...]:
        """Return the titles from the outermost section to that of a line."""
        if line.section_id is None:
            return ()
        return self._breadcrumbs.get(line.section_id, ())

    @cached_property
    def _breadcrumbs(self) -> dict[int, tuple[str, ...]]:
        return {section.section_id: section.breadcrumb for section in self.document.toc}


def _boxes(lines: Sequence[Line], document: ParsedDocument) -> list[HighlightBox]:
    sizes = {page.page_num: page for page in document.pages}
    return [
        HighlightBox(
            page=line.page_num,
            width_pt=sizes[line.page_num].width_pt,
            height_pt=sizes[line.page_num].height_pt,
            box=(line.box.x0, line.box.y0, line.box.x1, line.box.y1),
        )
        for line in lines
        if line.box is not None
    ]

"""Spans, values, verdicts and citations: what makes an answer checkable."""

from typing import Literal

from pincite.types.record import Record


class Span(Record, frozen=True, kw_only=True):
    """A half-open range of characters: `text[start:end]`."""

    start: int
    end: int


class HighlightBox(Record, frozen=True, kw_only=True):
    """`box` is `[x0, y0, x1, y1]` in points, origin top-left, on a page of the given size."""

    page: int
    width_pt: float
    height_pt: float
    box: tuple[float, float, float, float]


class CitedLine(Record, frozen=True, kw_only=True):
    """A cited line with its whole text: whoever gets a citation can look the quote up in it."""

    line_id: int
    page_num: int
    line_num: int
    text: str


class Verdict(Record, frozen=True, kw_only=True):
    """The result of checking a quote against the document.

    `match` says how the quote was found, `folds` lists every fold that was needed (the receipt), `value`
    whether the value was parsed again from the quote.
    """

    status: Literal["verified", "repaired", "rejected"]
    match: Literal["exact", "folded"] | None = None
    folds: tuple[str, ...] = ()
    value: Literal["passed", "failed", "none"] = "none"
    reason: str | None = None


class CellRef(Record, frozen=True, kw_only=True):
    """A cell of a table of the cited document: `row` and `col` start at 1.

    The rest is filled in from the document when it is checked: what the cell says, the names of its row and column, and
    what the table says its numbers count.
    """

    table_id: int
    row: int
    col: int
    text: str = ""
    row_name: str = ""
    column_name: str = ""
    unit: str | None = None
    scale: str | None = None


class Citation(Record, frozen=True, kw_only=True):
    """A place in a document with its quote, checked by code.

    `quote` holds the source's own characters, lines separated by a line feed; `claimed_quote` what was
    claimed. `page` starts at 1 and is `None` only where a format has no pages; `first_line` and
    `last_line` are line numbers on the first and the last cited page. `anchor` is the place in the words
    of the format where it has none of its own for pages and lines: `Costs!B4:D4`, `slide 3 l.2`, `§ Terms l.12`.
    `link` leads to the place in a browser, where the source has an address that stays. `lines` are the whole lines
    that the quote was found in; citations stored by an earlier pincite have none. `cell` is the cell of a table
    that is cited; then `boxes` are those of the cell, and the quote is its row.
    """

    doc_id: str
    doc_name: str
    content_hash: str
    page: int | None
    page_label: str | None
    last_page: int | None
    last_page_label: str | None = None
    first_line: int
    last_line: int
    line_ids: tuple[int, ...]
    section: tuple[str, ...]
    quote: str
    claimed_quote: str
    boxes: tuple[HighlightBox, ...]
    verdict: Verdict
    layer: str = "text"
    anchor: str | None = None
    link: str | None = None
    lines: tuple[CitedLine, ...] = ()
    cell: CellRef | None = None

    def __str__(self) -> str:
        """Return the pin cite: `paper.pdf p.6 l.33–37`."""
        return f"{self.doc_name} {self.place}"

    @property
    def place(self) -> str:
        """The page and lines: `p.6 l.33–37`, `p.3 [sheet 7] l.1`, `l.12` where nothing is printed, or the anchor."""
        if self.anchor is not None:
            return self.anchor
        if self.page is None or (self.page == self.last_page == 1 and not self.boxes):
            return _lines(self.first_line, self.last_line)
        shown = _page(self.page, self.page_label)
        if self.last_page is not None and self.last_page != self.page:
            last = _page(self.last_page, self.last_page_label)
            return f"{shown} l.{self.first_line} – {last} l.{self.last_line}"
        return f"{shown} {_lines(self.first_line, self.last_line)}"


def _page(page: int, label: str | None) -> str:
    return f"p.{page}" if label is None or label == str(page) else f"p.{label} [sheet {page}]"


def _lines(first: int, last: int) -> str:
    return f"l.{first}" if first == last else f"l.{first}–{last}"

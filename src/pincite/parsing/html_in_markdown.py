"""Tables written as HTML in a Markdown file: their cells, each with the lines of the file that it stands on."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pincite.parsing.grids import Spanned, grid_of, guess_header_rows
from pincite.parsing.table_units import counted_in
from pincite.types.document import Cell, Table

_TAG: Final = re.compile(r"<!--.*?-->|<(?P<close>/?)(?P<name>[A-Za-z][\w-]*)(?P<rest>[^<>]*)>", re.DOTALL)
_SPAN: Final = re.compile(r"\b(?P<way>col|row)span\s*=\s*[\"']?\s*(?P<n>\d{1,4})", re.IGNORECASE)
_OPENS: Final = re.compile(r"<table\b", re.IGNORECASE)
_BREAKS: Final = frozenset({"br", "p", "div", "li", "ul", "ol"})


@dataclass(slots=True)
class _HtmlCell:
    first_line: int
    is_header: bool
    n_cols: int = 1
    n_rows: int = 1
    text: str = ""
    last_line: int = 0


@dataclass(slots=True)
class HtmlTable:
    """A table as it is written: its lines in the file from 1, its rows, its caption."""

    first_line: int
    last_line: int
    rows: list[list[_HtmlCell]] = field(default_factory=list)
    caption: str | None = None


def html_tables(lines: Sequence[str], blocks: Sequence[tuple[int, int]]) -> Iterator[HtmlTable]:
    """Yield the tables that begin in blocks of HTML, which are given by their lines (from 0, half-open).

    A table ends at its own end tag, though a blank line in it ends the block; one that is never closed is none.
    """
    done = 0
    for first, end in blocks:
        for at in range(max(first, done), end):
            if at >= done and _OPENS.search(lines[at]):
                found = _read(lines, at)
                if found is not None:
                    done = found.last_line
                    yield found


@dataclass(slots=True)
class _Reading:
    """A table while its tags are read: the cell and the caption that are open."""

    table: HtmlTable
    cell: _HtmlCell | None = None
    caption: list[str] | None = None

    def text(self, between: str) -> None:
        """Take the text between two tags."""
        if self.cell is not None:
            self.cell.text += between
        elif self.caption is not None:
            self.caption.append(between)

    def tag(self, name: str, rest: str, line: int, *, closes: bool) -> None:
        """Take a tag of the table itself."""
        if name in {"tr", "td", "th"}:
            self.end(line)
            if name == "tr" and not closes:
                self.table.rows.append([])
            elif name != "tr" and not closes:
                self.cell = _opened(name, rest, line)
                if not self.table.rows:
                    self.table.rows.append([])
                self.table.rows[-1].append(self.cell)
        elif name == "caption":
            if closes and self.caption is not None:
                self.table.caption = _plain("".join(self.caption)) or None
            self.caption = None if closes else []
        elif name in _BREAKS:
            self.text(" ")

    def end(self, line: int) -> None:
        """End the cell that is open."""
        if self.cell is not None:
            self.cell.last_line = line
            self.cell.text = _plain(self.cell.text)
        self.cell = None


def _read(lines: Sequence[str], first: int) -> HtmlTable | None:
    """Return the table that opens on a line; tables in its cells are text of the cell."""
    text = "\n".join(lines[first:])
    start = _OPENS.search(text)
    if start is None:
        return None
    reading = _Reading(HtmlTable(first + 1, first + 1))
    depth, at, line = 0, start.start(), first + 1
    for match in _TAG.finditer(text, at):
        reading.text(text[at : match.start()])
        line += text.count("\n", at, match.start())
        at = match.end()
        name, closes = (match["name"] or "").lower(), bool(match["close"])
        if name == "table":
            depth += -1 if closes else 1
            if depth == 0:
                reading.end(line)
                reading.table.last_line = line
                return reading.table
        elif depth == 1:
            reading.tag(name, match["rest"] or "", line, closes=closes)
        line += match.group().count("\n")
    return None


def _opened(name: str, rest: str, line: int) -> _HtmlCell:
    spans = {match["way"].lower(): int(match["n"]) for match in _SPAN.finditer(rest)}
    return _HtmlCell(line, name == "th", n_cols=spans.get("col", 1), n_rows=spans.get("row", 1))


def _plain(text: str) -> str:
    return " ".join(html.unescape(text).split())


def table_of_html(found: HtmlTable, *, table_id: int, caption: str | None) -> Table | None:
    """Return the table, a spanning cell in each of its places; `None` for less than two rows or columns."""
    cells = [cell for row in found.rows for cell in row]
    numbers = iter(range(len(cells)))
    # The cells go through the grid by their number, so that each keeps its lines.
    grid = grid_of(
        [[Spanned(str(next(numbers)), cell.n_cols, cell.n_rows) for cell in row] for row in found.rows], header_rows=0
    )
    if grid.n_rows < 2 or grid.n_cols < 2:
        return None
    places = [[cells[int(number)] if number else None for number in row] for row in grid.filled]
    texts = [[cell.text if cell is not None else "" for cell in row] for row in places]
    marked = sum(1 for _ in _leading(places))
    n_header = marked if 0 < marked < len(texts) else guess_header_rows(texts)
    counted = counted_in([caption or found.caption or "", *(text for row in texts[: max(1, n_header)] for text in row)])
    return Table(
        table_id=table_id,
        page_num=1,
        caption=found.caption or caption,
        n_rows=grid.n_rows,
        n_cols=grid.n_cols,
        header_rows=n_header,
        first_line_id=found.first_line,
        last_line_id=found.last_line,
        unit=counted.unit,
        scale=counted.scale,
        cells=tuple(
            Cell(row=r, col=c, text=cell.text, line_ids=tuple(range(cell.first_line, cell.last_line + 1)))
            if cell is not None
            else Cell(row=r, col=c, text="", line_ids=())
            for r, row in enumerate(places, start=1)
            for c, cell in enumerate(row, start=1)
        ),
    )


def _leading(places: Sequence[Sequence[_HtmlCell | None]]) -> Iterator[None]:
    """Yield for each row at the top whose cells are all header cells."""
    for row in places:
        if not all(cell is not None and cell.is_header for cell in row):
            return
        yield None

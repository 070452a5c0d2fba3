"""Pages to the rows of a parsed document, page by page."""

from dataclasses import dataclass, field, replace

import numpy as np

from pincite.parsing.ocr_layout import recognised_tables
from pincite.parsing.pdf_areas import Box
from pincite.parsing.pdf_continued import Placed, joined, placed
from pincite.parsing.pdf_geometry import Frame
from pincite.parsing.pdf_lines import DraftLine
from pincite.parsing.pdf_ocr import recognised_lines
from pincite.parsing.pdf_outline import safe_name
from pincite.parsing.pdf_pages import PageDraft
from pincite.parsing.pdf_reading import hidden_lines, page_lines
from pincite.parsing.pdf_tables import Grid
from pincite.types.document import Attachment, Cell, HiddenText, Image, Line, Page, Table
from pincite.types.geometry import BBox

#: At most so many hidden lines are reported.
_MOST_HIDDEN = 500


@dataclass(slots=True)
class Rows:
    """What has been read so far, in the order of the pages."""

    pages: list[Page] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    hidden: list[HiddenText] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    last_part: Placed | None = None
    ocr_engine: str | None = None

    def add(self, draft: PageDraft, n_top: int, n_bottom: int) -> None:
        """Add a page whose first `n_top` rows are its header and last `n_bottom` its footer."""
        lines, grids = page_lines(draft, n_top, n_bottom)
        unseen = hidden_lines(draft) if draft.hidden or draft.unseen else []
        first = len(self.lines) + 1
        if draft.recognised:
            lines = self._with_recognised(lines, draft, first)
        width, height = draft.frame.width_pt, draft.frame.height_pt
        for line_num, line in enumerate([*lines, *unseen], start=1):
            self.lines.append(_line(line, draft.page_num, (width, height), line_num, first + line_num - 1))
        self._add_hidden(unseen, draft.page_num)
        for grid in grids:
            self._add_table(grid, lines, first, draft)
        for picture in draft.drawn.pictures:
            box = _box(picture.box, (width, height))
            self.images.append(Image(page_num=draft.page_num, box=box, content_hash=picture.content_hash))
        for at, found in enumerate(draft.fields):
            if found.kind == "attachment":
                self.attachments.append(Attachment(name=safe_name(found.name, at), n_bytes=int(found.value)))
        self.frames.append(draft.frame)
        flags = list(draft.flags)
        if "watermark" in [line.reason for line in lines]:
            flags.append("watermark")
        self.pages.append(
            Page(
                page_num=draft.page_num,
                width_pt=round(width, 3),
                height_pt=round(height, 3),
                rotation=draft.frame.rotation,
                kind=draft.kind,
                n_lines=len(lines),
                n_columns=max([line.column for line in lines], default=1),
                flags=tuple(flags),
            )
        )

    def _add_table(self, grid: Grid, lines: list[DraftLine], first_id: int, draft: PageDraft) -> None:
        """Add a table, or the rows of one that goes on from the page before."""
        part = placed(_table(grid, lines, first_id, draft, len(self.tables) + 1), grid, lines)
        before = self.last_part
        whole = joined(before, part) if before is not None else None
        if whole is None:
            self.tables.append(part.table)
            self.last_part = part
        else:
            self.tables[-1] = whole
            self.last_part = replace(part, table=whole)

    def _with_recognised(self, lines: list[DraftLine], draft: PageDraft, first_id: int) -> list[DraftLine]:
        """Return the lines of a page with those that were recognised behind its header, and note tables in them."""
        read = recognised_lines(draft)
        top = min(line.box[1] for line in read)
        # A header that the file has itself stands above what was recognised, whatever its role.
        below = (at for at, line in enumerate(lines) if line.role != "header" and line.box[3] > top)
        n_headers = next(below, len(lines))
        tables = recognised_tables(
            draft.recognised,
            page_num=draft.page_num,
            n_lines_before=first_id - 1 + n_headers,
            n_tables_before=len(self.tables),
            scale=draft.recognised_scale,
            size=(draft.frame.width_pt, draft.frame.height_pt),
        )
        for table in tables:
            for line_id in range(table.first_line_id, table.last_line_id + 1):
                read[line_id - first_id - n_headers].role = "table"
        if tables:
            self.tables += tables
            self.last_part = None
        return [*lines[:n_headers], *read, *lines[n_headers:]]

    def _add_hidden(self, unseen: list[DraftLine], page_num: int) -> None:
        room = _MOST_HIDDEN - len(self.hidden)
        self.hidden += [HiddenText(page_num=page_num, text=line.text, reason=line.reason) for line in unseen[:room]]


def _line(line: DraftLine, page_num: int, size: tuple[float, float], line_num: int, line_id: int) -> Line:
    """Return the line with its numbers, its box cut to the page of this size."""
    return Line(
        line_id=line_id,
        page_num=page_num,
        line_num=line_num,
        text=line.text,
        box=_box(line.box, size),
        column=line.column,
        role=line.role,  # type: ignore[arg-type]
        layer=line.layer,  # type: ignore[arg-type]
        font_size=round(line.size * 100) / 100,
        bold=line.bold,
        confidence=line.confidence,
    )


def _box(box: Box, size: tuple[float, float]) -> BBox:
    """Return the box cut to the page of this size, to a hundredth of a point.

    pdfium's numbers have 24 bits: a hundred times of one is exact, and rounding that takes a fifth of the time of
    rounding to two places.
    """
    x0, y0, x1, y1 = box
    width, height = size
    if not (x0 > 0 and y0 > 0 and x1 < width and y1 < height):
        x0, x1 = max(0.0, min(x0, width)), max(0.0, min(x1, width))
        y0, y1 = max(0.0, min(y0, height)), max(0.0, min(y1, height))
    x0, y0, x1, y1 = round(x0 * 100) / 100, round(y0 * 100) / 100, round(x1 * 100) / 100, round(y1 * 100) / 100
    return BBox(x0=x0, y0=y0, x1=max(x0, x1), y1=max(y0, y1))


def _table(grid: Grid, lines: list[DraftLine], first_id: int, draft: PageDraft, table_id: int) -> Table:
    """Return the table with its lines numbered; a cell over several places stands in each of them."""
    size = draft.frame.width_pt, draft.frame.height_pt
    start = _place(lines, grid)
    cells: dict[tuple[int, int], Cell] = {}
    for found in grid.cells:
        ids = tuple([first_id + start + at - grid.first for at in found.lines])
        box = _box(found.box, size)
        for row in range(found.row, found.last_row + 1):
            for col in range(found.col, found.last_col + 1):
                cells[row, col] = Cell(row=row, col=col, text=found.text, line_ids=ids, box=box)
    places = [(row, col) for row in range(1, grid.n_rows + 1) for col in range(1, grid.n_cols + 1)]
    return Table(
        table_id=table_id,
        page_num=draft.page_num,
        caption=grid.caption,
        unit=grid.counted.unit,
        scale=grid.counted.scale,
        n_rows=grid.n_rows,
        n_cols=grid.n_cols,
        header_rows=grid.header_rows,
        first_line_id=first_id + start,
        last_line_id=first_id + start + grid.last - grid.first,
        cells=tuple(cells.get(at) or Cell(row=at[0], col=at[1], text="", line_ids=()) for at in places),
    )


def _place(lines: list[DraftLine], grid: Grid) -> int:
    """Return where the grid's first line stands among all lines of the page (headers come before it)."""
    return next(at for at, line in enumerate(lines) if line is grid.line)


def displayed_y(frame: Frame, x: float | None, y: float | None) -> float | None:
    """Return how far down the displayed page a point of page space lies."""
    if y is None and frame.rotation in (0, 180):
        return None
    column, row = np.array([x if x is not None else frame.left]), np.array([y if y is not None else frame.top])
    return float(frame.display(column, row)[1][0])

"""Line ids back to lines: what the answerer may read, with what is known of where each line stands."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from pincite.types.document import UNREADABLE_FLAGS, DocumentRecord, Line, ParsedDocument
from pincite.types.passage import LineRange
from pincite.types.record import Record
from pincite.types.retrieval import Candidate
from pincite.types.source import ReadingLine, RowPlace


class ReadDocument(Record, frozen=True, kw_only=True):
    """A whole document with its row in the library."""

    record: DocumentRecord
    document: ParsedDocument


DocumentOf = Callable[[str], ReadDocument]


def reading_lines(
    ranges: Sequence[LineRange], candidates: Sequence[Candidate], document_of: DocumentOf
) -> tuple[ReadingLine, ...]:
    """Return the lines of the ranges, each with its headings, its table row, and the rank of what found it."""
    lines: list[ReadingLine] = []
    for one in ranges:
        read = document_of(one.doc_id)
        mine = [c for c in candidates if c.anchor.doc_id == one.doc_id]
        lines.extend(_lines_of(read, one, mine))
    return tuple(lines)


def _lines_of(read: ReadDocument, one: LineRange, candidates: Sequence[Candidate]) -> Iterator[ReadingLine]:
    breadcrumbs = {s.section_id: s.breadcrumb for s in read.document.toc}
    flags = {page.page_num: set(page.flags) for page in read.document.pages}
    rows = _rows(read.document, one)
    lines = read.document.lines_between(one.first_line_id, one.last_line_id)
    for line in lines:
        if "unreadable_text_layer" in flags.get(line.page_num, ()):
            continue  # what such a page says is not what is printed: nothing of it may be quoted
        best = next((c for c in candidates if _holds(c.anchor, line)), None)
        cells, header, place = rows.get(line.line_id, ((), (), None))
        yield ReadingLine(
            doc_id=one.doc_id,
            doc_name=read.record.name,
            line=line,
            breadcrumb=breadcrumbs.get(line.section_id, ()) if line.section_id is not None else (),
            rank=best.rank if best else None,
            anchor_score=best.score if best else 0.0,
            doc_date=read.record.date,
            is_markdown=read.record.media_type == "text/markdown",
            cells=cells,
            header=header,
            table=place,
            is_doubtful=bool(flags.get(line.page_num, set()) & UNREADABLE_FLAGS),
        )


def _holds(anchor: LineRange, line: Line) -> bool:
    return anchor.first_line_id <= line.line_id <= anchor.last_line_id


_Row = tuple[tuple[str, ...], tuple[str, ...], RowPlace | None]


def _rows(document: ParsedDocument, one: LineRange) -> dict[int, _Row]:
    """Return line id → (cells of its row, column names, place of the row) for the table rows of a range."""
    found: dict[int, _Row] = {}
    for table in document.tables:
        if table.last_line_id < one.first_line_id or table.first_line_id > one.last_line_id:
            continue
        grid = [["" for _ in range(table.n_cols)] for _ in range(table.n_rows)]
        ids: list[list[tuple[int, ...]]] = [[() for _ in range(table.n_cols)] for _ in range(table.n_rows)]
        for cell in table.cells:
            grid[cell.row - 1][cell.col - 1] = cell.text
            ids[cell.row - 1][cell.col - 1] = cell.line_ids
        names = _spread(grid[: table.header_rows])
        header = tuple(" ".join(filter(None, column)) for column in zip(*names, strict=True))
        for row, cell_lines in enumerate(ids, start=1):
            cells = header if row <= table.header_rows else tuple(grid[row - 1])
            place = RowPlace(
                table_id=table.table_id,
                row=row,
                cell_lines=tuple(cell_lines),
                n_rows=table.n_rows,
                header_rows=table.header_rows,
                caption=table.caption,
                unit=table.unit,
                scale=table.scale,
            )
            for line_id in {i for line_ids in cell_lines for i in line_ids}:
                # A cell over several rows stands on a line of one of them: the row whose other cells are there counts.
                known = found.get(line_id)
                if known is None or _n_on(place, line_id) > _n_on(known[2], line_id):
                    found[line_id] = (cells, header, place)
    return found


def _n_on(place: RowPlace | None, line_id: int) -> int:
    """Return how many cells of a row stand on a line and no other line."""
    return 0 if place is None else sum(ids == (line_id,) for ids in place.cell_lines)


def _spread(header: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return header rows with the name of each group over all its columns: "2030" over "Officers" and "Sailors".

    Groups are known by their column names, which repeat. Where as many columns fall to each group its name may stand
    over any of them, as a centred one does; else over the first.
    """
    rows = [list(row) for row in header]
    if len(rows) < 2:
        return rows
    below = rows[-1]
    columns = [n for n, name in enumerate(below) if name]
    if len({below[n] for n in columns}) == len(columns):
        return rows
    for row in rows[:-1]:
        groups = [n for n in columns if row[n]]
        size, rest = divmod(len(columns), len(groups) or 1)
        blocks = [columns[i * size : (i + 1) * size] for i in range(len(groups))]
        if groups and not rest and all(group in block for group, block in zip(groups, blocks, strict=True)):
            for group, block in zip(groups, blocks, strict=True):
                name = row[group]
                for n in block:
                    row[n] = name
            continue
        for before, n in pairwise(columns):
            row[n] = row[n] or row[before]
    return rows

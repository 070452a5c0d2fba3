"""CSV and TSV: the file's own lines, and the table they are."""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, Final

from pincite.parsing.encoding import decode
from pincite.parsing.grids import grid_of_texts, is_period, is_value
from pincite.parsing.media_types import CSV
from pincite.parsing.paragraphs import one_line
from pincite.parsing.text_document import TextDocument, make_document, split_lines
from pincite.protocols import Progress
from pincite.types.document import Cell, ParsedDocument, Role, Table

_DELIMITERS: Final = (",", ";", "\t", "|")
#: Lines that are looked at to find the delimiter.
_SAMPLE_LINES: Final = 60
#: The first line of some programs names the delimiter.
_SEPARATOR: Final = re.compile(r"sep=(.)\s*")


class CsvParser:
    """Parses delimited text of any encoding; the delimiter is found by what parts most lines alike."""

    version: ClassVar[str] = "csv/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page, one line for each line of the file, one table.

        Raises:
            NotTextError: the bytes are not text.

        """
        decoded = decode(content, name)
        lines = split_lines(decoded.text)
        tables, warnings = _tables(lines, is_tabbed=name.lower().rstrip().endswith(".tsv"))
        roles: list[Role] = ["body"] * len(lines)
        for table in tables:
            span = slice(table.first_line_id - 1, table.last_line_id)
            roles[span] = ["table" if line.strip() else "body" for line in lines[span]]
        found = TextDocument(
            lines=lines,
            roles=roles,
            headings=(),
            encoding=decoded.encoding,
            warnings=(*decoded.warnings, *warnings),
            tables=tables,
            media_type=CSV,
            format_name="CSV",
        )
        if progress is not None:
            progress(1, 1)
        return make_document(found, content, name=name, uri=uri, parser=self.version)


def _tables(lines: Sequence[str], *, is_tabbed: bool) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """Return the table of all records, and what was doubtful; none where nothing parts the lines."""
    named = _SEPARATOR.fullmatch(lines[0]) if lines else None
    delimiter = named.group(1) if named else ("\t" if is_tabbed else _delimiter(lines))
    if delimiter is None:
        return (), ()
    records: list[tuple[int, int, list[str]]] = []
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter)
    last = 0
    try:
        for record in reader:
            records.append((last + 1, reader.line_num, [one_line(text) for text in record]))
            last = reader.line_num
    except csv.Error as error:
        return (), (f"line {last + 1} cannot be read as a record ({error}); the file is read as text",)
    n_usual = Counter(len(texts) for _, _, texts in records if any(texts)).most_common(1)
    if not n_usual or n_usual[0][0] < 2:
        return (), ()
    # What stands above the records (a title, a date) has fewer fields than they have.
    first = next(i for i, (_, _, texts) in enumerate(records) if 2 * sum(map(bool, texts)) > n_usual[0][0])
    rows = [record for record in records[first:] if any(record[2])]
    n_odd = sum(len(texts) != n_usual[0][0] for _, _, texts in rows)
    table = _table(rows)
    said = f"{n_odd} of {len(rows)} records have another number of fields than most ({n_usual[0][0]})"
    return (() if table is None else (table,)), ((said,) if n_odd else ())


def _table(rows: Sequence[tuple[int, int, list[str]]]) -> Table | None:
    n_cols = max(len(texts) for _, _, texts in rows)
    padded = [[*texts, *[""] * (n_cols - len(texts))] for _, _, texts in rows]
    if len(rows) < 2:
        return None
    named = [text for text in padded[0] if text]
    is_header = (
        bool(named)
        and not any(is_value(text) and not is_period(text) for text in named)
        and len(set(named)) == len(named)
    )
    grid = grid_of_texts(padded, header_rows=1 if is_header else 0)
    cells = tuple(
        Cell(row=row, col=col, text=text, line_ids=tuple(range(first, last + 1)))
        for row, ((first, last, _), texts) in enumerate(zip(rows, padded, strict=True), start=1)
        for col, text in enumerate(texts, start=1)
    )
    return Table(
        table_id=1,
        page_num=1,
        caption=None,
        n_rows=len(rows),
        n_cols=n_cols,
        header_rows=grid.header_rows,
        first_line_id=rows[0][0],
        last_line_id=rows[-1][1],
        cells=cells,
    )


def _delimiter(lines: Sequence[str]) -> str | None:
    """Return the mark that parts most lines into the same number of fields, two at least.

    >>> _delimiter(["Pier;Length", "North;1,5", "South;2,5"])
    ';'
    """
    sample = [line for line in lines[:_SAMPLE_LINES] if line.strip()]
    best: tuple[int, int] = (0, 0)
    chosen = None
    for delimiter in _DELIMITERS:
        counts = Counter(len(record) for record in _records(sample, delimiter))
        usual = max(counts, key=lambda n: (counts[n] if n > 1 else 0, n), default=1)
        score = (counts[usual], usual)
        if usual > 1 and score > best:
            best, chosen = score, delimiter
    return chosen if 2 * best[0] > len(sample) else None


def _records(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader((line + "\n" for line in lines), delimiter=delimiter))
    except csv.Error:
        return []

"""Tables as rows of cells: cells that span several, and which rows are the header."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: A cell that holds a value rather than a name: a number, an amount, a date, a time, a share, or a mark for nothing.
_VALUE: Final = re.compile(
    r"[-+±<>≤≥≈~(]?\s*(?:[$€£¥₹]|[A-Z]{3}\s)?\s*\d[\d.,:/\s'’−–-]*\)?\s*(?:[%‰°]?[^\W\d_]{0,4}[²³]?|[$€£¥₹])|[-–—]|n/?a",
    re.IGNORECASE,
)
_PERIOD: Final = re.compile(
    r"(?:[QH]\d|FY|(?:\d{1,2}\.?\s)?[A-Za-z]{3,9}\.?(?:\s\d{1,2},)?)?\s?(?:19|20)\d\d[AEF]?(?:\s?[/–-]\s?(?:\d\d){1,2})?"
    r"|[A-Z][a-z]{2,8}\.?\s\d{1,2},"
)
#: A spanning cell is written at most into this many places: what claims more is not a table a person could see.
_MAX_SPAN: Final = 1000
#: No table is filled up by spanning cells beyond this many places.
_MAX_FILLED: Final = 2_000_000
#: More columns than a sheet may have (ECMA-376, 18.3.1.13).
_MAX_COLS: Final = 16_384


@dataclass(frozen=True, slots=True)
class Spanned:
    """The text of one cell and over how many columns and rows it goes."""

    text: str
    n_cols: int = 1
    n_rows: int = 1


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: `rows` as it is seen, a spanning cell once; `filled` with its text wherever it goes."""

    rows: tuple[tuple[str, ...], ...]
    filled: tuple[tuple[str, ...], ...]
    header_rows: int = 0

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return len(self.rows)

    @property
    def n_cols(self) -> int:
        """How many columns it has."""
        return len(self.rows[0]) if self.rows else 0


def grid_of(rows: Sequence[Sequence[Spanned]], *, header_rows: int | None = None) -> Grid:
    """Return the grid of rows of cells; rows and columns without any text at the edges are left out.

    `header_rows` `None` means: guess.

    >>> grid_of([[Spanned("Pier", n_rows=2), Spanned("2030", n_cols=2)], [Spanned("in"), Spanned("out")]]).rows
    (('Pier', '2030', ''), ('', 'in', 'out'))
    """
    seen: dict[tuple[int, int], str] = {}
    filled: dict[tuple[int, int], str] = {}
    for row, cells in enumerate(rows):
        col = 0
        for cell in cells:
            while (row, col) in filled:
                col += 1
            if col >= _MAX_COLS:
                break
            seen[row, col] = cell.text
            n_cols, n_rows = min(max(cell.n_cols, 1), _MAX_SPAN), min(max(cell.n_rows, 1), len(rows) - row)
            if n_cols * n_rows > _MAX_FILLED - len(filled):
                n_cols = n_rows = 1
            for below in range(n_rows):
                for beside in range(n_cols):
                    filled.setdefault((row + below, col + beside), cell.text)
            col += n_cols
    return _trimmed(seen, filled, header_rows)


def grid_of_texts(rows: Sequence[Sequence[str]], *, header_rows: int | None = None) -> Grid:
    """Return the grid of rows of texts without spanning cells."""
    return grid_of([[Spanned(text) for text in row] for row in rows], header_rows=header_rows)


def _trimmed(seen: dict[tuple[int, int], str], filled: dict[tuple[int, int], str], header_rows: int | None) -> Grid:
    kept_rows = sorted({row for (row, _), text in seen.items() if text})
    used = [col for (_, col), text in seen.items() if text]
    if not used:
        return Grid((), ())
    columns = range(min(used), max(used) + 1)
    shown = tuple(tuple(seen.get((row, col), "") for col in columns) for row in kept_rows)
    whole = tuple(tuple(filled.get((row, col), "") for col in columns) for row in kept_rows)
    if header_rows is None:
        return Grid(shown, whole, guess_header_rows(whole))
    n_header = sum(row < header_rows for row in kept_rows)
    return Grid(shown, whole, n_header if n_header < len(kept_rows) else 0)


def guess_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Return 1 where the first row names columns, 0 where it does not or nobody can say.

    It names them when all its cells are names, each another, and a later row has a value under one of them; or when
    there are three columns or more and every column but the first has a value or a longer text below it.

    >>> guess_header_rows([["Pier", "Length"], ["North", "40 m"], ["South", "35 m"]])
    1
    >>> guess_header_rows([["Owner", "Kelp & Co"], ["Founded", "1987"]])
    0
    """
    if len(rows) < 2 or len(rows[0]) < 2:
        return 0
    first, rest = rows[0], rows[1:]
    named = [text for text in first[1:] if text]
    if not named or any(is_value(text) and not is_period(text) for text in first) or len(named) < len(first) - 1:
        return 0
    if len(set(first)) < len(first):
        return 0
    columns = [[row[col] for row in rest if row[col]] for col in range(1, len(first))]
    has_values = [bool(texts) and 2 * sum(map(is_value, texts)) >= len(texts) for texts in columns]
    if len(first) == 2:
        # Two columns may be names and what they stand for: a header only above a column of values alone.
        return int(len(columns[0]) >= 2 and all(map(is_value, columns[0])))
    return int(any(has_values) or len(rest) >= 2)


def is_period(text: str) -> bool:
    """Say whether a cell names a year, a part of one or the day it ends on, as columns do; the year may stand below.

    >>> [is_period(text) for text in ("2031", "2031/32", "Q3 2031", "May 31, 2031", "May 31,", "1250")]
    [True, True, True, True, True, False]
    """
    return _PERIOD.fullmatch(text.strip()) is not None


def is_value(text: str) -> bool:
    """Say whether a cell holds a number, an amount, a date or a mark for nothing, not a name.

    >>> [is_value(text) for text in ("1,250.50 €", "12 %", "2031-04-05", "Pier 4", "40 m", "-")]
    [True, True, True, False, True, True]
    """
    return len(text) <= 40 and _VALUE.fullmatch(text.strip()) is not None

"""The levels of a table to its rows: what wraps belongs together, rules part, names of columns come first."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter

from pincite.parsing.pdf_areas import Area
from pincite.parsing.pdf_grid import Laid
from pincite.parsing.pdf_pieces import Level, Piece
from pincite.parsing.pdf_rules import Rule

_AT = attrgetter("at")
#: Names of columns take at most so many lines.
_MOST_HEADER = 10
#: A line that ends like this is not at its end.
_UNFINISHED = re.compile(
    r"(?:[,\-–/(]|\b(?:and|or|of|the|to|for|in|on|from|by|with|at|net|per|und|et|de|der|des))$", re.IGNORECASE
)
#: An indent is at least so many points.
_INDENT = 3.0
#: A gap of at most this share of a line's height, where rows stand further apart, parts no rows.
_TIGHT = 0.4


@dataclass(slots=True)
class Row:
    """The levels of one row of the table."""

    levels: list[Level] = field(default_factory=list)

    @property
    def top(self) -> float:
        """Where it begins."""
        return self.levels[0].top

    @property
    def bottom(self) -> float:
        """Where it ends."""
        return max(level.bottom for level in self.levels)


@dataclass(slots=True)
class Rows:
    """The rows of a table, the first `n_header` of which name the columns."""

    rows: list[Row]
    n_header: int


def rows_in(laid: Laid, area: Area) -> Rows:
    """Return the rows of a table that is laid out."""
    levels = laid.levels
    across = sorted(area.across, key=_AT)
    parted = [_parted(laid, across, a, b) for a, b in pairwise(levels)]
    breaks = [2 * len(cols) >= len(laid.spans) for cols in parted]
    n_header = _n_header_levels(levels, breaks)
    header = _header_rows(levels[:n_header], parted[: max(0, n_header - 1)])
    bands: list[list[Level]] = []
    for at in range(n_header, len(levels)):
        if at == n_header or breaks[at - 1]:
            bands.append([])
        bands[-1].append(levels[at])
    n_body = len(levels) - n_header
    by_rules = len(bands) > 1 and (2 * len(bands) >= n_body or (area.ruled and len(bands) >= 3))
    usual = _usual_gap(levels[n_header:])
    body = [row for band in bands for row in _rows_of_band(band, usual, by_rules=by_rules)]
    return Rows(header + body, len(header))


def _parted(laid: Laid, across: Sequence[Rule], above: Level, below: Level) -> set[int]:
    """Return the columns that a rule between two levels parts; rules come from the top."""
    low, high = (above.top + above.bottom) / 2, (below.top + below.bottom) / 2
    between = across[bisect_right(across, low, key=_AT) : bisect_left(across, high, key=_AT)]
    if not between:
        return set()
    top, bottom = min(above.bottom, below.top) - 4.0, max(below.top, above.bottom) + 4.0
    rules = [r for r in between if top < r.at < bottom] or between
    return {at for at, (a, b) in enumerate(laid.spans) if any(r.start - 2 <= (a + b) / 2 <= r.end + 2 for r in rules)}


def _is_value_row(level: Level) -> bool:
    beyond = sum(p.first > 0 for p in level.pieces)
    return level.n_values > 0 and 2 * level.n_values >= beyond


def _n_header_levels(levels: Sequence[Level], breaks: Sequence[bool]) -> int:
    """Return how many levels name the columns: those before the first value, down to a rule where there is one."""
    first = next((at for at, level in enumerate(levels) if _is_value_row(level)), None)
    most = min(_MOST_HEADER, len(levels) - 1)
    ruled = [at + 1 for at, broken in enumerate(breaks[:most]) if broken and (first is None or at < first)]
    if first is None:
        return ruled[0] if ruled else min(1, most)
    if ruled:
        # Every band above the first values may be a row of names, or rows of words: names stand in most columns.
        named = [at for at in ruled if at <= first]
        if named:
            return named[-1] if len(named) <= 3 else named[0]
    n = min(first, most)
    while n and all(p.last == 0 for p in levels[n - 1].pieces):
        n -= 1  # the name of a group of rows, not of a column
    return n


def _header_rows(levels: Sequence[Level], parted: Sequence[set[int]]) -> list[Row]:
    """Return the rows of names: a rule under some of them, or a name over several columns, ends a row."""
    rows: list[Row] = []
    for at, level in enumerate(levels):
        spans = at and any(p.first < p.last for p in levels[at - 1].pieces)
        if at == 0 or parted[at - 1] or spans:
            rows.append(Row())
        rows[-1].levels.append(level)
    return rows


def _usual_gap(levels: Sequence[Level]) -> float:
    """Return the middle one of the gaps between levels that hold values."""
    gaps = sorted(b.top - a.bottom for a, b in pairwise(levels) if a.n_values and b.n_values)
    return gaps[len(gaps) // 2] if gaps else 0.0


def _rows_of_band(band: list[Level], usual: float, *, by_rules: bool) -> list[Row]:
    """Return the rows between two rules: one where rules part the rows, unless values stand under each other."""
    if len(band) == 1 or (by_rules and not _has_rows(band)):
        return [Row(band)]
    rows = [Row([band[0]])]
    for at, level in enumerate(band[1:], start=1):
        following = band[at + 1] if at + 1 < len(band) else None
        if _goes_on(rows[-1], level, following, usual):
            rows[-1].levels.append(level)
        else:
            rows.append(Row([level]))
    return rows


def _has_rows(band: Sequence[Level]) -> bool:
    """Say whether several levels hold values under each other."""
    columns: dict[int, int] = {}
    for level in band:
        for piece in level.pieces:
            if piece.first > 0 and piece.is_value:
                columns[piece.first] = columns.get(piece.first, 0) + 1
    return sum(count >= 2 for count in columns.values()) >= 1 and sum(bool(lv.n_values) for lv in band) >= 2


def _stub(level: Level) -> Piece | None:
    return next((p for p in level.pieces if p.first == 0), None)


def _goes_on(row: Row, level: Level, following: Level | None, usual: float) -> bool:
    """Say whether a level is the rest of the row above it."""
    above = row.levels[-1]
    stub, stub_above = _stub(level), _stub(above)
    high = max(1.0, above.bottom - above.top)
    gap = level.top - above.bottom
    tight = gap <= _TIGHT * high or gap < 0.5 * usual
    values = any(p.first > 0 and p.is_value for p in level.pieces)
    row_values = any(p.first > 0 for lv in row.levels for p in lv.pieces)
    if not tight and gap > 1.2 * max(usual, 0.0) + 1.0:
        return False
    if values:
        if row_values or stub_above is None:
            return False
        return stub is None or _is_rest(stub_above, stub)
    if all(p.last == 0 for p in level.pieces):
        if stub is None or stub_above is None:
            return stub is not None and stub.text[:1].islower()
        if _is_rest(stub_above, stub):
            return True
        return row_values and _is_hanging(stub_above, stub, following) and gap <= usual + 0.5
    if stub is None:
        columns = {p.first for lv in row.levels for p in lv.pieces}
        return {p.first for p in level.pieces} <= columns and tight
    return _is_rest(stub_above, stub) if stub_above is not None else False


def _is_rest(above: Piece, piece: Piece) -> bool:
    """Say whether a text goes on from the one above it by its words."""
    return piece.text[:1].islower() or bool(_UNFINISHED.search(above.text))


def _is_hanging(above: Piece, piece: Piece, following: Level | None) -> bool:
    """Say whether a label stands in from the row above it, and the next row does not."""
    if piece.box[0] < above.box[0] + _INDENT or following is None:
        return False
    stub = _stub(following)
    return stub is not None and stub.box[0] <= above.box[0] + 1 and bool(following.n_values)

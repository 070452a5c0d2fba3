"""Where tables may be on a page: inside rules that cross, and where rows of cells stand under each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.parsing.pdf_calls import Floats
from pincite.parsing.pdf_geometry import upright
from pincite.parsing.pdf_lines import DraftLine, View
from pincite.parsing.pdf_rules import MEET, Rule, straight

#: Lines with a single cell that may stand inside a table in a row (wrapped text, names of groups).
_MOST_SINGLE = 2
#: Rows lie at most so many line heights apart.
_ROW_GAP = 3.0
#: A line belongs to a ruled area when at least this share of its width lies inside.
_MOSTLY = 0.7
#: Where rules cross, at least this share of the fields between them holds text, or it is a chart.
_FILLED = 0.3
#: So many lines above the first row of cells, below a rule as wide as the table, may be its header.
_MOST_HEADER = 9

#: Rows end at the same place to so many points, and in a number.
_SAME_EDGE, _ENDS = 3.0, frozenset("0123456789)%—–-")
#: A name over columns begins behind this share of the width, and has at most so many words.
_BEHIND, _NAME_WORDS = 0.35, 8

Box = tuple[float, float, float, float]


@dataclass(slots=True)
class Area:
    """The places of the lines of a table, with the rules inside; `ruled` where rules cross."""

    lines: list[int]
    box: Box
    across: list[Rule]
    down: list[Rule]
    ruled: bool


@dataclass(slots=True)
class RuledGrid:
    """Rules that touch each other: where they stand, and the borders of columns and rows that they make."""

    box: Box
    across: list[Rule]
    down: list[Rule]
    xs: list[float]
    ys: list[float]


@dataclass(slots=True)
class Ruled:
    """The rules of a page as seen upright, and the grids of two columns or more that they make."""

    across: list[Rule]
    down: list[Rule]
    grids: list[RuledGrid]


def ruled(rules: Floats, made: View) -> Ruled:
    """Return what the boxes of thin lines of a page, as displayed, rule among the words of a view."""
    across, down = straight(upright(rules, made.turn, made.frame.width_pt, made.frame.height_pt))
    return Ruled(across, down, list(_grids(across, down)))


def ruled_areas(lines: Sequence[DraftLine], grids: Sequence[RuledGrid]) -> list[Area]:
    """Return the areas inside rules that cross, from the top."""
    areas = []
    for grid in grids:
        inside = [at for at, line in enumerate(lines) if _is_inside(line, grid.box)]
        if inside and _is_filled(lines, inside, grid.xs, grid.ys):
            areas.append(Area(inside, grid.box, grid.across, grid.down, ruled=True))
    return _apart(sorted(areas, key=lambda area: area.box[1]))


def _grids(across: Sequence[Rule], down: Sequence[Rule]) -> Iterator[RuledGrid]:
    """Yield the grids that rules make, of two columns at least."""
    for rows, cols in _crossing(across, down) if across and down else ():
        box = (
            min([r.start for r in rows] + [c.at for c in cols]),
            min([c.start for c in cols] + [r.at for r in rows]),
            max([r.end for r in rows] + [c.at for c in cols]),
            max([c.end for c in cols] + [r.at for r in rows]),
        )
        xs = edges([box[0], *(c.at for c in cols), box[2]])
        ys = edges([box[1], *(r.at for r in rows), box[3]])
        if len(xs) >= 3 and len(ys) >= 2:
            yield RuledGrid(box, rows, cols, xs, ys)


def edges(values: Sequence[float]) -> list[float]:
    """Return numbers in order, those nearly the same once."""
    out: list[float] = []
    for value in sorted(values):
        if not out or value - out[-1] > MEET:
            out.append(value)
    return out


def _crossing(across: Sequence[Rule], down: Sequence[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Yield sets of rules that touch each other, at least two across and one down."""
    ya, xa0, xa1 = (np.array([[r.at, r.start, r.end] for r in across])).T
    xd, yd0, yd1 = (np.array([[r.at, r.start, r.end] for r in down])).T
    touch = (xa0[:, None] - MEET <= xd) & (xd <= xa1[:, None] + MEET)
    touch &= (yd0 - MEET <= ya[:, None]) & (ya[:, None] <= yd1 + MEET)
    left = set(range(len(across)))
    while left:
        rows, cols, fresh = set[int](), set[int](), {min(left)}
        while fresh:
            rows |= fresh
            new = set(touch[sorted(fresh)].any(axis=0).nonzero()[0].tolist()) - cols
            cols |= new
            fresh = (set(touch[:, sorted(new)].any(axis=1).nonzero()[0].tolist()) if new else set()) - rows
        left -= rows
        if len(rows) >= 2 and cols:
            yield [across[at] for at in sorted(rows)], [down[at] for at in sorted(cols)]


def _is_inside(line: DraftLine, box: Box) -> bool:
    x0, y0, x1, y1 = line.upright
    middle = (y0 + y1) / 2
    inside = min(x1, box[2] + 2) - max(x0, box[0] - 2)
    return box[1] - 1 < middle < box[3] + 1 and inside >= _MOSTLY * max(x1 - x0, 1.0)


def _is_filled(lines: Sequence[DraftLine], inside: Sequence[int], xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Say whether enough of the fields hold text, in two columns and two lines at least."""
    places = set()
    for at in inside:
        line = lines[at]
        row = int(np.searchsorted(ys, (line.upright[1] + line.upright[3]) / 2))
        for x0, x1, _ in line.cells:
            places.add((row, int(np.searchsorted(xs, (x0 + x1) / 2))))
    columns = {col for _, col in places}
    levels = {round((lines[at].upright[1] + lines[at].upright[3]) / 8) for at in inside}
    n_fields = (len(xs) - 1) * (len(ys) - 1)
    return len(columns) >= 2 and len(levels) >= 2 and len(places) >= _FILLED * min(n_fields, 60)


def _apart(areas: Sequence[Area]) -> list[Area]:
    """Return areas that share no line; the one inside another goes with it."""
    out: list[Area] = []
    taken: set[int] = set()
    for area in sorted(areas, key=lambda one: -len(one.lines)):
        if not taken.intersection(area.lines):
            taken.update(area.lines)
            out.append(area)
    return sorted(out, key=lambda area: min(area.lines))


def loose_areas(
    lines: Sequence[DraftLine], taken: set[int], across: Sequence[Rule], down: Sequence[Rule]
) -> list[Area]:
    """Return runs of lines with cells, outside of those taken, grown to the rules above and below them."""
    areas: list[Area] = []
    at = 0
    while at < len(lines):
        end = _run(lines, at, taken)
        if end <= at:
            at += 1
            continue
        first, last = _grown(lines, at, end - 1, taken, across)
        while areas and areas[-1].lines[-1] >= first:
            first += 1
        places = list(range(first, last + 1))
        if first <= last:
            areas.append(_area(lines, places, across, down))
        at = last + 1
    return areas


def _area(lines: Sequence[DraftLine], places: list[int], across: Sequence[Rule], down: Sequence[Rule]) -> Area:
    boxes = [lines[at].upright for at in places]
    box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    rows = [r for r in across if box[1] - 6 < r.at < box[3] + 6 and r.start < box[2] and r.end > box[0]]
    cols = [c for c in down if box[0] < c.at < box[2] and c.start < box[3] and c.end > box[1]]
    return Area(places, box, rows, cols, ruled=False)


def _run(lines: Sequence[DraftLine], start: int, taken: set[int]) -> int:
    """Return where the run of table-like lines that starts here ends (exclusive), or `start`."""
    if start in taken or len(lines[start].cells) < 2:
        return start
    end, single, last, n_rows = start + 1, 0, start, 1
    while end < len(lines) and end not in taken:
        line, before = lines[end], lines[end - 1]
        gap = line.upright[1] - before.upright[3]
        high = max(1.0, line.upright[3] - line.upright[1])
        # A title ends a table; below a single row of names it is the first group of rows.
        titled = n_rows > 1 and len(line.cells) == 1 and line.bold and line.size > 1.08 * before.size
        if titled or line.column != before.column or line.turn != before.turn or gap > _ROW_GAP * high or gap < -high:
            break
        if len(line.cells) >= 2:
            single, last, n_rows = 0, end, n_rows + 1
        else:
            single += 1
            if single > _MOST_SINGLE and not _goes_on(lines, end, last, taken):
                break
        end += 1
    return last + 1


def _goes_on(lines: Sequence[DraftLine], at: int, last: int, taken: set[int]) -> bool:
    """Say whether a row follows soon whose last cell ends where that of the last row does."""
    edge, high = lines[last].cells[-1][1], lines[last].upright[3] - lines[last].upright[1]
    for place in range(at, min(len(lines), at + _MOST_SINGLE + 2)):
        line = lines[place]
        gap = line.upright[1] - lines[place - 1].upright[3]
        if place in taken or line.column != lines[last].column or gap > _ROW_GAP * high:
            return False
        if len(line.cells) >= 2:
            return abs(line.cells[-1][1] - edge) < _SAME_EDGE and line.cells[-1][2][-1:] in _ENDS
    return False


def _with_names(lines: Sequence[DraftLine], first: int, last: int, taken: set[int]) -> int:
    """Return the first line of a run with the lone names right above it, over the columns behind the first."""
    boxes = [lines[at].upright for at in range(first, last + 1)]
    left, right = min(b[0] for b in boxes), max(b[2] for b in boxes)
    for at in range(first - 1, max(-1, first - 4), -1):
        box, below = lines[at].upright, lines[at + 1].upright
        near = -2 < below[1] - box[3] < 0.8 * (box[3] - box[1]) and lines[at].column == lines[first].column
        inside = box[0] > left + _BEHIND * (right - left) and box[2] < right + 6
        if at in taken or not near or not inside or len(lines[at].text.split()) > _NAME_WORDS:
            break
        first = at
    return first


def _grown(
    lines: Sequence[DraftLine], first: int, last: int, taken: set[int], across: Sequence[Rule]
) -> tuple[int, int]:
    """Return the first and last line of a run grown to rules above and below that are as wide as it is."""
    first = _with_names(lines, first, last, taken)
    boxes = [lines[at].upright for at in range(first, last + 1)]
    left, right = min(b[0] for b in boxes), max(b[2] for b in boxes)
    wide = [
        r.at
        for r in across
        if min(r.end, right) - max(r.start, left) > _MOSTLY * (right - left) and r.end - r.start < 1.6 * (right - left)
    ]
    if not wide:
        return first, last
    top, bottom = min(b[1] for b in boxes), max(b[3] for b in boxes)
    for at in range(first - 1, max(-1, first - 1 - _MOST_HEADER), -1):
        box = lines[at].upright
        if at in taken or lines[at].column != lines[first].column or box[3] > top + 2 or box[0] < left - 12:
            break
        if any(y < box[1] + 3 and y > box[1] - 30 for y in wide):
            first = at
            break
    for at in range(last + 1, min(len(lines), last + 4)):
        box = lines[at].upright
        near = bottom - 0.8 * (box[3] - box[1]) < box[1] < bottom + 2 * (box[3] - box[1])
        if at in taken or lines[at].column != lines[last].column or not near:
            break
        bottom = box[3]
        if any(box[3] - 3 < y < box[3] + 12 for y in wide):
            last = at
            break
    return first, last

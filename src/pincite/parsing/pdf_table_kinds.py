"""What looks like a table and is none: running text, a table of contents, a chart; titles and notes around one."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite.parsing.objects import caption
from pincite.parsing.pdf_areas import Area
from pincite.parsing.pdf_grid import Laid
from pincite.parsing.pdf_lines import DraftLine
from pincite.parsing.pdf_pieces import Piece
from pincite.parsing.pdf_table_cells import LEADERS
from pincite.parsing.pdf_table_rows import Row, Rows

#: Cells of running text have more words on average than those of a table without crossing rules, or without any.
_PROSE_WORDS, _BARE_PROSE_WORDS = 9.0, 3.4
_LED = re.compile(r"[.…]{3,}\s*(\d{1,4})$")
_CONTENTS = re.compile(r"^\W*(?:table of |list of )?(?:contents|index|inhalt|sommaire|tables|figures)\b", re.IGNORECASE)
_NOTE = re.compile(
    r"(?:sources?|notes?|n\.?b\.?|quelle|hinweis|see |[*†‡§¹²³⁴⁵⁶⁷⁸⁹]|\(?[a-z1-9]\))[\s:.\w]", re.IGNORECASE
)


def without_asides(rows: Rows, laid: Laid, area: Area) -> Rows:
    """Return the rows without a title above and notes below that stand in a row of their own."""
    kept, n_header = rows.rows, rows.n_header
    while len(kept) > 2 and _is_title(kept[0], laid):
        kept, n_header = kept[1:], max(0, n_header - 1)
    while len(kept) > 2 and _is_note(kept[-1], laid, area):
        kept = kept[:-1]
    return Rows(kept, min(n_header, len(kept) - 1))


def is_prose(rows: Rows, *, bare: bool) -> bool:
    """Say whether the cells beyond the first column are running text: two columns of it that were not parted."""
    most = _BARE_PROSE_WORDS if bare else _PROSE_WORDS
    texts = [p for row in rows.rows for level in row.levels for p in level.pieces if p.first > 0]
    values = sum(p.is_value for p in texts)
    return bool(texts) and values < 0.2 * len(texts) and sum(len(p.texts) for p in texts) > most * len(texts)


def is_contents(lines: Sequence[DraftLine], rows: Rows) -> bool:
    """Say whether rows are entries of a table of contents: dots or the word lead to numbers that never fall."""
    ends: list[int] = []
    led = 0
    for row in rows.rows:
        pieces = [p for level in row.levels for p in level.pieces]
        if pieces and (match := _LED.search(pieces[-1].text)):
            ends.append(int(match[1]))
            led += 1
        elif len(pieces) > 1 and pieces[-1].text.isdigit():
            ends.append(int(pieces[-1].text))
            led += any(LEADERS.search(p.text) for p in pieces[:-1])
    if len(ends) < 3 or 2 * len(ends) < len(rows.rows) or any(b < a for a, b in pairwise(ends)):
        return False
    first = rows.rows[0].levels[0].pieces[0].line
    titled = any(_CONTENTS.search(line.text) for line in lines[max(0, first - 3) : first + 1])
    return titled or (2 * led > len(ends) and max(len(level.pieces) for r in rows.rows for level in r.levels) <= 3)


def is_figure(lines: Sequence[DraftLine], rows: Rows) -> bool:
    """Say whether the caption of a figure stands right above or below, and rows have no names: a chart or diagram."""
    places = sorted({p.line for row in rows.rows for level in row.levels for p in level.pieces})
    above = lines[max(0, places[0] - 3) : places[0] + 1]
    near = [*above, *lines[places[-1] : places[-1] + 3]]
    if not any((found := caption(line.text)) is not None and found[0] == "figure" for line in near):
        return False
    if any((found := caption(line.text)) is not None and found[0] == "table" for line in near[: len(above)]):
        return False  # a table with a caption of its own may stand beside a figure
    body = rows.rows[rows.n_header :]
    named = sum(
        any(p.first == 0 and not p.is_value for level in row.levels for p in level.pieces)
        and any(level.n_values for level in row.levels)
        for row in body
    )
    return 2 * named < len(body)


def _alone(row: Row) -> list[Piece] | None:
    """Return the pieces of a row that is one text, from the first column on; `None` where there are more."""
    if any(len(level.pieces) > 1 for level in row.levels):
        return None
    return [level.pieces[0] for level in row.levels]


def _is_title(row: Row, laid: Laid) -> bool:
    alone = _alone(row)
    if alone is None:
        return False
    left, right = laid.spans[0][0], laid.spans[-1][1]
    second = laid.spans[1][0]
    centred = abs((alone[0].box[0] + alone[0].box[2]) / 2 - (left + right) / 2) < 0.08 * (right - left)
    return any(p.first == 0 and (p.last > 0 or p.box[2] > second) for p in alone) or (centred and len(laid.spans) > 2)


def _is_note(row: Row, laid: Laid, area: Area) -> bool:
    """Say whether a row at the end is a note; without rules around it a name without values ends no table either."""
    alone = _alone(row)
    if alone is None:
        return False
    if not area.ruled:
        return True
    return alone[0].first == 0 and (
        any(p.last > 0 or p.box[2] > laid.spans[1][0] for p in alone) or bool(_NOTE.match(alone[0].text))
    )

"""The lines of a page in the order a person reads them: header, body, sideways text, footer, then the rest."""

import numpy as np

from pincite.parsing.pdf_areas import Ruled, ruled
from pincite.parsing.pdf_beside import Boxed, boxed_tables, with_tables
from pincite.parsing.pdf_calls import Ints
from pincite.parsing.pdf_field_lines import field_lines, holds_field
from pincite.parsing.pdf_geometry import median
from pincite.parsing.pdf_heads import with_heads
from pincite.parsing.pdf_lines import DraftLine, lines_in_regions, lines_in_rows, lines_of, regions_in
from pincite.parsing.pdf_marks import WATERMARK_PT, WATERMARK_SIZE
from pincite.parsing.pdf_pages import PageDraft
from pincite.parsing.pdf_table_titles import statement_title
from pincite.parsing.pdf_tables import Grid, mark_tables
from pincite.parsing.roles import set_roles
from pincite.parsing.table_units import counted_in

#: Names of columns stand at most so many line heights above the first row.
_NEAR_NAMES = 2.0
#: A table that begins within so many lines of the top of a page has the title that stands in its header.
_TOP = 3


def page_lines(draft: PageDraft, n_top: int, n_bottom: int) -> tuple[list[DraftLine], list[Grid]]:
    """Return the visible lines of a page in reading order, and the tables found among them."""
    main, order = draft.main, draft.order
    rows = draft.rows[order]
    last = int(rows[-1]) if len(rows) else -1
    a = int(rows.searchsorted(n_top))
    b = max(a, int(rows.searchsorted(last - n_bottom, side="right")))
    drawn = ruled(draft.rules, main)
    headers, running, footers = _parts(draft, drawn, rows, a, b)
    for line in headers:
        line.role = "header"
    for line in footers:
        line.role = "footer"
    n_below = 1 if len(headers) > 1 and _is_aside(headers[-1]) else 0
    n_above = 1 if len(running) > 1 and _is_aside(running[0]) else 0
    if headers and running and _names_columns(headers[-1 - n_below], running[n_above], n_below + n_above):
        # Names of columns that stand on top of every page belong to the table below them; "(in millions)" may follow.
        named = len(headers) - n_below
        n_names = len(headers) - next((at for at in range(named, 0, -1) if len(headers[at - 1].cells) < 2), 0)
        del headers[len(headers) - n_names :]
        a = int(rows.searchsorted(n_top - n_names))
        _, running, _ = _parts(draft, drawn, rows, a, b)
    grids = _tables_outside_forms(running, draft, drawn)
    if grids and grids[0].first <= _TOP and (title := statement_title(headers)) is not None:
        grids[0].caption = title
        if grids[0].counted.scale is None and grids[0].counted.unit is None:
            grids[0].counted = counted_in([line.text for line in headers])
    for other in draft.others:
        sideways = lines_of(other, np.arange(len(other.index)), columns=True)
        grids += mark_tables(sideways, other, ruled(draft.rules, other), offset=len(grids))
        running += sideways
    usual = usual_size(running)
    set_roles(running, usual, draft.frame.height_pt)
    fields = field_lines(draft.fields, headers + running + footers, lambda: usual or 10.0)
    return [*headers, *running, *fields, *footers, *_aslant_lines(draft)], grids


def _parts(
    draft: PageDraft, drawn: Ruled, rows: Ints, a: int, b: int
) -> tuple[list[DraftLine], list[DraftLine], list[DraftLine]]:
    """Return the lines of the header, of the words `a` to `b`, and of the footer.

    What is read across comes from one call, which takes less time than three.
    """
    main, order = draft.main, draft.order
    boxed = boxed_tables(main, order[a:b], drawn.grids)
    regions = regions_in(main, order[a:b], rows[a:b]) if b > a and not boxed else []
    n_above = int(rows[a - 1]) + 1 if a else 0
    if boxed or len(regions) > 1:
        outside = lines_in_rows(main, np.concatenate((order[:a], order[b:])), np.concatenate((rows[:a], rows[b:])))
        running = _around(draft, boxed, order[a:b], rows[a:b]) if boxed else lines_in_regions(main, order[a:b], regions)
        return outside[:n_above], running, outside[n_above:]
    lines = lines_in_rows(main, order, rows)
    end = int(rows[b - 1]) + 1 if b else 0
    return lines[:n_above], lines[n_above:end], lines[end:]


def _around(draft: PageDraft, boxed: list[Boxed], chosen: Ints, rows: Ints) -> list[DraftLine]:
    """Return the lines of text that flows around tables, with those of the tables put in as they are."""
    main = draft.main
    apart = ~np.isin(chosen, np.concatenate([table.words for table in boxed]))
    return with_tables(lines_of(main, chosen[apart], columns=True, rows=rows[apart]), boxed, main)


def _is_aside(line: DraftLine) -> bool:
    """Return whether a line only says what the columns below count in: "(In millions except per share data)"."""
    return len(line.cells) <= 1 and line.text.startswith("(")


def _names_columns(names: DraftLine, row: DraftLine, n_between: int = 0) -> bool:
    """Return whether every cell of a line stands over a cell of the row right below it, or below a line between."""
    gap, high = row.upright[1] - names.upright[3], row.upright[3] - row.upright[1]
    if not 2 <= len(names.cells) <= len(row.cells) or gap > (_NEAR_NAMES + 2 * n_between) * high:
        return False
    over = {at for x0, x1, _ in names.cells for at, (a, b, _) in enumerate(row.cells) if x0 < b + 0.5 and x1 > a - 0.5}
    return len(over) == len(names.cells)


def _tables_outside_forms(lines: list[DraftLine], draft: PageDraft, drawn: Ruled) -> list[Grid]:
    """Return the tables among lines; a row with fields to fill in is a row of labels, not of cells."""
    labels = [(line, line.cells) for line in lines if draft.fields and holds_field(line, draft.fields)]
    for line, _ in labels:
        line.cells = [(line.upright[0], line.upright[2], line.text)]
    grids = with_heads(mark_tables(lines, draft.main, drawn), lines, draft.main)
    for line, cells in labels:
        line.cells = cells
    return grids


def usual_size(lines: list[DraftLine]) -> float:
    """Return the size most characters of a page are set in, in points; 0 when there are none."""
    exact: dict[float, int] = {}
    for line in lines:
        exact[line.size] = exact.get(line.size, 0) + len(line.text)
    weights: dict[float, int] = {}
    for size, n_chars in exact.items():
        weights[round(size, 1)] = weights.get(round(size, 1), 0) + n_chars
    return max(weights, key=lambda size: weights[size]) if weights else 0.0


def hidden_lines(draft: PageDraft) -> list[DraftLine]:
    """Return the lines of text that a person cannot see, each with the reason of its first word."""
    out = []
    for seen in draft.hidden_views:
        lines = lines_of(seen, np.arange(len(seen.index)), columns=False)
        reason = draft.hidden[int(seen.index[0])]
        by_text = {draft.words.text(word): why for word, why in draft.hidden.items()}
        for line in lines:
            line.layer = "hidden"
            line.reason = by_text.get(line.text.split(" ", 1)[0], reason)
        out += lines
    return out + draft.unseen


def _aslant_lines(draft: PageDraft) -> list[DraftLine]:
    """Return lines of text set at an angle or over other text, in the order of the file; big ones are watermarks."""
    words, out = draft.words, []
    if len(draft.aslant) == 0:
        return []
    size, font = words.size[words.run], words.font[words.run]
    runs: list[list[int]] = []
    for i in draft.aslant.tolist():
        same = runs and runs[-1][-1] == i - 1 and not words.broken[i]
        if same and abs(size[i] - size[i - 1]) < 0.1 * size[i]:
            runs[-1].append(i)
        else:
            runs.append([i])
    usual = median(draft.main.high) if len(draft.main.high) else 0.0
    for run in runs:
        low, high = words.box[run].min(axis=0), words.box[run].max(axis=0)
        box = (float(low[0]), float(low[1]), float(high[2]), float(high[3]))
        text = "".join((" " if k and words.spaced[i] else "") + words.text(i) for k, i in enumerate(run))
        big = float(size[run[0]])
        watermark = big > max(WATERMARK_PT, WATERMARK_SIZE * usual)
        bold = words.fonts[font[run[0]]].bold
        line = DraftLine(text, box, box, big, bold, 1, -1, cells=[(box[0], box[2], text)])
        if watermark:
            line.role, line.reason = "header", "watermark"
        out.append(line)
    return out

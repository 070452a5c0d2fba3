"""One page read and let go: its words, pictures, sizes and flags, small enough to keep a few at hand."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pincite.parsing.furniture import EdgeRow, Edges, edges_of
from pincite.parsing.pdf_calls import Ints
from pincite.parsing.pdf_columns import rows_of
from pincite.parsing.pdf_geometry import Frame, page_frame
from pincite.parsing.pdf_lines import DraftLine, View, lines_of, view
from pincite.parsing.pdf_marks import Pictures, hidden_words, pictures_on, repeated_words
from pincite.parsing.pdf_text import Words, no_words, read_words

#: Text this many times the page's usual size and aslant is a watermark.
_WATERMARK_SIZE = 1.8


@dataclass(slots=True)
class PageDraft:
    """A page between reading and line building. `main` are the words of the page's own direction."""

    page_num: int
    frame: Frame
    words: Words
    main: View
    others: list[tuple[View, Ints]]
    aslant: Ints
    hidden: dict[int, str]
    rows: Ints
    edges: Edges
    pictures: Pictures
    extra: list[DraftLine] = field(default_factory=list)
    failed: bool = False


def failed_page(page_num: int) -> PageDraft:
    """Return the stand-in for a page that cannot be read: US Letter, no words."""
    frame = Frame(0.0, 0.0, 612.0, 792.0, 0)
    draft = _drafted(page_num, frame, no_words(), Pictures([], 0.0), {})
    draft.failed = True
    return draft


def read_page(document: Any, index: int) -> PageDraft:
    """Return the page at `index` (from 0); everything opened is closed again."""
    page = document[index]
    try:
        textpage = page.get_textpage()
        try:
            frame = page_frame(page)
            words = read_words(textpage, frame)
            pictures = pictures_on(page, frame)
            hidden = hidden_words(page, words, frame, pictures)
        finally:
            textpage.close()
        return _drafted(index + 1, frame, words, pictures, hidden)
    finally:
        page.close()


def _drafted(page_num: int, frame: Frame, words: Words, pictures: Pictures, hidden: dict[int, str]) -> PageDraft:
    keep = np.ones(len(words), bool)
    keep[list(hidden)] = False
    keep[repeated_words(words)] = False
    weights = words.end - words.start
    turns = {turn: int(weights[keep & (words.turn == turn)].sum()) for turn in (0, 90, 180, 270)}
    best = max(turns, key=lambda turn: turns[turn])
    main = view(words, np.flatnonzero(keep & (words.turn == best)), best, frame)
    others = []
    for turn in (0, 90, 180, 270):
        index = np.flatnonzero(keep & (words.turn == turn)) if turns[turn] and turn != best else ()
        if len(index):
            others.append((view(words, np.asarray(index), turn, frame), np.arange(len(index))))
    rows = rows_of(main.baseline, main.high) if len(main.index) else np.zeros(0, np.int64)
    height = frame.width_pt if best in (90, 270) else frame.height_pt
    return PageDraft(
        page_num=page_num,
        frame=frame,
        words=words,
        main=main,
        others=others,
        aslant=np.flatnonzero(keep & (words.turn == -1)),
        hidden=hidden,
        rows=rows,
        edges=edges_of(page_num, height, _edge_rows(main, rows)),
        pictures=pictures,
    )


def _edge_rows(main: View, rows: Ints) -> list[EdgeRow]:
    """Return the first and last rows of a page, from the top down (a page of few rows gives all)."""
    if len(rows) == 0:
        return []
    last = int(rows.max())
    order = np.lexsort((main.box[:, 0], rows))
    bounds = np.searchsorted(rows[order], np.arange(last + 2)).tolist()
    wanted = range(last + 1) if last < 12 else [*range(6), *range(last - 5, last + 1)]
    out = []
    for row in wanted:
        members = order[bounds[row] : bounds[row + 1]]
        text = " ".join([main.words.text(i) for i in main.index[members].tolist()])
        box = main.box[members]
        out.append(EdgeRow.of(text, float(box[:, 1].min()), float(box[:, 3].max())))
    return out


def page_lines(draft: PageDraft, n_top: int, n_bottom: int) -> list[DraftLine]:
    """Return the visible lines of a page in reading order: header, body, sideways text, footer, watermark."""
    main, rows = draft.main, draft.rows
    last = int(rows.max()) if len(rows) else -1
    top = np.flatnonzero(rows < n_top)
    bottom = np.flatnonzero(rows > last - n_bottom)
    body = np.flatnonzero((rows >= n_top) & (rows <= last - n_bottom))
    headers = lines_of(main, top, columns=False)
    footers = lines_of(main, bottom, columns=False)
    for line in headers:
        line.role = "header"
    for line in footers:
        line.role = "footer"
    out = headers + lines_of(main, body, columns=True)
    for other, chosen in draft.others:
        out += lines_of(other, chosen, columns=True)
    return [*out, *footers, *_aslant_lines(draft)]


def _aslant_lines(draft: PageDraft) -> list[DraftLine]:
    """Return lines of text set at an angle, joined in the order of the file; big ones are watermarks."""
    words, out = draft.words, []
    size, font = words.size[words.run], words.font[words.run]
    runs: list[list[int]] = []
    for i in draft.aslant.tolist():
        same = runs and runs[-1][-1] == i - 1 and not words.broken[i]
        if same and abs(size[i] - size[i - 1]) < 0.1 * size[i]:
            runs[-1].append(i)
        else:
            runs.append([i])
    usual = float(np.median(draft.main.high)) if len(draft.main.high) else 0.0
    for run in runs:
        low, high = words.box[run].min(axis=0), words.box[run].max(axis=0)
        box = (float(low[0]), float(low[1]), float(high[2]), float(high[3]))
        text = "".join((" " if k and words.spaced[i] else "") + words.text(i) for k, i in enumerate(run))
        big = float(size[run[0]])
        role = "header" if big > max(24.0, _WATERMARK_SIZE * usual) else "body"
        bold = words.fonts[font[run[0]]].bold
        out.append(DraftLine(text, box, box, big, bold, 1, -1, cells=[(box[0], box[2], text)], role=role))
    return out

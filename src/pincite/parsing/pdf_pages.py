"""One page read and let go: its words, pictures, fields and what is wrong with it, small enough to keep a few."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium_c
from pypdfium2 import PdfDocument, PdfiumError

from pincite.parsing.furniture import EDGE_ROWS, EDGE_SHARE, EdgeRow, Edges, edges_of
from pincite.parsing.ocr_layout import Piece
from pincite.parsing.pdf_calls import Floats, Ints, PageObjects
from pincite.parsing.pdf_columns import rows_of
from pincite.parsing.pdf_forms import Annotations, Field, has_annotations
from pincite.parsing.pdf_geometry import Frame, median, page_frame, row_by_row
from pincite.parsing.pdf_hidden import hidden_words, wants_shapes
from pincite.parsing.pdf_lines import DraftLine, View, lines_of, view
from pincite.parsing.pdf_marks import Drawn, drawn_on, repeated_words, stamped_words
from pincite.parsing.pdf_rules import rules_on
from pincite.parsing.pdf_shown import ShownPages, standing_in, unseen_words
from pincite.parsing.pdf_text import Truths, Words, no_words, read_words
from pincite.parsing.quality import flags
from pincite.types.document import PageKind

#: A page on which pictures cover this share, and that has fewer characters, is a picture of text.
_PICTURE_SHARE, _FEW_CHARS = 0.35, 260
#: A page without words that draws so many objects shows something all the same (text as outlines).
_MANY_OBJECTS = 12
_INVISIBLE = 3
#: A row so much higher than the page's usual line is set as a title.
_BIG = 1.15
#: A page may have a table when words stand so many line heights apart in so many rows.
_CELL_APART, _TABLE_ROWS = 0.9, 2


@dataclass(slots=True)
class PageDraft:
    """A page between reading and line building.

    `main` are the words of the page's own direction, `rows` the row of each; `order` lists them row by row, from
    left to right. `aslant` are words at an angle and those stamped over others, `unseen` lines that the file has
    and the page as it is shown has not. `rules` are boxes of what is drawn thin, on pages that may have tables.
    `recognised` are rows that text recognition read, in pixels of `recognised_scale` points.
    """

    page_num: int
    frame: Frame
    words: Words
    main: View
    others: list[View]
    aslant: Ints
    hidden: dict[int, str]
    hidden_views: list[View]
    rows: Ints
    order: Ints
    edges: Edges
    drawn: Drawn
    fields: list[Field] = field(default_factory=list)
    unseen: list[DraftLine] = field(default_factory=list)
    rules: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    kind: PageKind = "digital"
    flags: tuple[str, ...] = ()
    recognised: list[list[Piece]] = field(default_factory=list)
    recognised_scale: float = 1.0


@dataclass(slots=True)
class PageReader:
    """Reads the pages of one open document. `has_pictures` is false when the file holds no picture at all."""

    document: Any
    annotations: Annotations
    shown: ShownPages
    has_pictures: bool

    def read(self, index: int) -> PageDraft:
        """Return the page at `index` (from 0); everything opened is closed again."""
        page = self.document[index]
        try:
            draft, standing = self._draft(page, index + 1)
            if has_annotations(page):
                draft.fields = self.annotations.fields(index + 1, draft.frame)
        finally:
            page.close()
        if standing or self.shown.hides_layers(index + 1):
            draft = self._as_shown(draft, standing)
        if (
            not len(draft.words)
            and not draft.fields
            and not draft.drawn.n_objects
            and self.annotations.is_broken(index + 1)
        ):
            raise PdfiumError("the content of the page is broken")
        draft.kind, draft.flags = _judged(draft)
        return draft

    def _draft(self, page: Any, page_num: int) -> tuple[PageDraft, list[int]]:
        """Return the draft of an open page, and its runs of text that stand in for what is drawn."""
        textpage = pdfium_c.FPDFText_LoadPage(page)
        if not textpage:
            raise PdfiumError("the text of the page cannot be read")
        try:
            frame = page_frame(page)
            words = read_words(textpage, frame, maps_ligatures=lambda: self.annotations.maps_ligatures(page_num))
            objects = PageObjects(page)
            drawn = self._drawn(objects, page_num, frame, words)
            hidden = hidden_words(page, textpage, words, frame, drawn)
            standing = standing_in(words.objects)
        finally:
            pdfium_c.FPDFText_ClosePage(textpage)
        draft = _drafted(page_num, frame, words, drawn, hidden)
        if _looks_tabular(draft):
            draft.rules = rules_on(objects, frame)
        return draft, standing

    def _as_shown(self, draft: PageDraft, standing: list[int]) -> PageDraft:
        """Return the draft of a page as it is shown; words that only the file has are among its unseen lines.

        Where what is drawn cannot be read, what stands in for it is all there is.
        """
        content = self.shown.copy(draft.page_num)
        if content is None:
            return draft
        with PdfDocument(content) as document:
            page = document[0]
            try:
                made, _ = self._draft(page, draft.page_num)
            finally:
                page.close()
        missing = unseen_words(draft.words, made.words)
        worse = made.words.n_damaged > draft.words.n_damaged or made.words.unmapped > draft.words.unmapped
        if not missing or (standing and worse):
            return draft
        stand_in = np.isin(draft.words.run, standing)
        for reason, which in (
            ("it stands in for other text that is drawn", [word for word in missing if stand_in[word]]),
            ("in a layer that is switched off", [word for word in missing if not stand_in[word]]),
        ):
            for made_view in _views(draft.words, np.array(which, np.int64), draft.frame):
                for line in lines_of(made_view, np.arange(len(made_view.index)), columns=False):
                    line.layer, line.reason = "hidden", reason
                    made.unseen.append(line)
        made.fields = draft.fields
        return made

    def _drawn(self, objects: PageObjects, page_num: int, frame: Frame, words: Words) -> Drawn:
        shapes = wants_shapes(words, objects.n)
        pictures = shapes or len(words) == 0 or (self.has_pictures and self.annotations.may_draw(page_num))
        if not pictures:
            return Drawn(n_objects=objects.n)
        return drawn_on(objects, frame, shapes=shapes)


def without_text(draft: PageDraft) -> PageDraft:
    """Return the draft of a page without any text of its own: what is drawn and the fields stay."""
    made = _drafted(draft.page_num, draft.frame, no_words(), draft.drawn, {})
    made.fields, made.unseen = draft.fields, draft.unseen
    return made


def failed_page(page_num: int) -> PageDraft:
    """Return the stand-in for a page that cannot be read: US Letter, no words."""
    draft = _drafted(page_num, Frame(0.0, 0.0, 612.0, 792.0, 0), no_words(), Drawn(), {})
    draft.kind, draft.flags = "blank", ("page_failed",)
    return draft


def _drafted(page_num: int, frame: Frame, words: Words, drawn: Drawn, hidden: dict[int, str]) -> PageDraft:
    words.objects.clear()
    drawn.order.clear()
    keep = np.ones(len(words), bool)
    keep[list(hidden)] = False
    keep[repeated_words(words)] = False
    stamped = stamped_words(words, keep)
    keep[stamped] = False
    turned = bool(words.turn.any())
    turns = _weights(words, keep) if turned else {0: 0}
    best = max(turns, key=lambda turn: turns[turn])
    main = view(words, (keep & (words.turn == best) if turned else keep).nonzero()[0], best, frame)
    others = [
        view(words, (keep & (words.turn == turn)).nonzero()[0], turn, frame)
        for turn, weight in turns.items()
        if weight and turn != best
    ]
    hidden_views = _views(words, np.array(sorted(hidden), np.int64), frame)
    rows = rows_of(main.baseline, main.high) if len(main.index) else np.zeros(0, np.int64)
    order = row_by_row(main.box[:, 0], rows)
    height = frame.width_pt if best in (90, 270) else frame.height_pt
    return PageDraft(
        page_num=page_num,
        frame=frame,
        words=words,
        main=main,
        others=others,
        aslant=np.union1d((keep & (words.turn == -1)).nonzero()[0], stamped) if turned or len(stamped) else stamped,
        hidden=hidden,
        hidden_views=hidden_views,
        rows=rows,
        order=order,
        edges=edges_of(
            page_num, height, _edge_rows(main, rows, order, height), n_rows=int(rows.max()) + 1 if len(rows) else 0
        ),
        drawn=drawn,
    )


def _weights(words: Words, keep: Truths) -> dict[int, int]:
    """Return how many characters of the words to keep run in each direction, from the first of equals on."""
    lengths = words.end - words.start
    return {turn: int(lengths[keep & (words.turn == turn)].sum()) for turn in (0, 90, 180, 270)}


def _looks_tabular(draft: PageDraft) -> bool:
    """Say whether words stand wide apart in some rows, as cells do."""
    if draft.others:
        return True
    order = draft.order
    if len(order) < 4:
        return False
    box, rows = draft.main.box.take(order, axis=0), draft.rows.take(order)
    apart = box[1:, 0] - box[:-1, 2] > _CELL_APART * draft.main.high.take(order[:-1])
    apart &= rows[1:] == rows[:-1]
    return len(set(rows[:-1][apart].tolist())) >= _TABLE_ROWS


def _views(words: Words, chosen: Ints, frame: Frame) -> list[View]:
    """Return views of chosen words, one a direction."""
    turns = np.unique(words.turn[chosen]).tolist() if len(chosen) else []
    return [view(words, chosen[words.turn[chosen] == turn], max(turn, 0), frame) for turn in turns]


def _edge_rows(main: View, rows: Ints, order: Ints, height_pt: float) -> list[EdgeRow]:
    """Return the rows near the top and the bottom, and the last one, from the top down."""
    if len(rows) == 0:
        return []
    ordered, box = rows.take(order), main.box.take(order, axis=0)
    last = int(ordered[-1])
    bounds = ordered.searchsorted(np.arange(last + 2))
    tops = np.minimum.reduceat(box[:, 1], bounds[:-1])
    bottoms = np.maximum.reduceat(box[:, 3], bounds[:-1])
    big = np.maximum.reduceat(main.high.take(order), bounds[:-1]) > _BIG * median(main.high)
    wanted = (bottoms <= EDGE_SHARE * height_pt) | (tops >= (1 - EDGE_SHARE) * height_pt)
    wanted[last] = True
    wanted[EDGE_ROWS : max(EDGE_ROWS, last - EDGE_ROWS + 1)] = False
    words, index = main.words, main.index.take(order)[wanted.take(ordered)]
    texts = words.slices(words.start.take(index), words.end.take(index))
    out, first = [], 0
    for row in wanted.nonzero()[0].tolist():
        after = first + int(bounds[row + 1] - bounds[row])
        text = " ".join(texts[first:after])
        out.append(EdgeRow.of(text, float(tops[row]), float(bottoms[row]), is_big=bool(big[row])))
        first = after
    return out


#: So many words away from the edges were set by a person: it is a cover or a photograph with a text, not a scan.
_SET_WORDS = 10


def _has_text_of_its_own(draft: PageDraft) -> bool:
    """Return whether words stand away from the edges, where a scan gets its header and footer."""
    visible = np.ones(len(draft.words), bool)
    visible[list(draft.hidden)] = False
    box, height_pt = draft.words.box[visible], draft.frame.height_pt
    middle = (box[:, 1] > EDGE_SHARE * height_pt) & (box[:, 3] < (1 - EDGE_SHARE) * height_pt)
    return int(middle.sum()) >= _SET_WORDS


def _judged(draft: PageDraft) -> tuple[PageKind, tuple[str, ...]]:
    """Return what kind of page it is and why a reader should not trust its text."""
    words = draft.words
    unseen = np.fromiter(draft.hidden, np.int64, len(draft.hidden))
    lengths = words.end - words.start
    n_chars = int(lengths.sum()) - int(lengths[unseen].sum())
    found: list[str] = []
    kind: PageKind = "digital"
    share = draft.drawn.share
    unpainted = words.mode == _INVISIBLE
    ocr = int(lengths[unpainted[words.run]].sum()) if unpainted.any() else 0
    if len(words) == len(draft.hidden):
        if share >= _PICTURE_SHARE or draft.drawn.n_objects >= _MANY_OBJECTS:
            kind = "scanned"
            found.append("image_without_text")
        else:
            kind = "mixed" if draft.drawn.pictures else "blank"
            if all(found.kind == "attachment" for found in draft.fields):
                found.append("no_text")
    elif share >= _PICTURE_SHARE and ocr - len(draft.hidden) > 0.5 * n_chars:
        kind = "scanned"
    elif share >= _PICTURE_SHARE and n_chars < _FEW_CHARS and not _has_text_of_its_own(draft):
        kind = "mixed"
        found.append("image_without_text")
    elif share >= _PICTURE_SHARE:
        kind = "mixed"
    if n_chars > 0:
        found += flags(words.codes, n_damaged=words.n_damaged, unmapped=words.unmapped)
    if draft.hidden or draft.unseen:
        found.append("hidden_text")
    return kind, tuple(found)

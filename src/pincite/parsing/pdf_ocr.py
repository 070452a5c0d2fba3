"""Pages of a PDF read by text recognition: those whose text cannot be had or trusted, or all."""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from pincite.parsing.ocr import OcrOptions, mean_confidence, recognise
from pincite.parsing.ocr_engine import Engine, OcrError
from pincite.parsing.ocr_engines import INSTALL, engine_for
from pincite.parsing.ocr_layout import Piece, box_of
from pincite.parsing.pdf_lines import DraftLine
from pincite.parsing.pdf_pages import PageDraft, without_text
from pincite.parsing.picture import DOUBTFUL, OnOcr
from pincite.types.document import UNREADABLE_FLAGS

#: A piece of which so much is covered by words of the page's own was read already.
_COVERED: Final = 0.5
#: Pages larger than this, in pixels of one side, are drawn smaller: an A0 sheet at 300 dots per inch has 14,000.
_MOST_PIXELS: Final = 6000
_POINTS: Final = 72


@dataclass(slots=True)
class PageRecogniser:
    """Reads pages of one open document by text recognition, where that is wanted and possible."""

    document: Any
    options: OcrOptions | None
    on_ocr: OnOcr
    warnings: list[str]
    engine_name: str | None = None
    _engine: Engine | None = None
    _is_looked_for: bool = False
    _missing: list[int] = field(default_factory=list)

    def look_at(self, draft: PageDraft) -> PageDraft:
        """Return the draft, read by text recognition where it has to be; what is not possible is a warning."""
        if self.options is None or not _is_wanted(draft, self.options):
            return draft
        engine = self._found_engine()
        if engine is None:
            self._missing.append(draft.page_num)
            return draft
        self.on_ocr(draft.page_num)
        self.engine_name = engine.name
        try:
            return self._read(draft, engine)
        except OcrError as error:
            self.warnings.append(f"page {draft.page_num} was not read by text recognition: {error}")
            return draft

    def finish(self) -> None:
        """Say what to install, once, where pages stayed unread for want of an engine."""
        if self._missing:
            shown = ", ".join(map(str, self._missing[:8])) + (" …" if len(self._missing) > 8 else "")
            self.warnings.append(f"to read page {shown} by text recognition, {INSTALL}")

    def _found_engine(self) -> Engine | None:
        if not self._is_looked_for and self.options is not None:
            self._engine, self._is_looked_for = engine_for(self.options), True
        return self._engine

    def _read(self, draft: PageDraft, engine: Engine) -> PageDraft:
        size = (draft.frame.width_pt, draft.frame.height_pt)
        dpi = min(float(engine.dpi), _MOST_PIXELS * _POINTS / max(*size, 1.0))
        page = self.document[draft.page_num - 1]
        try:
            image = page.render(scale=dpi / _POINTS, grayscale=True, may_draw_forms=False).to_pil()
        finally:
            page.close()
        found = recognise(image, engine)
        always = self.options is not None and self.options.mode == "always"
        is_replaced = always or "unreadable_text_layer" in draft.flags
        made = without_text(draft) if is_replaced else draft
        scale = _POINTS / dpi
        made.recognised = _new_rows(found.rows, made, scale)
        made.recognised_scale = scale
        kept = [flag for flag in draft.flags if flag not in UNREADABLE_FLAGS and flag != "damaged_text_layer"]
        if made.recognised:
            kept.append("read_by_ocr")
            if found.confidence < DOUBTFUL:
                kept.append("ocr_unsure")
        made.flags = tuple(flag for flag in kept if not (made.recognised and flag == "no_text"))
        made.kind = "mixed" if len(made.words) > len(made.hidden) else "scanned"
        if found.turn:
            self.warnings.append(f"page {draft.page_num} lies on its side or head: it was read turned by {found.turn}°")
        return made


def _is_wanted(draft: PageDraft, options: OcrOptions) -> bool:
    if options.mode == "always":
        return draft.drawn.n_objects > 0 or len(draft.words) > 0
    return options.mode == "auto" and not {"image_without_text", "unreadable_text_layer"}.isdisjoint(draft.flags)


def _new_rows(rows: list[list[Piece]], draft: PageDraft, scale: float) -> list[list[Piece]]:
    """Return the rows without what the page's own text says: a digital header over a scan is read once."""
    visible = np.ones(len(draft.words), bool)
    visible[list(draft.hidden)] = False
    boxes = draft.words.box[visible]
    if not len(boxes):
        return rows
    kept = ([piece for piece in row if not _is_covered(piece, boxes, scale)] for row in rows)
    return [row for row in kept if row]


def _is_covered(piece: Piece, boxes: Any, scale: float) -> bool:
    x0, y0, x1, y1 = (value * scale for value in piece.seen)
    width = np.minimum(boxes[:, 2], x1) - np.maximum(boxes[:, 0], x0)
    height = np.minimum(boxes[:, 3], y1) - np.maximum(boxes[:, 1], y0)
    covered = float((np.clip(width, 0, None) * np.clip(height, 0, None)).sum())
    return covered > _COVERED * max((x1 - x0) * (y1 - y0), 1e-6)


def recognised_lines(draft: PageDraft) -> list[DraftLine]:
    """Return the recognised rows of a page as lines of the layer `ocr`, in reading order."""
    size = (draft.frame.width_pt, draft.frame.height_pt)
    lines = []
    for row in draft.recognised:
        box = box_of(row, draft.recognised_scale, size)
        sides = (box.x0, box.y0, box.x1, box.y1)
        high = (max(p.y1 for p in row) - min(p.y0 for p in row)) * draft.recognised_scale
        line = DraftLine(
            "  ".join(piece.text for piece in row), box=sides, upright=sides, size=high, bold=False, column=1, turn=0
        )
        line.layer, line.confidence = "ocr", round(mean_confidence(row), 3)
        lines.append(line)
    return lines

"""Form fields with their labels and values, and what annotations say, as lines with the box they stand in."""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pikepdf
import pypdfium2.raw as pdfium_c

from pincite.parsing.pdf_geometry import Frame
from pincite.parsing.pdf_lines import DraftLine
from pincite.parsing.pdf_outline import printable

#: A label stands within so many points of its field, to the left or above.
_LABEL_PT = 260.0
_TEXT_KINDS = {"/FreeText", "/Text", "/Highlight", "/Underline", "/Square", "/Circle", "/Stamp", "/Note", "/Redact"}
_BUTTON, _TEXT, _CHOICE = "/Btn", "/Tx", "/Ch"
_RADIO, _PUSH, _PASSWORD = 1 << 15, 1 << 16, 1 << 13
_HIDDEN = 2
#: A target of a ToUnicode map that is a Latin ligature, U+FB00 to U+FB06.
_LIGATURE = re.compile(rb"<\s*FB0[0-6]\s*>", re.IGNORECASE)
_MOST = 5000


@dataclass(frozen=True, slots=True)
class Field:
    """A field's widget on a page or an annotation: what it is called, what it says, its box as displayed."""

    name: str
    described: str
    value: str
    kind: str
    box: tuple[float, float, float, float]


def has_annotations(page: Any) -> bool:
    """Return whether a page has annotations other than links."""
    n = pdfium_c.FPDFPage_GetAnnotCount(page)
    for index in range(min(n, _MOST)):
        annotation = pdfium_c.FPDFPage_GetAnnot(page, index)
        kind = pdfium_c.FPDFAnnot_GetSubtype(annotation) if annotation else pdfium_c.FPDF_ANNOT_LINK
        pdfium_c.FPDFPage_CloseAnnot(annotation)
        if kind not in (pdfium_c.FPDF_ANNOT_LINK, pdfium_c.FPDF_ANNOT_POPUP):
            return True
    return False


class Annotations:
    """Reads the annotations of a file with pikepdf, opened when the first page has some."""

    def __init__(self, content: bytes, password: str | None) -> None:
        self._content = content
        self._password = password
        self._pdf: Any = None
        self._failed = False
        self._ligatures: dict[tuple[int, int], bool] = {}

    def fields(self, page_num: int, frame: Frame) -> list[Field]:
        """Return the fields and annotations of a page in the order of the file."""
        page = self._page(page_num)
        if page is None:
            return []
        out = []
        try:
            for annotation in list(page.obj.get("/Annots", []))[:_MOST]:
                found = _field(annotation, frame)
                if found is not None:
                    out.append(found)
        except (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
            return out
        return out

    def may_draw(self, page_num: int) -> bool:
        """Return whether a page's resources hold pictures or forms (true when that cannot be told)."""
        page = self._page(page_num)
        if page is None:
            return True
        try:
            return "/XObject" in page.resources and len(page.resources["/XObject"].keys()) > 0
        except (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
            return True

    def maps_ligatures(self, page_num: int) -> bool:
        """Return whether a font of the page maps glyphs to the code points of Latin ligatures."""
        page = self._page(page_num)
        if page is None:
            return False
        try:
            fonts = dict(page.resources.get("/Font", {}).items()).values()
            return any(self._maps_ligature(font) for font in fonts)
        except (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
            return False

    def _maps_ligature(self, font: Any) -> bool:
        unicode_map = font.get("/ToUnicode")
        if not isinstance(unicode_map, pikepdf.Stream):
            return False
        if unicode_map.objgen not in self._ligatures:
            self._ligatures[unicode_map.objgen] = _LIGATURE.search(unicode_map.read_bytes()) is not None
        return self._ligatures[unicode_map.objgen]

    def close(self) -> None:
        """Let go of the file."""
        if self._pdf is not None:
            self._pdf.close()

    def file(self) -> Any:
        """Return the file as pikepdf opens it, or `None` when it cannot."""
        if self._pdf is None and not self._failed:
            try:
                self._pdf = pikepdf.open(io.BytesIO(self._content), password=self._password or "")
            except (pikepdf.PdfError, ValueError, RuntimeError, RecursionError):
                self._failed = True
        return self._pdf

    def _page(self, page_num: int) -> Any:
        pdf = self.file()
        return None if pdf is None or page_num > len(pdf.pages) else pdf.pages[page_num - 1]


def _field(annotation: Any, frame: Frame) -> Field | None:
    """Return what one annotation says, or `None` when it says nothing or is not shown."""
    if not isinstance(annotation, pikepdf.Dictionary) or int(annotation.get("/F", 0)) & _HIDDEN:
        return None
    rect = [float(value) for value in annotation.get("/Rect", [])]
    if len(rect) != 4:
        return None
    xs, ys = sorted(rect[0::2]), sorted(rect[1::2])
    corners = (np.array([value]) for value in (xs[0], ys[0], xs[1], ys[1]))
    x0, y0, x1, y1 = frame.boxes(*corners)[0].tolist()
    kind = str(annotation.get("/Subtype", ""))
    if kind == "/Widget":
        value = _value(annotation)
        if value is None:
            return None
        return Field(_full_name(annotation), _text(_inherited(annotation, "/TU")), value, "widget", (x0, y0, x1, y1))
    contents = _text(annotation.get("/Contents"))
    if kind in _TEXT_KINDS and contents:
        return Field("", "", contents, "annotation", (x0, y0, x1, y1))
    return None


def _value(widget: Any) -> str | None:
    """Return what a widget is filled with; `None` for buttons to push, passwords and empty fields."""
    kind = str(_inherited(widget, "/FT") or "")
    bits = int(_inherited(widget, "/Ff") or 0)
    value = _inherited(widget, "/V")
    if kind == _BUTTON:
        if bits & _PUSH:
            return None
        state = str(widget.get("/AS", value if value is not None else "/Off"))
        checked = state not in {"/Off", "Off", "None", ""}
        if bits & _RADIO:
            return state.lstrip("/") + " (selected)" if checked else None
        return "yes (checked)" if checked else "no (not checked)"
    if kind == _TEXT and bits & _PASSWORD:
        return None
    if kind == _CHOICE:
        return _chosen(value, _inherited(widget, "/Opt")) or None
    return _text(value) or None


def _chosen(value: Any, options: Any) -> str:
    """Return the shown names of a choice field's values."""
    values = list(value) if isinstance(value, pikepdf.Array) else [value]
    shown = {}
    for option in options if isinstance(options, pikepdf.Array) else []:
        if isinstance(option, pikepdf.Array) and len(option) == 2:
            shown[_text(option[0])] = _text(option[1])
    texts = [_text(one) for one in values]
    return ", ".join(shown.get(text, text) for text in texts if text)


def _inherited(widget: Any, name: str) -> Any:
    """Return a field attribute from the widget or the fields above it; loops end after a few steps."""
    for _ in range(16):
        if name in widget:
            return widget[name]
        parent = widget.get("/Parent")
        if not isinstance(parent, pikepdf.Dictionary):
            return None
        widget = parent
    return None


def _full_name(widget: Any) -> str:
    parts: list[str] = []
    for _ in range(16):
        if part := _text(widget.get("/T")):
            parts.insert(0, part)
        parent = widget.get("/Parent")
        if not isinstance(parent, pikepdf.Dictionary):
            break
        widget = parent
    return ".".join(parts)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (pikepdf.Dictionary, pikepdf.Array)):
        return ""
    if isinstance(value, pikepdf.Stream):
        value = value.read_bytes().decode("utf-8", "replace")
    return " ".join(printable(str(value)).split())


def field_lines(fields: Sequence[Field], lines: Sequence[DraftLine], size: Callable[[], float]) -> list[DraftLine]:
    """Return a line for each field and annotation: `label: value`, placed in the widget's box."""
    out = []
    for found in fields:
        x0, y0, x1, y1 = found.box
        if found.kind == "annotation":
            text, layer = found.value, "annotation"
        else:
            label = found.described or _label(found, lines) or found.name
            text, layer = (f"{label.rstrip(' :')}: {found.value}" if label else found.value), "form"
        box = (x0, y0, x1, y1)
        out.append(DraftLine(text, box, box, size(), bold=False, column=1, turn=0, cells=[(x0, x1, text)], layer=layer))
    return out


def _label(found: Field, lines: Sequence[DraftLine]) -> str:
    """Return the text next to a field: left of it in its row, else right of a box to tick, else just above."""
    x0, y0, x1, y1 = found.box
    middle = (y0 + y1) / 2
    best: tuple[float, str] = (_LABEL_PT, "")
    tick = found.value.endswith("checked)") or found.value.endswith("(selected)")
    for line in lines:
        if line.layer != "text":
            continue
        in_row = line.box[1] - 2 <= middle <= line.box[3] + 2
        for left, right, text in line.cells or [(line.box[0], line.box[2], line.text)]:
            if in_row and right <= x0 + 4:
                best = min(best, (x0 - right, text))
            elif in_row and tick and left >= x1 - 4:
                best = min(best, (left - x1 + 1, text))
            elif line.box[3] <= y0 + 2 and y0 - line.box[3] < 14 and left < x1 and right > x0:
                best = min(best, (60 + y0 - line.box[3], text))
    return best[1]

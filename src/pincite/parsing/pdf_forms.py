"""Form fields with their names and values, and what annotations say, with the box they stand in."""

import io
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pikepdf
import pypdfium2.raw as pdfium_c

from pincite.parsing.pdf_geometry import Frame
from pincite.parsing.pdf_outline import printable

_TEXT_KINDS = {"/FreeText", "/Text", "/Highlight", "/Underline", "/Square", "/Circle", "/Stamp", "/Note", "/Redact"}
_BUTTON, _TEXT, _CHOICE = "/Btn", "/Tx", "/Ch"
_RADIO, _PUSH, _PASSWORD = 1 << 15, 1 << 16, 1 << 13
_HIDDEN = 2
_SHOW_TEXT = {"Tj", "TJ", "'", '"'}
#: A target of a ToUnicode map that is a Latin ligature, U+FB00 to U+FB06.
_LIGATURE = re.compile(rb"<\s*FB0[0-6]\s*>", re.IGNORECASE)
_MOST = 5000
#: A pinned file is unpacked to learn its size when it has fewer bytes.
_MOST_PINNED = 1 << 22


@dataclass(frozen=True, slots=True)
class Field:
    """A field's widget on a page or an annotation: what it is called, what it says, its box as displayed.

    `kind` is `text`, `tick` (a box to tick), `radio` (a button of a group; `value` is its own choice, and `chosen`
    says whether it is made), `annotation`, or `attachment` (a file pinned to the page).
    """

    name: str
    described: str
    value: str
    kind: str
    box: tuple[float, float, float, float]
    chosen: bool = True


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
        self._pages: list[Any] = []
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

    def n_pages(self) -> int:
        """Return how many pages the page tree holds when every node is followed once; 0 when it cannot be told."""
        try:
            with pikepdf.open(
                io.BytesIO(self._content), password=self._password or "", inherit_page_attributes=False
            ) as pdf:
                return _n_leaves(pdf.Root.Pages)
        except (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RuntimeError, RecursionError):
            return 0

    def is_broken(self, page_num: int) -> bool:
        """Return whether a page's content cannot be unpacked or ends within a text or a string.

        For pages that show nothing: the content of others is what pdfium made of it.
        """
        page = self._page(page_num)
        if page is None or "/Contents" not in page.obj:
            return False
        try:
            names = [str(one.operator) for one in pikepdf.parse_content_stream(page)]
        except (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RuntimeError, RecursionError):
            return True
        return names.count("BT") != names.count("ET") or not _SHOW_TEXT.isdisjoint(names)

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
        self._pages.clear()
        if self._pdf is not None:
            self._pdf.close()

    def file(self) -> Any:
        """Return the file as pikepdf opens it, or `None` when it cannot."""
        if self._pdf is None and not self._failed:
            try:
                self._pdf = pikepdf.open(io.BytesIO(self._content), password=self._password or "")
                self._pages = list(self._pdf.pages)
            except (pikepdf.PdfError, ValueError, RuntimeError, RecursionError):
                self._failed = True
        return self._pdf

    def _page(self, page_num: int) -> Any:
        self.file()
        return self._pages[page_num - 1] if page_num <= len(self._pages) else None


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
        return _widget(annotation, (x0, y0, x1, y1))
    if kind == "/FileAttachment":
        return _pinned(annotation, (x0, y0, x1, y1))
    contents = _text(annotation.get("/Contents"))
    if kind in _TEXT_KINDS and contents:
        return Field("", "", contents, "annotation", (x0, y0, x1, y1))
    return None


def _pinned(annotation: Any, box: tuple[float, float, float, float]) -> Field | None:
    """Return the file pinned to a page, its size in bytes as value."""
    spec = annotation.get("/FS")
    embedded = spec.get("/EF") if isinstance(spec, pikepdf.Dictionary) else None
    stream = embedded.get("/UF", embedded.get("/F")) if isinstance(embedded, pikepdf.Dictionary) else None
    if not isinstance(stream, pikepdf.Stream):
        return None
    size: Any = stream.get("/Params", pikepdf.Dictionary()).get("/Size")
    if not isinstance(size, int):
        raw = stream.read_raw_bytes()
        size = len(stream.read_bytes()) if len(raw) < _MOST_PINNED else len(raw)
    return Field(_text(spec.get("/UF", spec.get("/F"))), "", str(size), "attachment", box)


def _n_leaves(root: Any) -> int:
    """Return the number of pages under a node of the page tree; each node counts once."""
    found, seen, stack = 0, set(), [root]
    while stack:
        node = stack.pop()
        if not isinstance(node, pikepdf.Dictionary) or node.objgen in seen:
            continue
        if node.is_indirect:
            seen.add(node.objgen)
        kids = node.get("/Kids")
        if isinstance(kids, pikepdf.Array):
            stack += list(kids)
        else:
            found += 1
    return found


def _widget(widget: Any, box: tuple[float, float, float, float]) -> Field | None:
    """Return what a widget is filled with; `None` for buttons to push, passwords and empty fields."""
    kind = str(_inherited(widget, "/FT") or "")
    bits = int(_inherited(widget, "/Ff") or 0)
    name, described = _full_name(widget), _text(_inherited(widget, "/TU"))
    value = _inherited(widget, "/V")
    if kind == _BUTTON:
        if bits & _PUSH:
            return None
        state = str(widget.get("/AS", value if value is not None else "/Off"))
        checked = state not in {"/Off", "Off", "None", ""}
        if bits & _RADIO:
            group = widget.get("/Parent", widget) if "/T" not in widget else widget
            described = _text(group.get("/TU"))
            return Field(name, described, _choice(widget, state), "radio", box, chosen=checked)
        return Field(name, described, "yes (checked)" if checked else "no (not checked)", "tick", box)
    if kind == _TEXT and bits & _PASSWORD:
        return None
    shown = _chosen(widget, value) if kind == _CHOICE else _text(value)
    return Field(name, described, shown, "text", box) if shown else None


def _choice(widget: Any, state: str) -> str:
    """Return what a radio button stands for: its option where the field lists some, else its state when on."""
    none = pikepdf.Dictionary()
    states = [key for key in widget.get("/AP", none).get("/N", none) if key != "/Off"]
    on = (states[0] if states else state).lstrip("/")
    options = _inherited(widget, "/Opt")
    if on.isdigit() and isinstance(options, pikepdf.Array) and int(on) < len(options):
        return _text(options[int(on)])
    return printable(on) if on != "Off" else ""


def _chosen(field: Any, value: Any) -> str:
    """Return the shown names of a choice field's values, or of the options it marks as selected."""
    options = _inherited(field, "/Opt")
    options = list(options) if isinstance(options, pikepdf.Array) else []
    pairs = [(one[0], one[1]) if isinstance(one, pikepdf.Array) and len(one) == 2 else (one, one) for one in options]
    shown = {_text(given): _text(name) for given, name in pairs}
    values = list(value) if isinstance(value, pikepdf.Array) else [value]
    texts = [text for text in map(_text, values) if text]
    if texts:
        return ", ".join(shown.get(text, text) for text in texts)
    selected = _inherited(field, "/I")
    places = [int(at) for at in selected] if isinstance(selected, pikepdf.Array) else []
    return ", ".join(_text(pairs[at][1]) for at in places if 0 <= at < len(pairs))


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
    # A text of several lines is parted by carriage returns, which are no printable characters.
    return " ".join(printable(" ".join(str(value).split())).split())

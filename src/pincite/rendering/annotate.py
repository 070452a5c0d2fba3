"""Write citations into a copy of the original PDF as highlight annotations that look alike in every reader."""

import io
import logging
import warnings
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from pincite.rendering.boxes import (
    PageFrame,
    Quad,
    Rect,
    bounds,
    fitted,
    merge_boxes,
    page_frame,
    quad_points,
)
from pincite.rendering.citing import NumberedCitation
from pincite.rendering.originals import open_pikepdf, write_atomically
from pincite.rendering.palette import OPACITY, Tint, laid_on_white, tint
from pincite.rendering.verdicts import verdict_text
from pincite.types.citation import HighlightBox

logger = logging.getLogger(__name__)

#: The page size pdfium assumes where a page has none: US Letter.
_LETTER: Rect = (0, 0, 612, 792)
#: Parents to look through for an inherited attribute; a damaged page tree may be a ring.
_DEPTH = 64
#: `/F`: the annotation is printed.
_PRINTED = 4
#: A quarter circle as a Bézier curve: how far the control points lie from the corner, as part of the radius.
_CORNER = 0.4477
#: Largest radius of the rounded corners, in points.
_RADIUS_PT = 1.5
#: Width of the edge, in points. It covers what is under it, so that a highlight shows on dark paper too.
_EDGE_PT = 0.5


def annotate_pdf(
    original: bytes,
    citations: Sequence[NumberedCitation],
    path: Path,
    *,
    password: str | None = None,
    name: str = "document",
) -> Path:
    """Write a copy of `original` with every citation highlighted, and return `path`.

    Text and pages stay as they are: only annotations are added. An encrypted original gives a copy with
    the same encryption and passwords; one so broken that pdfium had to repair it gives an unencrypted
    copy. A signature in the original does not cover what is added. Citations without boxes are left out.

    Raises:
        PasswordRequiredError: the original is locked, and `password` does not open it.
        CorruptFileError: the original cannot be read.

    """
    return write_atomically(path, annotated(original, citations, password=password, name=name))


def annotated(
    original: bytes,
    citations: Sequence[NumberedCitation],
    *,
    password: str | None = None,
    name: str = "document",
) -> bytes:
    """Return what `annotate_pdf` writes."""
    with open_pikepdf(original, origin=name, password=password) as pdf:
        for numbered in citations:
            for page_num, boxes in _by_page(numbered).items():
                if page_num <= len(pdf.pages):
                    _highlight(pdf, pdf.pages[page_num - 1], boxes, numbered)
        return _saved(pdf)


def frame_of(page: pikepdf.Page) -> PageFrame:
    """Return how pdfium displays a page: inherited boxes and rotation, Letter where there is no size."""
    media = _rect(_inherited(page.obj, Name.MediaBox)) or _LETTER
    rotate = _inherited(page.obj, Name.Rotate)
    turned = int(rotate) if isinstance(rotate, int | float | Decimal) else 0
    return page_frame(media, _rect(_inherited(page.obj, Name.CropBox)), turned)


def _saved(pdf: pikepdf.Pdf) -> bytes:
    """Return the file, encrypted as it was where that can be written.

    The same input gives the same bytes unless it is encrypted.
    """
    with warnings.catch_warnings():
        # Form widgets that no form lists were so in the original; they are left alone.
        warnings.simplefilter("ignore", UserWarning)
        if pdf.is_encrypted:
            locked = io.BytesIO()
            try:
                pdf.save(locked, encryption=True, fix_metadata_version=False)
                return locked.getvalue()
            except (pikepdf.PdfError, RuntimeError) as error:
                logger.warning("the highlighted copy is not encrypted, though the original is: %s", error)
        out = io.BytesIO()
        # Compressed streams are copied as they are: decoding a damaged one would change what it shows.
        pdf.save(
            out,
            encryption=False,
            deterministic_id=True,
            stream_decode_level=pikepdf.StreamDecodeLevel.none,
            fix_metadata_version=False,
        )
    return out.getvalue()


def _by_page(numbered: NumberedCitation) -> dict[int, list[HighlightBox]]:
    pages: dict[int, list[HighlightBox]] = {}
    for box in merge_boxes(numbered.citation.boxes):
        pages.setdefault(box.page, []).append(box)
    return pages


def _highlight(pdf: pikepdf.Pdf, page: pikepdf.Page, boxes: Sequence[HighlightBox], numbered: NumberedCitation) -> None:
    """Add one annotation with a quadrilateral for each box."""
    frame = frame_of(page)
    inside = [box for box in boxes if _has_area(fitted(box, frame.size).box)]
    if not inside:
        return
    quads = [quad_points(box, frame) for box in inside]
    colour = tint(numbered.item_num)
    citation = numbered.citation
    rect = bounds(quads)
    annotation = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Highlight,
            Rect=Array(_numbers(rect)),
            QuadPoints=Array(_numbers([part for quad in quads for part in quad])),
            C=Array(_numbers([part / 255 for part in colour.fill])),
            CA=OPACITY,
            F=_PRINTED,
            T=String("pincite"),
            NM=String(f"pincite-{numbered.number}-{inside[0].page}"),
            Contents=String(_note(numbered)),
            Subj=String(f"[{numbered.number}] {citation}"),
            AP=Dictionary(N=_appearance(pdf, quads, rect, colour)),
        )
    )
    # A new array: the old one may be shared with other pages.
    existing = page.obj.get(Name.Annots)
    before = list(existing) if isinstance(existing, Array) else []
    page.obj.Annots = Array([*before, annotation])


def _note(numbered: NumberedCitation) -> str:
    """Return the comment a reader shows: number, item, quote and verdict."""
    citation = numbered.citation
    items = ", ".join(str(item_num) for item_num in numbered.item_nums)
    noun = "item" if len(numbered.item_nums) == 1 else "items"
    return "\r".join(
        [
            f"[{numbered.number}] {noun} {items} · {citation.place}",
            "“" + citation.quote.replace("\n", " ") + "”",
            verdict_text(citation.verdict),
        ]
    )


def _appearance(pdf: pikepdf.Pdf, quads: Sequence[Quad], rect: Rect, colour: Tint) -> pikepdf.Object:
    """Return a form that lays the tint over the page like ink from a marker, so that text stays black."""
    tone, on_white = (
        " ".join(_number(part / 255) for part in rgb) for rgb in (colour.fill, laid_on_white(colour.fill))
    )
    areas = [bounds([quad]) for quad in quads]
    # All boxes in one path: where lines overlap, the tint is laid once.
    content = ["/marker gs", f"{tone} rg", *map(_rounded, areas), "f", "/edge gs", f"{on_white} rg"]
    # The edge is a filled ring: a stroke this thin would be drawn a pixel wide.
    content += [f"{_rounded(area)}\n{_rounded(_shrunk(area, _EDGE_PT))}\nf*" for area in areas]
    form = pdf.make_stream("\n".join([*content, ""]).encode("ascii"))
    form.Type = Name.XObject
    form.Subtype = Name.Form
    form.BBox = Array(_numbers(rect))
    marker = Dictionary(Type=Name.ExtGState, BM=Name.Multiply, ca=OPACITY, AIS=False)
    edge = Dictionary(Type=Name.ExtGState, BM=Name.Normal, ca=1, AIS=False)
    form.Resources = Dictionary(ExtGState=Dictionary(marker=marker, edge=edge))
    return form


def _shrunk(rect: Rect, by: float) -> Rect:
    x0, y0, x1, y1 = rect
    wide, high = min(by, (x1 - x0) / 4), min(by, (y1 - y0) / 4)
    return (x0 + wide, y0 + high, x1 - wide, y1 - high)


def _rounded(rect: Rect) -> str:
    """Return path operators for a rectangle with rounded corners."""
    x0, y0, x1, y1 = rect
    r = min(_RADIUS_PT, (x1 - x0) / 4, (y1 - y0) / 4)
    c = r * _CORNER
    steps: list[tuple[Sequence[float], str]] = [
        ((x0 + r, y0), "m"),
        ((x1 - r, y0), "l"),
        ((x1 - c, y0, x1, y0 + c, x1, y0 + r), "c"),
        ((x1, y1 - r), "l"),
        ((x1, y1 - c, x1 - c, y1, x1 - r, y1), "c"),
        ((x0 + r, y1), "l"),
        ((x0 + c, y1, x0, y1 - c, x0, y1 - r), "c"),
        ((x0, y0 + r), "l"),
        ((x0, y0 + c, x0 + c, y0, x0 + r, y0), "c"),
    ]
    return "\n".join([*(" ".join(map(_number, at)) + f" {operator}" for at, operator in steps), "h"])


def _inherited(page: pikepdf.Object, key: Name) -> object:
    """Return a page attribute from the page or the nearest parent that has it."""
    node: object = page
    for _ in range(_DEPTH):
        if not isinstance(node, Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get(Name.Parent)
    return None


def _rect(value: object) -> Rect | None:
    """Return four numbers as a rectangle, `None` where they are no rectangle with area."""
    if not isinstance(value, Array) or len(value) != 4:
        return None
    try:
        x0, y0, x1, y1 = (float(part) for part in value)
    except (TypeError, ValueError):
        return None
    return (x0, y0, x1, y1) if x0 != x1 and y0 != y1 else None


def _has_area(rect: Rect) -> bool:
    return rect[0] < rect[2] and rect[1] < rect[3]


def _numbers(values: Sequence[float]) -> list[float]:
    """Return values rounded to a thousandth of a point, which PDF numbers hold without an exponent."""
    return [round(value, 3) for value in values]


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")

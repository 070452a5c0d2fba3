"""Rectangles to draw: merged per line, and carried from the displayed page into PDF user space."""

from collections.abc import Iterable, Sequence

from pincite.types.citation import HighlightBox
from pincite.types.geometry import PageSize
from pincite.types.record import Record

#: Two boxes are pieces of one line when they share this part of the lower one's height ...
_SAME_ROW = 0.6
#: ... and lie no further apart than this many times that height.
_TOUCHING = 0.5
#: A box this many times taller than wide holds sideways text: its neighbour is another line.
_SIDEWAYS = 2.0

Rect = tuple[float, float, float, float]
Quad = tuple[float, float, float, float, float, float, float, float]


class Point(Record, frozen=True, kw_only=True):
    """A point, in points (1/72 inch)."""

    x: float
    y: float


class PageFrame(Record, frozen=True, kw_only=True):
    """How a page is displayed: its visible rectangle in PDF user space and its clockwise rotation."""

    x0: float
    y0: float
    x1: float
    y1: float
    rotation: int = 0

    @property
    def size(self) -> PageSize:
        """The page as it is displayed."""
        width, height = self.x1 - self.x0, self.y1 - self.y0
        if self.rotation in (90, 270):
            width, height = height, width
        return PageSize(width_pt=width, height_pt=height)

    def user_space(self, x: float, y: float) -> Point:
        """Return where a point of the displayed page (origin top-left, y down) lies in user space."""
        if self.rotation == 90:
            return Point(x=self.x0 + y, y=self.y0 + x)
        if self.rotation == 180:
            return Point(x=self.x1 - x, y=self.y0 + y)
        if self.rotation == 270:
            return Point(x=self.x1 - y, y=self.y1 - x)
        return Point(x=self.x0 + x, y=self.y1 - y)


def page_frame(media: Rect, crop: Rect | None, rotate: int) -> PageFrame:
    """Return the frame of a page from its `/MediaBox`, `/CropBox` and `/Rotate`.

    Corners may come in any order. A crop box shows only what the media box holds (PDF 32000-1, 14.11.2);
    one that holds none of it is ignored.
    """
    visible = _ordered(media)
    if crop is not None:
        cut = _intersection(visible, _ordered(crop))
        visible = cut if cut[0] < cut[2] and cut[1] < cut[3] else visible
    x0, y0, x1, y1 = visible
    return PageFrame(x0=x0, y0=y0, x1=x1, y1=y1, rotation=rotate // 90 % 4 * 90)


def quad_points(box: HighlightBox, frame: PageFrame) -> Quad:
    """Return the corners of `box` in user space, in the order that readers expect in `/QuadPoints`.

    That is top-left, top-right, bottom-left, bottom-right as displayed: what Acrobat writes and pdfium,
    MuPDF and poppler read, though PDF 32000-1 draws another order.
    """
    x0, y0, x1, y1 = fitted(box, frame.size).box
    corners = [frame.user_space(x, y) for x, y in ((x0, y0), (x1, y0), (x0, y1), (x1, y1))]
    top_left, top_right, bottom_left, bottom_right = corners
    return (
        *(top_left.x, top_left.y, top_right.x, top_right.y),
        *(bottom_left.x, bottom_left.y, bottom_right.x, bottom_right.y),
    )


def bounds(quads: Sequence[Quad]) -> Rect:
    """Return the smallest upright rectangle `(x0, y0, x1, y1)` that covers every corner."""
    xs = [x for quad in quads for x in quad[0::2]]
    ys = [y for quad in quads for y in quad[1::2]]
    return (min(xs), min(ys), max(xs), max(ys))


def fitted(box: HighlightBox, size: PageSize) -> HighlightBox:
    """Return `box` scaled to a page of `size` and cut at its edges."""
    wide = size.width_pt / box.width_pt if box.width_pt > 0 else 1.0
    high = size.height_pt / box.height_pt if box.height_pt > 0 else 1.0
    x0, y0, x1, y1 = _ordered(box.box)
    cut = _intersection((x0 * wide, y0 * high, x1 * wide, y1 * high), (0, 0, size.width_pt, size.height_pt))
    return HighlightBox(page=box.page, width_pt=size.width_pt, height_pt=size.height_pt, box=cut)


def merge_boxes(boxes: Iterable[HighlightBox]) -> tuple[HighlightBox, ...]:
    """Join boxes that are pieces of one line; lines below one another stay apart. Pages in order.

    Boxes without area are dropped.
    """
    merged: list[HighlightBox] = []
    for box in sorted(boxes, key=lambda box: (box.page, box.box[1], box.box[0])):
        piece = HighlightBox(page=box.page, width_pt=box.width_pt, height_pt=box.height_pt, box=_ordered(box.box))
        if piece.box[0] == piece.box[2] or piece.box[1] == piece.box[3]:
            continue
        while (mate := next((other for other in merged if _one_line(other, piece)), None)) is not None:
            merged.remove(mate)
            piece = _joined(mate, piece)
        merged.append(piece)
    return tuple(sorted(merged, key=lambda box: (box.page, box.box[1], box.box[0])))


def is_sideways(rect: Rect) -> bool:
    """Return whether a rectangle is so much taller than wide that its text must run up or down the page."""
    x0, y0, x1, y1 = rect
    return y1 - y0 >= _SIDEWAYS * (x1 - x0)


def _joined(first: HighlightBox, second: HighlightBox) -> HighlightBox:
    a, b = first.box, second.box
    box = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
    return HighlightBox(page=first.page, width_pt=first.width_pt, height_pt=first.height_pt, box=box)


def _one_line(first: HighlightBox, second: HighlightBox) -> bool:
    if (first.page, first.width_pt, first.height_pt) != (second.page, second.width_pt, second.height_pt):
        return False
    a, b = first.box, second.box
    if _holds(a, b) or _holds(b, a):
        return True
    if is_sideways(a) or is_sideways(b):
        return False
    height = min(a[3] - a[1], b[3] - b[1])
    shared = min(a[3], b[3]) - max(a[1], b[1])
    gap = max(a[0], b[0]) - min(a[2], b[2])
    return shared >= _SAME_ROW * height and gap <= _TOUCHING * height


def _holds(outer: Rect, inner: Rect) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def _ordered(rect: Rect) -> Rect:
    x0, y0, x1, y1 = rect
    return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _intersection(a: Rect, b: Rect) -> Rect:
    """Return what two rectangles share; where they share nothing, a rectangle without area."""
    x0, y0 = max(a[0], b[0]), max(a[1], b[1])
    return (x0, y0, max(x0, min(a[2], b[2])), max(y0, min(a[3], b[3])))

"""Draw a page as a person sees it, with highlights, and with line numbers beside it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image, ImageChops, ImageDraw

from pincite.errors import CorruptFileError
from pincite.rendering.boxes import fitted, is_sideways, merge_boxes
from pincite.rendering.citing import NumberedCitation
from pincite.rendering.gutter import numbered_lines, with_gutters
from pincite.rendering.lettering import number_font
from pincite.rendering.originals import open_pdfium
from pincite.rendering.palette import laid_on_white, tint
from pincite.types.citation import HighlightBox
from pincite.types.document import Line
from pincite.types.geometry import BBox, PageSize
from pincite.types.record import Record

#: No picture of a page has more pixels than this, however large the page: 160 MB at four bytes each.
_MOST_PIXELS = 40_000_000
#: Sizes on paper, in points.
_RADIUS_PT = 1.5
_BADGE_PT = 8.0
_EDGE_PT = 0.5
_GAP_PT = 3.5


class Mark(Record, frozen=True, kw_only=True):
    """One rectangle to highlight, with the number a reader sees and the item whose colour it has."""

    number: int
    item_num: int
    box: HighlightBox


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A page as pixels: `px_per_pt` pixels for each point of `size`."""

    image: Image.Image
    size: PageSize
    px_per_pt: float

    @property
    def whole(self) -> BBox:
        """The whole page, in points."""
        return BBox(x0=0, y0=0, x1=self.size.width_pt, y1=self.size.height_pt)


def marks_of(citations: Iterable[NumberedCitation]) -> tuple[Mark, ...]:
    """Return the rectangles of citations; the pieces of one line are one rectangle."""
    return tuple(
        Mark(number=numbered.number, item_num=numbered.item_num, box=box)
        for numbered in citations
        for box in merge_boxes(numbered.citation.boxes)
    )


def render_page(
    original: bytes,
    page_num: int,
    *,
    lines: Sequence[Line] = (),
    boxes: Sequence[Mark] = (),
    dpi: int = 144,
    gutter: bool = True,
    password: str | None = None,
) -> Image.Image:
    """Return a picture of one page of a PDF with `boxes` highlighted and `lines` numbered in a gutter.

    Lines and boxes of other pages are ignored. Without a gutter the picture is the page alone, so that
    `dpi / 72` pixels are one point. A very large page is drawn at fewer dots per inch than asked.

    Raises:
        PasswordRequiredError: the original is locked, and `password` does not open it.
        CorruptFileError: the original cannot be read or has no such page.

    """
    paper = paper_of(original, page_num, dpi=dpi, password=password)
    marks = [mark for mark in boxes if mark.box.page == page_num]
    here = [line for line in lines if line.page_num == page_num]
    return picture_of(paper, marks, here if gutter else None)


def paper_of(
    original: bytes, page_num: int, *, dpi: float = 144, name: str = "document", password: str | None = None
) -> Paper:
    """Return one page of a PDF as pixels, forms and annotations included. Raises as `render_page` does."""
    with open_pdfium(original, origin=name, password=password) as document:
        if not 1 <= page_num <= len(document):
            message = f"there is no page {page_num}; it has {len(document)}"
            raise CorruptFileError(message, origin=name, page_num=page_num)
        if document.get_formtype() == pdfium_c.FORMTYPE_ACRO_FORM:
            document.init_forms()
        try:
            page = document[page_num - 1]
            width, height = page.get_size()
            scale = min(dpi / 72, math.sqrt(_MOST_PIXELS / max(1.0, width * height)))
            image = page.render(scale=scale).to_pil().convert("RGB").copy()
        except pdfium.PdfiumError as error:
            raise CorruptFileError("the page cannot be drawn", origin=name, page_num=page_num) from error
    return Paper(image=image, size=PageSize(width_pt=width, height_pt=height), px_per_pt=scale)


def picture_of(
    paper: Paper,
    marks: Sequence[Mark],
    lines: Sequence[Line] | None,
    *,
    region: BBox | None = None,
    badges: bool = True,
) -> Image.Image:
    """Return `paper` (or a region of it, in points) with highlights, and numbers in gutters for `lines`.

    `lines` being `None` leaves the gutters out. Without `badges` highlights carry no number.
    """
    placed = [Mark(number=mark.number, item_num=mark.item_num, box=fitted(mark.box, paper.size)) for mark in marks]
    image = paper.image.copy()
    for number in dict.fromkeys(mark.number for mark in placed):
        _lay(image, [mark for mark in placed if mark.number == number], paper.px_per_pt)
    if badges:
        _draw_badges(image, placed, paper.px_per_pt)
    seen = region or paper.whole
    cut = image.crop(_pixels((seen.x0, seen.y0, seen.x1, seen.y1), paper.px_per_pt))
    if lines is None:
        return cut
    cited = {line.line_id: mark.item_num for line in lines for mark in placed if _is_in(line, mark)}
    return with_gutters(cut, numbered_lines(lines, cited, seen), px_per_pt=paper.px_per_pt)


def _lay(image: Image.Image, marks: Sequence[Mark], px_per_pt: float) -> None:
    """Lay a tint over the rectangles of one citation, once where they overlap; ink stays dark."""
    mask = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(mask)
    for mark in marks:
        x0, y0, x1, y1 = _pixels(mark.box.box, px_per_pt)
        if x1 > x0 and y1 > y0:
            draw.rounded_rectangle((x0, y0, x1 - 1, y1 - 1), radius=_RADIUS_PT * px_per_pt, fill=255)
    covered = mask.getbbox()
    if covered is None:
        return
    under = image.crop(covered)
    colour = laid_on_white(tint(marks[0].item_num).fill)
    inked = ImageChops.multiply(under, Image.new("RGB", under.size, colour))
    image.paste(inked, covered, mask.crop(covered))
    draw = ImageDraw.Draw(image)
    for mark in marks:
        # The edge covers what is under it, so that a highlight shows on dark paper too.
        x0, y0, x1, y1 = _pixels(mark.box.box, px_per_pt)
        if x1 > x0 and y1 > y0:
            edge = max(1, round(_EDGE_PT * px_per_pt))
            radius = _RADIUS_PT * px_per_pt
            draw.rounded_rectangle((x0, y0, x1 - 1, y1 - 1), radius=radius, outline=colour, width=edge)


def _draw_badges(image: Image.Image, marks: Sequence[Mark], px_per_pt: float) -> None:
    """Draw each number left of its first rectangle (above sideways text); several at one place stand in a row."""
    draw = ImageDraw.Draw(image)
    font = number_font(max(8, round((_BADGE_PT - 1.5) * px_per_pt)))
    height = max(10, round(_BADGE_PT * px_per_pt))
    taken: list[tuple[float, float, float, float]] = []
    for number in dict.fromkeys(mark.number for mark in marks):
        mark = next(mark for mark in marks if mark.number == number)
        x0, y0, x1, y1 = _pixels(mark.box.box, px_per_pt)
        width = max(height, round(draw.textlength(str(number), font=font) + height * 0.6))
        if is_sideways(mark.box.box):
            left, top = (x0 + x1 - width) / 2, max(0.0, y0 - _GAP_PT * px_per_pt - height)
        else:
            left, top = max(0.0, x0 - _GAP_PT * px_per_pt - width), (y0 + y1 - height) / 2
        while any(_overlap((left, top, left + width, top + height), other) for other in taken) and left > 0:
            left = max(0.0, left - width - 2)
        spot = (left, top, left + width, top + height)
        taken.append(spot)
        draw.rounded_rectangle(spot, radius=height / 2, fill=tint(mark.item_num).ink)
        draw.text(((left + left + width) / 2, top + height / 2), str(number), font=font, fill="white", anchor="mm")


def _is_in(line: Line, mark: Mark) -> bool:
    """Return whether the middle of a line lies in a highlighted rectangle."""
    if line.box is None:
        return False
    x, y = (line.box.x0 + line.box.x1) / 2, (line.box.y0 + line.box.y1) / 2
    x0, y0, x1, y1 = mark.box.box
    return x0 <= x <= x1 and y0 <= y <= y1


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _pixels(box: tuple[float, float, float, float], px_per_pt: float) -> tuple[int, int, int, int]:
    """Return a rectangle in whole pixels that covers `box`."""
    x0, y0, x1, y1 = (part * px_per_pt for part in box)
    return (math.floor(x0), math.floor(y0), math.ceil(x1), math.ceil(y1))

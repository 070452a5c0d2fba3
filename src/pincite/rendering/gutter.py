"""Line numbers in gutters beside a page, as a lawyer's transcript has them."""

from collections.abc import Mapping, Sequence
from typing import Literal

from PIL import Image, ImageDraw

from pincite.rendering.boxes import is_sideways
from pincite.rendering.lettering import number_font
from pincite.rendering.palette import tint
from pincite.types.document import Line
from pincite.types.geometry import BBox
from pincite.types.record import Record

#: Sizes on paper, in points.
_NUMBER_PT = 6.0
_PAD_PT = 4.5
_GREY = (128, 128, 128)
_GUTTER = (248, 248, 246)
_RULE = (222, 222, 218)


Side = Literal["left", "beside", "right", "below"]


class LineNumber(Record, frozen=True, kw_only=True):
    """A number to draw. `y` is the middle of its line and `x` where its column begins, in points.

    On the side `below` (of sideways text), `x` is the middle of the line and `y` where it ends.
    `item_num` is the item that cites the line, `None` for other lines.
    """

    line_num: int
    side: Side
    x: float
    y: float
    item_num: int | None


def numbered_lines(lines: Sequence[Line], cited: Mapping[int, int], region: BBox) -> tuple[LineNumber, ...]:
    """Return the numbers of the lines that begin and end in `region`, placed relative to its corner.

    The first column has its numbers on the left, the last of several on the right, and one between beside
    itself, so that numbers of lines at the same height do not collide; sideways text has them below.
    `cited` gives the item by line id.
    """
    seen = [line for line in lines if line.layer != "hidden" and line.box is not None and _within(line.box, region)]
    columns = sorted({line.column for line in seen})
    starts = {
        column: min(line.box.x0 for line in seen if line.box is not None and line.column == column)
        for column in columns
    }
    numbers = []
    for line in seen:
        if line.box is None:
            continue
        x, y, side = starts[line.column], (line.box.y0 + line.box.y1) / 2, _side(columns, line.column)
        if is_sideways((line.box.x0, line.box.y0, line.box.x1, line.box.y1)) and len(line.text) > 1:
            x, y, side = (line.box.x0 + line.box.x1) / 2, line.box.y1, "below"
        item_num = cited.get(line.line_id)
        at_x, at_y = x - region.x0, y - region.y0
        numbers.append(LineNumber(line_num=line.line_num, side=side, x=at_x, y=at_y, item_num=item_num))
    return tuple(numbers)


def with_gutters(image: Image.Image, numbers: Sequence[LineNumber], *, px_per_pt: float) -> Image.Image:
    """Return `image` with a gutter on the left, and one on the right where a number asks for it."""
    font = number_font(max(8, round(_NUMBER_PT * px_per_pt)))
    pad = _PAD_PT * px_per_pt
    widest = max((number.line_num for number in numbers), default=1)
    gutter = round(font.getlength(str(max(widest, 100))) + 2 * pad)
    right = gutter if any(number.side == "right" for number in numbers) else 0
    canvas = Image.new("RGB", (gutter + image.width + right, image.height), _GUTTER)
    canvas.paste(image, (gutter, 0))
    draw = ImageDraw.Draw(canvas)
    for edge in (gutter - 1, gutter + image.width):
        draw.line((edge, 0, edge, image.height), fill=_RULE)
    edges: dict[Side, float] = {"left": gutter - pad, "right": gutter + image.width + right - pad}
    height = _NUMBER_PT * px_per_pt
    taken: list[tuple[float, float]] = []
    # Cited lines first: where two numbers would collide, the other one gives way.
    for number in sorted(numbers, key=lambda number: number.item_num is None):
        x, y = gutter + number.x * px_per_pt, number.y * px_per_pt
        if number.side == "below":
            x, y = x + font.getlength(str(number.line_num)) / 2, y + height
        elif number.side == "beside":
            x -= 3 * px_per_pt
        else:
            x = edges[number.side]
        if any(abs(x - other_x) < height and abs(y - other_y) < height for other_x, other_y in taken):
            continue
        taken.append((x, y))
        _draw_number(draw, number, (x, y), px_per_pt)
    return canvas


def _draw_number(draw: ImageDraw.ImageDraw, number: LineNumber, at: tuple[float, float], px_per_pt: float) -> None:
    """Draw one number, right-aligned at a point; a cited one on its item's tint."""
    font = number_font(max(8, round(_NUMBER_PT * px_per_pt)))
    text = str(number.line_num)
    x, y = at
    if number.item_num is None:
        draw.text((x, y), text, font=font, fill=_GREY, anchor="rm")
        return
    colour = tint(number.item_num)
    half, pad = _NUMBER_PT * 0.75 * px_per_pt, 2 * px_per_pt
    chip = (x - font.getlength(text) - pad, y - half, x + pad, y + half)
    draw.rounded_rectangle(chip, radius=half / 2, fill=colour.fill)
    draw.text((x, y), text, font=font, fill=colour.ink, anchor="rm", stroke_width=0.3)


def _side(columns: Sequence[int], column: int) -> Side:
    if column == columns[0]:
        return "left"
    return "right" if column == columns[-1] else "beside"


def _within(box: BBox, region: BBox) -> bool:
    """Return whether the middle of a box lies in a region."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return region.x0 <= x <= region.x1 and region.y0 <= y <= region.y1

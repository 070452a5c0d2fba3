"""Which caption belongs to which picture: the nearest one below it, or above it, over the same part of the page."""

from collections.abc import Sequence
from typing import Final

import msgspec

from pincite.parsing.objects import caption
from pincite.types.document import Image, Line
from pincite.types.geometry import BBox

#: A caption stands at most so far from its picture, in points; above it counts as twice as far.
_FARTHEST_PT: Final = 60.0
_ABOVE: Final = 2.0


def captioned(images: Sequence[Image], lines: Sequence[Line]) -> list[Image]:
    """Return the pictures, each with the line of its caption where one is near enough."""
    if not images:
        return []
    captions: dict[int, list[Line]] = {}
    wanted = {image.page_num for image in images}
    for line in lines:
        if line.page_num in wanted and line.role == "caption" and line.box is not None and _is_of_a_figure(line.text):
            captions.setdefault(line.page_num, []).append(line)
    return [_with_caption(image, captions.get(image.page_num, ())) for image in images]


def _is_of_a_figure(text: str) -> bool:
    found = caption(text)
    return found is not None and found[0] == "figure"


def _with_caption(image: Image, captions: Sequence[Line]) -> Image:
    near = [(away, line.line_id) for line in captions if line.box is not None and (away := _away(image.box, line.box))]
    near = [pair for pair in near if pair[0] <= _FARTHEST_PT]
    return msgspec.structs.replace(image, caption_line_id=min(near)[1]) if near else image


def _away(picture: BBox, line: BBox) -> float:
    """Return how far a caption is from a picture, in points; 0 where they do not share any part of the width."""
    if min(picture.x1, line.x1) <= max(picture.x0, line.x0):
        return 0.0
    if line.y0 >= picture.y1 - 1:
        return max(0.1, line.y0 - picture.y1)
    return max(0.1, _ABOVE * (picture.y0 - line.y1)) if line.y1 <= picture.y0 + 1 else 0.1

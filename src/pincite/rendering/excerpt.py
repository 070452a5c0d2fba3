"""Cut what a report shows of a source: a piece of the page as a picture, or lines with their numbers."""

import base64
import io
from collections.abc import Sequence

from PIL import Image

from pincite.rendering.boxes import fitted, is_sideways
from pincite.rendering.citing import NumberedCitation
from pincite.rendering.originals import Access, page_lines
from pincite.rendering.page_image import Paper, marks_of, picture_of
from pincite.types.citation import Citation, HighlightBox, Span
from pincite.types.document import Line
from pincite.types.geometry import BBox
from pincite.types.record import Record

#: How much of the page is shown around a cited line, in points.
_ABOVE_PT, _LEFT_PT, _RIGHT_PT = 44.0, 15.0, 12.0
#: Room for the numbers at the ends of sideways text, in points.
_ENDS_PT = 12.0
#: Paper left above the first and below the last line shown, in points, unless the next line is nearer.
_EDGE_PT = 3.5
#: Colours of an embedded picture: enough for text on paper, a fifth of the bytes of full colour.
_COLOURS = 96
#: Lines shown before and after the cited ones.
_CONTEXT = 2


class ShownLine(Record, frozen=True, kw_only=True):
    """A line with the part of it that is quoted; `cited` without `quoted` parts does not occur."""

    line_num: int
    text: str
    cited: bool
    quoted: Span | None


def page_excerpt(paper: Paper, numbered: NumberedCitation, lines: Sequence[Line], page_num: int) -> Image.Image | None:
    """Return the part of a page around the highlights of one citation, `None` where it has none there."""
    marks = [mark for mark in marks_of([numbered]) if mark.box.page == page_num]
    if not marks:
        return None
    columns = {line.column for line in lines if line.line_id in numbered.citation.line_ids}
    nearby = [line for line in lines if line.column in columns]
    region = _region(paper, [mark.box for mark in marks], nearby)
    return picture_of(paper, marks, nearby, region=region)


def data_uri(image: Image.Image) -> str:
    """Return a picture as a `data:` address of a PNG."""
    out = io.BytesIO()
    image.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        out, format="PNG", optimize=True
    )
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode("ascii")


def cited_page_lines(access: Access, citation: Citation, page_num: int) -> tuple[Line, ...]:
    """Return the lines of a page that a citation has a line on; none where there is no such line."""
    for line_id in (citation.line_ids[0], citation.line_ids[-1]) if citation.line_ids else ():
        lines = page_lines(access.lines_of, citation.doc_id, line_id)
        if lines and lines[0].page_num == page_num:
            return lines
    return ()


def shown_lines(access: Access, citation: Citation) -> tuple[ShownLine, ...]:
    """Return the cited lines with two lines before and after them, the quoted part of each marked.

    None where the document has no such lines any more.
    """
    if not citation.line_ids:
        return ()
    first, last = citation.line_ids[0], citation.line_ids[-1]
    lines = access.lines_of(citation.doc_id, max(1, first - _CONTEXT), last + _CONTEXT)
    visible = [line for line in lines if line.layer != "hidden"]
    cited = [line for line in visible if line.line_id in citation.line_ids]
    pages = {line.page_num for line in cited}
    quoted = quoted_parts([line.text for line in cited], citation.quote)
    spans = {line.line_id: span for line, span in zip(cited, quoted, strict=True)}
    return tuple(
        ShownLine(
            line_num=line.line_num,
            text=line.text,
            cited=line.line_id in spans,
            quoted=spans.get(line.line_id),
        )
        for line in visible
        if line.page_num in pages
    )


def quoted_parts(texts: Sequence[str], quote: str) -> tuple[Span | None, ...]:
    r"""Return which part of each line is quoted, `None` for a line without any.

    Where the quote is not found as it stands, each line counts as quoted whole.

    >>> quoted_parts(["The gap is", "40 mm."], "is\n40 mm")
    (Span(start=8, end=10), Span(start=0, end=5))
    """
    start = "\n".join(texts).find(quote)
    if start == -1 or not quote:
        return tuple(Span(start=0, end=len(text)) for text in texts)
    end = start + len(quote)
    parts: list[Span | None] = []
    offset = 0
    for text in texts:
        first, last = max(0, start - offset), min(len(text), end - offset)
        parts.append(Span(start=first, end=last) if first < last else None)
        offset += len(text) + 1
    return tuple(parts)


def _region(paper: Paper, boxes: Sequence[HighlightBox], nearby: Sequence[Line]) -> BBox:
    """Return the part of the page to show: the width of the cited column, some whole lines above and below."""
    page = paper.size
    cited = [fitted(box, page).box for box in boxes]
    top = max(0.0, min(box[1] for box in cited) - _ABOVE_PT)
    bottom = min(page.height_pt, max(box[3] for box in cited) + _ABOVE_PT)
    seen = [line.box for line in nearby if line.box is not None and line.box.y0 >= top and line.box.y1 <= bottom]
    if not seen:
        return BBox(x0=0, y0=top, x1=page.width_pt, y1=bottom)
    shown = [*cited, *((box.x0, box.y0, box.x1, box.y1) for box in seen)]
    y0, y1 = min(box[1] for box in shown), max(box[3] for box in shown)
    if any(is_sideways(box) for box in cited):
        y0, y1 = y0 - _ENDS_PT, y1 + _ENDS_PT
    others = [line.box for line in nearby if line.box is not None]
    return BBox(
        x0=max(0.0, min(box[0] for box in shown) - _LEFT_PT),
        y0=max(0.0, y0 - _EDGE_PT, *(box.y1 for box in others if box.y1 <= y0)),
        x1=min(page.width_pt, max(box[2] for box in shown) + _RIGHT_PT),
        y1=min(page.height_pt, y1 + _EDGE_PT, *(box.y0 for box in others if box.y0 >= y1)),
    )

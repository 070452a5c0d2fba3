"""One picture of every cited page, stacked, each with a caption below it."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from pincite.rendering.citing import NumberedCitation
from pincite.rendering.lettering import drawable, text_font
from pincite.rendering.originals import write_atomically
from pincite.rendering.page_image import marks_of, paper_of, picture_of
from pincite.rendering.visible import one_line
from pincite.types.document import Line
from pincite.types.record import Record

#: A picture of more pages than this is no picture any more; the rest is named in a note.
MOST_PAGES = 6
#: Pixels per inch of page pictures.
DPI = 144
_GAP_PX = 28
_CAPTION_PX = 24
_DESK = (232, 232, 229)
_INK = (64, 64, 64)
_EDGE = (205, 205, 200)


class CitedPage(Record, frozen=True, kw_only=True):
    """A page to draw: its caption, and the citations that have a place on it."""

    doc_id: str
    page_num: int
    caption: str
    citations: tuple[NumberedCitation, ...]


def page_picture(
    original: bytes,
    citations: Sequence[NumberedCitation],
    lines: Sequence[Line],
    path: Path,
    *,
    password: str | None = None,
) -> Path:
    """Write a PNG of the cited pages of one PDF, with highlights and line numbers, and return `path`.

    `lines` are the lines of those pages. Raises as `render_page` does.
    """
    pages = cited_pages(citations)
    drawn = [
        captioned_page(original, page, [line for line in lines if line.page_num == page.page_num], password=password)
        for page in pages[:MOST_PAGES]
    ]
    return write_atomically(path, png(stacked(drawn, pages[MOST_PAGES:])))


def cited_pages(citations: Sequence[NumberedCitation]) -> tuple[CitedPage, ...]:
    """Return the pages that citations have boxes on, in order of first use, then of page."""
    found: dict[tuple[str, int], list[NumberedCitation]] = {}
    for numbered in citations:
        citation = numbered.citation
        for page_num in sorted({box.page for box in citation.boxes} or {citation.page or 1}):
            users = found.setdefault((citation.doc_id, page_num), [])
            users += [numbered] if numbered not in users else []
    return tuple(
        CitedPage(doc_id=doc_id, page_num=page_num, caption=_caption(page_num, users), citations=tuple(users))
        for (doc_id, page_num), users in found.items()
    )


def captioned_page(
    original: bytes, page: CitedPage, lines: Sequence[Line], *, password: str | None = None
) -> Image.Image:
    """Return a picture of one page with highlights and line numbers, on a desk, its caption below."""
    name = page.citations[0].citation.doc_name
    paper = paper_of(original, page.page_num, dpi=DPI, name=name, password=password)
    marks = [mark for mark in marks_of(page.citations) if mark.box.page == page.page_num]
    sheet = picture_of(paper, marks, lines)
    font = text_font(page.caption, _CAPTION_PX)
    caption = _shortened(drawable(page.caption, font), font.getlength, sheet.width)
    canvas = Image.new("RGB", (sheet.width + 2 * _GAP_PX, sheet.height + _GAP_PX + 3 * _CAPTION_PX), _DESK)
    canvas.paste(sheet, (_GAP_PX, _GAP_PX))
    draw = ImageDraw.Draw(canvas)
    edge = (_GAP_PX - 1, _GAP_PX - 1, _GAP_PX + sheet.width, _GAP_PX + sheet.height)
    draw.rectangle(edge, outline=_EDGE)
    below = _GAP_PX + sheet.height + 1.5 * _CAPTION_PX
    draw.text((canvas.width / 2, below), caption, font=font, fill=_INK, anchor="mm")
    return canvas


def stacked(pictures: Sequence[Image.Image], left_out: Sequence[CitedPage] = ()) -> Image.Image:
    """Return pictures one below the other, with a note that names the pages left out."""
    note = ""
    if left_out:
        note = f"{len(left_out)} more cited: " + ", ".join(page.caption for page in left_out)
    width = max(picture.width for picture in pictures)
    note_height = 3 * _CAPTION_PX if note else 0
    canvas = Image.new("RGB", (width, sum(picture.height for picture in pictures) + note_height), _DESK)
    top = 0
    for picture in pictures:
        canvas.paste(picture, ((width - picture.width) // 2, top))
        top += picture.height
    if note:
        font = text_font(note, _CAPTION_PX)
        shown = _shortened(drawable(note, font), font.getlength, width - 2 * _GAP_PX)
        ImageDraw.Draw(canvas).text((width / 2, top + _CAPTION_PX), shown, font=font, fill=_INK, anchor="mm")
    return canvas


def png(image: Image.Image) -> bytes:
    """Return a picture as PNG bytes."""
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def _caption(page_num: int, users: Sequence[NumberedCitation]) -> str:
    """Return `paper.pdf — p. 6`, or `paper.pdf — p. xii [sheet 14]` where the printed number differs."""
    labels = [numbered.citation.page_label for numbered in users if numbered.citation.page == page_num]
    label = next((label for label in labels if label is not None), str(page_num))
    sheet = "" if label == str(page_num) else f" [sheet {page_num}]"
    return one_line(f"{users[0].citation.doc_name} — p. {label}{sheet}")


def _shortened(text: str, length: Callable[[str], float], width: float) -> str:
    """Return `text`, or as much of it as fits into `width` pixels with an ellipsis."""
    if length(text) <= width:
        return text
    n = len(text)
    while n > 1 and length(text[:n] + "...") > width:
        n -= 1
    return text[:n] + "..."

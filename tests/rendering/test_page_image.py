from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from pincite.errors import CorruptFileError
from pincite.rendering.citing import NumberedCitation
from pincite.rendering.gutter import numbered_lines
from pincite.rendering.page_image import Mark, marks_of, render_page
from pincite.rendering.page_picture import cited_pages, page_picture, stacked
from pincite.rendering.palette import laid_on_white, tint
from pincite.types.citation import Citation, HighlightBox
from pincite.types.document import Line
from pincite.types.geometry import BBox

MakePdf = Callable[..., bytes]
MakeCitation = Callable[..., Citation]
MakeLine = Callable[..., Line]
Number = Callable[..., tuple[NumberedCitation, ...]]

TINT = laid_on_white(tint(1).fill)


def mark(x0: float, y0: float, x1: float, y1: float, n: int = 1) -> Mark:
    return Mark(number=n, item_num=n, box=HighlightBox(page=1, width_pt=300, height_pt=400, box=(x0, y0, x1, y1)))


@pytest.mark.parametrize(("rotate", "size"), [(None, (600, 800)), (90, (800, 600)), (180, (600, 800))])
def test_a_page_alone_is_dpi_over_72_pixels_a_point(
    rotate: int | None, size: tuple[int, int], make_pdf: MakePdf
) -> None:
    """Without a gutter, coordinates of the picture are points of the displayed page times dpi / 72."""
    page = render_page(make_pdf(rotate=rotate), 1, gutter=False)

    assert page.size == size


def test_the_highlight_is_where_the_box_is(make_pdf: MakePdf) -> None:
    """Inside the box the paper has the item's tint, outside it is white."""
    page = render_page(make_pdf(), 1, boxes=[mark(100, 60, 200, 80)], dpi=72, gutter=False)

    assert [page.getpixel(at) for at in ((150, 70), (105, 62), (199, 70))] == [TINT, TINT, TINT]
    assert [page.getpixel(at) for at in ((150, 58), (150, 82), (202, 70))] == [(255, 255, 255)] * 3


def test_overlapping_lines_are_tinted_once(make_pdf: MakePdf) -> None:
    """Where the boxes of two cited lines overlap there is no darker strip."""
    boxes = [mark(100, 60, 200, 80), mark(100, 75, 200, 95)]

    page = render_page(make_pdf(), 1, boxes=boxes, dpi=72, gutter=False)

    assert {page.getpixel((150, y)) for y in range(61, 94)} == {TINT}


def test_letters_stay_dark(make_pdf: MakePdf) -> None:
    """The tint lies under the text."""
    page = render_page(make_pdf({(100, 325): "IIII"}), 1, boxes=[mark(95, 60, 200, 80)], gutter=False)

    assert min(page.convert("L").crop((190, 120, 400, 160)).tobytes()) < 60


def test_the_gutter_is_beside_the_page(make_pdf: MakePdf, make_line: MakeLine) -> None:
    """Line numbers never cover the page: the picture grows by the gutter."""
    lines = [make_line(1, "a", (100, 60, 200, 72))]
    alone = render_page(make_pdf(), 1, gutter=False)

    page = render_page(make_pdf(), 1, lines=lines)

    assert page.width > alone.width
    assert page.crop((page.width - alone.width, 0, page.width, page.height)).tobytes() == alone.tobytes()
    assert len(set(page.crop((0, 124, page.width - alone.width - 1, 140)).convert("L").tobytes())) > 2


def test_numbers_of_two_columns_stand_on_two_sides(make_line: MakeLine) -> None:
    """Lines at the same height in two columns have their numbers left and right, so both can be read."""
    page = BBox(x0=0, y0=0, x1=300, y1=400)
    lines = [
        make_line(1, "a", (10, 60, 140, 72)),
        make_line(2, "b", (160, 60, 290, 72), column=2),
        make_line(3, "hidden", (10, 80, 140, 92), layer="hidden"),
    ]

    numbers = numbered_lines(lines, {2: 1}, page)

    assert [(n.line_num, n.side, n.item_num) for n in numbers] == [(1, "left", None), (2, "right", 1)]


def test_three_columns_have_three_places(make_line: MakeLine) -> None:
    """The numbers of a middle column stand beside it."""
    lines = [make_line(n, "x", (100 * n - 90, 60, 100 * n - 10, 72), column=n) for n in (1, 2, 3)]

    numbers = numbered_lines(lines, {}, BBox(x0=0, y0=0, x1=300, y1=400))

    assert [(n.side, n.x) for n in numbers] == [("left", 10), ("beside", 110), ("right", 210)]


def test_a_page_that_is_not_there_is_an_error(make_pdf: MakePdf) -> None:
    """The error says how many pages there are."""
    with pytest.raises(CorruptFileError, match="there is no page 2; it has 1"):
        render_page(make_pdf(), 2)


def test_a_huge_page_is_drawn_smaller(make_pdf: MakePdf) -> None:
    """A page of 200 inches cannot exhaust the memory."""
    page = render_page(make_pdf(media=(0, 0, 14400, 14400)), 1, gutter=False)

    assert page.width * page.height <= 40_100_000


def test_pieces_of_a_line_are_one_mark(make_citation: MakeCitation, number: Number) -> None:
    """A line boxed word by word is one rectangle with the citation's number."""
    citation = make_citation((1, 300, 400, (10, 10, 50, 22)), (1, 300, 400, (53, 10, 90, 22)))

    assert marks_of(number(citation)) == (mark(10, 10, 90, 22),)


def test_pages_are_captioned_by_their_printed_number(make_citation: MakeCitation, number: Number) -> None:
    """The caption names document and page, with the sheet where the printed number differs; controls are inert."""
    plain = make_citation((6, 300, 400, (10, 10, 50, 22)))
    roman = make_citation((14, 300, 400, (10, 10, 50, 22)), page_label="xii", doc_name="a\nb.pdf", doc_id="e")

    assert [page.caption for page in cited_pages(number(plain, roman))] == [
        "paper.pdf — p. 6",
        "a\\nb.pdf — p. xii [sheet 14]",
    ]


def test_every_cited_page_is_in_the_picture(
    make_pdf: MakePdf, make_citation: MakeCitation, number: Number, tmp_path: Path
) -> None:
    """A sentence over a page break shows both pages, one below the other."""
    one = make_citation((1, 300, 400, (10, 10, 50, 22)))
    two = make_citation((1, 300, 400, (10, 10, 50, 22)), (2, 300, 400, (10, 10, 50, 22)))
    original = make_pdf(n_pages=2)

    with Image.open(page_picture(original, number(one), (), tmp_path / "one.png")) as single:
        width, height = single.size
    with Image.open(page_picture(original, number(two), (), tmp_path / "two.png")) as double:
        assert double.size == (width, 2 * height)


def test_above_six_pages_a_note_names_the_rest(
    make_pdf: MakePdf, make_citation: MakeCitation, number: Number, tmp_path: Path
) -> None:
    """A picture of many pages stays a picture: six pages and a note."""
    boxes = [(page, 300.0, 400.0, (10.0, 10.0, 50.0, 22.0)) for page in range(1, 9)]
    citations = number(make_citation(*boxes))

    path = page_picture(make_pdf(n_pages=8), citations, (), tmp_path / "many.png")

    with Image.open(path) as many:
        assert 6 * 800 < many.height < 7 * 900
    rest = cited_pages(citations)[6:]
    assert stacked([Image.new("RGB", (900, 10))], rest).height > 10


def test_sideways_lines_are_numbered_below(make_line: MakeLine) -> None:
    """Lines that run down the page lie at one height; each has its number where it ends."""
    lines = [make_line(n, "sideways", (20 * n, 100, 20 * n + 12, 300)) for n in (1, 2)]

    numbers = numbered_lines(lines, {}, BBox(x0=0, y0=0, x1=300, y1=400))

    assert [(n.side, n.x, n.y) for n in numbers] == [("below", 26, 300), ("below", 46, 300)]

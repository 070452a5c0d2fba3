import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.rendering.boxes import bounds, fitted, merge_boxes, page_frame, quad_points
from pincite.types.citation import HighlightBox
from pincite.types.geometry import PageSize


def box(x0: float, y0: float, x1: float, y1: float, page: int = 1) -> HighlightBox:
    return HighlightBox(page=page, width_pt=300, height_pt=400, box=(x0, y0, x1, y1))


def test_lines_below_one_another_stay_apart() -> None:
    """Two cited lines are two rectangles, even where they touch."""
    lines = (box(10, 10, 200, 22), box(10, 22, 180, 34))

    assert merge_boxes(lines) == lines


def test_pieces_of_one_line_become_one() -> None:
    """Words boxed one by one are highlighted as one stroke."""
    pieces = (box(60, 11, 100, 22), box(10, 10, 58, 22), box(102, 10, 150, 21))

    assert merge_boxes(pieces) == (box(10, 10, 150, 22),)


def test_columns_stay_apart() -> None:
    """Lines at the same height in two columns are not joined across the gutter."""
    columns = (box(10, 10, 140, 22), box(160, 10, 290, 22))

    assert merge_boxes(columns) == columns


def test_sideways_lines_stay_apart() -> None:
    """Lines of sideways text lie side by side and are not one line."""
    sideways = (box(10, 10, 22, 200), box(24, 10, 36, 200))

    assert merge_boxes(sideways) == sideways


def test_pages_are_kept_apart_and_empty_boxes_dropped() -> None:
    """A sentence over a page break has its boxes page by page; a box without area draws nothing."""
    assert merge_boxes([box(10, 5, 90, 15, page=2), box(10, 380, 90, 390), box(5, 5, 5, 9)]) == (
        box(10, 380, 90, 390),
        box(10, 5, 90, 15, page=2),
    )


@given(
    rotation=st.sampled_from([0, 90, 180, 270, -90, 450]),
    corner=st.tuples(st.integers(-500, 500), st.integers(-500, 500)),
    size=st.tuples(st.integers(50, 900), st.integers(50, 900)),
    part=st.tuples(*[st.floats(0, 1)] * 4),
)
def test_quads_lie_on_the_page_and_keep_their_area(
    rotation: int, corner: tuple[int, int], size: tuple[int, int], part: tuple[float, float, float, float]
) -> None:
    """A highlight is neither stretched nor off the visible page, whatever the rotation and crop."""
    (x, y), (width, height) = corner, size
    frame = page_frame((x, y, x + width, y + height), None, rotation)
    shown = frame.size
    xs, ys = sorted(part[:2]), sorted(part[2:])
    rect = (xs[0] * shown.width_pt, ys[0] * shown.height_pt, xs[1] * shown.width_pt, ys[1] * shown.height_pt)
    highlight = HighlightBox(page=1, width_pt=shown.width_pt, height_pt=shown.height_pt, box=rect)

    x0, y0, x1, y1 = bounds([quad_points(highlight, frame)])

    assert x - 1e-6 <= x0 <= x1 <= x + width + 1e-6
    assert y - 1e-6 <= y0 <= y1 <= y + height + 1e-6
    area = (rect[2] - rect[0]) * (rect[3] - rect[1])
    assert (x1 - x0) * (y1 - y0) == pytest.approx(area, abs=1e-3)


@pytest.mark.parametrize(
    ("rotation", "expected"),
    [
        (0, (30, 390, 80, 390, 30, 378, 80, 378)),
        (90, (20, 40, 20, 90, 32, 40, 32, 90)),
        (180, (280, 30, 230, 30, 280, 42, 230, 42)),
        (270, (290, 380, 290, 330, 278, 380, 278, 330)),
    ],
)
def test_quad_corners_follow_the_reading_direction(rotation: int, expected: tuple[float, ...]) -> None:
    """Corners go top-left, top-right, bottom-left, bottom-right as the page is displayed."""
    frame = page_frame((10, 20, 300, 400), None, rotation)
    shown = frame.size
    highlight = HighlightBox(page=1, width_pt=shown.width_pt, height_pt=shown.height_pt, box=(20, 10, 70, 22))

    assert quad_points(highlight, frame) == expected


def test_the_crop_box_is_cut_to_the_media_box() -> None:
    """Only what the media box holds is visible; a crop box beside it is ignored; corners come in any order."""
    media = (0, 0, 300, 400)

    assert page_frame(media, (50, 60, 900, 900), 0).size == PageSize(width_pt=250, height_pt=340)
    assert page_frame(media, (500, 500, 600, 600), 0).size == PageSize(width_pt=300, height_pt=400)
    assert page_frame((300, 400, 0, 0), None, 0) == page_frame(media, None, 0)


def test_boxes_are_scaled_and_cut_to_the_page() -> None:
    """A box recorded on a page of another size is drawn at the same place; what hangs over is cut."""
    scaled = fitted(box(150, 200, 600, 300), PageSize(width_pt=600, height_pt=800))

    assert scaled.box == (300, 400, 600, 600)

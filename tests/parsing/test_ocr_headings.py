"""Scanned pages have headings, found by what text recognition knows of a line."""

from pincite.parsing.ocr_headings import scanned_starts
from pincite.types.document import Line
from pincite.types.geometry import BBox

#: Text, its height, the white above it in points.
_Row = tuple[str, float, float]


def _page(rows: list[_Row], *, confidence: float = 0.95, width: float | None = None) -> list[Line]:
    """Return recognised lines of one page, each as wide as its text or as `width`."""
    lines, y = [], 40.0
    for number, (text, height, above) in enumerate(rows, start=1):
        y += above
        box = BBox(x0=50, y0=y, x1=50 + (width or 5.0 * len(text)), y1=y + height)
        y += height
        line = Line(
            line_id=number, page_num=1, line_num=number, text=text, box=box, layer="ocr", font_size=height,
            confidence=confidence,
        )  # fmt: skip
        lines.append(line)
    return lines


def _text(*words: str) -> list[_Row]:
    return [(f"{word} and what else is to be said of the harbour at great length", 9.0, 2.0) for word in words]


def _titles(lines: list[Line]) -> list[tuple[int, str]]:
    return [(start.level, start.title) for start in scanned_starts(lines)]


def test_numbers_that_follow_one_another_are_headings_of_a_scan() -> None:
    """A numbered line with white above it is a heading, as deep as its number; an item of a list is none."""
    rows = [
        ("1 Scope", 9.0, 0.0), *_text("Boats", "Piers", "Ropes"), ("1.1 Visiting boats", 9.0, 12.0), *_text("Oars"),
        ("14 Boats were lost in that year", 9.0, 12.0), *_text("Sails"), ("2 Fees", 9.0, 12.0), *_text("Dues"),
    ]  # fmt: skip

    assert _titles(_page(rows)) == [(1, "1 Scope"), (2, "1.1 Visiting boats"), (1, "2 Fees")]


def test_height_and_capitals_count_with_white_above() -> None:
    """A taller line or one in capitals is a heading where it stands apart, and less sure than a numbered one."""
    rows = [
        *_text("Boats", "Piers"), ("Rules of the harbour", 14.0, 14.0), *_text("Ropes"),
        ("FEES AND FINES", 9.0, 12.0), *_text("Oars"), ("The last line of a paragraph", 9.0, 2.0), *_text("Sails"),
    ]  # fmt: skip
    starts = scanned_starts(_page(rows))

    assert [start.title for start in starts] == ["Rules of the harbour", "FEES AND FINES"]
    assert all(start.confidence < 0.7 for start in starts)


def test_what_was_hardly_read_is_no_title() -> None:
    """Characters that recognition is unsure of name nothing."""
    rows = [("1 Scope", 9.0, 0.0), *_text("Boats", "Piers", "Ropes")]

    assert _titles(_page(rows, confidence=0.4)) == []

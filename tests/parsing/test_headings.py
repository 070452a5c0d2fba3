"""Headings of a document without contents, judged by its lines."""

from pincite.parsing.headings import heading_starts
from pincite.types.document import Line
from pincite.types.geometry import BBox


def _lines(*pages: list[tuple[str, float, bool]]) -> list[Line]:
    """Return lines of pages, each with its text, size and weight, one below the other."""
    out: list[Line] = []
    for page_num, rows in enumerate(pages, start=1):
        for line_num, (text, size, bold) in enumerate(rows, start=1):
            box = BBox(x0=72, y0=40.0 + 30 * line_num, x1=72 + size * len(text) / 2, y1=40.0 + 30 * line_num + size)
            line_id = len(out) + 1
            out.append(
                Line(
                    line_id=line_id, page_num=page_num, line_num=line_num, text=text, box=box, font_size=size, bold=bold
                )
            )
    return out


def test_a_cover_has_no_headings_but_the_name_of_its_form() -> None:
    """Who files, where, and what is registered are no sections; an item that begins on the cover is one."""
    body = ("The trust said so at great length in many words that go on and on.", 10.0, False)
    cover = [
        ("UNITED STATES", 14.0, True), ("SECURITIES AND EXCHANGE COMMISSION", 14.0, True), ("FORM 8-K", 16.0, True),
        ("HARBOUR TRUST INC", 16.0, True), ("12 Quay Street, Port City, Maine 04101", 12.0, True), body,
        ("Item 8.01 Other Events", 12.0, True), body,
    ]  # fmt: skip
    starts = heading_starts(_lines(cover, [("SIGNATURE", 12.0, True), body, body]))

    assert [start.title for start in starts] == ["FORM 8-K", "Item 8.01 Other Events", "SIGNATURE"]
    plain = [(text.replace("EXCHANGE", "BOAT"), size, bold) for text, size, bold in cover]
    assert len(heading_starts(_lines(plain))) > 3

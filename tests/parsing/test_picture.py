"""Pictures are read through text recognition, an extra."""

import io

import pytest
from PIL import Image
from tests.parsing.made_files import png_bytes

from pincite.errors import CorruptFileError, UnsupportedFormatError
from pincite.parsing.ocr import OcrOptions
from pincite.parsing.ocr_layout import Piece, rows_in_order
from pincite.parsing.picture import PictureParser


def piece(text: str, x0: float, y0: float, x1: float) -> Piece:
    return Piece(text, x0, y0, x1, y0 + 10, 0.9)


def texts(pieces: list[Piece], width: float) -> list[str]:
    return [" ".join(one.text for one in row) for row in rows_in_order(pieces, width)]


def test_columns_of_text_are_read_one_after_the_other() -> None:
    """A page of two columns under a title is read title, left, right."""
    page = [piece("title", 0, 0, 100)]
    for number in range(4):
        page += [piece(f"l{number}", 0, 20 + 12 * number, 45), piece(f"r{number}", 55, 21 + 12 * number, 100)]

    assert texts(page, 100) == ["title", "l0", "l1", "l2", "l3", "r0", "r1", "r2", "r3"]


def test_cells_side_by_side_are_one_row() -> None:
    """Short pieces beside one another are a row of a table."""
    page = [piece(f"{name}{row}", x, 12 * row, x + 15) for row in range(3) for name, x in (("b", 60), ("a", 0))]

    assert texts(page, 100) == ["a0 b0", "a1 b1", "a2 b2"]


def test_a_table_in_a_picture_has_cells() -> None:
    """A photographed price list answers like a typed one, with boxes on the picture."""
    document = PictureParser().parse(
        png_bytes("Boat\tFee", "Small\t14 crowns", "Large\t20 crowns"), name="a.png", uri="file:///a.png"
    )
    (table,) = document.tables

    assert [cell.text for cell in table.cells] == ["Boat", "Fee", "Small", "14 crowns", "Large", "20 crowns"]
    assert {line.layer for line in document.lines} == {"ocr"}
    assert document.parsing_summary.scanned_pages == (1,)


def test_without_an_engine_the_reader_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is not silently empty where text recognition is missing or switched off."""
    monkeypatch.setattr("pincite.parsing.picture.engine_for", lambda _: None)
    with pytest.raises(UnsupportedFormatError, match=r'a\.png: .*Tesseract .*pip install "pincite\[ocr\]"'):
        PictureParser().parse(png_bytes("hello"), name="a.png", uri="file:///a.png")
    with pytest.raises(UnsupportedFormatError, match=r"switched off"):
        PictureParser(OcrOptions(mode="never")).parse(png_bytes("hello"), name="a.png", uri="file:///a.png")


@pytest.mark.parametrize("cut", [10, 60, 200])
def test_a_damaged_picture_is_named(cut: int) -> None:
    """A picture that was cut off is an error with the file's name."""
    out = io.BytesIO()
    Image.effect_noise((60, 60), 90).save(out, format="PNG")

    with pytest.raises(CorruptFileError, match=r"a\.png"):
        PictureParser().parse(out.getvalue()[:cut], name="a.png", uri="file:///a.png")

"""Stamps over the text, sideways words beside it, sparse columns, long files: pages a reader has no trouble with."""

from collections.abc import Callable

import pytest

from pincite.types.document import ParsedDocument

Parse = Callable[..., ParsedDocument]
_SENTENCES = [f"Silo {n} holds {11 * n} tonnes, and no worker may enter it alone." for n in range(1, 24)]


def _shown(x: float, y: float, text: str, size: float = 11.0) -> str:
    return f"BT /F {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n"


def _sideways(x: float, y: float, text: str) -> str:
    return f"BT /F 11 Tf 0 -1 1 0 {x} {y} Tm ({text}) Tj ET\n"


def _page(*, extra: str = "") -> str:
    return "".join(_shown(60, 740 - 26 * at, text) for at, text in enumerate(_SENTENCES)) + extra


def _texts(document: ParsedDocument) -> list[str]:
    return [line.text for line in document.lines]


@pytest.mark.parametrize("text", ["DRAFT", "SAMPLE COPY", "CONFIDENTIAL"])
@pytest.mark.parametrize("colour", ["0.9 g\n", "0 g\n"])
def test_an_upright_stamp_over_the_text_is_kept_apart(text: str, colour: str, parse_drawn: Parse) -> None:
    """A quote of a sentence does not carry the word that is stamped across it, whatever its colour."""
    stamped = parse_drawn(_page(extra=colour + _shown(70, 470, text, 64)))

    body, stamp = stamped.lines[: len(_SENTENCES)], stamped.lines[-1]
    assert [line.text for line in body] == _SENTENCES
    assert (stamp.text, stamp.role) == (text, "header")
    assert stamped.pages[0].flags == ("watermark",)


def test_a_big_title_is_no_stamp(parse_drawn: Parse) -> None:
    """A title above the text and a drop cap beside it are part of what is read."""
    words = _page().split("BT", 3)[3]
    titled = parse_drawn(_shown(60, 745, "Silos of the port", 36) + _shown(60, 694, "N", 38) + "BT" + words)

    assert "watermark" not in titled.pages[0].flags
    assert titled.lines[0].text == "Silos of the port"


def test_big_signs_of_a_formula_are_no_stamp(parse_drawn: Parse) -> None:
    """Integrals stand over their limits, and a row of them is no word."""
    signs = "".join(_shown(60 + 60 * at, 200, "Z", 40) + _shown(66 + 60 * at, 214, "ab", 9) for at in range(4))

    assert "watermark" not in parse_drawn(_page(extra=signs)).pages[0].flags


def test_a_sideways_table_that_follows_a_line_at_once_keeps_its_words(parse_drawn: Parse) -> None:
    """Upright text is cut from sideways text even where the file puts no space between."""
    rows = [("Dog", "Age", "Kennel"), ("Rex", "4", "A7"), ("Bella", "9", "B2"), ("Max", "6", "C5")]
    table = "".join(
        _sideways(300 - 22 * at, 600 - 90 * col, cell) for at, row in enumerate(rows) for col, cell in enumerate(row)
    )

    lines = _texts(parse_drawn(_shown(80, 760, "Kennel list for the year. See the table beside.") + table))

    assert lines == ["Kennel list for the year. See the table beside.", *("  ".join(row) for row in rows)]


def test_three_short_columns_are_read_one_after_another(parse_drawn: Parse) -> None:
    """Two lines a column are enough when a sentence runs from one to the next."""
    columns = [
        ("The gearbox oil of the", "Tarn 900 mill has to be"),
        ("changed every fourteen", "weeks if the mill grinds"),
        ("wet limestone, and every", "thirty weeks otherwise."),
    ]
    drawn = "".join(
        _shown(60 + 170 * col, 700 - 14 * at, text)
        for at in range(2)
        for col, text in enumerate(c[at] for c in columns)
    )

    assert _texts(parse_drawn(drawn)) == [text for column in columns for text in column]


def test_columns_at_heights_of_their_own_are_read_one_after_another(parse_drawn: Parse) -> None:
    """Two columns whose lines do not share their baselines are columns all the same, below a title too."""
    columns = [
        ["The alarm code changes on the first", "Monday of every"],
        ["quarter, and the new code is handed", "out by Mrs. Oduya in person."],
    ]
    drawn = _shown(150, 780, "Notice to all keyholders", 14) + "".join(
        _shown(50 + 270 * col, 740 - 13 * at - 6 * col, text, 10)
        for at in range(2)
        for col, text in enumerate(c[at] for c in columns)
    )

    assert _texts(parse_drawn(drawn))[1:] == [text for column in columns for text in column]


def test_a_number_goes_on_from_the_column_before(parse_drawn: Parse) -> None:
    """Words "fired at" in the left column and "1240 degrees" at the top of the right one are one sentence."""
    columns = [["The glaze of the bowls must be", "fired at"], ["1240 degrees for nine hours", "or longer."]]
    drawn = "".join(
        _shown(50 + 270 * col, 700 - 13 * at, text, 10)
        for at in range(2)
        for col, text in enumerate(c[at] for c in columns)
    )

    assert _texts(parse_drawn(drawn)) == [text for column in columns for text in column]


@pytest.mark.parametrize(
    "title", ["", "These notes are kept by the yard and cover every press that it owns, old or new."]
)
def test_two_columns_of_wrapped_sentences_are_read_one_after_another(title: str, parse_drawn: Parse) -> None:
    """Columns whose lines go on in the line below are columns, also below a wide line or before a German noun."""
    columns = [["Die Dichtung der Presse", "muss alle sieben"], ["Monate gewechselt werden,", "wenn sie nass steht."]]
    drawn = _shown(50, 740, title, 10) + "".join(
        _shown(50 + 270 * col, 700 - 13 * at, text, 10)
        for at in range(2)
        for col, text in enumerate(c[at] for c in columns)
    )

    assert [line for line in _texts(parse_drawn(drawn)) if line != title] == [t for column in columns for t in column]


def test_two_rows_of_a_table_stay_rows(parse_drawn: Parse) -> None:
    """Short cells side by side are read across."""
    rows = [("Seat kit", "12 crowns", "in stock"), ("Valve block", "40 crowns", "on order")]
    drawn = "".join(
        _shown(60 + 170 * col, 700 - 14 * at, cell) for at, row in enumerate(rows) for col, cell in enumerate(row)
    )

    assert _texts(parse_drawn(drawn)) == ["  ".join(row) for row in rows]


def test_a_file_of_1500_pages_has_them_all(parse_drawn: Parse) -> None:
    """The one fact of a long file is found on its page, and no page is left out."""
    fact = "the wreck of the barge lies 40 m east of buoy 512"
    pages = [_shown(60, 700, fact if n == 1234 else f"Entry of day {n}") for n in range(1, 1501)]

    document = parse_drawn(*pages)

    assert len(document.pages) == 1500
    assert [line.page_num for line in document.lines if line.text == fact] == [1234]

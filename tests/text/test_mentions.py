"""Names of places: one grammar for captions, headings, the text that points at them, and questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.mentions import find_mentions, may_mention, resolved, roman_number, roman_value, spellings


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("see Tables 2 and 3", ["Table 2", "Table 3"]),
        ("Figs. 2–4", ["Figure 2", "Figure 3", "Figure 4"]),
        ("Sections 3.1 to 3.3", ["Section 3.1", "Section 3.2", "Section 3.3"]),
        ("Titles I to III", ["Title I", "Title II", "Title III"]),
        ("Annexes A to C", ["Annex A", "Annex B", "Annex C"]),
        ("§§ 3 and 4, § 12(4)(b)", ["Section 3", "Section 4", "Section 12(4)(b)"]),
        ("Table 4-1 and Eq. (3)", ["Table 4-1", "Equation 3"]),
        ("siehe Abschnitt 3.2 und Tabelle 4", ["Section 3.2", "Table 4"]),
        ("Item 1A is no Item 1.", ["Item 1A", "Item 1"]),
        ("the part I play in title A", []),
        ("app 3 and art 4 of tab 5", []),
        ("Note 2022 and table 5%", []),
        ("in Section 2 and 3 vessels", ["Section 2"]),
    ],
)
def test_a_place_is_found_however_it_is_written(text: str, labels: list[str]) -> None:
    """Lists and ranges name each place; words of a sentence name none."""
    assert [found.label for found in find_mentions(text)] == labels


def test_a_place_of_another_document_is_told() -> None:
    """`Item 402 of Regulation S-K` is not in this file, `Section 2 of this Agreement` is."""
    found = find_mentions("Item 402 of Regulation S-K, Section 2 of this Agreement")

    assert [(one.label, one.is_elsewhere) for one in found] == [("Item 402", True), ("Section 2", False)]


@given(st.integers(1, 399))
def test_roman_numbers_come_back(value: int) -> None:
    """Every number to 399 is the same after writing and reading."""
    assert roman_value(roman_number(value)) == value


@given(st.text("IVXLCiv", min_size=1, max_size=7))
def test_only_well_made_roman_numbers_count(text: str) -> None:
    """What is read as a number is written in one way only."""
    value = roman_value(text)

    assert value is None or roman_number(value) == text.upper()


@given(st.sampled_from(["Table", "figure", "§", "Annex", "clause", "Note", "Title"]), st.integers(1, 99))
def test_the_quick_look_never_misses_a_place(word: str, number: int) -> None:
    """Lines that are left out unread name nothing."""
    text = f"as {word} {number} says"

    assert [one.number for one in find_mentions(text)] in ([str(number)], [])
    assert may_mention(text)


def test_another_word_for_the_same_place_is_tried_last() -> None:
    """`Annex B` is Appendix B only where there is no Annex B; an item is never its neighbour."""
    assert resolved("Annex B", {"Appendix B", "Annex B"}) == "Annex B"
    assert resolved("Annex B", {"Appendix B"}) == "Appendix B"
    assert resolved("Item 1A", {"Item 1"}) is None
    assert spellings("Note 2B") == ("Note 2B", "Note 2")

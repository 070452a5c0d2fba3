"""Enumerations inside sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answering.lists import run_in_items


@pytest.mark.parametrize(
    ("sentence", "items"),
    [
        ("The crew needs a lamp, a rope and two whistles for the night.", ["a lamp", "a rope", "two whistles"]),
        ("The Functions — GOVERN, PROTECT, and RECOVER — organize outcomes.", ["GOVERN", "PROTECT", "RECOVER"]),
        ("There are three kinds: red, green and blue.", ["red", "green", "blue"]),
        ("It supports Python, Java, and Rust [4].", ["Python", "Java", "Rust"]),
        ("Colours such as teal, navy or gold are used.", ["teal", "navy", "gold"]),
        ("Use either steam or sail.", ["steam", "sail"]),
        ("港口有灯、绳、钟。", ["港口有灯", "绳", "钟"]),
        ("The bell rings.", []),
        ("The bell rings at six.", []),
    ],
)
def test_items_of_an_enumeration(sentence: str, items: list[str]) -> None:
    """The items come as they are called, without what introduces or follows them."""
    assert run_in_items(sentence) == items


NAMES = ["lamp", "red rope", "oil", "tide table", "GOVERN", "flag"]


@given(st.lists(st.sampled_from(NAMES), min_size=3, max_size=6, unique=True), st.booleans())
def test_any_plain_enumeration_is_read(names: list[str], serial: bool) -> None:
    """However many items there are, with or without a serial comma, all are found in order."""
    last = ", and " if serial else " and "
    assert run_in_items(f"The kit includes {', '.join(names[:-1])}{last}{names[-1]}.") == names

"""What counts as the same answer."""

import pytest

from pincite.evaluation.matching import boolean_of, exact_match, holds, quantity_of, same_amount, token_f1


def test_words_are_compared_as_in_squad() -> None:
    """Case, marks and articles do not decide; words do, and a part of them counts as a part."""
    scores = (exact_match("The Normans.", ["normans"]), exact_match("Norman", ["Normans"]), token_f1("a b", ["b c"]))

    assert scores == (1.0, 0.0, 2 / 3)


@pytest.mark.parametrize(
    ("said", "right", "expected"),
    [
        ("40 EUR", "40 EUR", True),
        ("40 EUR", "40 USD", False),
        ("40 kg", "40 EUR", False),
        ("40", "40 kg", False),
        ("1.2 million", "1,200,000", True),
        ("$1,577.00", "1577", True),
        ("6.2 %", "6.2%", True),
        ("three levels", "3 levels", True),
        ("41 EUR", "40 EUR", False),
    ],
)
def test_an_amount_is_right_with_its_unit_scale_and_currency(said: str, right: str, *, expected: bool) -> None:
    """A right number of something else is wrong; another way to write it is right."""
    ours, theirs = quantity_of(said), quantity_of(right)

    assert ours is not None
    assert theirs is not None
    assert same_amount(ours, theirs) is expected


def test_a_number_may_differ_by_the_tolerance() -> None:
    """Where a suite rounds, one percent is allowed, and not more."""
    near, far, right = quantity_of("100.9"), quantity_of("101.1"), quantity_of("100")
    assert near is not None
    assert far is not None
    assert right is not None

    assert [same_amount(q, right, tolerance=0.01) for q in (near, far)] == [True, False]


@pytest.mark.parametrize("text", ["since 1066", "10th", "10th century", "the 1050s", "3 to 5 days", "no"])
def test_what_says_more_than_an_amount_is_none(text: str) -> None:
    """A date, an ordinal, a range or a sentence is not compared as an amount."""
    assert quantity_of(text) is None


def test_an_answer_stands_in_a_text_as_whole_words() -> None:
    """`106` is not found in `1066`, `Norman` not in `Normandy`; line breaks and marks do not matter."""
    assert [holds("Normandy,\n in 1066", answer) for answer in ("normandy in", "106", "Norman", "")] == [
        True,
        False,
        False,
        False,
    ]


def test_yes_and_no() -> None:
    """Only a plain yes or no is a truth value."""
    assert [boolean_of(word) for word in ("Yes.", "False", "no", "no idea")] == [True, False, False, None]

"""What a question asks of records: values, numbers by their name, fields, yes and no, comparisons."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.conditions import condition
from pincite.answering.extractive import ExtractiveAnswerer
from pincite.text.sets import Noun
from pincite.types.answer import Draft

BOOKS = "# Library\n\n" + "\n\n".join(
    f"## Book {n}: Title T{n}\n\n- Author: Person {n % 4}\n- Editor: Person {(n + 1) % 4}\n- Year: {1990 + n}\n"
    f"- Room: {n % 3}\n- Signed: {'yes' if n < 3 else 'no' if n < 6 else ''}\n"
    f"- State: {'on shelf' if n % 2 else 'lent'}"
    for n in range(1, 9)
)


def asked(question: str, text: str = BOOKS) -> Draft:
    document = parsed(text)
    return ExtractiveAnswerer().answer(brief_of(question, document), read(document))


def numbers(question: str, text: str = BOOKS) -> list[int]:
    """Return the numbers of the books that are listed."""
    found = asked(question, text)
    assert found.shape == "list"
    return [int(item.text.split()[1].rstrip(":")) for item in found.items]


@pytest.mark.parametrize(
    ("question", "books"),
    [
        ("Which books are in room 2?", [2, 5, 8]),
        ("Which books are lent?", [2, 4, 6, 8]),
        ("Which books are lent or in room 0?", [2, 3, 4, 6, 8]),
        ("Which books in room 2 are lent?", [2, 8]),
        ("Which books are not in room 2?", [1, 3, 4, 6, 7]),
        ("Which books are signed?", [1, 2]),
        ("Which books are not signed?", [3, 4, 5, 6, 7, 8]),
        ("Which books have the author Person 3?", [2, 3, 6, 7]),
        ("Which books were written after 1996?", [7, 8]),
        ("Which books have a year before 1993?", [1, 2]),
        ("Which books have a year of at least 1997?", [7, 8]),
        ("Which books have a year of at most 1992?", [1, 2]),
    ],
)
def test_conditions(question: str, books: list[int]) -> None:
    """Every word that says something is met, in any field, and a number only beside the word it goes with."""
    assert numbers(question) == books


def test_a_word_that_links_is_passed_over_and_that_is_said() -> None:
    """Asking what was "written by Person 3" finds the person though nothing is said to be written."""
    found = asked("Which books were written by Person 3?")
    assert len(found.items) == 4
    assert any("“written”" in caveat for caveat in found.caveats)


def test_each_item_quotes_its_name_and_what_meets_the_condition() -> None:
    """A listed record is borne out by its heading and by the line that says so."""
    first = asked("Which books are lent?").items[0]
    assert [quote.quote for quote in first.quotes] == ["## Book 2: Title T2", "- State: lent"]


@pytest.mark.parametrize("question", ["Which books are older than 12?", "Which books came between 1991 and 1993?"])
def test_a_comparison_that_is_not_understood_is_refused(question: str) -> None:
    """Where no field can be meant nothing is listed, and nothing is said to be none."""
    found = asked(question)
    assert found.items == ()
    assert "None" not in (found.reason or "")


def test_codes_are_met_whole() -> None:
    """A number of the question is no part of a code."""
    text = "# Sensors\n\n" + "\n".join(f"- Sensor T-00{n}: room {n + 3}" for n in range(1, 7))
    (item,) = asked("Which sensors are in room 5?", text).items
    assert item.text == "Sensor T-002"


def test_the_value_of_a_named_field_is_meant() -> None:
    """What is "the flag of Malta" is in the field for flags, not wherever Malta stands."""
    text = "# Fleet\n\n" + "\n\n".join(
        f"## Ship {name}\n\nFlag: {flag}\nBuilt in: {built}"
        for name, flag, built in [("Alma", "Malta", "Oslo"), ("Bo", "Chile", "Malta"), ("Cora", "Chile", "Oslo")]
    )
    assert [i.text for i in asked("Which ships fly the flag of Malta?", text).items] == ["Ship Alma"]


def test_words_of_the_title_are_no_condition() -> None:
    """What names the whole set ("the records of the trial") is asked of no record."""
    text = "# Trial\n\n" + "\n\n".join(f"Patient {n:03} went home in May." for n in range(1, 5))
    assert asked("How many patients are in the trial?", text).items[0].text == "4"


def test_the_condition_in_words() -> None:
    """Denials, alternatives and comparisons are read out of the question."""
    read_out = condition("ships are docked or scrapped, not insured and have a crew over 10?", Noun("ships"))
    assert read_out.surface == "docked or scrapped not insured over 10"
    assert read_out.comparisons[0].field == frozenset({"crew"})
    assert not condition("ships are there?", Noun("ships"))

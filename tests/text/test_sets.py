"""What a question counts or lists, and which texts name one of it."""

import pytest

from pincite.text.sets import Noun, asked_set


@pytest.mark.parametrize(
    ("question", "counts", "noun"),
    [
        ("How many invoices are there?", True, "invoices"),
        ("What is the total number of ships?", True, "ships"),
        ("List all cancelled invoices.", False, "invoices"),
        ("Which of the ships are docked?", False, "ships"),
        ("What tools do I need?", False, "tools"),
        ("List the people who owe money.", False, "people"),
        ("Wie viele Geräte gibt es?", True, "Geräte"),
        ("Welche Geräte sind defekt?", False, "Geräte"),
        ("Combien de navires sont à quai ?", True, "navires"),
    ],
)
def test_questions_about_sets(question: str, counts: bool, noun: str) -> None:
    """Counts and lists are told apart, and the noun that is likeliest to name the set comes first."""
    asked = asked_set(question)
    assert asked is not None
    assert (asked.counts, asked.nouns[0].word) == (counts, noun)


@pytest.mark.parametrize(
    "question",
    [
        "What is the maximum number of images?",
        "Which ship is the largest?",
        "What happens to the boats?",
        "How much is it?",
        "Welches Gerät ist defekt?",
        "How many are faulty?",
        "Which bus has it?",
    ],
)
def test_other_questions_ask_for_no_set(question: str) -> None:
    """A question about one thing, or without a noun, reads no set."""
    assert asked_set(question) is None


@pytest.mark.parametrize(
    ("noun", "text", "name"),
    [
        (Noun("patients"), "Patient 001 was admitted in May.", "Patient 001"),
        (Noun("ships"), "- Ship Alma: docked", "Ship Alma"),
        (Noun("rules"), "4. Rule 4: Bikes are allowed.", "Rule 4"),
        (Noun("Geräte", is_foreign=True), "- Gerät G-01: gut", "Gerät G-01"),
        (Noun("patients"), "Patients 1 to 9 went home.", None),
        (Noun("ships"), "Ship owners pay.", None),
        (Noun("ships"), "The ship Alma is docked.", None),
    ],
)
def test_the_name_that_a_line_begins_with(noun: Noun, text: str, name: str | None) -> None:
    """A record is named by the noun in the singular and a number or name after it."""
    assert noun.name_in(text) == name


def test_titles_of_sets_and_of_records() -> None:
    """A title such as "List of ships" names the set, "Ship Alma" one of it, a sentence about ships neither."""
    ships = Noun("ships")
    assert [ships.names_set(t) for t in ("Ships", "List of ships", "Our ships in 2031")] == [True, True, True]
    assert not any(ships.names_set(t) for t in ("Ships are kept by the crew", "Who paints ships", "Crew"))
    assert (ships.begins("Ship Alma"), ships.begins("Ships 2031"), ships.begins("Ship")) == (True, False, False)

"""Words that are the same in another form, and words that only look alike."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer


def _said(question: str, text: str) -> list[str]:
    document = parsed(text)
    draft = ExtractiveAnswerer().answer(brief_of(question, document, None), read(document))
    return [item.text for item in draft.items] if draft.confidence >= 0.5 else []


def test_an_irregular_verb_is_the_same_verb_in_all_its_forms() -> None:
    """Who wrote it is said by "written by"."""
    text = "# Clock\n\nThe clock was written by Noor Aldana. The case was painted by Ada Lind.\n"
    assert _said("Who wrote the clock?", text) == ["The clock was written by Noor Aldana."]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the phone number?", ["+44 1700 555 014"]),
        ("What is the e-mail address of the ferry?", ["fares@skerry.example"]),
        ("What is the website of the bakery?", []),
    ],
)
def test_numbers_and_addresses_are_known_by_their_form(question: str, said: list[str]) -> None:
    """A telephone number need not be called one, and the address of another is not given."""
    assert _said(question, "# Ferry\n\nContact: +44 1700 555 014, fares@skerry.example\n") == said


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (
            "By how much did the score fall with placebo?",
            "The score fell by 2.9 points with the drug and by 1.1 points with placebo.",
            "1.1 points",
        ),
        ("How many hours has the working week?", "The working week has 37.5 hours.", "37.5 hours"),
        ("How many patients died?", "Deaths: 3 patients.", "3 patients"),
    ],
)
def test_the_number_of_its_own_clause_and_kind(question: str, text: str, said: str) -> None:
    """Of two numbers joined by "and" the one beside the words asked is meant; hours may be halved."""
    assert _said(question, f"# Note\n\n{text}\n") == [said]


def test_a_name_with_a_note_in_brackets_is_that_name() -> None:
    """The row "Child (4–15)" answers for a child."""
    rows = "| Adult | 9.00 | 15.00 |\n| Child (4–15) | 4.50 | 7.50 |\n"
    text = f"# Fares\n\n| Passenger | Single | Return |\n| --- | --- | --- |\n{rows}"
    assert _said("What does a single for a child cost?", text) == ["4.50"]


def test_a_sum_of_money_is_no_rent() -> None:
    """What a thing is worth does not say what its rent is."""
    text = "# Ovens\n\n| Oven | Value |\n| --- | --- |\n| D4 | £18,000 |\n| D6 | £24,500 |\n"
    assert _said("How much is the rent of the oven D4?", text) == []


def test_column_names_are_no_answer() -> None:
    """The names of columns say nothing of what stands below them."""
    rows = "| Nitrate | 18.4 | 50 |\n| Iron | 0.3 | 0.2 |\n"
    text = f"# Results\n\n| Parameter | Result | Limit |\n| --- | --- | --- |\n{rows}"
    assert "Parameter | Result | Limit" not in _said("Which parameter is above its limit?", text)

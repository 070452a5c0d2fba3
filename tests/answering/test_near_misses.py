"""Signs that a text speaks of something beside what is asked."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.answering.near_misses import (
    has_another_doer,
    is_of_another_year,
    measures_another_stuff,
    n_near_misses,
    names_nobody,
)


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("What was the profit in 2023?", "Revenue in 2023 was 9, and profit in 2022 was 7.", True),
        ("What was the profit in 2022?", "Revenue in 2023 was 9, and profit in 2022 was 7.", False),
        ("What was the profit in 2023?", "Profit in 2022 and 2023 was 7 and 8.", False),
        ("What was the profit in 2023?", "In 2023 we made a profit of 8.", False),
        (
            "Wie hoch war der Gewinn im Jahr 2023?",
            "Der Gewinn im Jahr 2021 war 7, der Umsatz im Jahr 2023 9.",
            True,
        ),
    ],
)
def test_another_year_is_known(question: str, text: str, *, is_other: bool) -> None:
    """A value that a text ties to another year is not the one of the year that was asked for."""
    assert is_of_another_year(question, text) == is_other


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("What does Westmark export?", "Ostria exports wine to Westmark.", True),
        ("What does Ostria export?", "Ostria exports wine to Westmark.", False),
        ("What does Westmark export?", "Wine is exported by Westmark.", False),
        ("Whom did Anna Berg teach?", "Karl Lind taught Anna Berg.", False),  # other forms of the verb: not told apart
        ("Whom does Anna teach?", "Karl teaches Anna.", True),
    ],
)
def test_another_doer_is_known(question: str, text: str, *, is_other: bool) -> None:
    """Who has something done to them is not who does it."""
    assert has_another_doer(question, text) == is_other


@pytest.mark.parametrize(
    ("question", "text", "names_none"),
    [
        ("Who is the treasurer?", "The treasurer keeps the key of the shed.", True),
        ("Who is the treasurer?", "The treasurer, elected in May, is Mona Reyes.", False),
        ("Who is the treasurer?", "Treasurer: mona", False),
        ("Who is the treasurer?", "Treasurer: 0172 993", True),
        ("Who is the auditor?", "The auditor is a firm that the board names.", False),
        ("Who keeps the key?", "The treasurer keeps the key of the shed.", False),
    ],
)
def test_who_needs_a_name(question: str, text: str, *, names_none: bool) -> None:
    """What an office does does not say who holds it."""
    assert names_nobody(question, text) == names_none


def test_the_stuff_that_is_measured_counts() -> None:
    """Tonnes of steel say nothing of tonnes of tin; litres that are not said of anything may be of what is asked."""
    assert measures_another_stuff("How many tonnes of tin were sold?", "They sold 41,200 tonnes of steel.")
    assert not measures_another_stuff("How many tonnes of steel were sold?", "They sold 41,200 tonnes of steel.")
    assert n_near_misses("How many litres of water fit in?", "The tank holds 40 litres.") == 0


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("The office opens at 08:30.", "How many desks does the office have?", None),
        ("The plant made 41,200 tonnes.", "How many people did the plant employ?", None),
        ("The house has 12 rooms and 3 floors.", "How many gardens has the house?", None),
        ("Adults take up to 60 mg of Korvex.", "At what temperature is Korvex stored?", None),
        ("The house has 12 rooms and 3 floors.", "How many floors has the house?", "3 floors"),
        ("The loss rate is 0.31 at night.", "What is the loss rate?", "0.31"),
        ("fuel tank capacity,640 L", "What is the fuel tank capacity?", "640 L"),
    ],
)
def test_a_number_of_another_kind_is_no_answer(text: str, question: str, answer: str | None) -> None:
    """A time of day counts nothing, tonnes count no people, rooms are no gardens, a mass is no temperature."""
    document = parsed(f"# Notes\n\n{text}\n")
    draft = ExtractiveAnswerer().answer(brief_of(question, document), read(document))
    assert [item.text for item in draft.items] == ([] if answer is None else [answer])


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Rubbish: Thursdays", "On which day is the rubbish collected?"),
        ("Der Zaun wird im Mai gebaut.", "Wann wird der Zaun gebaut?"),
        ("La cour ferme en hiver.", "Quand ferme la cour ?"),
    ],
)
def test_when_is_told_by_a_day_or_season_too(text: str, question: str) -> None:
    """A weekday under its label, and "im Mai" or "en hiver" in a German or French sentence, say when."""
    document = parsed(f"{text}\n")
    draft = ExtractiveAnswerer().answer(brief_of(question, document), read(document))
    assert [item.text for item in draft.items] == [text]


def test_a_subject_that_is_spoken_of_elsewhere_has_to_be_there() -> None:
    """When legal closes says nothing of sales, which the document knows by that name."""
    text = "Sales is led by Ruth Ames. Finance is led by Paul Okoro. Legal closes at 16:00 on Fridays."
    document = parsed(f"# Staff\n\n{text}\n")
    answerer = ExtractiveAnswerer()
    asked = [answerer.answer(brief_of(f"When does {who} close on Fridays?", document), read(document)).confidence
             for who in ("legal", "sales")]  # fmt: skip
    assert asked[0] > 0.5 > asked[1]


@pytest.mark.parametrize(
    ("question", "spelt"),
    [("What does TBM mean?", True), ("What does TBM stand for?", True), ("How heavy is the TBM?", False)],
)
def test_what_letters_stand_for_is_where_they_are_spelt_out(question: str, *, spelt: bool) -> None:
    """A sentence that uses an acronym does not say what it means; for anything else it does as well."""
    document = parsed("# Machines\n\nThe TBM weighs 900 t. TBM: tunnel boring machine.\n")
    draft = ExtractiveAnswerer().answer(brief_of(question, document), read(document))
    assert ("tunnel boring" in draft.items[0].text) == spelt


@pytest.mark.parametrize(
    ("text", "question", "counted"),
    [
        ("A 10 μm mobile robot is shown.", "How many robots are there?", False),
        ("The crane has 3 t hooks.", "How many hooks has the crane?", False),
        ("The crane has 3 hooks.", "How many hooks has the crane?", True),
        ("The tank holds 40 litres of oil.", "How many litres does the tank hold?", True),
    ],
)
def test_a_measure_of_a_thing_is_no_count_of_it(text: str, question: str, *, counted: bool) -> None:
    """A number with a unit of measure counts that unit, not the things behind it."""
    document = parsed(f"# Things\n\n{text}\n")
    draft = ExtractiveAnswerer().answer(brief_of(question, document), read(document))
    assert bool(draft.items) == counted

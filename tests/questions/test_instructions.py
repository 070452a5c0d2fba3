"""Sentences on the form of the answer are not part of what is searched."""

import pytest

from pincite.questions.instructions import without_courtesy, without_instructions


@pytest.mark.parametrize(
    "instruction",
    [
        "Round your answer to two decimal places.",
        "If data is not available, return 'N/A'.",
        "If there is no mention, say so.",
        "Answer in units of percent.",
        "Give me the title of the position.",
        "Please express it in USD.",
    ],
)
def test_instructions_are_told_from_the_question(instruction: str) -> None:
    """What is asked stays, how to answer is set apart."""
    assert without_instructions(f"What is the fee? {instruction}") == ("What is the fee?", (instruction,))


@pytest.mark.parametrize(
    "question",
    [
        "What is the fee?",
        "State the fee for a boat.",
        "Give the three reasons that the report names.",
        "What is returned if data is not available?",
        "DPO is 365 times payables over cost. What is the DPO?",
        "Return on assets is what in 2021?",
    ],
)
def test_questions_stay_whole(question: str) -> None:
    """Nothing is cut from what only looks like an instruction, or from a text that asks in another form."""
    assert without_instructions(question) == (question, ())


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("I walked all day, so could you please tell me when the north gate closes?", "when the north gate closes?"),
        ("We would love to know how many boats there are", "how many boats there are"),
        ("Können Sie mir bitte sagen, wann das Tor schließt?", "wann das Tor schließt?"),
        ("Pouvez-vous me dire quand ferme la porte ?", "quand ferme la porte ?"),
        ("Who tells us what the gate costs?", "Who tells us what the gate costs?"),
        ("Is it dear? Tell me what the gate costs.", "Is it dear? Tell me what the gate costs."),
        ("When does the bell tell me to go?", "When does the bell tell me to go?"),
    ],
)
def test_courtesy_is_not_searched_for(question: str, asked: str) -> None:
    """What leads politely to a question is no part of it; what asks something itself stays."""
    assert without_courtesy(question) == asked

"""Sentences on the form of the answer are not part of what is searched."""

import pytest

from pincite.questions.instructions import without_instructions


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

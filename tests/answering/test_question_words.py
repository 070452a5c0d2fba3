"""What a question word asks for is looked for in what may answer it."""

import pytest

from pincite.answering.question_words import says_what_is_asked


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("Who leads the harbour?", "The harbour is led by Ada Lind.", "The harbour is led by its council."),
        ("Which company made the pump?", "The pump came from Nordwerk in Kiel.", "The pump came from its maker."),
        ("Where is the archive?", "It lies under the stairs in Lund.", "It lies under the stairs."),
        ("Where is the archive?", "It lies under the stairs.", "It was founded by two monks."),
        ("Why was the pier closed?", "It was closed because the piles had rotted.", "It was closed again."),
        ("What was Tymnet?", "Tymnet was a network of switches.", "Tymnet was also connected to others."),
        ("When is the next council meeting?", "The next meeting is on Monday.", "The council met on Friday."),
        ("What is a berth?", "A berth is the place of a ship.", "Ships need a berth."),
    ],
)
def test_a_text_with_what_is_asked_is_preferred(question: str, better: str, worse: str) -> None:
    """Names for who, places for where, reasons for why, and a definition for "what is" count for a text."""
    assert says_what_is_asked(question, better) > says_what_is_asked(question, worse)


def test_the_names_of_the_question_are_no_answer() -> None:
    """A sentence that only repeats the names of the question does not say who."""
    assert says_what_is_asked("Who met Ada Lind in Kiel?", "In the spring Ada Lind went to Kiel.") == 0.0


def test_other_questions_ask_for_no_mark() -> None:
    """A question without such a word prefers no text by it."""
    assert says_what_is_asked("How deep is the harbour?", "Ada Lind measured it in Kiel.") == 0.0

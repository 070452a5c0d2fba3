"""A text that denies what is asked, or says its opposite by a prefix, is no sure answer."""

import pytest
from tests.making import WordEmbedder, brief_of, parsed, read

from pincite.answering.asked import asked
from pincite.answering.extractive import ExtractiveAnswerer
from pincite.answering.units import read_units


def confidence_of(question: str, text: str) -> float:
    document = parsed(f"{text}\n\nTea is served at noon.\n\nThe bell rings at six.\n")
    return ExtractiveAnswerer(WordEmbedder()).answer(brief_of(question, document), read(document)).confidence


@pytest.mark.parametrize(
    ("question", "said", "denied"),
    [
        (
            "Which measures can the court uphold?",
            "The court can uphold measures of the harbour.",
            "The court cannot uphold measures of the harbour.",
        ),
        (
            "What makes the bounds dependent on the model?",
            "The tide makes the bounds dependent on the model.",
            "The tide makes the bounds independent of the model.",
        ),
        (
            "Who entered the old lock?",
            "The pilot entered the old lock.",
            "The pilot never entered the old lock.",
        ),
    ],
)
def test_a_denial_is_less_sure_than_what_it_denies(question: str, said: str, denied: str) -> None:
    """A question that takes something for granted is not surely answered by a text that denies it."""
    assert confidence_of(question, denied) < 0.5 < confidence_of(question, said)


def test_not_only_is_no_denial() -> None:
    """A text that says "not only X" says X."""
    question, said = "Who entered the old lock?", "The pilot not only entered the old lock, he closed it."
    assert confidence_of(question, said) > 0.5


def test_another_form_of_a_word_stands_in_for_no_other_word() -> None:
    """A text that spells an acronym out has that word of the question, and still lacks the others."""
    text = "The Harbour Dues Act (HDA) is old.\n\nSection 2 of the Harbour Dues Act (HDA) changes section 4."
    others = "\n\n".join(("All treaties implement peace.", *(f"Boat {n} is red." for n in range(30))))
    document = parsed(f"{text}\n\n{others}\n")
    units = read_units(read(document))
    terms = asked(brief_of("Which treaties does the HDA implement?", document), units)
    section = next(unit for unit in units if "Section 2" in unit.text)
    assert terms.own_coverage(section) < 0.5

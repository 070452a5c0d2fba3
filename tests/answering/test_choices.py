"""Questions that offer a choice are answered with what the source says of one of the two."""

import pytest
from tests.making import WordEmbedder, brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Draft

TEXT = (
    "The barn door opens to the left.\n\nThe mill door opens to the right.\n\nThe flag is red and blue.\n\n"
    "Tea is served at noon.\n\nThe bell rings at six.\n"
)


def drafted(question: str) -> Draft:
    document = parsed(TEXT)
    return ExtractiveAnswerer(WordEmbedder()).answer(brief_of(question, document), read(document))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Does the mill door open to the left or to the right?", "The mill door opens to the right."),
        ("Does the barn door open right or left?", "The barn door opens to the left."),
        ("Is tea served at noon or in the evening?", "Tea is served at noon."),
    ],
)
def test_the_alternative_that_the_source_states_is_the_answer(question: str, said: str) -> None:
    """The sentence about the thing asked for answers, not one about another thing, and it is no yes or no."""
    draft = drafted(question)

    assert [(item.text, item.value) for item in draft.items] == [(said, None)]
    assert draft.shape == "text"
    assert draft.confidence > 0.5


def test_where_both_are_said_nothing_is_chosen() -> None:
    """A source that says both of one thing leaves the choice to the reader."""
    draft = drafted("Is the flag red or blue?")

    assert [item.text for item in draft.items] == ["The flag is red and blue."] or draft.confidence < 0.5

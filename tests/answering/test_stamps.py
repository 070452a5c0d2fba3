"""What a stamp says of the state of a document."""

import pytest
from tests.making import brief_of, pages, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Truth


@pytest.mark.parametrize(
    ("stamp", "question", "is_so"),
    [
        ("ENTWURF", "Is this the final version?", False),
        ("BROUILLON", "Is this document a draft?", True),
        ("SUPERSEDED", "Is this version still valid?", False),
        ("VERTRAULICH", "Is the document confidential?", True),
    ],
)
def test_stamps_of_other_words_and_languages_are_understood(stamp: str, question: str, is_so: bool) -> None:
    """A stamp answers for what it means, in the language of the stamp or of the question."""
    document = pages(f"{stamp}\nThe gantry lifts 9 tonnes.", roles={1: "header"})
    draft = ExtractiveAnswerer().answer(brief_of(question, document), read(document))
    assert [item.value for item in draft.items] == [Truth(value=is_so)]

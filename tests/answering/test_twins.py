"""Things told apart by what stands behind one noun."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.answering.twins import names_twin


@pytest.mark.parametrize(
    ("question", "text", "is_twin"),
    [
        ("When was lock 4 built?", "Lock 5 was built in 1931.", True),
        ("How much does lot B cost?", "Lot C covers plumbing and costs 55 euros.", True),
        ("Does building North have a lift?", "Building South has a lift.", True),
        ("When was lock 4 built?", "Lock 4 was built before lock 5.", False),
        ("When was lock 4 built?", "It was built in 1931.", False),
        ("How long is lock 4?", "Lock No. 4 is 12 m long.", False),
        ("How long is lock 4?", "The lock 12 m from here is long.", False),
        ("Which fee does a boat of 9 metres pay?", "Boats of 8 metres pay 12 euros.", False),
        ("Who is the keeper?", "Lock 5 has a keeper.", False),
        ("What did Ada write?", "Ada Blum wrote a letter.", False),
        ("When does the east gate close?", "The north gate closes at dusk.", True),
        ("What does the red lamp mean?", "A green lamp means go.", True),
        ("What rate does the base model use?", "The Orlo (big) model used a rate of 0.1.", True),
        ("What rate does the base model use?", "For the base model we used 0.1, for the big model 0.3.", False),
        ("What does the basic plan cost?", "The premium plan costs 9 crowns a month.", True),
        ("Who lives on the second floor?", "Ada lives on the third floor.", True),
        ("When does the east gate close?", "The north gate and the east gate close at dusk.", False),
        ("When does the east gate close?", "The gate in the east closes at dusk, the north gate at six.", False),
        ("What colour is the gate?", "The green gate is locked.", False),
    ],
)
def test_a_twin_is_known_by_what_stands_behind_its_noun(question: str, text: str, *, is_twin: bool) -> None:
    """Another number, letter or name behind the same noun is another thing."""
    assert names_twin(question, text) == is_twin


def test_what_is_said_of_a_twin_is_no_answer() -> None:
    """The sentence before names the thing asked about; the one that has the value is about its twin."""
    document = parsed("# Locks\n\nLock 4 was repaired in 2019. Lock 5 has a sill depth of 3.1 m.\n")
    draft = ExtractiveAnswerer().answer(brief_of("What is the sill depth of lock 4?", document), read(document))
    assert draft.items == ()

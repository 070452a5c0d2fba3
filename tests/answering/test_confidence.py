"""How sure pincite is of a sentence, from its meaning, what it lacks, and how close it comes to each word."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.confidence import Confidence
from pincite.answering.extractive import ExtractiveAnswerer
from pincite.answering.scoring import Scored
from pincite.answering.units import read_units
from pincite.errors import ProviderError


class Closeness:
    """Says the same of every text, or fails."""

    weight = 1.0

    def __init__(self, score: float | None) -> None:
        self.score = score

    def scores(self, _question: str, texts: list[str]) -> list[float]:
        """Return the score for each text."""
        if self.score is None:
            raise ProviderError("the model is gone")
        return [self.score] * len(texts)


def scored(*, meaning: float, coverage: float = 0.5, unmet: float = 0.0) -> Scored:
    unit = read_units(read(parsed("The lamp has six panes.\n")))[0]
    return Scored(unit, 0.5, coverage, coverage, meaning, True, 0.0, unmet)


def sure(close: float | None, **found: float) -> float:
    return Confidence("How many panes has the lamp?", Closeness(close)).of(scored(**found))  # type: ignore[arg-type]


def test_the_closer_and_the_nearer_the_surer() -> None:
    """Each of meaning, closeness and nothing missing makes an answer surer; all stay between 0 and 1."""
    base = sure(0.6, meaning=0.5)
    assert 0 < sure(0.6, meaning=0.5, unmet=2) < sure(0.6, meaning=0.5, unmet=1) < base
    assert base < sure(0.8, meaning=0.5) < 1
    assert base < sure(0.6, meaning=0.7) < 1


def test_what_holds_every_word_is_answered() -> None:
    """A sentence with all words of the question is an answer, however short and unlike the question it is."""
    assert sure(0.4, meaning=0.3, coverage=1.0) > 0.5 > sure(0.4, meaning=0.3, coverage=0.8)
    assert sure(0.4, meaning=0.3, coverage=1.0, unmet=1) < 0.5


@pytest.mark.parametrize("question", ["灯有几块玻璃？", "Πόσα τζάμια έχει ο φανός;"])
def test_other_scripts_are_judged_by_words(question: str) -> None:
    """Where the model knows no word pieces, its closeness is not asked for."""
    found = scored(meaning=0.6)
    assert Confidence(question, Closeness(0.0)).of(found) == Confidence(question, None).of(found)  # type: ignore[arg-type]


def test_a_model_that_fails_is_done_without() -> None:
    """When the closer look fails, words and meaning decide as without one."""
    assert sure(None, meaning=0.6) == Confidence("How many panes has the lamp?", None).of(scored(meaning=0.6))


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What is the fine for a first breach?", "500"),
        ("What is the fine for later breaches?", "1000"),
    ],
)
def test_an_amount_belongs_to_the_words_of_its_clause(question: str, number: str) -> None:
    """Of two amounts in one sentence the one is given whose clause the question repeats."""
    text = "Under rule 12 fines are up to $500 for a first breach, and up to $1,000 for each of the later breaches.\n"
    document = parsed(text)
    (item,) = ExtractiveAnswerer().answer(brief_of(question, document), read(document)).items
    assert getattr(item.value, "number", None) == number


def test_what_a_thing_is_is_told_by_what_defines_it() -> None:
    """A sentence that says what a thing is comes before those that only mention it, whatever precedes its name."""
    text = (
        "Update the berth plan every year.\n\nSend the berth plan to all pilots.\n\n"
        "A harbour berth plan describes where each ship lies and for how long.\n"
    )
    document = parsed(text)
    found = ExtractiveAnswerer().answer(brief_of("What is a berth plan?", document), read(document))
    assert [item.text for item in found.items] == [
        "A harbour berth plan describes where each ship lies and for how long."
    ]


def test_the_thing_asked_for_is_named_with_words_before_it() -> None:
    """A line that names the subject alone does not answer which kind of thing it needs."""
    document = parsed("# RULE 199\n\nRULE BOOK 199\n\nThe book sets three levels of impact for the harbour.\n")
    found = ExtractiveAnswerer().answer(
        brief_of("Which paint colour system does RULE 199 require?", document), read(document)
    )
    assert found.confidence < 0.5

"""What an answer is given for."""

from typing import Any

import pytest

from pincite.evaluation.places import Place
from pincite.evaluation.samples import Evidence, Sample
from pincite.evaluation.scorers import ShownItem, answer_scores, is_right
from pincite.evaluation.truth import Truth
from pincite.types.answer import Quantity
from pincite.types.answer import Truth as TruthValue

QUOTE = "The fee is 40 EUR a year."
GOLD = Place(doc="a.md", start=10, end=35)
KNOWN = Truth(unit="paragraph", gold={("a.md", 1): 1}, spans={"a.md": [(10, 35)]}, pieces=(GOLD,))


def sample(*answers: str, **known: Any) -> Sample:
    """Return a question about the fee."""
    evidence = (Evidence(doc="a.md", text=known.pop("text", QUOTE)),)
    return Sample(id="1", question="?", answers=answers, evidence=evidence, **known)


def item(text: str = QUOTE, *, start: int = 10, quote: str = QUOTE, value: Any = None) -> ShownItem:
    """Return an item with one quote."""
    return ShownItem(
        text=text, value=value, places=(Place(doc="a.md", start=start, end=start + len(quote), text=quote),)
    )


def test_a_right_answer_has_full_scores() -> None:
    """The quote holds the answer, stands where the evidence is, and nothing else is cited."""
    scores = answer_scores(sample("40 EUR", shape="amount"), KNOWN, [item("40 EUR")])

    assert scores == {
        "gold_in_quote": 1.0,
        "gold_line_cited": 1.0,
        "citation_recall": 1.0,
        "citation_precision": 1.0,
        "exact_match": 1.0,
        "token_f1": 1.0,
        "numeric_match": 1.0,
    }


def test_a_second_cite_elsewhere_costs_precision() -> None:
    """Half of the cites stand where the evidence is."""
    scores = answer_scores(sample("40 EUR"), KNOWN, [item(), item(start=200, quote="Dogs are allowed.")])

    assert (scores["citation_precision"], scores["citation_recall"]) == (0.5, 1.0)


def test_a_refusal_of_what_has_an_answer_scores_nothing() -> None:
    """It has no precision, as nothing was cited; all else is 0."""
    scores = answer_scores(sample("40 EUR", shape="amount"), KNOWN, [])

    assert "citation_precision" not in scores
    assert set(scores.values()) == {0.0}


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (item("It is old.", quote="It is old."), False),
        (item(), True),
        (item(start=500), True),
    ],
)
def test_an_answer_in_the_documents_words_is_right_where_a_quote_holds_it(shown: ShownItem, *, expected: bool) -> None:
    """It is right wherever the document says it, and wrong where the quote does not say it."""
    assert is_right(sample("40 EUR"), KNOWN, [shown]) is expected


def test_of_a_list_every_item_has_to_be_there() -> None:
    """Two of three items are no right list, though they are a right answer to another shape."""
    parts = ("red", "green", "blue")
    asked = sample(*parts, shape="list", text="red green blue")
    some = [item("red", quote="- red"), item("green", quote="- green")]

    assert not is_right(asked, KNOWN, some)
    assert is_right(asked, KNOWN, [*some, item("blue", quote="- blue")])


def test_a_number_that_is_not_in_the_document_has_to_be_said() -> None:
    """A cite of the right page is not enough where a number was asked for; one percent is allowed."""
    asked = Sample(id="1", question="?", kind="number", answers=("0.66",), evidence=(Evidence(doc="a.pdf", page=1),))
    known = Truth(unit="page", gold={("a.pdf", 1): 1}, pieces=(Place(doc="a.pdf", page=1),))
    cite = Place(doc="a.pdf", page=1, text="Total 12")
    said = ShownItem(text="The ratio", places=(cite,), value=Quantity(number="0.661"))

    assert is_right(asked, known, [said])
    assert not is_right(asked, known, [ShownItem(text="Total 12", places=(cite,))])


def test_a_yes_is_right_by_its_value() -> None:
    """The value decides, not the words around it."""
    asked = sample("yes")

    assert is_right(asked, KNOWN, [item(value=TruthValue(value=True))])
    assert not is_right(asked, KNOWN, [item(value=TruthValue(value=False))])


def test_an_answer_in_peoples_own_words_is_right_where_the_evidence_is_cited() -> None:
    """A paraphrase cannot stand in a quote: the cite decides."""
    asked = sample("Members have to pay something every year, which is forty euros for all of them.")

    assert is_right(asked, KNOWN, [item()])
    assert not is_right(asked, KNOWN, [item(start=200)])


def test_nothing_is_right_where_nothing_can_be() -> None:
    """A question without an answer has no right answer, whatever is shown."""
    assert not is_right(Sample(id="1", question="?", answerable=False), Truth(unit=None), [item()])

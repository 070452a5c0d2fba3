"""A second look at passages by their word pieces."""

import pytest

from pincite.models import RERANKERS
from pincite.models.late_interaction import LateInteraction
from pincite.protocols import Reranker
from pincite.registry import load


def test_the_passage_that_says_it_scores_higher() -> None:
    """What names the asked thing scores above what is only of the same subject."""
    reranker: Reranker = load("late-interaction", RERANKERS, group="pincite.rerankers")()
    said, near = reranker.scores(
        "Who repaired the lamp of the lighthouse?",
        ["The lamp of the lighthouse was repaired by Ines Moro.", "The lighthouse was painted white in spring."],
    )
    assert said > near


def test_a_score_does_not_depend_on_what_else_is_there() -> None:
    """The same passage gets the same score alone and in company."""
    question, text = "How deep is the lock?", "The lock is four metres deep."
    alone = LateInteraction().scores(question, [text])
    assert LateInteraction().scores(question, ["Something else.", text])[1] == pytest.approx(alone[0], abs=1e-6)


def test_a_question_without_content_decides_nothing() -> None:
    """Where only stop words are asked, every passage scores 0; no passages give no scores."""
    assert LateInteraction().scores("what is it?", ["a", "b"]) == [0.0, 0.0]
    assert LateInteraction().scores("lock", []) == []

"""One number over all questions, and its interval."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluation.measures import (
    LOWER_IS_BETTER,
    balanced_accuracy,
    calibration_error,
    interval,
    measure,
    risk_coverage_area,
)
from pincite.evaluation.records import CitedPlace, QuestionRecord


def record(number: int = 1, **known: Any) -> QuestionRecord:
    """Return the record of a question."""
    fields = {"id": str(number), "question": "?", "shape": "text", "kind": "", "answerable": True}
    return QuestionRecord(**{**fields, **known})


def test_balanced_accuracy_weighs_answering_and_refusing_alike() -> None:
    """Who always answers, and who never does, has one half, however many questions have an answer."""
    always = np.array([[1, 1], [1, 1], [1, 1], [0, 1]], dtype=float)
    right = np.array([[1, 1], [1, 1], [1, 1], [0, 0]], dtype=float)

    assert (balanced_accuracy(always), balanced_accuracy(right)) == (0.5, 1.0)


def test_calibration_error_is_the_gap_between_confidence_and_truth() -> None:
    """Sure and right is 0; sure and wrong is 1; 0.75 and right half of the time is a quarter."""
    sure_right, sure_wrong = np.array([[1.0, 1]]), np.array([[1.0, 0]])
    half = np.array([[0.75, 1], [0.75, 0]])

    assert [calibration_error(m) for m in (sure_right, sure_wrong, half)] == [0.0, 1.0, 0.25]


def test_risk_coverage_area_rewards_being_sure_of_what_is_right() -> None:
    """The same answers, right ones more confident, have the smaller area; the values follow the definition."""
    good = np.array([[0.9, 1], [0.1, 0]])
    bad = np.array([[0.9, 0], [0.1, 1]])

    assert (risk_coverage_area(good), risk_coverage_area(bad)) == (0.25, 0.75)


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.randoms())
def test_questions_of_one_confidence_have_no_order(rights: list[bool], chance: Any) -> None:
    """The area does not depend on the order of questions that are equally confident."""
    shuffled = list(rights)
    chance.shuffle(shuffled)
    areas = [risk_coverage_area(np.array([[0.5, float(r)] for r in order])) for order in (rights, shuffled)]

    assert areas[0] == pytest.approx(areas[1])


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_areas_and_errors_are_shares(rows: list[tuple[float, bool]]) -> None:
    """Both are between 0 and 1, whatever comes in."""
    matrix = np.array(rows, dtype=float)

    assert 0 <= risk_coverage_area(matrix) <= 1 + 1e-9
    assert 0 <= calibration_error(matrix) <= 1 + 1e-9


def test_the_interval_holds_the_value_and_is_the_same_every_time() -> None:
    """A second run on the same records prints the same interval."""
    records = [record(n, scores={"x": float(n % 3 == 0)}) for n in range(60)]
    first, second = measure(records)["x"], measure(records)["x"]

    assert first == second
    assert first.low < first.value < first.high
    assert (first.value, first.n) == (0.3333, 60)


def test_more_questions_narrow_the_interval() -> None:
    """Ten times as many questions with the same share say more."""

    def mean(matrix: Any) -> Any:
        return matrix[..., 0].mean(axis=-1)

    def width(n: int) -> float:
        low, high = interval(np.array([[i % 2] for i in range(n)], dtype=float), mean)
        return high - low

    assert width(200) < width(20)


def test_a_question_is_handled_well_when_answered_rightly_or_rightly_refused() -> None:
    """Accuracy counts right answers and right refusals; false answers and false refusals are told apart."""
    records = [
        record(1, result="answer", is_right=True),
        record(2, result="answer", is_right=False),
        record(3, result="not_found", is_right=True),
        record(4, answerable=False, result="not_found", is_right=False),
        record(5, answerable=False, result="answer", is_right=False),
    ]
    measured = {name: found.value for name, found in measure(records).items()}

    assert measured["accuracy"] == 0.4
    assert measured["false_answers"] == 0.5
    assert measured["false_refusals"] == 0.3333


def test_an_error_is_no_refusal() -> None:
    """A question that could not be asked is never counted as rightly refused."""
    measured = measure([record(1, answerable=False, result="error", error="unknown_document: gone")])

    assert measured["accuracy"].value == 0.0


def test_quotes_are_counted_over_all_answers() -> None:
    """One false quote among four is a quarter, wherever it stands."""

    def cites(*found: bool) -> tuple[CitedPlace, ...]:
        return tuple(
            CitedPlace(doc="a", page=1, first_line=1, last_line=1, quote="q", is_in_document=one) for one in found
        )

    records = [record(1, citations=cites(True)), record(2, citations=cites(True, False, True)), record(3)]

    assert measure(records)["verified_quotes"].value == 0.75


def test_what_has_no_truth_is_not_measured() -> None:
    """A suite without questions to refuse has no balanced accuracy, in place of a made-up one."""
    names = set(measure([record(1, result="answer", is_right=True, confidence=0.9, ask_s=0.1)]))

    assert not names & {"balanced_accuracy", "false_answers", "page_hit@1"}
    assert {"false_answers", "ask_p95_s"} < LOWER_IS_BETTER

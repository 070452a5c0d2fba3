"""Measures over all questions, each with its bootstrap interval."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from pincite.evaluation.records import Measured, QuestionRecord

Matrix: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
#: What a question adds to a measure: a row of numbers, or nothing.
Row = Callable[[QuestionRecord], tuple[float, ...] | None]
#: How the rows of all questions `[…, question, column]` become one number `[…]`; NaN where they cannot.
Combine = Callable[[Matrix], Any]

#: Resamples of an interval, and the seed that makes it the same on every run.
N_RESAMPLES: Final = 1000
SEED: Final = 20_260
#: Bins of the calibration error, all of the same width (Guo et al. 2017 use 15; suites of 30 questions want fewer).
CALIBRATION_BINS: Final = 10

#: Measures that are better when they are lower.
LOWER_IS_BETTER: Final = frozenset(
    {
        "false_answers", "false_refusals", "calibration_error", "risk_coverage_area", "search_p50_s", "search_p95_s",
        "ask_p50_s", "ask_p95_s", "cost_usd",
    }
)  # fmt: skip


def measure(records: Sequence[QuestionRecord]) -> dict[str, Measured]:
    """Return every measure that the questions have the truth for, by name, in the order of the report."""
    measured: dict[str, Measured] = {}
    for name in dict.fromkeys(name for record in records for name in record.scores):
        _put(measured, name, [(r.scores[name],) for r in records if name in r.scores], _mean)
    for name, (row, combine) in _COMBINED.items():
        _put(measured, name, [values for r in records if (values := row(r)) is not None], combine)
    return measured


def _put(measured: dict[str, Measured], name: str, rows: Sequence[tuple[float, ...]], combine: Combine) -> None:
    if not rows:
        return
    matrix = np.asarray(rows, dtype=np.float64)
    value = combine(matrix)
    if not np.isnan(value):
        low, high = interval(matrix, combine)
        measured[name] = Measured(value=_rounded(value), low=_rounded(low), high=_rounded(high), n=len(rows))


def _rounded(value: float) -> float:
    return round(float(value), 4)


def interval(matrix: Matrix, combine: Combine) -> tuple[float, float]:
    """Return the 2.5th and 97.5th percentile of a measure over resamples of the questions (Efron 1979)."""
    chance = np.random.default_rng(SEED)
    drawn = chance.integers(0, len(matrix), size=(N_RESAMPLES, len(matrix)))
    values = combine(matrix[drawn])
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return float(low), float(high)


# ── one number from the rows of all questions ────────────────────────────────────────────────────────────────────


def _mean(matrix: Matrix) -> Any:
    return matrix[..., 0].mean(axis=-1)


def _ratio(matrix: Matrix) -> Any:
    """Return the sum of the first column as a share of the sum of the second."""
    return _share(matrix[..., 0].sum(axis=-1), matrix[..., 1].sum(axis=-1))


def _share(part: Any, whole: Any) -> Any:
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)


def balanced_accuracy(matrix: Matrix) -> Any:
    """Return the mean of the shares answered and refused rightly; columns: answerable, answered."""
    answerable, answered = matrix[..., 0], matrix[..., 1]
    hits = _share((answerable * answered).sum(axis=-1), answerable.sum(axis=-1))
    refusals = _share(((1 - answerable) * (1 - answered)).sum(axis=-1), (1 - answerable).sum(axis=-1))
    return (hits + refusals) / 2


def calibration_error(matrix: Matrix) -> Any:
    """Return the expected calibration error: how far confidence is from the share that is right, in bins.

    Columns: confidence, right.
    """
    confidence, right = matrix[..., 0], matrix[..., 1]
    bins = np.minimum((confidence * CALIBRATION_BINS).astype(int), CALIBRATION_BINS - 1)
    gaps = [np.abs(((confidence - right) * (bins == number)).sum(axis=-1)) for number in range(CALIBRATION_BINS)]
    return np.sum(gaps, axis=0) / matrix.shape[-2]


def risk_coverage_area(matrix: Matrix) -> Any:
    """Return the area under the risk–coverage curve (Geifman & El-Yaniv 2017): 0 is best, 1 is worst.

    Questions are answered from the most confident on; the risk is the share of wrong ones among those, averaged over
    every coverage. Those of one confidence come together, each with their common risk. Columns: confidence, right.
    """
    if matrix.ndim > 2:
        return np.array([risk_coverage_area(one) for one in matrix])
    order = np.argsort(-matrix[:, 0], kind="stable")
    confidence, wrong = matrix[order, 0], 1 - matrix[order, 1]
    # The wrong ones of each group of equals are spread evenly over its places.
    ends = np.append(np.flatnonzero(confidence[1:] != confidence[:-1]) + 1, len(wrong))
    n_wrong = np.interp(np.arange(1, len(wrong) + 1), [0, *ends], [0, *np.cumsum(wrong)[ends - 1]])
    return (n_wrong / np.arange(1, len(wrong) + 1)).mean()


def _percentile(percent: float) -> Combine:
    return lambda matrix: np.percentile(matrix[..., 0], percent, axis=-1)


# ── what each question adds ──────────────────────────────────────────────────────────────────────────────────────


def _is_asked(record: QuestionRecord) -> bool:
    return record.result is not None


def _answered(record: QuestionRecord) -> float:
    return float(record.result == "answer")


def _accuracy(record: QuestionRecord) -> tuple[float, ...] | None:
    if not _is_asked(record):
        return None
    if not record.answerable:
        return (float(record.result not in ("answer", "error")),)
    return (float(record.result == "answer" and bool(record.is_right)),)


def _false_answers(record: QuestionRecord) -> tuple[float, ...] | None:
    return (_answered(record),) if _is_asked(record) and not record.answerable else None


def _false_refusals(record: QuestionRecord) -> tuple[float, ...] | None:
    return (1 - _answered(record),) if _is_asked(record) and record.answerable else None


def _both(record: QuestionRecord) -> tuple[float, ...] | None:
    return (float(record.answerable), _answered(record)) if _is_asked(record) else None


def _confident(record: QuestionRecord) -> tuple[float, ...] | None:
    if record.confidence is None or record.is_right is None:
        return None
    return (record.confidence, float(record.is_right))


def _quotes(record: QuestionRecord) -> tuple[float, ...] | None:
    if not record.citations:
        return None
    return (float(sum(c.is_in_document for c in record.citations)), float(len(record.citations)))


def _seconds(name: str) -> Row:
    def row(record: QuestionRecord) -> tuple[float, ...] | None:
        value = getattr(record, name)
        return None if value is None else (float(value),)

    return row


def _cost(record: QuestionRecord) -> tuple[float, ...] | None:
    return (record.cost_usd,) if _is_asked(record) else None


_COMBINED: Final[Mapping[str, tuple[Row, Combine]]] = {
    "accuracy": (_accuracy, _mean),
    "balanced_accuracy": (_both, balanced_accuracy),
    "false_answers": (_false_answers, _mean),
    "false_refusals": (_false_refusals, _mean),
    "calibration_error": (_confident, calibration_error),
    "risk_coverage_area": (_confident, risk_coverage_area),
    "verified_quotes": (_quotes, _ratio),
    "search_p50_s": (_seconds("search_s"), _percentile(50)),
    "search_p95_s": (_seconds("search_s"), _percentile(95)),
    "ask_p50_s": (_seconds("ask_s"), _percentile(50)),
    "ask_p95_s": (_seconds("ask_s"), _percentile(95)),
    "cost_usd": (_cost, _mean),
}

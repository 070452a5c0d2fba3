"""Measures over all questions, each with its bootstrap interval."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from pincite.evaluation.records import Measured, QuestionRecord

Matrix: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
#: What a question adds to a measure: a row of numbers, or nothing.
Row = Callable[[QuestionRecord], tuple[float, ...] | None]
#: How the rows of all questions become one number; NaN where they cannot.
Combine = Callable[[Matrix], float]

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
    if combine is _mean:
        values = matrix[:, 0][drawn].mean(axis=1)
    else:
        values = np.array([combine(matrix[index]) for index in drawn])
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return float(low), float(high)


# ── one number from the rows of all questions ────────────────────────────────────────────────────────────────────


def _mean(matrix: Matrix) -> float:
    return float(matrix[:, 0].mean())


def _ratio(matrix: Matrix) -> float:
    """Return the sum of the first column as a share of the sum of the second."""
    total = matrix[:, 1].sum()
    return float(matrix[:, 0].sum() / total) if total else float("nan")


def balanced_accuracy(matrix: Matrix) -> float:
    """Return the mean of the shares answered and refused rightly; columns: answerable, answered."""
    answerable, answered = matrix[:, 0] > 0, matrix[:, 1]
    if answerable.all() or not answerable.any():
        return float("nan")
    return float((answered[answerable].mean() + 1 - answered[~answerable].mean()) / 2)


def calibration_error(matrix: Matrix) -> float:
    """Return the expected calibration error: how far confidence is from the share that is right, in bins.

    Columns: confidence, right.
    """
    confidence, right = matrix[:, 0], matrix[:, 1]
    bins = np.minimum((confidence * CALIBRATION_BINS).astype(int), CALIBRATION_BINS - 1)
    counts = np.bincount(bins, minlength=CALIBRATION_BINS)
    gaps = np.bincount(bins, weights=confidence - right, minlength=CALIBRATION_BINS)
    return float(np.abs(gaps).sum() / counts.sum())


def risk_coverage_area(matrix: Matrix) -> float:
    """Return the area under the risk–coverage curve (Geifman & El-Yaniv 2017): 0 is best, 1 is worst.

    Questions are answered from the most confident on; the risk is the share of wrong ones among those, averaged over
    every coverage. Those of one confidence come together, each with their common risk. Columns: confidence, right.
    """
    order = np.argsort(-matrix[:, 0], kind="stable")
    confidence, wrong = matrix[order, 0], 1 - matrix[order, 1]
    is_last = np.append(confidence[1:] != confidence[:-1], True)
    ends = np.flatnonzero(is_last) + 1
    n_wrong = np.cumsum(wrong)[ends - 1]
    group = np.searchsorted(ends, np.arange(len(wrong)), side="right")
    starts = np.concatenate([[0], ends[:-1]])
    before = np.concatenate([[0.0], n_wrong[:-1]])
    share = (np.arange(len(wrong)) + 1 - starts[group]) / (ends - starts)[group]
    risk = (before[group] + share * (n_wrong - before)[group]) / (np.arange(len(wrong)) + 1)
    return float(risk.mean())


def _percentile(percent: float) -> Combine:
    return lambda matrix: float(np.percentile(matrix[:, 0], percent))


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

"""Evals: questions with the passage that has to come first, or a refusal; and the threshold that they speak for."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from pincite.errors import PassagesError
from pincite.widget.records import Eval, EvalReport, EvalResult, Index, Margin, Outcome
from pincite.widget.scoring import Searcher
from pincite.widget.structured import read_text, structured

_FIELDS: Final = frozenset({"question", "passage", "refuse"})
_TRUE: Final = ("true", True)


def read_evals(path: str | Path, passage_ids: Iterable[str]) -> tuple[Eval, ...]:
    """Return the evals of a YAML or JSON file.

    Raises:
        PassagesError: it cannot be read, an eval is not as it has to be, or it expects a passage that is not there.

    """
    file = Path(path).expanduser()
    loaded = structured(read_text(file), file.name, is_json=file.suffix.lower() == ".json")
    listed = loaded.data.get("evals") if isinstance(loaded.data, dict) else loaded.data
    if not isinstance(listed, list) or not listed:
        raise PassagesError(f"{file.name}: it has to hold a list of evals: `question`, and `passage` or `refuse: true`")
    known = frozenset(passage_ids)
    return tuple(
        _eval(given, loaded.place(given, f"eval {number}"), known) for number, given in enumerate(listed, start=1)
    )


def _eval(given: Any, place: str, known: frozenset[str]) -> Eval:
    if not isinstance(given, dict) or not _FIELDS.issuperset(given) or not isinstance(given.get("question"), str):
        raise PassagesError(
            f"{place}: an eval has `question`, and `passage` (an id, or a list of ids) or `refuse: true`"
        )
    expected = given.get("passage", [])
    passages = tuple([expected] if isinstance(expected, str) else expected)
    if bool(passages) == (given.get("refuse") in _TRUE):
        raise PassagesError(f"{place}: {given['question']!r} needs either `passage` or `refuse: true`")
    unknown = [each for each in passages if each not in known]
    if unknown:
        raise PassagesError(f"{place}: there is no reviewed passage {unknown[0]!r}")
    return Eval(question=given["question"], passages=passages, place=place)


def run_evals(index: Index, evals: Sequence[Eval]) -> EvalReport:
    """Ask every question of the evals, and say what went wrong and how close it was."""
    searcher = Searcher(index)
    results = tuple(_result(each, searcher.ask(each.question)) for each in evals)
    return EvalReport(results=results, margin=_margin(results, index.scoring.threshold))


def _result(wanted: Eval, outcome: Outcome) -> EvalResult:
    right_score = max((s.score for s in outcome.ranked if s.id in wanted.passages), default=0.0)
    return EvalResult(eval=wanted, outcome=outcome, reason=_reason(wanted, outcome), right_score=right_score)


def _reason(wanted: Eval, outcome: Outcome) -> str:
    if wanted.must_refuse:
        return "" if outcome.is_refusal else f"it has to be refused, and {outcome.shown[0].id} was shown"
    names = " or ".join(wanted.passages)
    if outcome.is_refusal:
        return f"{names} has to be shown, and it was refused"
    return "" if outcome.shown[0].id in wanted.passages else f"{names} has to come first, and {outcome.shown[0].id} did"


def _margin(results: Sequence[EvalResult], threshold: float) -> Margin:
    """Return the margin. Only answers that rank first count: a threshold does not mend an order."""
    right = [r for r in results if r.outcome.ranked and r.outcome.ranked[0].id in r.eval.passages]
    refused = [r for r in results if r.eval.must_refuse]
    weakest = min(right, key=lambda r: r.right_score, default=None)
    strongest = max(refused, key=lambda r: r.outcome.best_score, default=None)
    proposed = None
    if weakest is not None and strongest is not None and weakest.right_score > strongest.outcome.best_score:
        proposed = _between(strongest.outcome.best_score, weakest.right_score)
    return Margin(threshold=threshold, weakest=weakest, strongest=strongest, proposed=proposed)


def _between(low: float, high: float) -> float:
    """Return the middle with as few decimals as leave it above `low` and not above `high`."""
    middle = (low + high) / 2
    for factor in (10, 100):
        near = math.floor(middle * factor + 0.5) / factor
        if low < near <= high:
            return near
    return round(middle, 4)

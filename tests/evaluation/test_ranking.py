"""Measures of ranked lists, against values that ir_measures 0.4.3 (trec_eval) gave for the same lists."""

import json
from pathlib import Path
from typing import Any

import pytest

from pincite.evaluation.ranking import hit_at, ndcg_at, recall_at, reciprocal_rank

LISTS: dict[str, Any] = json.loads(Path(__file__).with_name("ir_measures.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", LISTS)
def test_measures_are_those_of_trec_eval(name: str) -> None:
    """Figures can be compared with published ones: the formulas agree with trec_eval's, graded judgements too."""
    ranked, gold, expected = (LISTS[name][key] for key in ("ranked", "gold", "expected"))
    measured = {
        "Success@1": hit_at(ranked, gold, 1),
        "Success@5": hit_at(ranked, gold, 5),
        "RR": reciprocal_rank(ranked, gold),
        "nDCG@10": ndcg_at(ranked, gold, 10),
        "R@10": recall_at(ranked, gold, 10),
    }

    assert {measure: round(value, 6) for measure, value in measured.items()} == expected


def test_nothing_ranked_scores_nothing() -> None:
    """A search that finds nothing is no error: every measure is 0."""
    gold = {"a": 1}

    assert (hit_at([], gold, 5), reciprocal_rank([], gold), ndcg_at([], gold, 10), recall_at([], gold, 10)) == (0,) * 4

"""The summary of a run as rows of tables."""

from collections.abc import Sequence

from pincite.evaluation.measures import LOWER_IS_BETTER
from pincite.evaluation.records import Measured, Summary

#: What is shown of each shape: the first that are measured, of each group one.
_HEADLINES = (
    ("page_hit@1", "paragraph_hit@1", "section_hit@1", "document_hit@1", "hit@1"),
    ("page_hit@5", "paragraph_hit@5", "section_hit@5", "document_hit@5", "hit@5"),
    ("gold_in_quote", "gold_line_cited", "span_recall", "gold_coverage"),
    ("accuracy",),
    ("false_answers",),
    ("false_refusals",),
)
_SHORT = {"gold_in_quote": "in quote", "gold_line_cited": "line cited", "false_answers": "false ans.",
          "false_refusals": "false ref.", "gold_coverage": "coverage", "span_recall": "recall"}  # fmt: skip


def measure_rows(summary: Summary) -> list[tuple[str, str, str, str, str]]:
    """Return measure, value, interval, number of questions, and "less is better" where it is, for each measure."""
    return [
        (name, _shown(m), f"{m.low:.3f} – {m.high:.3f}", str(m.n), "less is better" if name in LOWER_IS_BETTER else "")
        for name, m in summary.measures.items()
    ]


def shape_header(summary: Summary) -> tuple[str, ...]:
    """Return the header of the table of shapes."""
    return ("SHAPE", "N", *(_short(name).upper() for name in _headlines(summary)))


def shape_rows(summary: Summary) -> list[tuple[str, ...]]:
    """Return a row for each shape of question: its name, how many there are, and the measures of the header."""
    names = _headlines(summary)
    return [
        (shape, str(group.n), *(_shown(group.measures.get(name)) for name in names))
        for shape, group in summary.by_shape.items()
    ]


def _headlines(summary: Summary) -> Sequence[str]:
    return [
        next(name for name in group if name in summary.measures)
        for group in _HEADLINES
        if any(name in summary.measures for name in group)
    ]


def _short(name: str) -> str:
    return _SHORT.get(name) or name.partition("_")[2] or name


def _shown(measured: Measured | None) -> str:
    return "–" if measured is None else f"{measured.value:.3f}"

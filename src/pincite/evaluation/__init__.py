"""Evaluation: suites of questions with known answers, run through the real pipeline and measured."""

from pincite.evaluation.gate import Failing, failing, load_gates
from pincite.evaluation.records import Measured, QuestionRecord, Summary
from pincite.evaluation.report import measure_rows, shape_header, shape_rows
from pincite.evaluation.runner import Options, RunWatcher, evaluate
from pincite.evaluation.suites import Suite, load_suite

__all__ = [
    "Failing",
    "Measured",
    "Options",
    "QuestionRecord",
    "RunWatcher",
    "Suite",
    "Summary",
    "evaluate",
    "failing",
    "load_gates",
    "load_suite",
    "measure_rows",
    "shape_header",
    "shape_rows",
]

"""Questions of the cases that pincite does not answer yet, each with its reason."""

from collections.abc import Sequence
from typing import Final

import pytest
from tests.cases_e2e.expectations import Expected

#: Name of the question → why it fails.
OPEN: Final[dict[str, str]] = {
    "PDF17 Who manages the oil tanks?": "asked in English of a Chinese notice: needs an embedder that knows both",
    # With a model they are answered: tests/ask/test_cases_with_models.py.
    "QST05 What is the fine for anchoring in the outer harbour at night?": "asked in English of a German text",
    "QST05 草鱼什么时候可以钓？": "asked in Chinese of an English text",
}


def parameters(questions: Sequence[Expected]) -> list[object]:
    """Return the questions as parameters of a test, those of `OPEN` marked as expected to fail."""
    return [
        pytest.param(
            q, id=q.name, marks=[pytest.mark.xfail(reason=OPEN[q.name], strict=True)] if q.name in OPEN else []
        )
        for q in questions
    ]

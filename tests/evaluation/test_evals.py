"""The small suite of the project itself."""

from collections import Counter
from pathlib import Path
from typing import get_args

from pincite.evaluation import load_gates, load_suite
from pincite.evaluation.places import DocumentText
from pincite.evaluation.truth import truth_of
from pincite.types.question import Shape

EVALS = Path(__file__).resolve().parents[2] / "evals"


def test_every_shape_is_asked_and_a_third_has_to_be_refused() -> None:
    """The gate in `make check` sees each shape of question, and refusals among all kinds."""
    samples = load_suite(EVALS).samples
    refused = [s for s in samples if not s.answerable]

    assert {s.shape for s in samples if s.answerable} == set(get_args(Shape))
    assert 3 * len(refused) >= len(samples) >= 30
    assert set(Counter(s.kind for s in refused)) == {
        "near miss",
        "another name",
        "another code",
        "another number",
        "another topic",
    }


def test_every_evidence_stands_in_its_document() -> None:
    """A truth of the suite that its text documents do not hold would measure nothing."""
    suite = load_suite(EVALS)

    def text_of(name: str) -> DocumentText:
        return DocumentText((suite.docs_folder / name).read_text(encoding="utf-8"))

    samples = [s for s in suite.samples if s.answerable and not s.docs[0].endswith(".pdf")]
    lost = [s.id for s in samples for piece in truth_of(s, text_of).pieces if piece.start is None]

    assert lost == []


def test_false_answers_are_gated() -> None:
    """When a question that must be refused is answered, `make check` fails."""
    assert load_gates(EVALS / "gates.toml")["false_answers"] == 0.0

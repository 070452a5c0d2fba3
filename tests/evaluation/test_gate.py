"""Gates that say when it got worse."""

from pathlib import Path
from typing import Any

import pytest

from pincite.errors import SettingsError
from pincite.evaluation.gate import failing, load_gates
from pincite.evaluation.records import Measured, Summary


def summary(*defects: str, **measures: float) -> Summary:
    """Return a summary with these measures."""
    about: dict[str, Any] = {
        "suite": "s", "n": 1, "by_shape": {}, "defects": defects, "errors": (), "failed_documents": (), "version": "1",
        "settings": {}, "options": {}, "machine": {}, "started_at": "", "seconds": 0.0, "results": "",
    }  # fmt: skip
    return Summary(measures={n: Measured(value=v, low=v, high=v, n=1) for n, v in measures.items()}, **about)


def test_a_measure_at_its_gate_holds() -> None:
    """Equal is good enough, in both directions."""
    assert failing(summary(accuracy=0.8, false_answers=0.1), {"accuracy": 0.8, "false_answers": 0.1}) == ()


@pytest.mark.parametrize(
    ("name", "value", "gate", "said"),
    [
        ("accuracy", 0.79, 0.8, "accuracy is 0.7900, below its gate 0.8000"),
        ("false_answers", 0.2, 0.1, "false_answers is 0.2000, above its gate 0.1000"),
    ],
)
def test_a_worse_measure_is_named_with_value_and_gate(name: str, value: float, gate: float, said: str) -> None:
    """One reads which measure failed, what it is and what it may be; of some measures less is better."""
    (failed,) = failing(summary(**{name: value}), {name: gate})

    assert (failed.measure, failed.value, failed.gate, failed.reason) == (name, value, gate, said)


def test_a_measure_that_was_not_measured_fails() -> None:
    """A gate never holds because the questions behind it are gone, or its name is misspelt."""
    (failed,) = failing(summary(accuracy=1.0), {"page_hit@1": 0.5})

    assert (failed.value, failed.reason) == (None, "page_hit@1 was not measured; measured were accuracy")


def test_a_false_quote_fails_without_a_gate() -> None:
    """A quote that is not in its document is a fault of pincite: no file has to ask for it."""
    (failed,) = failing(summary("q1: “x” is not in a.md", verified_quotes=0.9), {})

    assert (failed.measure, failed.value, failed.gate) == ("verified_quotes", 0.9, 1.0)


def test_gates_are_read_from_toml(tmp_path: Path) -> None:
    """Names with `@` are quoted, as TOML wants them."""
    file = tmp_path / "gates.toml"
    file.write_text('[gates]\n"page_hit@1" = 0.9\nfalse_answers = 0\n')

    assert load_gates(file) == {"page_hit@1": 0.9, "false_answers": 0.0}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has to hold one table"),
        ("[gates]\n", "has to hold one table"),
        ("[gates]\nx = 1\n[other]\n", "has to hold one table"),
        ('[gates]\nx = "high"\n', "the gate of x is 'high'; use a number"),
        ("[gates]\nx = true\n", "the gate of x is True; use a number"),
        ("[gates]\nx = nan\n", "the gate of x is nan; use a number"),
        ("[gates\n", "not a TOML file"),
    ],
)
def test_a_file_that_gates_nothing_is_an_error(tmp_path: Path, content: str, said: str) -> None:
    """A gate file with a fault never passes in silence."""
    file = tmp_path / "gates.toml"
    file.write_text(content)

    with pytest.raises(SettingsError) as caught:
        load_gates(file)
    assert said in str(caught.value)

"""`make demo`: what a newcomer sees first."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

RUN = Path(__file__).parents[1] / "demo" / "run.py"


def demo() -> ModuleType:
    """Return the demo as a module."""
    spec = importlib.util.spec_from_file_location("demo_run", RUN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_demo_answers_refuses_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two answers with cites, one refusal, three drawings whose paths are printed relative to where one is."""
    module = demo()
    monkeypatch.setattr(module, "OUT", tmp_path / "out")
    monkeypatch.chdir(tmp_path)

    module.main()

    out = capsys.readouterr().out
    shown = [line.strip() for line in out.splitlines()[-3:]]
    assert [word in out for word in ("1. Govern", "6. Recover", "A Community Profile is a baseline", "No answer")] == [
        True
    ] * 4
    assert shown == ["out/functions.pdf", "out/functions.html", "out/profile.png"]
    assert [(tmp_path / path).is_file() for path in shown] == [True] * 3

"""`pincite chat` and `--model` on the command line."""

import io
import json
from pathlib import Path

import pytest
from tests.interfaces.conftest import Run


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_follow_ups_are_shown(filled: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A follow-up is answered as a full question, and both are shown."""
    typed(monkeypatch, "What is the price for small?", "", "And for large?", "exit", "What is the fee?")
    ran = filled("chat")
    assert ran.code == 0
    assert "“And for large?” was asked as “What is the price for large?”" in " ".join(ran.err.split())
    assert ran.out.index("What is the price for small?") < ran.out.index("What is the price for large?")
    assert "What is the fee?" not in ran.out


def test_json_lines(filled: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --json each question gets one line of JSON; a question that fails does not end the conversation."""
    typed(monkeypatch, "x" * 5000, "What is the annual fee?")
    ran = filled("chat", "--json")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["result"] for line in lines] == ["error", "answer"]
    assert lines[1]["message"] == "What is the annual fee?"


def test_files_can_be_talked_about(run: Run, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files named on the spot are enough."""
    typed(monkeypatch, "What is the annual fee?")
    assert "handbook.md l.5" in run("chat", docs / "handbook.md").out


def test_a_model_without_key_is_an_error(filled: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that cannot be reached ends in an error that says what to do, never in a refusal."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    ran = filled("ask", "What is the annual fee?", "--model", "openai:gpt-5", "--json")
    assert (ran.code, ran.json["result"], ran.json["code"]) == (1, "error", "provider_authentication")
    assert "OPENAI_API_KEY" in ran.json["message"]
    ran = filled("ask", "What is the annual fee?", "--model", "gpt-5")
    assert ran.code == 1
    assert "names no model" in ran.err

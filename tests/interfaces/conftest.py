"""The command line in this process, with a library, a cache and documents of its own."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pincite.interfaces.cli import main

HANDBOOK = """# Handbook

## Fees

The annual fee is 40 EUR.

## Notice

The notice period is three months.

## Colours

The flag has the following colours:

- red
- green
- blue

| Size | Price |
| --- | --- |
| small | 3 EUR |
| large | 5 EUR |
"""
POLICY = "# Policy\n\nEvery visitor signs the book at the gate before entering the plant.\n"


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on standard output."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a folder with two Markdown files."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    (folder / "policy.md").write_text(POLICY, encoding="utf-8")
    return folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command line; words are searched, not meaning."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    monkeypatch.setenv("PINCITE_JOBS", "1")

    def run_here(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code=code, out=captured.out, err=captured.err)

    return run_here


@pytest.fixture
def filled(run: Run, docs: Path) -> Run:
    """Return the command line with both files in the library."""
    assert run("add", docs).code == 0
    return run

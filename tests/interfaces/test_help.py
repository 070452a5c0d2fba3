"""What `--help` teaches, and what it costs."""

import subprocess
import sys
from typing import Any

import pytest
import typer
from tests.interfaces.conftest import Run

from pincite.interfaces.cli.app import app

TOP: dict[str, Any] = dict(sorted(vars(typer.main.get_command(app))["commands"].items()))
GROUPED = {f"{name} {part}": found for name in TOP for part, found in getattr(TOP[name], "commands", {}).items()}
COMMANDS: dict[str, Any] = TOP | dict(sorted(GROUPED.items()))
NAMES = [
    *"add ask audit chat doctor embed eval export feedback gc ls migrate profile replay rm search serve show".split(),
    *"sync tables toc token trace verify widget".split(),
    "feedback export",
    *(f"token {part}" for part in ("ls", "new", "revoke")),
    *(f"widget {part}" for part in ("build", "eval", "init", "lint")),
]
HEAVY = (
    "numpy",
    "onnxruntime",
    "pypdfium2",
    "pikepdf",
    "tokenizers",
    "sqlite3",
    "PIL",
    "pincite.library",
    "rich",
    "fastapi",
    "uvicorn",
    "starlette",
)


def test_every_command_is_there() -> None:
    """The commands of the contract are the commands there are."""
    assert list(COMMANDS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_command_and_option_is_explained(name: str) -> None:
    """Each command says what it does, prints and looks like in use; each argument and option has a line of help."""
    command = COMMANDS[name]
    silent = [p.name for p in command.params if p.name != "help" and not getattr(p, "help", None)]

    assert (silent, bool(command.help), "Example" in command.epilog, "Prints" in command.epilog) == (
        [],
        True,
        True,
        True,
    )


@pytest.mark.parametrize("name", NAMES)
def test_examples_name_the_command_they_explain(name: str) -> None:
    """The examples of a command can be typed: they begin with `pincite` and use the command itself."""
    examples = [line.strip() for line in COMMANDS[name].epilog.splitlines() if line.strip().startswith("pincite ")]

    assert any(
        example.removeprefix("pincite ").startswith(f"{name} ") or example == f"pincite {name}" for example in examples
    )


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], [], *([*name.split(), "--help"] for name in NAMES)])
def test_help_fits_a_terminal(run: Run, arguments: list[str]) -> None:
    """Help is printed on standard output, in lines of at most 80 columns, and is no error."""
    ran = run(*arguments)

    assert (ran.code, ran.err) == (0, "")
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []


def test_help_loads_nothing_heavy() -> None:
    """`pincite --help` comes at once: no model, PDF, database or drawing library is imported for it."""
    code = (
        "import sys; from pincite.interfaces.cli import main; main(['--help']); "
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stderr.strip() == "[]"


def test_version(run: Run) -> None:
    """`--version` prints the name and the version."""
    name, number = run("--version").out.split()

    assert (name, number[0].isdigit()) == ("pincite", True)

"""`main`: arguments in, exit code out; every error becomes one line, and with `--json` one object."""

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import typer

from pincite.errors import PinciteError
from pincite.interfaces.cli.app import app
from pincite.interfaces.cli.output import print_error, print_json_error

#: Exit codes: an error, wrong usage, and what shells give a program that Ctrl-C ended.
ERROR, WRONG_USAGE, INTERRUPTED = 1, 2, 130
# Typer keeps the class of wrong arguments to itself; it is what its public `BadParameter` is made of.
_WrongUsage: Final[type[Exception]] = typer.BadParameter.__bases__[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with `arguments` (those of the process by default) and return its exit code.

    0 answered or refused, 1 an error, 2 wrong usage, 3 a refusal where `--exit-code` asked for it, 130 Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _never_fail_on_characters()
    as_json = "--json" in given[: given.index("--")] if "--" in given else "--json" in given
    try:
        code = _run(given)
    except SystemExit as stop:  # a closed pipe: nobody is reading any more
        code = stop.code if isinstance(stop.code, int) else ERROR
    except _WrongUsage as problem:
        code = _report(_usage_message(problem), "wrong_usage", as_json=as_json, exit_code=WRONG_USAGE)
    except PinciteError as problem:
        code = _report(str(problem), problem.code, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        code = ERROR
    except OSError as problem:
        code = _report(_os_message(problem), "system_error", as_json=as_json)
    except Exception as problem:
        if "--traceback" in given:
            raise
        what = f"{type(problem).__name__}: {problem}; this is a fault in pincite: `pincite --traceback …` shows where"
        code = _report(what, "internal_error", as_json=as_json)
    _close_output()
    return code


def _run(arguments: Sequence[str]) -> int:
    command = typer.main.get_command(app)
    code = command.main(arguments, prog_name="pincite", standalone_mode=False)
    return code if isinstance(code, int) else 0


def _report(message: str, code: str, *, as_json: bool, exit_code: int = ERROR) -> int:
    if as_json:
        print_json_error(code, message)
    print_error(message)
    return exit_code


def _usage_message(problem: Any) -> str:
    context = problem.ctx
    command = context.command_path if context is not None else "pincite"
    said = problem.format_message().rstrip(".").removeprefix("Invalid value: ").replace("Value error, ", "")
    return f"{said[:1].lower()}{said[1:]}; `{command} --help` shows how"


def _os_message(problem: OSError) -> str:
    where = f"{os.fsdecode(problem.filename)}: " if problem.filename else ""
    return f"{where}{problem.strerror or problem}"


def _never_fail_on_characters() -> None:
    """Write out what the output's encoding lacks, in place of failing in the middle of a result."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(OSError, ValueError):
                reconfigure(errors="backslashreplace")


def _close_output() -> None:
    """Flush; when the reader has gone away, say nothing about it, now and when the interpreter ends."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

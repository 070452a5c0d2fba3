"""`pincite chat`: questions one after the other, each of which may go on from those before."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import open_cached, open_library
from pincite.interfaces.cli.output import note_console, print_error, print_line, print_remark, result_console
from pincite.interfaces.cli.progress import Bars

if TYPE_CHECKING:
    from pincite.ask.conversation import Conversation, Turn

#: What ends a conversation, beside the end of the input.
_ENDS = frozenset({"exit", "quit", ":q"})


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="""\b
Examples:
  pincite chat report.pdf
  pincite chat --model ollama:qwen3
  printf 'What is the fee in 2018?\\nAnd in 2019?\\n' | pincite chat fees.pdf

Prints each answer as `pincite ask` does; what was typed and what was asked
for it are both shown. With --json: one JSON object a line for each question."""
    )(chat)


def chat(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Files or folders to answer from; none: the library.", show_default=False),
    ] = None,
    docs: options.Docs = None,
    model: options.Model = None,
    library: options.Library = None,
    as_json: options.AsJsonLines = False,
) -> None:
    """Ask questions that go on from each other: "And in 2019?", "What is the second one?".

    Questions are read from standard input, one a line, until its end, "exit" or "quit". A follow-up is made into a full
    question, which is shown before its answer; several questions in one line are answered one by one.
    """
    if paths and library:
        raise typer.BadParameter("with a PATH the answer comes from those files alone; leave out --library or the PATH")
    with ExitStack() as stack:
        bars = stack.enter_context(Bars())
        if paths:
            opened, _ = stack.enter_context(open_cached(paths, bars, model=model))
        else:
            opened = stack.enter_context(open_library(options.library_of(context, library), bars=bars, model=model))
            opened.warm()
        bars.end()
        conversation = opened.conversation(docs=docs or ())
        for message in _messages():
            _answer(conversation, message, as_json=as_json)


def _messages() -> Iterator[str]:
    """Yield the lines of standard input that say something; at a terminal ask for each."""
    is_person = sys.stdin.isatty()
    while True:
        if is_person:
            note_console().print("> ", end="", style="bold")
        line = sys.stdin.readline()
        if not line or line.strip().lower() in _ENDS:
            return
        if line.strip():
            yield options.typed(line.strip())


def _answer(conversation: "Conversation", message: str, *, as_json: bool) -> None:
    """Print what a message gets; a question that fails does not end the conversation."""
    from pincite.errors import PinciteError

    try:
        turns = conversation.ask(message)
    except PinciteError as problem:
        if as_json:
            sys.stdout.write(json.dumps({"result": "error", "code": problem.code, "message": str(problem)}) + "\n")
        print_error(str(problem))
        return
    for turn in turns:
        _print(turn, as_json=as_json)


def _print(turn: "Turn", *, as_json: bool) -> None:
    from pincite.rendering.terminal import print_result
    from pincite.types.answer import Answer
    from pincite.types.record import to_json

    if as_json:
        kind = "answer" if isinstance(turn.result, Answer) else "refusal"
        said = {"result": kind, "message": turn.message, **to_json(turn.result)}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()
        return
    for note in turn.notes:
        print_remark(note)
    if turn.is_rewritten:
        print_line(note_console(), f"“{turn.message}” was asked as “{turn.question}”", style="dim")
    print_result(turn.result, result_console())

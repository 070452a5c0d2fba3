"""Every command in one list."""

from importlib.metadata import version
from typing import Annotated

import typer

from pincite.interfaces.cli import (
    asking,
    chatting,
    checking,
    diagnosis,
    documents,
    evaluating,
    exporting,
    feedback,
    migrating,
    options,
    profiling,
    reading,
    searching,
    serving,
    syncing,
    tokens,
    widgets,
)

app = typer.Typer(
    name="pincite",
    no_args_is_help=False,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="""\b
Examples:
  pincite ask "What is the notice period?" contract.pdf
  pincite add ~/reports
  pincite ask "Which functions does the framework have?"

Results go to standard output, everything else to standard error.
Exit codes: 0 answered or refused, 1 an error, 2 wrong usage.""",
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"pincite {version('pincite')}")
        raise typer.Exit


@app.callback()
def pincite(
    context: typer.Context,
    library: options.Library = None,
    traceback: Annotated[bool, typer.Option("--traceback", help="Show where in pincite a fault happened.")] = False,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Answers from documents with pin cites that hold: every item is quoted, located and checked by code."""
    del library, traceback, show_version  # read where they matter: options.library_of and entry.main
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_MODULES = (
    asking,
    chatting,
    documents,
    syncing,
    profiling,
    reading,
    searching,
    checking,
    evaluating,
    widgets,
    serving,
    exporting,
    tokens,
    feedback,
    migrating,
    diagnosis,
)
for _module in _MODULES:
    _module.register(app)

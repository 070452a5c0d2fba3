"""`pincite profile`: a language model says what documents are."""

from typing import Annotated

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import open_library
from pincite.interfaces.cli.output import counted, failure_words, print_json, print_line, result_console
from pincite.interfaces.cli.progress import Bars


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="""\b
Examples:
  pincite profile --model openai:gpt-5-mini
  pincite profile annual-report.pdf --again

Prints how many profiles were made; `pincite show DOC` shows them. With the
setting model_profile, `add` and `sync` make them by themselves."""
    )(profile)


def profile(
    context: typer.Context,
    docs: Annotated[
        list[str] | None,
        typer.Argument(metavar="DOC", help="Names, paths or ids; none: every document.", show_default=False),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="PROVIDER:MODEL",
            help="The language model (default: the setting model_profile).",
            show_default=False,
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Also documents that already have a profile by this model.")
    ] = False,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Let a language model say what documents are: kind, typical fields, a summary of checked quotes."""
    given = options.library_of(context, library)
    with Bars() as bars, open_library(given, bars=bars, model_profile=model) as opened:
        made, failed = opened.profile(*(docs or ()), again=again)
    if as_json:
        print_json("profiled", {"n_made": made, "failed": failed})
    else:
        console = result_console()
        for one in failed:
            print_line(console, failure_words(one.name, one.code, one.message), lead="failed    ", style="red")
        print_line(console, f"{counted(made, 'profile')} made")
    if failed:
        raise typer.Exit(1)

"""`pincite feedback`: what readers of the web page said of cites, as a suite."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.groups import command_group
from pincite.interfaces.cli.opening import served_place
from pincite.interfaces.cli.output import counted, print_json, print_line, print_remark, result_console

feedback = command_group("Use what readers said of cites: is this cite right?")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(
        feedback,
        name="feedback",
        epilog="""\b
Example:
  pincite feedback export my-suite

Prints the help of the group; `pincite feedback COMMAND --help` that of one.""",
    )


@feedback.command(
    epilog="""\b
Examples:
  pincite feedback export my-suite
  pincite eval my-suite

Prints how many questions and documents were written. Questions whose cites
were only called wrong are in rejected.jsonl, for people to look at."""
)
def export(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder to write.", show_default=False)],
    collection: Annotated[
        str, typer.Option("--collection", metavar="NAME", help="Take what was said in this collection.")
    ] = "default",
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Write the cites that readers called right as a suite for `pincite eval`."""
    from pincite.interfaces.http.feedback_suite import write_suite
    from pincite.interfaces.http.served import collection_address
    from pincite.interfaces.http.state.feedback import FeedbackTable
    from pincite.interfaces.http.state.opening import open_state
    from pincite.library import Library

    place = served_place(options.library_of(context, library))
    with Library(collection_address(place, _checked(collection)), create=False) as opened:
        with open_state(place) as state:
            said = FeedbackTable(state).all(collection)
        report = write_suite(said, opened, folder.expanduser(), name=f"feedback-{collection}")
    if as_json:
        print_json("exported", report)
        return
    print_line(
        result_console(),
        f"{folder}: {counted(report.questions, 'question')}, {counted(report.documents, 'document')}",
    )
    if report.rejected:
        print_remark(f"{counted(report.rejected, 'question')} with wrong cites alone: rejected.jsonl")
    for question in report.left_out:
        print_remark(f"left out, the document is not kept as it was: {question}")


def _checked(collection: str) -> str:
    from pincite.errors import SettingsError
    from pincite.interfaces.http.access.token_terms import checked_collection

    if checked_collection(collection) == "*":
        raise SettingsError("name one collection: each has documents of its own")
    return collection

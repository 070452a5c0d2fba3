"""`pincite export`: the tables of a library as files."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import open_library
from pincite.interfaces.cli.output import counted, print_json, print_line, result_console


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="""\b
Examples:
  pincite export tables
  pincite export tables --format parquet --table lines --table cells

Prints the files that were written. The columns are those of the library's
database, which any SQL tool opens as it is; docs/schema.md describes it."""
    )(export)


def export(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write; made if needed.", show_default=False)],
    form: Annotated[
        Literal["csv", "json", "parquet"], typer.Option("--format", help="The form of the files.", case_sensitive=False)
    ] = "csv",
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="NAME", help="This table only; may be given again.", show_default=False),
    ] = None,
    doc: Annotated[
        list[str] | None,
        typer.Option(
            "--doc", metavar="DOC", help="Only what belongs to this document; may be given again.", show_default=False
        ),
    ] = None,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Write the tables of the library as CSV, JSON or Parquet."""
    with open_library(options.library_of(context, library)) as opened:
        written = opened.export(folder, form=form, tables=table or (), docs=doc or ())
    if as_json:
        print_json("exported", {"files": written})
        return
    for one in written:
        print_line(result_console(), f"{one.path}  ({counted(one.n_rows, 'row')})")

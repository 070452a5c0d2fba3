"""`pincite migrate`: a library copied to another place or kind of store."""

from typing import Annotated

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.output import counted, print_json, print_line, result_console
from pincite.interfaces.cli.progress import Bars


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="""\b
Examples:
  pincite migrate ~/reports s3://bucket/reports
  pincite migrate s3://bucket/reports lance:/data/reports
  pincite migrate s3://bucket/reports ~/reports

Prints what both libraries hold after the copy: everything is compared by
hashes. A copy that was interrupted goes on where it stopped. A folder is a
SQLite library, lance:DIR and s3:// are Lance libraries (extra scale)."""
    )(migrate)


def migrate(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The library to copy.", show_default=False)],
    target: Annotated[
        str,
        typer.Argument(metavar="TO", help="Where to copy it: an empty place, or an earlier copy.", show_default=False),
    ],
    as_json: options.AsJson = False,
) -> None:
    """Copy a library between a folder and object storage, and compare the two."""
    from pincite.library.migrating import migrate as copy
    from pincite.storage.opening import open_store

    with Bars() as bars, open_store(source, create=False) as opened, open_store(target, on_wait=bars.waiting) as made:
        report = copy(opened, made, progress=lambda done, total: bars.parsed(done, total, ""))
    if as_json:
        print_json("migrated", report)
        return
    console = result_console()
    for kind, number in report.contents.counts.items():
        print_line(console, f"{number:,} {kind}")
    print_line(console, f"{counted(report.copied, 'document')} copied, {report.unchanged:,} unchanged; both are equal")

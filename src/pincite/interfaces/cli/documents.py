"""`pincite add`, `embed`, `ls` and `rm`: what is in the library."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import library_place, open_library, still_failing
from pincite.interfaces.cli.output import (
    counted,
    failure_words,
    print_columns,
    print_error,
    print_json,
    print_line,
    print_note,
    print_remark,
    print_warning,
    result_console,
)
from pincite.interfaces.cli.progress import Bars

if TYPE_CHECKING:
    from pincite.add import AddReport

#: More notes on what was passed over than this are counted.
_N_NOTES = 5
_KEPT = "interrupted: what was {} so far is kept; the same command does the rest"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog="""\b
Examples:
  pincite add report.pdf notes/
  pincite add -- -odd-name.md
  pincite add reports/ --library s3://bucket/reports --engine ray

Prints what was added, file by file, and what failed and why. Unchanged files
are not read again; one bad file does not stop the others."""
    )(add)
    app.command(
        epilog="""\b
Example:
  pincite embed

Prints how many vectors were made."""
    )(embed)
    app.command(
        epilog="""\b
Example:
  pincite ls

Prints a line for each document: pages, lines, when it was added, its name."""
    )(ls)
    app.command(
        epilog="""\b
Example:
  pincite rm report.pdf

Prints the name of each document that was taken out. Your files stay."""
    )(rm)


def add(
    context: typer.Context,
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE", help="Files and folders.", show_default=False)],
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", min=1, metavar="N", help="Parse N files at a time (default: all cores).", show_default=False
        ),
    ] = None,
    ocr: options.Ocr = None,
    no_embed: Annotated[
        bool,
        typer.Option("--no-embed", help="Make no vectors yet (`pincite embed` does); words can be searched at once."),
    ] = False,
    engine: Annotated[
        options.EngineName,
        typer.Option("--engine", help="Do the work in this process, or on the nodes of a Ray cluster."),
    ] = "local",
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="HOST:PORT",
            help="The Ray cluster (default: $RAY_ADDRESS, else Ray is started on this machine).",
            show_default=False,
        ),
    ] = None,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Add files and folders to the library, or bring them up to date."""
    given = options.library_of(context, library)
    try:
        with Bars() as bars, open_library(given, create=True, jobs=jobs, ocr=ocr, bars=bars) as opened:
            if not no_embed and engine == "local":
                opened.warm()
            bars.begin()
            report = opened.add(*sources, watcher=bars, embed=not no_embed, engine=engine, address=address)
    except KeyboardInterrupt:
        print_error(_KEPT.format("added"))
        raise
    if as_json:
        print_json("added", report)
    else:
        _print_report(report)
    for note in report.notes[:_N_NOTES]:
        print_remark(note)
    if len(report.notes) > _N_NOTES:
        print_remark(f"{len(report.notes) - _N_NOTES:,} more; --json lists them all")
    print_note(f"library: {library_place(given)}")
    if report.failed:
        raise typer.Exit(1)


def _print_report(report: "AddReport") -> None:
    console = result_console()
    for one in report.added:
        extent = f"{counted(one.n_pages, 'page')}, {counted(one.n_lines, 'line')}"
        print_line(console, f"{one.name}  ({extent})", lead="replaced  " if one.replaced else "added     ")
        for warning in one.warnings:
            print_line(console, warning, lead="          ! ", style="yellow")
    for failed in report.failed:
        print_line(console, failure_words(failed.name, failed.code, failed.message), lead="failed    ", style="red")
    if report.skipped:
        shown = ", ".join(report.skipped[:3]) + (" …" if len(report.skipped) > 3 else "")
        print_line(
            console,
            f"{counted(len(report.skipped), 'file')} of formats that pincite does not read: {shown}",
            lead="skipped   ",
            style="dim",
        )
    print_line(console, _summary(report))


def _summary(report: "AddReport") -> str:
    counts = [(len(report.added), "added")]
    counts += [(len(report.unchanged), "unchanged"), (len(report.renamed), "renamed"), (len(report.failed), "failed")]
    return ", ".join(f"{number:,} {what}" for number, what in counts if number or what == "added")


def embed(
    context: typer.Context,
    again: Annotated[
        bool, typer.Option("--again", help="Replace the vectors of another embedder; searching goes on meanwhile.")
    ] = False,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Make the vectors that are missing, for search by meaning."""
    try:
        with Bars() as bars, open_library(options.library_of(context, library), bars=bars) as opened:
            made = opened.embed(again=again, progress=bars.embedded)
    except KeyboardInterrupt:
        print_error(_KEPT.format("embedded"))
        raise
    if as_json:
        print_json("embedded", {"n_embedded": made})
    else:
        print_line(result_console(), f"{counted(made, 'vector')} made")


def ls(
    context: typer.Context,
    where: options.Where = None,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """List the documents of the library."""
    given = options.library_of(context, library)
    with open_library(given) as opened:
        records, (failures, tried) = opened.documents(where=where), still_failing(opened)
    if as_json:
        print_json("documents", {"documents": records})
        return
    if records:
        rows = [
            (
                f"{r.n_pages:,}",
                f"{r.n_lines:,}",
                r.added_at[:10],
                r.name if r.status == "ready" else f"{r.name}  ({r.status.replace('_', ' ')})",
            )
            for r in records
        ]
        print_columns(result_console(), ("PAGES", "LINES", "ADDED", "NAME"), rows, right=(0, 1))
    elif where is not None:
        print_note(f"no document matches {where!r}")
    else:
        print_note(f"the library {library_place(given)} is empty; `pincite add FILE` fills it")
    if failures:
        what = f"{counted(len(failures), 'file')} could not be added ({tried})"
        print_warning(f"{what}; `pincite doctor` says which and why")


def rm(
    context: typer.Context,
    docs: Annotated[list[str], typer.Argument(metavar="DOC", help="Names, paths or ids.", show_default=False)],
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Take documents out of the library."""
    with Bars() as bars, open_library(options.library_of(context, library), bars=bars) as opened:
        # All names are looked up before anything goes.
        wanted: Sequence[str] = list(dict.fromkeys(record.doc_id for record in opened.store.resolve_all(docs)))
        removed = [opened.remove(doc_id) for doc_id in wanted]
    if as_json:
        print_json("removed", {"documents": removed})
        return
    for record in removed:
        print_line(result_console(), record.name, lead="removed  ")

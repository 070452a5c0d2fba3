"""`pincite eval`: a suite of questions with known answers, measured; a gate says when it got worse."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.errors import LibraryVersionError
from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import cache_folder
from pincite.interfaces.cli.output import (
    counted,
    print_columns,
    print_error,
    print_json,
    print_line,
    print_note,
    print_warning,
    result_console,
)
from pincite.interfaces.cli.progress import Bars

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.evaluation import Failing, Suite, Summary
    from pincite.library import Library


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "eval",
        epilog="""\b
Examples:
  pincite eval evals --gate evals/gates.toml
  pincite eval ../bench/squad2 --limit 60 --json

Prints each measure with its 95 % interval, and the shapes of questions side
by side. Exits with 1 when a measure is worse than its gate.""",
    )(evaluate)


def evaluate(
    suite: Annotated[
        str,
        typer.Argument(metavar="SUITE", help="A folder with questions.jsonl and docs/, or in BEIR form."),
    ],
    gate: Annotated[
        str | None,
        typer.Option("--gate", metavar="FILE", help="A TOML file with the worst values allowed.", show_default=False),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=1, metavar="N", help="Ask only N of the questions, always the same ones.", show_default=False
        ),
    ] = None,
    retrieval_only: Annotated[bool, typer.Option("--retrieval-only", help="Search only; nothing is answered.")] = False,
    work: Annotated[
        str | None,
        typer.Option(
            "--work",
            metavar="DIR",
            show_default=False,
            help="Keep the library and the results here (default: a folder of the suite in the cache folder).",
        ),
    ] = None,
    library: Annotated[
        str | None,
        typer.Option(
            "--library",
            metavar="DIR",
            help="Keep the library here (default: `library` in the work folder).",
            show_default=False,
        ),
    ] = None,
    model: options.Model = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure pincite on questions whose answers are known.

    The library of the suite is kept, so the second run parses and embeds nothing; a run that was stopped goes on.
    """
    from pincite.evaluation import Options, failing, load_gates, load_suite
    from pincite.evaluation import evaluate as run

    gates = None if gate is None else load_gates(gate)
    loaded = load_suite(suite)
    folder = work_folder(loaded, work)
    chosen = Options(limit=limit, retrieval_only=retrieval_only)
    with Bars() as bars, _library(library, folder, bars, model) as opened:
        summary = run(loaded, opened, folder / _results(model), options=chosen, watcher=bars)
    failed = () if gates is None else failing(summary, gates)
    _print(summary, gates, failed, as_json=as_json)
    if failed:
        raise typer.Exit(1)


def work_folder(suite: "Suite", given: str | None) -> Path:
    """Return where the library and the results of a suite are kept."""
    if given is not None:
        return Path(given).expanduser()
    # The same name in another place is another suite.
    key = hashlib.sha256(str(suite.path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    name = "".join(char if char.isalnum() or char in "-_." else "-" for char in suite.name)
    return cache_folder() / "eval" / f"{name}-{key}"


def _results(model: str | None) -> str:
    """Return the folder of results: a model has its own, so that what was answered without it is not counted as its."""
    if model is None:
        return "results"
    return "results-" + "".join(char if char.isalnum() or char in "-_." else "-" for char in model)


@contextmanager
def _library(given: str | None, folder: Path, bars: Bars, model: str | None) -> "Iterator[Library]":
    """Open the library of a suite; one of another version of the schema in the work folder is made anew."""
    from pincite.library import Library
    from pincite.settings import Settings

    place = folder / "library" if given is None else Path(given).expanduser()
    settings = Settings.load(model=model)
    try:
        opened = Library(place, settings=settings, on_wait=bars.waiting)
    except LibraryVersionError:
        if given is not None:
            raise
        shutil.rmtree(place)
        opened = Library(place, settings=settings, on_wait=bars.waiting)
    with opened:
        opened.warm()
        bars.begin()
        yield opened


def _print(
    summary: "Summary", gates: "Mapping[str, float] | None", failed: "Sequence[Failing]", *, as_json: bool
) -> None:
    from pincite.types.record import to_json

    for document in summary.failed_documents:
        print_warning(document)
    for error in summary.errors:
        print_warning(error)
    for defect in summary.defects:
        print_error(f"a fault of pincite: {defect}")
    if as_json:
        gated = {} if gates is None else {"gates": dict(gates), "failed": to_json(failed)}
        print_json("evaluation", {**to_json(summary), **gated})
    else:
        _print_tables(summary, result_console())
        if gates is not None and not failed:
            print_line(result_console(), f"{counted(len(gates), 'gate')}: all hold")
    for one in failed:
        print_error(f"gate: {one.reason}")
    print_note(f"results: {summary.results}")


def _print_tables(summary: "Summary", console: "Console") -> None:
    from pincite.evaluation import measure_rows, shape_header, shape_rows

    asked = counted(summary.n, "question")
    print_line(console, f"{summary.suite}: {asked}, pincite {summary.version}, {summary.seconds:.1f} s", style="bold")
    console.print()
    print_columns(console, ("MEASURE", "VALUE", "95 % INTERVAL", "N", ""), measure_rows(summary), right=(1, 3))
    console.print()
    print_columns(console, shape_header(summary), shape_rows(summary), right=(1, 2, 3, 4, 5, 6))

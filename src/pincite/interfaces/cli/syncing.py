"""`pincite sync` and `gc`: the library in step with folders, repositories and web pages."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import library_place, open_library
from pincite.interfaces.cli.output import (
    counted,
    failure_words,
    print_error,
    print_json,
    print_line,
    print_note,
    print_remark,
    result_console,
)
from pincite.interfaces.cli.progress import Bars

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.sync import SyncReport
    from pincite.types.source import SyncOptions

#: More files of one kind than this are counted; `--json` has them all.
_SHOWN = 20
#: How long `--watch` waits before it looks again at what does not tell of its changes, in seconds.
_REMOTE_S, _LOCAL_S = 300.0, 60.0
_KEPT = "interrupted: what was synced so far is kept; the same command does the rest"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog="""\b
Examples:
  pincite sync ~/handbook --exclude "drafts/**"
  pincite sync
  pincite sync ~/handbook --dry-run

Prints what was added, changed, moved and deleted. Without SOURCE all places
that were synced before are synced again. Originals of what is gone are kept
until `pincite gc`."""
    )(sync)
    app.command(
        epilog="""\b
Example:
  pincite gc

Prints how many originals were deleted. Those of present documents stay."""
    )(gc)


def sync(
    context: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOURCE", help="Folders, github:owner/repo, https://…", show_default=False),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(
            "--include",
            metavar="PATTERN",
            help="Take only these files (*.md, docs/**); may be given again.",
            show_default=False,
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude", metavar="PATTERN", help="Leave these files out; may be given again.", show_default=False
        ),
    ] = None,
    gitignore: Annotated[bool, typer.Option("--gitignore", help="Leave out what .gitignore files name.")] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help="Take files whose names begin with a dot.")] = False,
    depth: Annotated[int, typer.Option("--depth", min=0, metavar="N", help="Web: follow links N times.")] = 0,
    max_pages: Annotated[int, typer.Option("--max-pages", min=1, metavar="N", help="Web: read N pages at most.")] = 500,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Web: reach addresses of private networks too.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep running, and sync whenever something has changed.")
    ] = False,
    debounce_s: Annotated[
        float,
        typer.Option(
            "--debounce", min=0.0, metavar="SECONDS", help="With --watch: sync once nothing has changed for this long."
        ),
    ] = 2.0,
    jobs: options.Jobs = None,
    ocr: options.Ocr = None,
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Make no vectors yet; `pincite embed` does.")] = False,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Keep the library in step with folders, repositories and web pages."""
    if watch and (as_json or dry_run):
        raise typer.BadParameter("--watch goes on for ever: leave out --json and --dry-run")
    given = options.library_of(context, library)
    chosen = _options(
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        gitignore=gitignore,
        hidden=hidden,
        depth=depth,
        max_pages=max_pages,
        allow_private=allow_private,
    )
    try:
        with Bars() as bars, open_library(given, create=True, jobs=jobs, ocr=ocr, bars=bars) as opened:
            if watch:
                _watch(opened, sources or (), chosen, bars, embed=not no_embed, debounce_s=debounce_s)
            bars.begin()
            reports = opened.sync(
                *(sources or ()), options=chosen, dry_run=dry_run, watcher=bars, embed=not no_embed and not dry_run
            )
    except KeyboardInterrupt:
        print_error(_KEPT)
        raise
    if as_json:
        print_json("synced", {"sources": reports})
    else:
        for report in reports:
            print_sync(report)
    print_note(f"library: {library_place(given)}")
    if any(report.failed for report in reports):
        raise typer.Exit(1)


def _options(**given: Any) -> "SyncOptions | None":
    """Return the options that were given, `None` where none was: then those of the last time hold."""
    from pincite.types.source import SyncOptions

    options = SyncOptions(**given)
    return None if options == SyncOptions() else options


def _watch(
    library: "Library",
    sources: Sequence[str],
    chosen: "SyncOptions | None",
    bars: Bars,
    *,
    embed: bool,
    debounce_s: float,
) -> None:
    """Sync, then wait for a change and sync again, until Ctrl-C."""
    from pincite.sync.watching import signature, wait_for_change

    named = list(sources) or [source.spec for source in library.store.sources.all()]
    folders = [folder for folder in map(_folder_of, named) if folder is not None]
    at_most_s = _LOCAL_S if len(folders) == len(named) else _REMOTE_S

    def look() -> int:
        return hash(tuple(signature(folder) for folder in folders))

    # What changes while a sync runs is seen after it.
    state = look()
    reports = library.sync(*sources, options=chosen, watcher=bars, embed=embed)
    specs = [report.source for report in reports]
    while True:
        bars.end()
        for report in reports:
            if not report.is_empty:
                print_sync(report)
        state = wait_for_change(look, state, debounce_s=debounce_s, at_most_s=at_most_s)
        reports = library.sync(*specs, watcher=bars, embed=embed)


def _folder_of(spec: str) -> Path | None:
    """Return the folder on this machine that a source is, `None` where it is another place."""
    from pincite.sources.folder import uri_path

    path = uri_path(spec) if spec.startswith("file://") else Path(spec).expanduser()
    return path if path.is_dir() else None


def print_sync(report: "SyncReport") -> None:
    """Print what became of the files of one source."""
    console = result_console()
    warnings = {one.name: one.warnings for one in report.documents}
    for lead, names in (("added", report.added), ("changed", report.changed)):
        for name in names[:_SHOWN]:
            print_line(console, name, lead=f"{lead:<10}")
            for warning in warnings.get(name, ()):
                print_line(console, warning, lead="          ! ", style="yellow")
        _print_rest(len(names), lead)
    for move in report.moved[:_SHOWN]:
        print_line(console, f"{move.old} → {move.new}", lead="moved     ")
    _print_rest(len(report.moved), "moved")
    for name in report.deleted[:_SHOWN]:
        print_line(console, name, lead="deleted   ")
    _print_rest(len(report.deleted), "deleted")
    for failed in report.failed[:_SHOWN]:
        print_line(console, failure_words(failed.name, failed.code, failed.message), lead="failed    ", style="red")
    _print_rest(len(report.failed), "failed")
    for file in report.passed_over[:_SHOWN]:
        print_line(console, f"{file.name}: {file.reason}", lead="skipped   ", style="dim")
    _print_rest(len(report.passed_over), "skipped")
    print_line(console, _summary(report))
    for note in report.notes[:_SHOWN]:
        print_remark(note)
    if report.dry_run:
        print_remark("a dry run: nothing was done")


def _print_rest(number: int, what: str) -> None:
    if number > _SHOWN:
        print_line(result_console(), f"{number - _SHOWN:,} more; --json lists them all", lead=f"{what:<10}")


def _summary(report: "SyncReport") -> str:
    from pincite.sources.folder import uri_path

    place = str(uri_path(report.source)) if report.source.startswith("file://") else report.source
    counts = (
        (len(report.added), "added"), (len(report.changed), "changed"), (len(report.moved), "moved"),
        (len(report.deleted), "deleted"), (len(report.unchanged), "unchanged"), (len(report.failed), "failed"),
        (len(report.passed_over), "skipped"),
    )  # fmt: skip
    said = ", ".join(f"{number:,} {what}" for number, what in counts if number)
    return f"{place}: {said or 'no files'}"


def gc(context: typer.Context, library: options.Library = None, as_json: options.AsJson = False) -> None:
    """Delete the originals of documents that were replaced or deleted."""
    with Bars() as bars, open_library(options.library_of(context, library), bars=bars) as opened:
        n_files, n_bytes = opened.collect_garbage()
    if as_json:
        print_json("collected", {"originals": n_files, "bytes": n_bytes})
    else:
        print_line(result_console(), f"{counted(n_files, 'original')} deleted, {n_bytes:,} bytes")

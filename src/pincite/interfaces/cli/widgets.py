"""`pincite widget`: draft, look over, ask and build the reviewed passages of a site."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.errors import PassagesError
from pincite.interfaces.cli import options
from pincite.interfaces.cli.groups import command_group
from pincite.interfaces.cli.opening import open_cached, open_library
from pincite.interfaces.cli.output import (
    counted,
    failure_words,
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

    from pincite.library import Library
    from pincite.widget.records import EvalReport, EvalResult, Index, Margin, SourceFile

#: How many of the best passages a failed eval shows.
_N_SCORES = 3

Passages = Annotated[
    str, typer.Argument(metavar="PASSAGES", help="The file of passages (.yaml, .json or .md).", show_default=False)
]
Evals = Annotated[
    str | None,
    typer.Option(
        "--evals",
        metavar="FILE",
        help="The evals (default: NAME.evals.yaml or .json beside the passages).",
        show_default=False,
    ),
]

widget = command_group("Build a model-free ask box for a site from passages that people have reviewed.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(
        widget,
        name="widget",
        epilog="""\b
Examples:
  pincite widget init docs --out passages.yaml
  pincite widget lint passages.yaml
  pincite widget build passages.yaml --out site

Prints the help of the group; `pincite widget COMMAND --help` that of one.""",
    )


@widget.command(
    epilog="""\b
Examples:
  pincite widget init docs --out passages.yaml
  pincite widget init docs --url "https://example.org/{path}#{anchor}"

Prints how many candidates were drafted, and where they are."""
)
def init(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Files or folders to draft from; none: the library.", show_default=False),
    ] = None,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="The file to write.")] = "passages.yaml",
    url: Annotated[
        str,
        typer.Option(
            "--url", metavar="TEMPLATE", help="The addresses of passages, made of {path} {name} {anchor} {page}."
        ),
    ] = "",
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Draft candidates from documents, each with its cite, none of them reviewed."""
    from pincite.widget.drafting import draft_passages
    from pincite.widget.writing import written

    target = Path(out).expanduser()
    if target.exists():
        raise PassagesError(
            f"{out}: it is there already, and reviews are not overwritten; name another file with --out"
        )
    if target.suffix.lower() not in (".yaml", ".yml"):
        raise PassagesError(f"{out}: candidates are written as YAML; let the name end in .yaml")
    with _documents(paths, options.library_of(context, library)) as opened:
        drafts = draft_passages(opened, url)
    with target.open("x", encoding="utf-8", newline="\n") as file:
        file.write(written(drafts))
    if as_json:
        print_json("widget_init", {"passages": len(drafts), "file": str(target)})
        return
    print_line(result_console(), f"{counted(len(drafts), 'candidate')} in {target}, none of them reviewed")
    print_note("review them, then: pincite widget lint, pincite widget build")


@contextmanager
def _documents(paths: Sequence[str] | None, library: str | None) -> "Iterator[Library]":
    """Open the library, or one of the files that are named and nothing else."""
    with Bars() as bars:
        if not paths:
            with open_library(library, bars=bars) as opened:
                yield opened
            return
        with open_cached(paths, bars) as (cached, report):
            for failure in report.failed:
                print_warning(failure_words(failure.name, failure.code, failure.message))
            yield cached


@widget.command(
    epilog="""\b
Example:
  pincite widget lint passages.yaml

Prints what a reviewer should look at, and how many passages are reviewed.
Exits with 1 when there is something to look at."""
)
def lint(passages: Passages, as_json: options.AsJson = False) -> None:
    """Find passages that do not stand alone, are too long, twice there, contradict each other, or lack a url."""
    from pincite.types.record import to_json
    from pincite.widget import lint as look_over
    from pincite.widget import read_source

    source = read_source(passages)
    findings = look_over(source)
    n_reviewed = sum(draft.is_reviewed for draft in source.passages)
    if as_json:
        counts = {"passages": len(source.passages), "reviewed": n_reviewed}
        print_json("widget_lint", {**counts, "findings": to_json(findings)})
    else:
        console = result_console()
        for finding in findings:
            print_line(console, f"{finding.place} {finding.id}: {finding.kind}: {finding.message}")
        reviewed = f"{n_reviewed} of {counted(len(source.passages), 'passage')} reviewed"
        print_line(console, f"{reviewed}, {counted(len(findings), 'finding')}")
    if findings:
        raise typer.Exit(1)


@widget.command(
    "eval",
    epilog="""\b
Example:
  pincite widget eval passages.yaml --evals evals.yaml

Prints each failure with scores and matched terms, then the margin between the
weakest right answer and the strongest that must be refused, and the threshold
half-way. Exits with 1 when an eval fails.""",
)
def evaluate(passages: Passages, evals: Evals = None, as_json: options.AsJson = False) -> None:
    """Ask the questions of an eval file: the right passage has to come first, or a refusal."""
    from pincite.widget import build_index, read_source

    source = read_source(passages)
    report = _report(passages, source, build_index(source), evals)
    if as_json:
        from pincite.types.record import to_json

        print_json(
            "widget_eval", {"n": len(report.results), "failures": to_json(report.failures), **_margin_json(report)}
        )
    else:
        _print_report(result_console(), report)
    if report.failures:
        raise typer.Exit(1)


@widget.command(
    epilog="""\b
Examples:
  pincite widget build passages.yaml --out site
  pincite widget build passages.yaml --evals evals.yaml --json

Prints what was written and the line to embed. Nothing is written when an eval
fails (exit code 1)."""
)
def build(
    passages: Passages,
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="The folder for the index and the element.")] = ".",
    evals: Evals = None,
    no_evals: Annotated[bool, typer.Option("--no-evals", help="Build without asking any question first.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Write the index of the reviewed passages and the element that asks it, once the evals agree."""
    from pincite.widget import build_index, read_source, write_widget
    from pincite.widget import lint as look_over

    source = read_source(passages)
    index = build_index(source)
    report = None if no_evals else _report(passages, source, index, evals)
    if report is not None and report.failures:
        if as_json:
            from pincite.types.record import to_json

            print_json(
                "widget_eval", {"n": len(report.results), "failures": to_json(report.failures), **_margin_json(report)}
            )
        else:
            _print_report(result_console(), report)
        print_error(f"nothing was written: {counted(len(report.failures), 'eval')} failed")
        raise typer.Exit(1)
    element, written = write_widget(index, out)
    n_findings = len(look_over(source))
    if n_findings:
        print_warning(f"{counted(n_findings, 'finding')}: pincite widget lint {passages}")
    n_evals = 0 if report is None else len(report.results)
    left_out = len(source.passages) - len(index.passages)
    if as_json:
        made = {"passages": len(index.passages), "unreviewed": left_out, "evals": n_evals}
        print_json("widget_build", {**made, "files": [str(element), str(written)]})
        return
    console = result_console()
    print_line(console, f"{counted(len(index.passages), 'reviewed passage')}, {left_out} unreviewed left out, "
               f"{counted(n_evals, 'eval')} passed")  # fmt: skip
    print_line(console, str(element))
    print_line(console, str(written))
    tag = f'<pincite-ask src="{written.name}"></pincite-ask>'
    console.print(f'<script type="module" src="{element.name}"></script>{tag}', soft_wrap=True)


def _report(passages: str, source: "SourceFile", index: "Index", given: str | None) -> "EvalReport":
    from pincite.widget import read_evals, run_evals

    file = Path(passages).expanduser()
    if given is None:
        beside = [file.with_name(f"{file.stem}.evals{ending}") for ending in (".yaml", ".yml", ".json")]
        found = next((str(path) for path in beside if path.is_file()), None)
        if found is None:
            raise PassagesError(
                f"there are no evals: write {beside[0].name}, name a file with --evals, or build with --no-evals"
            )
        given = found
    reviewed = [draft.id for draft in source.passages if draft.is_reviewed]
    return run_evals(index, read_evals(given, reviewed))


def _margin_json(report: "EvalReport") -> dict[str, object]:
    margin = report.margin
    return {
        "threshold": margin.threshold,
        "proposed_threshold": margin.proposed,
        "weakest_right": None if margin.weakest is None else margin.weakest.right_score,
        "strongest_refused": None if margin.strongest is None else margin.strongest.outcome.best_score,
        "margin": margin.gap,
    }


def _print_report(console: "Console", report: "EvalReport") -> None:
    for failure in report.failures:
        _print_failure(console, failure)
    passed = len(report.results) - len(report.failures)
    print_line(console, f"{passed} of {counted(len(report.results), 'eval')} passed")
    _print_margin(console, report.margin)


def _print_failure(console: "Console", failure: "EvalResult") -> None:
    print_line(console, f"{failure.eval.place} “{failure.eval.question}”: {failure.reason}", lead="✗ ", style="bold")
    ranked = failure.outcome.ranked
    beyond = [scored for scored in ranked[_N_SCORES:] if scored.id in failure.eval.passages]
    for scored in (*ranked[:_N_SCORES], *beyond):
        matched = ", ".join(
            f"{m.term} {m.score:.2f}" if m.exact else f"{m.term} ≈ {' '.join(m.found)} {m.score:.2f}"
            for m in scored.matched
        )
        print_line(console, f"{scored.rank}. {scored.score:.2f} {scored.id}: {matched}", lead="    ")
    if not ranked:
        print_line(console, "no passage holds a term of it", lead="    ")
    console.print()


def _print_margin(console: "Console", margin: "Margin") -> None:
    if margin.weakest is not None:
        weakest = margin.weakest
        print_line(console, f"weakest right answer   {weakest.right_score:.2f} “{weakest.eval.question}”")
    if margin.strongest is not None:
        strongest = margin.strongest
        score = strongest.outcome.best_score
        print_line(console, f"strongest to refuse    {score:.2f} “{strongest.eval.question}”")
    if margin.gap is None:
        print_line(console, "no margin: it needs both answers and refusals among the evals")
    elif margin.proposed is None:
        print_line(console, f"no threshold parts them: they overlap by {-margin.gap:.2f}")
    else:
        print_line(console, f"margin {margin.gap:.2f}; threshold {margin.threshold:g}, proposed {margin.proposed:g}")

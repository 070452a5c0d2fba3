"""`pincite trace`, `replay`, `verify` and `audit`: what was answered, and whether it still holds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.errors import QuoteError
from pincite.interfaces.cli import options
from pincite.interfaces.cli.explaining import print_reasons
from pincite.interfaces.cli.opening import find_original, open_asked, open_library
from pincite.interfaces.cli.output import (
    counted,
    print_columns,
    print_json,
    print_line,
    print_note,
    result_console,
)

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.ask.audit import AuditedAnswer
    from pincite.library.second_opinion import SecondOpinion
    from pincite.storage.journal import TraceSummary
    from pincite.types.trace import Bundle

_MARKS = {"holds": "✓", "moved": "→", "changed": "✗", "gone": "✗"}
_STYLES = {"holds": "green", "moved": "yellow", "changed": "red", "gone": "red"}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog="""\b
Examples:
  pincite trace
  pincite trace 3f9c1e07a2b4 --json

Prints the questions that were asked, newest first; with an ID the result and
how it came about, and with --json every step in full."""
    )(trace)
    app.command(
        epilog="""\b
Example:
  pincite replay 3f9c1e07a2b4 --from answer

Prints the new result, like `pincite ask`. The old trace stays."""
    )(replay)
    app.command(
        epilog="""\b
Example:
  pincite ask "What is the notice period?" contract.pdf --bundle answer.json
  pincite verify answer.json

Prints each cite and whether it holds; needs neither the library nor the
documents. Exits with 1 when one does not hold."""
    )(verify)
    app.command(
        epilog="""\b
Examples:
  pincite audit
  pincite audit --fix

Prints the stored answers: each cite holds, has moved to another place, has
changed (the document no longer says it), or its document is gone."""
    )(audit)


def trace(
    context: typer.Context,
    trace_id: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="The id of a result; none: list what was asked.", show_default=False),
    ] = None,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Show how a result came about, or list what was asked."""
    from pincite.rendering.terminal import print_result

    given = options.library_of(context, library)
    if trace_id is None:
        with open_library(given) as opened:
            _list_traces(opened.store.journal.traces(), as_json=as_json)
        return
    with open_asked(given, trace_id) as opened:
        found = opened.trace(trace_id)
        if as_json:
            print_json("trace", {"trace": found})
            return
        print_result(opened.result(trace_id), result_console())
        print_reasons(opened, found, result_console())


def _list_traces(traces: "tuple[TraceSummary, ...]", *, as_json: bool) -> None:
    if as_json:
        print_json("traces", {"traces": traces})
    elif traces:
        rows = [(t.trace_id, t.asked_at[:16].replace("T", " "), t.result, t.question) for t in traces]
        print_columns(result_console(), ("ID", "ASKED (UTC)", "RESULT", "QUESTION"), rows)
    else:
        print_note("nothing was asked yet")


def replay(
    context: typer.Context,
    trace_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id of a result; `pincite trace` lists them.", show_default=False)
    ],
    from_step: Annotated[
        options.StepName, typer.Option("--from", help="The first step to run again.", show_default=False)
    ],
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Run a question again from one of its steps, on what the step before it saved."""
    from pincite.rendering.terminal import print_result
    from pincite.types.answer import Answer

    with open_asked(options.library_of(context, library), trace_id) as opened:
        result = opened.replay(trace_id, from_step=from_step)
    if as_json:
        print_json("answer" if isinstance(result, Answer) else "refusal", result)
    else:
        print_result(result, result_console())


def verify(
    context: typer.Context,
    bundle: Annotated[str, typer.Argument(metavar="BUNDLE", help="A file of `ask --bundle`.", show_default=False)],
    second_opinion: Annotated[
        bool,
        typer.Option("--second-opinion", help="Also read the picture of each cited place, and say where they differ."),
    ] = False,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Check a saved answer offline: quotes, places, hashes and values.

    A second opinion needs the original, which is looked for in the library and in what was asked of files.
    """
    from pincite.verifying import check_bundle

    loaded = _bundle(bundle)
    checked = check_bundle(loaded)
    opinions = _opinions(loaded, options.library_of(context, library)) if second_opinion else ()
    good = all(one.holds for one in checked) and not any(one.verdict == "differs" for one in opinions)
    if as_json:
        seconds = {"second_opinions": opinions} if second_opinion else {}
        print_json("verified", {"holds": good, "citations": checked, **seconds})
    else:
        console = result_console()
        for one in checked:
            print_line(console, one.place, lead="✓ " if one.holds else "✗ ", style="green" if one.holds else "red")
            if one.reason:
                print_line(console, one.reason, lead="  ", style="red")
        n_held = sum(one.holds for one in checked)
        print_line(
            console,
            f"{n_held} of {counted(len(checked), 'cite')} {'holds' if n_held == 1 else 'hold'}"
            if checked
            else "a refusal: no cites",
        )
        for opinion in opinions:
            _print_opinion(opinion, console)
    if not good:
        raise typer.Exit(1)


def _opinions(bundle: "Bundle", library: str | None) -> "tuple[SecondOpinion, ...]":
    from pincite.library.second_opinion import second_opinions
    from pincite.parsing.ocr import OcrOptions
    from pincite.settings import Settings

    settings = Settings.load()
    options_of = OcrOptions(engine=settings.ocr_engine, timeout_s=settings.ocr_timeout_s)
    return second_opinions(bundle, lambda content_hash: find_original(content_hash, library), options_of)


def _print_opinion(opinion: "SecondOpinion", console: "Console") -> None:
    said = {"agrees": "the picture says the same", "differs": "the picture says something else"}
    words = said.get(opinion.verdict, opinion.reason or opinion.verdict)
    style = {"agrees": "green", "differs": "red"}.get(opinion.verdict, "yellow")
    print_line(console, f"{opinion.place}: {words}", lead="second opinion  ", style=style)
    if opinion.verdict == "differs":
        print_line(console, opinion.read or "", lead="  in the picture  ")
        print_line(console, ", ".join(opinion.differing), lead="  not in it       ")


def _bundle(path: str) -> "Bundle":
    import msgspec

    from pincite.types.trace import Bundle

    try:
        return msgspec.json.decode(Path(path).expanduser().read_bytes(), type=Bundle)
    except OSError as error:
        raise QuoteError(f"{path}: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise QuoteError(f"{path}: not a bundle of `pincite ask --bundle`: {error}") from error


def audit(
    context: typer.Context,
    fix: Annotated[
        bool, typer.Option("--fix", help="Store the present place of quotes that only moved; the rest stays.")
    ] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 3 when a quote is no longer there.")
    ] = False,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Check the stored answers against the documents as they are now."""
    with open_library(options.library_of(context, library)) as opened:
        answers = opened.audit(fix=fix)
    if as_json:
        print_json("audit", {"answers": answers})
    else:
        for answer in answers:
            _print_audited(answer)
        if not answers:
            print_note("there are no stored answers")
    if exit_code and any(answer.status in ("changed", "gone") for answer in answers):
        raise typer.Exit(3)


def _print_audited(answer: "AuditedAnswer") -> None:
    console = result_console()
    lead = f"{_MARKS[answer.status]} {answer.status:<8}"
    print_line(console, f"{answer.question}  ({answer.trace_id})", lead=lead, style=_STYLES[answer.status])
    for citation in answer.citations:
        if citation.status == "holds" and citation.source_changed:
            print_line(console, f"{citation.place}: holds, source changed since", lead="          ", style="dim")
        if citation.status != "holds":
            now = f", now {citation.now}{', fixed' if citation.is_fixed else ''}" if citation.now else ""
            print_line(console, f"{citation.place}: {citation.status}{now}", lead="          ", style="dim")

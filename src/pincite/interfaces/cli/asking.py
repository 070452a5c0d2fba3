"""`pincite ask`: a question to the library, or to files named on the spot."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.explaining import print_reasons
from pincite.interfaces.cli.live import watched
from pincite.interfaces.cli.opening import open_cached, open_library
from pincite.interfaces.cli.output import (
    note_console,
    print_error,
    print_json,
    print_note,
    print_warning,
    result_console,
)
from pincite.interfaces.cli.progress import Bars

if TYPE_CHECKING:
    from pincite.add import AddReport, FailedFile
    from pincite.library import Library
    from pincite.types.answer import Result

#: The exit code of a refusal where `--exit-code` asks for one.
REFUSED = 3
_ENDINGS = (".pdf", ".png", ".html")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="""\b
Examples:
  pincite ask "What is the notice period?" contract.pdf
  pincite ask "What are the options?" report.pdf --highlight cited.pdf
  pincite ask "How high was the revenue?" --doc annual.pdf --page 12 --json

Prints the answer, each item with its page, lines and quote, or what was
searched and read where there is no answer."""
    )(ask)


def _endings(paths: list[str] | None) -> list[str] | None:
    for path in paths or ():
        if Path(path).suffix.lower() not in _ENDINGS:
            raise typer.BadParameter(f"{path!r} has to end in .pdf, .png or .html")
    return paths


def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in quotes.", show_default=False)],
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Files or folders to answer from; none: the library.", show_default=False),
    ] = None,
    docs: options.Docs = None,
    where: options.Where = None,
    pages: Annotated[
        list[str] | None,
        typer.Option(
            "--page", metavar="PAGE", help="Answer from this page only; may be given again.", show_default=False
        ),
    ] = None,
    shape: Annotated[
        options.Shape | None,
        typer.Option("--shape", help="The form of the answer (default: what the question asks).", show_default=False),
    ] = None,
    model: options.Model = None,
    ocr: options.Ocr = None,
    highlights: Annotated[
        list[str] | None,
        typer.Option(
            "--highlight",
            metavar="FILE",
            callback=_endings,
            show_default=False,
            help="Draw the cites: the PDF with highlights (.pdf), pictures (.png), a report (.html).",
        ),
    ] = None,
    bundle: Annotated[
        str | None,
        typer.Option(
            "--bundle",
            metavar="FILE",
            show_default=False,
            help="Save the answer with the lines it quotes, for `pincite verify`.",
        ),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say how the result came about.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 3 when there is no answer.")] = False,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Answer a question from documents, every item with a verified cite.

    With a PATH the answer comes from those files alone; they are parsed into a cache. Without one it comes from the
    library.
    """
    from pincite.types.answer import Refusal

    _check(question, paths, library)
    question = options.typed(question)
    with ExitStack() as stack:
        bars = stack.enter_context(Bars())
        if paths:
            opened, report = stack.enter_context(open_cached(paths, bars, model=model, ocr=ocr))
            failed = _failed(report)
        else:
            opened = stack.enter_context(open_library(options.library_of(context, library), bars=bars, model=model))
            opened.warm()
            failed = ()
        bars.end()
        result = _with_failures(
            watched(opened.ask_events(question, docs=docs or (), pages=pages or (), shape=shape, where=where)),
            [f.name for f in failed],
        )
        # Drawn before it is printed: a reader of the output who goes away early does not lose the files.
        written = _write(opened, result, highlights or (), bundle)
        _print(result, failed, as_json=as_json)
        if explain:
            print_reasons(opened, opened.trace(result.trace_id), note_console() if as_json else result_console())
    if not written:
        raise typer.Exit(1)
    if exit_code and isinstance(result, Refusal):
        raise typer.Exit(REFUSED)


def _check(question: str, paths: Sequence[str] | None, library: str | None) -> None:
    if paths and library:
        raise typer.BadParameter("with a PATH the answer comes from those files alone; leave out --library or the PATH")
    if paths and len(question) < 1000 and "\0" not in question and Path(question).is_file():
        raise typer.BadParameter(f"the question comes before the paths, and {question!r} is a file")


def _failed(report: "AddReport") -> "Sequence[FailedFile]":
    """Return the files that could not be read, where others could.

    Raises:
        SourceError: none could be read; the message gives the first reason.

    """
    from pincite.errors import SourceError

    if report.failed and not report.doc_ids:
        others = f" (and {len(report.failed) - 1} more could not be read)" if len(report.failed) > 1 else ""
        problem = SourceError(f"{report.failed[0].message}{others}")
        # The reason of the one file is the reason of the command.
        problem.code = report.failed[0].code  # type: ignore[misc]
        raise problem
    return report.failed


def _with_failures(result: "Result", names: Sequence[str]) -> "Result":
    """Return the result with a caveat for the files that could not be read: the answer may be in them."""
    if not names:
        return result
    from msgspec.structs import replace

    caveats = (*result.signals.caveats, *(f"{name} could not be read; it may say more" for name in names))
    return replace(result, signals=replace(result.signals, caveats=caveats))


def _print(result: "Result", failed: "Sequence[FailedFile]", *, as_json: bool) -> None:
    from pincite.rendering.terminal import print_result
    from pincite.types.answer import Answer

    for one in failed:
        print_warning(f"{one.code}: {one.message}")
    if as_json:
        print_json("answer" if isinstance(result, Answer) else "refusal", result)
    else:
        print_result(result, result_console())


def _write(library: "Library", result: "Result", highlights: Sequence[str], bundle: str | None) -> bool:
    """Write what was asked for beside the answer; return whether all of it could be written."""
    from pincite.errors import PinciteError
    from pincite.types.answer import Answer
    from pincite.types.record import dump_json

    good = True
    for path in highlights:
        if not isinstance(result, Answer) and not path.lower().endswith(".html"):
            print_note(f"no answer, so nothing to draw in {path}")
            continue
        try:
            print_note(f"cites drawn in {library.highlight(result, path)}")
        except (PinciteError, OSError) as problem:
            print_error(str(problem))
            good = False
    if bundle is not None:
        try:
            Path(bundle).write_bytes(dump_json(library.bundle(result.trace_id)))
            print_note(f"bundle saved in {bundle}")
        except OSError as problem:
            print_error(f"{bundle}: {problem.strerror or problem}")
            good = False
    return good

"""`pincite search`: retrieval alone, with its reasons."""

from typing import TYPE_CHECKING, Annotated

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import open_library
from pincite.interfaces.cli.output import print_json, print_line, print_note, result_console
from pincite.interfaces.cli.places import citation_of, place_of

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.library import Library
    from pincite.types.retrieval import Candidate

#: How many lines of a place are shown, and how many other places of the same text.
_LINES, _PLACES = 4, 5


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="""\b
Examples:
  pincite search "supply chain risk"
  pincite search "positional encoding" --method keyword --top-k 3

Prints the best places first: where, in which section, found by what, and the
lines themselves. Nothing is answered."""
    )(search)


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words or a question, in quotes.", show_default=False)],
    method: Annotated[
        options.Method, typer.Option("--method", help="Search by words, meaning, contents, page, or all.")
    ] = "hybrid",
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=1000, metavar="K", help="Show at most K places.")] = 10,
    docs: options.Docs = None,
    where: options.Where = None,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Find the places that may hold an answer, with the reasons."""
    with open_library(options.library_of(context, library)) as opened:
        if method in ("dense", "hybrid"):
            opened.warm()
        found = opened.search(options.typed(query), docs=docs or (), where=where, method=method, top_k=top_k)
        if as_json:
            print_json("search", found)
            return
        console = result_console()
        for number, candidate in enumerate(found.candidates):
            if number:
                console.print()
            _print_candidate(console, opened, candidate)
    if not found.candidates:
        print_note(found.not_found_reason or "nothing was found")
    if found.missing_keywords:
        print_note(f"nowhere found: {', '.join(found.missing_keywords)}")


def _print_candidate(console: "Console", library: "Library", candidate: "Candidate") -> None:
    from msgspec.structs import replace

    lead = f"{candidate.rank}. "
    before = " " * len(lead)
    print_line(console, place_of(library, candidate.anchor), lead=lead, style="bold")
    if candidate.section:
        print_line(console, " › ".join(candidate.section), lead=before, style="dim")
    print_line(console, candidate.reason, lead=before, style="dim")
    if candidate.also:
        shown = "; ".join(place_of(library, place) for place in candidate.also[:_PLACES])
        more = f" and {len(candidate.also) - _PLACES} more" if len(candidate.also) > _PLACES else ""
        print_line(console, f"the same text: {shown}{more}", lead=before, style="dim")
    # The lines that were found, and what comes next where they are few.
    last = max(candidate.anchor.last_line_id, min(candidate.context.last_line_id, candidate.anchor.first_line_id + 2))
    citation = citation_of(library, replace(candidate.anchor, last_line_id=last))
    lines = citation.quote.split("\n") if citation else []
    for line in lines[:_LINES]:
        print_line(console, line.replace("\t", "    "), lead=f"{before}│ ", style="italic")
    if len(lines) > _LINES:
        print_line(console, "…", lead=f"{before}│ ", style="dim")

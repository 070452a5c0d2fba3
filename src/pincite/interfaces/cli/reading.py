"""`pincite show`, `toc` and `tables`: one document as it was parsed."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.errors import SettingsError
from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import open_library
from pincite.interfaces.cli.output import (
    counted,
    print_columns,
    print_json,
    print_line,
    print_note,
    result_console,
)
from pincite.interfaces.cli.places import page_named
from pincite.interfaces.cli.table_text import print_table

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.types.document import DocumentRecord, Line, ModelProfile, Page, ParsedDocument

#: A start of less confidence is marked.
UNSURE = 0.7

_Page = Annotated[
    str | None,
    typer.Option(
        "--page",
        metavar="PAGE",
        help="The number printed on the page, else its position in the file; `sheet 8` always means the position.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog="""\b
Examples:
  pincite show report.pdf
  pincite show report.pdf --page 6 --lines 33-37

Prints what is known of the document; with --page or --lines its lines, with
the line numbers that cites name."""
    )(show)
    app.command(
        epilog="""\b
Example:
  pincite toc report.pdf

Prints the contents: page and line of each section, where the entry was read
(with ? where only a page or height tells its start), and its title."""
    )(toc)
    app.command(
        epilog="""\b
Example:
  pincite tables report.pdf --page 12

Prints each table with its place, caption and cells."""
    )(tables)


def show(
    context: typer.Context,
    doc: options.Document,
    page: _Page = None,
    lines: Annotated[
        str | None,
        typer.Option("--lines", metavar="A-B", help="Line A, or lines A to B, of the page.", show_default=False),
    ] = None,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Show a document, a page, or lines of it."""
    first, last = _range(lines)
    with open_library(options.library_of(context, library)) as opened:
        record, document = opened.store.resolve(doc), opened.document(doc)
    if page is None and lines is None:
        _show_document(record, document, as_json=as_json)
        return
    wanted = _page(document, page)
    found = [
        line
        for line in document.lines
        if (wanted is None or line.page_num == wanted.page_num)
        and first <= (line.line_num if wanted else line.line_id) <= last
        and line.layer != "hidden"
    ]
    if as_json:
        print_json("lines", {"doc_id": record.doc_id, "doc_name": record.name, "lines": found})
        return
    _print_lines(result_console(), found)
    if not found:
        print_note("there are no such lines")


def _range(lines: str | None) -> tuple[int, int]:
    if lines is None:
        return 1, 2**62
    match = re.fullmatch(r"\s*(\d{1,9})\s*(?:[-–:]\s*(\d{1,9})\s*)?", lines)
    if match is None:
        raise typer.BadParameter(f"--lines {lines!r}: use a line or a range, as 33 or 33-37")
    first = int(match.group(1))
    last = int(match.group(2) or first)
    if last < first:
        raise typer.BadParameter(f"--lines {lines!r}: the range ends before it begins")
    return first, last


def _page(document: "ParsedDocument", asked: str | None) -> "Page | None":
    if asked is None:
        return document.pages[0] if len(document.pages) == 1 else None
    page = page_named(document.pages, asked)
    if page is None:
        raise SettingsError(f"there is no page {asked!r}: {document.name} has {counted(len(document.pages), 'page')}")
    return page


def _print_lines(console: "Console", lines: "Sequence[Line]") -> None:
    """Print lines with their numbers, as `cat -n` does; a page change is an empty line."""
    width = max((len(str(line.line_num)) for line in lines), default=1)
    page = lines[0].page_num if lines else 0
    for line in lines:
        if line.page_num != page:
            console.print()
            page = line.page_num
        print_line(console, line.text.replace("\t", "    "), lead=f"{line.line_num:>{width}}  ")


def _show_document(record: "DocumentRecord", document: "ParsedDocument", *, as_json: bool) -> None:
    if as_json:
        print_json("document", {"document": record, "pages": document.pages})
        return
    from pincite.add import document_warnings

    summary = document.parsing_summary
    facts = [
        ("Name", record.name),
        ("From", record.uri),
        ("Title", summary.title),
        ("Type", " · ".join(filter(None, (summary.doc_type, record.media_type, summary.language)))),
        ("Extent", f"{counted(record.n_pages, 'page')}, {counted(record.n_lines, 'line')}, {record.n_bytes:,} bytes"),
        ("Contents", _contents_words(document)),
        ("Tables", str(len(document.tables)) if document.tables else None),
        ("Names", _names_words(document)),
        ("Fields", ", ".join(summary.typical_fields)),
        ("Summary", _summary_words(document)),
        ("Added", record.added_at[:16].replace("T", " ")),
        ("Parser", record.parser),
        ("SHA-256", record.content_hash),
        ("Id", record.doc_id),
    ]
    console = result_console()
    for name, value in facts:
        if value:
            print_line(console, value, lead=f"{name:<10}")
    if summary.model_profile is not None:
        _print_profile(console, summary.model_profile, document)
    for warning in document_warnings(document, has_text=record.status == "ready"):
        print_line(console, warning, lead="! ", style="yellow")


def _contents_words(document: "ParsedDocument") -> str:
    """Return how many sections there are, from where, and of how many the start is unsure."""
    if not document.toc:
        return "none"
    counts = Counter(section.origin for section in document.toc)
    origins = ", ".join(origin if len(counts) == 1 else f"{n} from {origin}" for origin, n in counts.items())
    unsure = sum(section.confidence < UNSURE for section in document.toc)
    said = f"from {origins}" if len(counts) == 1 else origins
    return f"{counted(len(document.toc), 'section')} ({said}{f'; {unsure} unsure' if unsure else ''})"


def _names_words(document: "ParsedDocument") -> str:
    """Return what text can name, by kind."""
    kinds = Counter(named.kind for named in document.objects)
    names = {"annex": "appendix" if kinds["annex"] == 1 else "appendice", "definition": "defined term"}
    return ", ".join(counted(n, names.get(kind, kind)) for kind, n in kinds.items())


def _summary_words(document: "ParsedDocument") -> str | None:
    """Return the sentences that sum a document up, and where they stand."""
    from pincite.types.citation import Verdict
    from pincite.verifying import CitedDocument

    summary = document.parsing_summary
    if not summary.summary:
        return None
    cited = CitedDocument(document, doc_id="", name=document.name)
    places, run = [], list[int]()
    for line_id in (*summary.summary_line_ids, None):
        if run and line_id != run[-1] + 1:
            lines = document.lines_between(run[0], run[-1])
            places.append(cited.citation_of_lines(lines, Verdict(status="verified")).place)
            run = []
        if line_id is not None:
            run.append(line_id)
    return f"{' '.join(summary.summary.split(chr(10)))} ({'; '.join(places)})"


def _print_profile(console: "Console", profile: "ModelProfile", document: "ParsedDocument") -> None:
    """Print what a model said, told apart from what rules found; its quotes with their place."""
    said = " · ".join(filter(None, (profile.doc_type, ", ".join(profile.typical_fields))))
    print_line(console, f"{said}  (says {profile.model})", lead="Profile   ")
    labels = {page.page_num: page.label or str(page.page_num) for page in document.pages}
    for quoted in profile.summary:
        page = f"p.{labels[quoted.page_num]} " if len(document.pages) > 1 else ""
        print_line(console, f"“{quoted.text}”  {page}l.{quoted.line_num}", lead="          ")


def toc(
    context: typer.Context,
    doc: options.Document,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Show the table of contents of a document."""
    with open_library(options.library_of(context, library)) as opened:
        record = opened.store.resolve(doc)
        sections, pages = opened.store.toc(record.doc_id), opened.store.pages(record.doc_id)
    if as_json:
        print_json("toc", {"doc_id": record.doc_id, "doc_name": record.name, "sections": sections})
        return
    if not sections:
        print_note(f"{record.name} has no contents")
        return
    labels = {page.page_num: page.label or str(page.page_num) for page in pages}
    rows = [
        (
            labels.get(s.start_page, str(s.start_page)),
            str(s.start_line or ""),
            s.origin + ("?" if s.confidence < UNSURE else ""),
            "  " * (s.level - 1) + s.title,
        )
        for s in sections
    ]
    print_columns(result_console(), ("PAGE", "LINE", "FROM", "SECTION"), rows, right=(0, 1))


def tables(
    context: typer.Context,
    doc: options.Document,
    page: _Page = None,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Show the tables of a document."""
    with open_library(options.library_of(context, library)) as opened:
        record, document = opened.store.resolve(doc), opened.document(doc)
    wanted = None if page is None else _page(document, page)
    found = [table for table in document.tables if wanted is None or table.page_num == wanted.page_num]
    if as_json:
        print_json("tables", {"doc_id": record.doc_id, "doc_name": record.name, "tables": found})
        return
    if not found:
        print_note(f"{record.name} has no tables" + ("" if page is None else f" on page {page}"))
    for number, table in enumerate(found):
        if number:
            result_console().print()
        print_table(result_console(), table, document)

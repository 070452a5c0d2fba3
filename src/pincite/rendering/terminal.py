"""Print an answer or a refusal in a terminal; what a document says cannot steer the terminal."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pincite.rendering.citing import NumberedCitation, Numbering, number_citations, number_each
from pincite.rendering.signals import refusal_words, signal_words
from pincite.rendering.values import beside
from pincite.rendering.verdicts import layer_text, receipt, verdict_mark
from pincite.rendering.visible import many_lines, one_line
from pincite.types.answer import Answer, Cells, Refusal, Result, Signals
from pincite.types.citation import Citation

#: Lines wider than this are hard to read, however wide the window is.
_WIDTH = 80

#: Returns lines that say why a result came out as it did; printed dim below it.
Explain = Callable[[Result], Sequence[str]]


def print_result(result: Result, console: Console, *, explain: Explain | None = None) -> None:
    """Print `result`: question, items with their cites and quotes, caveats, signals; or the refusal.

    Where `console` is no terminal, the same words come plain: no colour and no control character. Text of
    documents, questions and names is never read as markup, and its control characters are written out.
    """
    width = min(_WIDTH, console.width) if console.is_terminal else _WIDTH
    page = _Page(console, width)
    page.line(one_line(result.question), "bold")
    page.gap()
    if isinstance(result, Answer):
        _answer(result, page)
    else:
        _refusal(result, page)
    for reason in explain(result) if explain else ():
        page.line(many_lines(reason), "dim")


class _Page:
    """Lines of text on a console, wrapped at one width, without trailing blanks."""

    def __init__(self, console: Console, width: int) -> None:
        self._console = console
        self._width = width

    def line(self, text: str | Text, style: str = "", *, lead: str = "", bar: str | None = None) -> None:
        """Print a paragraph, wrapped: `lead` before its first line, `bar` (or blanks) before the others."""
        shown = text if isinstance(text, Text) else Text(text, style=style)
        before = lead
        for piece in shown.wrap(self._console, self.room(lead)):
            piece.rstrip()
            whole = self.encodable(Text.assemble((before, "dim"), piece))
            self._console.print(whole, soft_wrap=True, highlight=False)
            before = " " * len(lead) if bar is None else bar

    def room(self, lead: str) -> int:
        """Return how many columns are left after `lead`."""
        return max(20, self._width - len(lead))

    def encodable(self, text: Text) -> Text:
        """Return `text` with what the output's encoding lacks (an old Windows code page) written out."""
        encoding = self._console.encoding
        plain = text.plain.encode(encoding, "backslashreplace").decode(encoding)
        return text if plain == text.plain else Text(plain, style=text.style)

    def gap(self) -> None:
        """Print an empty line."""
        self._console.print()

    def table(self, table: Table) -> None:
        """Print a table no wider than the page."""
        self._console.print(Padding(table, (0, 0, 0, 0)), width=self._width, highlight=False)


def _answer(answer: Answer, page: _Page) -> None:
    numbering = number_citations(answer.items)
    if answer.summary:
        page.line(many_lines(answer.summary))
        page.gap()
    if answer.columns and all(isinstance(item.value, Cells) for item in answer.items):
        _table(answer, numbering, page)
        for numbered in numbering.citations:
            _cite(numbered, page, indent=0)
    else:
        _items(answer, numbering, page)
    for number, other in enumerate(answer.see_also, start=len(numbering.citations) + 1):
        page.line(f"See also: what “{one_line(other.label)}” means", "bold")
        _cite(NumberedCitation(number=number, citation=other.citation, item_nums=(0,)), page, indent=0)
    if answer.see_also:
        page.gap()
    _notes(answer.signals, page)
    page.line(" · ".join(signal_words(answer.signals)), "dim")


def _items(answer: Answer, numbering: Numbering, page: _Page) -> None:
    """Print each item with the cites that appear first in it; later ones are named by number."""
    by_number = {numbered.number: numbered for numbered in numbering.citations}
    for item_num, item in enumerate(answer.items, start=1):
        number = f"{item_num}. " if len(answer.items) > 1 else ""
        text = Text(many_lines(item.text))
        value = beside(item.text, item.value)
        if value:
            text += Text(f"  = {one_line(value)}", style="bold")
        numbers = "".join(f"[{n}]" for n in numbering.by_item[item_num - 1])
        page.line(text + Text(f" {numbers}", style="cyan"), lead=number)
        for n in numbering.by_item[item_num - 1]:
            if by_number[n].item_num == item_num:
                _cite(by_number[n], page, indent=len(number))
        page.gap()


def _cite(numbered: NumberedCitation, page: _Page, *, indent: int) -> None:
    """Print a place with its verdict, and the quote below it."""
    citation = numbered.citation
    mark = verdict_mark(citation.verdict)
    colour = "red" if citation.verdict.status == "rejected" else "green"
    folded = f" ({receipt(citation.verdict)})" if citation.verdict.match == "folded" else ""
    head = Text(f"[{numbered.number}] {one_line(str(citation))} ", style="dim")
    layer = layer_text(citation.layer)
    beside = one_line(folded) + (f" · {layer}" if layer else "")
    page.line(head + Text(mark, style=colour) + Text(beside, style="dim"), lead=" " * indent)
    if citation.link is not None:
        page.line(one_line(citation.link), "dim", lead=" " * (indent + 2))
    _quote(citation, page, indent=indent + 2)


def _quote(citation: Citation, page: _Page, *, indent: int) -> None:
    """Print a quote line by line as in the source; where its lines are too long, as one paragraph."""
    bar = " " * indent + "│ "
    lines = many_lines(citation.quote).split("\n")
    if any(cell_len(line) > page.room(bar) for line in lines):
        lines = [" ".join(line.strip() for line in lines)]
    for line in lines:
        page.line(line or " ", "italic", lead=bar, bar=bar)


def _table(answer: Answer, numbering: Numbering, page: _Page) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in (*answer.columns, ""):
        table.add_column(page.encodable(Text(one_line(column))))
    for item, numbers in zip(answer.items, numbering.by_item, strict=True):
        cells = item.value.cells if isinstance(item.value, Cells) else ()
        padded = [*cells, *[""] * (len(answer.columns) - len(cells))][: len(answer.columns)]
        cites = "".join(f"[{number}]" for number in numbers)
        table.add_row(*(page.encodable(Text(many_lines(cell))) for cell in padded), Text(cites, style="cyan"))
    page.table(table)
    page.gap()


def _notes(signals: Signals, page: _Page) -> None:
    if signals.conflicting_evidence:
        page.line("The sources disagree; both are cited.", "yellow", lead="! ")
    for caveat in signals.caveats:
        page.line(many_lines(caveat), "yellow", lead="! ")


def _refusal(refusal: Refusal, page: _Page) -> None:
    words = refusal_words(refusal)
    page.line(f"No answer: {words.reason[0].lower()}{words.reason[1:]}.", "bold yellow")
    page.line(many_lines(refusal.message))
    page.gap()
    page.line(words.searched, "dim", lead="Searched  ")
    terms = ", ".join(f"{one_line(term.term)} ({term.hits})" for term in refusal.searched.terms)
    if terms:
        page.line(terms, "dim", lead="Terms     ")
    page.line(words.read, "dim", lead="Read      ")
    for unread in refusal.unreadable_pages:
        where = f"{one_line(unread.doc_name)} p.{unread.page}"
        page.line(f"{where} could not be read: {one_line(unread.reason)}", "yellow", lead="! ")
    _notes(refusal.signals, page)
    if refusal.nearest:
        page.gap()
        page.line("Nearest passages (these do not answer the question):", "dim")
        for numbered in number_each(refusal.nearest):
            page.line(f"{one_line(str(numbered.citation))}", "dim", lead="  ")
            _quote(numbered.citation, page, indent=4)

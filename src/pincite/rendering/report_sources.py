"""One card of a report for each citation: quote, verdict, and the page or lines it stands on."""

from pincite.errors import PinciteError
from pincite.rendering.citing import NumberedCitation
from pincite.rendering.excerpt import ShownLine, cited_page_lines, data_uri, page_excerpt, shown_lines
from pincite.rendering.markup import Child, Html, tag
from pincite.rendering.originals import Access, as_pdf
from pincite.rendering.page_image import Paper, paper_of
from pincite.rendering.report_style import tint_class
from pincite.rendering.verdicts import layer_text, receipt, value_text, verdict_mark
from pincite.types.citation import Citation, Span

#: How much larger than on paper a piece of a page is shown where there is room.
_MAGNIFIED = 1.35
#: Pages kept as pixels, about six megabytes each.
_KEPT_PAPERS = 4


class Sources:
    """Makes the cards of one report; a page that neighbouring citations share is drawn once."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._papers: dict[tuple[str, int], Paper | None] = {}

    def article(self, numbered: NumberedCitation) -> Html:
        """Return the card of one citation."""
        citation = numbered.citation
        colour = tint_class(numbered.item_num)
        heading_id = f"c{numbered.number}-place"
        number = tag("span", str(numbered.number), class_=f"n {colour}", aria_hidden="true")
        crumb = tag("p", " › ".join(citation.section), class_="crumb", dir="auto") if citation.section else None
        shown: list[Child] = [*self._pictures(numbered)]
        if not shown:
            shown = [_lines(shown_lines(self._access, citation), citation, colour)]
        return tag(
            "article",
            tag("div", number, tag("h3", str(citation), id=heading_id), class_="head"),
            crumb,
            _link(citation),
            tag("blockquote", citation.quote, class_=f"quote {colour}", dir="auto"),
            _verdict(citation),
            *shown,
            class_="source",
            id=f"c{numbered.number}",
            aria_labelledby=heading_id,
        )

    def _pictures(self, numbered: NumberedCitation) -> list[Html]:
        """Return a picture for each page the citation has boxes on; none where there is nothing to draw."""
        citation = numbered.citation
        figures = []
        for page_num in sorted({box.page for box in citation.boxes}):
            paper = self._paper(citation, page_num)
            lines = cited_page_lines(self._access, citation, page_num)
            image = page_excerpt(paper, numbered, lines, page_num) if paper else None
            if image is None or paper is None:
                continue
            place = citation.place if page_num == citation.page else f"p.{page_num}"
            alt = f"Part of {citation.doc_name}, {place}, with the quoted lines highlighted."
            # 96 CSS pixels are 72 points on a screen.
            width = round(image.width / paper.px_per_pt * 96 / 72 * _MAGNIFIED)
            picture = tag("img", src=data_uri(image), alt=alt, style=f"--w: {width}px")
            view = tag(
                "div", picture, class_="figure", tabindex="0", role="region", aria_label=f"Page picture, {place}"
            )
            figures.append(tag("figure", view))
        return figures

    def _paper(self, citation: Citation, page_num: int) -> Paper | None:
        key = (citation.doc_id, page_num)
        if key not in self._papers:
            while len(self._papers) >= _KEPT_PAPERS:
                self._papers.pop(next(iter(self._papers)))
            self._papers[key] = self._drawn(citation, page_num)
        return self._papers[key]

    def _drawn(self, citation: Citation, page_num: int) -> Paper | None:
        original = as_pdf(self._access.originals(citation.doc_id))
        if original is None:
            return None
        password = self._access.password_of(citation.doc_id)
        try:
            return paper_of(original, page_num, name=citation.doc_name, password=password)
        except PinciteError:
            # The quote and its lines are in the library; only the picture is lost.
            return None


def _link(citation: Citation) -> Html | None:
    """Return a link to the place in a browser, where there is one that a browser may follow."""
    if citation.link is None or not citation.link.startswith(("https://", "http://")):
        return None
    return tag("p", tag("a", citation.link, href=citation.link, rel="noreferrer noopener"), class_="crumb")


def _verdict(citation: Citation) -> Html:
    verdict = citation.verdict
    mark = tag("b", verdict_mark(verdict), class_="bad" if verdict.status == "rejected" else None)
    parts = [receipt(verdict), value_text(verdict), verdict.reason, layer_text(citation.layer)]
    return tag("p", mark, "".join(f" · {part}" for part in parts if part), class_="verdict")


def _lines(lines: tuple[ShownLine, ...], citation: Citation, colour: str) -> Html | None:
    """Return cited lines with their numbers and context, the quoted part marked, cells of tables in columns."""
    if not lines:
        return None
    n_cols = 1 + max(line.text.count("\t") for line in lines)
    rows = [
        tag(
            "tr",
            tag("th", str(line.line_num), scope="row"),
            *_cells(line, colour, n_cols),
            class_="cited" if line.cited else None,
        )
        for line in lines
    ]
    caption = tag("caption", f"Lines of {citation.doc_name}, with what stands around them.")
    table = tag("table", caption, *rows, class_="lines" if n_cols == 1 else "lines columns")
    return tag("div", table, class_="linebox")


def _cells(line: ShownLine, colour: str, n_cols: int) -> list[Html]:
    """Return the cells of a row, which tabs part; running text goes over all columns."""
    if "\t" not in line.text:
        span = str(n_cols) if n_cols > 1 else None
        return [tag("td", *_marked(line.text, line.quoted, colour), dir="auto", colspan=span)]
    cells = []
    start = 0
    for text in line.text.split("\t"):
        quoted = _within(line.quoted, start, start + len(text))
        cells.append(tag("td", *_marked(text, quoted, colour), dir="auto"))
        start += len(text) + 1
    rest = n_cols - len(cells)
    return [*cells, *([tag("td", colspan=str(rest))] if rest else [])]


def _within(quoted: Span | None, start: int, end: int) -> Span | None:
    """Return the part of a span that lies in a cell, counted from the start of the cell."""
    if quoted is None or min(quoted.end, end) <= max(quoted.start, start):
        return None
    return Span(start=max(quoted.start, start) - start, end=min(quoted.end, end) - start)


def _marked(text: str, quoted: Span | None, colour: str) -> list[Child]:
    if quoted is None:
        return [text]
    marked = tag("mark", text[quoted.start : quoted.end], class_=colour)
    return [text[: quoted.start], marked, text[quoted.end :]]

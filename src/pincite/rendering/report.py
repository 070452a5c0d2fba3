"""Write an answer or a refusal as one HTML page that stands alone: no script, nothing fetched."""

from collections.abc import Sequence

from pincite.rendering.citing import NumberedCitation, Numbering, number_citations, number_each
from pincite.rendering.markup import Child, Html, join, tag
from pincite.rendering.originals import Access
from pincite.rendering.report_sources import Sources
from pincite.rendering.report_style import stylesheet, tint_class
from pincite.rendering.signals import refusal_words, signal_words
from pincite.rendering.values import beside
from pincite.types.answer import Answer, Cells, Item, Refusal, Result, Signals

#: Nothing may run or be fetched, whatever the page holds.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def report_html(result: Result, access: Access) -> str:
    """Return the report of a result as a whole HTML document.

    Pictures are cut from the originals that `access` has; where it has none, lines are shown instead. All
    text of documents, questions and names is escaped.
    """
    body = _answer(result, access) if isinstance(result, Answer) else _refusal(result, access)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", f"{result.question} — pincite"),
        Html(f"<style>{stylesheet()}</style>"),
    )
    header = tag(
        "header",
        tag("p", "pincite · " + ("answer" if isinstance(result, Answer) else "no answer"), class_="brand"),
        tag("h1", result.question, dir="auto"),
    )
    footer = tag("footer", tag("p", f"Every quote was looked up in its document by code. Trace {result.trace_id}."))
    page = tag("html", head, tag("body", header, tag("main", *body), footer), lang="en")
    return f"<!doctype html>\n{page.code}\n"


def _answer(answer: Answer, access: Access) -> Sequence[Child]:
    numbering = number_citations(answer.items)
    sources = Sources(access)
    return [
        tag("h2", "Answer"),
        tag("p", answer.summary, class_="summary", dir="auto") if answer.summary else None,
        _table(answer, numbering) if _is_table(answer) else _list(answer.items, numbering),
        _caveats(answer.signals),
        tag("ul", *(tag("li", words) for words in signal_words(answer.signals)), class_="signals"),
        tag("h2", "Sources"),
        *(sources.article(numbered) for numbered in numbering.citations),
        *_see_also(answer, len(numbering.citations), sources),
    ]


def _see_also(answer: Answer, n_cited: int, sources: Sources) -> Sequence[Child]:
    """Return what is beside the answer, no part of it: the definitions of terms that it uses."""
    parts: list[Child] = [tag("h2", "See also")] if answer.see_also else []
    for number, other in enumerate(answer.see_also, start=n_cited + 1):
        parts.append(tag("p", f"What “{other.label}” means:", dir="auto"))
        parts.append(sources.article(NumberedCitation(number=number, citation=other.citation, item_nums=(number,))))
    return parts


def _list(items: Sequence[Item], numbering: Numbering) -> Html:
    rows = [
        tag("li", item.text, _value(item), " ", _cites(item_num, numbering), dir="auto")
        for item_num, item in enumerate(items, start=1)
    ]
    return tag("ol", *rows, class_="items single" if len(rows) == 1 else "items")


def _is_table(answer: Answer) -> bool:
    return bool(answer.columns) and all(isinstance(item.value, Cells) for item in answer.items)


def _table(answer: Answer, numbering: Numbering) -> Html:
    """Return a table or comparison, a row an item, its sources in the last column."""
    heads = [tag("th", column, scope="col") for column in answer.columns]
    rows = []
    for item_num, item in enumerate(answer.items, start=1):
        cells = item.value.cells if isinstance(item.value, Cells) else ()
        padded = [*cells, *[""] * (len(answer.columns) - len(cells))]
        cites = tag("td", _cites(item_num, numbering))
        rows.append(tag("tr", *(tag("td", cell, dir="auto") for cell in padded), cites))
    head = tag("thead", tag("tr", *heads, tag("th", "Source", scope="col")))
    return tag("div", tag("table", head, tag("tbody", *rows), class_="answer"), class_="scroll")


def _value(item: Item) -> Html | None:
    words = beside(item.text, item.value)
    derived = f"{item.derivation.operator} of {', '.join(item.derivation.operands)}" if item.derivation else None
    shown = " = ".join(part for part in (words, derived) if part)
    return tag("span", shown, class_="value") if shown else None


def _cites(item_num: int, numbering: Numbering) -> Html:
    """Return the numbers of an item's citations as links to its sources."""
    by_number = {numbered.number: numbered for numbered in numbering.citations}
    links = [_cite(by_number[number]) for number in numbering.by_item[item_num - 1]]
    return tag("span", *links, class_="cites")


def _cite(numbered: NumberedCitation) -> Html:
    return tag(
        "a",
        str(numbered.number),
        href=f"#c{numbered.number}",
        class_=f"n {tint_class(numbered.item_num)}",
        aria_label=f"Source {numbered.number}: {numbered.citation}",
        title=str(numbered.citation),
    )


def _caveats(signals: Signals) -> Html | None:
    notes = (["The sources disagree; both are cited."] if signals.conflicting_evidence else []) + list(signals.caveats)
    return tag("ul", *(tag("li", note, dir="auto") for note in notes), class_="notes") if notes else None


def _refusal(refusal: Refusal, access: Access) -> Sequence[Child]:
    terms = [
        tag("li", f"{term.term} ", tag("b", str(term.hits)), class_=None if term.hits else "none")
        for term in refusal.searched.terms
    ]
    words = refusal_words(refusal)
    sources = Sources(access)
    nearest = [sources.article(numbered) for numbered in number_each(refusal.nearest)]
    pages = [tag("li", f"{page.doc_name} p.{page.page}: {page.reason}") for page in refusal.unreadable_pages]
    return [
        tag("div", tag("p", words.reason, class_="why"), tag("p", refusal.message, dir="auto"), class_="refusal"),
        _caveats(refusal.signals),
        *_section("Searched", [tag("p", words.searched), tag("ul", *terms, class_="terms") if terms else None]),
        *_section("Read", [tag("p", words.read)]),
        *_section("Pages that could not be read", [tag("ul", *pages)] if pages else []),
        *_section("Nearest passages", [tag("p", "These do not answer the question."), *nearest] if nearest else []),
    ]


def _section(title: str, content: Sequence[Child]) -> Sequence[Child]:
    return [tag("h2", title), join(content)] if content else []

"""Write an answer or a refusal as Markdown, and the rows of an answer as CSV; text of documents stays text in both."""

import csv
import io
import re
from collections.abc import Sequence

from pincite.rendering.citing import NumberedCitation, number_citations, number_each
from pincite.rendering.signals import refusal_words, signal_words
from pincite.rendering.values import beside, value_words
from pincite.rendering.verdicts import verdict_text
from pincite.rendering.visible import many_lines, one_line
from pincite.types.answer import Answer, Cells, Item, Refusal, Result

#: What Markdown could read as a mark anywhere in a line, or at its start (CommonMark 0.31, 2.4: any may be escaped).
_MARKS = re.compile(r"[\\`*_{}\[\]<>#|~&$!]|^[-+=](?=\s|$)|^-{2,}|(?<=^\d)[.)]|(?<=^\d\d)[.)]|(?<=^\d\d\d)[.)]")
#: What a spreadsheet reads as the start of a formula; a minus or plus before a number is a number.
_FORMULA = re.compile(r"[=@\t\r]|[-+](?!\s?[\d.,]+\s?%?$)")


def report_markdown(result: Result) -> str:
    """Return the report of a result as Markdown: items with numbered cites, and the quote of each cite below."""
    parts = _answer(result) if isinstance(result, Answer) else _refusal(result)
    title = f"# {_escaped(one_line(result.question))}"
    end = f"Every quote was looked up in its document by code. Trace {result.trace_id}."
    return "\n\n".join([title, *parts, end]) + "\n"


def report_csv(answer: Answer) -> str:
    r"""Return the items of an answer as CSV, a row each, with places and quotes in the last columns.

    A cell that a spreadsheet would run as a formula begins with an apostrophe.
    """
    is_table = _is_table(answer)
    heads = [*answer.columns] if is_table else ["item", "value"]
    out = io.StringIO()
    written = csv.writer(out, lineterminator="\r\n")
    written.writerow([_inert(cell) for cell in (*heads, "places", "quotes")])
    for item in answer.items:
        places = "; ".join(str(citation) for citation in item.citations)
        quotes = "\n\n".join(citation.quote for citation in item.citations)
        cells = _cells(item, len(answer.columns)) if is_table else [item.text, value_words(item.value) or ""]
        written.writerow([_inert(cell) for cell in (*cells, places, quotes)])
    return out.getvalue()


def _answer(answer: Answer) -> list[str]:
    numbering = number_citations(answer.items)
    cites = ["".join(f"[{n}]" for n in numbers) for numbers in numbering.by_item]
    parts = [_escaped(one_line(answer.summary))] if answer.summary else []
    if _is_table(answer):
        rows = [[*answer.columns, "Source"], ["---"] * (len(answer.columns) + 1)]
        shown = ["| " + " | ".join(_escaped(one_line(cell)) for cell in rows[0]) + " |", "|" + " --- |" * len(rows[0])]
        for item, cited in zip(answer.items, cites, strict=True):
            cells = [_escaped(one_line(cell)) for cell in _cells(item, len(answer.columns))]
            shown.append("| " + " | ".join([*cells, _escaped(cited)]) + " |")
        parts.append("\n".join(shown))
    else:
        parts.append("\n".join(f"{n}. {_said(item)} {_escaped(cites[n - 1])}" for n, item in _numbered(answer.items)))
    parts += [f"- {_escaped(one_line(caveat))}" for caveat in _caveats(answer)]
    parts += ["*" + " · ".join(_escaped(word) for word in signal_words(answer.signals)) + "*", "## Sources"]
    parts += [_source(numbered, verified=True) for numbered in numbering.citations]
    parts += ["## See also"] if answer.see_also else []
    for number, other in enumerate(answer.see_also, start=len(numbering.citations) + 1):
        defined = NumberedCitation(number=number, citation=other.citation, item_nums=(0,))
        parts.append(f"What “{_escaped(one_line(other.label))}” means: {_source(defined, verified=True)}")
    return parts


def _refusal(refusal: Refusal) -> list[str]:
    words = refusal_words(refusal)
    parts = [f"**{_escaped(words.reason)}.** {_escaped(one_line(refusal.message))}"]
    terms = ", ".join(f"{_escaped(one_line(term.term))} ({term.hits})" for term in refusal.searched.terms)
    parts.append(f"Searched: {words.searched}" + (f". Terms: {terms}" if terms else "") + f". Read: {words.read}.")
    parts += [
        f"- {_escaped(one_line(page.doc_name))} p.{page.page}: {_escaped(page.reason)}"
        for page in refusal.unreadable_pages
    ]
    parts += [f"- {_escaped(one_line(caveat))}" for caveat in refusal.signals.caveats]
    if refusal.nearest:
        parts += ["## Nearest passages", "These do not answer the question."]
        parts += [_source(numbered, verified=False) for numbered in number_each(refusal.nearest)]
    return parts


def _source(numbered: NumberedCitation, *, verified: bool) -> str:
    citation = numbered.citation
    head = f"**[{numbered.number}]** {_escaped(one_line(str(citation)))}"
    checked = f" — {_escaped(verdict_text(citation.verdict))}" if verified else ""
    quote = "\n".join(f"> {_escaped(line.strip())}  " for line in many_lines(citation.quote).split("\n"))
    return f"{head}{checked}\n\n{quote}"


def _caveats(answer: Answer) -> Sequence[str]:
    disagree = ["The sources disagree; both are cited."] if answer.signals.conflicting_evidence else []
    return [*disagree, *answer.signals.caveats]


def _numbered(items: Sequence[Item]) -> Sequence[tuple[int, Item]]:
    return list(enumerate(items, start=1))


def _said(item: Item) -> str:
    value = beside(item.text, item.value)
    return _escaped(one_line(item.text)) + (f" = **{_escaped(one_line(value))}**" if value else "")


def _is_table(answer: Answer) -> bool:
    return bool(answer.columns) and all(isinstance(item.value, Cells) for item in answer.items)


def _cells(item: Item, n_columns: int) -> list[str]:
    cells = item.value.cells if isinstance(item.value, Cells) else ()
    return [*cells, *[""] * (n_columns - len(cells))][:n_columns]


def _escaped(text: str) -> str:
    r"""Return a line in which Markdown reads no mark, link or HTML, without blanks around it.

    >>> print(_escaped("1. <b> [x](y)"))
    1\. \<b\> \[x\](y)
    """
    return _MARKS.sub(lambda mark: "\\" + mark.group(), text.strip())


def _inert(cell: str) -> str:
    """Return a cell that a spreadsheet shows as it is."""
    return "'" + cell if _FORMULA.match(cell) else cell

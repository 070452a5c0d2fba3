"""What models without structured output write, to a draft: text with `[n]` marks, or a small object around it."""

from collections.abc import Iterator

from pincite.answering.forms import CitedText
from pincite.answering.numbered_lines import NumberedLines
from pincite.text.amounts import find_quantities
from pincite.text.cite_marks import MarkedText, read_marks
from pincite.text.dates import find_dates
from pincite.text.sentences import sentence_spans
from pincite.types.answer import ClaimedQuote, Draft, DraftItem, Truth, Value
from pincite.types.question import GenerationBrief

_NOT_FOUND = "not found"
_MARKS_ALONE = " \t\n.,;:!?*_~"


def draft_of_text(text: str, brief: GenerationBrief, lines: NumberedLines) -> Draft | None:
    """Return the draft that marked text makes: an item for each sentence, quoted from the lines that it names.

    `None` when no mark names a line and the text does not say that nothing was found: then it is no answer in any
    form. A sentence without a mark has no quote, and is dropped by the check that comes next.
    """
    if text.strip().strip(".*_#\"'").casefold().startswith(_NOT_FOUND):
        return Draft(shape=brief.shape, items=(), reason="The model found no answer in the lines it was given.")
    marked = read_marks(text, len(lines))
    if not marked.sources:
        return None
    items = tuple(_items(text, marked, brief, lines))
    return Draft(
        shape=brief.shape,
        items=items,
        extraction_method="inferred",
        caveats=tuple(f"mark {reported}" for reported in marked.reported),
    )


def draft_of_cited(reply: CitedText, brief: GenerationBrief, lines: NumberedLines) -> Draft:
    """Return the draft of a text whose quotes are given beside it."""
    if reply.refused:
        return Draft(shape=brief.shape, items=(), reason="The model found no answer in the lines it was given.")
    marked = read_marks(reply.answer, max(len(lines), max((c.source for c in reply.citations), default=0)))
    quotes = tuple(claim for c in reply.citations if c.quote and (claim := lines.claim(c.source, c.source, c.quote)))
    if not quotes:
        loose = draft_of_text(reply.answer, brief, lines)
        problem = (f"{reply.answer!r} has no quote",)
        return loose or Draft(shape=brief.shape, items=(DraftItem(text=reply.answer, quotes=()),), problems=problem)
    text = marked.shown
    item = DraftItem(text=text, quotes=quotes, value=_value(text, quotes, brief))
    caveats = tuple(f"mark {reported}" for reported in marked.reported)
    return Draft(shape=brief.shape, items=(item,), caveats=caveats, extraction_method="inferred")


def _items(text: str, marked: MarkedText, brief: GenerationBrief, lines: NumberedLines) -> Iterator[DraftItem]:
    for sentence, sources in _sentences(text, marked):
        quotes: dict[str, ClaimedQuote] = {}
        for number in sources:
            unit, line = lines.unit_at(number), lines.line(number)
            if unit is not None:
                quotes.setdefault(unit.text, unit.quote())
            elif line is not None and (claim := lines.claim(number, number, line.line.text.strip())):
                quotes.setdefault(claim.quote, claim)
        claims = tuple(quotes.values())
        yield DraftItem(text=sentence, quotes=claims, value=_value(sentence, claims, brief))


def _sentences(text: str, marked: MarkedText) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each sentence with the sources of its marks; marks behind a full stop belong to the sentence before."""
    blanked = text
    for mark in marked.marks:
        start, end = mark.span.start, mark.span.end
        blanked = blanked[:start] + " " * (end - start) + blanked[end:]
    spans = sentence_spans(blanked)
    for position, span in enumerate(spans):
        begin = 0 if position == 0 else span.start
        end = spans[position + 1].start if position + 1 < len(spans) else len(text)
        sources = dict.fromkeys(s for m in marked.marks if begin <= m.span.start < end for s in m.sources)
        said = " ".join(blanked[span.start : span.end].split()).replace(" .", ".").lstrip("-*• ").strip()
        if said.strip(_MARKS_ALONE):
            yield said, tuple(sources)


def _value(text: str, quotes: tuple[ClaimedQuote, ...], brief: GenerationBrief) -> Value | None:
    """Return the value that a sentence states, as its quotes have it, where the question asks for one."""
    quoted = " ".join(quote.quote for quote in quotes)
    if brief.shape == "amount":
        known = {q.value.number: q.value for q in find_quantities(quoted)}
        return next((known.get(q.value.number, q.value) for q in find_quantities(text)), None)
    if brief.shape == "date":
        return next((date.value for date in find_dates(text)), None)
    if brief.shape == "boolean":
        first = text.casefold().split()[:1]
        return Truth(value=first[0].startswith(("yes", "ja", "oui", "sí"))) if first and _is_truth(first[0]) else None
    return None


def _is_truth(word: str) -> bool:
    return word.strip(",.:;!") in ("yes", "no", "ja", "nein", "oui", "non", "sí", "no")

"""Figures of years are looked up by the names of their rows, in whatever table of the document they stand."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pincite.answering.figures import figures_of, named_in, tables_with
from pincite.ask.drafting import found_in
from pincite.ask.loop import is_answer, joined_ranges
from pincite.ask.outcome import Found
from pincite.ask.tools import Tools
from pincite.protocols import CorrectingAnswerer
from pincite.questions import generation_brief
from pincite.types.document import DocumentRecord, ParsedDocument, Table
from pincite.types.passage import LineRange
from pincite.types.question import ParsedQuestion
from pincite.types.retrieval import Candidate, Detection, KeptPage, RetrievalResult

#: Rows are looked up in so many documents: those that the question names, else those that search puts first.
_DOCUMENTS: Final = 3
#: Lines above a table that may say what it is and what it counts in.
_ABOVE: Final = 4


def in_tables(
    question: ParsedQuestion, retrieval: RetrievalResult, scope: Sequence[DocumentRecord], tools: Tools
) -> Found | None:
    """Answer from the tables whose rows have the names of the figures asked for, wherever they stand.

    `retrieval` is what search found. `None` where no figure is asked for, or the rows do not answer it: then what
    search found is read.
    """
    if isinstance(tools.answerer, CorrectingAnswerer) or question.hints.pages or question.hints.places:
        return None
    brief = generation_brief(question)
    figures = figures_of(brief)
    if not figures:
        return None
    found = list(dict.fromkeys(c.anchor.doc_id for c in retrieval.candidates))
    named = named_in(brief, [record.name for record in scope])
    by_name = [record.doc_id for record in scope if record.name in named]
    doc_ids = sorted(by_name, key=lambda doc_id: found.index(doc_id) if doc_id in found else len(found)) or found
    read = retrieval
    for doc_id in doc_ids[:_DOCUMENTS]:
        document = tools.document_of(doc_id).document
        read = _with_tables(read, tables_with(figures, document), document, doc_id, is_first=read is retrieval)
    if read is retrieval:
        return None
    answered = found_in(question, read, tools)
    quotes = [quote for item in answered.draft.items for quote in item.quotes]
    if not all(quote.cell for quote in quotes) or not is_answer(answered, tools.settings.refusal_threshold):
        return None
    tools.recorder.keep("retrieval", "question", read)
    return answered


def _with_tables(
    retrieval: RetrievalResult, tables: Sequence[Table], document: ParsedDocument, doc_id: str, *, is_first: bool
) -> RetrievalResult:
    """Return a retrieval that reads tables, in place of what search found if they are the first."""
    if not tables:
        return retrieval
    before = () if is_first else retrieval.candidates
    ranges = [
        LineRange(doc_id=doc_id, first_line_id=max(1, t.first_line_id - _ABOVE), last_line_id=t.last_line_id)
        for t in tables
    ]
    places = tuple(
        Candidate(
            rank=len(before) + number,
            score=1.0,
            anchor=place,
            context=place,
            section=(table.caption,) if table.caption else (),
            detectors=(Detection(name="table", rank=len(before) + number, score=1.0),),
            role="table",
            reason=f"a table with rows of the names asked for (p.{table.page_num})",
        )
        for number, (place, table) in enumerate(zip(ranges, tables, strict=True), start=1)
    )
    lines = [line for place in ranges for line in document.lines_between(place.first_line_id, place.last_line_id)]
    pages = (KeptPage(doc_id=doc_id, page_num=number) for number in dict.fromkeys(line.page_num for line in lines))
    kept = () if is_first else retrieval.filtered_lines
    return replace(
        retrieval,
        candidates=(*before, *places),
        pages_kept=tuple(dict.fromkeys((*(() if is_first else retrieval.pages_kept), *pages))),
        filtered_lines=joined_ranges((*kept, *ranges)),
        not_found_reason=None,
        confidence=1.0,
    )

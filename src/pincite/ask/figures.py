"""Figures of years are looked up by the names of their rows, in whatever table of the document they stand."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.answering.figures import figures_of, named_in, tables_with
from pincite.ask.drafting import found_in, read
from pincite.ask.loop import is_answer, joined_ranges
from pincite.ask.outcome import Found
from pincite.ask.tools import Tools
from pincite.protocols import CorrectingAnswerer
from pincite.questions import generation_brief
from pincite.types.answer import Draft
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
    if isinstance(tools.answerer, CorrectingAnswerer) or not asks_for_figures(question):
        return None
    tables = _tables(question, retrieval, scope, tools)
    if tables is None:
        return None
    answered = found_in(question, tables, tools)
    if not _is_of_cells(answered.draft) or not is_answer(answered, tools.settings.refusal_threshold):
        return None
    tools.recorder.keep("retrieval", "question", tables)
    return answered


def asks_for_figures(question: ParsedQuestion) -> bool:
    """Return whether a question asks for figures of years, and for no page or place by name."""
    named = question.hints.pages or question.hints.places
    return not named and bool(figures_of(generation_brief(question)))


def figures_first(
    question: ParsedQuestion, retrieval: RetrievalResult, scope: Sequence[DocumentRecord], tools: Tools
) -> RetrievalResult:
    """Return what search found behind the rows of tables that state the figures asked for, where they are certain.

    As many candidates come back as search found. Asks no model; meant for what `asks_for_figures`.
    """
    if not retrieval.candidates:
        return retrieval
    tables = _tables(question, retrieval, scope, tools)
    if tables is None:
        return retrieval
    # Tables are looked up before anything is compared by meaning, so nothing is needed for that.
    draft = ExtractiveAnswerer().answer(generation_brief(question), read(tables, tools))
    if not draft.items or not _is_of_cells(draft):
        return retrieval
    places = list(dict(_cited(draft, tables)).items())
    first = [_candidate(place, table, number) for number, (place, table) in enumerate(places, start=1)]
    others = [c for c in retrieval.candidates if not any(_overlap(c.anchor, place) for place, _ in places)]
    found = [*first, *(replace(c, rank=len(first) + n) for n, c in enumerate(others, start=1))]
    return replace(
        retrieval,
        candidates=tuple(found[: len(retrieval.candidates)]),
        pages_kept=tuple(dict.fromkeys((*tables.pages_kept, *retrieval.pages_kept))),
        filtered_lines=joined_ranges((*(table.context for _, table in places), *retrieval.filtered_lines)),
        not_found_reason=None,
    )


def _is_of_cells(draft: Draft) -> bool:
    return all(quote.cell for item in draft.items for quote in item.quotes)


def _cited(draft: Draft, tables: RetrievalResult) -> Iterator[tuple[LineRange, Candidate]]:
    """Yield the lines of each cited cell with the table that it stands in, in the order of the answer."""
    for quote in (quote for item in draft.items for quote in item.quotes):
        place = LineRange(doc_id=quote.doc_id, first_line_id=quote.first_line_id, last_line_id=quote.last_line_id)
        table = next((c for c in tables.candidates if _overlap(c.context, place)), None)
        if table is not None:
            yield place, table


def _candidate(place: LineRange, table: Candidate, rank: int) -> Candidate:
    return replace(
        table,
        rank=rank,
        anchor=place,
        detectors=(Detection(name="table", rank=rank, score=1.0),),
        reason="the row of a table that states the figure asked for",
    )


def _overlap(one: LineRange, other: LineRange) -> bool:
    return (
        one.doc_id == other.doc_id
        and one.first_line_id <= other.last_line_id
        and other.first_line_id <= one.last_line_id
    )


def _tables(
    question: ParsedQuestion, retrieval: RetrievalResult, scope: Sequence[DocumentRecord], tools: Tools
) -> RetrievalResult | None:
    """Return a retrieval that reads the tables with rows of the names of the figures asked for; `None` without any."""
    brief = generation_brief(question)
    figures = figures_of(brief)
    if not figures:
        return None
    first = list(dict.fromkeys(c.anchor.doc_id for c in retrieval.candidates))
    named = named_in(brief, [record.name for record in scope])
    by_name = [record.doc_id for record in scope if record.name in named]
    doc_ids = sorted(by_name, key=lambda doc_id: first.index(doc_id) if doc_id in first else len(first)) or first
    found = retrieval
    for doc_id in doc_ids[:_DOCUMENTS]:
        document = tools.document_of(doc_id).document
        found = _with_tables(found, tables_with(figures, document), document, doc_id, is_first=found is retrieval)
    return None if found is retrieval else found


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

"""The pipeline read aloud, and the bounded loop around it."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from pincite.ask.drafting import found_in
from pincite.ask.figures import asks_for_figures, figures_first, in_tables
from pincite.ask.following import followed
from pincite.ask.loop import is_answer, look_further
from pincite.ask.multiple import has_parts, look_for_parts
from pincite.ask.named_places import at_named_places, passed_over
from pincite.ask.outcome import Found, answer_of, refusal_of
from pincite.ask.places import notes_of_copies
from pincite.ask.reading import reading_lines
from pincite.ask.terms import terms_used
from pincite.ask.tools import AskRequest, Tools
from pincite.protocols import CorrectingAnswerer, Store
from pincite.questions import StoreCorpus, generation_brief, parse_question, retrieval_query
from pincite.questions.editions import without_version
from pincite.questions.model import question_by_model
from pincite.questions.rules import day_meant, without_dates
from pincite.retrieval import superseded
from pincite.retrieval.editions import Edition
from pincite.retrieval.versions import families_of, has_number, not_in_force_yet
from pincite.types.answer import Refusal, Result
from pincite.types.document import DocumentRecord
from pincite.types.question import ParsedQuestion, RetrievalQuery, Scope
from pincite.types.record import to_json
from pincite.types.retrieval import RetrievalResult
from pincite.types.trace import DocumentState, Trace


def ask(request: AskRequest, tools: Tools) -> tuple[Result, Trace]:
    """Return the answer or refusal, and its trace.

    Raises:
        QuestionError: the question is empty or too long.

    """
    note = tools.recorder
    scope = scope_of(request, tools.store)
    question = note.step("question", None, lambda: _question(request, tools))
    found = look_for(question, request, scope, tools)
    return finish(found, replace(request, question=question.original), scope, tools)


def look_for(question: ParsedQuestion, request: AskRequest, scope: Sequence[DocumentRecord], tools: Tools) -> Found:
    """Retrieve, read, answer, verify: in the versions of the date that the question names, failing that everywhere."""
    if has_parts(question, tools):
        return look_for_parts(
            question, request, tools, lambda part: look_for(replace(part, sub_questions=()), request, scope, tools)
        )
    found = _of_a_version(question, scope, tools) or _at_a_date(question, request, scope, tools)
    query = retrieval_query(question, Scope(doc_ids=request.doc_ids))
    if found is None:
        found = at_named_places(question, query, scope, tools)
    if found is None:
        retrieval = _with_figures(question, retrieved(query, tools, tools.settings.top_k), scope, tools)
        found = in_tables(question, retrieval, scope, tools)
        found = found or look_further(found_in(question, retrieval, tools), query, tools)
        found = passed_over(question, found, scope, tools)
    return followed(found, tools)


def scope_of(request: AskRequest, store: Store) -> list[DocumentRecord]:
    """Return the documents that may be searched."""
    return [r for r in store.records() if not request.doc_ids or r.doc_id in request.doc_ids]


def _question(request: AskRequest, tools: Tools) -> ParsedQuestion:
    question = parse_question(
        request.question,
        StoreCorpus(tools.store, request.doc_ids),
        shape=request.shape,
        concepts=tools.concepts,
        max_chars=tools.settings.max_question_chars,
    )
    if request.pages:
        hints = replace(question.hints, pages=request.pages)
        question = replace(question, hints=hints, granularity="page")
    model = tools.model("question")
    if model is None:
        return question
    corpus = StoreCorpus(tools.store, request.doc_ids)
    return question_by_model(question, corpus, model, given_shape=request.shape)


def _at_a_date(
    question: ParsedQuestion, request: AskRequest, scope: Sequence[DocumentRecord], tools: Tools
) -> Found | None:
    """Answer from the versions in force at the date that the question names; `None` where they do not answer it."""
    day = day_meant(question.original)
    if day is None or question.hints.pages:
        return None
    families = _families(scope, tools)
    not_in_force = superseded(scope, as_of=day, families=families)
    versions = {*not_in_force, *not_in_force.values()}
    if not versions:
        return None
    note = f"answered from what was in force on {day}"
    dated = replace(without_dates(question), notes=(*question.notes, note))
    query = retrieval_query(dated, Scope(doc_ids=request.doc_ids, to_date=day))
    found = attempt(dated, query, tools, tools.settings.top_k)
    cited = {quote.doc_id for item in found.draft.items for quote in item.quotes}
    is_from_then = cited <= versions and not cited & not_in_force_yet(families, day)
    if not is_answer(found, tools.settings.refusal_threshold) or not is_from_then:
        return None
    tools.recorder.step("question", "question", lambda: dated)
    return found


def _of_a_version(question: ParsedQuestion, scope: Sequence[DocumentRecord], tools: Tools) -> Found | None:
    """Answer from the version that the question names by its number; `None` where there is none, or it does not."""
    asked = without_version(question)
    if asked is None or question.hints.pages:
        return None
    meant = [e.record for family in _families(scope, tools) for e in family if has_number(e, asked.number)]
    if not meant:
        return None
    named = ", ".join(record.name for record in meant)
    rest = replace(asked.question, notes=(*question.notes, f"answered from version {asked.number}: {named}"))
    query = retrieval_query(rest, Scope(doc_ids=tuple(record.doc_id for record in meant)))
    found = attempt(rest, query, tools, tools.settings.top_k)
    if not is_answer(found, tools.settings.refusal_threshold):
        return None
    tools.recorder.step("question", "question", lambda: rest)
    return found


def _families(scope: Sequence[DocumentRecord], tools: Tools) -> Sequence[Sequence[Edition]]:
    return families_of(scope, lambda doc_id, n: tools.store.lines(doc_id, 1, n))


def attempt(question: ParsedQuestion, query: RetrievalQuery, tools: Tools, top_k: int) -> Found:
    """Retrieve, read, answer, verify: once."""
    return found_in(question, retrieved(query, tools, top_k), tools)


def retrieved(query: RetrievalQuery, tools: Tools, top_k: int) -> RetrievalResult:
    """Return what search finds, kept as a step."""
    return tools.recorder.step("retrieval", "question", lambda: tools.retriever.retrieve(query, top_k=top_k))


def _with_figures(
    question: ParsedQuestion, retrieval: RetrievalResult, scope: Sequence[DocumentRecord], tools: Tools
) -> RetrievalResult:
    """Return what search found; for a model behind the rows of tables that state the figures asked for."""
    if not isinstance(tools.answerer, CorrectingAnswerer) or not asks_for_figures(question):
        return retrieval
    found = figures_first(question, retrieval, scope, tools)
    if found is not retrieval:
        tools.recorder.keep("retrieval", "question", found)
    return found


def finish(found: Found, request: AskRequest, scope: Sequence[DocumentRecord], tools: Tools) -> tuple[Result, Trace]:
    """Return the answer where the confidence allows one, else the refusal; with the trace."""
    trace_id = uuid.uuid4().hex[:12]
    found = replace(found, notes=(*tools.notes, *tools.late_notes()))
    result: Result
    if is_answer(found, tools.settings.refusal_threshold):
        copies = notes_of_copies(found, tools.document_of)
        found = replace(found, notes=(*found.notes, *copies, *_older_versions(found, tools)))
        answer = answer_of(found, trace_id=trace_id)
        result = replace(answer, see_also=terms_used(found, answer.items, tools))
    else:
        is_filtered = bool(request.doc_ids)
        result = refusal_of(found, scope, tools.store, tools.document_of, trace_id=trace_id, is_filtered=is_filtered)
    return result, _trace(result, request, found, tools)


def _older_versions(found: Found, tools: Tools) -> list[str]:
    """Say what versions that are not in force answer, where that differs."""
    old = [c for c in found.retrieval.candidates if c.role == "older version"]
    said = {item.text for item in found.verified.items}
    notes = []
    for doc_id in dict.fromkeys(c.anchor.doc_id for c in old):
        mine = [c for c in old if c.anchor.doc_id == doc_id]
        lines = reading_lines([c.context for c in mine], mine, tools.document_of)
        draft = (tools.quoter or tools.answerer).answer(generation_brief(found.question), lines)
        if draft.items and draft.confidence >= tools.settings.refusal_threshold and draft.items[0].text not in said:
            record = tools.document_of(doc_id).record
            dated = f" ({record.date})" if record.date else ""
            notes.append(f"{record.name}{dated}, another version, says: “{draft.items[0].text}”")
    return notes


def _trace(result: Result, request: AskRequest, found: Found, tools: Tools) -> Trace:
    cited = result.nearest if isinstance(result, Refusal) else [c for item in result.items for c in item.citations]
    # A set is read whole: what is cited need not be among the candidates.
    doc_ids = dict.fromkeys([c.anchor.doc_id for c in found.retrieval.candidates] + [c.doc_id for c in cited])
    records = [tools.document_of(doc_id).record for doc_id in doc_ids]
    settings: dict[str, Any] = to_json(tools.settings)
    return Trace(
        trace_id=result.trace_id,
        question=result.question,
        asked_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        versions=dict(tools.versions),
        settings=settings,
        scope=to_json(request),
        steps=tuple(tools.recorder.steps),
        rounds=tuple(tools.recorder.rounds),
        documents=tuple(
            DocumentState(doc_id=r.doc_id, name=r.name, content_hash=r.content_hash, parser=r.parser) for r in records
        ),
        result=to_json(result),
        calls=tuple(tools.recorder.calls),
    )

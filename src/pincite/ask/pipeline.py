"""The pipeline read aloud, and the bounded loop around it."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from pincite.ask.outcome import Found, answer_of, cited_documents, refusal_of
from pincite.ask.reading import DocumentOf, reading_lines
from pincite.ask.recorder import Recorder
from pincite.protocols import Answerer, Retriever, Store
from pincite.questions import ConceptKeyword, StoreCorpus, generation_brief, parse_question, retrieval_query
from pincite.questions.rules import day_meant, without_dates
from pincite.retrieval import superseded
from pincite.settings import Settings
from pincite.types.answer import Draft, Result
from pincite.types.document import DocumentRecord
from pincite.types.question import ParsedQuestion, RetrievalQuery, Scope, Shape
from pincite.types.record import Record, to_json
from pincite.types.retrieval import RetrievalResult
from pincite.types.source import ReadingLine
from pincite.types.trace import DocumentState, LoopRound, Trace
from pincite.verifying import Verified, verify


class AskRequest(Record, frozen=True, kw_only=True):
    """What is asked and where. `doc_ids` empty means every document; `pages` are labels as typed."""

    question: str
    doc_ids: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    shape: Shape | None = None


@dataclass(frozen=True, slots=True)
class Tools:
    """The parts that a question needs; `notes` are said with every result (dense search is off, for example)."""

    store: Store
    retriever: Retriever
    answerer: Answerer
    document_of: DocumentOf
    settings: Settings
    versions: Mapping[str, str]
    concepts: Sequence[ConceptKeyword] = ()
    notes: tuple[str, ...] = ()
    recorder: Recorder = field(default_factory=Recorder)


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
    found = _at_a_date(question, request, scope, tools)
    if found is None:
        query = retrieval_query(question, Scope(doc_ids=request.doc_ids))
        found = look_again(attempt(question, query, tools, tools.settings.top_k), query, tools)
    return found


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
    return question


def _at_a_date(
    question: ParsedQuestion, request: AskRequest, scope: Sequence[DocumentRecord], tools: Tools
) -> Found | None:
    """Answer from the versions in force at the date that the question names; `None` where they do not answer it."""
    day = day_meant(question.original)
    if day is None or question.hints.pages:
        return None
    not_in_force = superseded(scope, as_of=day, lines_of=lambda doc_id, n: tools.store.lines(doc_id, 1, n))
    versions = {*not_in_force, *not_in_force.values()}
    if not versions:
        return None
    note = f"answered from what was in force on {day}"
    dated = replace(without_dates(question), notes=(*question.notes, note))
    query = retrieval_query(dated, Scope(doc_ids=request.doc_ids, to_date=day))
    found = attempt(dated, query, tools, tools.settings.top_k)
    cited = {quote.doc_id for item in found.draft.items for quote in item.quotes}
    if not is_answer(found, tools.settings.refusal_threshold) or not cited <= versions:
        return None
    tools.recorder.step("question", "question", lambda: dated)
    return found


def attempt(question: ParsedQuestion, query: RetrievalQuery, tools: Tools, top_k: int) -> Found:
    """Retrieve, read, answer, verify: once."""
    note = tools.recorder
    retrieval = note.step("retrieval", "question", lambda: tools.retriever.retrieve(query, top_k=top_k))
    lines = read(retrieval, tools)
    brief = generation_brief(question)
    draft = note.step("answer", "retrieval", lambda: _with_limits(tools.answerer.answer(brief, lines), retrieval))
    verified = note.step("verify", "answer", lambda: check(draft, retrieval, tools))
    return Found(question=question, retrieval=retrieval, lines=lines, draft=draft, verified=verified)


def _with_limits(draft: Draft, retrieval: RetrievalResult) -> Draft:
    """Say with a count or list what of its set was not read, in place of saying that all was read."""
    if not retrieval.caveats or (draft.shape != "list" and draft.selected_from is None):
        return draft
    rest = tuple(c for c in draft.caveats if not c.startswith("all "))
    reason = "; ".join((draft.reason, *retrieval.caveats)) if draft.reason else None
    return replace(draft, caveats=(*retrieval.caveats, *rest), reason=reason)


def read(retrieval: RetrievalResult, tools: Tools) -> tuple[ReadingLine, ...]:
    """Return the lines that the answerer may read."""
    return reading_lines(retrieval.filtered_lines, retrieval.candidates, tools.document_of)


def check(draft: Draft, retrieval: RetrievalResult, tools: Tools) -> Verified:
    """Verify a draft against the whole documents that it cites."""
    doc_ids = [quote.doc_id for item in draft.items for quote in item.quotes]
    return verify(draft, cited_documents(doc_ids, tools.document_of), read=retrieval.filtered_lines)


def look_again(found: Found, query: RetrievalQuery, tools: Tools) -> Found:
    """Read whole sections of more places, once, when the first look was not convincing."""
    threshold = tools.settings.refusal_threshold
    if query.page_hints or is_answer(found, threshold) or not found.retrieval.candidates:
        return found
    wider = replace(query, granularity="section")
    again = attempt(found.question, wider, tools, 2 * tools.settings.top_k)
    before, after = found.draft.confidence, again.draft.confidence
    tools.recorder.rounds.append(
        LoopRound(
            trigger=f"confidence {before:.2f} is below {threshold:.2f}",
            action=f"read whole sections of {len(again.retrieval.candidates)} places",
            before=before,
            after=after,
        )
    )
    return again if is_answer(again, threshold) or after > before else found


def is_answer(found: Found, threshold: float) -> bool:
    """Say whether what was found is to be given as an answer."""
    return bool(found.verified.items) and found.draft.confidence >= threshold


def finish(found: Found, request: AskRequest, scope: Sequence[DocumentRecord], tools: Tools) -> tuple[Result, Trace]:
    """Return the answer where the confidence allows one, else the refusal; with the trace."""
    trace_id = uuid.uuid4().hex[:12]
    found = replace(found, notes=tools.notes)
    result: Result
    if is_answer(found, tools.settings.refusal_threshold):
        found = replace(found, notes=(*found.notes, *_older_versions(found, tools)))
        result = answer_of(found, trace_id=trace_id)
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
        draft = tools.answerer.answer(generation_brief(found.question), lines)
        if draft.items and draft.confidence >= tools.settings.refusal_threshold and draft.items[0].text not in said:
            record = tools.document_of(doc_id).record
            dated = f" ({record.date})" if record.date else ""
            notes.append(f"{record.name}{dated}, another version, says: “{draft.items[0].text}”")
    return notes


def _trace(result: Result, request: AskRequest, found: Found, tools: Tools) -> Trace:
    doc_ids = dict.fromkeys(c.anchor.doc_id for c in found.retrieval.candidates)
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
    )

"""A question of several parts: one pass for each, and one answer with the items of all."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pincite.ask.drafting import check
from pincite.ask.loop import is_answer, joined_ranges
from pincite.ask.outcome import Found
from pincite.ask.tools import AskRequest, Tools
from pincite.protocols import CorrectingAnswerer
from pincite.questions import StoreCorpus, parse_question
from pincite.types.answer import Draft
from pincite.types.question import ParsedQuestion, Shape
from pincite.types.retrieval import RetrievalResult
from pincite.types.source import ReadingLine
from pincite.types.trace import LoopRound

#: More parts than this are asked as one question.
MOST_PARTS = 4


def has_parts(question: ParsedQuestion, tools: Tools) -> bool:
    """Say whether each part of a question is worth a pass of its own: there are several, and a model answers."""
    return 2 <= len(question.sub_questions) <= MOST_PARTS and isinstance(tools.answerer, CorrectingAnswerer)


def look_for_parts(
    question: ParsedQuestion, request: AskRequest, tools: Tools, look_for: Callable[[ParsedQuestion], Found]
) -> Found:
    """Return what all parts found together; parts without an answer are said, and make the answer incomplete.

    Parts that the token budget no longer allows are not asked, and are said too.
    """
    corpus = StoreCorpus(tools.store, request.doc_ids)
    found: list[Found] = []
    unanswered: list[str] = []
    for part in question.sub_questions:
        if found and tools.recorder.tokens >= tools.settings.model_token_budget:
            unanswered.append(part)
            continue
        parsed = parse_question(part, corpus, concepts=tools.concepts, max_chars=tools.settings.max_question_chars)
        one = look_for(replace(parsed, hints=question.hints))
        found.append(one)
        if not is_answer(one, tools.settings.refusal_threshold):
            unanswered.append(part)
        tools.recorder.round(
            LoopRound(
                trigger="the question has parts", action=f"asked “{part}”", before=0.0, after=one.draft.confidence
            )
        )
    return _joined(question, found, unanswered, tools)


def _joined(question: ParsedQuestion, found: Sequence[Found], unanswered: Sequence[str], tools: Tools) -> Found:
    good = [one for one in found if is_answer(one, tools.settings.refusal_threshold)]
    drafts = [one.draft for one in good]
    shapes: set[Shape] = {draft.shape for draft in drafts}
    caveats = (
        *(c for d in drafts for c in d.caveats),
        *(f"covers only a part: no answer to “{p}”" for p in unanswered),
    )
    draft = Draft(
        shape=shapes.pop() if len(shapes) == 1 else "text",
        items=tuple(item for draft in drafts for item in draft.items),
        confidence=min((draft.confidence for draft in drafts), default=0.0),
        caveats=tuple(dict.fromkeys(caveats)),
        reason=None if good else next((one.draft.reason for one in found if one.draft.reason), None),
        conflicting_evidence=any(draft.conflicting_evidence for draft in drafts),
        extraction_method="inferred" if any(d.extraction_method != "verbatim" for d in drafts) else "verbatim",
        claimed_complete=not unanswered,
    )
    retrieval = _joined_retrieval([one.retrieval for one in found])
    lines: dict[tuple[str, int], ReadingLine] = {
        (line.doc_id, line.line.line_id): line for one in found for line in one.lines
    }
    note = tools.recorder
    note.step("retrieval", "question", lambda: retrieval)
    note.step("answer", "retrieval", lambda: draft)
    verified = note.step("verify", "answer", lambda: check(draft, retrieval, tools))
    return Found(question=question, retrieval=retrieval, lines=tuple(lines.values()), draft=draft, verified=verified)


def _joined_retrieval(results: Sequence[RetrievalResult]) -> RetrievalResult:
    candidates = [candidate for result in results for candidate in result.candidates]
    return RetrievalResult(
        candidates=tuple(replace(c, rank=rank) for rank, c in enumerate(candidates, start=1)),
        pages_kept=tuple(dict.fromkeys(page for result in results for page in result.pages_kept)),
        filtered_lines=joined_ranges([r for result in results for r in result.filtered_lines]),
        not_found_reason=None if candidates else next((r.not_found_reason for r in results), None),
        confidence=min((r.confidence for r in results), default=0.0),
        missing_keywords=tuple(dict.fromkeys(word for result in results for word in result.missing_keywords)),
        caveats=tuple(dict.fromkeys(caveat for result in results for caveat in result.caveats)),
    )

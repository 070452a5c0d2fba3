"""Lines to a checked draft: read, answer, verify, and once more where the answerer can be told what was wrong."""

from collections.abc import Sequence

from msgspec.structs import replace

from pincite.ask.outcome import Found, cited_documents
from pincite.ask.reading import reading_lines
from pincite.ask.tools import Tools
from pincite.ask.validation import problems_of, without_unsupported
from pincite.errors import InvalidOutputError, OutputTruncatedError, ProviderRefusedError
from pincite.protocols import CorrectingAnswerer
from pincite.questions import generation_brief
from pincite.types.answer import Draft
from pincite.types.question import GenerationBrief, ParsedQuestion
from pincite.types.retrieval import RetrievalResult
from pincite.types.source import ReadingLine
from pincite.verifying import Verified, verify


def found_in(
    question: ParsedQuestion, retrieval: RetrievalResult, tools: Tools, *, draft: Draft | None = None
) -> Found:
    """Return what the lines that retrieval chose say: drafted, checked, and corrected once by who can.

    A `draft` that is given is only checked.
    """
    lines = read(retrieval, tools)
    brief = generation_brief(question)
    note = tools.recorder
    is_given = draft is not None
    if draft is None:
        draft = note.step("answer", "retrieval", lambda: _with_limits(tools.answerer.answer(brief, lines), retrieval))
    checked = draft
    verified = note.step("verify", "answer", lambda: check(checked, retrieval, tools))
    if not is_given and isinstance(tools.answerer, CorrectingAnswerer):
        draft, verified = _corrected(tools.answerer, (draft, verified), brief, lines, retrieval, tools)
    return Found(question=question, retrieval=retrieval, lines=lines, draft=draft, verified=verified)


def read(retrieval: RetrievalResult, tools: Tools) -> tuple[ReadingLine, ...]:
    """Return the lines that the answerer may read."""
    return reading_lines(retrieval.filtered_lines, retrieval.candidates, tools.document_of)


def check(draft: Draft, retrieval: RetrievalResult, tools: Tools) -> Verified:
    """Verify a draft against the whole documents that it cites."""
    doc_ids = [quote.doc_id for item in draft.items for quote in item.quotes]
    return verify(draft, cited_documents(doc_ids, tools.document_of), read=retrieval.filtered_lines)


def _with_limits(draft: Draft, retrieval: RetrievalResult) -> Draft:
    """Say with a count or list what of its set was not read, in place of saying that all was read."""
    if not retrieval.caveats or (draft.shape != "list" and draft.selected_from is None):
        return draft
    rest = tuple(c for c in draft.caveats if not c.startswith("all "))
    reason = "; ".join((draft.reason, *retrieval.caveats)) if draft.reason else None
    return replace(draft, caveats=(*retrieval.caveats, *rest), reason=reason)


def _corrected(
    answerer: CorrectingAnswerer,
    first: tuple[Draft, Verified],
    brief: GenerationBrief,
    lines: Sequence[ReadingLine],
    retrieval: RetrievalResult,
    tools: Tools,
) -> tuple[Draft, Verified]:
    """Tell the answerer once, with the exact reasons, what does not hold; then drop what still does not."""
    draft, verified = first
    problems = problems_of(draft, verified, brief, lines)
    if not problems:
        return draft, verified
    note = tools.recorder
    try:
        again = note.step(
            "answer", "verify", lambda: _with_limits(answerer.answer_again(brief, lines, problems), retrieval)
        )
    except (InvalidOutputError, OutputTruncatedError, ProviderRefusedError):
        if not draft.items:
            raise
        again = draft
    if again.items or not verified.items:
        draft = again
    kept = without_unsupported(draft, brief, lines)
    return kept, note.step("verify", "answer", lambda: check(kept, retrieval, tools))

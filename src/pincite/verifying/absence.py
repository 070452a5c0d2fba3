"""A refusal that says what was searched and read, and no more than that."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from pincite.types.answer import ReadExtent, Refusal, Searched, Signals, UnreadablePage
from pincite.types.citation import Citation
from pincite.types.record import Record

Reason: TypeAlias = Literal["not_found", "unreadable", "ambiguous", "unsupported", "empty"]


class Absence(Record, frozen=True, kw_only=True):
    """What is known when no answer was found.

    `ambiguous` is a question back, `rejected` are drafted items that failed the check, `unread_files` are
    attachments that were not indexed, `reason` is the whole message, `finding` what the answerer
    found on the way (an empty cell, say). `whole_scope_read` says that every line of the scope was read.
    """

    searched: Searched
    read: ReadExtent
    unreadable: tuple[UnreadablePage, ...] = ()
    nearest: tuple[Citation, ...] = ()
    rejected: tuple[str, ...] = ()
    missing_keywords: tuple[str, ...] = ()
    ambiguous: str | None = None
    reason: str | None = None
    finding: str | None = None
    unread_files: tuple[str, ...] = ()
    whole_scope_read: bool = False
    confidence: float = 0.0


def refuse(question: str, absence: Absence, *, trace_id: str) -> Refusal:
    """Return the refusal that `absence` calls for, with a message that claims no more than was done."""
    reason, message = _reason_and_message(absence)
    return Refusal(
        question=question,
        reason=reason,
        message=message,
        searched=absence.searched,
        read=absence.read,
        unreadable_pages=absence.unreadable,
        nearest=absence.nearest,
        trace_id=trace_id,
        signals=Signals(
            answer_found=False,
            complete_answer_found=False,
            context_completeness=0.0,
            context_structured=True,
            confidence=absence.confidence,
            caveats=_caveats(absence),
            missing_keywords=absence.missing_keywords,
        ),
    )


def _reason_and_message(absence: Absence) -> tuple[Reason, str]:
    if absence.ambiguous is not None:
        return "ambiguous", absence.ambiguous
    if absence.searched.documents == 0:
        return "empty", "There is no document to search: add some first."
    if absence.unreadable:
        pages = _listed([f"{p.doc_name} page {p.page} ({p.reason})" for p in absence.unreadable])
        return "unreadable", f"Not in the text that could be read, but some pages could not be read: {pages}."
    if absence.rejected:
        return "unsupported", "What looked like an answer is not borne out by the text it cites."
    said = absence.reason or " ".join(filter(None, (absence.finding, _extent(absence))))
    if absence.unread_files:
        said += f" Not read: {_listed([f'attachment {name}' for name in absence.unread_files])}."
    return "not_found", said


def _extent(absence: Absence) -> str:
    n_documents = absence.searched.documents
    within = "the document" if n_documents == 1 else f"the {n_documents} documents"
    if absence.whole_scope_read:
        return f"Not found: every line of {within} was read, and none answers this."
    lines = absence.read.lines
    read = f"Not in the {lines} lines that were read" if lines else "Nothing that matches was found"
    missing = f" These words occur nowhere: {_listed(absence.missing_keywords)}." if absence.missing_keywords else ""
    return f"{read}, of {within} ({absence.searched.pages} pages) searched.{missing}"


def _caveats(absence: Absence) -> tuple[str, ...]:
    unread = tuple(f"attachment {name} not indexed" for name in absence.unread_files)
    return (*unread, *(f"dropped: {reason}" for reason in absence.rejected))


def _listed(names: Sequence[str], limit: int = 5) -> str:
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"

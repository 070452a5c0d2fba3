"""Check stored answers against the documents as they are now."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal

from pincite.ask.outcome import cited_document
from pincite.ask.reading import ReadDocument
from pincite.types.answer import Answer, ClaimedQuote
from pincite.types.citation import Citation
from pincite.types.record import Record
from pincite.types.trace import Trace
from pincite.verifying import CitedDocument, check_quote, result_of

#: From best to worst: the quote stands where it stood; elsewhere; the document no longer says it; there is no document.
AuditStatus = Literal["holds", "moved", "changed", "gone"]
_WORST_LAST: Final[tuple[AuditStatus, ...]] = ("holds", "moved", "changed", "gone")

#: Returns the document of an id, else one with the same content hash, else `None`.
FindDocument = Callable[[str, str], ReadDocument | None]


class AuditedCitation(Record, frozen=True, kw_only=True):
    """One citation of a stored answer: `place` is where it stood, `now` where it stands, if it moved."""

    item: str
    place: str
    status: AuditStatus
    now: str | None = None


class AuditedAnswer(Record, frozen=True, kw_only=True):
    """A stored answer with the state of its citations; `status` is that of the worst one."""

    trace_id: str
    question: str
    asked_at: str
    status: AuditStatus
    citations: tuple[AuditedCitation, ...]


def audit(traces: Iterable[Trace], find_document: FindDocument) -> tuple[AuditedAnswer, ...]:
    """Return the state of every stored answer, in the order of the traces; refusals cite nothing and are left out.

    A quote `holds` when it stands at the same page and lines of a document whose bytes are those that were cited, or
    at the same place of a changed one. It has `moved` when the document, or another with the same bytes, has it
    elsewhere; it has `changed` when the document no longer has it.
    """
    known: dict[str, CitedDocument | None] = {}

    def document_of(citation: Citation) -> CitedDocument | None:
        key = f"{citation.doc_id} {citation.content_hash}"
        if key not in known:
            read = find_document(citation.doc_id, citation.content_hash)
            known[key] = None if read is None else cited_document(read)
        return known[key]

    audited = []
    for trace in traces:
        result = result_of(trace.result)
        if isinstance(result, Answer):
            audited.append(_audited(trace, result, document_of))
    return tuple(audited)


def _audited(trace: Trace, answer: Answer, document_of: Callable[[Citation], CitedDocument | None]) -> AuditedAnswer:
    checked = tuple(
        _checked(item.text, citation, document_of(citation)) for item in answer.items for citation in item.citations
    )
    return AuditedAnswer(
        trace_id=trace.trace_id,
        question=trace.question,
        asked_at=trace.asked_at,
        status=_worst([c.status for c in checked]),
        citations=checked,
    )


def _checked(item: str, citation: Citation, document: CitedDocument | None) -> AuditedCitation:
    if document is None:
        return AuditedCitation(item=item, place=str(citation), status="gone")
    found = check_quote(_claim(citation, document.doc_id), document).citation
    if found is None:
        return AuditedCitation(item=item, place=str(citation), status="changed")
    stays = (found.doc_id, found.page, found.first_line) == (citation.doc_id, citation.page, citation.first_line)
    return AuditedCitation(
        item=item, place=str(citation), status="holds" if stays else "moved", now=None if stays else str(found)
    )


def _claim(citation: Citation, doc_id: str) -> ClaimedQuote:
    return ClaimedQuote(
        doc_id=doc_id,
        first_line_id=citation.line_ids[0],
        last_line_id=citation.line_ids[-1],
        quote=citation.quote,
    )


def _worst(statuses: Sequence[AuditStatus]) -> AuditStatus:
    return max(statuses, key=_WORST_LAST.index, default="holds")

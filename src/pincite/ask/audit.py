"""Check stored answers against the documents as they are now."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from pincite.ask.outcome import cited_document
from pincite.ask.reading import ReadDocument
from pincite.types.answer import Answer, ClaimedQuote
from pincite.types.citation import Citation
from pincite.types.record import Record, to_json
from pincite.types.trace import DocumentState, Trace
from pincite.verifying import CitedDocument, check_quote, result_of

#: From best to worst: the quote stands where it stood; elsewhere; the document no longer says it; there is no document.
AuditStatus = Literal["holds", "moved", "changed", "gone"]
_WORST_LAST: Final[tuple[AuditStatus, ...]] = ("holds", "moved", "changed", "gone")

#: Returns the document of an id, else one with the same content hash, else `None`.
FindDocument = Callable[[str, str], ReadDocument | None]


class AuditedCitation(Record, frozen=True, kw_only=True):
    """One citation of a stored answer: `place` is where it stood, `now` where it stands, if it moved.

    `source_changed` says that the document has other bytes than those that were cited. `is_fixed`: the stored answer
    names the present place now.
    """

    item: str
    place: str
    status: AuditStatus
    now: str | None = None
    source_changed: bool = False
    is_fixed: bool = False


class AuditedAnswer(Record, frozen=True, kw_only=True):
    """A stored answer with the state of its citations; `status` is that of the worst one."""

    trace_id: str
    question: str
    asked_at: str
    status: AuditStatus
    citations: tuple[AuditedCitation, ...]


class Auditor:
    """Checks stored answers against the documents as they are now; a document is read once."""

    def __init__(self, find_document: FindDocument) -> None:
        """Find documents by id, else by content hash."""
        self._find = find_document
        self._known: dict[str, CitedDocument | None] = {}

    def audited(self, trace: Trace) -> AuditedAnswer | None:
        """Return the state of an answer; `None` for a refusal, which cites nothing."""
        return self._walked(trace, fix=False)[0]

    def fixed(self, trace: Trace) -> tuple[AuditedAnswer | None, Trace]:
        """Return the state, and the trace with the citations moved to where their quotes stand now.

        What has changed or is gone stays as it was: the answer did say it then.
        """
        return self._walked(trace, fix=True)

    def _walked(self, trace: Trace, *, fix: bool) -> tuple[AuditedAnswer | None, Trace]:
        result = result_of(trace.result)
        if not isinstance(result, Answer):
            return None, trace
        checked: list[AuditedCitation] = []
        items = []
        for item in result.items:
            citations = []
            for citation in item.citations:
                one, now = self._checked(item.text, citation)
                is_fixed = (
                    fix and now is not None and _place_of(now) != _place_of(citation) and _is_same_text(now, citation)
                )
                citations.append(now if is_fixed and now is not None else citation)
                checked.append(replace(one, is_fixed=is_fixed))
            items.append(replace(item, citations=tuple(citations)))
        answer = AuditedAnswer(
            trace_id=trace.trace_id,
            question=trace.question,
            asked_at=trace.asked_at,
            status=_worst([c.status for c in checked]),
            citations=tuple(checked),
        )
        if not any(one.is_fixed for one in checked):
            return answer, trace
        new = replace(result, items=tuple(items))
        return answer, replace(trace, result=to_json(new), documents=self._states(trace, new))

    def _checked(self, item: str, citation: Citation) -> tuple[AuditedCitation, Citation | None]:
        """Return the state of a citation, and the citation as it would be made now."""
        document = self._document(citation)
        if document is None:
            return AuditedCitation(item=item, place=str(citation), status="gone"), None
        has_changed = document.document.content_hash != citation.content_hash
        found = check_quote(_claim(citation, document.doc_id), document).citation
        if found is None:
            return AuditedCitation(item=item, place=str(citation), status="changed", source_changed=has_changed), None
        stays = (found.doc_id, found.page, found.first_line) == (citation.doc_id, citation.page, citation.first_line)
        audited = AuditedCitation(
            item=item,
            place=str(citation),
            status="holds" if stays else "moved",
            now=None if stays else str(found),
            source_changed=has_changed,
        )
        return audited, replace(found, verdict=replace(found.verdict, value=citation.verdict.value))

    def _document(self, citation: Citation) -> CitedDocument | None:
        key = f"{citation.doc_id} {citation.content_hash}"
        if key not in self._known:
            read = self._find(citation.doc_id, citation.content_hash)
            self._known[key] = None if read is None else cited_document(read)
        return self._known[key]

    def _states(self, trace: Trace, answer: Answer) -> tuple[DocumentState, ...]:
        """Return the states of documents that the answer is checked against now; states still cited stay."""
        cited = {(c.doc_id, c.content_hash): c.doc_name for item in answer.items for c in item.citations}
        doc_ids = {doc_id for doc_id, _ in cited}
        kept = [s for s in trace.documents if (s.doc_id, s.content_hash) in cited or s.doc_id not in doc_ids]
        known = {(s.doc_id, s.content_hash) for s in kept}
        parsers = {d.doc_id: d.document.parser for d in self._known.values() if d is not None}
        new = [
            DocumentState(doc_id=doc_id, name=name, content_hash=content_hash, parser=parsers.get(doc_id, ""))
            for (doc_id, content_hash), name in cited.items()
            if (doc_id, content_hash) not in known
        ]
        return (*kept, *new)


def audit(traces: Iterable[Trace], find_document: FindDocument) -> tuple[AuditedAnswer, ...]:
    """Return the state of every stored answer, in the order of the traces; refusals cite nothing and are left out.

    A quote `holds` when it stands at the same page and lines of a document whose bytes are those that were cited, or
    at the same place of a changed one. It has `moved` when the document, or another with the same bytes, has it
    elsewhere; it has `changed` when the document no longer has it; it is `gone` with its document.
    """
    auditor = Auditor(find_document)
    return tuple(answer for trace in traces if (answer := auditor.audited(trace)) is not None)


def _is_same_text(now: Citation, before: Citation) -> bool:
    """Say whether a quote reads the same, line breaks apart: another text would need its value parsed again."""
    return now.quote.split() == before.quote.split()


def _place_of(citation: Citation) -> Citation:
    """Return a citation without its whole lines, which those of an earlier pincite do not have."""
    return replace(citation, lines=())


def _claim(citation: Citation, doc_id: str) -> ClaimedQuote:
    return ClaimedQuote(
        doc_id=doc_id,
        first_line_id=citation.line_ids[0],
        last_line_id=citation.line_ids[-1],
        quote=citation.quote,
    )


def _worst(statuses: Sequence[AuditStatus]) -> AuditStatus:
    return max(statuses, key=_WORST_LAST.index, default="holds")

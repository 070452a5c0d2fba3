"""Verified items to an answer, or what was searched and read to a refusal."""

import re
from collections.abc import Mapping, Sequence

from pincite.ask.reading import DocumentOf, ReadDocument
from pincite.protocols import Store
from pincite.text.fold import fold
from pincite.text.tokens import token_terms
from pincite.types.answer import (
    Answer,
    Draft,
    ReadExtent,
    Refusal,
    Searched,
    SearchedTerm,
    Signals,
    UnreadablePage,
)
from pincite.types.citation import Citation, Verdict
from pincite.types.document import UNREADABLE_FLAGS, DocumentRecord
from pincite.types.question import Acronym, ParsedQuestion
from pincite.types.record import Record
from pincite.types.retrieval import RetrievalResult
from pincite.types.source import ReadingLine
from pincite.verifying import CitedDocument, Verified, refuse
from pincite.verifying.absence import Absence

#: A library of at most this many documents is small enough that any unreadable page of it may hold the answer.
SMALL_LIBRARY = 5
#: How many nearest places a refusal shows.
NEAREST = 3


class Found(Record, frozen=True, kw_only=True):
    """All that is known when a question has been worked through."""

    question: ParsedQuestion
    retrieval: RetrievalResult
    lines: tuple[ReadingLine, ...]
    draft: Draft
    verified: Verified
    notes: tuple[str, ...] = ()


def answer_of(found: Found, *, trace_id: str) -> Answer:
    """Return the answer that the verified items make."""
    draft, verified = found.draft, found.verified
    return Answer(
        question=found.question.original,
        shape=draft.shape,
        items=verified.items,
        columns=draft.columns,
        trace_id=trace_id,
        signals=Signals(
            answer_found=True,
            complete_answer_found=verified.is_complete,
            context_completeness=verified.completeness,
            context_structured=verified.is_structured,
            confidence=draft.confidence,
            caveats=tuple(dict.fromkeys((*_notes_worth_saying(found), *found.notes, *verified.caveats))),
            conflicting_evidence=draft.conflicting_evidence,
            extraction_method=draft.extraction_method,
            missing_keywords=found.retrieval.missing_keywords,
        ),
    )


def _notes_worth_saying(found: Found) -> tuple[str, ...]:
    """Return the notes on a question without those on acronyms that the answer does not hang on.

    How an acronym was read is said where a quote has only the other form than the question, or where the documents give
    it several meanings.
    """
    question = found.question
    quotes = [c.quote for item in found.verified.items for c in item.citations]
    plain = {a.note for a in question.acronyms if not a.others and not _hangs_on(a, question.corrected, quotes)}
    return tuple(note for note in question.notes if note not in plain)


def _hangs_on(acronym: Acronym, question: str, quotes: Sequence[str]) -> bool:
    """Say whether a quote has one form of an acronym alone, and the question the other alone."""
    is_short, is_long = _says(acronym.short, question), _says(acronym.long, question)
    if is_short == is_long:
        return False
    other = (not is_short, not is_long)
    return any((_says(acronym.short, quote), _says(acronym.long, quote)) == other for quote in quotes)


def _says(form: str, text: str) -> bool:
    words = " ".join(re.findall(r"\w+", fold(text).text.casefold()))
    own = " ".join(re.findall(r"\w+", fold(form).text.casefold()))
    return re.search(rf"\b{re.escape(own)}s?\b", words) is not None


def refusal_of(
    found: Found,
    scope: Sequence[DocumentRecord],
    store: Store,
    document_of: DocumentOf,
    *,
    trace_id: str,
    is_filtered: bool,
) -> Refusal:
    """Return the refusal, with what was searched and read, what could not be read, and the nearest places."""
    n_lines = sum(1 for line in found.lines if line.line.text.strip())
    relevant = _relevant(found, scope, is_filtered=is_filtered)
    pages_read = {(line.doc_id, line.line.page_num) for line in found.lines}
    absence = Absence(
        searched=_searched(found.question, scope, store),
        read=ReadExtent(lines=n_lines, pages=len(pages_read)),
        unreadable=tuple(_unreadable(relevant, store)),
        nearest=tuple(_nearest(found.retrieval, document_of)),
        rejected=found.verified.rejected,
        missing_keywords=found.retrieval.missing_keywords,
        ambiguous=found.question.clarification,
        reason=found.retrieval.not_found_reason if found.question.hints.pages else None,
        finding=found.draft.reason,
        unread_files=tuple(a.name for r in relevant for a in r.parsing_summary.attachments),
        whole_scope_read=_is_whole(found, scope),
        confidence=found.draft.confidence,
    )
    return refuse(found.question.original, absence, trace_id=trace_id)


def _relevant(found: Found, scope: Sequence[DocumentRecord], *, is_filtered: bool) -> list[DocumentRecord]:
    if is_filtered or len(scope) <= SMALL_LIBRARY:
        return list(scope)
    seen = {c.anchor.doc_id for c in found.retrieval.candidates}
    return [r for r in scope if r.doc_id in seen]


def _searched(question: ParsedQuestion, scope: Sequence[DocumentRecord], store: Store) -> Searched:
    doc_ids = [r.doc_id for r in scope]
    terms = {k.text: token_terms(k.text.split()[0])[:1] for k in question.keywords if k.text.split()}
    counts = store.term_counts({t for found in terms.values() for t in found}, doc_ids=doc_ids)
    return Searched(
        documents=len(scope),
        pages=sum(r.n_pages for r in scope),
        sections=sum(len(store.toc(doc_id)) for doc_id in doc_ids[:200]),
        terms=tuple(
            SearchedTerm(term=text, hits=max((counts.get(t, 0) for t in found), default=0))
            for text, found in terms.items()
        ),
    )


def _unreadable(records: Sequence[DocumentRecord], store: Store) -> list[UnreadablePage]:
    pages: list[UnreadablePage] = []
    for record in records:
        flagged = [p for p in store.pages(record.doc_id) if set(p.flags) & UNREADABLE_FLAGS]
        for page in flagged:
            reason = _REASONS[min(set(page.flags) & UNREADABLE_FLAGS)]
            pages.append(UnreadablePage(doc_name=record.name, page=page.page_num, reason=reason))
        if record.status == "no_text" and not flagged:
            pages.append(UnreadablePage(doc_name=record.name, page=1, reason="the document has no text"))
    return pages


_REASONS = {
    "image_without_text": "a picture without text: OCR needed",
    "unreadable_text_layer": "no readable text: broken font map, OCR needed",
    "page_failed": "the page is broken",
}


def _nearest(retrieval: RetrievalResult, document_of: DocumentOf) -> list[Citation]:
    cited = []
    for candidate in retrieval.candidates[:NEAREST]:
        anchor = candidate.anchor
        read = document_of(anchor.doc_id)
        lines = [x for x in read.document.lines_between(anchor.first_line_id, anchor.last_line_id) if x.text.strip()]
        if lines:
            verdict = Verdict(status="verified", match="exact")
            cited.append(cited_document(read).citation_of_lines(lines, verdict))
    return cited


def _is_whole(found: Found, scope: Sequence[DocumentRecord]) -> bool:
    read = {(line.doc_id, line.line.line_id) for line in found.lines}
    return bool(read) and len(read) >= sum(r.n_lines for r in scope)


def cited_document(read: ReadDocument) -> CitedDocument:
    """Return a document as the verifier takes it."""
    record = read.record
    permalink = record.origin.get("permalink")
    return CitedDocument(read.document, doc_id=record.doc_id, name=record.name, permalink=permalink)


def cited_documents(doc_ids: Sequence[str], document_of: DocumentOf) -> Mapping[str, CitedDocument]:
    """Return documents by id, as the verifier takes them."""
    return {doc_id: cited_document(document_of(doc_id)) for doc_id in dict.fromkeys(doc_ids)}

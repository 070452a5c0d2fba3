"""Fused scores raised by what else speaks for a passage: others of its document and page, and the codes it holds."""

import heapq
from collections.abc import Hashable, Mapping

from pincite.retrieval.terms import QueryTerms, held_terms
from pincite.types.passage import StoredPassage

#: How much the next best passage of the same page, and of the same document, counts: what speaks of it twice is rather
#: meant.
PAGE_EVIDENCE, DOCUMENT_EVIDENCE = 0.4, 0.2
#: What a passage gains that holds the codes of the question whole; a share of them gains that share.
CODE_EVIDENCE = 0.8


def raised(
    fused: Mapping[int, float], passages: Mapping[int, StoredPassage], paged: frozenset[str], terms: QueryTerms
) -> Mapping[int, float]:
    """Return the scores with all that speaks for a passage, best first; `paged` are the documents with pages."""
    by_document, by_page = _places(passages, paged)
    fused = _with_evidence(fused, by_document, DOCUMENT_EVIDENCE)
    fused = _with_evidence(fused, by_page, PAGE_EVIDENCE)
    return _with_codes(fused, passages, terms)


def _places(
    passages: Mapping[int, StoredPassage], paged: frozenset[str]
) -> tuple[dict[int, Hashable], dict[int, Hashable]]:
    """Return the document of each passage, and the page of those in `paged` documents."""
    documents: dict[int, Hashable] = {i: p.doc_id for i, p in passages.items()}
    pages: dict[int, Hashable] = {i: (p.doc_id, p.passage.first_page) for i, p in passages.items() if p.doc_id in paged}
    return documents, pages


def _with_evidence(fused: Mapping[int, float], places: Mapping[int, Hashable], share: float) -> dict[int, float]:
    """Return the scores, best first, each with a share of the best other passage's of its place."""
    together: dict[Hashable, list[int]] = {}
    for i in fused:
        if i in places:
            together.setdefault(places[i], []).append(i)
    more = dict(fused)
    for ids in together.values():
        best, second = heapq.nlargest(2, ids, key=lambda i: fused[i]) if len(ids) > 1 else (0, 0)
        for i in ids if len(ids) > 1 else ():
            more[i] += share * fused[second if i == best else best]
    return dict(sorted(more.items(), key=lambda pair: -pair[1]))


def _with_codes(
    fused: Mapping[int, float], passages: Mapping[int, StoredPassage], terms: QueryTerms
) -> Mapping[int, float]:
    """Return the scores, best first, raised where a passage holds the very codes, not parts of them or their like."""
    if not terms.codes:
        return fused
    more = {
        i: score + CODE_EVIDENCE * terms.codes_held(held_terms([passages[i].passage.text])) / len(terms.codes)
        if i in passages
        else score
        for i, score in fused.items()
    }
    return dict(sorted(more.items(), key=lambda pair: -pair[1]))

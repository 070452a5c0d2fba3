"""One query over one library: detectors, candidates with their reasons, and what is to be read."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from pincite.errors import DocumentGoneError
from pincite.protocols import Embedder, Store
from pincite.retrieval.contents import ContentsIndex, SectionHit
from pincite.retrieval.context import ContextReader, anchor_lines
from pincite.retrieval.editions import Edition
from pincite.retrieval.gathering import Gathered, Gatherer, within
from pincite.retrieval.pages import PageHit, named_pages
from pincite.retrieval.terms import QueryTerms, held_terms, query_terms
from pincite.retrieval.versions import superseded
from pincite.text.sets import asked_set
from pincite.types.document import DocumentRecord
from pincite.types.passage import LineRange, PassageHit, StoredPassage
from pincite.types.question import RetrievalQuery
from pincite.types.retrieval import Candidate, Detection, KeptPage, RetrievalResult

#: How many passages each detector offers to the fusion.
DEPTH = 150
#: A section whose title answers to less of the question than this is no detection.
TOC_FLOOR = 0.34
#: How far the question is moved towards what was found first. From 0.2 to 0.6 little changes on scifact.
FEEDBACK = 0.3
#: How many nouns of a question are tried as the name of a set: "sales invoices" may be called either.
_MAX_NOUNS = 2


class Search:
    """One query over one library: terms, filters and what was read are fetched once."""

    def __init__(
        self,
        store: Store,
        query: RetrievalQuery,
        records: Sequence[DocumentRecord],
        contents: ContentsIndex,
        families: Callable[[], Sequence[Sequence[Edition]]],
    ) -> None:
        self._store = store
        self._query = query
        self._records = {r.doc_id: r for r in records}
        self._contents = contents
        self._families = families
        self._reader = ContextReader(store)

    @property
    def question(self) -> str:
        """The question as it is searched for."""
        return self._query.main_query

    @property
    def paged(self) -> frozenset[str]:
        """The documents that have more than one page."""
        return frozenset(r.doc_id for r in self._records.values() if r.n_pages > 1)

    @property
    def content_hashes(self) -> dict[str, str]:
        """The content hash of each document of the scope."""
        return {r.doc_id: r.content_hash for r in self._records.values()}

    @property
    def folds_twins(self) -> bool:
        """Whether texts that stand in several places are shown once; who lists or compares wants each of them."""
        return self._query.shape not in ("list", "table", "comparison")

    @cached_property
    def _doc_ids(self) -> tuple[str, ...]:
        """The filter of the detectors: empty means everything."""
        whole = len(self._records) == len(self._store.records())
        return () if whole else tuple(self._records) or ("",)

    @cached_property
    def terms(self) -> QueryTerms:
        """The keywords as the index knows them."""
        return query_terms(
            self._query,
            lambda terms: self._store.term_counts(terms, doc_ids=self._doc_ids),
            self._store.passage_count(doc_ids=self._doc_ids),
        )

    @cached_property
    def superseded(self) -> dict[str, str]:
        """Documents of the scope that are not in force, each with the one that is."""
        return superseded(
            list(self._records.values()),
            as_of=self._query.scope.to_date,
            question=self._query.main_query,
            families=self._families(),
        )

    def keyword(self) -> Sequence[PassageHit]:
        """Return passages by BM25."""
        return self._store.search_terms(self.terms.weights, doc_ids=self._doc_ids, k=DEPTH)

    def dense(self, embedder: Embedder) -> Sequence[PassageHit]:
        """Return passages by cosine to the question and, where experts would use other words, to those."""
        return self._store.nearest(self._vector(embedder), embedder=embedder, doc_ids=self._doc_ids, k=DEPTH)

    def dense_near(self, embedder: Embedder, passage_ids: Sequence[int]) -> Sequence[PassageHit]:
        """Return passages by cosine to the question moved a little towards passages that were found.

        Pseudo-relevance feedback (J. Rocchio, "Relevance Feedback in Information Retrieval", 1971) in vector space.
        """
        near = self._store.vectors_of(passage_ids, embedder=embedder)
        if not len(near):
            return self.dense(embedder)
        vector = _unit(self._vector(embedder) + FEEDBACK * near.mean(axis=0))
        return self._store.nearest(vector, embedder=embedder, doc_ids=self._doc_ids, k=DEPTH)

    def _vector(self, embedder: Embedder) -> Any:
        if self._known_vector is None:
            self._known_vector = self._embedded(embedder)
        return self._known_vector

    _known_vector: Any = None

    def _embedded(self, embedder: Embedder) -> Any:
        also = ", ".join(k.text for k in self._query.anchor_keywords if k.origin == "vocabulary")
        vectors = embedder.embed([self._query.main_query, also] if also else [self._query.main_query])
        return _unit(vectors[0] + vectors[1]) if also else vectors[0]

    def toc(self) -> Sequence[PassageHit]:
        """Return the passages of the sections whose titles answer to the question."""
        doc_ids = frozenset(self._doc_ids)
        sections = self._contents.hits(self.terms, doc_ids=doc_ids, k=12)
        if self._query.section_hint is not None:
            sections = [*self._contents.numbered(self._query.section_hint, doc_ids=doc_ids), *sections]
        hits: dict[int, PassageHit] = {}
        for section in sections:
            if section.score < TOC_FLOOR and section.title_coverage < 0.99:
                continue
            for passage_id in self._passages_of(section):
                hits.setdefault(passage_id, PassageHit(passage_id=passage_id, rank=len(hits) + 1, score=section.score))
        return list(hits.values())

    def _passages_of(self, hit: SectionHit) -> list[int]:
        lines = self._reader.section(hit.doc_id, hit.section)
        if lines is None:
            return []
        found = self._store.passages_at(hit.doc_id, lines.first_line_id, lines.last_line_id)
        scored = [(self.terms.coverage(held_terms([p.passage.text])), p.passage_id) for p in found]
        return [passage_id for _, passage_id in sorted(scored, key=lambda s: -s[0])[:4]]

    def candidate(
        self, stored: StoredPassage, rank: int, score: float, lists: Mapping[str, Sequence[PassageHit]]
    ) -> Candidate:
        """Return a passage as a candidate: its best lines, what to read around them, and why.

        Raises:
            DocumentGoneError: another process replaced or removed its document since it was found.

        """
        passage = stored.passage
        lines = self._store.lines(stored.doc_id, passage.first_line_id, passage.last_line_id)
        if not lines:
            raise DocumentGoneError(f"document {stored.doc_id!r} was replaced or removed while it was searched")
        anchor = anchor_lines(lines, self.terms)
        held = held_terms([" ".join(passage.breadcrumb), *(line.text for line in lines)])
        detections = tuple(
            Detection(
                name=name,
                rank=hit.rank,
                score=round(hit.score, 4),
                matched_terms=() if name == "dense" else self.terms.matched(held),
            )
            for name, hits in lists.items()
            for hit in hits
            if hit.passage_id == stored.passage_id
        )
        is_old = stored.doc_id in self.superseded
        return Candidate(
            rank=rank,
            score=round(score, 6),
            anchor=_range(stored.doc_id, anchor[0].line_id, anchor[-1].line_id),
            context=self._reader.context(stored, self._query.granularity),
            section=passage.breadcrumb,
            detectors=detections,
            role="older version" if is_old else "passage",
            reason=_reason(detections),
        )

    @cached_property
    def _sets(self) -> tuple[Gathered, ...]:
        """The sets of like records that a list or a count has to read whole, as far as they are read."""
        asked = asked_set(self._query.main_query)
        if asked is None or self._query.shape not in ("list", "amount", "text"):
            return ()
        in_force = [r for r in self._records.values() if r.doc_id not in self.superseded]
        gatherer = Gatherer(self._store, self._contents, in_force)
        return within([one for noun in asked.nouns[:_MAX_NOUNS] for one in gatherer.gather(noun)])

    def record_sets(self, n_before: int) -> list[Candidate]:
        """Return sets of like records ("Project P-001" …, the rows of a table) that a list or a count reads whole.

        The context of a candidate is the first range of its set; `result` has all of them read.
        """
        return [
            Candidate(
                rank=n_before + number,
                score=0.0,
                anchor=_range(one.ranges[0].doc_id, one.ranges[0].first_line_id, one.ranges[0].first_line_id),
                context=one.ranges[0],
                section=one.section,
                detectors=(Detection(name="toc", rank=number, score=1.0),),
                role="records",
                reason=f"toc #{number}: {one.reason}",
            )
            for number, one in enumerate((s for s in self._sets if s.ranges), start=1)
        ]

    def named_pages(self) -> list[PageHit]:
        """Return the pages that the question names."""
        documents = [(r, self._store.pages(r.doc_id)) for r in self._records.values()]
        return [hit for hint in self._query.page_hints for hit in named_pages(hint, documents)]

    def no_such_page(self) -> str:
        """Return the sentence that says which pages there are."""
        asked = ", ".join(self._query.page_hints)
        documents = [f"{r.name} has {r.n_pages}" for r in list(self._records.values())[:3]]
        return f"There is no page {asked}: {'; '.join(documents)}."

    def page_candidate(self, hit: PageHit, rank: int) -> Candidate:
        """Return a whole page as a candidate."""
        lines = self._store.page_lines(hit.doc_id, hit.page.page_num, hit.page.page_num)
        named = "its printed number" if hit.by_label else "its place in the file"
        first, last = (lines[0].line_id, lines[-1].line_id) if lines else (1, 1)
        return Candidate(
            rank=rank,
            score=1.0,
            anchor=_range(hit.doc_id, first, last),
            context=_range(hit.doc_id, first, last),
            section=(),
            detectors=(Detection(name="page", rank=rank, score=1.0),),
            role="page",
            reason=f"the question names this page by {named} (sheet {hit.page.page_num})",
        )

    def result(
        self, candidates: Sequence[Candidate], *, reason: str | None = None, keep: int | None = None
    ) -> RetrievalResult:
        """Return the result: at most `keep` candidates, pages kept, lines to read, and what is missing.

        Sets of like sections come last and are kept first: a count needs them whole.
        """
        if keep is not None and len(candidates) > keep:
            sets = [c for c in candidates if c.role == "records"][: keep - 1]
            candidates = [*[c for c in candidates if c.role != "records"][: keep - len(sets)], *sets]
        gathered = [r for one in self._sets for r in one.ranges] if candidates else []
        ranges = merge_ranges([*(c.context for c in candidates if c.role != "older version"), *gathered])
        older = merge_ranges([c.context for c in candidates if c.role == "older version"])
        best = candidates[0] if candidates else None
        return RetrievalResult(
            candidates=tuple(candidates),
            pages_kept=tuple(self._pages([c.anchor for c in candidates])),
            filtered_lines=ranges or older,
            not_found_reason=reason if candidates else reason or "nothing matches the question",
            confidence=self._confidence(best),
            missing_keywords=self.terms.missing,
            caveats=tuple(
                f"covers only {one.n_lines} of {one.n_lines + one.n_left} lines: {one.reason}"
                if one.n_lines
                else f"not looked through: {one.reason}"
                for one in (self._sets if candidates else ())
                if one.n_left
            ),
        )

    def _confidence(self, best: Candidate | None) -> float:
        if best is None:
            return 0.0
        if best.role == "page":
            return 1.0
        lines = self._store.lines(best.anchor.doc_id, best.context.first_line_id, best.context.last_line_id)
        held = held_terms([" ".join(best.section), *(line.text for line in lines)])
        return round(self.terms.coverage(held), 4)

    def _pages(self, anchors: Sequence[LineRange]) -> list[KeptPage]:
        kept: dict[KeptPage, None] = {}
        for anchor in anchors:
            for line in self._store.lines(anchor.doc_id, anchor.first_line_id, anchor.last_line_id):
                kept.setdefault(KeptPage(doc_id=anchor.doc_id, page_num=line.page_num))
        return list(kept)


def _range(doc_id: str, first: int, last: int) -> LineRange:
    return LineRange(doc_id=doc_id, first_line_id=first, last_line_id=last)


def range_of(stored: StoredPassage) -> LineRange:
    """Return the lines of a passage."""
    return _range(stored.doc_id, stored.passage.first_line_id, stored.passage.last_line_id)


def _reason(detections: Sequence[Detection]) -> str:
    parts = []
    for detection in detections:
        terms = ", ".join(f"{m.term} ×{m.count}" for m in detection.matched_terms)
        parts.append(f"{detection.name} #{detection.rank}" + (f" ({terms})" if terms else ""))
    return "; ".join(parts)


def merge_ranges(ranges: Sequence[LineRange]) -> tuple[LineRange, ...]:
    """Return the ranges without overlaps, documents in the order of their first range, lines in reading order."""
    by_document: dict[str, list[LineRange]] = {}
    for one in ranges:
        by_document.setdefault(one.doc_id, []).append(one)
    merged: list[LineRange] = []
    for doc_id, group in by_document.items():
        for one in sorted(group, key=lambda r: r.first_line_id):
            last = merged[-1] if merged and merged[-1].doc_id == doc_id else None
            if last is not None and one.first_line_id <= last.last_line_id + 1:
                merged[-1] = _range(doc_id, last.first_line_id, max(last.last_line_id, one.last_line_id))
            else:
                merged.append(one)
    return tuple(merged)


def _unit(vector: Any) -> Any:
    return vector / max(float((vector @ vector) ** 0.5), 1e-12)

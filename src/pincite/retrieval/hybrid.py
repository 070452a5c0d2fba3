"""Anchor, then context: detectors side by side, ranks fused, and what to read around the best places."""

import logging
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from pincite.errors import EmbeddingModelChangedError, ProviderError
from pincite.protocols import Embedder, Reranker, Store
from pincite.retrieval.contents import ContentsIndex
from pincite.retrieval.duplicates import twins_of
from pincite.retrieval.editions import Edition
from pincite.retrieval.fusion import fuse
from pincite.retrieval.raising import raised
from pincite.retrieval.search import DEPTH, Search, range_of
from pincite.retrieval.versions import Editions, families_of
from pincite.types.document import DocumentRecord
from pincite.types.passage import Passage, PassageHit, StoredPassage
from pincite.types.question import RetrievalQuery
from pincite.types.retrieval import RetrievalResult

logger = logging.getLogger(__name__)

Method = Literal["keyword", "dense", "toc", "page", "hybrid"]
#: Weights of the detectors in the fusion; dense is a setting.
KEYWORD_WEIGHT, TOC_WEIGHT = 1.0, 0.4
#: A code ("12(4)(b)", "HX-40") is found by its characters: by meaning it is like its neighbours.
CODE_FACTOR = 2.0
#: Among so many documents what is found first says what the question is about; inside a few all is about it anyway.
MANY = 50
#: How many of the first passages the question is moved towards.
FED_BACK = 3
#: How many passages of each detector are kept whatever the others say.
LEADERS = 2
#: The contents score a title by the share of the question that it holds.
_SHARES = frozenset({"toc"})
#: How many passages are looked at for codes and for what else is on their page.
CONSIDERED = 200
#: How many passages get a second look; each costs up to 40 ms of one core, and more of them found no more.
RERANKED = 4
#: Figures are cut into many word pieces, which cost time and say little.
TABLE_CHARS = 500


class HybridRetriever:
    """Finds the lines that may hold the answer, in one library."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        *,
        reranker: Reranker | None = None,
        dense_weight: float = 1.25,
        method: Method = "hybrid",
    ) -> None:
        """Search `store`; without an embedder dense search is left out, without a reranker the second look."""
        self._store = store
        self._embedder = embedder
        self._reranker = reranker if method == "hybrid" else None
        self._weights = {"keyword": KEYWORD_WEIGHT, "dense": dense_weight, "toc": TOC_WEIGHT}
        self._method = method
        self._editions = Editions()

    def retrieve(self, query: RetrievalQuery, *, top_k: int) -> RetrievalResult:
        """Return at most `top_k` candidates, best first, each with the reasons of every detector.

        Raises:
            EmbeddingModelChangedError: `method` is "dense" and the stored vectors come from another embedder.
            ProviderError: `method` is "dense" and the embedder failed.

        """
        scope = frozenset(query.scope.doc_ids)
        records = [r for r in self._store.records() if r.status == "ready" and (not scope or r.doc_id in scope)]
        search = Search(self._store, query, records, self._contents, lambda: self._families(records))
        if query.page_hints and self._method in ("page", "hybrid"):
            return self._pinned(search, top_k)
        lists = self._detect(search)
        fused = self._fused(search, lists)
        if self._embedder is not None and lists.get("dense") and self._method == "hybrid" and len(records) >= MANY:
            lists["dense"] = search.dense_near(self._embedder, list(fused)[:FED_BACK])
            fused = self._fused(search, lists)
        return self._result(search, lists, fused, top_k)

    def _fused(self, search: Search, lists: Mapping[str, Sequence[PassageHit]]) -> dict[int, float]:
        weights = dict(self._weights)
        if search.terms.codes:
            weights["keyword"] *= CODE_FACTOR
        return fuse(lists, weights, depth=DEPTH, shares=_SHARES)

    def _families(self, records: Sequence[DocumentRecord]) -> Sequence[Sequence[Edition]]:
        """Return the families of versions, found once for each state of the documents: it means reading all heads."""
        key = (self._store.sequence, tuple(r.doc_id for r in records))
        known = self._known_families
        if known is None or known[0] != key:
            found = families_of(records, lambda doc_id, n: self._store.lines(doc_id, 1, n), self._editions)
            known = self._known_families = (key, found)
        return known[1]

    _known_families: tuple[tuple[int, tuple[str, ...]], Sequence[Sequence[Edition]]] | None = None

    @property
    def _contents(self) -> ContentsIndex:
        sequence = self._store.sequence
        known = self._known_contents
        if known is None or known[0] != sequence:
            # Both at once, so that a thread never meets the index of another state.
            known = self._known_contents = (sequence, ContentsIndex(self._store, known and known[1]))
        return known[1]

    _known_contents: tuple[int, ContentsIndex] | None = None

    def _detect(self, search: Search) -> dict[str, Sequence[PassageHit]]:
        lists: dict[str, Sequence[PassageHit]] = {}
        if self._method in ("keyword", "hybrid"):
            lists["keyword"] = search.keyword()
        if self._method in ("dense", "hybrid") and self._embedder is not None:
            try:
                lists["dense"] = search.dense(self._embedder)
            except (EmbeddingModelChangedError, ProviderError) as error:
                # Keyword and contents search still work; the library says that dense search is off.
                if self._method == "dense":
                    raise
                logger.warning("searched by words alone: %s", error)
        if self._method in ("toc", "hybrid"):
            lists["toc"] = search.toc()
        return lists

    def _result(
        self, search: Search, lists: Mapping[str, Sequence[PassageHit]], fused: Mapping[int, float], top_k: int
    ) -> RetrievalResult:
        ids = list(fused)[: max(6 * top_k, CONSIDERED)]
        passages = {p.passage_id: p for p in self._store.passages(ids)}
        fused = raised(fused, passages, search.paged, search.terms)
        fused = self._reranked(search.question, fused, passages)
        demoted = search.superseded
        order = sorted((i for i in fused if i in passages), key=lambda i: passages[i].doc_id in demoted)
        twins = twins_of(order, passages, search.content_hashes) if search.folds_twins else {}
        repeated = {i for group in twins.values() for i in group}
        chosen = _with_leaders([i for i in order if i not in repeated], lists, top_k)
        candidates = [
            replace(
                search.candidate(passages[i], rank, fused[i], lists),
                also=tuple(range_of(passages[twin]) for twin in twins.get(i, ())),
            )
            for rank, i in enumerate(chosen, start=1)
        ]
        sets = search.record_sets(len(candidates))
        return search.result([*candidates, *sets], keep=top_k)

    def _reranked(
        self, question: str, fused: Mapping[int, float], passages: Mapping[int, StoredPassage]
    ) -> Mapping[int, float]:
        """Return the scores with the reranker's say on the best few, which stay before the others."""
        top = [i for i in fused if i in passages][:RERANKED]
        if self._reranker is None or len(top) < 2:
            return fused
        try:
            looks = self._reranker.scores(question, [_looked_at(passages[i].passage) for i in top])
        except ProviderError as error:
            logger.warning("not looked at again: %s", error)
            return fused
        # Only how they differ matters: the weakest of them keeps its score.
        lowest = min(looks)
        weight = self._reranker.weight
        again = {i: fused[i] + weight * (look - lowest) for i, look in zip(top, looks, strict=True)}
        best = dict(sorted(again.items(), key=lambda pair: -pair[1]))
        return best | {i: score for i, score in fused.items() if i not in best}

    def _pinned(self, search: Search, top_k: int) -> RetrievalResult:
        hits = search.named_pages()
        if not hits:
            return search.result([], reason=search.no_such_page())
        return search.result([search.page_candidate(h, rank) for rank, h in enumerate(hits[:top_k], start=1)])


def _looked_at(passage: Passage) -> str:
    """Return what of a passage is looked at again: of a table its title, its header and the first rows."""
    return passage.text[:TABLE_CHARS] if passage.kind == "table" else passage.text


def _with_leaders(order: Sequence[int], lists: Mapping[str, Sequence[PassageHit]], top_k: int) -> list[int]:
    """Return the first `top_k` ids, and among them what each detector puts first.

    A short note that one detector is sure of may not be buried under what several find likely.
    """
    leaders = [i for hits in lists.values() for i in (hit.passage_id for hit in hits[:LEADERS]) if i in order]
    kept = list(order[:top_k])
    missing = [i for i in dict.fromkeys(leaders) if i not in kept]
    others = [i for i in kept if i not in leaders]
    dropped = set(others[max(0, len(others) - len(missing)) :]) if missing else set()
    return ([i for i in kept if i not in dropped] + missing)[:top_k]

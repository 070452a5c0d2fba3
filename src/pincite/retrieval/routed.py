"""A retriever with models beside it: sections of the router first, the arbiter's order last."""

from msgspec.structs import replace

from pincite.protocols import ChatModel, Retriever, Store
from pincite.retrieval.arbiter import arbitrate
from pincite.retrieval.context import MAX_SECTION_LINES, ContextReader
from pincite.retrieval.router import Route, Routed, route
from pincite.retrieval.search import merge_ranges
from pincite.types.passage import LineRange
from pincite.types.question import RetrievalQuery
from pincite.types.retrieval import Candidate, Detection, RetrievalResult


class RoutedRetriever:
    """Another retriever, whose result a contents router adds to and an arbiter orders; each is asked once a query."""

    def __init__(
        self, retriever: Retriever, store: Store, *, router: ChatModel | None = None, arbiter: ChatModel | None = None
    ) -> None:
        """Search with `retriever`; models that are `None` are left out."""
        self._retriever = retriever
        self._store = store
        self._router = router
        self._arbiter = arbiter
        self._routes: dict[str, Route] = {}
        self._ranked: set[str] = set()

    def retrieve(self, query: RetrievalQuery, *, top_k: int) -> RetrievalResult:
        """Return the result of the retriever behind, with the sections of the router among its candidates.

        Raises:
            ProviderError: a model's service failed.

        """
        result = self._retriever.retrieve(query, top_k=top_k)
        if query.page_hints:
            return result
        if self._router is not None:
            result = self._with_sections(result, self._route(query, self._router))
        if self._arbiter is not None and query.main_query not in self._ranked:
            self._ranked.add(query.main_query)
            ranking = arbitrate(query, result.candidates, self._store, self._arbiter)
            result = replace(result, candidates=ranking.candidates, notes=(*result.notes, *ranking.notes))
        return result

    def _route(self, query: RetrievalQuery, router: ChatModel) -> Route:
        if query.main_query not in self._routes:
            wanted = query.scope.doc_ids
            records = [r for r in self._store.records() if r.status == "ready" and (not wanted or r.doc_id in wanted)]
            self._routes[query.main_query] = route(query, records, self._store, router)
        return self._routes[query.main_query]

    def _with_sections(self, result: RetrievalResult, found: Route) -> RetrievalResult:
        reader = ContextReader(self._store)
        added = [c for rank, one in enumerate(found.sections, start=1) if (c := _candidate(one, rank, reader))]
        candidates = [replace(c, rank=rank) for rank, c in enumerate((*added, *result.candidates), start=1)]
        return replace(
            result,
            candidates=tuple(candidates),
            filtered_lines=merge_ranges([*(c.context for c in added), *result.filtered_lines]),
            not_found_reason=None if added else result.not_found_reason,
            notes=(*result.notes, *found.notes),
        )


def _candidate(one: Routed, rank: int, reader: ContextReader) -> Candidate | None:
    lines = reader.section(one.doc_id, one.section)
    if lines is None:
        return None
    last = min(lines.last_line_id, lines.first_line_id + MAX_SECTION_LINES - 1)
    context = LineRange(doc_id=one.doc_id, first_line_id=lines.first_line_id, last_line_id=last)
    return Candidate(
        rank=rank,
        score=0.0,
        anchor=LineRange(doc_id=one.doc_id, first_line_id=lines.first_line_id, last_line_id=lines.first_line_id),
        context=context,
        section=one.section.breadcrumb,
        detectors=(Detection(name="model", rank=rank, score=1.0 / rank),),
        role="section",
        reason=f"chosen from the contents: {one.reason}",
    )

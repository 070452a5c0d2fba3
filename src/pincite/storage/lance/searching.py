"""Search in one state of a Lance library, by terms and by vectors."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pincite.protocols import Embedder
from pincite.storage import bm25
from pincite.storage.lance.coding import column
from pincite.storage.lance.passages import Passages
from pincite.storage.lance.snapshot import Postings, Snapshot
from pincite.storage.lance.tables import Tables
from pincite.storage.lance.vectors import Vectors
from pincite.storage.terms import POSTING
from pincite.types.passage import PassageHit


class Search:
    """The searches of `pincite.protocols.Store`, each in the state it is given."""

    def __init__(self, tables: Tables, passages: Passages, vectors: Vectors) -> None:
        """Load nothing yet."""
        self._passages, self._vectors = passages, vectors
        self._postings = Postings(tables)
        # What is derived from a state is made by one thread and used by all.
        self._guard = threading.RLock()

    def terms(
        self, now: Snapshot, terms: Mapping[str, float], doc_ids: Sequence[str], k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by weighted BM25; terms of a weight of 0 or less are passed over."""
        found = self._found(now, [term for term, weight in terms.items() if weight > 0])
        return bm25.rank(bm25.narrow(now.corpus, doc_ids), terms, k, lambda term: found[term])

    def term_counts(self, now: Snapshot, terms: Iterable[str], doc_ids: Sequence[str]) -> dict[str, int]:
        """Return in how many passages each index term occurs."""
        ids = frozenset(doc_ids)
        wanted = {s.first_id for s in now.stored if not ids or s.record.doc_id in ids}
        found = self._found(now, list(dict.fromkeys(terms)))
        return {
            term: sum(len(data) // POSTING.size for first_id, data in postings if first_id in wanted)
            for term, postings in found.items()
        }

    def _found(self, now: Snapshot, terms: Sequence[str]) -> dict[str, list[tuple[int, bytes]]]:
        with self._guard:
            return self._postings.of(terms, [column(term) for term in terms], now)

    def words(self, now: Snapshot) -> Mapping[str, int]:
        """Return every word of the library in lower case, with the number of passages that hold it."""
        with self._guard:
            return now.words

    def nearest(
        self, now: Snapshot, vector: Any, embedder: Embedder, doc_ids: Sequence[str], k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by cosine; raises as `Vectors.nearest`."""
        with self._guard:
            return self._vectors.nearest(now, vector, embedder, doc_ids, k)

    def vectors_of(self, now: Snapshot, passage_ids: Sequence[int], embedder: Embedder) -> Any:
        """Return the vectors of passages, an array of one row each, without those that have none."""
        import numpy as np

        with self._guard:
            known = self._vectors.stored(embedder)
            owners = [(i, owner) for i in passage_ids if (owner := now.of_passage(i)) is not None]
            texts = [now.text_hashes[owner.first_id][i - owner.first_id] for i, owner in owners]
            found = {} if known is None else self._vectors.of_texts(known, texts)
        rows = [found[text] for text in texts if text in found]
        return np.array(rows, dtype=np.float32).reshape(-1, embedder.dimension)

    def missing_vectors(
        self, now: Snapshot, embedder: Embedder, doc_ids: Sequence[str], batch: int
    ) -> Iterator[list[tuple[str, str]]]:
        """Yield batches of `(text_hash, embedding_text)` without a vector of `embedder`, each text once."""
        with self._guard:
            known, wanted = self._vectors.stored(embedder), set(doc_ids)
            seen = set() if known is None else set(self._vectors.hashes(known))
            hashes = now.text_hashes
        missing: list[int] = []
        for stored in now.stored:
            if wanted and stored.record.doc_id not in wanted:
                continue
            for i, text_hash in enumerate(hashes[stored.first_id]):
                if text_hash not in seen:
                    seen.add(text_hash)
                    missing.append(stored.first_id + i)
        for start in range(0, len(missing), batch):
            found = self._passages.by_id(now, missing[start : start + batch])
            texts = [(one.passage.text_hash, one.passage.embedding_text) for one in found]
            if texts:
                yield texts

    def progress(self, now: Snapshot, embedder: Embedder) -> tuple[int, int]:
        """Return how many texts have a vector of `embedder`, and how many there are."""
        with self._guard:
            return self._vectors.progress(embedder, now)

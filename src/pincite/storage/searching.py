"""Search in one state of a library, with what is costly to load kept for the next question."""

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pincite.protocols import Embedder
from pincite.storage import documents, schema, vectors
from pincite.storage import terms as postings
from pincite.storage.values import restored
from pincite.storage.vectors import VectorProgress
from pincite.types.document import DocumentRecord
from pincite.types.passage import PassageHit

if TYPE_CHECKING:
    from pincite.storage.bm25 import Corpus
    from pincite.storage.nearest import Placed


class Search:
    """Records, terms, words and vectors of one library. numpy is imported by the first search, not before.

    What is kept carries the sequence it was made from, and is made again when the library has another.
    """

    def __init__(self, folder: Path, *, writable: bool) -> None:
        """Load nothing yet; derived files are written to `folder` when `writable`."""
        self._folder = folder
        self._writable = writable
        self._guard = threading.Lock()
        self._records: tuple[int, tuple[DocumentRecord, ...]] | None = None
        self._corpus: tuple[int, Corpus] | None = None
        self._words: tuple[int, Mapping[str, int]] | None = None
        self._progress: tuple[tuple[int, int, str, int], VectorProgress] | None = None
        self._vectors: Placed | None = None

    def forget(self) -> None:
        """Let go of everything that is kept."""
        self._records = self._corpus = self._words = self._progress = self._vectors = None

    def records(self, connection: sqlite3.Connection) -> tuple[DocumentRecord, ...]:
        """Return every document, by name."""
        sequence = schema.meta(connection, "sequence")
        known = self._records
        if known is None or known[0] != sequence:
            known = self._records = (sequence, documents.all_records(connection))
        return known[1]

    def passage_count(self, connection: sqlite3.Connection, doc_ids: Sequence[str]) -> int:
        """Return how many passages some documents have."""
        from pincite.storage import bm25

        return len(bm25.narrow(self._corpus_now(connection), doc_ids).passage_ids)

    def terms(
        self, connection: sqlite3.Connection, terms: Mapping[str, float], doc_ids: Sequence[str], k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by weighted BM25."""
        from pincite.storage import bm25

        return bm25.search(connection, bm25.narrow(self._corpus_now(connection), doc_ids), terms, k)

    def term_counts(
        self, connection: sqlite3.Connection, terms: Iterable[str], doc_ids: Sequence[str]
    ) -> dict[str, int]:
        """Return in how many passages each term occurs."""
        return postings.count_passages(connection, terms, _doc_nos(connection, doc_ids))

    def words(self, connection: sqlite3.Connection) -> Mapping[str, int]:
        """Return every word with the number of passages that hold it."""
        sequence = schema.meta(connection, "sequence")
        known = self._words
        if known is None or known[0] != sequence:
            known = self._words = (sequence, MappingProxyType(postings.load_words(connection)))
        return known[1]

    def progress(self, connection: sqlite3.Connection, embedder: Embedder) -> VectorProgress:
        """Return how far the passages are embedded."""
        state = (schema.meta(connection, "sequence"), schema.meta(connection, "vector_sequence"))
        key = (*state, embedder.name, embedder.dimension)
        known = self._progress
        if known is None or known[0] != key:
            known = self._progress = (key, vectors.progress(connection, embedder))
        return known[1]

    def nearest(
        self,
        reading: Callable[[], AbstractContextManager[sqlite3.Connection]],
        vector: Any,
        embedder: Embedder,
        doc_ids: Sequence[str],
        k: int,
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by cosine.

        Raises:
            EmbeddingModelChangedError: the stored vectors come from another embedder.

        """
        with contextlib.ExitStack() as open_until_found:
            # The snapshot is taken under the guard, so it is never older than the rows that are known.
            with self._guard:
                connection = open_until_found.enter_context(reading())
                vectors.check(connection, embedder)
                found = vectors.stored(connection, embedder)
                if found is None:
                    return ()
                from pincite.storage import nearest

                placed = self._vectors = nearest.current(
                    connection,
                    self._folder,
                    found,
                    self._corpus_now(connection),
                    self._vectors,
                    writable=self._writable,
                )
            return nearest.search(connection, placed, vector, doc_ids, k)

    def _corpus_now(self, connection: sqlite3.Connection) -> "Corpus":
        from pincite.storage import bm25

        sequence = schema.meta(connection, "sequence")
        known = self._corpus
        if known is None or known[0] != sequence:
            known = self._corpus = (sequence, bm25.load_corpus(connection))
        return known[1]


def _doc_nos(connection: sqlite3.Connection, doc_ids: Sequence[str]) -> str | None:
    """Return the numbers of documents as a JSON list, `None` for every document."""
    if not doc_ids:
        return None
    wanted = set(doc_ids)
    found = connection.execute("SELECT doc_id, doc_no FROM documents")
    return json.dumps([number for doc_id, number in found if restored(doc_id) in wanted])

"""The vectors of a Lance library, as whoever embeds its passages works with them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pincite.protocols import Embedder
from pincite.storage.embedders import checked
from pincite.storage.lance.changing import Changes
from pincite.storage.lance.searching import Search
from pincite.storage.lance.states import States
from pincite.storage.lance.vectors import KnownEmbedder, Vectors


class LanceVectorTable:
    """Reads and writes the vectors of passages, by the hash of their text: `VectorTable` of a Lance library."""

    def __init__(self, vectors: Vectors, search: Search, states: States, changes: Changes) -> None:
        """Work on the vectors of a library."""
        self._vectors, self._search, self._states, self._changes = vectors, search, states, changes

    def embedders(self) -> tuple[KnownEmbedder, ...]:
        """Return every embedder that has vectors here, the one in use first."""
        self._changes.settle()
        return self._vectors.embedders()

    def every(self, embedder: KnownEmbedder) -> Iterator[list[tuple[str, Any]]]:
        """Yield all vectors of an embedder with the hashes of their texts, batch by batch."""
        return self._vectors.every(embedder)

    def check(self, embedder: Embedder) -> None:
        """Make sure that the vectors in use come from `embedder`, or that there are none.

        Raises:
            EmbeddingModelChangedError: they come from another; the message names both and says what to do.

        """
        self._vectors.check(embedder)

    def progress(self, embedder: Embedder) -> tuple[int, int]:
        """Return how many texts have a vector of `embedder`, and how many texts there are."""
        done, total = self._search.progress(self._states.now(), embedder)
        return done + self._changes.n_gathered(embedder), total

    def missing(
        self, embedder: Embedder, *, doc_ids: Sequence[str] = (), batch: int = 256
    ) -> Iterator[list[tuple[str, str]]]:
        """Yield batches of `(text_hash, embedding_text)` without a vector of `embedder`, each text once."""
        self._changes.settle()
        return self._search.missing_vectors(self._states.now(), embedder, doc_ids, batch)

    def add(self, embedder: Embedder, vectors_by_hash: Iterable[tuple[str, Any]]) -> None:
        """Keep vectors by the hash of their text; texts that are gone are passed over.

        Raises:
            StoreError: a vector is not what the embedder says it makes.

        """
        ready = checked(embedder, vectors_by_hash)
        with self._changes.writing():
            self._changes.add_vectors(embedder, ready)

    def switch(self, embedder: Embedder) -> None:
        """Search with the vectors of `embedder` from now on, and delete those of others.

        Raises:
            StoreError: some texts have no vector of it yet.

        """
        with self._changes.writing():
            self._changes.switch_embedder(embedder)

    def drop_unused(self) -> None:
        """Delete the vectors of texts that no document has any more."""
        with self._changes.writing():
            self._changes.drop_unused_vectors()

"""The vectors of a library in a folder, as whoever embeds its passages works with them."""

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pincite.protocols import Embedder
from pincite.storage import vectors
from pincite.storage.connections import Connections
from pincite.storage.searching import Search
from pincite.storage.values import storable
from pincite.storage.vectors import StoredEmbedder


class VectorTable:
    """Reads and writes the vectors of passages, by the hash of their text; every change is a small transaction."""

    def __init__(self, folder: Path, connections: Connections, search: Search) -> None:
        """Work on the library of these connections; files made of its vectors are in `folder`."""
        self._folder, self._connections, self._search = folder, connections, search

    def embedders(self) -> tuple[StoredEmbedder, ...]:
        """Return every embedder that has vectors here, the one in use first."""
        with self._connections.reading() as connection:
            return tuple(sorted(vectors.embedders(connection), key=lambda one: not one.is_current))

    def every(self, embedder: StoredEmbedder) -> Iterator[list[tuple[str, Any]]]:
        """Yield all vectors of an embedder with the hashes of their texts, batch by batch."""
        return vectors.every(self._connections.reading, embedder)

    def check(self, embedder: Embedder) -> None:
        """Make sure that the vectors in use come from `embedder`, or that there are none.

        Raises:
            EmbeddingModelChangedError: they come from another; the message names both and says what to do.

        """
        with self._connections.reading() as connection:
            vectors.check(connection, embedder)

    def progress(self, embedder: Embedder) -> tuple[int, int]:
        """Return how many texts have a vector of `embedder`, and how many texts there are."""
        with self._connections.reading() as connection:
            state = self._search.progress(connection, embedder)
        return state.done, state.total

    def missing(
        self, embedder: Embedder, *, doc_ids: Sequence[str] = (), batch: int = 256
    ) -> Iterator[list[tuple[str, str]]]:
        """Yield batches of `(text_hash, embedding_text)` without a vector of `embedder`, each text once."""
        within = json.dumps([storable(d) for d in doc_ids]) if doc_ids else None
        return vectors.missing(self._connections.reading, embedder, batch=batch, doc_ids=within)

    def add(self, embedder: Embedder, vectors_by_hash: Iterable[tuple[str, Any]]) -> None:
        """Keep vectors by the hash of their text, in one transaction; texts that are gone are passed over.

        Raises:
            StoreError: a vector is not what the embedder says it makes.

        """
        with self._connections.writing() as connection:
            vectors.add(connection, embedder, vectors_by_hash)

    def switch(self, embedder: Embedder) -> None:
        """Search with the vectors of `embedder` from now on, and delete those of others.

        Raises:
            StoreError: some texts have no vector of it yet.

        """
        from pincite.storage.matrix import file_path

        with self._connections.writing() as connection:
            others = vectors.switch(connection, embedder)
        for other in others:
            with contextlib.suppress(OSError):
                file_path(self._folder, other).unlink(missing_ok=True)

    def drop_unused(self) -> None:
        """Delete the vectors of texts that no document has any more."""
        with self._connections.writing() as connection:
            vectors.drop_unused(connection)

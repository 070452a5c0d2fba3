"""The vectors of a Lance library: a table for each embedder, a row for each text.

Up to `EXACT_MOST` of them are held in memory and compared one by one, as in a SQLite library. Beyond that an index
(IVF_SQ) proposes texts, whose own vectors then decide.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pincite.errors import EmbeddingModelChangedError, StoreError
from pincite.protocols import Embedder
from pincite.storage import bm25
from pincite.storage.lance.notes import Notes
from pincite.storage.lance.snapshot import Snapshot
from pincite.storage.lance.tables import Tables, among, vector_schema
from pincite.types.passage import PassageHit
from pincite.types.record import Record

#: The most vectors that are held in memory: 150 MB of 384 numbers each.
EXACT_MOST: Final = 100_000
#: How many times as many proposals of the index are looked at as are asked for, by their own vectors.
_REFINE: Final = 5
#: Texts whose vectors are asked for in one request.
_BATCH: Final = 1000


class KnownEmbedder(Record, frozen=True, kw_only=True):
    """An embedder whose vectors are in the library; `is_current` says whether search uses them."""

    name: str
    dimension: int
    is_current: bool

    @property
    def table(self) -> str:
        """The table of its vectors; the name is safe on every file system."""
        digest = hashlib.sha256(self.name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return f"vectors-{re.sub(r'[^A-Za-z0-9_-]', '-', self.name)[:40]}-{digest}-{self.dimension}"


class Vectors:
    """Reads and writes the vectors of one library."""

    def __init__(self, tables: Tables, notes: Notes, *, exact_most: int = EXACT_MOST) -> None:
        """Read nothing yet."""
        self._tables, self._notes, self._exact_most = tables, notes, exact_most
        self._hashes: tuple[tuple[str, int], dict[str, int]] = (("", -1), {})
        self._matrix: tuple[tuple[str, int], Any] = (("", -1), None)
        self._rows: tuple[tuple[str, int, int], Any] = (("", -1, -1), None)
        self._progress: tuple[tuple[str, int, int], tuple[int, int]] = (("", -1, -1), (0, 0))

    def embedders(self) -> tuple[KnownEmbedder, ...]:
        """Return every embedder that has vectors, the one in use first."""
        found = self._notes.all("embedder", KnownEmbedder).values()
        return tuple(sorted(found, key=lambda one: (not one.is_current, one.name, one.dimension)))

    def stored(self, embedder: Embedder) -> KnownEmbedder | None:
        """Return what the library holds of `embedder`: same name and same dimension, or `None`."""
        same = (embedder.name, embedder.dimension)
        return next((one for one in self.embedders() if (one.name, one.dimension) == same), None)

    def check(self, embedder: Embedder) -> None:
        """Make sure that search with `embedder` would compare vectors of one kind.

        Raises:
            EmbeddingModelChangedError: the vectors in use come from another; the message says what to do.

        """
        for found in self.embedders():
            if found.is_current and (found.name, found.dimension) != (embedder.name, embedder.dimension):
                raise EmbeddingModelChangedError(
                    f"the vectors of this library were made by {found.name!r} ({found.dimension} numbers each), the "
                    f"embedder now is {embedder.name!r} ({embedder.dimension}); run `pincite embed --again` to embed "
                    f"every passage anew beside the old vectors, or choose {found.name!r} again. "
                    "Keyword search works meanwhile"
                )

    def add(self, embedder: Embedder, pairs: Sequence[tuple[str, Any]], snapshot: Snapshot) -> None:
        """Keep vectors by the hash of their text, in one commit; texts that are gone or have one are passed over."""
        known = self.stored(embedder)
        if known is None:
            has_current = any(one.is_current for one in self.embedders())
            known = KnownEmbedder(name=embedder.name, dimension=embedder.dimension, is_current=not has_current)
            self._notes.put("embedder", {f"{known.dimension}:{known.name}": known}, replace=False)
        there = self.hashes(known)
        new = {h: v for h, v in pairs if h in snapshot.texts and h not in there}
        if not new:
            return
        flat = np.concatenate([np.asarray(v, dtype=np.float32) for v in new.values()])
        column = pa.FixedSizeListArray.from_arrays(pa.array(flat), embedder.dimension)
        rows = pa.Table.from_arrays([pa.array(list(new), pa.string()), column], schema=vector_schema(known.dimension))
        # Two writers may embed the same text at the same time: the first vector stays.
        self._tables.merge(known.table, "text_hash", rows, replace=False)

    def hashes(self, known: KnownEmbedder) -> dict[str, int]:
        """Return the texts that have a vector, with the number of their row."""
        dataset = self._tables.at(known.table)
        if dataset is None:
            return {}
        state = (known.table, dataset.version)
        if self._hashes[0] != state:
            found = dataset.to_table(columns=["text_hash"])["text_hash"].to_pylist()
            self._hashes = (state, {text_hash: i for i, text_hash in enumerate(found)})
        return self._hashes[1]

    def progress(self, embedder: Embedder, snapshot: Snapshot) -> tuple[int, int]:
        """Return how many texts have a vector, and how many there are."""
        known = self.stored(embedder)
        dataset = None if known is None else self._tables.at(known.table)
        if known is None or dataset is None:
            return 0, len(snapshot.texts)
        state = (known.table, dataset.version, snapshot.version)
        if self._progress[0] != state:
            there = self.hashes(known)
            self._progress = (state, (sum(text in there for text in snapshot.texts), len(snapshot.texts)))
        return self._progress[1]

    def switch(self, embedder: Embedder, snapshot: Snapshot) -> None:
        """Make `embedder` the current one and delete the vectors of all others.

        Raises:
            StoreError: some passages have no vector of it yet.

        """
        done, total = self.progress(embedder, snapshot)
        if done < total:
            raise StoreError(
                f"only {done} of {total} texts have a vector of {embedder.name!r}; "
                "run `pincite embed --again` to the end first"
            )
        current = KnownEmbedder(name=embedder.name, dimension=embedder.dimension, is_current=True)
        self._notes.put("embedder", {f"{current.dimension}:{current.name}": current})
        for other in self.embedders():
            if other.table != current.table:
                self._notes.forget("embedder", [f"{other.dimension}:{other.name}"])
                self._tables.drop(other.table)

    def drop_unused(self, snapshot: Snapshot) -> None:
        """Delete the vectors of texts that no document has any more."""
        for known in self.embedders():
            unused = [text_hash for text_hash in self.hashes(known) if text_hash not in snapshot.texts]
            for start in range(0, len(unused), _BATCH):
                self._tables.delete(known.table, among("text_hash", unused[start : start + _BATCH]))

    def of_texts(self, known: KnownEmbedder, text_hashes: Sequence[str]) -> dict[str, Any]:
        """Return the vectors of texts, by their hash."""
        there = self.hashes(known)
        wanted = [h for h in dict.fromkeys(text_hashes) if h in there]
        if len(there) <= self._exact_most:
            matrix = self._in_memory(known)
            return {h: matrix[there[h]] for h in wanted}
        found: dict[str, Any] = {}
        for start in range(0, len(wanted), _BATCH):
            where = among("text_hash", wanted[start : start + _BATCH])
            table = self._tables.rows(known.table, ("text_hash", "vector"), where)
            if table is not None:
                found |= dict(zip(table["text_hash"].to_pylist(), _array(table, known.dimension), strict=True))
        return found

    def every(self, known: KnownEmbedder) -> Iterator[list[tuple[str, Any]]]:
        """Yield all vectors with the hashes of their texts, batch by batch."""
        dataset = self._tables.at(known.table)
        for batch in () if dataset is None else dataset.to_batches(columns=["text_hash", "vector"], batch_size=_BATCH):
            table = pa.Table.from_batches([batch])
            yield list(zip(table["text_hash"].to_pylist(), _array(table, known.dimension), strict=True))

    def nearest(
        self, snapshot: Snapshot, vector: Any, embedder: Embedder, doc_ids: Sequence[str], k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by cosine, best first; the filter comes before ranking.

        Raises:
            EmbeddingModelChangedError: the stored vectors come from another embedder.
            StoreError: `vector` has another dimension than the stored ones.

        """
        self.check(embedder)
        known = self.stored(embedder)
        if known is None or k <= 0 or not snapshot.stored:
            return ()
        query = np.asarray(vector, dtype=np.float32).reshape(-1)
        if query.shape != (known.dimension,):
            raise StoreError(f"the vector has {query.size} numbers, those of {known.name!r} have {known.dimension}")
        corpus = bm25.narrow(snapshot.corpus, doc_ids)
        there = self.hashes(known)
        if len(there) <= self._exact_most:
            ids, rows = self._passages(known, snapshot)
            inside = np.flatnonzero(corpus.positions(ids) >= 0)
            scores = (self._in_memory(known) @ query)[rows[inside]] if len(inside) else np.zeros(0)
            return bm25.best(ids[inside], scores, k, above=-np.inf)
        return self._approximate(known, snapshot, corpus, query, k)

    def _approximate(
        self, known: KnownEmbedder, snapshot: Snapshot, corpus: bm25.Corpus, query: Any, k: int
    ) -> tuple[PassageHit, ...]:
        """Return the nearest by the vectors that the index proposes; of few passages, by the vectors of all."""
        ids, _ = self._passages(known, snapshot)
        texts = self._texts_of(snapshot)
        inside = ids[corpus.positions(ids) >= 0]
        if len(inside) <= self._exact_most // 10:
            vectors = self.of_texts(known, [texts[i] for i in inside.tolist()])
        else:
            dataset = self._tables.at(known.table)
            share = max(len(inside) / max(len(ids), 1), 0.01)
            wanted = {"column": "vector", "q": query, "k": int(k / share) + k, "refine_factor": _REFINE, "nprobes": 64}
            table = (
                None
                if dataset is None
                else dataset.to_table(columns=["text_hash", "vector"], nearest={**wanted, "metric": "cosine"})
            )
            vectors = (
                {}
                if table is None
                else dict(zip(table["text_hash"].to_pylist(), _array(table, known.dimension), strict=True))
            )
        kept = [i for i in inside.tolist() if texts[i] in vectors]
        scores = np.array([float(vectors[texts[i]] @ query) for i in kept])
        return bm25.best(np.array(kept, dtype=np.int64), scores, k, above=-np.inf)

    def _texts_of(self, snapshot: Snapshot) -> dict[int, str]:
        hashes = snapshot.text_hashes.items()
        return {first_id + i: text_hash for first_id, texts in hashes for i, text_hash in enumerate(texts)}

    def _passages(self, known: KnownEmbedder, snapshot: Snapshot) -> tuple[Any, Any]:
        """Return the ids of all passages that have a vector, ascending, and the rows of those."""
        there = self.hashes(known)
        state = (known.table, self._hashes[0][1], snapshot.version)
        if self._rows[0] != state:
            pairs = [
                (stored.first_id + i, there[text_hash])
                for stored in snapshot.stored
                for i, text_hash in enumerate(snapshot.text_hashes[stored.first_id])
                if text_hash in there
            ]
            self._rows = (state, np.array(pairs, dtype=np.int64).reshape(-1, 2))
        return self._rows[1][:, 0], self._rows[1][:, 1]

    def _in_memory(self, known: KnownEmbedder) -> Any:
        """Return all vectors, in the order of `hashes`."""
        there = self.hashes(known)
        if self._matrix[0] != self._hashes[0]:
            dataset = self._tables.at(known.table)
            state = self._hashes[0]
            if dataset is None:
                return np.zeros((0, known.dimension), dtype=np.float32)
            table = dataset.checkout_version(state[1]).to_table(columns=["text_hash", "vector"])
            order = [there[text_hash] for text_hash in table["text_hash"].to_pylist()]
            matrix = np.empty((len(order), known.dimension), dtype=np.float32)
            matrix[order] = _array(table, known.dimension)
            self._matrix = (state, matrix)
        return self._matrix[1]


def _array(table: pa.Table, dimension: int) -> Any:
    column = table["vector"].combine_chunks()
    return column.flatten().to_numpy(zero_copy_only=False).reshape(-1, dimension)

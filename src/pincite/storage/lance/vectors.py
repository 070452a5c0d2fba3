"""The vectors of a Lance library: a table for each embedder, a row for each text.

Up to `EXACT_MOST` of them are held in memory and compared one by one, as in a SQLite library. Beyond that an index
(IVF_SQ) proposes texts, whose own vectors then decide.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pincite.errors import StoreError
from pincite.protocols import Embedder
from pincite.storage import bm25, codes
from pincite.storage.embedders import check_complete, check_current, is_same
from pincite.storage.lance.held import Held, Placed, array_of
from pincite.storage.lance.notes import Notes
from pincite.storage.lance.snapshot import Snapshot
from pincite.storage.lance.tables import Tables, among, vector_schema
from pincite.types.passage import PassageHit
from pincite.types.record import Record

#: The most vectors that are held in memory: 150 MB of 384 numbers each.
EXACT_MOST: Final = 100_000
#: How many times as many passages the index has to propose as are asked for: it knows their vectors by one byte a
#: number, and the true vectors decide. With twice as many nothing is missed that more of them would find.
_PROPOSED: Final = 2
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


def add_vectors(tables: Tables, known: KnownEmbedder, vectors: Mapping[str, Any]) -> None:
    """Keep vectors by the hash of their text, in one commit; other processes may do so beside."""
    if not vectors:
        return
    flat = np.concatenate([np.asarray(v, dtype=np.float32) for v in vectors.values()])
    column = pa.FixedSizeListArray.from_arrays(pa.array(flat), known.dimension)
    rows = pa.Table.from_arrays([pa.array(list(vectors), pa.string()), column], schema=vector_schema(known.dimension))
    # Two writers may embed the same text at the same time: the first vector stays.
    tables.merge(known.table, "text_hash", rows, replace=False)


class Vectors:
    """Reads and writes the vectors of one library."""

    def __init__(self, tables: Tables, notes: Notes, *, exact_most: int = EXACT_MOST) -> None:
        """Read nothing yet."""
        self._tables, self._notes, self._exact_most = tables, notes, exact_most
        self._held: tuple[tuple[str, int], Held | None] = (("", -1), None)
        self._placed: Placed | None = None
        self._progress: tuple[tuple[str, int, int], tuple[int, int]] = (("", -1, -1), (0, 0))

    def embedders(self) -> tuple[KnownEmbedder, ...]:
        """Return every embedder that has vectors, the one in use first."""
        found = self._notes.all("embedder", KnownEmbedder).values()
        return tuple(sorted(found, key=lambda one: (not one.is_current, one.name, one.dimension)))

    def stored(self, embedder: Embedder) -> KnownEmbedder | None:
        """Return what the library holds of `embedder`: same name and same dimension, or `None`."""
        return next((one for one in self.embedders() if is_same(one, embedder)), None)

    def check(self, embedder: Embedder) -> None:
        """Make sure that search with `embedder` would compare vectors of one kind.

        Raises:
            EmbeddingModelChangedError: the vectors in use come from another; the message says what to do.

        """
        check_current(self.embedders(), embedder)

    def known(self, embedder: Embedder) -> KnownEmbedder:
        """Return what the library holds of `embedder`; where that is nothing, note it, and that search uses it now."""
        known = self.stored(embedder)
        if known is None:
            has_current = any(one.is_current for one in self.embedders())
            known = KnownEmbedder(name=embedder.name, dimension=embedder.dimension, is_current=not has_current)
            self._notes.put("embedder", {f"{known.dimension}:{known.name}": known}, replace=False)
        return known

    def add(self, embedder: Embedder, pairs: Sequence[tuple[str, Any]], snapshot: Snapshot) -> None:
        """Keep vectors by the hash of their text, in one commit; texts that are gone or have one are passed over."""
        known = self.known(embedder)
        there = self.hashes(known)
        add_vectors(self._tables, known, {h: v for h, v in pairs if h in snapshot.texts and h not in there})

    def hashes(self, known: KnownEmbedder) -> dict[str, int]:
        """Return the texts that have a vector, with the number of their row."""
        held = self._now(known)
        return {} if held is None else held.rows

    def _now(self, known: KnownEmbedder) -> Held | None:
        """Return the vectors of an embedder at the newest version of their table, `None` while there is no table."""
        dataset = self._tables.at(known.table)
        if dataset is None:
            return None
        state = (known.table, dataset.version)
        if self._held[0] != state:
            self._held = (state, Held(dataset, known.dimension))
        return self._held[1]

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
        check_complete(embedder, done=done, total=total)
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
        held = self._now(known)
        if held is None:
            return {}
        wanted = {h: held.rows[h] for h in text_hashes if h in held.rows}
        if not wanted:
            return {}
        rows = np.array(list(wanted.values()), dtype=np.int64)
        vectors = held.all[rows] if len(held.rows) <= self._exact_most else held.some(rows)
        return dict(zip(wanted, vectors, strict=True))

    def every(self, known: KnownEmbedder) -> Iterator[list[tuple[str, Any]]]:
        """Yield all vectors with the hashes of their texts, batch by batch."""
        dataset = self._tables.at(known.table)
        for batch in () if dataset is None else dataset.to_batches(columns=["text_hash", "vector"], batch_size=_BATCH):
            table = pa.Table.from_batches([batch])
            yield list(zip(table["text_hash"].to_pylist(), array_of(table, known.dimension), strict=True))

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
        held = self._now(known)
        if held is None:
            return ()
        if self._placed is None or self._placed.held is not held or self._placed.version != snapshot.version:
            self._placed = Placed(held, snapshot)
        placed = self._placed
        found, scores = self._scored(placed, query, placed.inside(doc_ids), k)
        return bm25.best(placed.ids[found], scores, k, above=-np.inf)

    def _scored(self, placed: Placed, query: Any, inside: Any, k: int) -> tuple[Any, Any]:
        """Return passages among which the `k` nearest are, with their products: of many vectors by the index."""
        held, rows = placed.held, placed.rows
        if len(held.rows) <= self._exact_most:
            if 2 * len(inside) > len(rows):
                return inside, codes.products(held.all, query)[rows[inside]]
            return inside, codes.products(held.all[rows[inside]], query)
        if len(inside) <= self._exact_most // 10:
            own, which = np.unique(rows[inside], return_inverse=True)
            return inside, codes.products(held.some(own), query)[which]
        is_inside = np.zeros(len(rows), dtype=bool)
        is_inside[inside] = True
        n_wanted = min(_PROPOSED * k, len(inside))
        n_proposed = n_wanted * len(rows) // len(inside)
        while True:
            proposed, vectors = held.proposed(query, n_proposed)
            found, which = placed.of_rows(proposed)
            found, which = found[is_inside[found]], which[is_inside[found]]
            if len(found) >= n_wanted or n_proposed >= len(held.rows):
                return found, codes.products(vectors, query)[which]
            # What is near is not spread evenly over the documents: these have less of it than their share.
            n_proposed = min(4 * n_proposed, len(held.rows))

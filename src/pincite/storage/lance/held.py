"""What is held in memory of the vectors of one embedder, for one version of their table and one state of documents."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pincite.storage.bm25 import Corpus
from pincite.storage.lance.snapshot import Snapshot

#: How many partitions of the index are looked through. At 200,000 vectors it has 111; with 32 of them one in 2,500 of
#: the true 300 nearest is missed, with 64 none (`benchmarks/scale.py`).
_PROBES: Final = 64


class Held:
    """The vectors of a table at one version: row `i` is that of the text `i`."""

    def __init__(self, dataset: Any, dimension: int) -> None:
        """Read which texts have a vector; the vectors themselves are read when they are asked for."""
        self._dataset, self._dimension = dataset, dimension
        found = dataset.to_table(columns=["text_hash"])["text_hash"].to_pylist()
        self.rows: dict[str, int] = {text_hash: row for row, text_hash in enumerate(found)}

    @cached_property
    def all(self) -> Any:
        """All vectors."""
        table = self._dataset.to_table(columns=["text_hash", "vector"])
        order = [self.rows[text_hash] for text_hash in table["text_hash"].to_pylist()]
        vectors = np.empty((len(order), self._dimension), dtype=np.float32)
        vectors[order] = array_of(table, self._dimension)
        return vectors

    def some(self, rows: Any) -> Any:
        """Return the vectors of rows; when they are not all in memory these alone are read."""
        if "all" in self.__dict__:
            return self.all[rows]
        return array_of(self._dataset.take(rows.tolist(), columns=["vector"]), self._dimension)

    def proposed(self, query: Any, k: int) -> Any:
        """Return `k` rows that the index finds near, and their vectors; without an index all vectors are compared."""
        nearest = {"column": "vector", "q": query, "k": k, "nprobes": _PROBES, "metric": "cosine"}
        # Without the distance Lance warns at every search that it will leave it out some day.
        table = self._dataset.to_table(columns=["text_hash", "vector", "_distance"], nearest=nearest)
        rows = np.array([self.rows[text_hash] for text_hash in table["text_hash"].to_pylist()], dtype=np.int64)
        return rows, array_of(table, self._dimension)


class Placed:
    """The passages of a state that have a vector: where it is, and whose passage it is."""

    def __init__(self, held: Held, snapshot: Snapshot) -> None:
        """Look every passage up."""
        self.held, self.version = held, snapshot.version
        corpus: Corpus = snapshot.corpus
        self._doc_ids = corpus.doc_ids
        rows = held.rows
        pairs = [
            (stored.first_id + i, row)
            for stored in snapshot.stored
            for i, text_hash in enumerate(snapshot.text_hashes[stored.first_id])
            if (row := rows.get(text_hash)) is not None
        ]
        both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        #: The passages, ascending, and the rows of their vectors.
        self.ids, self.rows = both[:, 0].copy(), both[:, 1].copy()
        self._owners = corpus.owners(self.ids)
        self._by_row = np.argsort(self.rows, kind="stable")
        self._sorted_rows = self.rows[self._by_row]

    def inside(self, doc_ids: Sequence[str]) -> Any:
        """Return which of the passages belong to some documents; no ids mean every one."""
        if not doc_ids:
            return np.arange(len(self.ids))
        wanted = set(doc_ids)
        return np.flatnonzero(np.array([doc_id in wanted for doc_id in self._doc_ids])[self._owners])

    def of_rows(self, rows: Any) -> tuple[Any, Any]:
        """Return the passages that have the vectors of some rows, and which of the rows each has."""
        first = np.searchsorted(self._sorted_rows, rows, side="left")
        n = np.searchsorted(self._sorted_rows, rows, side="right") - first
        which = np.repeat(np.arange(len(rows)), n)
        within = np.arange(len(which)) - np.repeat(np.cumsum(n) - n, n)
        return self._by_row[first[which] + within], which


def array_of(table: pa.Table, dimension: int) -> Any:
    """Return the vectors of a table as an array of one row each."""
    column = table["vector"].combine_chunks()
    return column.flatten().to_numpy(zero_copy_only=False).reshape(-1, dimension)

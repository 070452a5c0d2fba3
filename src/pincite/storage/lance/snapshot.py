"""One state of the table of documents, and what is derived from it for search.

Rows of the other tables never change: a document that is replaced gets rows under a new `first_id`, and its row in
`documents` points to those. So whoever holds a state of `documents` finds everything that belongs to it.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

import msgspec
import pyarrow as pa

from pincite.storage import bm25
from pincite.storage.lance.coding import packed, text_of, unpacked
from pincite.storage.lance.tables import SCHEMAS, Tables, among
from pincite.types.document import DocumentRecord

T = TypeVar("T")

_MOST_CONDITIONS: Final = 500
#: Documents whose words are counted anew by each process: it takes less than a second.
_LEAST_COUNTED: Final = 256
#: The key of the words in the table of counts.
_WORDS: Final = "words"


class Stored(msgspec.Struct, frozen=True):
    """A document, and where its rows are: passages have ids from `first_id` on, without gaps."""

    record: DocumentRecord
    first_id: int
    n_passages: int
    tokenizer: int

    @property
    def end_id(self) -> int:
        """The id behind that of the last passage."""
        return self.first_id + self.n_passages


class Snapshot:
    """The documents at one version of their table; everything else is loaded when it is first asked for."""

    def __init__(
        self, dataset: Any, words: "Words", hashes: "PerDocument[list[str]]", before: "Snapshot | None" = None
    ) -> None:
        """Read the documents of a table at the version it is opened at; `before` is an earlier state of them."""
        self.version: int = dataset.version
        self._dataset = dataset
        self._words, self._hashes = words, hashes
        known = {} if before is None else before._packed  # noqa: SLF001 - the same class
        found = dataset.to_table(columns=["doc_id", "name", "uri", "first_id", "n_passages", "tokenizer", "record"])
        self._packed: dict[int, tuple[bytes, Stored]] = {}
        for row in found.to_pylist():
            same = known.get(row["first_id"])
            # Of most documents nothing has changed: a batch of new ones is not the time to decode all records.
            stored = same[1] if same is not None and same[0] == row["record"] else _stored(row)
            self._packed[stored.first_id] = (row["record"], stored)
        stored_now = [stored for _, stored in self._packed.values()]
        #: In the order in which they were added.
        self.stored: tuple[Stored, ...] = tuple(sorted(stored_now, key=lambda one: one.first_id))
        self.records = tuple(sorted((one.record for one in self.stored), key=lambda record: record.name))
        self.by_id = {one.record.doc_id: one for one in self.stored}
        self._first_ids = [one.first_id for one in self.stored]

    @cached_property
    def by(self) -> Mapping[str, Mapping[str, DocumentRecord]]:
        """Return the documents by column and value; of several the one that was added first."""
        columns = ("doc_id", "name", "uri", "content_hash")
        return {c: {getattr(s.record, c): s.record for s in reversed(self.stored)} for c in columns}

    def of_passage(self, passage_id: int) -> Stored | None:
        """Return the document of a passage, `None` where it is gone."""
        at = bisect_right(self._first_ids, passage_id) - 1
        if at < 0 or passage_id >= self.stored[at].end_id:
            return None
        return self.stored[at]

    @cached_property
    def corpus(self) -> bm25.Corpus:
        """The passages as arrays, for ranking."""
        found = self._dataset.to_table(columns=["first_id", "lengths"], filter="n_passages > 0")
        lengths = dict(zip(found["first_id"].to_pylist(), found["lengths"].to_pylist(), strict=True))
        return bm25.corpus_of(
            [
                (one.record.doc_id, one.first_id, one.first_id, one.n_passages, lengths[one.first_id])
                for one in self.stored
                if one.n_passages
            ]
        )

    @cached_property
    def words(self) -> Mapping[str, int]:
        """Every word with the number of passages that hold it."""
        return self._words.of({one.first_id for one in self.stored}, self._dataset)

    @cached_property
    def text_hashes(self) -> Mapping[int, list[str]]:
        """The hashes of the texts of all passages, in order, by the `first_id` of their document."""
        return self._hashes.change(set(self._first_ids), self._dataset)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The hash of every text that a passage has."""
        return frozenset(text_hash for hashes in self.text_hashes.values() for text_hash in hashes)


def _stored(row: Mapping[str, Any]) -> Stored:
    record = unpacked(row["record"], DocumentRecord)
    names = {"doc_id": text_of(row["doc_id"]), "name": text_of(row["name"]), "uri": text_of(row["uri"])}
    return Stored(msgspec.structs.replace(record, **names), row["first_id"], row["n_passages"], row["tokenizer"])


class PerDocument(Generic[T]):
    """A column of the table of documents, unpacked, of which only the rows of new documents are read."""

    def __init__(self, column: str, kind: type[T]) -> None:
        """Read nothing yet."""
        self._column, self._kind = column, kind
        self._kept: dict[int, T] = {}

    def change(self, first_ids: set[int], dataset: Any) -> dict[int, T]:
        """Go to another state, and return the values of its documents by `first_id`."""
        new = first_ids - self._kept.keys()
        came: dict[int, T] = {}
        if new:
            # With more conditions, reading all rows is as fast.
            where = among("first_id", sorted(new)) if len(new) <= _MOST_CONDITIONS else None
            found = dataset.to_table(columns=["first_id", self._column], filter=where)
            pairs = zip(found["first_id"].to_pylist(), found[self._column].to_pylist(), strict=True)
            came = {first_id: unpacked(data, self._kind) for first_id, data in pairs if first_id in new}
        self._kept = {i: value for i, value in self._kept.items() if i in first_ids} | came
        return self._kept


class Counted(msgspec.Struct, frozen=True):
    """The words of some documents, counted at a version of their table: what a process begins with."""

    version: int
    first_ids: list[int]
    words: dict[str, int]


class Words:
    """The words of all documents, counted on from one state to the next.

    A process begins with what another has counted, where that is kept: the words of all documents are many.
    """

    def __init__(self, tables: Tables) -> None:
        """Know nothing yet."""
        self._tables = tables
        self._version = 0
        self._first_ids: set[int] = set()
        self._total: dict[str, int] = {}
        #: The documents whose words are kept for other processes, `None` while nobody looked.
        self._kept: set[int] | None = None

    def of(self, first_ids: set[int], dataset: Any) -> Mapping[str, int]:
        """Return every word of the documents with those `first_id`s, with its number of passages."""
        self._begin()
        total = dict(self._total)
        gone = self._first_ids - first_ids
        try:
            # What is gone is still there in the state that was counted, for a day.
            _count(total, dataset.checkout_version(self._version) if gone else None, gone, sign=-1)
            _count(total, dataset, first_ids - self._first_ids, sign=1)
        except (OSError, RuntimeError, ValueError):
            total = {}
            _count(total, dataset, first_ids, sign=1)
        self._version, self._first_ids = dataset.version, first_ids
        self._total = {word: n for word, n in total.items() if n > 0}
        return MappingProxyType(self._total)

    def keep(self, snapshot: "Snapshot") -> None:
        """Keep what is counted for other processes, when many documents came or went since it was kept last."""
        self._begin()
        now = {one.first_id for one in snapshot.stored}
        if len(now ^ (self._kept or set())) < max(_LEAST_COUNTED, len(now) // 4):
            return
        made = Counted(snapshot.version, sorted(now), dict(snapshot.words))
        row = {"key": _WORDS, "data": packed(made)}
        self._tables.merge("counts", "key", pa.Table.from_pylist([row], schema=SCHEMAS["counts"]))
        self._kept = now

    def _begin(self) -> None:
        """Take over what another process has counted."""
        if self._kept is not None:
            return
        counted = _counted(self._tables)
        if counted is None:
            self._kept = set()
        else:
            self._version, self._total, self._first_ids = counted.version, counted.words, set(counted.first_ids)
            self._kept = self._first_ids


def _counted(tables: Tables) -> Counted | None:
    found = tables.rows("counts", ["data"], f"key = '{_WORDS}'")
    return None if found is None or found.num_rows == 0 else unpacked(found["data"][0].as_py(), Counted)


def _count(total: dict[str, int], dataset: Any, first_ids: set[int], *, sign: int) -> None:
    """Add or take away the words of documents; the columns are read in parts."""
    if not first_ids:
        return
    # With more conditions, reading all rows is as fast.
    where = among("first_id", sorted(first_ids)) if len(first_ids) <= _MOST_CONDITIONS else None
    for batch in dataset.to_batches(columns=["first_id", "words"], filter=where):
        for first_id, data in zip(batch["first_id"].to_pylist(), batch["words"].to_pylist(), strict=True):
            if first_id in first_ids:
                for word, n in unpacked(data, dict[str, int]).items():
                    total[word] = total.get(word, 0) + sign * n


class Postings:
    """The postings of terms, kept for one version of the table."""

    def __init__(self, tables: Tables) -> None:
        """Read nothing yet."""
        self._tables = tables
        self._version: tuple[int, int] = (-1, -1)
        self._kept: dict[str, list[tuple[int, bytes]]] = {}

    def of(
        self, terms: Sequence[str], columns: Sequence[str], snapshot: Snapshot
    ) -> dict[str, list[tuple[int, bytes]]]:
        """Return `(first_id, packed postings)` of each term, in the order of documents; `columns` are terms as stored.

        Rows of documents that are gone may be among them.
        """
        dataset = self._tables.at("postings")
        if dataset is None:
            return {term: [] for term in terms}
        state = (snapshot.version, dataset.version)
        kept = self._kept if self._version == state else {}
        missing = {column: term for term, column in zip(terms, columns, strict=True) if term not in kept}
        if missing:
            found = self._tables.rows("postings", ("term", "first_id", "data"), among("term", list(missing)))
            kept = {**kept, **{term: [] for term in missing.values()}}
            if found is not None:
                found = found.sort_by("first_id")
                for term, first_id, data in zip(*(found[name].to_pylist() for name in found.column_names), strict=True):
                    kept[missing[term]].append((first_id, data))
            self._version, self._kept = state, kept
        return {term: kept[term] for term in terms}

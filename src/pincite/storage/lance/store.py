"""`LanceStore`: a library as Lance tables in a folder or on object storage, for many writers and readers at a time."""

import contextlib
import hashlib
import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import msgspec
import pyarrow as pa

from pincite.errors import LibraryBusyError, StoreError, UnknownDocumentError
from pincite.protocols import Embedder
from pincite.storage import bm25, naming
from pincite.storage.export import ExportedTable, ExportFormat
from pincite.storage.journal import StoredFailure, TraceSummary
from pincite.storage.lance import maintenance, notes
from pincite.storage.lance.coding import Outline, column, folded, packed, page_range, text_of, unpacked
from pincite.storage.lance.snapshot import PerDocument, Postings, Snapshot, Stored, Words
from pincite.storage.lance.tables import SCHEMAS, Tables, among, literal
from pincite.storage.lance.vectors import EXACT_MOST, KnownEmbedder, Vectors
from pincite.storage.lance.writing import Batch, Pending, bytes_of, write
from pincite.storage.originals import Originals
from pincite.storage.terms import POSTING
from pincite.storage.vectors import checked
from pincite.types.document import (
    DocumentRecord,
    Line,
    NamedObject,
    Page,
    ParsedDocument,
    ParsingSummary,
    PlacedObject,
    Section,
)
from pincite.types.passage import Passage, PassageHit, StoredPassage

T = TypeVar("T")

#: How many whole documents are kept in memory, and the passages of how many.
_KEPT_DOCUMENTS: Final = 64
_KEPT_PASSAGES: Final = 1024
#: How many single passages are kept in memory.
_KEPT_SINGLE: Final = 20_000
#: Vectors that are gathered while documents are added, until they are written.
_MOST_VECTORS: Final = 2048
#: Conditions in one request: with more, reading all rows is as fast.
_BATCH: Final = 500


class LanceStore:
    """Keeps the promises of `pincite.protocols.Store`, and those of `SqliteStore` beside.

    Each change is a commit of the table `documents`; readers see one state of it at a time. Inside `writing` documents
    and vectors are gathered and written in batches. Writers do not wait for each other: whoever replaces the same
    document last wins. An empty `doc_ids` means every document.
    """

    def __init__(
        self,
        place: str | Path,
        *,
        create: bool = True,
        read_only: bool = False,
        lock_timeout_s: float = 60.0,
        on_wait: Callable[[int | None], None] | None = None,
        exact_most: int = EXACT_MOST,
    ) -> None:
        """Open the library at `place`, a folder or `s3://bucket/prefix`, or make it when `create` is on.

        `exact_most` is how many vectors are compared one by one; `on_wait` is for other stores.

        Raises:
            StoreError: there is no library, or the place cannot be used.

        """
        del on_wait
        self.place = str(place).rstrip("/")
        self.read_only = read_only
        #: A folder on this machine, for what is fetched and for replies of models.
        self.path = _local_folder(self.place)
        self._lock_timeout_s = lock_timeout_s
        self._tables = Tables(self.place)
        self._notes = notes.Notes(self._tables)
        self._ids = notes.Ids(self._notes)
        self._vectors = Vectors(self._tables, self._notes, exact_most=exact_most)
        self._postings = Postings(self._tables)
        self._originals = Originals(self.path / "originals")
        self._words, self._hashes = Words(), PerDocument("text_hashes", list[str])
        self._guard = threading.RLock()
        self._state: Snapshot | None = None
        self._outlines: dict[int, Outline] = {}
        self._documents: OrderedDict[int, ParsedDocument] = OrderedDict()
        self._passages: OrderedDict[int, tuple[StoredPassage, ...]] = OrderedDict()
        self._single: OrderedDict[int, StoredPassage] = OrderedDict()
        self._writer = threading.RLock()
        self._owner: int | None = None
        self._depth = 0
        self._batch = Batch()
        self._new_vectors: dict[tuple[str, int], tuple[Embedder, dict[str, Any]]] = {}
        if self._tables.at("documents") is None:
            if not create or read_only:
                raise StoreError(f"there is no library in {self.place!r}; `pincite add` makes one")
            self._tables.create("documents")
        self.path.mkdir(parents=True, exist_ok=True)
        if not read_only:
            self._reindex()

    def close(self) -> None:
        """Let go of every table; the store cannot be used afterwards."""
        self._tables.close()

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    # ── changes ──────────────────────────────────────────────────────────────────────────────────────────────────

    @contextlib.contextmanager
    def writing(self, timeout_s: float | None = None) -> Iterator[None]:
        """Gather what is put in the `with` block, and write it in batches; all is written at its end.

        Keeps out other threads that write with this store, not other processes.

        Raises:
            StoreError: the library is open for reading only, or cannot be written.
            LibraryBusyError: another thread wrote for longer than `timeout_s` (by default `lock_timeout_s`).

        """
        if self.read_only:
            raise StoreError(f"the library {self.place!r} is open for reading only")
        if not self._writer.acquire(timeout=self._lock_timeout_s if timeout_s is None else timeout_s):
            raise LibraryBusyError(f"another thread is writing to the library {self.place!r}; try again")
        try:
            self._owner, self._depth = threading.get_ident(), self._depth + 1
            try:
                yield
            finally:
                if self._depth == 1:
                    self._flush()
                    maintenance.tidy(self._tables, self._vectors)
        finally:
            self._depth -= 1
            self._owner = self._owner if self._depth else None
            self._writer.release()

    @property
    def sources(self) -> notes.LanceSourceTable:
        """What is known of the places that the library is kept in step with."""
        return notes.LanceSourceTable(self._notes)

    def put(
        self,
        record: DocumentRecord,
        document: ParsedDocument,
        passages: Sequence[Passage],
        *,
        original: bytes | Path | None = None,
        keep_replaced: bool = False,
    ) -> None:
        """Add or replace one document, all or nothing; `original` is its bytes, or a file that holds them.

        What has the same `doc_id` or the same `uri` is replaced. A failure kept for the `uri` is cleared. Originals
        and vectors of what was replaced stay until `sweep`, also without `keep_replaced`.

        Raises:
            StoreError: another document has this name, or `original` does not have the document's content hash.

        """
        del keep_replaced
        with self.writing():
            namesake = self.find_by_name(record.name)
            if namesake is not None and namesake.doc_id != record.doc_id and namesake.uri != record.uri:
                raise StoreError(
                    f"the name {record.name!r} of {record.uri!r} is taken by {namesake.uri!r}; "
                    "give the document another name"
                )
            kept = None if original is None else bytes_of(original, record.content_hash)
            self._batch.add(Pending(record, document, tuple(passages), kept))
            if self._batch.is_full:
                self._flush()

    def remove(self, doc_id: str, *, keep_original: bool = False) -> None:
        """Take a document out of everything that is searched; an unknown id changes nothing.

        Its bytes stay until `sweep`, also without `keep_original`.
        """
        del keep_original
        with self.writing():
            self._flush()
            if doc_id in self._now().by_id:
                self._tables.delete("documents", f"doc_id = {literal(column(doc_id))}")

    def rename(self, doc_id: str, name: str, uri: str, *, origin: Mapping[str, str] | None = None) -> None:
        """Give a document another name, address and origin; nothing is parsed or embedded again.

        Raises:
            UnknownDocumentError: there is no such document.
            StoreError: another document has this name or address.

        """
        with self.writing():
            self._flush()
            now = self._now()
            for key, value in (("name", name), ("uri", uri)):
                other = now.by[key].get(value)
                if other is not None and other.doc_id != doc_id:
                    raise StoreError(f"the {key} {value!r} is taken by document {other.doc_id!r}")
            stored = now.by_id.get(doc_id)
            if stored is None:
                raise UnknownDocumentError(f"there is no document {doc_id!r} in the library")
            changed = msgspec.structs.replace(
                stored.record, name=name, uri=uri, origin=stored.record.origin if origin is None else dict(origin)
            )
            self._update(stored, changed)

    def set_summary(self, doc_id: str, summary: ParsingSummary) -> None:
        """Keep another summary of a document; what is searched stays as it is.

        Raises:
            UnknownDocumentError: there is no such document.

        """
        with self.writing():
            self._flush()
            stored = self._stored(doc_id)
            self._update(stored, msgspec.structs.replace(stored.record, parsing_summary=summary))

    def _update(self, stored: Stored, changed: DocumentRecord) -> None:
        """Write the record of a document anew; nothing changes where another writer has replaced it meanwhile."""
        where = f"doc_id = {literal(column(changed.doc_id))} AND first_id = {stored.first_id}"
        updates = {
            "name": literal(column(changed.name)),
            "uri": literal(column(changed.uri)),
            "record": f"X'{packed(changed).hex()}'",
        }
        self._tables.change("documents", lambda dataset: dataset.update(updates, where=where))

    def sweep(self) -> tuple[int, int]:
        """Delete originals, vectors and rows that no document has, and make small files into large ones.

        Returns how many originals went, and their bytes. Rows and files that a reader may still be at stay for a day.
        """
        with self.writing():
            self.drop_unused_vectors()
            swept = maintenance.drop_originals(self._tables, self._now())
            maintenance.drop_unused(self._tables, self._notes, self._now())
            maintenance.tidy(self._tables, self._vectors, always=True)
            return swept

    def drop_unused_vectors(self) -> None:
        """Delete the vectors of texts that no document has any more."""
        with self.writing():
            self._flush()
            self._vectors.drop_unused(self._now())

    def _flush(self) -> None:
        """Write what is gathered: documents, then vectors."""
        from pincite.text.tokens import TOKENIZER_VERSION

        batch = self._batch.take()
        if batch:
            write(self._tables, self._ids, batch, self._now(), tokenizer=TOKENIZER_VERSION)
            self._notes.forget("failure", [pending.record.uri for pending in batch])
            self._part_namesakes({pending.record.doc_id for pending in batch})
        taken, self._new_vectors = self._new_vectors, {}
        for embedder, vectors in taken.values():
            self._vectors.add(embedder, list(vectors.items()), self._now())

    def _part_namesakes(self, own: set[str]) -> None:
        """Give documents of ours another name where another writer took the same one at the same time."""
        by_name: dict[str, list[DocumentRecord]] = {}
        for record in self._now().records:
            by_name.setdefault(record.name, []).append(record)
        for records in by_name.values():
            for record in records if len(records) > 1 else ():
                if record.doc_id in own:
                    self.rename(record.doc_id, f"{record.name} ({record.doc_id[:6]})", record.uri)

    def _settle(self) -> None:
        """Write what this thread has gathered, before it reads."""
        if self._owner == threading.get_ident() and (self._batch.documents or self._new_vectors):
            self._flush()

    def _reindex(self) -> None:
        """Write documents anew whose terms were made by another version of the tokenizer."""
        from pincite.text.tokens import TOKENIZER_VERSION

        for stored in self._now().stored:
            if stored.tokenizer != TOKENIZER_VERSION:
                doc_id = stored.record.doc_id
                passages = [one.passage for one in self._passages_of(stored)]
                with self.writing():
                    self.put(stored.record, self.document(doc_id), passages)

    def _now(self) -> Snapshot:
        """Return the newest state of the documents."""
        with self._guard:
            dataset = self._tables.at("documents")
            if dataset is None:
                raise StoreError(f"there is no library in {self.place!r} any more")
            if self._state is None or self._state.version != dataset.version:
                # A look at the other tables may be older than the rows that this state points to.
                for name in ("bodies", "passages", "postings", "objects"):
                    self._tables.forget(name)
                self._state = Snapshot(dataset, self._words, self._hashes)
            return self._state

    # ── documents ────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def sequence(self) -> int:
        """A number that grows with every change of documents."""
        self._settle()
        return self._now().version

    def records(self) -> tuple[DocumentRecord, ...]:
        """Return every document, by name."""
        self._settle()
        return self._now().records

    def added_order(self) -> tuple[str, ...]:
        """Return the ids of all documents in the order in which they were added."""
        self._settle()
        return tuple(stored.record.doc_id for stored in self._now().stored)

    def resolve(self, name: str) -> DocumentRecord:
        """Return the document with that id, name, address, path or (where only one has it) base name.

        Raises:
            UnknownDocumentError: there is none, or more than one; the message lists near names.

        """
        return self.resolve_all([name])[0]

    def resolve_all(self, names: Sequence[str]) -> tuple[DocumentRecord, ...]:
        """Return the document of each name, as `resolve` does, with one look at all documents.

        Raises:
            UnknownDocumentError: as `resolve`, for the first name that means none.

        """
        return naming.resolve_all(names, self.records)

    def export(
        self, folder: Path, *, form: ExportFormat, tables: Sequence[str] = (), doc_ids: Sequence[str] = ()
    ) -> tuple[ExportedTable, ...]:
        """Write tables to files, those of a SQLite library; see `pincite.storage.export`."""
        from pincite.storage.sqlite import SqliteStore

        with tempfile.TemporaryDirectory() as temporary, SqliteStore(Path(temporary)) as copy, copy.writing():
            wanted = set(doc_ids)
            for doc_id in self.added_order():
                if not wanted or doc_id in wanted:
                    stored = self._stored(doc_id)
                    passages = [one.passage for one in self._passages_of(stored)]
                    copy.put(stored.record, self.document(doc_id), passages)
            return copy.export(folder, form=form, tables=tables)

    def _find(self, key: str, value: str) -> DocumentRecord | None:
        if self._owner == threading.get_ident():
            pending = self._batch.find(key, value)
            if pending is not None:
                return pending
            found = self._now().by[key].get(value)
            return None if found is None or self._batch.find("doc_id", found.doc_id) is not None else found
        return self._now().by[key].get(value)

    def find_by_uri(self, uri: str) -> DocumentRecord | None:
        """Return the document of that address, or `None`."""
        return self._find("uri", uri)

    def find_by_name(self, name: str) -> DocumentRecord | None:
        """Return the document that citations call so, or `None`."""
        return self._find("name", name)

    def find_by_id(self, doc_id: str) -> DocumentRecord | None:
        """Return the document of that id, or `None`."""
        return self._find("doc_id", doc_id)

    def find_by_hash(self, content_hash: str) -> DocumentRecord | None:
        """Return the document with those bytes (the one added first), or `None`."""
        return self._find("content_hash", content_hash)

    def _stored(self, doc_id: str) -> Stored:
        self._settle()
        stored = self._now().by_id.get(doc_id)
        if stored is None:
            raise UnknownDocumentError(f"there is no document {doc_id!r} in the library")
        return stored

    def document(self, doc_id: str) -> ParsedDocument:
        """Return a whole document as it was parsed, under the name and with the summary it has now.

        Raises:
            UnknownDocumentError: there is none of that id.

        """
        stored = self._stored(doc_id)
        record = stored.record
        return msgspec.structs.replace(
            self._body(stored),
            name=record.name,
            uri=record.uri,
            media_type=record.media_type,
            content_hash=record.content_hash,
            n_bytes=record.n_bytes,
            parser=record.parser,
            metadata=record.metadata,
            parsing_summary=record.parsing_summary,
        )

    def _body(self, stored: Stored) -> ParsedDocument:
        found = _recent(self._documents, stored.first_id, self._guard)
        if found is None:
            rows = self._tables.rows("bodies", ["body"], f"first_id = {stored.first_id}")
            if rows is None or rows.num_rows == 0:
                raise StoreError(f"the rows of {stored.record.name!r} are gone; add the document again")
            found = unpacked(rows["body"][0].as_py(), ParsedDocument)
            _keep(self._documents, stored.first_id, found, _KEPT_DOCUMENTS, self._guard)
        return found

    def _outline(self, doc_id: str) -> Outline | None:
        """Return pages, contents and first lines; those of all documents are read at once."""
        self._settle()
        now = self._now()
        stored = now.by_id.get(doc_id)
        if stored is None:
            return None
        with self._guard:
            if stored.first_id not in self._outlines:
                self._read_outlines([one.first_id for one in now.stored])
            return self._outlines.get(stored.first_id)

    def _read_outlines(self, first_ids: Sequence[int]) -> None:
        self._outlines = {i: self._outlines[i] for i in first_ids if i in self._outlines}
        missing = [i for i in first_ids if i not in self._outlines]
        where = among("first_id", missing) if len(missing) <= _BATCH else None
        rows = self._tables.rows("bodies", ["first_id", "outline"], where)
        wanted = set(missing)
        for row in [] if rows is None else rows.to_pylist():
            if row["first_id"] in wanted:
                self._outlines[row["first_id"]] = unpacked(row["outline"], Outline)

    def original_path(self, doc_id: str) -> Path | None:
        """Return a file that holds the document's bytes, fetched if need be; `None` when they were not kept."""
        content = self.original(doc_id)
        if content is None:
            return None
        return self._originals.keep(content, content_hash=hashlib.sha256(content).hexdigest())

    def original(self, doc_id: str) -> bytes | None:
        """Return the document's bytes; `None` when they were not kept or are not what they were."""
        self._settle()
        stored = self._now().by_id.get(doc_id)
        return None if stored is None else self.original_of(stored.record.content_hash)

    def original_of(self, content_hash: str) -> bytes | None:
        """Return the bytes of that hash, also of a document that was replaced or deleted since; else `None`."""
        self._settle()
        rows = self._tables.rows("originals", ["data"], f"content_hash = {literal(content_hash)}")
        if rows is None or rows.num_rows == 0:
            return None
        content: bytes = rows["data"][0].as_py()
        return content if hashlib.sha256(content).hexdigest() == content_hash else None

    def lines(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[Line, ...]:
        """Return lines of a document, both ends included."""
        outline = self._outline(doc_id)
        if outline is None:
            return ()
        if last_line_id <= len(outline.head):
            return outline.head[max(first_line_id, 1) - 1 : max(last_line_id, 0)]
        return self._body(self._stored(doc_id)).lines[max(first_line_id, 1) - 1 : last_line_id]

    def page_lines(self, doc_id: str, first_page: int, last_page: int) -> tuple[Line, ...]:
        """Return the lines of pages of a document, both ends included."""
        self._settle()
        stored = self._now().by_id.get(doc_id)
        return () if stored is None else page_range(self._body(stored).lines, first_page, last_page)

    def pages(self, doc_id: str) -> tuple[Page, ...]:
        """Return the pages of a document."""
        outline = self._outline(doc_id)
        return () if outline is None else outline.pages

    def toc(self, doc_id: str) -> tuple[Section, ...]:
        """Return the contents of a document."""
        outline = self._outline(doc_id)
        return () if outline is None else outline.toc

    def named(self, labels: Sequence[str], *, doc_ids: Sequence[str]) -> tuple[PlacedObject, ...]:
        """Return the named objects with one of the labels, whatever their case; no ids means in the whole library."""
        self._settle()
        owners = {one.first_id: one.record.doc_id for one in self._now().stored}
        wanted = frozenset(doc_ids)
        keys = list(dict.fromkeys(column(folded(label)) for label in labels))
        found: list[tuple[str, int, NamedObject]] = []
        for start in range(0, len(keys), _BATCH):
            rows = self._tables.rows("objects", ["first_id", "data"], among("label", keys[start : start + _BATCH]))
            for row in [] if rows is None else rows.to_pylist():
                doc_id = owners.get(row["first_id"])
                if doc_id is not None and (not wanted or doc_id in wanted):
                    placed = unpacked(row["data"], list[tuple[int, NamedObject]])
                    found += [(doc_id, position, one) for position, one in placed]
        found.sort(key=lambda one: one[:2])
        return tuple(PlacedObject(doc_id=doc_id, named=named) for doc_id, _, named in found)

    # ── search ───────────────────────────────────────────────────────────────────────────────────────────────────

    def passages(self, passage_ids: Sequence[int]) -> tuple[StoredPassage, ...]:
        """Return passages by id, in the order asked; ids that are gone are left out."""
        self._settle()
        now = self._now()
        owners = {i: now.of_passage(i) for i in passage_ids}
        with self._guard:
            known = {i: self._single[i] for i, owner in owners.items() if owner is not None and i in self._single}
        missing = [i for i, owner in owners.items() if owner is not None and i not in known]
        for start in range(0, len(missing), _BATCH):
            rows = self._tables.rows(
                "passages", ["passage_id", "data"], among("passage_id", missing[start : start + _BATCH])
            )
            for row in [] if rows is None else rows.to_pylist():
                owner = owners[row["passage_id"]]
                if owner is not None:
                    made = _passage(row, owner)
                    known[made.passage_id] = made
                    _keep(self._single, made.passage_id, made, _KEPT_SINGLE, self._guard)
        return tuple(known[i] for i in passage_ids if i in known)

    def _passages_of(self, stored: Stored) -> tuple[StoredPassage, ...]:
        """Return all passages of a document, in order."""
        found = _recent(self._passages, stored.first_id, self._guard)
        if found is None:
            where = f"passage_id >= {stored.first_id} AND passage_id < {stored.end_id}"
            rows = self._tables.rows("passages", ["passage_id", "data"], where) if stored.n_passages else None
            made = {} if rows is None else {row["passage_id"]: _passage(row, stored) for row in rows.to_pylist()}
            found = tuple(made[i] for i in sorted(made))
            _keep(self._passages, stored.first_id, found, _KEPT_PASSAGES, self._guard)
        return found

    def passages_at(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[StoredPassage, ...]:
        """Return the passages that share a line with a range, in the order of the document."""
        self._settle()
        stored = self._now().by_id.get(doc_id)
        found = [
            one
            for one in (() if stored is None else self._passages_of(stored))
            if one.passage.first_line_id <= last_line_id and one.passage.last_line_id >= first_line_id
        ]
        return tuple(sorted(found, key=lambda one: (one.passage.first_line_id, one.passage_id)))

    def passage_count(self, *, doc_ids: Sequence[str] = ()) -> int:
        """Return how many passages there are; no ids means in the whole library."""
        self._settle()
        now = self._now()
        wanted = set(doc_ids) & now.by_id.keys() if doc_ids else now.by_id.keys()
        return sum(now.by_id[doc_id].n_passages for doc_id in wanted)

    def search_terms(
        self, terms: Mapping[str, float], *, doc_ids: Sequence[str] = (), k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by weighted BM25 over index terms: the ranking of a SQLite library.

        Scores are those of a library that holds `doc_ids` only. Terms of a weight of 0 or less are passed over.
        """
        self._settle()
        now = self._now()
        found = self._found([term for term, weight in terms.items() if weight > 0], now)
        return bm25.rank(bm25.narrow(now.corpus, doc_ids), terms, k, lambda term: found[term])

    def term_counts(self, terms: Iterable[str], *, doc_ids: Sequence[str] = ()) -> dict[str, int]:
        """Return in how many passages each index term occurs."""
        self._settle()
        now = self._now()
        wanted = {s.first_id for s in now.stored if not doc_ids or s.record.doc_id in set(doc_ids)}
        found = self._found(list(dict.fromkeys(terms)), now)
        return {
            term: sum(len(data) // POSTING.size for first_id, data in postings if first_id in wanted)
            for term, postings in found.items()
        }

    def _found(self, terms: Sequence[str], now: Snapshot) -> dict[str, list[tuple[int, bytes]]]:
        with self._guard:
            return self._postings.of(terms, [column(term) for term in terms], now)

    def words(self) -> Mapping[str, int]:
        """Return every word of the library in lower case, with the number of passages that hold it."""
        self._settle()
        with self._guard:
            return self._now().words

    def nearest(
        self, vector: Any, *, embedder: Embedder, doc_ids: Sequence[str] = (), k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by cosine; passages that have no vector yet are not there.

        Raises:
            EmbeddingModelChangedError: the stored vectors come from another embedder.

        """
        self._settle()
        with self._guard:
            return self._vectors.nearest(self._now(), vector, embedder, doc_ids, k)

    def vectors_of(self, passage_ids: Sequence[int], *, embedder: Embedder) -> Any:
        """Return the vectors of passages, an array of one row each, without those that have none."""
        import numpy as np

        self._settle()
        with self._guard:
            known, now = self._vectors.stored(embedder), self._now()
            owners = [(i, owner) for i in passage_ids if (owner := now.of_passage(i)) is not None]
            texts = [now.text_hashes[owner.first_id][i - owner.first_id] for i, owner in owners]
            found = {} if known is None else self._vectors.of_texts(known, texts)
        rows = [found[text] for text in texts if text in found]
        return np.array(rows, dtype=np.float32).reshape(-1, embedder.dimension)

    # ── vectors ──────────────────────────────────────────────────────────────────────────────────────────────────

    def embedders(self) -> tuple[KnownEmbedder, ...]:
        """Return every embedder that has vectors here, the one in use first."""
        self._settle()
        return self._vectors.embedders()

    def stored_vectors(self, embedder: KnownEmbedder) -> Iterator[list[tuple[str, Any]]]:
        """Yield all vectors of an embedder with the hashes of their texts, batch by batch."""
        return self._vectors.every(embedder)

    def check_embedder(self, embedder: Embedder) -> None:
        """Make sure that the vectors in use come from `embedder`, or that there are none.

        Raises:
            EmbeddingModelChangedError: they come from another; the message names both and says what to do.

        """
        self._vectors.check(embedder)

    def missing_vectors(
        self, embedder: Embedder, *, doc_ids: Sequence[str] = (), batch: int = 256
    ) -> Iterator[list[tuple[str, str]]]:
        """Yield batches of `(text_hash, embedding_text)` without a vector of `embedder`, each text once."""
        self._settle()
        with self._guard:
            now, known, wanted = self._now(), self._vectors.stored(embedder), set(doc_ids)
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
            found = self.passages(missing[start : start + batch])
            texts = [(one.passage.text_hash, one.passage.embedding_text) for one in found]
            if texts:
                yield texts

    def add_vectors(self, embedder: Embedder, vectors_by_hash: Iterable[tuple[str, Any]]) -> None:
        """Keep vectors by the hash of their text; texts that are gone are passed over.

        Raises:
            StoreError: a vector is not what the embedder says it makes.

        """
        ready = checked(embedder, vectors_by_hash)
        with self.writing():
            gathered = self._new_vectors.setdefault((embedder.name, embedder.dimension), (embedder, {}))[1]
            gathered.update(ready)
            if len(gathered) >= _MOST_VECTORS:
                self._flush()

    def vector_progress(self, embedder: Embedder) -> tuple[int, int]:
        """Return how many texts have a vector of `embedder`, and how many there are."""
        with self._guard:
            done, total = self._vectors.progress(embedder, self._now())
        gathered = self._new_vectors.get((embedder.name, embedder.dimension))
        return done + (0 if gathered is None else len(gathered[1])), total

    def switch_embedder(self, embedder: Embedder) -> None:
        """Search with the vectors of `embedder` from now on, and delete those of others.

        Raises:
            StoreError: some texts have no vector of it yet.

        """
        with self.writing():
            self._flush()
            self._vectors.switch(embedder, self._now())

    # ── failures and traces ──────────────────────────────────────────────────────────────────────────────────────

    def record_failure(
        self, uri: str, name: str, content_hash: str | None, code: str, message: str, failed_at: str | None = None
    ) -> None:
        """Remember that a file could not be added, at an ISO time (by default now); cleared when it is."""
        failure = StoredFailure(
            uri=uri,
            name=name,
            content_hash=content_hash,
            code=code,
            message=message,
            failed_at=failed_at or datetime.now(UTC).isoformat(timespec="seconds"),
        )
        with self.writing():
            self._notes.put("failure", {uri: failure})

    def clear_failure(self, uri: str) -> None:
        """Forget the failure of a file, because the file is gone."""
        with self.writing():
            self._notes.forget("failure", [uri])

    def failures(self) -> tuple[StoredFailure, ...]:
        """Return every file that could not be added, by name."""
        self._settle()
        return notes.failures(self._notes)

    def save_trace(
        self, trace_id: str, data: bytes, *, question: str, result: str, asked_at: str | None = None
    ) -> None:
        """Keep the JSON of a trace; `result` is `answer` or the reason of a refusal, `asked_at` an ISO time."""
        if self.read_only:
            raise StoreError(f"the library {self.place!r} is open for reading only")
        row = {
            "trace_id": column(trace_id),
            "asked_at": asked_at or datetime.now(UTC).isoformat(timespec="milliseconds"),
            "question": column(question),
            "result": result,
            "data": data,
        }
        self._tables.merge("traces", "trace_id", pa.Table.from_pylist([row], schema=SCHEMAS["traces"]))

    def trace(self, trace_id: str) -> bytes | None:
        """Return the JSON of a trace, or `None` when there is none of that id."""
        rows = self._tables.rows("traces", ["data"], f"trace_id = {literal(column(trace_id))}")
        return None if rows is None or rows.num_rows == 0 else bytes(rows["data"][0].as_py())

    def traces(self, limit: int | None = None) -> tuple[TraceSummary, ...]:
        """Return the traces, newest first."""
        rows = self._tables.rows("traces", ["trace_id", "asked_at", "question", "result"])
        made = [
            TraceSummary(
                trace_id=text_of(row["trace_id"]),
                asked_at=row["asked_at"],
                question=text_of(row["question"]),
                result=row["result"],
            )
            # Those of one moment in the order in which they were written, the last one first.
            for row in ([] if rows is None else reversed(rows.to_pylist()))
        ]
        return tuple(sorted(made, key=lambda summary: summary.asked_at, reverse=True)[:limit])


def _passage(row: Mapping[str, Any], owner: Stored) -> StoredPassage:
    passage = unpacked(row["data"], Passage)
    return StoredPassage(passage_id=row["passage_id"], doc_id=owner.record.doc_id, passage=passage)


def _recent(kept: OrderedDict[int, T], key: int, guard: Any) -> T | None:
    with guard:
        if key not in kept:
            return None
        kept.move_to_end(key)
        return kept[key]


def _keep(kept: OrderedDict[int, T], key: int, value: T, most: int, guard: Any) -> None:
    with guard:
        kept[key] = value
        while len(kept) > most:
            kept.popitem(last=False)


def _local_folder(place: str) -> Path:
    """Return the folder itself, or for a place elsewhere one in the user's cache."""
    if "://" not in place:
        return Path(place)
    named = os.environ.get("PINCITE_CACHE")
    if named:
        cache = Path(named).expanduser()
    else:
        import platformdirs

        cache = platformdirs.user_cache_path("pincite", appauthor=False)
    return cache / "remote" / hashlib.sha256(place.encode()).hexdigest()[:16]

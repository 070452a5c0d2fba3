"""`LanceStore`: a library as Lance tables in a folder or on object storage, for many writers and readers at a time."""

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pincite.errors import StoreError
from pincite.protocols import Embedder
from pincite.storage import naming
from pincite.storage.export import ExportedTable, ExportFormat
from pincite.storage.lance.bodies import Bodies, stored_of
from pincite.storage.lance.changing import Changes
from pincite.storage.lance.journal import LanceJournal
from pincite.storage.lance.local import local_folder
from pincite.storage.lance.notes import LanceSourceTable, Notes
from pincite.storage.lance.passages import Passages
from pincite.storage.lance.searching import Search
from pincite.storage.lance.sharing import Sharing
from pincite.storage.lance.snapshot import Snapshot
from pincite.storage.lance.states import States
from pincite.storage.lance.tables import Tables
from pincite.storage.lance.vector_table import LanceVectorTable
from pincite.storage.lance.vectors import EXACT_MOST, Vectors
from pincite.storage.lance.writing import Pending, bytes_of, keep_ahead
from pincite.storage.originals import Originals
from pincite.types.document import (
    DocumentRecord,
    Line,
    Page,
    ParsedDocument,
    ParsingSummary,
    PlacedObject,
    Section,
)
from pincite.types.passage import Passage, PassageHit, StoredPassage


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
        self.path = local_folder(self.place)
        self._tables = Tables(self.place)
        self._states = States(self._tables)
        self._notes = Notes(self._tables)
        self._vectors = Vectors(self._tables, self._notes, exact_most=exact_most)
        self._bodies = Bodies(self._tables, Originals(self.path / "originals"))
        self._passages = Passages(self._tables)
        self._search = Search(self._tables, self._passages, self._vectors)
        self._changes = Changes(
            self._tables,
            self._notes,
            self._vectors,
            self._states,
            read_only=read_only,
            lock_timeout_s=lock_timeout_s,
        )
        #: What is known of the places that the library is kept in step with.
        self.sources = LanceSourceTable(self._notes)
        #: Files that could not be added, and the traces of questions.
        self.journal = LanceJournal(self._tables, self._notes, self._changes)
        #: The vectors of passages: which are there, which are missing.
        self.vectors = LanceVectorTable(self._vectors, self._search, self._states, self._changes)
        #: For processes on other machines that write parts of the library.
        self.sharing = Sharing(self._notes, self._vectors, self._changes)
        if self._tables.at("documents") is None:
            if not create or read_only:
                raise StoreError(f"there is no library in {self.place!r}; `pincite add` makes one")
            self._tables.create("documents")
        self.path.mkdir(parents=True, exist_ok=True)
        if not read_only:
            self._reindex()

    def _reindex(self) -> None:
        """Write documents anew whose terms were made by another version of the tokenizer."""
        from pincite.text.tokens import TOKENIZER_VERSION

        for stored in self._states.now().stored:
            if stored.tokenizer != TOKENIZER_VERSION:
                passages = [one.passage for one in self._passages.of(stored)]
                self.put(stored.record, self._bodies.document(stored), passages)

    def _now(self) -> Snapshot:
        """Return the newest state of the documents, with what this thread has gathered."""
        self._changes.settle()
        return self._states.now()

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

    def writing(self, timeout_s: float | None = None) -> AbstractContextManager[None]:
        """Gather what is put in the `with` block, and write it in batches; all is written at its end.

        Keeps out other threads that write with this store, not other processes.

        Raises:
            StoreError: the library is open for reading only, or cannot be written.
            LibraryBusyError: another thread wrote for longer than `timeout_s` (by default `lock_timeout_s`).

        """
        return self._changes.writing(timeout_s)

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
            kept = None if original is None else bytes_of(original, record.content_hash)
            self._changes.put(Pending(record, document, tuple(passages), kept))

    def remove(self, doc_id: str, *, keep_original: bool = False) -> None:
        """Take a document out of everything that is searched; an unknown id changes nothing.

        Its bytes stay until `sweep`, also without `keep_original`.
        """
        del keep_original
        with self.writing():
            self._changes.remove(doc_id)

    def rename(self, doc_id: str, name: str, uri: str, *, origin: Mapping[str, str] | None = None) -> None:
        """Give a document another name, address and origin; nothing is parsed or embedded again.

        Raises:
            UnknownDocumentError: there is no such document.
            StoreError: another document has this name or address.

        """
        with self.writing():
            self._changes.rename(doc_id, name, uri, origin=origin)

    def set_summary(self, doc_id: str, summary: ParsingSummary) -> None:
        """Keep another summary of a document; what is searched stays as it is.

        Raises:
            UnknownDocumentError: there is no such document.

        """
        with self.writing():
            self._changes.set_summary(doc_id, summary)

    def sweep(self) -> tuple[int, int]:
        """Delete originals, vectors and rows that no document has, and make small files into large ones.

        Returns how many originals went, and their bytes. Rows and files that a reader may still be at stay for a day.
        """
        with self.writing():
            return self._changes.sweep()

    # ── documents ────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def sequence(self) -> int:
        """A number that grows with every change of documents."""
        return self._now().version

    def records(self) -> tuple[DocumentRecord, ...]:
        """Return every document, by name."""
        return self._now().records

    def added_order(self) -> tuple[str, ...]:
        """Return the ids of all documents in the order in which they were added."""
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
            for stored in self._now().stored:
                if not wanted or stored.record.doc_id in wanted:
                    passages = [one.passage for one in self._passages.of(stored)]
                    copy.put(stored.record, self._bodies.document(stored), passages)
            return copy.export(folder, form=form, tables=tables)

    def find_by_uri(self, uri: str) -> DocumentRecord | None:
        """Return the document of that address, or `None`."""
        return self._changes.find("uri", uri)

    def find_by_name(self, name: str) -> DocumentRecord | None:
        """Return the document that citations call so, or `None`."""
        return self._changes.find("name", name)

    def find_by_id(self, doc_id: str) -> DocumentRecord | None:
        """Return the document of that id, or `None`."""
        return self._changes.find("doc_id", doc_id)

    def find_by_hash(self, content_hash: str) -> DocumentRecord | None:
        """Return the document with those bytes (the one added first), or `None`."""
        return self._changes.find("content_hash", content_hash)

    def document(self, doc_id: str) -> ParsedDocument:
        """Return a whole document as it was parsed, under the name and with the summary it has now.

        Raises:
            UnknownDocumentError: there is none of that id.

        """
        return self._bodies.document(stored_of(self._now(), doc_id))

    def original_path(self, doc_id: str) -> Path | None:
        """Return a file that holds the document's bytes, fetched if need be; `None` when they were not kept."""
        stored = self._now().by_id.get(doc_id)
        return None if stored is None else self._bodies.original_path(stored.record.content_hash)

    def keep_original(self, content: bytes | Path, content_hash: str) -> None:
        """Keep the bytes that a document is to be made of, before it is there; `sweep` leaves them for a day.

        Raises:
            StoreError: they do not have that hash, or cannot be written.

        """
        keep_ahead(self._tables, content, content_hash)

    def original(self, doc_id: str) -> bytes | None:
        """Return the document's bytes; `None` when they were not kept or are not what they were."""
        stored = self._now().by_id.get(doc_id)
        return None if stored is None else self._bodies.original_of(stored.record.content_hash)

    def original_of(self, content_hash: str) -> bytes | None:
        """Return the bytes of that hash, also of a document that was replaced or deleted since; else `None`."""
        self._changes.settle()
        return self._bodies.original_of(content_hash)

    def lines(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[Line, ...]:
        """Return lines of a document, both ends included."""
        return self._bodies.lines(self._now(), doc_id, first_line_id, last_line_id)

    def page_lines(self, doc_id: str, first_page: int, last_page: int) -> tuple[Line, ...]:
        """Return the lines of pages of a document, both ends included."""
        return self._bodies.page_lines(self._now(), doc_id, first_page, last_page)

    def pages(self, doc_id: str) -> tuple[Page, ...]:
        """Return the pages of a document."""
        return self._bodies.pages(self._now(), doc_id)

    def toc(self, doc_id: str) -> tuple[Section, ...]:
        """Return the contents of a document."""
        return self._bodies.toc(self._now(), doc_id)

    def named(self, labels: Sequence[str], *, doc_ids: Sequence[str]) -> tuple[PlacedObject, ...]:
        """Return the named objects with one of the labels, whatever their case; no ids means in the whole library."""
        return self._bodies.named(self._now(), labels, doc_ids)

    # ── search ───────────────────────────────────────────────────────────────────────────────────────────────────

    def passages(self, passage_ids: Sequence[int]) -> tuple[StoredPassage, ...]:
        """Return passages by id, in the order asked; ids that are gone are left out."""
        return self._passages.by_id(self._now(), passage_ids)

    def passages_at(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[StoredPassage, ...]:
        """Return the passages that share a line with a range, in the order of the document."""
        return self._passages.at(self._now(), doc_id, first_line_id, last_line_id)

    def passage_count(self, *, doc_ids: Sequence[str] = ()) -> int:
        """Return how many passages there are; no ids means in the whole library."""
        now = self._now()
        wanted = set(doc_ids) & now.by_id.keys() if doc_ids else now.by_id.keys()
        return sum(now.by_id[doc_id].n_passages for doc_id in wanted)

    def search_terms(
        self, terms: Mapping[str, float], *, doc_ids: Sequence[str] = (), k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by weighted BM25 over index terms: the ranking of a SQLite library.

        Scores are those of a library that holds `doc_ids` only. Terms of a weight of 0 or less are passed over.
        """
        return self._search.terms(self._now(), terms, doc_ids, k)

    def term_counts(self, terms: Iterable[str], *, doc_ids: Sequence[str] = ()) -> dict[str, int]:
        """Return in how many passages each index term occurs."""
        return self._search.term_counts(self._now(), terms, doc_ids)

    def words(self) -> Mapping[str, int]:
        """Return every word of the library in lower case, with the number of passages that hold it."""
        return self._search.words(self._now())

    def nearest(
        self, vector: Any, *, embedder: Embedder, doc_ids: Sequence[str] = (), k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by cosine; passages that have no vector yet are not there.

        Raises:
            EmbeddingModelChangedError: the stored vectors come from another embedder.

        """
        return self._search.nearest(self._now(), vector, embedder, doc_ids, k)

    def vectors_of(self, passage_ids: Sequence[int], *, embedder: Embedder) -> Any:
        """Return the vectors of passages, an array of one row each, without those that have none."""
        return self._search.vectors_of(self._now(), passage_ids, embedder)

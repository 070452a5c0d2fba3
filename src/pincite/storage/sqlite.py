"""`SqliteStore`: a library in a folder, one SQLite database with what is derived from it beside it."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from pincite.errors import StoreError
from pincite.protocols import Embedder
from pincite.storage import documents, naming, reading, schema
from pincite.storage.connections import Connections
from pincite.storage.export import ExportedTable, ExportFormat, export_tables
from pincite.storage.journal import Journal
from pincite.storage.locks import WriterLock
from pincite.storage.making import bring_up_to_date, make_missing
from pincite.storage.originals import Originals
from pincite.storage.searching import Search
from pincite.storage.sources import SourceTable
from pincite.storage.vector_table import VectorTable
from pincite.storage.vectors import of_passages
from pincite.types.document import DocumentRecord, Line, Page, ParsedDocument, ParsingSummary, PlacedObject, Section
from pincite.types.passage import Passage, PassageHit, StoredPassage

DATABASE_NAME: Final = "pincite.sqlite"
LOCK_NAME: Final = "pincite.lock"
#: The folder of what a sync fetches, until it is kept.
INCOMING_NAME: Final = "incoming"


class SqliteStore:
    """A library on disk, for any number of threads and processes: many read while one writes.

    Keeps the promises of `pincite.protocols.Store`. Every method sees one state of the library; every change is one
    transaction. An empty `doc_ids` means every document.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        read_only: bool = False,
        lock_timeout_s: float = 60.0,
        on_wait: Callable[[int | None], None] | None = None,
    ) -> None:
        """Open the library in the folder `path`, or make it when it is not there and `create` is on.

        `on_wait` is called with the process id of another writer when waiting for it takes long.

        Raises:
            StoreError: there is no library, or the folder cannot be used.
            LibraryVersionError: it was made by another version of pincite.

        """
        self.path = path
        self.read_only = read_only
        database = path / DATABASE_NAME
        self._lock_timeout_s = lock_timeout_s
        self._lock = WriterLock(path / LOCK_NAME, on_wait=on_wait)
        self._connections = Connections(database, lock=self._lock, lock_timeout_s=lock_timeout_s, read_only=read_only)
        self._originals = Originals(path / "originals")
        self._search = Search(path, writable=not read_only)
        #: What is known of the places that the library is kept in step with.
        self.sources = SourceTable(self._connections)
        #: Files that could not be added, and the traces of questions.
        self.journal = Journal(self._connections)
        #: The vectors of passages: which are there, which are missing.
        self.vectors = VectorTable(path, self._connections, self._search)
        try:
            make_missing(database, self._lock, create=create and not read_only, lock_timeout_s=lock_timeout_s)
            bring_up_to_date(self._connections)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close every file; the store cannot be used afterwards."""
        self._connections.close()
        self._search.forget()

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
        """Keep other writers out for the `with` block, to look and then change without a race.

        Each change inside is still a transaction of its own. Readers are not kept out.

        Raises:
            StoreError: the library is open for reading only.
            LibraryBusyError: another process wrote for longer than `timeout_s` (by default `lock_timeout_s`).

        """
        if self.read_only:
            raise StoreError(f"the library {str(self.path)!r} is open for reading only")
        with self._lock.held(self._lock_timeout_s if timeout_s is None else timeout_s):
            yield

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

        What has the same `doc_id` or the same `uri` is replaced. A failure kept for the `uri` is cleared. With
        `keep_replaced` the original and the vectors of what was replaced stay until `sweep`.

        Raises:
            StoreError: another document has this name, or `original` does not have the document's content hash.
            LibraryBusyError: another process wrote for longer than `lock_timeout_s`.

        """
        with self.writing():
            if original is not None:
                self._originals.keep(original, content_hash=record.content_hash)
            with self._connections.writing() as connection:
                unused = documents.put_document(connection, record, document, passages, keep_vectors=keep_replaced)
            if not keep_replaced:
                self._originals.drop(unused)

    def remove(self, doc_id: str, *, keep_original: bool = False) -> None:
        """Take a document out of everything that is searched, with its original; an unknown id changes nothing.

        With `keep_original` the bytes stay until `sweep`.
        """
        with self.writing():
            with self._connections.writing() as connection:
                unused = documents.remove_document(connection, doc_id, keep_vectors=keep_original)
            if not keep_original:
                self._originals.drop(unused)

    def rename(self, doc_id: str, name: str, uri: str, *, origin: Mapping[str, str] | None = None) -> None:
        """Give a document another name, address and origin; nothing is parsed or embedded again.

        Raises:
            UnknownDocumentError: there is no such document.
            StoreError: another document has this name or address.

        """
        with self._connections.writing() as connection:
            documents.rename_document(connection, doc_id, name, uri, origin=origin)

    def set_summary(self, doc_id: str, summary: ParsingSummary) -> None:
        """Keep another summary of a document; what is searched stays as it is.

        Raises:
            UnknownDocumentError: there is no such document.

        """
        with self._connections.writing() as connection:
            documents.set_summary(connection, doc_id, summary)

    def sweep(self) -> tuple[int, int]:
        """Delete originals and vectors that no document has; return how many originals, and their bytes.

        They are what a sync replaced or removed, and what a process left that was killed.
        """
        with self.writing():
            self.vectors.drop_unused()
            with self._connections.reading() as connection:
                used = reading.content_hashes(connection)
            return self._originals.keep_only(used)

    # ── documents ────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def sequence(self) -> int:
        """A number that grows with every change of documents."""
        with self._connections.reading() as connection:
            return schema.meta(connection, "sequence")

    def records(self) -> tuple[DocumentRecord, ...]:
        """Return every document, by name."""
        with self._connections.reading() as connection:
            return self._search.records(connection)

    def added_order(self) -> tuple[str, ...]:
        """Return the ids of all documents in the order in which they were added."""
        with self._connections.reading() as connection:
            return reading.doc_ids_as_added(connection)

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
        """Write tables to files that show one state of the library; see `pincite.storage.export`."""
        with self._connections.reading() as connection:
            return export_tables(connection, folder, form=form, tables=tables, doc_ids=doc_ids)

    def find_by_uri(self, uri: str) -> DocumentRecord | None:
        """Return the document of that address, or `None`."""
        with self._connections.reading() as connection:
            return documents.find_record(connection, "uri", uri)

    def find_by_name(self, name: str) -> DocumentRecord | None:
        """Return the document that citations call so, or `None`."""
        with self._connections.reading() as connection:
            return documents.find_record(connection, "name", name)

    def find_by_id(self, doc_id: str) -> DocumentRecord | None:
        """Return the document of that id, or `None`."""
        with self._connections.reading() as connection:
            return documents.find_record(connection, "doc_id", doc_id)

    def find_by_hash(self, content_hash: str) -> DocumentRecord | None:
        """Return the document with those bytes (the one added first), or `None`."""
        with self._connections.reading() as connection:
            return documents.find_record(connection, "content_hash", content_hash)

    def document(self, doc_id: str) -> ParsedDocument:
        """Return a whole document as it was parsed, under the name it has now.

        Raises:
            UnknownDocumentError: there is none of that id.

        """
        with self._connections.reading() as connection:
            return documents.load_document(connection, doc_id)

    def original_path(self, doc_id: str) -> Path | None:
        """Return the file that holds the document's bytes, or `None` when they were not kept."""
        content_hash = self._content_hash(doc_id)
        path = None if content_hash is None else self._originals.path(content_hash)
        return path if path is not None and path.is_file() else None

    def original(self, doc_id: str) -> bytes | None:
        """Return the document's bytes; `None` when they were not kept or are not what they were."""
        content_hash = self._content_hash(doc_id)
        return None if content_hash is None else self._originals.read(content_hash)

    def original_of(self, content_hash: str) -> bytes | None:
        """Return the bytes of that hash, also of a document that was replaced or deleted since; else `None`."""
        return self._originals.read(content_hash)

    def _content_hash(self, doc_id: str) -> str | None:
        with self._connections.reading() as connection:
            record = documents.find_record(connection, "doc_id", doc_id)
        return None if record is None else record.content_hash

    def lines(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[Line, ...]:
        """Return lines of a document, both ends included."""
        with self._connections.reading() as connection:
            return reading.lines(connection, doc_id, first_line_id, last_line_id)

    def page_lines(self, doc_id: str, first_page: int, last_page: int) -> tuple[Line, ...]:
        """Return the lines of pages of a document, both ends included."""
        with self._connections.reading() as connection:
            return reading.page_lines(connection, doc_id, first_page, last_page)

    def pages(self, doc_id: str) -> tuple[Page, ...]:
        """Return the pages of a document."""
        with self._connections.reading() as connection:
            return reading.pages(connection, doc_id)

    def toc(self, doc_id: str) -> tuple[Section, ...]:
        """Return the contents of a document."""
        with self._connections.reading() as connection:
            return reading.toc(connection, doc_id)

    def named(self, labels: Sequence[str], *, doc_ids: Sequence[str]) -> tuple[PlacedObject, ...]:
        """Return the named objects with one of the labels, whatever their case; no ids means in the whole library."""
        with self._connections.reading() as connection:
            return reading.named(connection, labels, doc_ids)

    # ── search ───────────────────────────────────────────────────────────────────────────────────────────────────

    def passages(self, passage_ids: Sequence[int]) -> tuple[StoredPassage, ...]:
        """Return passages by id, in the order asked; ids that are gone are left out."""
        with self._connections.reading() as connection:
            return reading.passages(connection, passage_ids)

    def passages_at(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[StoredPassage, ...]:
        """Return the passages that share a line with a range, in the order of the document."""
        with self._connections.reading() as connection:
            return reading.passages_at(connection, doc_id, first_line_id, last_line_id)

    def passage_count(self, *, doc_ids: Sequence[str] = ()) -> int:
        """Return how many passages there are; no ids means in the whole library."""
        with self._connections.reading() as connection:
            return self._search.passage_count(connection, doc_ids)

    def search_terms(
        self, terms: Mapping[str, float], *, doc_ids: Sequence[str] = (), k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by weighted BM25 over index terms.

        Scores are those of a library that holds `doc_ids` only. Terms of a weight of 0 or less are passed over.
        """
        with self._connections.reading() as connection:
            return self._search.terms(connection, terms, doc_ids, k)

    def term_counts(self, terms: Iterable[str], *, doc_ids: Sequence[str] = ()) -> dict[str, int]:
        """Return in how many passages each index term occurs."""
        with self._connections.reading() as connection:
            return self._search.term_counts(connection, terms, doc_ids)

    def words(self) -> Mapping[str, int]:
        """Return every word of the library in lower case, with the number of passages that hold it."""
        with self._connections.reading() as connection:
            return self._search.words(connection)

    def nearest(
        self, vector: Any, *, embedder: Embedder, doc_ids: Sequence[str] = (), k: int
    ) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by cosine, exactly; passages that have no vector yet are not there.

        Raises:
            EmbeddingModelChangedError: the stored vectors come from another embedder.

        """
        return self._search.nearest(self._connections.reading, vector, embedder, doc_ids, k)

    def vectors_of(self, passage_ids: Sequence[int], *, embedder: Embedder) -> Any:
        """Return the vectors of passages, an array of one row each, without those that have none."""
        with self._connections.reading() as connection:
            return of_passages(connection, embedder, passage_ids)

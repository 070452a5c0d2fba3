"""`SqliteStore`: a library in a folder, one SQLite database with what is derived from it beside it."""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from pincite.errors import LibraryVersionError, StoreError, UnknownDocumentError
from pincite.protocols import Embedder
from pincite.storage import documents, journal, naming, rows, schema, vectors
from pincite.storage.connections import Connections
from pincite.storage.export import ExportedTable, ExportFormat, export_tables
from pincite.storage.journal import StoredFailure, TraceSummary
from pincite.storage.locks import WriterLock
from pincite.storage.originals import Originals
from pincite.storage.searching import Search
from pincite.storage.sources import SourceTable
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
from pincite.types.record import to_json

DATABASE_NAME: Final = "pincite.sqlite"
LOCK_NAME: Final = "pincite.lock"
#: The folder of what a sync fetches, until it is kept.
INCOMING_NAME: Final = "incoming"
#: How many ids one SQL statement takes.
_BATCH: Final = 500


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
        try:
            self._open(database, create=create and not read_only)
        except BaseException:
            self.close()
            raise

    def _open(self, database: Path, *, create: bool) -> None:
        if not _is_there(database):
            if not create:
                raise StoreError(f"there is no library in {str(self.path)!r}; `pincite add` makes one")
            self._create(database)
        with self._connections.reading() as connection:
            schema.check(connection, place=str(database))
            tokenizer_version = schema.meta(connection, "tokenizer_version")
            is_current = schema.is_current(connection)
        if not is_current:
            self._migrate()
        if not self.read_only:
            self._update_index(tokenizer_version)

    def _migrate(self) -> None:
        """Bring a library of an earlier pincite to the present schema; who may only read cannot."""
        if self.read_only:
            raise LibraryVersionError(
                f"the library {str(self.path)!r} was made by an earlier pincite and is open for reading only; "
                "open it for writing once (`pincite ls`), which brings it up to date"
            )
        with self._connections.writing() as connection:
            schema.migrate(connection)

    def _create(self, database: Path) -> None:
        from pincite.text.tokens import TOKENIZER_VERSION

        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with self._lock.held(self._lock_timeout_s):
                if not _is_there(database):
                    schema.create(database, tokenizer_version=TOKENIZER_VERSION)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the library cannot be made in {str(self.path)!r}: {error}") from error

    def _update_index(self, found: int) -> None:
        from pincite.text.tokens import TOKENIZER_VERSION

        if found != TOKENIZER_VERSION:
            with self._connections.writing() as connection:
                if schema.meta(connection, "tokenizer_version") != TOKENIZER_VERSION:
                    documents.reindex(connection, tokenizer_version=TOKENIZER_VERSION)

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

    @property
    def sources(self) -> SourceTable:
        """What is known of the places that the library is kept in step with."""
        return SourceTable(self._connections)

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
            for column, value in (("name", name), ("uri", uri)):
                other = documents.find_record(connection, column, value)
                if other is not None and other.doc_id != doc_id:
                    raise StoreError(f"the {column} {value!r} is taken by document {other.doc_id!r}")
            changed = connection.execute(
                "UPDATE documents SET name = ?, uri = ? WHERE doc_id = ?",
                (rows.storable(name), rows.storable(uri), rows.storable(doc_id)),
            )
            if changed.rowcount == 0:
                raise UnknownDocumentError(f"there is no document {doc_id!r} in the library")
            if origin is not None:
                connection.execute(
                    "UPDATE documents SET origin = ? WHERE doc_id = ?",
                    (rows.storable(json.dumps(dict(origin))), rows.storable(doc_id)),
                )
            documents.grow_sequence(connection)

    def set_summary(self, doc_id: str, summary: ParsingSummary) -> None:
        """Keep another summary of a document; what is searched stays as it is.

        Raises:
            UnknownDocumentError: there is no such document.

        """
        with self._connections.writing() as connection:
            changed = connection.execute(
                "UPDATE documents SET parsing_summary = ? WHERE doc_id = ?",
                (json.dumps(to_json(summary)), rows.storable(doc_id)),
            )
            if changed.rowcount == 0:
                raise UnknownDocumentError(f"there is no document {doc_id!r} in the library")
            documents.grow_sequence(connection)

    def sweep(self) -> tuple[int, int]:
        """Delete originals and vectors that no document has; return how many originals, and their bytes.

        They are what a sync replaced or removed, and what a process left that was killed.
        """
        with self.writing():
            self.drop_unused_vectors()
            with self._connections.reading() as connection:
                used = {row[0] for row in connection.execute("SELECT content_hash FROM documents")}
            return self._originals.keep_only(used)

    def drop_unused_vectors(self) -> None:
        """Delete the vectors of texts that no document has any more."""
        with self._connections.writing() as connection:
            documents.drop_unused_vectors(connection)

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
            found = connection.execute("SELECT doc_id FROM documents ORDER BY doc_no")
            return tuple(rows.restored(row[0]) for row in found)

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
        return self._select(
            rows.line_of,
            f"SELECT {rows.LINE_COLUMNS} FROM lines WHERE doc_id = ? AND line_id BETWEEN ? AND ? ORDER BY line_id",  # noqa: S608
            (rows.storable(doc_id), first_line_id, last_line_id),
        )

    def page_lines(self, doc_id: str, first_page: int, last_page: int) -> tuple[Line, ...]:
        """Return the lines of pages of a document, both ends included."""
        return self._select(
            rows.line_of,
            f"SELECT {rows.LINE_COLUMNS} FROM lines WHERE doc_id = ? AND page_num BETWEEN ? AND ? "  # noqa: S608
            "ORDER BY line_id",
            (rows.storable(doc_id), first_page, last_page),
        )

    def pages(self, doc_id: str) -> tuple[Page, ...]:
        """Return the pages of a document."""
        return self._select(
            rows.page_of,
            f"SELECT {rows.PAGE_COLUMNS} FROM pages WHERE doc_id = ? ORDER BY page_num",  # noqa: S608
            (rows.storable(doc_id),),
        )

    def toc(self, doc_id: str) -> tuple[Section, ...]:
        """Return the contents of a document."""
        return self._select(
            rows.section_of,
            f"SELECT {rows.TOC_COLUMNS} FROM toc WHERE doc_id = ? ORDER BY position",  # noqa: S608
            (rows.storable(doc_id),),
        )

    def named(self, labels: Sequence[str], *, doc_ids: Sequence[str]) -> tuple[PlacedObject, ...]:
        """Return the named objects with one of the labels, whatever their case; no ids means in the whole library."""
        found: tuple[PlacedObject, ...] = self._select(
            rows.placed_object_of,
            "SELECT doc_id, kind, label, title, page_num, line_num FROM objects "
            "WHERE label COLLATE NOCASE IN (SELECT value FROM json_each(?)) ORDER BY doc_id, position",
            (json.dumps(list(labels)),),
        )
        wanted = frozenset(doc_ids)
        return tuple(one for one in found if one.doc_id in wanted) if wanted else found

    def _select(self, make: Callable[[rows.Row], Any], statement: str, arguments: Sequence[Any]) -> tuple[Any, ...]:
        with self._connections.reading() as connection:
            return tuple(map(make, connection.execute(statement, arguments)))

    # ── search ───────────────────────────────────────────────────────────────────────────────────────────────────

    def passages(self, passage_ids: Sequence[int]) -> tuple[StoredPassage, ...]:
        """Return passages by id, in the order asked; ids that are gone are left out."""
        found: dict[int, StoredPassage] = {}
        with self._connections.reading() as connection:
            for start in range(0, len(passage_ids), _BATCH):
                wanted = json.dumps([int(i) for i in passage_ids[start : start + _BATCH]])
                for row in connection.execute(
                    f"SELECT {rows.PASSAGE_COLUMNS} FROM passages "  # noqa: S608
                    "WHERE passage_id IN (SELECT value FROM json_each(?))",
                    (wanted,),
                ):
                    found[row[0]] = rows.passage_of(row)
        return tuple(found[i] for i in passage_ids if i in found)

    def passages_at(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[StoredPassage, ...]:
        """Return the passages that share a line with a range, in the order of the document."""
        return self._select(
            rows.passage_of,
            f"SELECT {rows.PASSAGE_COLUMNS} FROM passages "  # noqa: S608
            "WHERE doc_id = ? AND first_line_id <= ? AND last_line_id >= ? ORDER BY first_line_id, passage_id",
            (rows.storable(doc_id), last_line_id, first_line_id),
        )

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
            return vectors.of_passages(connection, embedder, passage_ids)

    # ── vectors ──────────────────────────────────────────────────────────────────────────────────────────────────

    def embedders(self) -> tuple[vectors.StoredEmbedder, ...]:
        """Return every embedder that has vectors here, the one in use first."""
        with self._connections.reading() as connection:
            return tuple(sorted(vectors.embedders(connection), key=lambda one: not one.is_current))

    def stored_vectors(self, embedder: vectors.StoredEmbedder) -> Iterator[list[tuple[str, Any]]]:
        """Yield all vectors of an embedder with the hashes of their texts, batch by batch."""
        return vectors.every(self._connections.reading, embedder)

    def check_embedder(self, embedder: Embedder) -> None:
        """Make sure that the vectors in use come from `embedder`, or that there are none.

        Raises:
            EmbeddingModelChangedError: they come from another; the message names both and says what to do.

        """
        with self._connections.reading() as connection:
            vectors.check_embedder(connection, embedder)

    def missing_vectors(
        self, embedder: Embedder, *, doc_ids: Sequence[str] = (), batch: int = 256
    ) -> Iterator[list[tuple[str, str]]]:
        """Yield batches of `(text_hash, embedding_text)` without a vector of `embedder`, each text once."""
        within = json.dumps([rows.storable(d) for d in doc_ids]) if doc_ids else None
        return vectors.missing(self._connections.reading, embedder, batch=batch, doc_ids=within)

    def add_vectors(self, embedder: Embedder, vectors_by_hash: Iterable[tuple[str, Any]]) -> None:
        """Keep vectors by the hash of their text, in one small transaction; texts that are gone are passed over.

        Raises:
            StoreError: a vector is not what the embedder says it makes.

        """
        with self._connections.writing() as connection:
            vectors.add(connection, embedder, vectors_by_hash)

    def vector_progress(self, embedder: Embedder) -> tuple[int, int]:
        """Return how many texts have a vector of `embedder`, and how many texts there are."""
        with self._connections.reading() as connection:
            state = self._search.progress(connection, embedder)
        return state.done, state.total

    def switch_embedder(self, embedder: Embedder) -> None:
        """Search with the vectors of `embedder` from now on, and delete those of others.

        Raises:
            StoreError: some texts have no vector of it yet.

        """
        from pincite.storage.matrix import file_path

        with self._connections.writing() as connection:
            others = vectors.switch(connection, embedder)
        for other in others:
            with contextlib.suppress(OSError):
                file_path(self.path, other).unlink(missing_ok=True)

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
        with self._connections.writing() as connection:
            journal.record_failure(connection, failure)

    def clear_failure(self, uri: str) -> None:
        """Forget the failure of a file, because the file is gone."""
        with self._connections.writing() as connection:
            journal.clear_failure(connection, uri)

    def failures(self) -> tuple[StoredFailure, ...]:
        """Return every file that could not be added, by name."""
        with self._connections.reading() as connection:
            return journal.failures(connection)

    def save_trace(
        self, trace_id: str, data: bytes, *, question: str, result: str, asked_at: str | None = None
    ) -> None:
        """Keep the JSON of a trace; `result` is `answer` or the reason of a refusal, `asked_at` an ISO time.

        Does not wait for a process that adds documents.
        """
        summary = TraceSummary(
            trace_id=trace_id,
            asked_at=asked_at or datetime.now(UTC).isoformat(timespec="milliseconds"),
            question=question,
            result=result,
        )
        with self._connections.noting() as connection:
            journal.save_trace(connection, summary, data)

    def trace(self, trace_id: str) -> bytes | None:
        """Return the JSON of a trace, or `None` when there is none of that id."""
        with self._connections.reading() as connection:
            return journal.trace(connection, trace_id)

    def traces(self, limit: int | None = None) -> tuple[TraceSummary, ...]:
        """Return the traces, newest first."""
        with self._connections.reading() as connection:
            return journal.traces(connection, limit)


def _is_there(database: Path) -> bool:
    """Say whether there is a database file; an empty one is what a crashed program left."""
    try:
        return database.stat().st_size > 0
    except OSError:
        return False

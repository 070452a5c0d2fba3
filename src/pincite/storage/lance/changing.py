"""Every change of documents and vectors of a Lance library: gathered by the thread that writes, written in batches."""

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from pincite.errors import LibraryBusyError, StoreError, UnknownDocumentError
from pincite.protocols import Embedder
from pincite.storage.lance import maintenance
from pincite.storage.lance.bodies import stored_of
from pincite.storage.lance.coding import column, packed
from pincite.storage.lance.notes import Ids, Notes
from pincite.storage.lance.snapshot import Stored
from pincite.storage.lance.states import States
from pincite.storage.lance.tables import Tables, literal
from pincite.storage.lance.vectors import Vectors
from pincite.storage.lance.writing import (
    Batch,
    Pending,
    Written,
    bytes_of,
    keep_originals,
    missing_originals,
    point,
    write,
)
from pincite.types.document import DocumentRecord, ParsingSummary

#: Vectors that are gathered while documents are added, until they are written.
_MOST_VECTORS: Final = 2048


class Changes:
    """The changes of one store. Everything but `settle`, `find` and `n_gathered` is called inside `writing`."""

    def __init__(
        self,
        tables: Tables,
        notes: Notes,
        vectors: Vectors,
        states: States,
        *,
        read_only: bool,
        lock_timeout_s: float,
    ) -> None:
        """Gather nothing yet."""
        self._tables, self._notes, self._vectors, self._states = tables, notes, vectors, states
        self._read_only, self._lock_timeout_s = read_only, lock_timeout_s
        self._ids = Ids(notes)
        self._writer = threading.RLock()
        self._owner: int | None = None
        self._depth = 0
        self._batch = Batch()
        self._new_vectors: dict[tuple[str, int], tuple[Embedder, dict[str, Any]]] = {}

    @contextlib.contextmanager
    def writing(self, timeout_s: float | None = None) -> Iterator[None]:
        """Keep out other threads for the `with` block; what was gathered is written at its end.

        Raises:
            StoreError: the library is open for reading only, or cannot be written.
            LibraryBusyError: another thread wrote for longer than `timeout_s` (by default `lock_timeout_s`).

        """
        self.check_writable()
        if not self._writer.acquire(timeout=self._lock_timeout_s if timeout_s is None else timeout_s):
            raise LibraryBusyError(f"another thread is writing to the library {self._tables.root!r}; try again")
        try:
            self._owner, self._depth = threading.get_ident(), self._depth + 1
            try:
                yield
            finally:
                if self._depth == 1:
                    self.flush()
                    self._states.keep_counts()
                    maintenance.tidy(self._tables, self._vectors)
        finally:
            self._depth -= 1
            self._owner = self._owner if self._depth else None
            self._writer.release()

    def check_writable(self) -> None:
        """Make sure that the library was not opened for reading only.

        Raises:
            StoreError: it was.

        """
        if self._read_only:
            raise StoreError(f"the library {self._tables.root!r} is open for reading only")

    def settle(self) -> None:
        """Write what this thread has gathered, before it reads."""
        if self._owner == threading.get_ident() and (self._batch.documents or self._new_vectors):
            self.flush()

    def find(self, key: str, value: str) -> DocumentRecord | None:
        """Return the document whose field `key` is `value`, for the thread that writes also one not written yet."""
        if self._owner == threading.get_ident():
            pending = self._batch.find(key, value)
            if pending is not None:
                return pending
            found = self._states.now().by[key].get(value)
            return None if found is None or self._batch.find("doc_id", found.doc_id) is not None else found
        return self._states.now().by[key].get(value)

    def put(self, pending: Pending) -> None:
        """Gather a document.

        Raises:
            StoreError: another document has its name.

        """
        record = pending.record
        namesake = self.find("name", record.name)
        if namesake is not None and namesake.doc_id != record.doc_id and namesake.uri != record.uri:
            raise StoreError(
                f"the name {record.name!r} of {record.uri!r} is taken by {namesake.uri!r}; "
                "give the document another name"
            )
        self._batch.add(pending)
        if self._batch.is_full:
            self.flush()

    def remove(self, doc_id: str) -> None:
        """Take a document out of everything that is searched; an unknown id changes nothing."""
        self.flush()
        if doc_id in self._states.now().by_id:
            self._tables.delete("documents", f"doc_id = {literal(column(doc_id))}")

    def rename(self, doc_id: str, name: str, uri: str, *, origin: Mapping[str, str] | None = None) -> None:
        """Give a document another name, address and origin.

        Raises:
            UnknownDocumentError: there is no such document.
            StoreError: another document has this name or address.

        """
        self.flush()
        now = self._states.now()
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
        """Keep another summary of a document.

        Raises:
            UnknownDocumentError: there is no such document.

        """
        self.flush()
        stored = stored_of(self._states.now(), doc_id)
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

    def add_vectors(self, embedder: Embedder, vectors_by_hash: Sequence[tuple[str, Any]]) -> None:
        """Gather vectors that are checked, by the hash of their text."""
        gathered = self._new_vectors.setdefault((embedder.name, embedder.dimension), (embedder, {}))[1]
        gathered.update(vectors_by_hash)
        if len(gathered) >= _MOST_VECTORS:
            self.flush()

    def n_gathered(self, embedder: Embedder) -> int:
        """Return how many vectors of an embedder are not written yet."""
        gathered = self._new_vectors.get((embedder.name, embedder.dimension))
        return 0 if gathered is None else len(gathered[1])

    def switch_embedder(self, embedder: Embedder) -> None:
        """Search with the vectors of `embedder` from now on; raises as `Vectors.switch`."""
        self.flush()
        self._vectors.switch(embedder, self._states.now())

    def drop_unused_vectors(self) -> None:
        """Delete the vectors of texts that no document has any more."""
        self.flush()
        self._vectors.drop_unused(self._states.now())

    def sweep(self) -> tuple[int, int]:
        """Delete what no document has, and make small files into large ones; return originals and their bytes."""
        self.drop_unused_vectors()
        swept = maintenance.drop_originals(self._tables, self._states.now())
        maintenance.drop_unused(self._tables, self._notes, self._states.now())
        maintenance.tidy(self._tables, self._vectors, always=True)
        return swept

    def flush(self) -> None:
        """Write what is gathered: documents, then vectors."""
        from pincite.text.tokens import TOKENIZER_VERSION

        batch = self._batch.take()
        if batch:
            write(self._tables, self._ids, batch, self._states.now(), tokenizer=TOKENIZER_VERSION)
            self._seen([pending.record for pending in batch])
        taken, self._new_vectors = self._new_vectors, {}
        for embedder, vectors in taken.values():
            self._vectors.add(embedder, list(vectors.items()), self._states.now())

    def point(self, written: Sequence[Written], originals: Mapping[str, Path]) -> None:
        """Make documents visible whose rows and originals other processes have written."""
        self.flush()
        point(self._tables, written, self._states.now())
        self._seen([one.record for one in written])
        # Somebody may have swept away an original meanwhile, as long as no document had it.
        for content_hash in missing_originals(self._tables, list(originals)) if originals else ():
            with contextlib.suppress(StoreError):  # the file changed since: this document has no original
                keep_originals(self._tables, {content_hash: bytes_of(originals[content_hash], content_hash)})

    def _seen(self, records: Sequence[DocumentRecord]) -> None:
        """Clear the failures of documents that are there now, and give each a name of its own."""
        self._notes.forget("failure", [record.uri for record in records])
        self._part_namesakes({record.doc_id for record in records})

    def _part_namesakes(self, own: set[str]) -> None:
        """Give documents of ours another name where another writer took the same one at the same time."""
        by_name: dict[str, list[DocumentRecord]] = {}
        for record in self._states.now().records:
            by_name.setdefault(record.name, []).append(record)
        for records in by_name.values():
            for record in records if len(records) > 1 else ():
                if record.doc_id in own:
                    self.rename(record.doc_id, f"{record.name} ({record.doc_id[:6]})", record.uri)

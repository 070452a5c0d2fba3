"""Documents on their way into a Lance library: gathered, then written in a few commits for many of them.

A commit costs about as much whether it holds one document or a hundred. Bodies, passages, postings and named objects
come first, under ids that nobody knows yet; the rows of `documents`, which point to them, come last, in one commit. A
process that is killed before that leaves rows that nobody reads, for `maintenance` to delete.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow as pa

from pincite.errors import StoreError
from pincite.storage import terms
from pincite.storage.lance.coding import column, folded, outline_of, packed
from pincite.storage.lance.notes import Ids
from pincite.storage.lance.snapshot import Snapshot
from pincite.storage.lance.tables import GRACE, SCHEMAS, Tables, among
from pincite.types.content_hash import hash_of
from pincite.types.document import DocumentRecord, NamedObject, ParsedDocument
from pincite.types.passage import Passage

#: A batch is written when it holds this many documents, passages or bytes, or is this old (in seconds): what a killed
#: process loses is at most that, and the same `pincite add` does it again.
_MOST_DOCUMENTS: Final = 256
_MOST_PASSAGES: Final = 20_000
_MOST_BYTES: Final = 64 << 20
_MOST_SECONDS: Final = 15.0


class Pending(msgspec.Struct, frozen=True):
    """A document that is not written yet, with its original."""

    record: DocumentRecord
    document: ParsedDocument
    passages: tuple[Passage, ...]
    original: bytes | None


class Batch:
    """What one writer has gathered."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self.documents: dict[str, Pending] = {}
        self._since = 0.0
        self._n_bytes = self._n_passages = 0

    def add(self, pending: Pending) -> None:
        """Gather a document, in place of one with the same id or address."""
        if not self.documents:
            self._since = time.monotonic()
        uri, doc_id = pending.record.uri, pending.record.doc_id
        kept = {i: one for i, one in self.documents.items() if i != doc_id and one.record.uri != uri}
        self.documents = {**kept, doc_id: pending}
        self._n_passages += len(pending.passages)
        self._n_bytes += len(pending.original or b"") + 100 * len(pending.document.lines)

    def take(self) -> list[Pending]:
        """Return what is gathered, and begin anew."""
        taken = list(self.documents.values())
        self.documents, self._n_bytes, self._n_passages = {}, 0, 0
        return taken

    @property
    def is_full(self) -> bool:
        """Say whether it is time to write."""
        return bool(self.documents) and (
            len(self.documents) >= _MOST_DOCUMENTS
            or self._n_passages >= _MOST_PASSAGES
            or self._n_bytes >= _MOST_BYTES
            or time.monotonic() - self._since >= _MOST_SECONDS
        )

    def find(self, key: str, value: str) -> DocumentRecord | None:
        """Return the gathered document whose field `key` is `value`, or `None`."""
        return next((p.record for p in self.documents.values() if getattr(p.record, key) == value), None)


def bytes_of(original: bytes | Path, content_hash: str) -> bytes:
    """Return the bytes of an original.

    Raises:
        StoreError: they cannot be read, or do not have that hash: the file changed since it was parsed.

    """
    try:
        content = original if isinstance(original, bytes) else original.read_bytes()
    except OSError as error:
        raise StoreError(f"the original cannot be read: {error}") from error
    if hash_of(content) != content_hash:
        raise StoreError(f"the file {str(original)[:200]!r} changed while it was added; add it again")
    return content


class Written(msgspec.Struct, frozen=True):
    """A document whose rows are written, and that nobody can see yet: `point` makes it visible."""

    record: DocumentRecord
    first_id: int
    n_passages: int
    tokenizer: int
    lengths: bytes
    words: bytes
    text_hashes: bytes


def write(tables: Tables, ids: Ids, batch: Sequence[Pending], known: Snapshot, *, tokenizer: int) -> None:
    """Write documents, each all or nothing, in place of those of the same id or address in `known`."""
    originals = {p.record.content_hash: p.original for p in batch if p.original is not None}
    point(tables, write_rows(tables, ids, batch, tokenizer=tokenizer), known)
    # Somebody may have swept away an original between the two, as long as no document had it.
    keep_originals(tables, originals)


def write_rows(tables: Tables, ids: Ids, batch: Sequence[Pending], *, tokenizer: int) -> list[Written]:
    """Write all of the documents but what makes them visible; other processes may do so beside."""
    keep_originals(tables, {p.record.content_hash: p.original for p in batch if p.original is not None})
    first_ids = [ids.take(len(pending.passages)) for pending in batch]
    numbered = list(zip(first_ids, batch, strict=True))
    tables.append("bodies", _table("bodies", [_body(first_id, pending) for first_id, pending in numbered]))
    passages = [
        {"passage_id": first_id + i, "text_hash": column(passage.text_hash), "data": packed(passage)}
        for first_id, pending in numbered
        for i, passage in enumerate(pending.passages)
    ]
    tables.append("passages", _table("passages", passages))
    written, postings = [], []
    for first_id, pending in numbered:
        made = terms.index_of([terms.searched(pending.document, passage) for passage in pending.passages])
        written.append(_written(first_id, pending, made, tokenizer))
        postings += [{"term": column(term), "first_id": first_id, "data": d} for term, d in made.postings.items()]
    tables.append("postings", _table("postings", postings).sort_by("term"))
    objects = [row for first_id, pending in numbered for row in _objects(first_id, pending.document)]
    tables.append("objects", _table("objects", objects).sort_by("label"))
    return written


def point(tables: Tables, written: Sequence[Written], known: Snapshot) -> None:
    """Make documents visible in one commit, in place of those of the same id or address in `known`."""
    uris = {w.record.uri: w.record.doc_id for w in written}
    others = [s.record.uri for s in known.stored if uris.get(s.record.uri, s.record.doc_id) != s.record.doc_id]
    instead_of = among("uri", [column(uri) for uri in others]) if others else None
    tables.merge("documents", "doc_id", _table("documents", list(map(_document, written))), instead_of=instead_of)


def keep_ahead(tables: Tables, content: bytes | Path, content_hash: str) -> None:
    """Keep the bytes that a document is to be made of; a sweep leaves them for a day without one.

    Raises:
        StoreError: they do not have that hash, or cannot be written.

    """
    data = bytes_of(content, content_hash)
    kept_at = time.time() + GRACE.total_seconds()
    row = {"content_hash": content_hash, "n_bytes": len(data), "kept_at": kept_at, "data": data}
    tables.merge("originals", "content_hash", _table("originals", [row]))


def missing_originals(tables: Tables, content_hashes: Sequence[str]) -> set[str]:
    """Return those of some hashes whose bytes are not kept."""
    there = tables.rows("originals", ["content_hash"], among("content_hash", content_hashes))
    return set(content_hashes) - (set() if there is None else set(there["content_hash"].to_pylist()))


def keep_originals(tables: Tables, originals: Mapping[str, bytes]) -> None:
    """Keep the bytes that are not kept yet, by their hash."""
    if not originals:
        return
    missing = missing_originals(tables, list(originals))
    rows = [
        {"content_hash": h, "n_bytes": len(data), "kept_at": time.time(), "data": data}
        for h, data in originals.items()
        if h in missing
    ]
    tables.merge("originals", "content_hash", _table("originals", rows), replace=False)


def _table(name: str, rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMAS[name])


def _body(first_id: int, pending: Pending) -> dict[str, Any]:
    return {
        "first_id": first_id,
        "n_passages": len(pending.passages),
        "doc_id": column(pending.record.doc_id),
        "written_at": time.time(),
        "outline": packed(outline_of(pending.document)),
        "body": packed(pending.document),
    }


def _objects(first_id: int, document: ParsedDocument) -> list[dict[str, Any]]:
    """Return a row for each label, which holds its objects with their positions in the document."""
    by_label: dict[str, list[tuple[int, NamedObject]]] = {}
    for position, named in enumerate(document.objects):
        by_label.setdefault(folded(named.label), []).append((position, named))
    return [{"label": column(label), "first_id": first_id, "data": packed(of)} for label, of in by_label.items()]


def _written(first_id: int, pending: Pending, made: terms.Index, tokenizer: int) -> Written:
    return Written(
        record=pending.record,
        first_id=first_id,
        n_passages=len(pending.passages),
        tokenizer=tokenizer,
        lengths=made.lengths,
        words=packed(made.words),
        text_hashes=packed([passage.text_hash for passage in pending.passages]),
    )


def _document(written: Written) -> dict[str, Any]:
    record = written.record
    return {
        "doc_id": column(record.doc_id),
        "first_id": written.first_id,
        "n_passages": written.n_passages,
        "tokenizer": written.tokenizer,
        "name": column(record.name),
        "uri": column(record.uri),
        "content_hash": record.content_hash,
        "record": packed(record),
        "lengths": written.lengths,
        "words": written.words,
        "text_hashes": written.text_hashes,
    }

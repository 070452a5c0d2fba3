"""A library copied from one kind of store to another, and the proof that both hold the same.

Documents go over in the order in which they were added, so that passages of equal score keep their order. Ids of
passages are the store's own and differ; everything else is equal, and is compared by hashes after the copy.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from pincite.errors import StoreError
from pincite.protocols import Progress
from pincite.storage.opening import LibraryStore
from pincite.types.content_hash import hash_of
from pincite.types.record import Record, to_json

#: How many documents are written at once.
_BATCH: Final = 200


class Contents(Record, frozen=True, kw_only=True):
    """How much a library holds of each kind, and a hash over everything of that kind."""

    counts: dict[str, int]
    hashes: dict[str, str]


class MigrationReport(Record, frozen=True, kw_only=True):
    """What was copied, and what both libraries hold now."""

    copied: int
    unchanged: int
    contents: Contents


def migrate(source: LibraryStore, target: LibraryStore, *, progress: Progress | None = None) -> MigrationReport:
    """Copy everything of a library into another one, and compare the two; a copy that was interrupted goes on.

    Raises:
        StoreError: the target holds other documents, or the two differ after the copy (the source was changed
            meanwhile: the same call copies what is missing).

    """
    order = source.added_order()
    foreign = set(target.added_order()) - set(order)
    if foreign:
        raise StoreError(
            f"the library to copy to holds {len(foreign)} documents that the other one does not; choose an empty place"
        )
    n_same = _n_same(source, target)
    wanted = order[n_same:]
    for start in range(0, len(wanted), _BATCH):
        with target.writing():
            for done, doc_id in enumerate(wanted[start : start + _BATCH], start=start + 1):
                _copy_document(source, target, doc_id)
                if progress is not None:
                    progress(done, len(wanted))
    _copy_vectors(source, target)
    _copy_notes(source, target)
    before, after = contents_of(source), contents_of(target)
    differing = sorted(kind for kind in before.hashes if before.hashes[kind] != after.hashes[kind])
    if differing:
        kinds = ", ".join(f"{kind} ({before.counts[kind]} and {after.counts[kind]})" for kind in differing)
        raise StoreError(f"the two libraries differ in {kinds}; was one of them changed meanwhile? Copy again")
    return MigrationReport(copied=len(wanted), unchanged=n_same, contents=after)


def _n_same(source: LibraryStore, target: LibraryStore) -> int:
    """Return how many documents are the same in both, from the first one on: order has to stay what it is, too."""
    n_same = 0
    for here, there in zip(source.added_order(), target.added_order(), strict=False):
        if here != there or _digest(source, here) != _digest(target, there):
            break
        n_same += 1
    return n_same


class _Named(Record, frozen=True, kw_only=True):
    """An embedder whose vectors are there, and which makes no more."""

    name: str
    dimension: int

    def embed(self, texts: Any) -> Any:
        """Refuse: nothing is embedded while a library is copied."""
        raise NotImplementedError


def _record(store: LibraryStore, doc_id: str) -> Any:
    record = store.find_by_id(doc_id)
    if record is None:
        raise StoreError(f"the document {doc_id!r} was removed while the library was copied; copy again")
    return record


def _copy_document(source: LibraryStore, target: LibraryStore, doc_id: str) -> None:
    passages = [one.passage for one in source.passages_at(doc_id, 0, 2**40)]
    target.put(_record(source, doc_id), source.document(doc_id), passages, original=source.original(doc_id))


def _copy_vectors(source: LibraryStore, target: LibraryStore) -> None:
    # mypy knows two kinds of stores with two kinds of embedders; each is asked only for what it named itself.
    origin: Any = source
    for embedder in origin.vectors.embedders():
        named = _Named(name=embedder.name, dimension=embedder.dimension)
        for batch in origin.vectors.every(embedder):
            target.vectors.add(named, batch)


def _copy_notes(source: LibraryStore, target: LibraryStore) -> None:
    for one in source.journal.failures():
        target.journal.record_failure(one.uri, one.name, one.content_hash, one.code, one.message, one.failed_at)
    known = {summary.trace_id for summary in target.journal.traces()}
    # The oldest first: of those of one moment the last one written counts as the newest.
    for summary in reversed(source.journal.traces()):
        data = source.journal.trace(summary.trace_id)
        if data is not None and summary.trace_id not in known:
            target.journal.save_trace(
                summary.trace_id, data, question=summary.question, result=summary.result, asked_at=summary.asked_at
            )
    for place in source.sources.all():
        target.sources.restore(place)
        target.sources.change_files(place.spec, noted=source.sources.files(place.spec), gone=())


def contents_of(store: LibraryStore) -> Contents:
    """Return how much a library holds, and hashes by which it can be compared with another."""
    kinds: dict[str, Iterator[str]] = {
        "documents": (_digest(store, doc_id) for doc_id in store.added_order()),
        "originals": (
            "" if content is None else hash_of(content) for content in map(store.original, store.added_order())
        ),
        "vectors": iter(sorted(_vector_digests(store))),
        "failures": iter(sorted(map(_hash, store.journal.failures()))),
        "traces": (
            _hash([summary, _hash_of(store.journal.trace(summary.trace_id))]) for summary in store.journal.traces()
        ),
        "sources": (
            _hash([place, sorted(map(_hash, store.sources.files(place.spec)))]) for place in store.sources.all()
        ),
    }
    counts, hashes = {}, {}
    for kind, digests in kinds.items():
        found = [digest for digest in digests if digest]
        counts[kind], hashes[kind] = len(found), _hash(found)
    counts["passages"] = store.passage_count()
    hashes["passages"] = _hash(counts["passages"])
    return Contents(counts=counts, hashes=hashes)


def _digest(store: LibraryStore, doc_id: str) -> str:
    """Return a hash over a document with its record and passages, without the ids of the store."""
    passages = [one.passage for one in store.passages_at(doc_id, 0, 2**40)]
    return _hash([_record(store, doc_id), store.document(doc_id), passages])


def _vector_digests(store: LibraryStore) -> Iterable[str]:
    origin: Any = store
    live = {one.passage.text_hash for doc_id in store.added_order() for one in store.passages_at(doc_id, 0, 2**40)}
    for embedder in origin.vectors.embedders():
        for batch in origin.vectors.every(embedder):
            for text_hash, vector in batch:
                # A sync keeps vectors of texts that are gone for a while; they are not copied.
                if text_hash in live:
                    name = f"{embedder.name}/{embedder.dimension}/{embedder.is_current}"
                    yield f"{name}/{text_hash}/{hash_of(vector.tobytes())}"


def _hash_of(data: bytes | None) -> str:
    return "" if data is None else hash_of(data)


def _hash(value: object) -> str:
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:
        data = json.dumps(to_json(value), ensure_ascii=True).encode("ascii")
    return hash_of(data)

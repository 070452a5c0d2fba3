"""From files to documents that can be found: what is new is parsed, cut into passages, kept, and given vectors."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote_to_bytes

from pincite.add.embedding import embed_missing
from pincite.add.naming import free_id, free_name, unique_name
from pincite.add.report import AddedDocument, AddReport, FailedFile, SilentWatcher, Tally, Watcher, failure
from pincite.add.warnings import document_warnings
from pincite.errors import PinciteError, SourceError, UnsupportedFormatError
from pincite.parsing.media_types import PDF
from pincite.parsing.ocr import OcrOptions
from pincite.parsing.ocr_engines import engine_for
from pincite.parsing.pool import ParseOutcome, ParsePool, ParseRequest
from pincite.passages import chunk
from pincite.protocols import Embedder
from pincite.settings import Settings
from pincite.storage.opening import LibraryStore
from pincite.types.content_hash import hash_of_file
from pincite.types.document import DocumentRecord, ParsedDocument
from pincite.types.passage import Passage
from pincite.types.source import SourceFile


def add_files(
    files: Sequence[SourceFile],
    store: LibraryStore,
    embedder: Embedder | None,
    *,
    settings: Settings,
    direct: frozenset[str] = frozenset(),
    watcher: Watcher | None = None,
) -> AddReport:
    """Parse and keep what is new or changed; one bad file never stops the others.

    `direct` are the addresses of files that were named themselves: a format that no parser takes is an error for
    those, and passed over in folders. Vectors come last: what is added can be found by its words at once.
    """
    watch = watcher or SilentWatcher()
    tally = Tally()
    changed = list(changed_files(files, store, settings, tally))
    for done, outcome in enumerate(_parse(changed, settings), start=1):
        _keep(outcome, store, settings, tally, direct)
        watch.parsed(done, len(changed), outcome.request.name)
    if embedder is not None:
        tally.n_embedded, failed = embed_missing(store, embedder, progress=watch.embedded)
        tally.failed.extend(failed)
    return tally.report()


def changed_files(
    files: Iterable[SourceFile], store: LibraryStore, settings: Settings, tally: Tally
) -> Iterator[SourceFile]:
    """Yield the files whose bytes the library does not hold under that address, or holds with pages unread."""
    for file in files:
        known = store.find_by_uri(file.uri)
        try:
            content_hash = hash_of_file(file.path)
        except OSError as error:
            tally.failed.append(failure(file.name, SourceError(f"{file.name}: cannot be read: {error}")))
            continue
        if known is not None and content_hash == known.content_hash and not _may_read_more(known, settings):
            tally.unchanged.append(known.name)
            tally.doc_ids.append(known.doc_id)
        elif known is None and (moved := _moved_from(content_hash, store)) is not None:
            name = _name_of_moved(file, moved, store)
            store.rename(moved.doc_id, name, file.uri)
            tally.renamed.append(name)
            tally.doc_ids.append(moved.doc_id)
        else:
            yield file


def _may_read_more(known: DocumentRecord, settings: Settings) -> bool:
    """Say whether text recognition, which was not tried on a document, is wanted and can be tried now."""
    summary = known.parsing_summary
    if settings.ocr == "never" or summary.ocr_engine is not None or known.media_type != PDF:
        return False
    is_wanted = settings.ocr == "always" or bool(summary.unreadable_pages)
    return is_wanted and engine_for(ocr_options(settings)) is not None


def ocr_options(settings: Settings) -> OcrOptions:
    """Return what the settings say of text recognition."""
    return OcrOptions(mode=settings.ocr, engine=settings.ocr_engine, timeout_s=settings.ocr_timeout_s)


def _moved_from(content_hash: str, store: LibraryStore) -> DocumentRecord | None:
    """Return the document with those bytes whose own file is gone: nothing has to be parsed again."""
    known = store.find_by_hash(content_hash)
    if known is None or not known.uri.startswith("file://"):
        return None
    return None if Path(os.fsdecode(unquote_to_bytes(known.uri.removeprefix("file://")))).exists() else known


def _name_of_moved(file: SourceFile, moved: DocumentRecord, store: LibraryStore) -> str:
    def is_taken(name: str) -> bool:
        other = store.find_by_name(name)
        return other is not None and other.doc_id != moved.doc_id

    return free_name(file.name, file.uri, is_taken)


def _parse(files: Sequence[SourceFile], settings: Settings) -> Iterator[ParseOutcome]:
    if not files:
        return
    with parse_pool(settings, len(files)) as pool:
        yield from pool.parse_many(ParseRequest(name=f.name, uri=f.uri, path=f.path) for f in files)


def parse_pool(settings: Settings, n_files: int) -> ParsePool:
    """Return the pool that parses `n_files`, with the limits of the settings and no more processes than files."""
    return ParsePool(
        jobs=min(settings.jobs or 64, n_files) if settings.jobs else 0,
        timeout_s=settings.parse_timeout_s,
        timeout_per_page_s=settings.parse_timeout_per_page_s,
        memory_mb=settings.parse_memory_mb,
        max_file_mb=settings.max_file_mb,
        ocr=ocr_options(settings),
    )


def passages_of(document: ParsedDocument, settings: Settings) -> tuple[Passage, ...]:
    """Cut a document into passages of the sizes in the settings."""
    return chunk(
        document,
        min_words=settings.passage_min_words,
        max_words=settings.passage_max_words,
        max_chars=settings.passage_max_chars,
    )


def now() -> str:
    """Return the time, as records carry it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _keep(outcome: ParseOutcome, store: LibraryStore, settings: Settings, tally: Tally, direct: frozenset[str]) -> None:
    request = outcome.request
    if outcome.document is None:
        note_failure(failure(request.name, outcome.error), request.uri, store, tally, direct)
        return
    try:
        tally.added.append(put_document(outcome.document, store, settings, original=request.path))
        tally.doc_ids.append(tally.added[-1].doc_id)
    except PinciteError as error:
        tally.failed.append(failure(request.name, error))


def note_failure(failed: FailedFile, uri: str, store: LibraryStore, tally: Tally, direct: frozenset[str]) -> None:
    """Note a file that could not be parsed; one of a format that no parser takes only where it was named itself."""
    if failed.code == UnsupportedFormatError.code and uri not in direct:
        tally.skipped.append(failed.name)
        return
    store.journal.record_failure(uri, failed.name, None, failed.code, failed.message)
    tally.failed.append(failed)


def id_for(uri: str, store: LibraryStore) -> str:
    """Return the id of the document at an address: the one it has, else one that no document has."""
    known = store.find_by_uri(uri)
    return known.doc_id if known else free_id(uri, lambda doc_id: store.find_by_id(doc_id) is not None)


def put_document(
    document: ParsedDocument,
    store: LibraryStore,
    settings: Settings,
    *,
    original: Path | bytes | None,
    origin: Mapping[str, str] | None = None,
    keep_replaced: bool = False,
) -> AddedDocument:
    """Cut a document into passages and keep both; what had this address before is replaced.

    `origin` is what the source says of the file. With `keep_replaced` the original of what was replaced stays.
    """
    known = store.find_by_uri(document.uri)
    passages = passages_of(document, settings)
    record = DocumentRecord.of(
        document,
        doc_id=id_for(document.uri, store),
        name=known.name if known else unique_name(document, store),
        added_at=now(),
        has_text=bool(passages),
        origin=origin,
    )
    kept = original if settings.keep_originals else None
    store.put(record, document, passages, original=kept, keep_replaced=keep_replaced)
    return added_as(record, known, document_warnings(document, has_text=bool(passages)))


def added_as(record: DocumentRecord, known: DocumentRecord | None, warnings: Iterable[str]) -> AddedDocument:
    """Return what is reported of a document that was added, in place of `known` if it was there."""
    return AddedDocument(
        doc_id=record.doc_id,
        name=record.name,
        n_pages=record.n_pages,
        n_lines=record.n_lines,
        replaced=known is not None,
        warnings=tuple(warnings),
    )

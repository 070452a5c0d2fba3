"""Pipeline one: source → bytes → parser → passages → store → embedder."""

import hashlib
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, unquote_to_bytes

from pincite.errors import PinciteError, SourceError, UnsupportedFormatError
from pincite.parsing.pool import ParseOutcome, ParsePool, ParseRequest
from pincite.passages import chunk
from pincite.protocols import Embedder, Progress
from pincite.settings import Settings
from pincite.storage.sqlite import SqliteStore
from pincite.types.document import UNREADABLE_FLAGS, DocumentRecord, ParsedDocument
from pincite.types.record import Record
from pincite.types.source import SourceFile

logger = logging.getLogger(__name__)


class AddedDocument(Record, frozen=True, kw_only=True):
    """A document that was added or replaced, with what a reader should know of it."""

    doc_id: str
    name: str
    n_pages: int
    n_lines: int
    replaced: bool
    warnings: tuple[str, ...]


class FailedFile(Record, frozen=True, kw_only=True):
    """A file that could not be added: the error's code and message."""

    name: str
    code: str
    message: str


class AddReport(Record, frozen=True, kw_only=True):
    """What was added, what was there already, and what failed, with reasons; `notes` say what was passed over."""

    added: tuple[AddedDocument, ...] = ()
    unchanged: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    failed: tuple[FailedFile, ...] = ()
    skipped: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    n_embedded: int = 0
    notes: tuple[str, ...] = ()


class Watcher(Protocol):
    """Is told how far adding has come; every method may be left empty."""

    def parsed(self, done: int, total: int, name: str) -> None:
        """Say that `done` of `total` files are parsed; `name` was the last."""
        ...

    def embedded(self, done: int, total: int) -> None:
        """Say that `done` of `total` passages have their vector."""
        ...


class SilentWatcher:
    """Says nothing."""

    def parsed(self, done: int, total: int, name: str) -> None:
        """Say nothing."""

    def embedded(self, done: int, total: int) -> None:
        """Say nothing."""


def add_files(
    files: Sequence[SourceFile],
    store: SqliteStore,
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
    tally = _Tally()
    changed = list(_changed(files, store, tally))
    for done, outcome in enumerate(_parse(changed, settings), start=1):
        _keep(outcome, store, settings, tally, direct)
        watch.parsed(done, len(changed), outcome.request.name)
    if embedder is not None:
        tally.n_embedded, failed = embed_missing(store, embedder, progress=watch.embedded)
        tally.failed.extend(failed)
    return tally.report()


class _Tally:
    def __init__(self) -> None:
        self.added: list[AddedDocument] = []
        self.unchanged: list[str] = []
        self.renamed: list[str] = []
        self.failed: list[FailedFile] = []
        self.skipped: list[str] = []
        self.doc_ids: list[str] = []
        self.n_embedded = 0

    def report(self) -> AddReport:
        return AddReport(
            added=tuple(sorted(self.added, key=lambda a: a.name)),
            unchanged=tuple(self.unchanged),
            renamed=tuple(self.renamed),
            failed=tuple(sorted(self.failed, key=lambda f: f.name)),
            skipped=tuple(self.skipped),
            doc_ids=tuple(dict.fromkeys(self.doc_ids)),
            n_embedded=self.n_embedded,
        )


def _changed(files: Iterable[SourceFile], store: SqliteStore, tally: _Tally) -> Iterator[SourceFile]:
    """Yield the files whose bytes the library does not hold under that address."""
    for file in files:
        known = store.find_by_uri(file.uri)
        try:
            content_hash = _sha256(file.path)
        except OSError as error:
            tally.failed.append(_failure(file.name, SourceError(f"{file.name}: cannot be read: {error}")))
            continue
        if known is not None and content_hash == known.content_hash:
            tally.unchanged.append(known.name)
            tally.doc_ids.append(known.doc_id)
        elif known is None and (moved := _moved_from(content_hash, store)) is not None:
            name = _free_name(file.name, file.uri, {r.name for r in store.records() if r.doc_id != moved.doc_id})
            store.rename(moved.doc_id, name, file.uri)
            tally.renamed.append(name)
            tally.doc_ids.append(moved.doc_id)
        else:
            yield file


def _moved_from(content_hash: str, store: SqliteStore) -> DocumentRecord | None:
    """Return the document with those bytes whose own file is gone: nothing has to be parsed again."""
    known = store.find_by_hash(content_hash)
    if known is None or not known.uri.startswith("file://"):
        return None
    return None if Path(os.fsdecode(unquote_to_bytes(known.uri.removeprefix("file://")))).exists() else known


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _parse(files: Sequence[SourceFile], settings: Settings) -> Iterator[ParseOutcome]:
    if not files:
        return
    with ParsePool(
        jobs=min(settings.jobs or 64, len(files)) if settings.jobs else 0,
        timeout_s=settings.parse_timeout_s,
        timeout_per_page_s=settings.parse_timeout_per_page_s,
        memory_mb=settings.parse_memory_mb,
        max_file_mb=settings.max_file_mb,
    ) as pool:
        yield from pool.parse_many(ParseRequest(name=f.name, uri=f.uri, path=f.path) for f in files)


def _keep(outcome: ParseOutcome, store: SqliteStore, settings: Settings, tally: _Tally, direct: frozenset[str]) -> None:
    request = outcome.request
    if outcome.document is None:
        error = outcome.error
        if isinstance(error, UnsupportedFormatError) and request.uri not in direct:
            tally.skipped.append(request.name)
            return
        store.record_failure(request.uri, request.name, None, error.code, str(error))
        tally.failed.append(_failure(request.name, error))
        return
    try:
        tally.added.append(put_document(outcome.document, store, settings, original=request.path))
        tally.doc_ids.append(tally.added[-1].doc_id)
    except PinciteError as error:
        tally.failed.append(_failure(request.name, error))


def _failure(name: str, error: PinciteError) -> FailedFile:
    return FailedFile(name=name, code=error.code, message=str(error))


def put_document(
    document: ParsedDocument, store: SqliteStore, settings: Settings, *, original: Path | bytes | None
) -> AddedDocument:
    """Cut a document into passages and keep both; what had this address before is replaced."""
    known = store.find_by_uri(document.uri)
    passages = chunk(document, min_words=settings.passage_min_words, max_words=settings.passage_max_words)
    record = DocumentRecord(
        doc_id=known.doc_id
        if known
        else hashlib.sha256(document.uri.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        name=known.name if known else unique_name(document, store),
        uri=document.uri,
        media_type=document.media_type,
        content_hash=document.content_hash,
        n_bytes=document.n_bytes,
        parser=document.parser,
        n_pages=len(document.pages),
        n_lines=len(document.lines),
        added_at=datetime.now(UTC).isoformat(timespec="seconds"),
        status="ready" if passages else "no_text",
        metadata=document.metadata,
        parsing_summary=document.parsing_summary,
    )
    store.put(record, document, passages, original=original if settings.keep_originals else None)
    return AddedDocument(
        doc_id=record.doc_id,
        name=record.name,
        n_pages=record.n_pages,
        n_lines=record.n_lines,
        replaced=known is not None,
        warnings=tuple(document_warnings(document, has_text=bool(passages))),
    )


def document_warnings(document: ParsedDocument, *, has_text: bool = True) -> list[str]:
    """Return what a reader should know before trusting a document, a sentence each."""
    summary = document.parsing_summary
    warnings = list(summary.warnings)
    if not has_text:
        warnings.append("no text: nothing in it can be found")
    unread = [p.page_num for p in document.pages if set(p.flags) & UNREADABLE_FLAGS]
    if unread:
        warnings.append(f"page {_spans(unread)} could not be read (OCR needed)")
    damaged = [p.page_num for p in document.pages if "damaged_text_layer" in p.flags]
    if damaged:
        warnings.append(f"page {_spans(damaged)} has characters without a Unicode value")
    if summary.hidden_text:
        pages = sorted({h.page_num for h in summary.hidden_text})
        warnings.append(f"hidden text on page {_spans(pages)} was left out: {summary.hidden_text[0].reason}")
    warnings.extend(f"attachment {a.name} was not read" for a in summary.attachments)
    return warnings


def _spans(numbers: Sequence[int], limit: int = 8) -> str:
    shown = ", ".join(str(n) for n in numbers[:limit])
    return shown if len(numbers) <= limit else f"{shown} and {len(numbers) - limit} more"


def unique_name(document: ParsedDocument, store: SqliteStore) -> str:
    """Return a name that no other document of the library has: folders are put before it until it is one."""
    return _free_name(document.name, document.uri, {record.name for record in store.records()})


def _free_name(name: str, uri: str, taken: set[str]) -> str:
    folders = unquote(uri, errors="backslashreplace").rsplit("/", 1)[0].split("/")[3:]
    depth = name.count("/")
    parents = folders[: len(folders) - depth] if depth else folders
    while name in taken and parents:
        name = f"{parents.pop()}/{name}"
    number = 2
    stem = name
    while name in taken:
        name, number = f"{stem} ({number})", number + 1
    return name


def embed_missing(
    store: SqliteStore, embedder: Embedder, *, progress: Progress | None = None
) -> tuple[int, list[FailedFile]]:
    """Make the vectors that are missing, batch by batch, each batch kept at once: stopping loses nothing.

    Returns how many were made, and the passages for which the embedder failed; those are tried again next time.
    """
    made, failed = 0, []
    _, total = store.vector_progress(embedder)
    for batch in store.missing_vectors(embedder, batch=64):
        pairs, errors = _embed(batch, embedder)
        store.add_vectors(embedder, pairs)
        failed.extend(errors)
        made += len(pairs)
        if progress is not None:
            done, total = store.vector_progress(embedder)
            progress(done, total)
    return made, failed


def _embed(batch: Sequence[tuple[str, str]], embedder: Embedder) -> tuple[list[tuple[str, object]], list[FailedFile]]:
    try:
        return list(zip([h for h, _ in batch], embedder.embed([t for _, t in batch]), strict=True)), []
    except Exception as error:  # noqa: BLE001 - an embedder is foreign code; one bad text may not cost the batch
        if len(batch) == 1:
            text = " ".join(batch[0][1].split())[:60]
            message = f"the embedder failed on “{text}…”: {error}"
            logger.warning(message)
            return [], [FailedFile(name=text, code="embedding_failed", message=message)]
    pairs: list[tuple[str, object]] = []
    errors: list[FailedFile] = []
    for one in batch:
        made, missed = _embed([one], embedder)
        pairs.extend(made)
        errors.extend(missed)
    return pairs, errors

"""What a node does: files into rows that nobody sees yet, texts into vectors, tables into few files with indexes.

Whatever goes wrong comes back as a record: an exception would be written into the logs of the cluster with its message,
and messages may quote documents.
"""

import functools
import logging
import socket
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Final, TypeVar

from msgspec.structs import replace

from pincite.add import FailedFile, document_warnings, now, parse_pool, passages_of
from pincite.add.embedding import embed_batch
from pincite.errors import ClusterError, PinciteError, ProviderError, StoreError
from pincite.models import open_embedder
from pincite.nodes.engine import Broken
from pincite.nodes.orders import Embedded, EmbedOrder, Job, ParseOrder, ReadFile, SentFile, Tidied, TidyOrder
from pincite.parsing.pool import ParseOutcome, ParsePool, ParseRequest
from pincite.protocols import Embedder
from pincite.settings import Settings
from pincite.storage.embedders import checked
from pincite.storage.lance import maintenance
from pincite.storage.lance.notes import Ids, Notes
from pincite.storage.lance.tables import Tables
from pincite.storage.lance.vectors import add_vectors
from pincite.storage.lance.writing import Pending, write_rows
from pincite.storage.opening import is_remote
from pincite.storage.own_files import LANCE_NAME
from pincite.text.tokens import TOKENIZER_VERSION
from pincite.types.document import DocumentRecord, ParsedDocument

O = TypeVar("O", ParseOrder, EmbedOrder, TidyOrder)  # noqa: E741 - an order
R = TypeVar("R")

#: Texts that are embedded together, as in `pincite.add.embedding`.
_BATCH: Final = 64


def node_version() -> str:
    """Return what has to be the same on all nodes: they write rows that the others read."""
    return f"{version('pincite')}, terms {TOKENIZER_VERSION}"


def told(work: Callable[[O], R]) -> Callable[[O], R | Broken]:
    """Return `work` with everything it raises turned into a reply, after a look at whether this node is fit for it."""

    @functools.wraps(work)
    def safe(order: O) -> R | Broken:
        logging.getLogger("pincite").setLevel(logging.CRITICAL + 1)
        try:
            _check(order.job)
            return work(order)
        except PinciteError as error:
            return Broken(node=socket.gethostname(), code=error.code, message=str(error))
        except Exception as error:  # noqa: BLE001 - what it says may quote a document: the driver is told its kind
            at = _place(error)
            return Broken(node=socket.gethostname(), code="internal_error", message=f"{type(error).__name__} {at}")

    return safe


@told
def parse_files(order: ParseOrder) -> tuple[ReadFile, ...]:
    """Parse files and write their rows; one bad file does not stop the others."""
    job = order.job
    found = [ReadFile(uri=f.uri, name=f.name, failed=f.failed) for f in order.files if f.failed is not None]
    sent = {file.uri: file for file in order.files if file.failed is None}
    requests = (ParseRequest(name=f.name, uri=f.uri, content=f.content) for f in sent.values())
    pending: dict[str, tuple[Pending, tuple[str, ...]]] = {}
    for outcome in _pool(job.settings).parse_many(requests):
        file = sent[outcome.request.uri]
        if outcome.document is None:
            found.append(ReadFile(uri=file.uri, name=file.name, failed=_failure(outcome)))
        else:
            pending[file.uri] = _prepared(outcome.document, file, job.settings)
    tables, ids = _library(job.place)
    written = write_rows(tables, ids, [one for one, _ in pending.values()], tokenizer=TOKENIZER_VERSION)
    pairs = zip(written, pending.values(), strict=True)
    found += [ReadFile(uri=w.record.uri, name=w.record.name, written=w, warnings=told) for w, (_, told) in pairs]
    return tuple(found)


@told
def embed_texts(order: EmbedOrder) -> Embedded:
    """Make vectors and keep them; a text that has one meanwhile keeps that."""
    embedder = _embedder(order.job.settings)
    tables, _ = _library(order.job.place)
    vectors: dict[str, object] = {}
    failed: list[FailedFile] = []
    down = None
    for start in range(0, len(order.texts), _BATCH):
        try:
            pairs, errors = embed_batch(order.texts[start : start + _BATCH], embedder)
        except ProviderError as error:
            down = FailedFile(name=f"embedder {embedder.name}", code=error.code, message=str(error))
            break
        vectors |= checked(embedder, pairs)
        failed += errors
    add_vectors(tables, order.known, vectors)
    return Embedded(n_made=len(vectors), failed=tuple(failed), down=down)


@told
def tidy(order: TidyOrder) -> Tidied:
    """Tidy one table; what other writers got in the way of is left for the next time."""
    tables, _ = _library(order.job.place)
    try:
        maintenance.tidy_table(tables, order.table, order.column, least_files=order.least_files)
    except PinciteError:
        tables.forget(order.table)
    return Tidied(n_unindexed=maintenance.n_unindexed(tables, order.table))


def _prepared(document: ParsedDocument, file: SentFile, settings: Settings) -> tuple[Pending, tuple[str, ...]]:
    passages = passages_of(document, settings)
    has_text = bool(passages)
    record = DocumentRecord.of(
        document, doc_id=file.doc_id, name=document.name, added_at=now(), has_text=has_text, origin=None
    )
    kept = file.content if settings.keep_originals else None
    return Pending(record, document, passages, kept), tuple(document_warnings(document, has_text=has_text))


def _failure(outcome: ParseOutcome) -> FailedFile:
    error = outcome.error
    if not isinstance(error, PinciteError):
        raise error
    return FailedFile(name=outcome.request.name, code=error.code, message=str(error))


def _place(error: Exception) -> str:
    """Return where in our code an exception comes from: all that is said of one that nobody foresaw."""
    place, trace = "", error.__traceback__
    while trace is not None:
        place = f"at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


# ── what a process keeps from one order to the next ──────────────────────────────────────────────────────────────


@functools.lru_cache(maxsize=1)
def _check(job: Job) -> None:
    """Make sure that this node has the driver's pincite, and sees the driver's library.

    Raises:
        ClusterError: it does not.

    """
    own = node_version()
    if own != job.version:
        raise ClusterError(f"it has pincite {own}, and the driver has {job.version}; install the same on every node")
    # Looked for first: opening a place where there is nothing would make tables there.
    is_there = is_remote(job.place) or (Path(job.place) / LANCE_NAME).is_dir()
    try:
        if is_there and job.job_id in _jobs(job.place):
            return
    except StoreError as error:
        raise ClusterError(f"{error}; keys are not sent: each node has its own, see docs/scale.md") from error
    raise ClusterError(
        f"it does not see the driver's library at {job.place!r}; every node has to, under the same address"
    )


def _jobs(place: str) -> dict[str, str]:
    return Notes(Tables(place)).all("job", str)


@functools.lru_cache(maxsize=1)
def _library(place: str) -> tuple[Tables, Ids]:
    """Return the tables, and numbers for passages that no other process gives."""
    tables = Tables(place)
    return tables, Ids(Notes(tables))


@functools.lru_cache(maxsize=1)
def _pool(settings: Settings) -> ParsePool:
    """Return one parsing child, with the limits of the settings; it ends with this process."""
    return parse_pool(replace(settings, jobs=1), 1)


@functools.lru_cache(maxsize=1)
def _embedder(settings: Settings) -> Embedder:
    """Return the embedder on one thread: a node has as many processes as cores."""
    made = open_embedder(settings.embedder, settings, n_threads=1)
    if made is None:
        raise ClusterError('there is no embedder: the setting embedder is "none"')
    return made

"""Vectors for what is in the library and has none yet."""

import logging
from collections.abc import Sequence

from pincite.add.report import FailedFile
from pincite.protocols import Embedder, Progress
from pincite.storage.opening import LibraryStore

logger = logging.getLogger(__name__)


def embed_missing(
    store: LibraryStore, embedder: Embedder, *, progress: Progress | None = None
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

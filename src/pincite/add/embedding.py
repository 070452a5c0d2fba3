"""Vectors for what is in the library and has none yet."""

import logging
from collections.abc import Sequence

from pincite.add.report import FailedFile
from pincite.errors import InvalidOutputError, ProviderError, RequestRejectedError
from pincite.models.keys import without_keys
from pincite.protocols import Embedder, Progress
from pincite.storage.opening import LibraryStore

logger = logging.getLogger(__name__)
#: Failures that one text may be the reason of; whatever else a service says will be said of every text.
_OF_ONE_TEXT = (InvalidOutputError, RequestRejectedError)


def embed_missing(
    store: LibraryStore, embedder: Embedder, *, progress: Progress | None = None, raises: bool = False
) -> tuple[int, list[FailedFile]]:
    """Make the vectors that are missing, batch by batch, each batch kept at once: stopping loses nothing.

    Returns how many were made, and the passages for which the embedder failed; those are tried again next time. A
    service that is down or takes no key is asked once: its failure stands for all that is left, and with `raises` it is
    an error.

    Raises:
        ProviderError: the embedder's service failed, and `raises` is on.

    """
    made, failed = 0, []
    try:
        _, total = store.vectors.progress(embedder)
        for batch in store.vectors.missing(embedder, batch=64):
            pairs, errors = embed_batch(batch, embedder)
            store.vectors.add(embedder, pairs)
            failed.extend(errors)
            made += len(pairs)
            if progress is not None:
                done, total = store.vectors.progress(embedder)
                progress(done, total)
    except ProviderError as error:
        if raises:
            raise
        failed.append(embedder_down(embedder.name, error.code, str(error)))
    return made, failed


def embedder_down(name: str, code: str, message: str) -> FailedFile:
    """Return the one failure that stands for all texts an embedder was not asked for any more."""
    words = f"{message}; search by words goes on, `pincite embed` makes the vectors when it is there again"
    logger.warning(words)
    return FailedFile(name=f"embedder {name}", code=code, message=words)


def embed_batch(
    batch: Sequence[tuple[str, str]], embedder: Embedder
) -> tuple[list[tuple[str, object]], list[FailedFile]]:
    """Return the vectors of a batch, and the texts that have none because the embedder fails on them alone.

    Raises:
        ProviderError: the service failed, whatever the text.

    """
    try:
        return list(zip([h for h, _ in batch], embedder.embed([t for _, t in batch]), strict=True)), []
    except Exception as error:
        if isinstance(error, ProviderError) and not isinstance(error, _OF_ONE_TEXT):
            raise
        if len(batch) == 1:
            text = " ".join(batch[0][1].split())[:60]
            message = f"the embedder failed on “{text}…”: {without_keys(str(error))}"
            logger.warning(message)
            return [], [FailedFile(name=text, code="embedding_failed", message=message)]
    pairs: list[tuple[str, object]] = []
    errors: list[FailedFile] = []
    for one in batch:
        made, missed = embed_batch([one], embedder)
        pairs.extend(made)
        errors.extend(missed)
    return pairs, errors

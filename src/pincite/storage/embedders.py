"""What every store asks of an embedder: that its vectors are of the kind in use, whole, and of numbers."""

from collections.abc import Iterable
from typing import Any, Protocol

from pincite.errors import EmbeddingModelChangedError, StoreError
from pincite.protocols import Embedder


class _Known(Protocol):
    """An embedder whose vectors a library holds; `is_current` says whether search uses them."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def is_current(self) -> bool: ...


def is_same(known: _Known, embedder: Embedder) -> bool:
    """Say whether stored vectors were made by `embedder`: same name and same dimension."""
    return (known.name, known.dimension) == (embedder.name, embedder.dimension)


def check_current(known: Iterable[_Known], embedder: Embedder) -> None:
    """Make sure that search with `embedder` would compare vectors of one kind.

    Raises:
        EmbeddingModelChangedError: the vectors in use come from another; the message says what to do.

    """
    for found in known:
        if found.is_current and not is_same(found, embedder):
            raise EmbeddingModelChangedError(
                f"the vectors of this library were made by {found.name!r} ({found.dimension} numbers each), the "
                f"embedder now is {embedder.name!r} ({embedder.dimension}); run `pincite embed --again` to embed "
                f"every passage anew beside the old vectors, or choose {found.name!r} again. "
                "Keyword search works meanwhile"
            )


def check_complete(embedder: Embedder, *, done: int, total: int) -> None:
    """Make sure that every text has a vector of `embedder`, before the vectors of others are deleted.

    Raises:
        StoreError: some have none.

    """
    if done < total:
        raise StoreError(
            f"only {done} of {total} texts have a vector of {embedder.name!r}; "
            "run `pincite embed --again` to the end first"
        )


def checked(embedder: Embedder, pairs: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return vectors as they are kept, by the hash of their text.

    Raises:
        StoreError: a vector has another dimension than the embedder says, or holds what is no number.

    """
    import numpy as np

    ready = []
    for text_hash, vector in pairs:
        array = np.ascontiguousarray(vector, dtype="<f4")
        if array.shape != (embedder.dimension,) or not np.isfinite(array).all():
            raise StoreError(f"embedder {embedder.name!r} gave a vector of shape {array.shape} or not of numbers")
        ready.append((text_hash, array))
    return ready

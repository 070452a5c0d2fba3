"""An embedder whose failures are typed, so that a question goes on by words alone."""

from collections.abc import Sequence
from typing import Any

from pincite.errors import ProviderError
from pincite.protocols import Embedder


class GuardedEmbedder:
    """Passes everything on to another embedder; whatever that raises becomes a `ProviderError`."""

    def __init__(self, embedder: Embedder) -> None:
        """Guard `embedder`."""
        self._embedder = embedder

    @property
    def name(self) -> str:
        """The name of the guarded embedder."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """The dimension of the guarded embedder."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Any:
        """Return what the guarded embedder returns.

        Raises:
            ProviderError: it failed, for whatever reason.

        """
        try:
            return self._embedder.embed(texts)
        except Exception as error:
            raise ProviderError(f"the embedder {self.name!r} failed: {error}") from error

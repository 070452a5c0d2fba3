"""An embedder whose failures are typed, so that a question goes on by words alone."""

import time
from collections.abc import Sequence
from typing import Any, Final

from pincite.errors import InvalidOutputError, ProviderError, RequestRejectedError
from pincite.models.keys import without_keys
from pincite.protocols import Embedder

#: For so many seconds a service that failed is not asked again: each of its time limits would be waited for anew.
REST_S: Final = 30.0
#: Failures that one text may be the reason of.
_OF_ONE_TEXT = (InvalidOutputError, RequestRejectedError)


class GuardedEmbedder:
    """Passes everything on to another embedder; whatever that raises becomes a `ProviderError`.

    A service that failed is left alone for a while, and its failure said again in the meantime.
    """

    def __init__(self, embedder: Embedder) -> None:
        """Guard `embedder`."""
        self._embedder = embedder
        self._failure: ProviderError | None = None
        self._asked_again_at = 0.0

    @property
    def name(self) -> str:
        """The name of the guarded embedder."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """The dimension of the guarded embedder."""
        return self._embedder.dimension

    def notes(self) -> tuple[str, ...]:
        """Return what to say with an answer that was made while the embedder's service is down."""
        if self._failure is None:
            return ()
        return (f"{self._failure.code}: {self._failure}; answered by keywords and contents alone",)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return what the guarded embedder returns.

        Raises:
            ProviderError: it failed, for whatever reason, now or a moment ago.

        """
        if self._failure is not None and time.monotonic() < self._asked_again_at:
            raise self._failure.with_traceback(None)
        try:
            made = self._embedder.embed(texts)
        except ProviderError as error:
            failed = error
        except Exception as error:  # noqa: BLE001 - an embedder may be foreign code, with errors of its own
            failed = ProviderError(f"the embedder {self.name!r} failed: {without_keys(str(error))}")
        else:
            self._failure = None
            return made
        # Raised outside of `except`, so that an error that may show a key is not behind it.
        if not isinstance(failed, _OF_ONE_TEXT):
            self._failure, self._asked_again_at = failed, time.monotonic() + REST_S
        raise failed

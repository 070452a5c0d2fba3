"""A process that adds a folder to a library; tests kill it or run two of them.

Arguments: the library, the folder, and (optional) "parsed:N" or "embedded:N": when N files are parsed, or when the
embedder is asked for the N-th text, the process kills itself.
"""

import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from tests.making import WordEmbedder

from pincite.library import Library
from pincite.settings import Settings


class Killer:
    """Watches adding and embeds; dies at the chosen point."""

    def __init__(self, point: str) -> None:
        self._stage, _, number = point.partition(":")
        self._number = int(number or 0)
        self._inner = WordEmbedder()
        self.name, self.dimension = self._inner.name, self._inner.dimension

    def parsed(self, done: int, total: int, name: str) -> None:  # noqa: ARG002 - the form of a Watcher
        """Die when enough files are parsed."""
        self._die_at("parsed", done)

    def embedded(self, done: int, total: int) -> None:
        """Say nothing."""

    def embed(self, texts: Sequence[str]) -> Any:
        """Return vectors, or die."""
        vectors = self._inner.embed(texts)
        self._die_at("embedded", len(self._inner.read))
        return vectors

    def _die_at(self, stage: str, done: int) -> None:
        if stage == self._stage and done >= self._number:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    killer = Killer(sys.argv[3] if len(sys.argv) > 3 else "")
    with Library(sys.argv[1], settings=Settings(jobs=1), embedder=killer) as library:
        report = library.add(sys.argv[2], watcher=killer)
    assert report.failed == (), report.failed

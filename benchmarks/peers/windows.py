"""What most people would build today: pypdf, windows of 1,000 characters, MiniLM, cosine, 20 found, 5 read.

The vectors are made by the very model that pincite uses, so that the comparison is of pipelines, not of models.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from peers.documents import PeerDocuments, Piece
from pincite.evaluation.places import Place
from pincite.models.minilm import MiniLmEmbedder

WINDOW, OVERLAP = 1000, 200
FOUND, READ = 20, 5
_BATCH = 64


class Windows:
    """Windows of the documents by the cosine of their vectors to the question's."""

    name = "1,000-character windows, MiniLM"

    def __init__(self, documents: PeerDocuments, cache: Path) -> None:
        """Keep vectors in `cache`."""
        self._documents = documents
        self._cache = cache
        self._embedder = MiniLmEmbedder()
        self._known: dict[str, tuple[list[Piece], Any]] = {}

    def rank(self, question: str, names: Sequence[str], k: int) -> list[Place]:
        """Return at most `FOUND` places, best first, whatever `k` is: that is all this pipeline looks at."""
        return [piece.place for piece in self._nearest(question, names, min(k, FOUND))]

    def read(self, question: str, names: Sequence[str]) -> list[Place]:
        """Return what an answerer would read."""
        return [piece.place for piece in self._nearest(question, names, READ)]

    def _nearest(self, question: str, names: Sequence[str], k: int) -> list[Piece]:
        self._load([name for name in names if name not in self._known])
        found = [self._known[name] for name in names]
        pieces = [piece for own, _ in found for piece in own]
        if not pieces:
            return []
        vector = self._embedder.embed([question])[0]
        cosines = np.concatenate([vectors @ vector for _, vectors in found if len(vectors)])
        return [pieces[i] for i in np.argsort(-cosines, kind="stable")[:k]]

    def _load(self, names: Sequence[str]) -> None:
        """Cut and embed documents, together: thousands of short ones would be slow one by one."""
        cut = [[w for page in self._documents.pages(name) for w in windows(page)] for name in names]
        vectors: Any = self._vectors([piece.text for own in cut for piece in own]) if names else ()
        at = 0
        for name, own in zip(names, cut, strict=True):
            self._known[name] = (own, vectors[at : at + len(own)])
            at += len(own)

    def _vectors(self, texts: Sequence[str]) -> Any:
        key = hashlib.sha256("\0".join([self._embedder.name, *texts]).encode("utf-8", "replace")).hexdigest()[:24]
        kept = self._cache / f"{key}.npy"
        if not kept.exists():
            batches = [self._embedder.embed(texts[i : i + _BATCH]) for i in range(0, len(texts), _BATCH)]
            made = np.concatenate(batches) if batches else np.zeros((0, self._embedder.dimension), np.float32)
            kept.parent.mkdir(parents=True, exist_ok=True)
            np.save(kept, made)
        return np.load(kept)


def windows(page: Piece) -> Iterator[Piece]:
    """Yield windows of `WINDOW` characters, each beginning `OVERLAP` before the end of the last."""
    for at in range(0, max(1, len(page.text) - OVERLAP), WINDOW - OVERLAP):
        text = page.text[at : at + WINDOW]
        if text.strip():
            start = None if page.start is None else page.start + at
            yield Piece(page.doc, page.page, start, text)

"""Plain BM25 over pages; of text files over their sections or paragraphs."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from peers.documents import PeerDocuments, Piece
from pincite.evaluation.places import Place

#: Robertson & Zaragoza 2009 recommend 1.2 < k1 < 2 and 0.5 < b < 0.8; these are Lucene's.
K1, B = 1.2, 0.75


def terms(text: str) -> list[str]:
    """Return the words of a text, in lower case: no stemming, no stop words."""
    return re.findall(r"\w+", text.lower())


class Bm25:
    """BM25 over the units of documents, with the statistics of the documents that are searched."""

    name = "BM25 over pages"

    def __init__(self, documents: PeerDocuments) -> None:
        """Index documents as they are asked for."""
        self._documents = documents
        self._counted: dict[str, list[tuple[Piece, Counter[str], int]]] = {}

    def rank(self, question: str, names: Sequence[str], k: int) -> list[Place]:
        """Return at most `k` places of the documents, best first."""
        units = [unit for name in names for unit in self._units(name)]
        wanted = set(terms(question))
        holding: dict[str, int] = defaultdict(int)
        for _, counts, _ in units:
            for term in wanted & counts.keys():
                holding[term] += 1
        mean = sum(length for _, _, length in units) / max(1, len(units))
        scored = []
        for piece, counts, length in units:
            score = 0.0
            for term in wanted & counts.keys():
                idf = math.log(1 + (len(units) - holding[term] + 0.5) / (holding[term] + 0.5))
                count = counts[term]
                score += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))
            if score:
                scored.append((score, piece))
        scored.sort(key=lambda pair: -pair[0])
        return [piece.place for _, piece in scored[:k]]

    def read(self, question: str, names: Sequence[str]) -> list[Place]:
        """Return what an answerer would read: the first five."""
        return self.rank(question, names, 5)

    def _units(self, name: str) -> list[tuple[Piece, Counter[str], int]]:
        if name not in self._counted:
            pieces = self._documents.units(name)
            self._counted[name] = [(p, Counter(found), len(found)) for p in pieces for found in [terms(p.text)]]
        return self._counted[name]

"""BM25 over the postings, with a weight for each term, as if the library held only the documents asked for.

Formula and the two-field form: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
Beyond", Foundations and Trends in Information Retrieval 3(4), 2009. The idf is `ln(1 + (N - n + 0.5) / (n + 0.5))`,
which is never negative.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from pincite.storage.terms import POSTING
from pincite.storage.values import restored, storable
from pincite.types.passage import PassageHit

#: Term saturation and length normalisation: the values Robertson and Zaragoza recommend.
K1: Final = 1.2
B: Final = 0.75
#: How much a term of the heading path, a page header or footer counts beside a term of the text.
AROUND_WEIGHT: Final = 0.5

_POSTING: Final = np.dtype([("index", "<u4"), ("text", "<u2"), ("around", "<u2")])
_LENGTH: Final = np.dtype([("text", "<u4"), ("around", "<u4")])


class Corpus(msgspec.Struct, frozen=True):
    """The passages of some documents, as arrays: passage `i` of document `d` is at `starts[d] + i`.

    `doc_nos` and `first_ids` grow together. `is_all` says that every document of the library is in it.
    """

    doc_ids: tuple[str, ...]
    doc_nos: Any
    first_ids: Any
    sizes: Any
    starts: Any
    passage_ids: Any
    lengths: Any
    is_all: bool

    def owners(self, passage_ids: Any) -> Any:
        """Return the place of each passage's document, -1 for a passage of no document here."""
        if len(self.doc_nos) == 0:
            return np.full(len(passage_ids), -1, dtype=np.int64)
        at = np.searchsorted(self.first_ids, passage_ids, side="right") - 1
        return np.where((at >= 0) & (passage_ids - self.first_ids[at] < self.sizes[at]), at, -1)

    def positions(self, passage_ids: Any) -> Any:
        """Return where each passage stands, -1 for a passage of no document here."""
        at = self.owners(passage_ids)
        if len(self.doc_nos) == 0:
            return at
        return np.where(at >= 0, self.starts[at] + passage_ids - self.first_ids[at], -1)


def load_corpus(connection: sqlite3.Connection) -> Corpus:
    """Return every passage of the library; documents without passages are left out."""
    found = connection.execute(
        "SELECT doc_id, doc_no, first_passage_id, n_passages, lengths FROM passage_lengths "
        "JOIN documents USING (doc_no) WHERE n_passages > 0 ORDER BY first_passage_id"
    ).fetchall()
    return corpus_of([(restored(row[0]), *row[1:]) for row in found])


def corpus_of(found: Sequence[tuple[str, int, int, int, bytes]]) -> Corpus:
    """Return the corpus of documents: id, number, first passage id, number of passages, packed lengths.

    They come in the order of their first passage ids, and each has a passage at least.
    """
    lengths = np.frombuffer(b"".join(row[4] for row in found), dtype=_LENGTH)
    return _corpus(
        tuple(row[0] for row in found),
        np.array([row[1] for row in found], dtype=np.int64),
        np.array([row[2] for row in found], dtype=np.int64),
        np.array([row[3] for row in found], dtype=np.int64),
        (lengths["text"] + AROUND_WEIGHT * lengths["around"]).astype(np.float32),
        is_all=True,
    )


def narrow(corpus: Corpus, doc_ids: Sequence[str]) -> Corpus:
    """Return only the passages of `doc_ids`; no ids mean every document, unknown ones are passed over."""
    if not doc_ids:
        return corpus
    wanted = set(doc_ids)
    kept = np.array([i for i, doc_id in enumerate(corpus.doc_ids) if doc_id in wanted], dtype=np.int64)
    spans = [corpus.lengths[corpus.starts[i] : corpus.starts[i] + corpus.sizes[i]] for i in kept]
    return _corpus(
        tuple(corpus.doc_ids[i] for i in kept),
        corpus.doc_nos[kept],
        corpus.first_ids[kept],
        corpus.sizes[kept],
        np.concatenate(spans) if spans else np.zeros(0, dtype=np.float32),
        is_all=len(kept) == len(corpus.doc_ids),
    )


def _corpus(
    doc_ids: tuple[str, ...], doc_nos: Any, first_ids: Any, sizes: Any, lengths: Any, *, is_all: bool
) -> Corpus:
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64) if len(sizes) else sizes
    within = np.arange(len(lengths), dtype=np.int64) - np.repeat(starts, sizes)
    return Corpus(doc_ids, doc_nos, first_ids, sizes, starts, np.repeat(first_ids, sizes) + within, lengths, is_all)


def search(
    connection: sqlite3.Connection, corpus: Corpus, terms: Mapping[str, float], k: int
) -> tuple[PassageHit, ...]:
    """Return at most `k` passages that hold a term of a weight above 0, best first."""
    within = None if corpus.is_all else json.dumps(corpus.doc_nos.tolist())
    return rank(corpus, terms, k, lambda term: _stored(connection, term, within))


def rank(
    corpus: Corpus, terms: Mapping[str, float], k: int, postings_of: Callable[[str], Iterable[tuple[int, bytes]]]
) -> tuple[PassageHit, ...]:
    """Return at most `k` passages that hold a term of a weight above 0, best first.

    `postings_of` gives the postings of a term: numbers of documents with the packed postings of each. Those of
    documents that are not in the corpus are passed over.
    """
    n_passages = len(corpus.passage_ids)
    if n_passages == 0 or k <= 0:
        return ()
    scores = np.zeros(n_passages, dtype=np.float64)
    mean = float(corpus.lengths.mean()) or 1.0
    for term, weight in terms.items():
        if weight <= 0:
            continue
        at, counts = _placed(corpus, list(postings_of(term)))
        if len(at):
            idf = np.log1p((n_passages - len(at) + 0.5) / (len(at) + 0.5))
            norms = K1 * (1 - B + B * corpus.lengths[at] / mean)
            scores[at] += weight * idf * (K1 + 1) * counts / (counts + norms)
    return best(corpus.passage_ids, scores, k, above=0.0)


def best(passage_ids: Any, scores: Any, k: int, *, above: float) -> tuple[PassageHit, ...]:
    """Return the `k` highest scores above a limit; of equal scores the lower passage id comes first."""
    candidates = np.flatnonzero(scores > above)
    if len(candidates) > k:
        threshold = np.partition(scores[candidates], -k)[-k]
        candidates = candidates[scores[candidates] >= threshold]
    order = candidates[np.lexsort((passage_ids[candidates], -scores[candidates]))][:k]
    found = zip(passage_ids[order].tolist(), scores[order].tolist(), strict=True)
    return tuple(PassageHit(passage_id=i, rank=rank, score=score) for rank, (i, score) in enumerate(found, start=1))


def _stored(connection: sqlite3.Connection, term: str, within: str | None) -> Sequence[tuple[int, bytes]]:
    """Return the postings of a term; `within` is a JSON list of numbers of documents."""
    statement, arguments = "SELECT doc_no, data FROM postings WHERE term = ?", [storable(term)]
    if within is not None:
        statement += " AND doc_no IN (SELECT value FROM json_each(?))"
        arguments.append(within)
    return connection.execute(statement, arguments).fetchall()


def _placed(corpus: Corpus, found: Sequence[tuple[int, bytes]]) -> tuple[Any, Any]:
    """Return the positions of the passages that postings stand for, and the weighted counts."""
    if not found:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    postings = np.frombuffer(b"".join(row[1] for row in found), dtype=_POSTING)
    doc_nos = np.array([row[0] for row in found], dtype=np.int64)
    sizes = np.array([len(row[1]) // POSTING.size for row in found], dtype=np.int64)
    # Document numbers and passage ids are both given in the order of adding, so both arrays are sorted.
    at = np.minimum(np.searchsorted(corpus.doc_nos, doc_nos), len(corpus.doc_nos) - 1)
    is_here = corpus.doc_nos[at] == doc_nos
    positions = np.repeat(corpus.starts[at], sizes) + postings["index"]
    counts = postings["text"] + AROUND_WEIGHT * postings["around"]
    if not is_here.all():
        kept = np.repeat(is_here, sizes)
        positions, counts = positions[kept], counts[kept]
    return positions, counts

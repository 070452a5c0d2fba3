"""Where an approximate index of vectors begins to pay: exact search by codes, by true vectors, and usearch beside them.

    .venv/bin/python benchmarks/nearest.py [N …] [--hnsw]

Vectors are those of synthetic passages (`synthetic.py`). Times are of one thread, 60 questions each. With `--hnsw`
usearch (`pip install -r requirements/bench.txt`) builds its index of the same vectors.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pincite.storage.codes import Codes, encode, products
from synthetic import N_PASSAGES, TopicEmbedder, questions, ranks_of

K = 20
N_QUESTIONS = 60


def vectors_of(n: int, embedder: TopicEmbedder) -> Any:
    """Return the vectors of the first `n` synthetic passages."""
    made = np.empty((n, embedder.dimension), dtype=np.float32)
    for number in range(0, n, N_PASSAGES):
        ranks, _ = ranks_of(number // N_PASSAGES, 0, N_PASSAGES)
        made[number : number + N_PASSAGES] = embedder.of_ranks(ranks)[: n - number]
    return made


def exact(vectors: Any, query: Any) -> list[int]:
    """Return the rows of the nearest, by a comparison of all true vectors."""
    scores = products(vectors, query)
    best = np.argpartition(-scores, K)[:K]
    return [int(row) for row in best[np.lexsort((best, -scores[best]))]]


def by_codes(rows: Codes, vectors: Any, query: Any, everything: Any) -> list[int]:
    """Return the same by codes, and the true vectors of what may be among the nearest."""
    possible = rows.possible(query, everything, K)
    scores = products(vectors[possible], query)
    return [int(row) for row in possible[np.lexsort((possible, -scores))[:K]]]


def show(
    name: str, work: Callable[[Any], list[int]], asked: Any, true: list[list[int]] | None = None
) -> list[list[int]]:
    """Print p50 and p95 of a search, and the share of the true nearest that it finds; return what it found."""
    work(asked[0])
    seconds, found = [], []
    for query in asked:
        start = time.perf_counter()
        found.append(work(query))
        seconds.append(time.perf_counter() - start)
    p50, p95 = 1000 * np.percentile(seconds, [50, 95])
    same = "" if true is None else _sameness(found, true)
    print(f"{name:40}  p50 {p50:6.1f} ms   p95 {p95:6.1f} ms{same}", flush=True)
    return found


def _sameness(found: list[list[int]], true: list[list[int]]) -> str:
    recall = np.mean([len(set(a) & set(b)) / K for a, b in zip(found, true, strict=True)])
    return f"   recall {recall:.4f}   same order {np.mean([a == b for a, b in zip(found, true, strict=True)]):.2f}"


def hnsw(vectors: Any, asked: Any, true: list[list[int]]) -> None:
    """Build and search the index of usearch, with its own defaults and numbers of one byte, then with wider search."""
    from usearch.index import Index

    index = Index(ndim=vectors.shape[1], metric="ip", dtype="i8")
    start, cpu = time.perf_counter(), time.process_time()
    index.add(np.arange(len(vectors)), vectors)
    print(
        f"usearch, built  {time.perf_counter() - start:.0f} s   {time.process_time() - cpu:.0f} CPU-s"
        f"   {index.memory_usage >> 20} MB"
    )
    for width in (64, 256):
        index.expansion_search = width

        def search(query: Any) -> list[int]:
            near = index.search(query, 5 * K).keys.astype(np.int64)
            scores = products(vectors[near], query)
            return [int(row) for row in near[np.lexsort((near, -scores))[:K]]]

        show(f"usearch, width {width}, true vectors decide", search, asked, true)


def measure(n: int, *, with_hnsw: bool) -> None:
    """Print the figures of one number of vectors."""
    embedder = TopicEmbedder()
    vectors, asked = vectors_of(n, embedder), embedder.embed(list(questions(N_QUESTIONS)))
    numbers = np.arange(n)
    start = time.perf_counter()
    parts = [
        encode(numbers[at : at + 4096], numbers[at : at + 4096], vectors[at : at + 4096]) for at in range(0, n, 4096)
    ]
    rows = Codes(np.concatenate(parts))
    print(f"{n} vectors, codes made  {time.perf_counter() - start:.1f} s   {rows.rows.nbytes >> 20} MB")
    true = show(f"{n} vectors, all true vectors", lambda query: exact(vectors, query), asked)
    show(f"{n} vectors, codes", lambda query: by_codes(rows, vectors, query, numbers), asked, true)
    looked_at = [len(rows.possible(query, numbers, K)) for query in asked]
    print(
        f"{n} vectors, true vectors looked at  p50 {np.median(looked_at):.0f}   p95 {np.percentile(looked_at, 95):.0f}"
    )
    if with_hnsw:
        hnsw(vectors, asked, true)


def main() -> None:
    """Measure each number of vectors in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n", nargs="*", type=int, default=[200_000])
    parser.add_argument("--hnsw", action="store_true")
    given = parser.parse_args()
    if len(given.n) == 1:
        measure(given.n[0], with_hnsw=given.hnsw)
        return
    for n in given.n:
        subprocess.run([sys.executable, Path(__file__), str(n), *(["--hnsw"] if given.hnsw else [])], check=True)


if __name__ == "__main__":
    main()

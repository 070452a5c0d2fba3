"""The stores beside each other on the same passages: SQLite, Lance tables in a folder, Lance tables on an S3 server.

Adds documents of made-up words (frequencies as in language) with random vectors of 384 numbers, replaces some, asks
both kinds of search, and opens each library anew in a process of its own. The S3 server is SeaweedFS on this machine:
what it measures is the number of requests, not a network.
"""

import argparse
import hashlib
import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pincite.storage.opening import open_store

N_WORDS = 110
N_PASSAGES_A_DOCUMENT = 100
N_QUERIES = 60
DIMENSION = 384


class Embedder:
    """Vectors of a text's hash: as costly to store and to compare as real ones."""

    name = "random"
    dimension = DIMENSION

    def embed(self, texts: Any) -> Any:
        """Return vectors of length one."""
        seeds = [int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) for text in texts]
        made = np.array([np.random.default_rng(seed).standard_normal(DIMENSION) for seed in seeds], dtype=np.float32)
        return made / np.linalg.norm(made, axis=1, keepdims=True)


def texts_of(number: int, version: int = 0) -> list[str]:
    """Return the passages of one document."""
    random = np.random.default_rng((number, version))
    words = np.minimum(random.zipf(1.3, (N_PASSAGES_A_DOCUMENT, N_WORDS)), 60_000)
    return [" ".join(f"w{word}" for word in row) for row in words.tolist()]


def fill(store: Any, make: Callable[..., Any], n_documents: int, embedder: Embedder) -> tuple[float, float]:
    """Add documents, then vectors; return the seconds of each."""
    start = time.perf_counter()
    with store.writing():
        for number in range(n_documents):
            store.put(*make(f"d{number}.md", texts_of(number)))
    added = time.perf_counter()
    with store.writing():
        for batch in store.missing_vectors(embedder, batch=1000):
            vectors = embedder.embed([text for _, text in batch])
            store.add_vectors(embedder, zip([key for key, _ in batch], vectors, strict=True))
    return added - start, time.perf_counter() - added


def queries() -> list[dict[str, float]]:
    """Return questions of six words, common and rare ones."""
    random = np.random.default_rng(7)
    return [{f"w{w}": 1.0 for w in random.integers(1, 3000, 6).tolist()} for _ in range(N_QUERIES)]


def timed(work: Callable[[int], Any]) -> tuple[dict[str, float], list[Any]]:
    """Return p50 and p95 in milliseconds, and what came out."""
    seconds, results = [], []
    for i in range(N_QUERIES):
        start = time.perf_counter()
        results.append(work(i))
        seconds.append(time.perf_counter() - start)
    return {
        "p50_ms": 1000 * float(np.percentile(seconds, 50)),
        "p95_ms": 1000 * float(np.percentile(seconds, 95)),
    }, results


def measure(place: str, n_documents: int, make: Callable[..., Any]) -> tuple[dict[str, Any], list[Any]]:
    """Return the figures of one store, and the places that were found."""
    embedder = Embedder()
    found: dict[str, Any] = {}
    with open_store(place) as store:
        found["add_s"], found["vectors_s"] = fill(store, make, n_documents, embedder)
        found["replace_ms"], _ = timed_few(lambda i: store.put(*make(f"d{i}.md", texts_of(i, 1))))
        with store.writing():
            for batch in store.missing_vectors(embedder, batch=1000):
                vectors = embedder.embed([text for _, text in batch])
                store.add_vectors(embedder, zip([key for key, _ in batch], vectors, strict=True))
        start = time.perf_counter()
        store.sweep()
        found["tidy_s"] = time.perf_counter() - start
    terms = queries()
    asked = embedder.embed([f"question {i}" for i in range(N_QUERIES)])
    with open_store(place) as store:
        store.search_terms(terms[0], k=20)
        store.nearest(asked[0], embedder=embedder, k=20)
        found["words"], by_words = timed(lambda i: store.search_terms(terms[i], k=20))
        found["meaning"], by_meaning = timed(lambda i: store.nearest(asked[i], embedder=embedder, k=20))
        places = [
            [(one.doc_id, one.passage.first_line_id) for one in store.passages([hit.passage_id for hit in hits])]
            for hits in (*by_words, *by_meaning)
        ]
    cold = subprocess.run(
        [sys.executable, __file__, "--open", place], capture_output=True, text=True, check=True, env=os.environ
    )
    found["cold"] = json.loads(cold.stdout)
    return found, places


def timed_few(work: Callable[[int], Any], n: int = 5) -> tuple[float, None]:
    """Return the mean milliseconds of a few calls."""
    start = time.perf_counter()
    for i in range(n):
        work(i)
    return 1000 * (time.perf_counter() - start) / n, None


def cold_open(place: str) -> None:
    """Open a library in this new process and print what the first searches cost, in milliseconds, and its memory."""
    import resource

    embedder = Embedder()
    asked = embedder.embed(["question"])[0]
    start = time.perf_counter()
    with open_store(place, create=False) as store:
        store.records()
        opened = time.perf_counter()
        store.search_terms(queries()[1], k=20)
        words = time.perf_counter()
        store.nearest(asked, embedder=embedder, k=20)
        meaning = time.perf_counter()
        store.words()
        vocabulary = time.perf_counter()
    steps = {"open": opened - start, "first_words": words - opened, "first_meaning": meaning - words}
    steps["vocabulary"] = vocabulary - meaning
    shown: dict[str, float] = {f"{name}_ms": round(1000 * s) for name, s in steps.items()}
    shown["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(json.dumps(shown))


@contextmanager
def places() -> Iterator[dict[str, str]]:
    """Give a place for each store, the one on S3 only where there is a server."""
    folder = Path(tempfile.mkdtemp(prefix="pincite-scale-"))
    try:
        found = {"SQLite": str(folder / "sqlite"), "Lance, folder": f"lance:{folder / 'lance'}"}
        with server(folder / "s3") as address:
            if address is not None:
                os.environ["PINCITE_CACHE"] = str(folder / "cache")
                found["Lance, S3"] = f"s3://reports/{address}"
            yield found
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def server(folder: Path) -> Iterator[str | None]:
    """Run the S3 server of the tests."""
    tools = runpy.run_path(str(Path(__file__).parents[1] / "tests" / "scale" / "conftest.py"))
    with tools["s3_server"](folder) as environment:
        os.environ.update(environment or {})
        yield None if environment is None else "bench"


def main() -> None:
    """Measure every store and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--open", help="open a library and print what that costs")
    given = parser.parse_args()
    if given.open:
        cold_open(given.open)
        return
    tools = runpy.run_path(str(Path(__file__).parents[1] / "tests" / "storage" / "conftest.py"))
    first: list[Any] | None = None
    with places() as where:
        for name, place in where.items():
            figures, found = measure(place, given.passages // N_PASSAGES_A_DOCUMENT, tools["make"])
            first = first or found
            same = [len(set(a) & set(b)) / max(len(a), 1) for a, b in zip(first, found, strict=True)]
            figures["overlap_of_20"] = sum(same) / len(same)
            figures["same_order"] = sum(a == b for a, b in zip(first, found, strict=True)) / len(found)
            size = folder_size(Path(place.removeprefix("lance:"))) if "://" not in place else None
            print(json.dumps({"store": name, "passages": given.passages, "disk_mb": size, **figures}))


def folder_size(folder: Path) -> int:
    """Return the size of all files, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) >> 20


if __name__ == "__main__":
    main()

"""The stores beside each other on the same passages: SQLite, Lance tables in a folder, Lance tables on an S3 server.

    .venv/bin/python benchmarks/scale.py [--passages N] [--keep FOLDER] [--stores SQLite …]

Adds synthetic documents (`synthetic.py`: words and vectors as frequent and as clustered as real ones), replaces some,
searches by words, by meaning and as a question is searched, and opens each library anew in a process of its own. With
`--keep` the libraries are made in that folder, or are those that are there. The S3 server is SeaweedFS on this
machine: what it measures is the number of requests, not a network. Prints a JSON object for each store.
"""

import argparse
import json
import os
import resource
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

from pincite import Library
from pincite.settings import Settings
from pincite.storage.opening import LibraryStore, open_store
from pincite.text.tokens import index_terms, is_stop_term
from synthetic import N_PASSAGES, TopicEmbedder, document_of, questions

N_QUERIES = 60
#: Documents that are replaced.
N_REPLACED = 5
K = 20


def fill(place: str, n_documents: int) -> dict[str, float]:
    """Add documents, then vectors; return the seconds of each, without those of making them up."""
    embedder, made_up_s = TopicEmbedder(), 0.0
    with open_store(place) as store:
        start, cpu_start = time.perf_counter(), time.process_time()
        with store.writing():
            for number in range(n_documents):
                began = time.perf_counter()
                made = document_of(number)
                made_up_s += time.perf_counter() - began
                store.put(*made)
        figures = {
            "add_s": time.perf_counter() - start - made_up_s,
            # Making them up takes no waiting: its time is that of a processor, or a little more.
            "add_cpu_s": time.process_time() - cpu_start - made_up_s,
        }
        return figures | {"vectors_s": embed(store, embedder)}


def embed(store: LibraryStore, embedder: TopicEmbedder) -> float:
    """Add the vectors that are missing; return the seconds, without those of embedding."""
    start, made_up_s = time.perf_counter(), 0.0
    with store.writing():
        for batch in store.vectors.missing(embedder, batch=1000):
            began = time.perf_counter()
            vectors = embedder.embed([text for _, text in batch])
            made_up_s += time.perf_counter() - began
            store.vectors.add(embedder, zip([key for key, _ in batch], vectors, strict=True))
    return time.perf_counter() - start - made_up_s


def replace(place: str) -> dict[str, float]:
    """Replace some documents, each on its own; return the milliseconds of one, and the seconds of tidying up after."""
    embedder = TopicEmbedder()
    with open_store(place) as store:
        made = [document_of(number, version=1) for number in range(N_REPLACED)]
        start = time.perf_counter()
        for one in made:
            store.put(*one)
        replaced_ms = 1000 * (time.perf_counter() - start) / N_REPLACED
        embed(store, embedder)
        start = time.perf_counter()
        store.sweep()
        return {"replace_ms": replaced_ms, "tidy_s": time.perf_counter() - start}


def timed(work: Callable[[int], Any]) -> tuple[dict[str, float], list[Any]]:
    """Return p50 and p95 in milliseconds, of the clock and of the processors, and what came out."""
    clock, cpu, results = [], [], []
    for i in range(N_QUERIES):
        start, cpu_start = time.perf_counter(), time.process_time()
        results.append(work(i))
        clock.append(time.perf_counter() - start)
        cpu.append(time.process_time() - cpu_start)
    figures: dict[str, float] = {}
    for name, seconds in (("", clock), ("cpu_", cpu)):
        p50, p95 = (round(1000 * float(np.percentile(seconds, percent)), 2) for percent in (50, 95))
        figures |= {f"{name}p50_ms": p50, f"{name}p95_ms": p95}
    return figures, results


def weights(text: str) -> dict[str, float]:
    """Return the terms of a question."""
    return {term: 1.0 for term in index_terms(text.rstrip("?")) if not is_stop_term(term)}


def search(place: str) -> tuple[dict[str, Any], list[Any]]:
    """Return the times of the three searches after a first one, and the places that were found."""
    embedder = TopicEmbedder()
    texts = list(questions(N_QUERIES))
    terms, asked = [weights(text) for text in texts], embedder.embed(texts)
    with Library(place, embedder=embedder, settings=Settings(reranker="none"), create=False) as library:
        store = library.store
        library.search(texts[0])
        words, by_words = timed(lambda i: store.search_terms(terms[i], k=K))
        meaning, by_meaning = timed(lambda i: store.nearest(asked[i], embedder=embedder, k=K))
        question, by_question = timed(lambda i: library.search(texts[i]))
        found = [
            [(one.doc_id, one.passage.first_line_id) for one in store.passages([hit.passage_id for hit in own])]
            for own in (*by_words, *by_meaning)
        ]
        found += [[(c.anchor.doc_id, c.anchor.first_line_id) for c in one.candidates] for one in by_question]
        memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return {"words": words, "meaning": meaning, "question": question, "memory_mb": memory_mb}, found


def cold_open(place: str) -> None:
    """Open a library in this new process and print what the first searches cost, in milliseconds, and its memory."""
    embedder = TopicEmbedder()
    text = next(questions(1))
    asked = embedder.embed([text])[0]
    before_mb = resident_mb()
    start = time.perf_counter()
    with open_store(place, create=False) as store:
        store.records()
        opened = time.perf_counter()
        store.search_terms(weights(text), k=K)
        words = time.perf_counter()
        store.nearest(asked, embedder=embedder, k=K)
        meaning = time.perf_counter()
        store.words()
        vocabulary = time.perf_counter()
        steps = {"open": opened - start, "first_words": words - opened, "first_meaning": meaning - words}
        steps["vocabulary"] = vocabulary - meaning
        shown: dict[str, float] = {f"{name}_ms": round(1000 * s) for name, s in steps.items()}
        print(json.dumps(shown | {"memory_more_mb": resident_mb() - before_mb}))


def resident_mb() -> int:
    """Return the memory of this process now, pages of files among it, in MB."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def measure(name: str, place: str, n_documents: int, built: Path | None) -> tuple[dict[str, Any], list[Any]]:
    """Return the figures of one store, and the places that were found; `built` remembers how long making it took."""
    load = os.getloadavg()[0]
    if built is not None and built.exists():
        figures: dict[str, Any] = json.loads(built.read_text(encoding="utf-8"))
    else:
        figures = fill(place, n_documents) | replace(place) | {"load_when_built": load}
        if built is not None:
            built.write_text(json.dumps(figures), encoding="utf-8")
    searched, found = search(place)
    cold = subprocess.run([sys.executable, __file__, "--open", place], capture_output=True, text=True, check=True)
    figures |= searched | {"cold": json.loads(cold.stdout), "load": load}
    if "://" not in place:
        figures["disk_mb"] = folder_size(Path(place.removeprefix("lance:")))
    return {"store": name, "passages": n_documents * N_PASSAGES, **figures}, found


@contextmanager
def places(keep: Path | None, wanted: list[str]) -> Iterator[dict[str, str]]:
    """Give a place for each store, the one on S3 only where there is a server, and not for what is kept."""
    folder = keep or Path(tempfile.mkdtemp(prefix="pincite-scale-"))
    folder.mkdir(exist_ok=True, parents=True)
    try:
        found = {"SQLite": str(folder / "sqlite"), "Lance, folder": f"lance:{folder / 'lance'}"}
        if keep is not None or (wanted and "Lance, S3" not in wanted):
            yield found
            return
        with server(folder / "s3") as address:
            if address is not None:
                os.environ["PINCITE_CACHE"] = str(folder / "cache")
                found["Lance, S3"] = f"s3://reports/{address}"
            yield found
    finally:
        if keep is None:
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
    parser.add_argument("--keep", type=Path, help="make the libraries here, or measure those that are here")
    parser.add_argument("--stores", nargs="*", default=[], help="only these")
    parser.add_argument("--open", help="open a library and print what that costs")
    given = parser.parse_args()
    if given.open:
        cold_open(given.open)
        return
    first: list[Any] | None = None
    with places(given.keep, given.stores) as where:
        for name, place in where.items():
            if given.stores and name not in given.stores:
                continue
            built = None if given.keep is None else given.keep / f"{name.lower().replace(', ', '-')}.json"
            figures, found = measure(name, place, given.passages // N_PASSAGES, built)
            first = first or found
            for part, kind in enumerate(("words", "meaning", "question")):
                pairs = list(zip(first, found, strict=True))[part * N_QUERIES : (part + 1) * N_QUERIES]
                same = [len(set(a) & set(b)) / max(len(a), 1) for a, b in pairs]
                figures[kind]["same_places"] = round(float(np.mean(same)), 4)
                figures[kind]["same_order"] = round(float(np.mean([a == b for a, b in pairs])), 4)
            print(json.dumps(figures), flush=True)


def folder_size(folder: Path) -> int:
    """Return the size of all files, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) >> 20


if __name__ == "__main__":
    main()

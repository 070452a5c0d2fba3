"""Many small documents in both stores: adding from first to last, opening, listing, one question.

    .venv/bin/python benchmarks/many_documents.py [--documents 10000] [--keep FOLDER]

Each document has three passages. What grows faster than the number of documents shows in the last tenth of adding.
"""

import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pincite import Library
from pincite.add.naming import free_id, unique_name
from pincite.settings import Settings
from pincite.storage.opening import open_store
from scale import K, embed
from synthetic import TopicEmbedder, document_of, questions

N_PASSAGES = 3


def add(place: str, n_documents: int) -> None:
    """Add documents as `pincite add` does, with its look-ups, and print how long the first and last tenth took."""
    tenth = n_documents // 10
    seconds = [0.0] * 10
    cpu = [0.0] * 10
    with open_store(place) as store, store.writing():
        for number in range(n_documents):
            made = document_of(number, n_passages=N_PASSAGES)
            start, cpu_start = time.perf_counter(), time.process_time()
            store.find_by_uri(made.document.uri)
            store.find_by_hash(made.document.content_hash)
            unique_name(made.document, store)
            free_id(made.document.uri, lambda doc_id: store.find_by_id(doc_id) is not None)
            store.put(*made)
            seconds[number // tenth] += time.perf_counter() - start
            cpu[number // tenth] += time.process_time() - cpu_start
    ms, cpu_ms = ([f"{1000 * s / tenth:.1f}" for s in own] for own in (seconds, cpu))
    print(f"  add, ms a document by tenths  {' '.join(ms)}   CPU {' '.join(cpu_ms)}", flush=True)
    with open_store(place) as store:
        print(f"  add all vectors  {embed(store, TopicEmbedder()):.1f} s", flush=True)


def use(place: str) -> None:
    """Open, list and ask in this new process, and print what each costs."""
    embedder, asked = TopicEmbedder(), list(questions(20))
    steps: list[tuple[str, float, float]] = []

    def step(name: str) -> None:
        steps.append((name, time.perf_counter(), time.process_time()))

    step("start")
    with Library(place, embedder=embedder, settings=Settings(reranker="none"), create=False) as library:
        step("open")
        n_documents = len(library.documents())
        step(f"list {n_documents}")
        library.documents()
        step("list again")
        library.search(asked[0], top_k=K)
        step("first search")
        for text in asked[1:]:
            library.search(text, top_k=K)
        step("19 more searches")
        library.ask(asked[0])
        step("one question")
        library.ask(asked[1])
        step("another question")
    for before, after in itertools.pairwise(steps):
        clock, cpu = 1000 * (after[1] - before[1]), 1000 * (after[2] - before[2])
        print(f"  {after[0]:18}  {clock:8.0f} ms   {cpu:8.0f} CPU-ms", flush=True)


def main() -> None:
    """Measure both stores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--keep", type=Path, help="make the libraries here, or measure those that are here")
    parser.add_argument("--use", help="open a library and print what that costs")
    given = parser.parse_args()
    if given.use:
        use(given.use)
        return
    folder = given.keep or Path(tempfile.mkdtemp(prefix="pincite-many-"))
    try:
        for name, place in (("SQLite", f"{folder / 'sqlite'}"), ("Lance, folder", f"lance:{folder / 'lance'}")):
            print(f"{name}  load {os.getloadavg()[0]:.1f}", flush=True)
            if not Path(place.removeprefix("lance:")).exists():
                add(place, given.documents)
            subprocess.run([sys.executable, __file__, "--use", place], check=True)
    finally:
        if given.keep is None:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

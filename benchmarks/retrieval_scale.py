"""How long search takes in a library of 50,000 passages: p50 and p95 of terms, vectors and both.

    .venv/bin/python benchmarks/retrieval_scale.py [N_PASSAGES] [--documents N] [--keep FOLDER]

Texts come from the benchmark folder (`PINCITE_BENCH`, default ../shared/bench), repeated with words swapped; vectors
are random. Times are of one thread, after a first query that loads what is cached.
"""

import argparse
import hashlib
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pincite.questions import StoreCorpus, parse_question, retrieval_query
from pincite.retrieval import HybridRetriever
from pincite.storage.sqlite import SqliteStore
from pincite.text.tokens import index_terms
from pincite.types.document import DocumentRecord, Line, Page, ParsedDocument, ParsingSummary
from pincite.types.passage import Passage
from pincite.types.question import Scope

BENCH = Path(os.environ.get("PINCITE_BENCH", Path(__file__).resolve().parents[2] / "shared" / "bench"))
WORDS_PER_LINE, LINES_PER_PASSAGE = 11, 10


class RandomEmbedder:
    """Random vectors of length one: enough to measure speed."""

    name = "random"
    dimension = 384

    def __init__(self, seed: int) -> None:
        """Start the random numbers at `seed`."""
        self._random = np.random.default_rng(seed)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a random unit vector for each text."""
        made = self._random.standard_normal((len(texts), self.dimension), dtype=np.float32)
        return made / np.linalg.norm(made, axis=1, keepdims=True)


def corpus_words() -> list[str]:
    """Return the words of every Markdown file of two suites, in order."""
    files = sorted((BENCH / "clapnq" / "docs").glob("*.md")) + sorted((BENCH / "docs-site").rglob("*.md"))
    if not files:
        raise SystemExit(f"no texts in {BENCH}; set PINCITE_BENCH")
    return [word for file in files for word in file.read_text(encoding="utf-8").split()]


def documents(words: list[str], n_documents: int, n_passages: int) -> Iterator[tuple[ParsedDocument, list[Passage]]]:
    """Yield documents of `n_passages` passages each: stretches of the corpus with one word in ten swapped."""
    chance = random.Random(1)  # noqa: S311 - reproducible, not secret
    for number in range(n_documents):
        start = chance.randrange(len(words))
        lines, passages = [], []
        for index in range(n_passages * LINES_PER_PASSAGE):
            at = start + index * WORDS_PER_LINE
            taken = [
                chance.choice(words) if chance.random() < 0.1 else words[(at + i) % len(words)]
                for i in range(WORDS_PER_LINE)
            ]
            line_id = index + 1
            lines.append(Line(line_id=line_id, page_num=1 + index // 45, line_num=1 + index % 45, text=" ".join(taken)))
        for first in range(0, len(lines), LINES_PER_PASSAGE):
            own = lines[first : first + LINES_PER_PASSAGE]
            passages.append(_passage(own))
        yield _document(number, tuple(lines)), passages


def _passage(lines: Sequence[Line]) -> Passage:
    text = "\n".join(line.text for line in lines)
    return Passage(
        first_line_id=lines[0].line_id,
        last_line_id=lines[-1].line_id,
        first_page=lines[0].page_num,
        last_page=lines[-1].page_num,
        section_id=None,
        breadcrumb=("Part one", "Results"),
        kind="prose",
        text=text,
        text_hash=hashlib.sha256(text.encode()).hexdigest(),
    )


def _document(number: int, lines: tuple[Line, ...]) -> ParsedDocument:
    return ParsedDocument(
        name=f"document-{number:05}.txt",
        uri=f"bench:{number:05}",
        media_type="text/plain",
        content_hash=hashlib.sha256(str(number).encode()).hexdigest(),
        n_bytes=sum(len(line.text) for line in lines),
        parser="bench@1",
        metadata={},
        parsing_summary=ParsingSummary(n_pages=lines[-1].page_num),
        pages=tuple(Page(page_num=n, width_pt=612, height_pt=792) for n in range(1, lines[-1].page_num + 1)),
        lines=lines,
    )


def _record(document: ParsedDocument) -> DocumentRecord:
    return DocumentRecord.of(
        document,
        doc_id=document.content_hash[:16],
        name=document.name,
        added_at="2026-01-01T00:00:00+00:00",
        has_text=True,
    )


def fill(store: SqliteStore, n_documents: int, n_passages: int) -> None:
    """Add the documents and their vectors."""
    puts, embedder = [], RandomEmbedder(2)
    for document, passages in documents(corpus_words(), n_documents, n_passages):
        started = time.perf_counter()
        store.put(_record(document), document, passages)
        puts.append(time.perf_counter() - started)
    show("put a document", puts)
    print(f"{'':24} the last tenth: p50 {np.median(puts[-max(1, len(puts) // 10) :]) * 1000:.1f} ms")
    started = time.perf_counter()
    for batch in store.vectors.missing(embedder, batch=1000):
        texts = [text for _, text in batch]
        store.vectors.add(embedder, zip((key for key, _ in batch), embedder.embed(texts), strict=True))
    print(f"add all vectors          {time.perf_counter() - started:.1f} s")


def questions(n: int, n_terms: int) -> list[dict[str, float]]:
    """Return questions of `n_terms` terms drawn from running text, so that common ones are among them."""
    words, chance = corpus_words(), random.Random(3)  # noqa: S311
    made: list[dict[str, float]] = []
    while len(made) < n:
        at = chance.randrange(len(words) - 40)
        terms = list(dict.fromkeys(index_terms(" ".join(words[at : at + 40]))))[:n_terms]
        made.append({term: chance.choice((1.0, 0.5)) for term in terms})
    return made


def question_texts(n: int) -> list[str]:
    """Return questions made of stretches of running text."""
    words, chance = corpus_words(), random.Random(5)  # noqa: S311
    starts = [chance.randrange(len(words) - 10) for _ in range(n)]
    return ["What is " + " ".join(words[at : at + 8]) + "?" for at in starts]


def timed(runs: int, act: Callable[[int], object]) -> list[float]:
    """Return how long each of `runs` calls took, in seconds."""
    times = []
    for index in range(runs):
        started = time.perf_counter()
        act(index)
        times.append(time.perf_counter() - started)
    return times


def show(what: str, times: Sequence[float]) -> None:
    """Print the median and the 95th percentile."""
    p50, p95 = np.percentile(times, [50, 95]) * 1000
    print(f"{what:24} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms")


def main() -> None:
    """Build the library, then measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("n_passages", nargs="?", type=int, default=50_000)
    arguments.add_argument("--documents", type=int, default=250)
    arguments.add_argument("--keep", type=Path, help="make the library here, or measure the one that is here")
    chosen = arguments.parse_args()
    folder = chosen.keep or Path(tempfile.mkdtemp())
    is_new = not (folder / "pincite.sqlite").exists()
    try:
        opened = timed(1, lambda _: SqliteStore(folder).close()) if not is_new else []
        with SqliteStore(folder) as store:
            if is_new:
                fill(store, chosen.documents, chosen.n_passages // chosen.documents)
            measure(store, opened)
        sizes = {file.name: file.stat().st_size / 1e6 for file in folder.iterdir() if file.is_file()}
        print(", ".join(f"{name} {size:.0f} MB" for name, size in sorted(sizes.items()) if size > 0.5))
    finally:
        if chosen.keep is None:
            shutil.rmtree(folder)


def measure(store: SqliteStore, opened: Sequence[float]) -> None:
    """Print the times of searching."""
    embedder, asked = RandomEmbedder(4), questions(200, 8)
    vectors = embedder.embed([""] * 200)
    doc_ids = [record.doc_id for record in store.records()]
    if opened:
        show("open", opened)
    show("first search_terms", timed(1, lambda _: store.search_terms(asked[0], doc_ids=(), k=50)))
    show("first nearest", timed(1, lambda _: store.nearest(vectors[0], embedder=embedder, doc_ids=(), k=50)))
    show("first words", timed(1, lambda _: store.words()))
    show("search_terms, 8 terms", timed(200, lambda i: store.search_terms(asked[i], doc_ids=(), k=50)))
    show("term_counts, 8 terms", timed(200, lambda i: store.term_counts(asked[i], doc_ids=())))
    retriever, texts = HybridRetriever(store, embedder), question_texts(200)
    corpus = StoreCorpus(store)
    parsed = [retrieval_query(parse_question(text, corpus), Scope()) for text in texts]
    show("parse a question", timed(200, lambda i: parse_question(texts[i], corpus)))
    retriever.retrieve(parsed[0], top_k=10)
    show("retrieve, all detectors", timed(200, lambda i: retriever.retrieve(parsed[i], top_k=10)))
    show("nearest", timed(200, lambda i: store.nearest(vectors[i], embedder=embedder, doc_ids=(), k=50)))
    one = [[doc_ids[i % len(doc_ids)]] for i in range(200)]
    show("one document: terms", timed(200, lambda i: store.search_terms(asked[i], doc_ids=one[i], k=50)))
    show(
        "one document: nearest",
        timed(200, lambda i: store.nearest(vectors[i], embedder=embedder, doc_ids=one[i], k=50)),
    )

    def both(index: int) -> None:
        terms = store.search_terms(asked[index], doc_ids=(), k=50)
        dense = store.nearest(vectors[index], embedder=embedder, doc_ids=(), k=50)
        store.passages([hit.passage_id for hit in terms[:10] + dense[:10]])

    show("both, and 20 passages", timed(200, both))


if __name__ == "__main__":
    main()

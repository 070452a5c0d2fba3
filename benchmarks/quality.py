"""How well places are found and questions answered: pincite beside plain BM25 and the pipeline most would build today.

    .venv/bin/python benchmarks/quality.py                              every suite: about an hour the first time
    .venv/bin/python benchmarks/quality.py squad2 spans --limit 60      some suites, some questions of each

The same questions, the same documents, the same machine. Suites come from the benchmark folder (`PINCITE_BENCH`, by
default ../shared/bench). Libraries, page texts and vectors are kept in `--work` (default: the cache folder), so
only the first run is long. Prints Markdown.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from peers.documents import PeerDocuments
from peers.keyword import Bm25
from peers.windows import Windows
from pincite.evaluation import Measured, Options, QuestionRecord, Suite, Summary, evaluate, load_suite
from pincite.evaluation.measures import LOWER_IS_BETTER, measure
from pincite.evaluation.observing import DEPTH
from pincite.evaluation.samples import Sample
from pincite.evaluation.scorers import ranking_scores, reading_scores
from pincite.evaluation.suites import sampled
from pincite.evaluation.truth import keys_of, truth_of
from pincite.interfaces.cli.opening import cache_folder
from pincite.library import Library
from pincite.settings import Settings

BENCH = Path(os.environ.get("PINCITE_BENCH", Path(__file__).resolve().parents[2] / "shared" / "bench"))
SUITES = ("financebench", "erc2", "squad2", "clapnq", "spans", "docs-site", "scifact")
Peer = Bm25 | Windows


class Told:
    """Says how far a run has come, a line for each tenth."""

    def __init__(self, name: str) -> None:
        """Speak of `name`."""
        self._name = name

    def parsed(self, done: int, total: int, name: str) -> None:
        """Say how many files are parsed."""
        del name
        self._say("parsed", done, total)

    def embedded(self, done: int, total: int) -> None:
        """Say how many passages have their vector."""
        self._say("embedded", done, total)

    def asked(self, done: int, total: int) -> None:
        """Say how many questions are asked."""
        self._say("asked", done, total)

    def _say(self, what: str, done: int, total: int) -> None:
        if done == total or done % max(1, total // 10) == 0:
            print(f"{self._name}: {what} {done} of {total}", file=sys.stderr, flush=True)


def pincite_run(suite: Suite, work: Path, options: Options) -> Summary:
    """Return what pincite does on a suite."""
    with Library(work / "library", settings=Settings.load()) as library:
        return evaluate(suite, library, work / "results", options=options, watcher=Told(suite.name))


def peer_run(peer: Peer, suite: Suite, documents: PeerDocuments, samples: Sequence[Sample]) -> list[QuestionRecord]:
    """Return what a peer finds: a record a question, with the scores that have to do with finding."""
    records = []
    for sample in samples:
        truth = truth_of(sample, documents.text_of)
        if truth.unit is None:
            continue
        within = sample.docs if suite.scope == "docs" and sample.docs else documents.names()
        names = documents.names() if truth.unit == "document" else within
        peer.rank(sample.question, names, 1)  # what has to be read and embedded first is no time of searching
        started = time.perf_counter()
        places = peer.rank(sample.question, names, DEPTH)
        seconds = time.perf_counter() - started
        ranked = keys_of(places, truth, documents.text_of)
        scores = ranking_scores(ranked, truth, prefix="" if suite.form == "beir" else None)
        if suite.form == "folder":
            scores |= reading_scores(peer.read(sample.question, within), truth)
        records.append(
            QuestionRecord(
                id=sample.id,
                question=sample.question,
                shape="text",
                kind=sample.kind,
                answerable=sample.answerable,
                scores=scores,
                search_s=seconds,
            )
        )
    return records


def shown(measured: Measured | None) -> str:
    """Return a value with its interval."""
    return "–" if measured is None else f"{measured.value:.3f} ({measured.low:.2f}–{measured.high:.2f})"


def table(suite: Suite, ours: Summary, theirs: dict[str, dict[str, Measured]]) -> str:
    """Return a Markdown table: a row a measure, pincite first; what only an answer can have, pincite alone has."""
    lines = [
        f"\n### {suite.name}: {ours.n} questions\n",
        "| measure | pincite | " + " | ".join(theirs) + " |",
        "| --- | ---: |" + " ---: |" * len(theirs),
    ]
    for name, value in ours.measures.items():
        cells = [shown(value), *(shown(measures.get(name)) for measures in theirs.values())]
        better = " (less is better)" if name in LOWER_IS_BETTER else ""
        lines.append(f"| {name}{better} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="pincite beside its peers, on the public suites.")
    parser.add_argument("suites", nargs="*", default=SUITES, help=f"which suites (default: {', '.join(SUITES)})")
    parser.add_argument("--limit", type=int, help="ask at most so many questions of each, always the same")
    parser.add_argument("--retrieval-only", action="store_true", help="search only; nothing is answered")
    parser.add_argument("--work", type=Path, help="keep libraries and vectors here (default: the cache folder)")
    chosen = parser.parse_args()
    if not BENCH.is_dir():
        sys.exit(f"{BENCH}: there are no suites; name their folder in PINCITE_BENCH")
    options = Options(limit=chosen.limit, retrieval_only=chosen.retrieval_only)
    for name in chosen.suites:
        suite = load_suite(BENCH / name)
        work = (chosen.work or cache_folder() / "bench") / name
        ours = pincite_run(suite, work, options)
        documents = PeerDocuments(suite, work / "pypdf")
        theirs: dict[str, dict[str, Measured]] = {}
        for peer in (Bm25(documents), Windows(documents, work / "windows")):
            print(f"{name}: {peer.name}", file=sys.stderr, flush=True)
            theirs[peer.name] = measure(peer_run(peer, suite, documents, sampled(suite, chosen.limit)))
        print(table(suite, ours, theirs), flush=True)


if __name__ == "__main__":
    main()

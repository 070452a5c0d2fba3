"""A run: the documents, then the questions one by one, each kept as soon as it is known; a stopped run goes on."""

import hashlib
import os
import platform
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from pincite.add import Watcher
from pincite.errors import SettingsError
from pincite.evaluation.corpus import Corpus, Failure, code_hash
from pincite.evaluation.measures import measure
from pincite.evaluation.observing import observe
from pincite.evaluation.records import Group, QuestionRecord, Summary
from pincite.evaluation.samples import Sample
from pincite.evaluation.suites import Suite, sampled
from pincite.library import Library
from pincite.types.content_hash import hash_of_file
from pincite.types.record import Record, dump_json, to_json

_RECORDS: Final = "records.jsonl"
_SUMMARY: Final = "summary.json"
_RUN: Final = "run.json"


class Options(Record, frozen=True, kw_only=True):
    """How much of a suite is run: at most `limit` questions (always the same), `retrieval_only` without answering."""

    limit: int | None = None
    retrieval_only: bool = False


class RunWatcher(Watcher, Protocol):
    """Is told how far a run has come, beside what adding says."""

    def asked(self, done: int, total: int) -> None:
        """Say that `done` of `total` questions are asked."""
        ...


class _Run(Record, frozen=True, kw_only=True):
    """What a run was made of: the records of another run may only be used again where all of it is the same."""

    fingerprint: str
    started_at: str


def evaluate(
    suite: Suite, library: Library, results: Path, *, options: Options | None = None, watcher: RunWatcher | None = None
) -> Summary:
    """Run a suite on a library and return the summary, which is also kept in a folder of its own in `results`.

    The folder holds `summary.json`, `records.jsonl` (a record a question), and the rankings in TREC's form
    (`run.trec`, `qrels.trec`) for other tools. A run that was stopped goes on where it was.

    Raises:
        SettingsError: nothing is asked, as `limit` is 0.
        StoreError: the library cannot be written.

    """
    chosen = options or Options()
    samples = sampled(suite, chosen.limit)
    if not samples:
        raise SettingsError("there is nothing to ask: the limit is 0")
    began = time.perf_counter()
    corpus = Corpus(suite, library)
    failures = corpus.fill(_documents(suite, samples), watcher=watcher)
    folder, run = _folder(results, _fingerprint(suite, library, chosen))
    records = _ask_all(samples, corpus, folder / _RECORDS, chosen, watcher)
    summary = summarise(
        records,
        suite=suite.name,
        failures=failures,
        settings=to_json(library.settings),
        options=to_json(chosen),
        started_at=run.started_at,
        seconds=round(time.perf_counter() - began, 3),
        results=str(folder),
    )
    (folder / _SUMMARY).write_bytes(dump_json(summary))
    write_trec(records, folder)
    return summary


def _documents(suite: Suite, samples: Sequence[Sample]) -> Sequence[str]:
    """Return the documents that the questions need: of page suites those they name, else all, which are searched."""
    has_pages = all(e.page is not None for s in samples for e in s.evidence)
    if suite.scope == "docs" and has_pages and all(s.docs for s in samples):
        return sorted({name for s in samples for name in s.docs})
    return suite.files


def _fingerprint(suite: Suite, library: Library, options: Options) -> str:
    file = suite.path / ("queries.jsonl" if suite.form == "beir" else "questions.jsonl")
    parts = [
        suite.name,
        version("pincite"),
        code_hash(),
        hash_of_file(file),
        to_json(library.settings),
        to_json(options),
    ]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


def _folder(results: Path, fingerprint: str) -> tuple[Path, _Run]:
    """Return the folder of a stopped run of the same kind, else a new one, named by the time."""
    for file in sorted(results.glob(f"*/{_RUN}"), reverse=True):
        found = msgspec.json.decode(file.read_bytes(), type=_Run)
        if found.fingerprint == fingerprint and not (file.parent / _SUMMARY).exists():
            return file.parent, found
    now = datetime.now(UTC)
    run = _Run(fingerprint=fingerprint, started_at=now.isoformat(timespec="seconds"))
    folder = results / now.strftime("%Y-%m-%dT%H%M%S.%f")[:-3]
    folder.mkdir(parents=True)
    (folder / _RUN).write_bytes(dump_json(run))
    return folder, run


def _ask_all(
    samples: Sequence[Sample], corpus: Corpus, file: Path, options: Options, watcher: RunWatcher | None
) -> list[QuestionRecord]:
    known = {record.id: record for record in read_records(file)}
    records: list[QuestionRecord] = []
    with file.open("ab") as kept:
        for done, sample in enumerate(samples, start=1):
            record = known.get(sample.id)
            if record is None:
                record = observe(sample, corpus, retrieval_only=options.retrieval_only)
                kept.write(msgspec.json.encode(record) + b"\n")
                kept.flush()
            records.append(record)
            if watcher is not None:
                watcher.asked(done, len(samples))
    return records


def read_records(file: Path) -> list[QuestionRecord]:
    """Return the records of a file; a last line that was cut off by a stop is left out, and taken away."""
    if not file.is_file():
        return []
    content = file.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        file.write_bytes(whole)
    return [msgspec.json.decode(line, type=QuestionRecord) for line in whole.splitlines()]


def summarise(records: Sequence[QuestionRecord], *, failures: Sequence[Failure] = (), **about: Any) -> Summary:
    """Return the measures of records, all together and by the shape of the question."""
    shapes = sorted({record.shape for record in records})
    groups = {shape: [r for r in records if r.shape == shape] for shape in shapes}
    return Summary(
        n=len(records),
        measures=measure(records),
        by_shape={shape: Group(n=len(found), measures=measure(found)) for shape, found in groups.items()},
        defects=tuple(_defects(records)),
        errors=tuple(f"{r.id}: {r.error}" for r in records if r.error),
        failed_documents=tuple(f"{f.name}: {f.message}" for f in failures),
        version=version("pincite"),
        machine=machine(),
        **about,
    )


def _defects(records: Sequence[QuestionRecord]) -> list[str]:
    return [
        f"{record.id}: “{one.quote}” is not in {one.doc}, page {one.page}, lines {one.first_line}–{one.last_line}"
        for record in records
        for one in record.citations
        if not one.is_in_document
    ]


def machine() -> dict[str, Any]:
    """Return what times depend on."""
    return {
        "system": platform.platform(),
        "processor": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
    }


def write_trec(records: Sequence[QuestionRecord], folder: Path) -> None:
    """Write what was ranked and what is relevant in the form that trec_eval and ir_measures read."""
    ranked = [r for r in records if r.gold]
    run = [
        f"{r.id} Q0 {key} {rank} {len(r.ranking) - rank + 1} pincite\n"
        for r in ranked
        for rank, key in enumerate(r.ranking, start=1)
    ]
    qrels = [f"{r.id} 0 {key} {grade}\n" for r in ranked for key, grade in r.gold.items()]
    (folder / "run.trec").write_text("".join(run), encoding="utf-8")
    (folder / "qrels.trec").write_text("".join(qrels), encoding="utf-8")

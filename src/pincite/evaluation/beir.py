"""The BEIR form of a suite: `corpus.jsonl`, `queries.jsonl` and relevance judgements in `qrels`."""

import csv
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from pincite.errors import SettingsError
from pincite.evaluation.samples import Evidence, Sample
from pincite.text.sentences import sentence_spans

T = TypeVar("T", bound=msgspec.Struct)


class _Query(msgspec.Struct, frozen=True):
    id: str = msgspec.field(name="_id")
    text: str


class _Row(msgspec.Struct, frozen=True):
    id: str = msgspec.field(name="_id")
    text: str
    title: str = ""


def is_beir(folder: Path) -> bool:
    """Say whether a folder has the BEIR form."""
    return (folder / "corpus.jsonl").is_file() and (folder / "queries.jsonl").is_file()


def read_beir(folder: Path) -> tuple[Sample, ...]:
    """Return the queries that have a judgement, each with its relevant documents.

    Raises:
        SettingsError: there are no judgements, or a file is not as it has to be.

    """
    file = _judgements(folder)
    relevant: dict[str, list[Evidence]] = defaultdict(list)
    for query_id, doc_id, grade in _grades(file):
        if grade > 0:
            relevant[query_id].append(Evidence(doc=doc_id, grade=grade))
    queries = _decoded(folder / "queries.jsonl", _Query)
    samples = tuple(
        Sample(id=q.id, question=q.text, kind="claim", evidence=tuple(relevant[q.id]))
        for q in queries
        if relevant[q.id]
    )
    if not samples:
        raise SettingsError(f"{file}: no query has a relevant document")
    return samples


def beir_documents(corpus: Path) -> Iterator[tuple[str, str]]:
    """Yield the id and the text of each document: its title as a heading, a sentence a line.

    Raises:
        SettingsError: a line is no document.

    """
    for row in _decoded(corpus, _Row):
        text = " ".join(row.text.split())
        sentences = "\n".join(text[span.start : span.end].strip() for span in sentence_spans(text))
        title = " ".join(row.title.split())
        yield row.id, f"# {title}\n\n{sentences}\n" if title else f"{sentences}\n"


def _judgements(folder: Path) -> Path:
    for name in ("qrels/test.tsv", "qrels.tsv", "qrels/dev.tsv", "qrels/train.tsv"):
        if (folder / name).is_file():
            return folder / name
    raise SettingsError(f"{folder}: there is no qrels/test.tsv")


def _grades(file: Path) -> Iterator[tuple[str, str, int]]:
    with file.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t"), start=1):
            if len(row) >= 3 and row[-1].strip().lstrip("-").isdigit():
                yield row[0], row[-2], int(row[-1])
            elif number > 1 and row:
                raise SettingsError(f"{file}, line {number}: not `query-id`, `corpus-id`, `score`")


def _decoded(file: Path, kind: type[T]) -> Iterator[T]:
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    yield msgspec.json.decode(line, type=kind)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise SettingsError(f"{file}, line {number}: {error}") from error

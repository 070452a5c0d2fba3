"""Suites: documents with questions whose answers are known, read from a folder in one of two forms."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from pincite.errors import SettingsError
from pincite.evaluation.beir import is_beir, read_beir
from pincite.evaluation.samples import Sample
from pincite.types.record import Record

Scope = Literal["docs", "folder"]


class Suite(Record, frozen=True, kw_only=True):
    """A suite: its questions, and where its documents are.

    `files` are the documents below `docs_folder`, relative names with `/`; a BEIR suite has none, its documents are
    rows of `corpus`. `scope` says where a question is asked: of the documents it names, or of the whole folder.
    """

    name: str
    path: Path
    form: Literal["folder", "beir"]
    samples: tuple[Sample, ...]
    files: tuple[str, ...] = ()
    scope: Scope = "docs"
    source: str = ""
    licence: str = ""

    @property
    def docs_folder(self) -> Path:
        """Where the documents of the folder form are."""
        return self.path / "docs"

    @property
    def corpus(self) -> Path:
        """The documents of the BEIR form, one JSON object a line."""
        return self.path / "corpus.jsonl"


class _SuiteFile(msgspec.Struct, frozen=True):
    """What `suite.json` may say; everything else in it is for people."""

    name: str | None = None
    scope: Scope | None = None
    source: str = ""
    licence: str = ""


def load_suite(path: str | Path) -> Suite:
    """Return the suite in a folder.

    Raises:
        SettingsError: the folder holds no suite, or a question is not as it has to be; the message says where.

    """
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise SettingsError(f"{folder}: there is no such folder; a suite is a folder with questions.jsonl and docs/")
    about = _about(folder)
    name = about.name or folder.resolve().name
    if is_beir(folder):
        samples = read_beir(folder)
        return Suite(
            name=name,
            path=folder,
            form="beir",
            samples=samples,
            scope="folder",
            source=about.source,
            licence=about.licence,
        )
    files = _files(folder / "docs")
    samples = tuple(_samples(folder / "questions.jsonl", frozenset(files)))
    has_headings = any(e.heading for s in samples for e in s.evidence)
    return Suite(
        name=name,
        path=folder,
        form="folder",
        samples=samples,
        files=files,
        scope=about.scope or ("folder" if has_headings else "docs"),
        source=about.source,
        licence=about.licence,
    )


def _about(folder: Path) -> _SuiteFile:
    file = folder / "suite.json"
    if not file.is_file():
        return _SuiteFile()
    try:
        return msgspec.json.decode(file.read_bytes(), type=_SuiteFile)
    except msgspec.DecodeError as error:
        raise SettingsError(f"{file}: {error}") from error


def _files(folder: Path) -> tuple[str, ...]:
    if not folder.is_dir():
        raise SettingsError(f"{folder}: there is no such folder; the documents of a suite are in docs/")
    found = (p for p in folder.rglob("*") if p.is_file())
    names = (p.relative_to(folder).as_posix() for p in found)
    return tuple(sorted(n for n in names if not any(part.startswith(".") for part in n.split("/"))))


def _samples(file: Path, known: frozenset[str]) -> Iterator[Sample]:
    """Yield the questions of a file, checked: ids are there once, documents exist."""
    seen: Counter[str] = Counter()
    for number, sample in _decoded(file):
        where = f"{file}, line {number}"
        seen[sample.id] += 1
        if seen[sample.id] > 1:
            raise SettingsError(f"{where}: the id {sample.id!r} is there twice")
        missing = sorted({*sample.docs, *(e.doc for e in sample.evidence)} - known)
        if missing:
            raise SettingsError(f"{where}: there is no document {missing[0]!r} in docs/")
        yield sample
    if not seen:
        raise SettingsError(f"{file}: there are no questions")


def _decoded(file: Path) -> Iterator[tuple[int, Sample]]:
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield number, msgspec.json.decode(line, type=Sample)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise SettingsError(f"{file}, line {number}: {error}") from error


def sampled(suite: Suite, limit: int | None) -> tuple[Sample, ...]:
    """Return at most `limit` questions, always the same ones, in the order of the suite.

    They are chosen by a hash of their id, so a smaller sample is part of a larger one.
    """
    if limit is None or limit >= len(suite.samples):
        return suite.samples

    def key(sample: Sample) -> bytes:
        return hashlib.sha256(sample.id.encode("utf-8", "surrogatepass")).digest()

    chosen = {s.id for s in sorted(suite.samples, key=key)[:limit]}
    return tuple(s for s in suite.samples if s.id in chosen)

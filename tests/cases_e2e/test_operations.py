"""What happens to a library when processes die, meet, or change their model (cases OPS and RET08)."""

import json
import os
import signal
import subprocess
import sys
import tarfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.cases_e2e.conftest import LibraryOf, inputs_in
from tests.cases_e2e.expectations import CASES, case_file, said
from tests.making import WordEmbedder

from pincite.errors import EmbeddingModelChangedError
from pincite.library import Library
from pincite.models import minilm
from pincite.settings import Settings
from pincite.types.answer import Answer

ROOT = Path(__file__).parents[2]
SETTINGS = Settings(jobs=1)


def adding(library: Path, folder: Path, *point: str) -> "subprocess.Popen[bytes]":
    """Start a process that adds a folder."""
    script = Path(__file__).with_name("adding_process.py")
    path = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))
    return subprocess.Popen(
        [sys.executable, script, library, folder, *point],
        env={**os.environ, "PYTHONPATH": path},
        stderr=subprocess.PIPE,
    )


def passages_of(library: Library) -> list[tuple[str, int, str]]:
    """Return every passage: document, first line, text."""
    found = [p for r in library.documents() for p in library.store.passages_at(r.doc_id, 1, 10**6)]
    return [(p.doc_id, p.passage.first_line_id, p.passage.text) for p in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the forty files of OPS01."""
    return inputs_in(tmp_path_factory.mktemp("inputs"), "OPS01-kill-mid-ingest") / "docs"


def test_a_killed_ingest_goes_on_where_it_stopped(folder: Path, tmp_path: Path) -> None:
    """After SIGKILL between files and between vectors a new run finishes the rest: nothing twice, nothing lost."""
    for point in ("parsed:17", "parsed:5", "embedded:1", "embedded:65"):
        process = adding(tmp_path, folder, point)
        process.communicate(timeout=600)
        assert process.returncode == -signal.SIGKILL
        with Library(tmp_path, settings=SETTINGS, embedder=WordEmbedder()) as reader:
            assert all(len(reader.store.passages_at(r.doc_id, 1, 10**6)) > 0 for r in reader.documents())

    embedder = WordEmbedder()
    with Library(tmp_path, settings=SETTINGS, embedder=embedder) as library:
        done, total = library.store.vectors.progress(embedder)
        report = library.add(folder)
        assert report.failed == ()
        assert report.added == ()  # the third run had parsed all that the second had left
        assert len(report.unchanged) == 40
        assert 0 < done < total
        assert report.n_embedded == total - done == len(embedder.read)
        assert len(library.documents()) == 40
        passages = passages_of(library)
        assert len(passages) == len(set(passages)) == library.store.passage_count(doc_ids=())
        answer = library.ask(case_file("OPS01-kill-mid-ingest")["expected"]["question_answer"]["q"])
        assert "1119" in said(answer)


class Stubborn(WordEmbedder):
    """Fails at one text."""

    broken = True

    def embed(self, texts: Sequence[str]) -> Any:
        """Return vectors, but for one text."""
        if self.broken and any("number 23 is" in text for text in texts):
            raise RuntimeError("bad text")
        return super().embed(texts)


def test_one_text_that_cannot_be_embedded_costs_nothing_else(folder: Path, tmp_path: Path) -> None:
    """The failure names the text; everything else is embedded, and the next run tries only that text again."""
    embedder = Stubborn()
    with Library(tmp_path, settings=SETTINGS, embedder=embedder) as library:
        report = library.add(folder)
        assert [f.code for f in report.failed] == ["embedding_failed"]
        assert "number 23" in report.failed[0].message
        done, total = library.store.vectors.progress(embedder)
        assert total - done == 1
        found = library.search("marker number 23").candidates[0].anchor  # found by its words meanwhile
        assert library.document("d23.md").lines_between(found.first_line_id, found.last_line_id)

        embedder.broken = False
        embedder.read.clear()
        again = library.add(folder)
        assert (again.failed, again.n_embedded, len(embedder.read)) == ((), 1, 1)


def test_an_embedder_that_fails_at_question_time_costs_only_the_meaning(folder: Path, tmp_path: Path) -> None:
    """When a text cannot be embedded while a question is answered, words alone answer it, or the error is named."""
    with Library(tmp_path, settings=SETTINGS, embedder=Stubborn()) as library:
        library.add(folder / "d23.md")
        assert "1161" in said(library.ask("What is marker number 23?"))


def test_two_ingests_and_four_readers(tmp_path: Path) -> None:
    """Two processes add one folder while four threads read: no reader fails, and nothing is there twice."""
    folder = inputs_in(tmp_path / "inputs", "OPS02-concurrent-writers-readers") / "docs"
    with Library(tmp_path / "library", settings=SETTINGS, embedder=WordEmbedder()):
        pass
    writers = [adding(tmp_path / "library", folder) for _ in range(2)]
    done = threading.Event()

    def read() -> int:
        n_asked = 0
        with Library(tmp_path / "library", settings=SETTINGS, embedder=WordEmbedder()) as library:
            while not done.is_set() or not n_asked:
                for record in library.documents():
                    assert library.store.document(record.doc_id).lines
                library.ask("How many rings has berth 12?")
                n_asked += 1
        return n_asked

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        errors = [writer.communicate(timeout=600)[1] for writer in writers]
        done.set()
        assert all(reader.result() > 0 for reader in readers)
    assert [writer.returncode for writer in writers] == [0, 0], errors
    embedder = WordEmbedder()
    with Library(tmp_path / "library", settings=SETTINGS, embedder=embedder) as library:
        assert len(library.documents()) == case_file("OPS02-concurrent-writers-readers")["expected"]["documents"]
        passages = passages_of(library)
        assert len(passages) == len(set(passages)) == library.store.passage_count(doc_ids=())
        assert library.store.vectors.progress(embedder) == (len(passages), len(passages))


def test_every_file_name_can_be_asked_and_cited(tmp_path: Path) -> None:
    """Spaces, quotes, line feeds, other scripts, dots: the file is answered from, and its shown name leads back."""
    with tarfile.open(CASES / "OPS05-names-and-paths" / "tree.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    tree = tmp_path / "tree"
    rows = json.loads((CASES / "OPS05-names-and-paths" / "expected.json").read_text(encoding="utf-8"))
    with Library(tmp_path / "library", settings=SETTINGS) as library:
        # Files that begin with a dot are taken when they are named.
        library.add(tree, *(path for path in tree.iterdir() if path.name.startswith(".")))
        assert {record.name for record in library.documents()} == {row["name"] for row in rows}
        for number, row in enumerate(rows):
            answer = library.ask(f"What is the token of file {number}?")
            assert isinstance(answer, Answer), row
            assert str(row["token"]) in said(answer)
            citation = answer.items[0].citations[0]
            assert citation.doc_name == row["name"]
            assert library.document(citation.doc_name).content_hash == citation.content_hash


def test_the_model_is_made_once(library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty questions from four threads and several libraries share one model."""
    made: list[object] = []
    original = minilm._Model.__init__

    def counted(self: Any, device: Any) -> None:
        made.append(self)
        original(self, device)

    monkeypatch.setattr(minilm._Model, "__init__", counted)
    monkeypatch.setattr(minilm, "_loaded", {})
    path = library_of("OPS10-model-loaded-once").path
    question = case_file("OPS10-model-loaded-once")["expected"]["question_answer"]["q"]

    def ask(_: int) -> str:
        with Library(path, settings=SETTINGS) as library:
            return said(library.ask(question))

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(20)))
    assert len(made) == 1
    assert all("210" in answer for answer in answers)


def test_another_embedding_model_is_noticed(tmp_path: Path) -> None:
    """Vectors of two models are never mixed: dense search says so, words still answer, embedding again switches."""
    first, wider, other = WordEmbedder("A", 8), WordEmbedder("B", 12), WordEmbedder("C", 8)
    case = "RET08-embedding-model-changed"
    question = case_file(case)["question"]
    with Library(tmp_path, settings=SETTINGS, embedder=first) as library:
        library.add(CASES / case / "doc.md")
        assert "6" in said(library.ask(question))
        assert library.search(question, method="dense").candidates
    for changed in (wider, other):
        with Library(tmp_path, settings=SETTINGS, embedder=changed) as library:
            with pytest.raises(EmbeddingModelChangedError, match="embed"):
                library.search(question, method="dense")
            answer = library.ask(question)
            assert "6" in said(answer)
            assert any("embedding_model_changed" in caveat for caveat in answer.signals.caveats)
            assert {d.name for c in library.search(question).candidates for d in c.detectors} <= {"keyword", "toc"}
    with Library(tmp_path, settings=SETTINGS, embedder=other) as library:
        library.embed(again=True)
        assert library.search(question, method="dense").candidates
        assert not any("embedding_model_changed" in c for c in library.ask(question).signals.caveats)

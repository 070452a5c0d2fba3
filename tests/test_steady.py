"""Questions while documents are replaced and removed."""

import threading
from pathlib import Path

import pytest
from tests.making import WordEmbedder

from pincite.errors import DocumentGoneError
from pincite.library import Library
from pincite.library.steady import MOST_TRIES, steadily
from pincite.settings import Settings
from pincite.types.answer import Answer

SETTINGS = Settings(jobs=1)


def test_work_is_done_again_when_a_document_goes_away() -> None:
    """A document that goes away once costs a second look; one that always goes away is an error with its code."""
    tries = []

    def work(n_failing: int) -> str:
        tries.append(n_failing)
        if len(tries) <= n_failing:
            raise DocumentGoneError("gone")
        return "done"

    assert steadily(lambda: work(1)) == "done"
    assert len(tries) == 2
    tries.clear()
    with pytest.raises(DocumentGoneError):
        steadily(lambda: work(99))
    assert len(tries) == MOST_TRIES


def test_a_passage_whose_document_was_replaced_is_not_an_index_error(tmp_path: Path) -> None:
    """Readers get an answer or a refusal, whatever another writer removes and adds between search and reading."""
    (tmp_path / "in").mkdir()
    for n in range(6):
        (tmp_path / "in" / f"p{n}.md").write_text(f"# Pen {n}\n\nPen {n} holds {n + 200} sheep.\n", encoding="utf-8")
    done = threading.Event()
    with Library(tmp_path / "library", settings=SETTINGS, embedder=WordEmbedder()) as writer:
        writer.add(tmp_path / "in")

        def write() -> None:
            while not done.is_set():
                writer.remove("p0.md")
                writer.add(tmp_path / "in" / "p0.md")

        thread = threading.Thread(target=write)
        thread.start()
        try:
            with Library(tmp_path / "library", settings=SETTINGS, embedder=WordEmbedder()) as reader:
                results = [reader.ask("How many sheep does pen 0 hold?") for _ in range(15)]
                found = [reader.search("sheep of pen 0") for _ in range(15)]
        finally:
            done.set()
            thread.join()
        assert all("200" in r.items[0].text for r in results if isinstance(r, Answer))
        assert all(one.candidates for one in found)

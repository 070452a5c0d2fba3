"""Candidates with their reasons, from a real store and an embedder that counts words."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from tests.making import WordEmbedder, filled

from pincite.models.minilm import MiniLmEmbedder
from pincite.questions import StoreCorpus, parse_question, retrieval_query
from pincite.retrieval import HybridRetriever, Method
from pincite.retrieval.editions import HEAD_LINES
from pincite.storage.sqlite import SqliteStore
from pincite.types.document import Line, Section
from pincite.types.question import Scope
from pincite.types.retrieval import Candidate, RetrievalResult

HANDBOOK = "\n\n".join(
    f"## Rule {n}\n\nThe signal lamp of boat {n} is checked and the signal mast is painted every spring by crew {n}."
    for n in range(1, 41)
)
FILES = {
    "handbook.md": f"# Handbook\n\n{HANDBOOK}\n",
    "note.md": "Signal lamp: violet.\n",
    "dues.md": "# Dues\n\n## Mooring\n\nA boat pays 14 crowns a night.\n\n## Pilotage\n\nPilots are free on Sundays.\n",
    "empty.md": "\n",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    with filled(tmp_path_factory.mktemp("library"), FILES, WordEmbedder()) as made:
        yield made


def search(
    store: SqliteStore, text: str, *, docs: tuple[str, ...] = (), method: Method = "hybrid", top_k: int = 5
) -> RetrievalResult:
    ids = tuple(r.doc_id for r in store.records() if r.name in docs)
    query = retrieval_query(parse_question(text, StoreCorpus(store, ids)), Scope(doc_ids=ids))
    return HybridRetriever(store, WordEmbedder(), method=method).retrieve(query, top_k=top_k)


def name_of(store: SqliteStore, candidate: Candidate) -> str:
    return next(r.name for r in store.records() if r.doc_id == candidate.anchor.doc_id)


def names(store: SqliteStore, result: RetrievalResult) -> list[str]:
    return [name_of(store, c) for c in result.candidates]


def test_ranks_count_up_and_every_candidate_has_a_reason(store: SqliteStore) -> None:
    """Candidates come best first with ranks from 1, and each names a detector that found it."""
    result = search(store, "Which crew paints the signal mast?")
    assert [c.rank for c in result.candidates] == list(range(1, len(result.candidates) + 1))
    for candidate in result.candidates:
        assert candidate.detectors
        assert all(detection.name in candidate.reason for detection in candidate.detectors)
        assert candidate.context.first_line_id <= candidate.anchor.first_line_id
        assert candidate.anchor.last_line_id <= candidate.context.last_line_id


def test_reasons_name_the_matched_words(store: SqliteStore) -> None:
    """The keyword detector says which words of the question it found, as they were typed, and how often."""
    best = search(store, "What does a boat pay a night?", docs=("dues.md",)).candidates[0]
    keyword = next(d for d in best.detectors if d.name == "keyword")
    assert {("boat", 1), ("pay", 1), ("night", 1)} == {(m.term, m.count) for m in keyword.matched_terms}
    assert "pay ×1" in best.reason


@pytest.mark.parametrize("method", ["keyword", "dense", "toc", "hybrid"])
def test_the_filter_comes_before_the_ranking(store: SqliteStore, method: Method) -> None:
    """With a document chosen, everything found is in it, however many better places there are elsewhere."""
    result = search(store, "signal lamp boat Mooring", docs=("dues.md",), method=method, top_k=1)
    assert names(store, result) == ["dues.md"] * len(result.candidates)
    assert result.candidates
    assert {r.doc_id for r in result.filtered_lines} == {result.candidates[0].anchor.doc_id}


def test_a_document_without_text_has_nothing(store: SqliteStore) -> None:
    """A filter on an empty document finds nothing: it never means "all documents"."""
    result = search(store, "signal lamp", docs=("empty.md",))
    assert (result.candidates, result.filtered_lines, result.confidence) == ((), (), 0.0)
    assert result.not_found_reason is not None


def test_nothing_is_padded(store: SqliteStore) -> None:
    """Words that occur nowhere find nothing, and are named as missing."""
    result = search(store, "zebra xylophone", method="keyword")
    assert (result.candidates, result.pages_kept, result.filtered_lines) == ((), (), ())
    assert result.missing_keywords == ("zebra", "xylophone")


def test_a_short_note_is_not_buried(store: SqliteStore) -> None:
    """What one detector puts first is kept, whatever fills the other places."""
    result = search(store, "What colour is the signal lamp violet?", top_k=3)
    assert "note.md" in names(store, result)
    assert len(result.candidates) <= 3


def test_a_heading_leads_to_its_section(store: SqliteStore) -> None:
    """The contents detector finds the section by its title and gives the path to it."""
    best = search(store, "Pilotage", method="toc").candidates[0]
    assert best.section == ("Dues", "Pilotage")
    assert [d.name for d in best.detectors] == ["toc"]


def test_lines_to_read_do_not_overlap(store: SqliteStore) -> None:
    """What the answerer reads comes once, in reading order within each document."""
    ranges = search(store, "signal lamp of boat 7", top_k=10).filtered_lines
    for one, other in pairwise(ranges):
        assert one.doc_id != other.doc_id or one.last_line_id + 1 < other.first_line_id


def test_a_list_reads_more_than_a_fact(store: SqliteStore) -> None:
    """For a list the whole section is read, for a fact a few lines around."""

    def n_lines(question: str) -> int:
        return max(c.context.last_line_id - c.context.first_line_id for c in search(store, question).candidates)

    assert n_lines("List all dues for mooring") >= n_lines("What is the mooring due?")


def test_the_index_of_contents_follows_the_store(tmp_path: Path) -> None:
    """A document that is added after the first question is found by its titles too."""
    with filled(tmp_path, {"a.md": "# Anchors\n\nNone.\n"}) as store:
        retriever = HybridRetriever(store, None, method="toc")

        def found(word: str) -> int:
            query = retrieval_query(parse_question(word, StoreCorpus(store)), Scope())
            return len(retriever.retrieve(query, top_k=5).candidates)

        assert (found("Anchors"), found("Buoys")) == (1, 0)
        filled(tmp_path, {"b.md": "# Buoys\n\nTwo.\n"}).close()
        assert found("Buoys") == 1


def test_meaning_finds_what_words_do_not(tmp_path: Path) -> None:
    """With the real model a paraphrase without a shared word finds its line first."""
    files = {"a.md": "The vessel sank during the storm.\n", "b.md": "Tea is served at noon.\n"}
    embedder = MiniLmEmbedder()
    with filled(tmp_path, files, embedder) as store:
        query = retrieval_query(parse_question("ship went down", StoreCorpus(store)), Scope())
        result = HybridRetriever(store, embedder).retrieve(query, top_k=2)
        assert names(store, result)[0] == "a.md"
        assert [d.name for d in result.candidates[0].detectors] == ["dense"]


def test_the_heads_of_documents_are_read_once_for_a_state_of_the_library(tmp_path: Path) -> None:
    """A second question reads no more than the places it found, however many documents there are."""
    files = {f"rule-{n}.md": f"# Rule {n}\n\nBoat {n} pays {n} crowns.\n" for n in range(12)}
    with filled(tmp_path, files, WordEmbedder()) as store:
        retriever = HybridRetriever(store, WordEmbedder())
        query = retrieval_query(parse_question("What does boat 3 pay?", StoreCorpus(store, ())), Scope())
        heads: list[str] = []
        lines = store.lines

        def counted(doc_id: str, first: int, last: int) -> tuple[Line, ...]:
            heads.append(doc_id)
            return lines(doc_id, first, last)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "lines", counted)
            first = retriever.retrieve(query, top_k=2)
            n_first = len(heads)
            again = retriever.retrieve(query, top_k=2)
        assert again == first
        assert len(heads) - n_first <= n_first - len(files)


def test_a_document_that_is_added_costs_no_other_a_second_reading(tmp_path: Path) -> None:
    """In a library of many documents one is added: its first lines and its contents are read, those of no other."""
    files = {f"rule-{n}.md": f"# Rule {n}\n\nBoat {n} pays {n} crowns.\n" for n in range(12)}
    with filled(tmp_path, files) as store:
        retriever = HybridRetriever(store, None)
        query = retrieval_query(parse_question("What does boat 3 pay?", StoreCorpus(store, ())), Scope())
        retriever.retrieve(query, top_k=1)
        filled(tmp_path, {"rule-99.md": "# Rule 99\n\nNothing of the kind.\n"}).close()
        heads: list[str] = []
        contents: list[str] = []
        lines, toc = store.lines, store.toc

        def counted_lines(doc_id: str, first: int, last: int) -> tuple[Line, ...]:
            heads.extend([doc_id] if (first, last) == (1, HEAD_LINES) else [])
            return lines(doc_id, first, last)

        def counted_toc(doc_id: str) -> tuple[Section, ...]:
            contents.append(doc_id)
            return toc(doc_id)

        added = next(r.doc_id for r in store.records() if r.name == "rule-99.md")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "lines", counted_lines)
            patch.setattr(store, "toc", counted_toc)
            found = retriever.retrieve(query, top_k=1)
        assert names(store, found) == ["rule-3.md"]
        assert heads == [added]
        assert set(contents) <= {added, found.candidates[0].anchor.doc_id}


@pytest.mark.parametrize("n_documents", [12, 80])
def test_among_many_documents_what_is_found_first_leads_to_its_like(tmp_path: Path, n_documents: int) -> None:
    """Among many documents one that is like the best is found without a word of the question; among few it is not."""
    notes = {f"note-{n}.md": f"Boat {n} carries cargo {n} from pier {n} to berth {n}.\n" for n in range(n_documents)}
    lamps = {f"lamp-{colour}.md": f"Lantern {colour} glass brass hinge.\n" for colour in ("red", "green", "violet")}
    files = notes | lamps | {"spare.md": "Glass brass hinge spare.\n"}
    with filled(tmp_path, files, WordEmbedder(dimension=256)) as store:
        query = retrieval_query(parse_question("lantern", StoreCorpus(store)), Scope())
        result = HybridRetriever(store, WordEmbedder(dimension=256)).retrieve(query, top_k=4)
        assert set(lamps) <= set(names(store, result))
        assert ("spare.md" in names(store, result)) == (n_documents > 50)

"""Whole sets: a count or a list reads every record, wherever the best passages are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.making import filled

from pincite.questions import StoreCorpus, parse_question, retrieval_query
from pincite.retrieval import HybridRetriever, gathering
from pincite.storage.sqlite import SqliteStore
from pincite.types.question import Scope
from pincite.types.retrieval import RetrievalResult

FILLER = "\n\n".join(f"Note {n} of the harbour speaks of wind, weather and the tide of day {n}." for n in range(60))
SECTIONS = "\n\n".join(f"## Ship S{n}\n\n{'The hull is sound. ' * 12}\n\nState: ok." for n in range(60))
UNNUMBERED = "\n\n".join(f"## Ship {name}\n\n{'The hull is sound. ' * 30}" for name in ("Alma", "Bo", "Cora", "Dora"))
BELOW = "## Ships\n\n" + "\n\n".join(f"### {name}\n\n{'It sails well. ' * 40}" for name in ("Alma", "Bo", "Cora"))
ROWS = "| Ship | State |\n| --- | --- |\n" + "\n".join(f"| S{n} | fit for the northern route {n} |" for n in range(90))
ITEMS = "\n".join(f"- Ship S{n}: fit for the northern route and the tide of day {n}" for n in range(90))
LED = "These ships are ours:\n\n" + "\n".join(f"- S{n}: fit for the northern route of day {n}" for n in range(90))
LINES = "\n\n".join(f"Ship S{n} is fit for the northern route and the tide of day {n}." for n in range(90))
KINDS = {
    "sections": SECTIONS, "unnumbered sections": UNNUMBERED, "sections below": BELOW, "rows": ROWS, "items": ITEMS,
    "items with a lead-in": LED, "lines": LINES,
}  # fmt: skip


@contextmanager
def asked(folder: Path, files: Mapping[str, str], question: str) -> Iterator[tuple[SqliteStore, RetrievalResult]]:
    with filled(folder, files) as store:
        query = retrieval_query(parse_question(question, StoreCorpus(store, ())), Scope())
        yield store, HybridRetriever(store, None).retrieve(query, top_k=4)


def read(result: RetrievalResult, store: SqliteStore) -> set[tuple[str, str]]:
    """Return the name of the document and the text of every line that is read."""
    names = {r.doc_id: r.name for r in store.records()}
    ranges = result.filtered_lines
    return {(names[r.doc_id], x.text) for r in ranges for x in store.lines(r.doc_id, r.first_line_id, r.last_line_id)}


@pytest.mark.parametrize("question", ["How many ships are there?", "List all ships.", "Which ships are sound?"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_line_of_the_set_is_read(kind: str, question: str, tmp_path: Path) -> None:
    """However long a set is and however its records are written, all of it is read."""
    files = {"fleet.md": f"# Harbour\n\n{FILLER}\n\n# Fleet\n\n{KINDS[kind]}\n\n# Weather\n\n{FILLER}\n"}
    with asked(tmp_path, files, question) as (store, result):
        wanted = {("fleet.md", line) for line in KINDS[kind].splitlines() if line}
        assert wanted - read(result, store) == set()
        assert len(result.candidates) <= 4
        assert any(c.role == "records" for c in result.candidates)
        assert result.caveats == ()


@pytest.mark.parametrize(
    "files",
    [
        {f"ship-{n:02}.md": f"# Vessel V-{n:02}\n\nThe vessel is afloat.\n" for n in range(30)},
        {f"vessel-{n}.txt": f"Owner: team {n}\nState: afloat\n" for n in range(30)},
    ],
    ids=["titles", "names of files"],
)
def test_a_file_each_is_read_whole(files: dict[str, str], tmp_path: Path) -> None:
    """Of records that are files every file is read, though far fewer candidates are kept."""
    with asked(tmp_path, files, "Which vessels are afloat?") as (store, result):
        assert {name for name, _ in read(result, store)} == set(files)
        assert len(result.candidates) <= 4


def test_a_set_in_several_files_is_read_in_all(tmp_path: Path) -> None:
    """Tables of one kind in several files are one set."""
    files = {
        f"invoices-{year}.md": "| Invoice | State |\n| --- | --- |\n"
        + "\n".join(f"| {year}-{n} | paid |" for n in range(60))
        for year in (2029, 2030, 2031)
    }
    with asked(tmp_path, files, "How many invoices are paid?") as (store, result):
        lines = read(result, store)
        assert {(name, line) for name, text in files.items() for line in text.splitlines()} - lines == set()


def test_other_questions_read_no_sets(tmp_path: Path) -> None:
    """A question about one record reads what is near the best places, not the whole set."""
    with asked(tmp_path, {"fleet.md": f"# Fleet\n\n{SECTIONS}\n"}, "What is the state of Ship S7?") as (store, result):
        assert not any(c.role == "records" for c in result.candidates)
        assert len(read(result, store)) < 60


def test_what_is_too_long_to_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit nothing is read, and the result says how much of the set was."""
    monkeypatch.setattr(gathering, "MAX_SET_LINES", 40)
    with asked(tmp_path, {"fleet.md": f"# Fleet\n\n{ROWS}\n"}, "How many ships are there?") as (_, result):
        (caveat,) = result.caveats
        assert caveat.startswith("covers only 40 of ")


def test_a_set_that_is_named_twice_counts_once_against_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sections and the lines in them are the same lines."""
    text = "\n\n".join(f"## Ship S{n}\n\nShip S{n} is fit." for n in range(20))
    monkeypatch.setattr(gathering, "MAX_SET_LINES", 100)
    with asked(tmp_path, {"fleet.md": f"# Fleet\n\n{text}\n"}, "How many ships are there?") as (_, result):
        assert result.caveats == ()


def test_a_set_is_read_in_every_small_document(tmp_path: Path) -> None:
    """The records of fifty files are all read."""
    files = {f"day{n}.md": f"# Day {n}\n\n- Ship A{n}: in\n- Ship B{n}: out\n- Ship C{n}: in\n" for n in range(50)}
    with asked(tmp_path, files, "How many ships are in?") as (store, result):
        lines = [text for _, text in read(result, store) if text.startswith("- Ship")]
    assert len(lines) == 150
    assert result.caveats == ()


def test_documents_that_are_not_looked_through_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the documents that speak of a set are too many, the count says so."""
    monkeypatch.setattr(gathering, "MAX_SET_DOCUMENTS", 4)
    monkeypatch.setattr(gathering, "MAX_SET_LINES", 30)
    files = {f"day{n}.md": f"# Day {n}\n\n- Ship A{n}: in\n- Ship B{n}: out\n- Ship C{n}: in\n" for n in range(9)}
    with asked(tmp_path, files, "How many ships are in?") as (_, result):
        assert any("not looked through: 3 more documents speak of ships" in caveat for caveat in result.caveats)

"""Suites as they are read from folders."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import SettingsError
from pincite.evaluation.beir import beir_documents
from pincite.evaluation.suites import load_suite, sampled

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that writes a suite of the folder form."""

    def write(*questions: dict[str, Any] | str, about: dict[str, Any] | None = None) -> Path:
        (tmp_path / "docs" / "deep").mkdir(parents=True, exist_ok=True)
        for name in ("a.md", "deep/b.md", ".hidden"):
            (tmp_path / "docs" / name).write_text("# A\n\ntext\n", encoding="utf-8")
        lines = [q if isinstance(q, str) else json.dumps(q) for q in questions]
        (tmp_path / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        if about is not None:
            (tmp_path / "suite.json").write_text(json.dumps(about), encoding="utf-8")
        return tmp_path

    return write


def test_a_suite_is_read_with_what_others_wrote_into_it(make: Make) -> None:
    """Fields that pincite does not know are passed over; documents in folders below are found, hidden ones are not."""
    suite = load_suite(
        make(
            {"id": "1", "question": "Q?", "docs": ["deep/b.md"], "evidence": [{"doc": "a.md", "page": None}], "x": 1},
            about={"name": "mine", "n_docs": 2},
        )
    )

    assert (suite.name, suite.files, suite.scope, suite.samples[0].evidence[0].doc) == (
        "mine",
        ("a.md", "deep/b.md"),
        "docs",
        "a.md",
    )


def test_sections_are_looked_for_in_the_whole_folder(make: Make) -> None:
    """Where the evidence is a heading, the question is asked of every document."""
    question = {"id": "1", "question": "Q?", "docs": ["a.md"], "evidence": [{"doc": "a.md", "heading": "A"}]}

    assert load_suite(make(question)).scope == "folder"
    assert load_suite(make(question, about={"scope": "docs"})).scope == "docs"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['{"id": "1"}'], "line 1: Object missing required field `question`"),
        (["", "{"], "line 2: "),
        (['{"id": "1", "question": "Q?", "docs": ["gone.md"]}'], "there is no document 'gone.md' in docs/"),
        (['{"id": "1", "question": "Q?"}'] * 2, "line 2: the id '1' is there twice"),
        ([""], "there are no questions"),
    ],
)
def test_a_fault_in_a_suite_is_named_with_its_place(make: Make, lines: list[str], said: str) -> None:
    """Whoever writes a suite is told the line and what is wrong with it."""
    with pytest.raises(SettingsError) as caught:
        load_suite(make(*lines))

    assert said in str(caught.value)


def test_no_suite_is_an_error(tmp_path: Path) -> None:
    """A folder that is not there, or without documents, says what a suite is."""
    with pytest.raises(SettingsError, match="there is no such folder; a suite is a folder with"):
        load_suite(tmp_path / "gone")
    with pytest.raises(SettingsError, match="the documents of a suite are in docs/"):
        load_suite(tmp_path)


def test_a_sample_is_always_the_same_and_part_of_a_larger_one(make: Make) -> None:
    """Figures of `--limit 3` can be compared from run to run, and those questions are among those of `--limit 7`."""
    suite = load_suite(make(*({"id": str(n), "question": "Q?"} for n in range(20))))
    three, seven = ({s.id for s in sampled(suite, n)} for n in (3, 7))

    assert (len(three), len(seven), three < seven) == (3, 7, True)
    assert sampled(suite, 100) == suite.samples


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    """Return a suite in BEIR form."""
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "A  title", "text": "One sentence. Another one."}\n{"_id": "d2", "text": "No title."}\n'
    )
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "What?"}\n{"_id": "q2", "text": "Never judged?"}\n')
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n")
    return tmp_path


def test_beir_queries_come_with_their_judgements(beir: Path) -> None:
    """Only judged queries are asked, grades are kept, and documents of grade 0 are not relevant."""
    suite = load_suite(beir)

    assert suite.form == "beir"
    assert [(s.id, [(e.doc, e.grade) for e in s.evidence]) for s in suite.samples] == [("q1", [("d1", 2)])]


def test_a_beir_document_has_its_title_as_heading_and_a_sentence_a_line(beir: Path) -> None:
    """So a place in an abstract is a sentence, and its title counts for all of it."""
    assert dict(beir_documents(beir / "corpus.jsonl")) == {
        "d1": "# A title\n\nOne sentence.\nAnother one.\n",
        "d2": "No title.\n",
    }


def test_a_flat_judgement_file_will_do(beir: Path) -> None:
    """`qrels.tsv` beside the corpus is read as well; without any, the error says what is missing."""
    (beir / "qrels" / "test.tsv").rename(beir / "qrels.tsv")
    assert len(load_suite(beir).samples) == 1

    (beir / "qrels.tsv").unlink()
    with pytest.raises(SettingsError, match=r"there is no qrels/test\.tsv"):
        load_suite(beir)

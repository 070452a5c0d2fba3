"""Whole runs on a small suite: through the real pipeline, kept, resumed, and gated."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.interfaces.conftest import Run, run  # noqa: F401 - a fixture

from pincite.evaluation import Options, Summary, evaluate, load_suite
from pincite.evaluation.corpus import Corpus
from pincite.evaluation.observing import observe
from pincite.evaluation.runner import read_records
from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer

HANDBOOK = (
    "# Handbook\n\nThe annual fee is 40 EUR.\n\n## Notice\n\nThe notice period is three months.\n\nDogs stay out.\n"
)
QUESTIONS: list[dict[str, Any]] = [
    {"id": "fee", "question": "How high is the annual fee?", "answers": ["40 EUR"], "shape": "amount",
     "docs": ["handbook.md"], "evidence": [{"doc": "handbook.md", "text": "The annual fee is 40 EUR."}]},
    {"id": "notice", "question": "What is the notice period?", "answers": ["three months"], "docs": ["handbook.md"],
     "evidence": [{"doc": "handbook.md", "text": "The notice period is three months."}]},
    {"id": "no", "question": "Who repaired the clock tower?", "answerable": False, "docs": ["handbook.md"]},
]  # fmt: skip


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Return a suite of three questions."""
    folder = tmp_path / "suite"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    (folder / "questions.jsonl").write_text("".join(json.dumps(q) + "\n" for q in QUESTIONS), encoding="utf-8")
    return folder


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Return a library for the suite, without an embedder."""
    with Library(tmp_path / "library", settings=Settings(embedder="none", jobs=1)) as opened:
        yield opened


Evaluated = Callable[..., Summary]


@pytest.fixture
def evaluated(suite: Path, library: Library, tmp_path: Path) -> Evaluated:
    """Return a function that runs the suite."""

    def go(**options: Any) -> Summary:
        return evaluate(load_suite(suite), library, tmp_path / "results", options=Options(**options))

    return go


def values(summary: Summary, *names: str) -> dict[str, float]:
    """Return some measures."""
    return {name: summary.measures[name].value for name in names}


@pytest.mark.slow
def test_a_run_measures_finding_answering_and_refusing(evaluated: Evaluated) -> None:
    """Every question goes through the real pipeline, and the measures say what came out."""
    summary = evaluated()

    assert summary.n == 3
    assert values(summary, "paragraph_hit@1", "gold_in_quote", "balanced_accuracy", "verified_quotes", "cost_usd") == {
        "paragraph_hit@1": 1.0,
        "gold_in_quote": 1.0,
        "balanced_accuracy": 1.0,
        "verified_quotes": 1.0,
        "cost_usd": 0.0,
    }
    assert (summary.defects, summary.errors, summary.failed_documents) == ((), (), ())


@pytest.mark.slow
def test_a_run_is_kept_with_what_it_was_made_of(evaluated: Evaluated) -> None:
    """The folder of a run holds the summary, a record a question, and rankings that other tools read."""
    summary = evaluated()
    folder = Path(summary.results)
    kept = json.loads((folder / "summary.json").read_text())
    records = read_records(folder / "records.jsonl")
    qrels = (folder / "qrels.trec").read_text().splitlines()

    assert (kept["version"], kept["settings"]["embedder"], kept["machine"]["cores"] > 0) == (
        summary.version,
        "none",
        True,
    )
    assert [(r.id, r.result) for r in records] == [("fee", "answer"), ("notice", "answer"), ("no", "not_found")]
    assert qrels == ["fee 0 handbook.md#1 1", "notice 0 handbook.md#3 1"]
    assert (folder / "run.trec").read_text().startswith("fee Q0 handbook.md#1 1 ")


@pytest.mark.slow
def test_a_stopped_run_goes_on(evaluated: Evaluated) -> None:
    """Questions that were asked before the stop are not asked again, a record that was cut off is."""
    folder = Path(evaluated().results)
    (folder / "summary.json").unlink()
    file = folder / "records.jsonl"
    first, second, _ = file.read_bytes().splitlines(keepends=True)
    marked = first.replace(b'"confidence":', b'"error":"from before","confidence":').replace(b',"error":null', b"")
    file.write_bytes(marked + second[:40])

    again = evaluated()

    assert again.results == str(folder)
    assert [(r.id, r.error) for r in read_records(file)] == [("fee", "from before"), ("notice", None), ("no", None)]


@pytest.mark.slow
def test_a_finished_run_is_never_overwritten(evaluated: Evaluated) -> None:
    """A second run has a folder of its own; so has one with other options."""
    folders = {evaluated().results, evaluated().results, evaluated(limit=2).results}

    assert len(folders) == 3


@pytest.mark.slow
def test_retrieval_alone_asks_nothing(evaluated: Evaluated, library: Library) -> None:
    """`retrieval_only` measures finding, and no answer is made or kept."""
    summary = evaluated(retrieval_only=True)

    assert "paragraph_hit@1" in summary.measures
    assert not {"accuracy", "balanced_accuracy", "gold_in_quote"} & set(summary.measures)
    assert library.store.journal.traces() == ()


@pytest.mark.slow
def test_documents_are_parsed_anew_when_the_code_changed(
    evaluated: Evaluated, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kept library never answers for the parser of yesterday; with the same code nothing is parsed."""
    evaluated(retrieval_only=True)
    before = library.store.sequence
    evaluated(retrieval_only=True)
    assert library.store.sequence == before

    monkeypatch.setattr("pincite.evaluation.corpus.code_hash", lambda *_: "changed")
    evaluated(retrieval_only=True)
    assert library.store.sequence > before


@pytest.mark.slow
def test_a_quote_that_is_not_in_its_document_is_a_defect(suite: Path, library: Library) -> None:
    """The evaluation looks each quote up itself: a pincite that verified a false one would be found out."""
    corpus = Corpus(load_suite(suite), library)
    corpus.fill(("handbook.md",))
    sample = corpus.suite.samples[0]
    ask = library.ask

    def lie(question: str, **options: Any) -> Any:
        result = ask(question, **options)
        assert isinstance(result, Answer)
        cites = tuple(replace(c, quote="The annual fee is 41 EUR.") for c in result.items[0].citations)
        return replace(result, items=(replace(result.items[0], citations=cites),))

    assert [c.is_in_document for c in observe(sample, corpus).citations] == [True]
    library.ask = lie  # type: ignore[method-assign]
    assert [c.is_in_document for c in observe(sample, corpus).citations] == [False]


@pytest.mark.slow
def test_a_document_that_cannot_be_read_is_no_crash(suite: Path, evaluated: Evaluated) -> None:
    """Its questions are errors with a reason, and score 0; the others are asked."""
    (suite / "docs" / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    question = {"id": "b", "question": "What?", "docs": ["broken.pdf"], "evidence": [{"doc": "broken.pdf", "page": 1}]}
    with (suite / "questions.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(question) + "\n")

    summary = evaluated()

    assert summary.failed_documents[0].startswith("broken.pdf: ")
    assert summary.errors == ("b: unknown_document: broken.pdf is not in the library: it could not be read",)
    assert values(summary, "page_hit@1", "paragraph_hit@1") == {"page_hit@1": 0.0, "paragraph_hit@1": 1.0}


@pytest.mark.slow
def test_beir_suites_rank_documents(tmp_path: Path, library: Library) -> None:
    """A corpus of rows is searched like files, and measured by nDCG under its plain name."""
    folder = tmp_path / "beir"
    folder.mkdir()
    rows = [
        {"_id": "d1", "title": "Boats", "text": "Boats pay a fee."},
        {"_id": "d2", "text": "Cranes lift eight tons."},
    ]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "Cranes lift tons."}\n')
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\td2\t1\n")

    summary = evaluate(load_suite(folder), library, tmp_path / "results")

    assert values(summary, "ndcg@10", "hit@1") == {"ndcg@10": 1.0, "hit@1": 1.0}
    assert "accuracy" not in summary.measures


@pytest.mark.slow
def test_the_command_prints_measures_and_keeps_the_library(suite: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    """`pincite eval` prints a table with intervals and shapes; nothing lands in the user's own library."""
    ran = run("eval", suite, "--work", tmp_path / "work")

    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[:2] for line in ran.out.splitlines() if line.startswith("balanced")] == [
        ["balanced_accuracy", "1.000"]
    ]
    assert "SHAPE" in ran.out
    assert ((tmp_path / "work" / "library").is_dir(), (tmp_path / "library").exists()) == (True, False)


@pytest.mark.slow
def test_json_has_value_and_interval_of_each_measure(suite: Path, run: Run) -> None:  # noqa: F811
    """A script reads `{suite, n, measures: {name: {value, low, high}}}`."""
    result = run("eval", suite, "--json").json

    assert (result["result"], result["suite"], result["n"]) == ("evaluation", "suite", 3)
    assert {"value": 1.0, "low": 1.0, "high": 1.0}.items() <= result["measures"]["paragraph_hit@1"].items()


@pytest.mark.slow
def test_a_gate_decides_the_exit_code(suite: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    """0 where every gate holds; 1 with the measure, its value and its gate where one does not."""
    gates = tmp_path / "gates.toml"
    gates.write_text("[gates]\nbalanced_accuracy = 0.9\n")
    held = run("eval", suite, "--gate", gates)
    gates.write_text('[gates]\nbalanced_accuracy = 0.9\n"paragraph_hit@1" = 1.01\n')
    failed = run("eval", suite, "--gate", gates, "--json")

    assert (held.code, held.out.splitlines()[-1]) == (0, "1 gate: all hold")
    assert (failed.code, failed.json["failed"][0]["measure"]) == (1, "paragraph_hit@1")
    assert "paragraph_hit@1 is 1.0000, below its gate 1.0100" in failed.err

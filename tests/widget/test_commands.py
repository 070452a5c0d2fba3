"""`pincite widget` at the command line, from documents to a page's files."""

import json
from pathlib import Path

import pytest
from tests.interfaces.conftest import Run, docs, filled, run

__all__ = ["docs", "filled", "run"]

PASSAGES = """\
title: Ask the harbour
suggestions: ["When is the gate closed?"]
scoring: {threshold: 2}
passages:
  - {id: gate, title: Gate, text: The gate is closed at dusk., url: /gate, reviewed-by: Ada, reviewed-on: 2026-11-30}
  - {id: fee, title: Fee, text: A boat pays 14 euros a night., url: /fee, reviewed-by: Ada, reviewed-on: 2026-11-30}
  - {id: dogs, title: Dogs, text: Dogs are allowed on a lead., url: /dogs}
"""
EVALS = """\
- {question: When is the gate closed, passage: gate}
- {question: What does a boat pay, passage: [fee, gate]}
- {question: Where is the airport, refuse: true}
"""


@pytest.fixture
def passages(tmp_path: Path) -> Path:
    """Return a file of passages with its evals beside it."""
    (tmp_path / "p.evals.yaml").write_text(EVALS, encoding="utf-8")
    (tmp_path / "p.yaml").write_text(PASSAGES, encoding="utf-8")
    return tmp_path / "p.yaml"


def test_candidates_are_drafted_from_files(run: Run, docs: Path, tmp_path: Path) -> None:
    """Each passage of a Markdown site becomes a candidate with its cite and address; none of them is reviewed."""
    from pincite.widget import read_source

    ran = run("widget", "init", docs, "--out", "c.yaml", "--url", "https://example.org/{path}#{anchor}")

    drafts = {draft.title: draft for draft in read_source(tmp_path / "c.yaml").passages}
    assert (ran.code, ran.out.splitlines()[0].split()[1]) == (0, "candidates")
    assert (drafts["Policy"].text, drafts["Policy"].url, drafts["Policy"].is_reviewed) == (
        "Every visitor signs the book at the gate before entering the plant.",
        "https://example.org/policy#policy",
        False,
    )
    assert drafts["Policy"].cite == "policy.md l.1–3"


def test_candidates_are_drafted_from_the_library(filled: Run, tmp_path: Path) -> None:
    """Without a path the library is drafted from; reviews that are there are never overwritten."""
    first = filled("widget", "init", "--json")
    again = filled("widget", "init")

    assert (first.json["result"], first.json["passages"] > 0) == ("widget_init", True)
    assert (again.code, "reviews are not overwritten" in again.err) == (1, True)


def test_unreviewed_candidates_are_not_built(filled: Run) -> None:
    """What nobody has signed is not shown to anybody."""
    filled("widget", "init")

    ran = filled("widget", "build", "passages.yaml", "--no-evals")

    assert (ran.code, "no passage is reviewed" in ran.err) == (1, True)


def test_a_site_is_built(run: Run, passages: Path, tmp_path: Path) -> None:
    """The index holds the reviewed passages alone, the element lies beside it, and the line to embed is printed."""
    ran = run("widget", "build", passages, "--out", "site")

    index = json.loads((tmp_path / "site" / "pincite-index.json").read_bytes())
    assert (ran.code, [passage["id"] for passage in index["passages"]]) == (0, ["gate", "fee"])
    assert index["scoring"] == {
        "term_weight": 2.0, "prefix_share": 0.5, "prefix_min": 4, "shown": 3, "threshold": 2.0, "keep_share": 0.55,
    }  # fmt: skip
    assert "define" in (tmp_path / "site" / "pincite-ask.js").read_text(encoding="utf-8")
    assert ran.out.splitlines()[-1] == (
        '<script type="module" src="pincite-ask.js"></script><pincite-ask src="pincite-index.json"></pincite-ask>'
    )


def test_the_same_passages_give_the_same_index(run: Run, passages: Path, tmp_path: Path) -> None:
    """A build can be compared byte by byte: no clock and no order of the machine is in it."""
    run("widget", "build", passages, "--out", "one")
    run("widget", "build", passages, "--out", "two")

    assert (tmp_path / "one/pincite-index.json").read_bytes() == (tmp_path / "two/pincite-index.json").read_bytes()


def test_failing_evals_stop_the_build(run: Run, passages: Path, tmp_path: Path) -> None:
    """An index that answers wrongly is not written, and what went wrong is shown with scores and matched terms."""
    (tmp_path / "bad.yaml").write_text(
        "- {question: When is the gate closed, passage: fee}\n- {question: boat, refuse: true}\n", encoding="utf-8"
    )

    ran = run("widget", "build", passages, "--out", "site", "--evals", "bad.yaml")

    assert ran.code == 1
    assert not (tmp_path / "site").exists()
    assert ran.out.splitlines()[:2] == [
        "✗ bad.yaml:1 “When is the gate closed”: fee has to come first, and gate did",
        "    1. 4.40 gate: gate 2.20, closed 2.20",
    ]
    assert "nothing was written: 2 evals failed" in ran.err


def test_a_build_without_evals_is_asked_for(run: Run, passages: Path, tmp_path: Path) -> None:
    """The gate is not forgotten by accident: leaving it out has to be said."""
    (tmp_path / "p.evals.yaml").unlink()

    assert "--no-evals" in run("widget", "build", passages).err
    assert run("widget", "build", passages, "--no-evals", "--out", "site").code == 0


def test_evals_propose_a_threshold(run: Run, passages: Path) -> None:
    """The margin lies between the weakest right answer and the strongest that must be refused."""
    ran = run("widget", "eval", passages)

    assert (ran.code, ran.out.splitlines()) == (
        0,
        [
            "3 of 3 evals passed",
            "weakest right answer   2.20 “What does a boat pay”",
            "strongest to refuse    0.00 “Where is the airport”",
            "margin 2.20; threshold 2, proposed 1.1",
        ],
    )
    assert run("widget", "eval", passages, "--json").json["proposed_threshold"] == 1.1


def test_evals_that_no_threshold_parts(run: Run, passages: Path, tmp_path: Path) -> None:
    """Where what must be refused scores higher than a right answer, no threshold is made up."""
    (tmp_path / "e.yaml").write_text(
        "- {question: gate, passage: gate}\n- {question: boat pays, refuse: true}\n", encoding="utf-8"
    )

    ran = run("widget", "eval", passages, "--evals", "e.yaml")

    assert (ran.code, "no threshold parts them: they overlap by 2.20" in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("evals", "message"),
    [
        ("- {question: x, passage: gone}", "e.yaml:1: there is no reviewed passage 'gone'"),
        ("- {question: x, passage: dogs}", "there is no reviewed passage 'dogs'"),
        ("- {question: x}", "needs either `passage` or `refuse: true`"),
        ("- {question: x, passage: gate, refuse: true}", "needs either"),
        ("- {ask: x}", "e.yaml:1: an eval has"),
        ("[]", "it has to hold a list of evals"),
    ],
)
def test_an_eval_that_checks_nothing_is_an_error(
    run: Run, passages: Path, tmp_path: Path, evals: str, message: str
) -> None:
    """A misspelled eval does not pass."""
    (tmp_path / "e.yaml").write_text(evals, encoding="utf-8")

    ran = run("widget", "eval", passages, "--evals", "e.yaml")

    assert (ran.code, message in ran.err) == (1, True)


def test_a_suggestion_that_is_refused_is_an_error(run: Run, passages: Path) -> None:
    """What the page offers, it answers."""
    text = PASSAGES.replace("When is the gate closed?", "Where is the airport?")
    passages.write_text(text, encoding="utf-8")

    assert "'Where is the airport?' is refused" in run("widget", "build", passages).err


def test_lint_says_what_to_look_at(run: Run, passages: Path) -> None:
    """Nothing to look at is 0; a finding has its place and is 1."""
    clean = run("widget", "lint", passages)
    passages.write_text(PASSAGES.replace("The gate is closed", "It is closed"), encoding="utf-8")
    found = run("widget", "lint", passages)

    assert (clean.code, clean.out) == (0, "2 of 3 passages reviewed, 0 findings\n")
    assert (found.code, found.out.splitlines()[0]) == (
        1,
        "p.yaml:5 gate: not_self_contained: 'It' stands for something outside of it; name the thing",
    )
    assert run("widget", "lint", passages, "--json").json["findings"][0]["kind"] == "not_self_contained"


def test_the_example_is_in_order(run: Run) -> None:
    """The example that people copy has 35 reviewed facts, nothing to look at, and evals that pass."""
    file = Path(__file__).parents[2] / "examples" / "widget" / "passages.yaml"

    assert run("widget", "lint", file).out == "35 of 35 passages reviewed, 0 findings\n"
    assert run("widget", "eval", file).code == 0

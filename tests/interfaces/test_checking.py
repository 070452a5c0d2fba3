"""`pincite trace`, `replay` and `audit`."""

from pathlib import Path

import pytest
from tests.interfaces.conftest import HANDBOOK, Run

FEE = "What is the annual fee?"


def test_lists_what_was_asked(filled: Run) -> None:
    """Questions are listed newest first, with what came of them."""
    filled("ask", FEE)
    filled("ask", "Who won the chess championship?")

    traces = filled("trace", "--json").json["traces"]

    assert [(t["question"], t["result"]) for t in traces][1] == (FEE, "answer")
    assert [line.split()[0] for line in filled("trace").out.splitlines()[1:]] == [t["trace_id"] for t in traces]


def test_a_trace_is_the_whole_story(filled: Run) -> None:
    """A trace shows the result and how it came about; in JSON every step."""
    trace_id = filled("ask", FEE, "--json").json["trace_id"]

    assert "Understood  " in filled("trace", trace_id).out
    steps = [s["name"] for s in filled("trace", trace_id, "--json").json["trace"]["steps"]]
    assert steps == ["question", "retrieval", "answer", "verify"]


@pytest.mark.parametrize("step", ["retrieval", "answer", "verify"])
def test_replays_from_a_step(filled: Run, step: str) -> None:
    """Running again from any step gives the same items, under a new trace."""
    first = filled("ask", FEE, "--json").json
    again = filled("replay", first["trace_id"], "--from", step, "--json").json

    assert (again["items"], again["trace_id"] == first["trace_id"]) == (first["items"], False)


def test_traces_of_named_files_are_found(run: Run, docs: Path) -> None:
    """What was asked of files on the spot can be traced by its id like any other."""
    run("add", docs / "policy.md")
    trace_id = run("ask", FEE, docs / "handbook.md", "--json").json["trace_id"]

    assert run("trace", trace_id, "--json").json["trace"]["question"] == FEE


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (HANDBOOK + "\nA new last line.\n", "holds"),
        (HANDBOOK.replace("# Handbook\n", "# Handbook\n\nA new first line.\n"), "moved"),
        (HANDBOOK.replace("40 EUR", "55 EUR"), "changed"),
        (None, "gone"),
    ],
)
def test_audits_stored_answers(filled: Run, docs: Path, text: str | None, status: str) -> None:
    """After a document changed, a stored cite holds, has moved, has changed, or its document is gone."""
    filled("ask", FEE)
    if text is None:
        filled("rm", "handbook.md")
    else:
        (docs / "handbook.md").write_text(text, encoding="utf-8")
        filled("add", docs)

    ran, as_json = filled("audit", "--exit-code"), filled("audit", "--json")

    assert [a["status"] for a in as_json.json["answers"]] == [status]
    assert (ran.out.split()[1], ran.code) == (status, 3 if status in ("changed", "gone") else 0)


def test_a_moved_cite_says_where_it_is_now(filled: Run, docs: Path) -> None:
    """The audit names the new place of what moved."""
    filled("ask", FEE)
    (docs / "handbook.md").write_text("# New\n\n" + HANDBOOK, encoding="utf-8")
    filled("add", docs)

    assert "handbook.md l.5: moved, now handbook.md l.7" in filled("audit").out


def test_a_renamed_document_is_no_loss(filled: Run, docs: Path) -> None:
    """A document with the same bytes under another name keeps the cites: they moved with it."""
    filled("ask", FEE)
    filled("rm", "handbook.md")
    (docs / "handbook.md").rename(docs / "manual.md")
    filled("add", docs)

    assert "now manual.md l.5" in filled("audit").out


def test_fix_moves_what_only_moved(filled: Run, docs: Path, tmp_path: Path) -> None:
    """After `--fix` the stored answer names the present place, holds, and passes as a bundle; nothing else changed."""
    trace_id = filled("ask", FEE, "--json").json["trace_id"]
    (docs / "handbook.md").write_text("# New\n\n" + HANDBOOK, encoding="utf-8")
    filled("add", docs)

    fixed = filled("audit", "--fix")
    assert "moved, now handbook.md l.7, fixed" in fixed.out
    (answer,) = filled("audit", "--json").json["answers"]
    assert (answer["status"], answer["citations"][0]["place"]) == ("holds", "handbook.md l.7")
    stored = filled("trace", trace_id, "--json").json["trace"]
    citation = stored["result"]["items"][0]["citations"][0]
    assert (citation["first_line"], citation["quote"]) == (7, "The annual fee is 40 EUR.")
    assert citation["content_hash"] in {state["content_hash"] for state in stored["documents"]}
    assert stored["result"]["items"][0]["text"] == "40 EUR"


@pytest.mark.parametrize("text", [HANDBOOK.replace("40 EUR", "55 EUR"), None])
def test_fix_leaves_what_changed_or_is_gone(filled: Run, docs: Path, text: str | None) -> None:
    """An answer that the documents no longer give stays what it was, and is reported every time."""
    trace_id = filled("ask", FEE, "--json").json["trace_id"]
    before = filled("trace", trace_id, "--json").json["trace"]
    if text is None:
        filled("rm", "handbook.md")
    else:
        (docs / "handbook.md").write_text(text, encoding="utf-8")
        filled("add", docs)

    filled("audit", "--fix")

    assert filled("trace", trace_id, "--json").json["trace"] == before
    assert filled("audit", "--exit-code").code == 3


def test_a_document_that_changed_elsewhere_is_said(filled: Run, docs: Path) -> None:
    """A quote that holds in a document with other bytes than those that were cited is said to."""
    filled("ask", FEE)
    (docs / "handbook.md").write_text(HANDBOOK + "\nA new last line.\n", encoding="utf-8")
    filled("add", docs)

    assert "holds, source changed since" in filled("audit").out
    filled("audit", "--fix")
    assert "source changed since" not in filled("audit").out

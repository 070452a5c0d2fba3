"""Is this cite right? What readers say is kept with the cite, and comes out as a suite that `pincite eval` runs."""

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import json
from tests.interfaces.conftest import Run
from tests.interfaces.http.access.conftest import SETTINGS, Running, running

from pincite.errors import SettingsError
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.feedback_suite import write_suite
from pincite.interfaces.http.state.feedback import Feedback
from pincite.library import Library

MEMO = Path(__file__).parents[3] / "cases" / "CIT06-one-page-document" / "memo.pdf"
HARBOUR = "# Harbour\n\nThe harbour fee is 40 EUR.\n\nThe harbour master is Ms Lind.\n"
FEE, LOCK = "What is the harbour fee?", "When is the north lock shut?"

Judge = Callable[..., httpx.Response]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    """Return a server with a Markdown file and a PDF."""
    (tmp_path / "../harbour.md").resolve()
    source = tmp_path / "in"
    source.mkdir()
    (source / "harbour.md").write_text(HARBOUR, encoding="utf-8")
    (source / "memo.pdf").write_bytes(MEMO.read_bytes())
    with Library(tmp_path / "library", settings=SETTINGS) as library:
        library.add(source)
    with running(tmp_path / "library", AccessOptions()) as found:
        yield found


@pytest.fixture
def judge(server: Running) -> Judge:
    """Return a function that asks a question and judges a cite of the answer."""

    def ask_and_judge(question: str, headers: dict[str, str] | None = None, **said: Any) -> httpx.Response:
        trace_id = server.client.post("/v1/ask", json={"question": question}).json()["trace_id"]
        return server.client.post(f"/v1/answers/{trace_id}/feedback", json=said, headers=headers)

    return ask_and_judge


def test_it_is_kept_with_the_cite(server: Running, judge: Judge) -> None:
    """What was said stands beside question, document and quote, as they were shown."""
    said = judge(FEE, right=True, note="<b>yes</b>")
    kept = server.client.get("/v1/feedback", params={"trace_id": said.json()["trace_id"]}).json()["feedback"]

    assert (said.status_code, kept) == (201, [said.json()])
    assert (kept[0]["question"], kept[0]["doc_name"], kept[0]["note"], kept[0]["said_by"]) == (
        FEE,
        "harbour.md",
        "<b>yes</b>",
        "local",
    )
    assert "40 EUR" in kept[0]["quote"]


def test_a_second_thought_counts(server: Running, judge: Judge) -> None:
    """Who says something else later has said only that; another reader's word stands beside it."""
    trace_id = judge(FEE, right=True).json()["trace_id"]
    path = f"/v1/answers/{trace_id}/feedback"
    server.client.post(path, json={"right": False})
    server.client.post(path, json={"right": True}, headers=server.token("ask", name="Ana"))
    kept = server.client.get("/v1/feedback").json()["feedback"]

    assert [(one["said_by"], one["right"]) for one in kept] == [("local", False), ("Ana", True)]


def test_what_cannot_be_judged(server: Running, judge: Judge) -> None:
    """A cite that is not there cannot be right or wrong, and neither can one be something else."""
    wrong: list[dict[str, Any]] = [
        {"right": True, "item": 7},
        {"right": True, "item": -1},
        {"right": True, "citation": 9},
        {"right": "perhaps"},
        {},
        {"right": True, "note": "x" * 2001},
    ]

    assert [judge(FEE, **said).status_code for said in wrong] == [422] * len(wrong)
    assert server.client.get("/v1/feedback").json() == {"feedback": []}


def test_refusals_and_unknown_answers_have_no_cite(server: Running, judge: Judge) -> None:
    """There is nothing to judge in a refusal, or where nothing was asked."""
    unknown = server.client.post("/v1/answers/none/feedback", json={"right": True})

    assert (judge("Who painted the moon in 1871?", right=True).status_code, unknown.status_code) == (422, 404)


def test_without_a_right_cite_there_is_no_suite(server: Running, judge: Judge) -> None:
    """As long as nobody called a cite right there is nothing to ask again, and that is said."""
    judge(FEE, right=False)
    answer = server.client.get("/v1/feedback/suite")

    assert (answer.status_code, answer.json()["code"]) == (409, "no_feedback")


def test_the_suite_runs(server: Running, judge: Judge, run: Run, tmp_path: Path) -> None:
    """The suite that is downloaded is run by `pincite eval` as it is, and today's pincite passes it."""
    judge(FEE, right=True)
    judge(LOCK, right=True)
    judge("Who is the harbour master?", right=False, note="she left")
    packed = server.client.get("/v1/feedback/suite")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        archive.extractall(tmp_path / "suite")
    measured = run("eval", tmp_path / "suite", "--work", tmp_path / "work", "--json")
    rejected = json.decode((tmp_path / "suite" / "rejected.jsonl").read_bytes())

    assert packed.headers["content-type"] == "application/zip"
    assert (measured.code, measured.json["n"], measured.json["errors"]) == (0, 2, [])
    assert {name: measured.json["measures"][name]["value"] for name in ("accuracy", "citation_recall")} == {
        "accuracy": 1.0,
        "citation_recall": 1.0,
    }
    assert (rejected["rejected"][0]["note"], "Lind" in rejected["rejected"][0]["text"]) == ("she left", True)


def test_the_command_line_writes_the_same(server: Running, judge: Judge, run: Run, tmp_path: Path) -> None:
    """`pincite feedback export` writes the same suite, while the server runs, and overwrites nothing."""
    judge(LOCK, right=True)
    first = run("feedback", "export", tmp_path / "out", "--library", server.folder)
    again = run("feedback", "export", tmp_path / "out", "--library", server.folder)
    sample = json.decode((tmp_path / "out" / "questions.jsonl").read_bytes())

    assert (first.code, "1 question, 1 document" in first.out, again.code) == (0, True, 1)
    assert (sample["question"], sample["docs"], sample["evidence"][0]["page"]) == (LOCK, ["memo.pdf"], 1)
    assert (tmp_path / "out" / "docs" / "memo.pdf").read_bytes() == MEMO.read_bytes()


def test_collections_are_exported_alone(server: Running, judge: Judge, run: Run, tmp_path: Path) -> None:
    """Another collection has feedback of its own: here none."""
    judge(LOCK, right=True)
    server.client.post("/v1/collections", json={"name": "empty"})
    ran = run("feedback", "export", tmp_path / "out", "--library", server.folder, "--collection", "empty")
    odd = run("feedback", "export", tmp_path / "out", "--library", server.folder, "--collection", "../default")

    assert (ran.code, "no cite has been called right" in ran.err, odd.code, (tmp_path / "out").exists()) == (
        1,
        True,
        1,
        False,
    )


def said(library: Library, name: str, **more: Any) -> Feedback:
    """Return feedback on the first document of a library, which was called `name`."""
    record = library.documents()[0]
    fields = {
        "trace_id": "t1", "item": 0, "citation": 0, "said_by": "a", "said_at": "2026", "right": True, "note": "",
        "question": FEE, "shape": "amount", "item_text": "40 EUR", "doc_id": record.doc_id, "doc_name": name,
        "content_hash": record.content_hash, "page": 1, "quote": "The harbour fee is 40 EUR.",
    }  # fmt: skip
    return Feedback(**{**fields, **more})


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Return a library with one document."""
    (tmp_path / "harbour.md").write_text(HARBOUR, encoding="utf-8")
    with Library(tmp_path / "lib", settings=SETTINGS) as made:
        made.add(tmp_path / "harbour.md")
        yield made


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\a b.md", "a-b.md"),
        (".hidden.md", "hidden.md"),
        ("a/b\x00c\n.md", "b-c-.md"),
        ("ä" * 300 + ".md", "ä" * 80 + ".md"),
        ("...", "document"),
        ("\u202efdp.exe", "fdp.exe"),
    ],
)
def test_names_of_documents_lead_nowhere(library: Library, tmp_path: Path, name: str, written: str) -> None:
    """Whatever a document is called, its file in the suite lies in docs/ under a plain name."""
    write_suite([said(library, name)], library, tmp_path / "out")

    assert [path.name for path in (tmp_path / "out" / "docs").iterdir()] == [written]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["docs", "questions.jsonl", "suite.json"]


def test_what_readers_disagree_on_is_not_called_right(library: Library, tmp_path: Path) -> None:
    """A cite that one reader called right and another wrong is in no suite."""
    both = [said(library, "a.md"), said(library, "a.md", said_by="b", right=False)]

    with pytest.raises(SettingsError, match="no cite has been called right"):
        write_suite(both, library, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_documents_that_are_gone_are_named(library: Library, tmp_path: Path) -> None:
    """A question whose document is not kept as it was is left out, and that is told."""
    gone = said(library, "b.md", trace_id="t2", content_hash="0" * 64, question="Gone?")
    report = write_suite([said(library, "a.md"), gone], library, tmp_path / "out")

    assert (report.questions, report.documents, report.left_out) == (1, 1, ("Gone?",))

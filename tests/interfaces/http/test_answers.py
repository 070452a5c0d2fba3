"""What was asked: traces, replays, bundles, and answers as files."""

import csv
import io
import json
from typing import Any

import pikepdf
import pytest
from tests.interfaces.http.conftest import Server
from tests.interfaces.http.test_asking import without_ids

from pincite.interfaces.cli import main

FRAMEWORK = "What is a CSF Community Profile?"
LIST = "Which colours does the flag have?"
FEE = "What is the annual fee?"
NOBODY = "Who is the president of the moon?"


@pytest.fixture(scope="module")
def asked(filled: Server) -> dict[str, Any]:
    """Return the results of some questions by question."""
    return {
        question: filled.client.post("/v1/ask", json={"question": question}).json()
        for question in (FRAMEWORK, LIST, FEE, NOBODY)
    }


def test_the_history_is_newest_first_and_page_by_page(filled: Server, asked: dict[str, Any]) -> None:
    """What was asked is listed with what came of it; following `next` gives every question once."""
    whole = filled.client.get("/v1/traces").json()["traces"]
    pieces: list[Any] = []
    after: str | None = ""
    while after is not None:
        part = filled.client.get("/v1/traces", params={"limit": 3, **({"after": after} if after else {})}).json()
        pieces += part["traces"]
        after = part["next"]

    assert pieces == whole
    assert [trace["question"] for trace in whole[:4]] == list(reversed(asked))
    assert whole[0]["result"] == "not_found"


def test_a_trace_tells_how_a_result_came_about(filled: Server, asked: dict[str, Any]) -> None:
    """A trace holds the steps and the result; the result can be had alone."""
    trace_id = asked[LIST]["trace_id"]
    trace = filled.client.get(f"/v1/traces/{trace_id}").json()

    assert {"question", "retrieval", "answer"} <= {step["name"] for step in trace["steps"]}
    assert trace["result"] == asked[LIST] == filled.client.get(f"/v1/answers/{trace_id}").json()


@pytest.mark.parametrize("step", ["retrieval", "answer", "verify"])
def test_a_replay_gives_the_same_result(filled: Server, asked: dict[str, Any], step: str) -> None:
    """Run again from any step, a question gets the same answer where nothing has changed, under a new trace."""
    again = filled.client.post(f"/v1/traces/{asked[LIST]['trace_id']}/replay", json={"from": step}).json()

    assert without_ids(again) == without_ids(asked[LIST])
    assert again["trace_id"] != asked[LIST]["trace_id"]


def test_a_bundle_holds_until_it_is_changed(filled: Server, asked: dict[str, Any], tmp_path: Any) -> None:
    """A bundle is checked over HTTP as on the command line; a changed digit is found out."""
    content = filled.client.get(f"/v1/answers/{asked[FEE]['trace_id']}/bundle").content
    (tmp_path / "bundle.json").write_bytes(content)
    bundle = json.loads(content)
    good = filled.client.post("/v1/verify", json=bundle).json()
    for line in bundle["lines"]:
        line["text"] = line["text"].replace("40", "41")

    bad = filled.client.post("/v1/verify", json=bundle).json()

    assert main(["verify", str(tmp_path / "bundle.json")]) == 0
    assert (good["result"], good["holds"], bad["holds"]) == ("verified", True, False)
    assert any(citation["reason"] for citation in bad["citations"])


@pytest.mark.parametrize("form", ["html", "md", "csv", "json"])
def test_an_answer_is_a_file(filled: Server, asked: dict[str, Any], form: str) -> None:
    """Each form is a download with the items and where they stand."""
    reply = filled.client.get(f"/v1/answers/{asked[LIST]['trace_id']}/export", params={"format": form})

    assert reply.headers["content-disposition"].startswith(f'attachment; filename="answer-{asked[LIST]["trace_id"]}.')
    for words in ("red", "green", "blue", "handbook.md"):
        assert words in reply.text


def test_rows_in_csv_have_their_places_and_quotes(filled: Server, asked: dict[str, Any]) -> None:
    """Each item is a row, with where it stands and what stands there."""
    reply = filled.client.get(f"/v1/answers/{asked[LIST]['trace_id']}/export", params={"format": "csv"})
    rows = list(csv.reader(io.StringIO(reply.content.decode("utf-8-sig"))))

    assert rows[0] == ["item", "value", "places", "quotes"]
    assert [row[0] for row in rows[1:]] == ["red", "green", "blue"]
    assert all(row[2].startswith("handbook.md l.") and row[0] in row[3] for row in rows[1:])


def test_the_cited_pdf_comes_with_highlights(filled: Server, asked: dict[str, Any]) -> None:
    """The PDF that an answer cites is the original with a highlight on the cited page."""
    answer = asked[FRAMEWORK]
    reply = filled.client.get(f"/v1/answers/{answer['trace_id']}/export", params={"format": "pdf"})
    citation = answer["items"][0]["citations"][0]

    with pikepdf.open(io.BytesIO(reply.content)) as pdf:
        kinds = [str(annotation.Subtype) for annotation in pdf.pages[citation["page"] - 1].Annots]
    assert "/Highlight" in kinds
    assert 'filename="framework-cited.pdf"' in reply.headers["content-disposition"]


@pytest.mark.parametrize(
    ("question", "params", "status", "code"),
    [
        (NOBODY, {"format": "csv"}, 409, "no_answer"),
        (NOBODY, {"format": "pdf"}, 409, "no_answer"),
        (LIST, {"format": "pdf"}, 404, "no_pdf_cited"),
        (FRAMEWORK, {"format": "pdf", "doc": "nope"}, 404, "no_pdf_cited"),
        (LIST, {"format": "exe"}, 422, "invalid_request"),
    ],
)
def test_a_form_that_there_is_not(
    filled: Server, asked: dict[str, Any], question: str, params: dict[str, str], status: int, code: str
) -> None:
    """What cannot be written in a form says why, and which form to take."""
    reply = filled.client.get(f"/v1/answers/{asked[question]['trace_id']}/export", params=params)

    assert (reply.status_code, reply.json()["code"]) == (status, code)


@pytest.mark.parametrize("form", ["html", "md", "json"])
def test_a_refusal_is_a_file_too(filled: Server, asked: dict[str, Any], form: str) -> None:
    """A refusal can be kept as what it is: what was searched and read."""
    reply = filled.client.get(f"/v1/answers/{asked[NOBODY]['trace_id']}/export", params={"format": form})

    assert reply.status_code == 200
    assert "president" in reply.text


@pytest.mark.parametrize(
    "path",
    [
        "/v1/traces/{}",
        "/v1/answers/{}",
        "/v1/answers/{}/export",
        "/v1/answers/{}/bundle",
        "/v1/jobs/{}",
        "/v1/evals/{}",
    ],
)
@pytest.mark.parametrize("unknown", ["nope", "..%2f..", "%00"])
def test_unknown_ids_are_not_found(filled: Server, path: str, unknown: str) -> None:
    """An id that is not there is a problem document of status 404, on every route."""
    reply = filled.client.get(path.format(unknown))

    assert (reply.status_code, reply.headers["content-type"]) == (404, "application/problem+json")


def test_saved_runs_of_eval_are_listed(server: Server) -> None:
    """Runs of `pincite eval` that are kept in the library are listed, newest first, and read one by one."""
    for name, started in (("2027-01-01T000000.000", "2027-01-01"), ("2027-02-01T000000.000", "2027-02-01")):
        folder = server.served.folder / "evals" / "suite" / "results" / name
        folder.mkdir(parents=True)
        summary = {
            "suite": "suite", "n": 3, "measures": {}, "by_shape": {}, "defects": [], "errors": [],
            "failed_documents": [], "version": "1", "settings": {}, "options": {}, "machine": {},
            "started_at": started, "seconds": 1.0, "results": str(folder),
        }  # fmt: skip
        (folder / "summary.json").write_text(json.dumps(summary))

    evals = server.client.get("/v1/evals").json()["evals"]
    one = server.client.get(f"/v1/evals/{evals[0]['eval_id']}").json()

    assert [found["started_at"] for found in evals] == ["2027-02-01", "2027-01-01"]
    assert (one["suite"], str(server.served.folder) in json.dumps(one)) == ("suite", False)

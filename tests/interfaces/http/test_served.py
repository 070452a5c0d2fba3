"""Collections, the description of the API, and the form of every error."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.interfaces.http.conftest import HANDBOOK, Serve, Server

from pincite import errors
from pincite.errors import PinciteError, SettingsError
from pincite.interfaces.http import problems
from pincite.interfaces.http.options import ServeOptions
from pincite.interfaces.http.problems import STATUS_OF, problem_of
from pincite.interfaces.http.served import Served
from pincite.library import Library
from pincite.settings import Settings

FEES = "# Fees\n\nThe notice period is one year.\n"


def test_collections_share_nothing(server: Server) -> None:
    """The same question gets each collection's own answer; ids of one are not found in another."""
    server.client.post("/v1/collections", json={"name": "other"})
    here, there = server.add("a.md", HANDBOOK), server.add("a.md", FEES, collection="other")
    question = {"question": "What is the notice period?"}
    answers = [
        server.client.post("/v1/ask", params={"collection": name}, json=question).json()
        for name in ("default", "other")
    ]

    assert [answer["items"][0]["text"] for answer in answers] == [
        "The notice period is three months.",
        "The notice period is one year.",
    ]
    for path in (
        f"/v1/documents/{here}",
        f"/v1/traces/{answers[0]['trace_id']}",
        f"/v1/answers/{answers[0]['trace_id']}",
    ):
        codes = [server.client.get(path, params={"collection": name}).status_code for name in ("default", "other")]
        assert codes == [200, 404]
    assert server.client.get(f"/v1/documents/{there}").status_code == 404
    listed = server.client.get("/v1/collections").json()["collections"]
    assert listed == [{"name": "default", "n_documents": 1}, {"name": "other", "n_documents": 1}]


def test_jobs_and_conversations_belong_to_their_collection(server: Server) -> None:
    """What is done in one collection is not seen from another."""
    server.client.post("/v1/collections", json={"name": "other"})
    server.add("a.md", HANDBOOK)
    conversation_id = server.client.post("/v1/conversations", json={}).json()["conversation_id"]
    (job,) = server.client.get("/v1/jobs").json()["jobs"]
    in_other = {"collection": "other"}

    assert server.client.get("/v1/jobs", params=in_other).json()["jobs"] == []
    assert server.client.get("/v1/conversations", params=in_other).json()["conversations"] == []
    for path in (
        f"/v1/jobs/{job['job_id']}",
        f"/v1/conversations/{conversation_id}",
        f"/v1/jobs/{job['job_id']}/events",
    ):
        assert server.client.get(path, params=in_other).status_code == 404
    assert server.client.post(f"/v1/jobs/{job['job_id']}/cancel", params=in_other).status_code == 404


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", "-a", "a" * 64, "default", "ä", "a\0", "con fee"])
def test_names_of_collections_are_plain(server: Server, tmp_path: Path, name: str) -> None:
    """A name that is no plain word makes nothing, and names nothing."""
    made = server.client.post("/v1/collections", json={"name": name})
    asked = server.client.get("/v1/documents", params={"collection": name or "/"})

    assert made.status_code == (409 if name == "default" else 422)
    assert asked.status_code == (200 if name == "default" else 404)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["library"]


def test_only_so_many_collections_stay_open(serve: Serve) -> None:
    """Collections that nobody uses are closed, and opened again when they are asked for."""
    server = serve(open_collections=2)
    for n in range(4):
        server.client.post("/v1/collections", json={"name": f"c{n}"})
        server.add("a.md", f"# Fee\n\nThe fee is {n} EUR.\n", collection=f"c{n}")

    listed = server.client.get("/v1/collections").json()["collections"]

    assert [one["n_documents"] for one in listed] == [0, 1, 1, 1, 1]
    assert len(server.served._open) <= 2


def test_the_description_names_real_shapes(filled: Server) -> None:
    """The description is OpenAPI 3.1; every shape that it names is there, and every reply may be a problem."""
    described = filled.client.get("/v1/openapi.json").json()
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(described)))
    shapes = described["components"]["schemas"]

    assert described["openapi"].startswith("3.1")
    assert named <= set(shapes)
    assert {"Answer", "Refusal", "Citation", "DocumentRecord", "Line", "Job", "Problem", "Trace", "Bundle"} <= set(
        shapes
    )
    assert set(shapes["CitedLine"]["properties"]) == {"line_id", "page_num", "line_num", "text"}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], path
            assert operation["description"], path
            assert "422" not in operation["responses"], (method, path)
            assert "default" in operation["responses"] or "204" in operation["responses"], (method, path)


@pytest.mark.parametrize(
    "kind", [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, PinciteError)]
)
def test_every_error_has_a_status_and_its_code(kind: type[PinciteError]) -> None:
    """Each error of pincite is a problem document with a status of its own kind and pincite's own code."""
    error = kind("what, where", origin="a.pdf") if issubclass(kind, errors.ParseError) else kind("what, where")
    found = problem_of(error)

    assert (found.code, found.type) == (kind.code, f"urn:pincite:problem:{kind.code}")
    assert 400 <= found.status < 600
    assert found.title != "A problem"
    assert set(STATUS_OF.values()) >= {found.status}


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/v1/nothing", 404), ("PUT", "/v1/documents", 405), ("GET", "/v1", 404)]
)
def test_what_is_not_there_is_a_problem_document(filled: Server, method: str, path: str, status: int) -> None:
    """A wrong path or method gets a problem document that names the path."""
    reply = filled.client.request(method, path)

    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")
    assert (reply.json()["status"], reply.json()["instance"]) == (status, path)


def test_a_fault_says_nothing_of_itself(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """What must not happen is told as a fault without a word of what it was about."""
    server = serve()

    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("secret words of a document")

    monkeypatch.setattr(server.served.library("default"), "documents", fail)
    reply = server.client.get("/v1/documents")

    assert (reply.status_code, reply.json()["code"]) == (500, "internal_error")
    assert "secret" not in reply.text


def test_a_library_that_cannot_be_used_does_not_say_where_it_is(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of the server are in its log, never in a reply."""
    server = serve()

    def fail(*_: Any, **__: Any) -> None:
        raise errors.LibraryBusyError(f"process 7 is writing to the library {str(server.served.folder)!r}")

    monkeypatch.setattr(server.served.library("default"), "documents", fail)
    reply = server.client.get("/v1/documents")

    assert (reply.status_code, reply.json()["code"], reply.headers["retry-after"]) == (503, "library_busy", "5")
    assert str(server.served.folder) not in reply.text


def test_a_served_library_is_no_document(server: Server, tmp_path: Path) -> None:
    """Who adds the folder that a served library lies in gets neither its state nor uploads nor collections."""
    server.client.post("/v1/collections", json={"name": "other"})
    server.add("a.md", HANDBOOK, collection="other")
    (server.served.folder / "uploads").mkdir(exist_ok=True)
    (server.served.folder / "uploads" / ("0" * 32)).write_text("half a file")
    with Library(tmp_path / "mine", settings=Settings(embedder="none", jobs=1)) as library:
        report = library.add(tmp_path / "library")

    assert (report.added, report.failed) == ((), ())


def test_health_and_readiness(filled: Server) -> None:
    """The server says that it runs, and that it can answer."""
    replies = [filled.client.get(f"/v1/{name}") for name in ("health", "ready")]

    assert [(reply.status_code, reply.json()["status"]) for reply in replies] == [(200, "ok"), (200, "ok")]


def test_the_state_is_its_owners_alone(filled: Server) -> None:
    """Nobody else on the machine can read tokens, jobs and conversations."""
    for file in filled.served.folder.glob("server.sqlite*"):
        assert file.stat().st_mode & 0o077 == 0, file


@pytest.mark.parametrize("wrong", [{"port": 70_000}, {"max_upload_mb": 0}, {"asking": 0}])
def test_options_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    """An option that cannot be meant is refused before anything listens."""
    with pytest.raises(SettingsError):
        ServeOptions(**wrong)


def test_one_embedder_serves_all_collections(tmp_path: Path) -> None:
    """The model is loaded once, however many collections are open."""
    with Served(tmp_path / "library", settings=Settings()) as served:
        served.create("other")

        assert served.library("other").embedder is served.library("default").embedder


def test_half_a_surrogate_pair_does_not_break_a_reply() -> None:
    """Text that no encoding can write is sent escaped."""
    assert json.loads(problems.encoded({"name": "\ud800"})) == {"name": "\ud800"}

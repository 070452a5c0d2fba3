"""Questions over HTTP: the same JSON as everywhere, events, and what happens when nobody waits any more."""

import json
import socket
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.interfaces.http.conftest import HANDBOOK, PDF, Serve, Server, until

from pincite.interfaces.cli import main
from pincite.library import Library
from pincite.settings import Settings
from pincite.types.model import ModelRequest
from pincite.types.record import dump_json

QUESTIONS = [
    "What is the notice period?",
    "Which colours does the flag have?",
    "What are the prices by size?",
    "Who is the president of the moon?",
    "What is a CSF Community Profile?",
]


def events_of(text: str) -> list[tuple[str, Any]]:
    """Return the events of a stream, each with its name and data."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def without_ids(value: Any) -> Any:
    """Return a result without what is another each time."""
    return {**value, "trace_id": ""}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_json_from_python_the_command_line_and_http(
    filled: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """One question gets the same JSON from Python, from the command line and over HTTP, as JSON and as an event."""
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    capsys.readouterr()
    assert main(["ask", question, "--library", str(filled.served.folder), "--json"]) == 0
    from_command_line = json.loads(capsys.readouterr().out)
    with Library(filled.served.folder, settings=Settings(embedder="none")) as library:
        result = library.ask(question)
        from_python = json.loads(dump_json(result))
    over_http = filled.client.post("/v1/ask", json={"question": question}).json()
    streamed = filled.client.post("/v1/ask", json={"question": question}, headers={"Accept": "text/event-stream"})

    assert without_ids(over_http) == without_ids(from_command_line) == without_ids(from_python)
    assert without_ids(events_of(streamed.text)[-1][1]["result"]) == without_ids(over_http)
    assert over_http.keys() == from_command_line.keys()


def test_a_citation_carries_the_lines_that_hold_its_quote(filled: Server) -> None:
    """Whoever gets an answer can check it: each quote stands in the lines that come with it."""
    answer = filled.client.post("/v1/ask", json={"question": "What is a CSF Community Profile?"}).json()

    for item in answer["items"]:
        for citation in item["citations"]:
            text = " ".join(" ".join(line["text"] for line in citation["lines"]).split())
            assert " ".join(citation["quote"].split()) in text
            assert [line["line_id"] for line in citation["lines"]] == citation["line_ids"]


def test_events_tell_each_step(filled: Server) -> None:
    """A stream begins with the question, names what is read, drafted and checked, and ends with the result."""
    with filled.client.stream(
        "POST", "/v1/ask", json={"question": QUESTIONS[0]}, headers={"Accept": "text/event-stream"}
    ) as reply:
        events = events_of("".join(reply.iter_text()))

    assert reply.headers["content-type"].startswith("text/event-stream")
    assert [name for name, _ in events] == ["question", "candidates", "draft", "verdicts", "done"]
    assert all(data["event"] == name for name, data in events)


def test_a_refusal_is_no_error(filled: Server) -> None:
    """A question without an answer is answered with 200 and what was searched and read."""
    reply = filled.client.post("/v1/ask", json={"question": QUESTIONS[3]})
    refusal = reply.json()

    assert (reply.status_code, refusal["result"]) == (200, "refusal")
    assert refusal["searched"]["documents"] == 2


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ({"docs": ["handbook.md"]}, "answer"),
        ({"docs": ["framework.pdf"]}, "refusal"),
        ({"where": "name=framework.pdf"}, "refusal"),
        ({"pages": ["1"], "docs": ["handbook.md"]}, "answer"),
        ({"shape": "text"}, "answer"),
    ],
)
def test_a_question_is_put_to_what_is_named(filled: Server, body: dict[str, Any], result: str) -> None:
    """Documents, pages, metadata and the form of the answer narrow a question as on the command line."""
    assert filled.client.post("/v1/ask", json={"question": QUESTIONS[0], **body}).json()["result"] == result


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": " "}, 422, "invalid_question"),
        ({"question": "x" * 5000}, 422, "invalid_question"),
        ({"question": "What?", "docs": ["nope.pdf"]}, 404, "unknown_document"),
        ({"question": "What?", "doc_ids": ["nope"]}, 404, "unknown_document"),
        ({"question": "What?", "where": "a=="}, 422, "invalid_filter"),
    ],
)
def test_errors_carry_pincites_own_code(
    filled: Server, body: dict[str, Any], status: int, code: str, accept: str
) -> None:
    """What cannot be asked is a problem document with the code that the command line has, in a stream an event."""
    reply = filled.client.post("/v1/ask", json=body, headers={"Accept": accept})
    problem = events_of(reply.text)[-1][1] if reply.headers["content-type"].startswith("text/ev") else reply.json()

    assert (problem["status"], problem["code"]) == (status, code)


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b'{"question": "\\ud800"}', "application/json", 400),
        (b"[" * 100_000, "application/json", 422),
        (b"{}", "application/json", 422),
        (b'{"question": 7}', "application/json", 422),
        (b'{"question": "x", "other": 1}', "application/json", 422),
        (b'{"question": "x"}', "text/plain", 415),
        (b'{"question": "' + b"x" * (5 << 20) + b'"}', "application/json", 413),
    ],
)
def test_what_is_no_question_is_told_so(filled: Server, content: bytes, kind: str, status: int) -> None:
    """A body that is broken, of another form, of another type or huge gets a problem document, never a fault."""
    reply = filled.client.post("/v1/ask", content=content, headers={"Content-Type": kind})

    assert (reply.status_code, reply.json()["status"]) == (status, status)


class EndlessModel:
    """Writes the same item again and again until whoever listens stops it."""

    name = "endless:test"

    def __init__(self) -> None:
        self.began, self.stopped = threading.Event(), threading.Event()

    def fill(self, _request: ModelRequest, _schema: Any, *, on_partial: Any = None) -> Any:
        """Tell partial replies until that raises."""
        self.began.set()
        try:
            while True:
                on_partial({"items": [{"text": "again"}]})
                threading.Event().wait(0.02)
        finally:
            self.stopped.set()


@pytest.fixture
def endless(serve: Serve) -> tuple[Server, EndlessModel]:
    model = EndlessModel()
    server = serve(models={"answer": model}, asking=1)
    server.add("handbook.md", HANDBOOK)
    return server, model


def asked_on_a_socket(server: Server, accept: str) -> socket.socket:
    """Return a connection on which a question was put; who closes it goes away."""
    at = httpx.URL(server.address)
    body = json.dumps({"question": QUESTIONS[0]})
    head = f"POST /v1/ask HTTP/1.1\r\nHost: {at.host}\r\nAccept: {accept}\r\nContent-Type: application/json\r\n"
    connection = socket.create_connection((at.host, at.port or 80), timeout=300)
    connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    return connection


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_who_goes_away_ends_the_work(endless: tuple[Server, EndlessModel], accept: str) -> None:
    """When a client disconnects, the model is no longer asked, and the next question has its turn."""
    server, model = endless
    with asked_on_a_socket(server, accept) as connection:
        until(model.began.is_set, what="the model is asked")
        if accept == "text/event-stream":
            assert connection.recv(12) == b"HTTP/1.1 200"

    until(model.stopped.is_set, what="the work ends")
    until(lambda: server.app.state.asking.n_running == 0, what="its slot is free")


def test_questions_wait_their_turn(endless: tuple[Server, EndlessModel]) -> None:
    """No more questions are worked on than was set; what only reads is answered meanwhile."""
    server, model = endless
    with server.client.stream(
        "POST", "/v1/ask", json={"question": QUESTIONS[0]}, headers={"Accept": "text/event-stream"}
    ) as reply:
        told = reply.iter_text()
        next(told)
        until(model.began.is_set, what="the model is asked")
        with asked_on_a_socket(server, "application/json"):
            until(lambda: server.app.state.asking._free._waiters, what="the other question waits")
            assert server.client.get("/v1/documents").status_code == 200
            assert server.app.state.asking.n_running == 1


def test_search_is_that_of_the_command_line(
    filled: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search gives the JSON of `pincite search`."""
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    capsys.readouterr()
    assert main(["search", "notice period", "--library", str(filled.served.folder), "--json", "--top-k", "3"]) == 0

    over_http = filled.client.post("/v1/search", json={"query": "notice period", "top_k": 3}).json()

    assert over_http == json.loads(capsys.readouterr().out)


def test_many_clients_at_once(serve: Serve, tmp_path: Path) -> None:
    """Questions from many clients at a time, while a document is added, all get the answer of one alone."""
    server = serve(asking=4)
    server.add("handbook.md", HANDBOOK)
    expected = server.client.post("/v1/ask", json={"question": QUESTIONS[0]}).json()["items"]
    answers: list[Any] = []

    def ask() -> None:
        with httpx.Client(base_url=server.address, timeout=300) as client:
            replies = [client.post("/v1/ask", json={"question": QUESTIONS[0]}) for _ in range(5)]
            answers.extend(reply.json().get("items") for reply in replies)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    server.add("framework.pdf", PDF.read_bytes())
    for thread in threads:
        thread.join()

    assert answers == [expected] * 40

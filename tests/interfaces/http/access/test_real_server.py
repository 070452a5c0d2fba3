"""A real server on loopback with clients that mean harm: slow, large, or too many."""

import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from tests.interfaces.http.access.conftest import Running, running

from pincite.interfaces.http.access.options import AccessOptions

QUESTION = {"question": "What is the harbour fee?"}
SLOW_QUESTION = "POST /v1/ask HTTP/1.1\nHost: HOST\nContent-Type: application/json\nContent-Length: 1000\n\nx"


PATIENT = AccessOptions(
    max_upload_bytes=100_000, max_questions=2, max_uploads=2, max_waiting=1, body_timeout_s=600, upload_idle_s=600
)


@pytest.fixture(scope="module")
def strict(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Return a server with small limits and all patience."""
    copy = Path(shutil.copytree(original, tmp_path_factory.mktemp("strict") / "library"))
    with running(copy, PATIENT, patience_s=600) as found:
        yield found


@pytest.fixture(scope="module")
def hurried(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Return a server with little patience for questions and for connections, and some for uploads."""
    copy = Path(shutil.copytree(original, tmp_path_factory.mktemp("hurried") / "library"))
    with running(copy, replace(PATIENT, body_timeout_s=0.5), patience_s=0.5) as found:
        yield found


def sent(server: Running, text: str) -> socket.socket:
    """Return a connection on which this was sent."""
    connection = socket.create_connection(server.address, timeout=300)
    connection.sendall(text.replace("\n", "\r\n").replace("HOST", "127.0.0.1").encode())
    return connection


def read_all(connection: socket.socket) -> bytes:
    """Return all that comes until the server closes."""
    with connection:
        parts = []
        while part := connection.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def first_line(connection: socket.socket) -> bytes:
    """Return the first line of a response, and hang up."""
    with connection, connection.makefile("rb") as reader:
        return reader.readline()


@pytest.mark.parametrize("start", ["", "GET /v1/doc", "GET /v1/documents HTTP/1.1\nHost: HOST\nX-Slow: a"])
def test_who_sends_no_request_is_hung_up_on(hurried: Running, start: str) -> None:
    """A connection without a whole request does not stay: slow headers cannot use up the server's connections."""
    assert read_all(sent(hurried, start)) == b""


def test_who_dribbles_headers_after_a_request_is_hung_up_on(hurried: Running) -> None:
    """Neither does one that was served once and then goes on slowly."""
    connection = sent(hurried, "GET /v1/health HTTP/1.1\nHost: HOST\n\nGET /v1/he")

    assert read_all(connection).count(b"HTTP/1.1") == 1


def test_slow_uploads_do_not_hold_up_questions(folder: Path) -> None:
    """With every place for uploads held by clients that send nothing more, questions are answered, and they end."""
    head = "POST /v1/documents?name=a.md HTTP/1.1\nHost: HOST\nContent-Length: 1000\n\nx"
    with running(folder, replace(PATIENT, upload_idle_s=0.5), patience_s=600) as server:
        stuck = [sent(server, head) for _ in range(2)]
        answer = server.client.post("/v1/ask", json=QUESTION)
        ended = [first_line(one) for one in stuck]

    assert (answer.json()["result"], ended) == ("answer", [b"HTTP/1.1 408 Request Timeout\r\n"] * 2)


def test_slow_questions_do_not_hold_up_questions(strict: Running) -> None:
    """Bodies of questions that trickle in take no place."""
    stuck = [sent(strict, SLOW_QUESTION) for _ in range(20)]
    answer = strict.client.post("/v1/ask", json=QUESTION)
    for one in stuck:
        one.close()

    assert answer.json()["result"] == "answer"


def test_slow_questions_end(hurried: Running) -> None:
    """Bodies of questions that do not come to their end are given up."""
    stuck = [sent(hurried, SLOW_QUESTION) for _ in range(20)]

    assert {read_all(one).split(b" ")[1] for one in stuck} == {b"408"}


def test_a_large_upload_is_refused_before_it_is_sent(strict: Running) -> None:
    """A client that asks whether it may send (Expect: 100-continue) is told 413 without sending a byte."""
    head = "POST /v1/documents?name=a.md HTTP/1.1\nHost: HOST\nContent-Length: 200000\nExpect: 100-continue\n\n"

    assert first_line(sent(strict, head)).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("says_length", [True, False])
def test_a_large_upload_leaves_nothing(strict: Running, says_length: bool) -> None:
    """An upload beyond the limit is refused, also when it does not say its length, and no part of it stays."""
    before = sorted(path for path in strict.folder.rglob("*") if path.is_file() and "sqlite" not in path.name)
    content = b"x" * 150_000
    body = content if says_length else iter([content[at : at + 1000] for at in range(0, len(content), 1000)])
    answer = strict.client.post("/v1/documents", params={"name": "a.md"}, content=body)

    after = sorted(path for path in strict.folder.rglob("*") if path.is_file() and "sqlite" not in path.name)
    assert (answer.status_code, answer.json()["code"], after) == (413, "too_large", before)


def test_beyond_the_queue_it_says_when_to_come_back(strict: Running) -> None:
    """Many at once: each is answered or told to come back later, none fails otherwise, and health is always served."""
    found: list[httpx.Response] = []

    def ask() -> None:
        found.append(httpx.post(f"{strict.url}/v1/ask", json=QUESTION, timeout=300))

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    health = strict.client.get("/v1/health").status_code
    for thread in threads:
        thread.join()

    assert (health, {r.status_code for r in found} <= {200, 503}) == (200, True)
    assert all(r.headers["retry-after"] == "2" and r.json()["code"] == "overloaded" for r in found if r.is_error)
    assert any(r.is_success for r in found)


def test_long_requests_are_refused(strict: Running) -> None:
    """Addresses and headers beyond reason get the status that says so, with the headers of every response."""
    long = strict.client.get("/v1/documents", params={"where": "x" * 9000})
    heavy = strict.client.get("/v1/documents", headers={"x-heavy": "x" * 40_000})

    assert [(r.status_code, "content-security-policy" in r.headers) for r in (long, heavy)] == [
        (414, True),
        (431, True),
    ]


def test_two_lengths_are_no_request(hurried: Running) -> None:
    """A request that a proxy and the server could read differently is refused."""
    for odd in ("Content-Length: 5\nContent-Length: 6", "Content-Length: 5\nTransfer-Encoding: chunked"):
        answer = read_all(sent(hurried, f"POST /v1/ask HTTP/1.1\nHost: HOST\n{odd}\n\nhello"))
        assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 415 ", b"HTTP/1.1 408 ")), answer


def test_a_rate_is_kept(folder: Path) -> None:
    """A token beyond its rate is told when to come back; another token is served."""
    with running(folder, AccessOptions(require_token=True, rate_per_s=0.01, burst=3)) as server:
        one, other = server.token("read"), server.token("read")
        found = [server.client.get("/v1/documents", headers=one) for _ in range(4)]

        assert [r.status_code for r in found] == [200, 200, 200, 429]
        assert int(found[3].headers["retry-after"]) > 0
        assert server.client.get("/v1/documents", headers=other).status_code == 200

"""Two real `pincite serve` processes on one bucket: what one does the other knows, and what one leaves it does."""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.interfaces.http.conftest import HANDBOOK, PDF, stuck_package, until

pytestmark = [pytest.mark.scale, pytest.mark.skipif(os.name == "nt", reason="POSIX signals")]

COMMAND = [sys.executable, "-c", "import sys; from pincite.interfaces.cli import main; sys.exit(main())"]
QUESTION = {"question": "What is the notice period?"}


def environment(bucket: Any, machine: Path) -> dict[str, str]:
    """Return the environment of a machine: nothing of another one's cache is on it."""
    return {
        **os.environ, **bucket.environment, "PINCITE_CACHE": str(machine), "PINCITE_EMBEDDER": "none",
        "PYTHONUNBUFFERED": "1", "PINCITE_LIBRARY": bucket.address,
    }  # fmt: skip


@contextlib.contextmanager
def replica(bucket: Any, machine: Path, *more: str) -> Iterator[tuple["subprocess.Popen[str]", httpx.Client]]:
    """Run `pincite serve` on the bucket, as on a machine of its own, and yield it with a client."""
    log = machine.with_suffix(".log").open("w")
    running = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", *more],
        stdout=subprocess.PIPE, stderr=log, text=True, env=environment(bucket, machine),
    )  # fmt: skip
    assert running.stdout is not None
    try:
        address = running.stdout.readline().strip()
        assert address, machine.with_suffix(".log").read_text()
        with httpx.Client(base_url=address, timeout=120) as client:
            until(lambda: _is_ready(client), what="the server answers")
            yield running, client
    finally:
        running.kill()
        running.wait()
        running.stdout.close()
        log.close()
    assert bucket.environment["AWS_SECRET_ACCESS_KEY"] not in machine.with_suffix(".log").read_text()


def _is_ready(client: httpx.Client) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return client.get("/v1/ready").status_code == 200
    return False


def command(bucket: Any, machine: Path, *arguments: str) -> str:
    """Run the command line on the bucket and return what it prints."""
    ran = subprocess.run(
        [*COMMAND, *arguments], env=environment(bucket, machine), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def add(client: httpx.Client, name: str, content: bytes | str, **params: str) -> str:
    """Upload a file, wait until it is added, and return the id of its document."""
    sent = client.post("/v1/documents", params={"name": name, "wait": 60, **params}, content=content)
    assert sent.status_code == 200, sent.text
    (job,) = sent.json()["jobs"]
    assert job["state"] == "done", job
    doc_id: str = job["doc_id"]
    return doc_id


def test_what_one_server_does_the_other_knows(bucket: Any, tmp_path: Path) -> None:
    """Documents, cites, pictures, traces, reports, conversations and feedback of one server are those of the other."""
    with replica(bucket, tmp_path / "a") as (_, a), replica(bucket, tmp_path / "b") as (_, b):
        doc_id = add(a, "handbook.md", HANDBOOK)
        pdf_id = add(a, "framework.pdf", PDF.read_bytes())
        until(lambda: b.get("/v1/documents").json()["total"] == 2, what="the other server has both documents")
        asked = a.post("/v1/ask", json=QUESTION).json()
        there = b.post("/v1/ask", json=QUESTION).json()
        trace = asked["trace_id"]

        assert there["items"] == asked["items"]
        assert asked["items"][0]["citations"][0]["quote"] == "The notice period is three months."
        assert b.get(f"/v1/answers/{trace}").json() == asked
        assert b.post(f"/v1/traces/{trace}/replay", json={"from": "retrieval"}).json()["items"] == asked["items"]
        assert [b.get(f"/v1/documents/{one}/original").content for one in (doc_id, pdf_id)] == [
            HANDBOOK.encode(), PDF.read_bytes(),
        ]  # fmt: skip
        pictures = [client.get(f"/v1/documents/{pdf_id}/pages/2.png?lines=3-5").content for client in (a, b)]
        assert pictures[0] == pictures[1]
        assert pictures[0].startswith(b"\x89PNG")
        report = b.get(f"/v1/answers/{trace}/export", params={"format": "html"})
        assert (report.status_code, "three months" in report.text) == (200, True)

        path = f"/v1/conversations/{a.post('/v1/conversations', json={}).json()['conversation_id']}"
        first = b.post(f"{path}/messages", json={"text": QUESTION["question"]}).json()["turns"]
        second = a.post(f"{path}/messages", json={"text": "And the annual fee?"}).json()["turns"]
        assert b.get(path).json()["turns"] == [*first, *second]
        said = b.post(f"/v1/answers/{trace}/feedback", json={"right": True})
        assert said.status_code == 201
        until(lambda: a.get("/v1/feedback").json()["feedback"] == [said.json()], what="the feedback is there")
        assert command(bucket, tmp_path / "cli", "feedback", "export", str(tmp_path / "suite")).startswith(
            f"{tmp_path / 'suite'}: 1 question"
        )

        assert b.delete(f"/v1/documents/{doc_id}").status_code == 204
        until(lambda: a.post("/v1/ask", json=QUESTION).json()["result"] == "refusal", what="it is gone")


def test_tokens_of_the_command_line_open_every_server(bucket: Any, tmp_path: Path) -> None:
    """A token works on all servers from the start, a session too, and neither a second after it was revoked."""
    token = command(bucket, tmp_path / "cli", "token", "new", "--scope", "write", "--collection", "*").strip()
    more = ("--require-token",)
    with replica(bucket, tmp_path / "a", *more) as (_, a), replica(bucket, tmp_path / "b", *more) as (_, b):
        bearer = {"authorization": f"Bearer {token}"}
        assert [client.get("/v1/documents").status_code for client in (a, b)] == [401, 401]
        assert [client.get("/v1/documents", headers=bearer).status_code for client in (a, b)] == [200, 200]
        cookie = a.post("/v1/session", json={"token": token}).cookies["pincite_session"]
        session = {"cookie": f"pincite_session={cookie}"}
        assert b.get("/v1/session", headers=session).status_code == 200
        later = command(bucket, tmp_path / "cli", "token", "new", "--scope", "read", "--collection", "*").strip()
        shown = {"authorization": f"Bearer {later}"}
        assert [client.get("/v1/documents", headers=shown).status_code for client in (a, b)] == [200, 200]

        command(bucket, tmp_path / "cli", "token", "revoke", token.split("_")[1])

        def codes() -> list[int]:
            shown_to = [(client, one) for client in (a, b) for one in (bearer, session)]
            return [client.get("/v1/session", headers=one).status_code for client, one in shown_to]

        until(lambda: codes() == [401] * 4, what="the token opens nothing any more")
        assert [client.get("/v1/documents", headers=shown).status_code for client in (a, b)] == [200, 200]


def test_a_collection_of_one_server_is_one_of_the_other(bucket: Any, tmp_path: Path) -> None:
    """A collection is a library below the address; no two are made of one name, and nothing is seen from another."""
    with replica(bucket, tmp_path / "a") as (_, a), replica(bucket, tmp_path / "b") as (_, b):
        assert a.post("/v1/collections", json={"name": "papers"}).status_code == 201
        assert b.post("/v1/collections", json={"name": "papers"}).status_code == 409
        add(b, "handbook.md", HANDBOOK, collection="papers")
        assert b.get("/v1/documents", params={"collection": "nothing"}).status_code == 404

        def listed() -> Any:
            return [(one["name"], one["n_documents"]) for one in a.get("/v1/collections").json()["collections"]]

        until(lambda: listed() == [("default", 0), ("papers", 1)], what="the document is in its collection")
        answer = a.post("/v1/ask", json=QUESTION, params={"collection": "papers"}).json()
        assert answer["result"] == "answer"
        assert b.get(f"/v1/answers/{answer['trace_id']}").status_code == 404
        found = command(bucket, tmp_path / "cli", "--library", f"{bucket.address}/collections/papers", "ls", "--json")
        assert "handbook.md" in found


def test_uploads_of_a_killed_server_are_added_by_the_other(bucket: Any, tmp_path: Path) -> None:
    """What a server accepted before it was killed is added, each file once and whole, by the one that is left."""
    files = [("file", (f"{n}.md", f"{HANDBOOK}\n## Part {n}\n\nPart {n} begins.\n".encode())) for n in range(8)]
    with replica(bucket, tmp_path / "a") as (killed, a):
        accepted = [job["job_id"] for job in a.post("/v1/documents", files=files).json()["jobs"]]
        until(
            lambda: any(a.get(f"/v1/jobs/{job_id}").json()["state"] == "running" for job_id in accepted),
            what="a job is being done",
        )
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    with replica(bucket, tmp_path / "b") as (_, b):

        def states() -> list[str]:
            return [b.get(f"/v1/jobs/{job_id}").json()["state"] for job_id in accepted]

        until(lambda: states() == ["done"] * len(files), what="every job is done")
        documents = b.get("/v1/documents").json()["documents"]
        assert sorted(document["name"] for document in documents) == sorted(name for _, (name, _) in files)
        for document in documents:
            number = document["name"].removesuffix(".md")
            answer = b.post("/v1/ask", json={"question": f"What of Part {number}?", "doc_ids": [document["doc_id"]]})
            lines = b.get(f"/v1/documents/{document['doc_id']}/lines").json()["lines"]
            assert answer.status_code == 200
            assert lines[-1]["text"] == f"Part {number} begins."


def test_a_job_is_ended_from_another_server(bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress and cancelling work from any server; a server that is told to end leaves its jobs at once."""
    monkeypatch.setenv("PYTHONPATH", str(stuck_package(tmp_path)), prepend=":")
    told = tmp_path / f"told-{secrets.token_hex(4)}"
    with replica(bucket, tmp_path / "a") as (ended, a), contextlib.ExitStack() as stack:
        (job,) = a.post("/v1/documents", params={"name": "endless.stuck"}, content=str(told)).json()["jobs"]
        path = f"/v1/jobs/{job['job_id']}"
        until(told.exists, what="it is being parsed")
        told.unlink()
        _, b = stack.enter_context(replica(bucket, tmp_path / "b"))
        assert b.get(path).json()["state"] == "running"
        ended.send_signal(signal.SIGTERM)
        ended.wait(60)
        until(told.exists, what="the other server is at it")
        _, c = stack.enter_context(replica(bucket, tmp_path / "c"))

        assert c.post(f"{path}/cancel").json()["state"] == "cancelled"
        assert b.get(path).json()["state"] == "cancelled"
        assert c.get("/v1/documents").json()["total"] == 0

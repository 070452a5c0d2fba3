"""The server as people run it: a process of its own, which may be killed at any moment."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.interfaces.http.conftest import HANDBOOK, until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


@contextlib.contextmanager
def process(folder: Path, *more: str) -> Iterator[tuple["subprocess.Popen[str]", httpx.Client]]:
    """Run `pincite serve` and yield it with a client of the address that it prints."""
    command = [sys.executable, "-c", "import sys; from pincite.interfaces.cli import main; sys.exit(main())", "serve"]
    environment = {**os.environ, "PINCITE_EMBEDDER": "none", "PYTHONWARNINGS": "error", "PYTHONUNBUFFERED": "1"}
    running = subprocess.Popen(
        [*command, "--port", "0", "--library", str(folder), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    try:
        address = running.stdout.readline().strip()
        with httpx.Client(base_url=address, timeout=300) as client:
            until(lambda: _answers(client), what="the server answers")
            yield running, client
    finally:
        running.kill()
        running.wait()
        running.stdout.close()
        running.stderr.close()


def _answers(client: httpx.Client) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return client.get("/v1/ready").status_code == 200
    return False


def test_jobs_go_on_after_a_kill(tmp_path: Path) -> None:
    """What was accepted before the server was killed is added by the next one, each file once."""
    files = [("file", (f"{n}.md", f"{HANDBOOK}\n## Part {n}\n\nPart {n} begins.\n".encode())) for n in range(12)]
    with process(tmp_path / "library") as (running, client):
        sent = client.post("/v1/documents", files=files)
        running.send_signal(signal.SIGKILL)
        running.wait()
    accepted = [job["job_id"] for job in sent.json()["jobs"]]

    with process(tmp_path / "library") as (_, client):

        def over() -> bool:
            return all(client.get(f"/v1/jobs/{job_id}").json()["state"] == "done" for job_id in accepted)

        until(over, what="every job is done")
        documents = client.get("/v1/documents").json()["documents"]

    assert sorted(document["name"] for document in documents) == sorted(name for _, (name, _) in files)
    assert list((tmp_path / "library" / "uploads").iterdir()) == []


def test_ctrl_c_ends_it_quietly(tmp_path: Path) -> None:
    """The server prints its address and nothing else, and Ctrl-C ends it without an error."""
    with process(tmp_path / "library") as (running, client):
        client.post("/v1/documents", params={"name": "a.md", "wait": 60}, content=HANDBOOK.encode())
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=300)

    assert (running.returncode, out) == (0, "")
    assert err.splitlines()[0] == f"note: serving {tmp_path / 'library'}; Ctrl-C ends it"
    assert not any("Traceback" in line or " error " in line for line in err.splitlines()), err


def test_what_is_asked_is_there_after_a_restart(tmp_path: Path) -> None:
    """Answers and conversations outlive the server."""
    with process(tmp_path / "library") as (_, client):
        client.post("/v1/documents", params={"name": "a.md", "wait": 60}, content=HANDBOOK.encode())
        conversation_id = client.post("/v1/conversations", json={}).json()["conversation_id"]
        path = f"/v1/conversations/{conversation_id}"
        said = client.post(f"{path}/messages", json={"text": "What is the notice period?"}).json()["turns"]

    with process(tmp_path / "library") as (_, client):
        conversation = client.get(path).json()
        answer = client.get(f"/v1/answers/{said[0]['result']['trace_id']}").json()

    assert (conversation["turns"], answer) == (said, said[0]["result"])


def test_one_library_has_one_server(tmp_path: Path) -> None:
    """A second server of the same library is refused: it would do the first one's jobs."""
    with process(tmp_path / "library"):
        command = [sys.executable, "-c", "from pincite.interfaces.cli import main; raise SystemExit(main())", "serve"]
        ran = subprocess.run(
            [*command, "--port", "0", "--library", str(tmp_path / "library")],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PINCITE_EMBEDDER": "none"},
        )

    assert (ran.returncode, ran.stdout) == (1, "")
    assert "another `pincite serve` serves the library" in ran.stderr


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    """A port that another program has is an error that says what to do."""
    with process(tmp_path / "library") as (_, client):
        port = str(client.base_url.port)
        command = [sys.executable, "-c", "from pincite.interfaces.cli import main; raise SystemExit(main())", "serve"]
        ran = subprocess.run(
            [*command, "--port", port, "--library", str(tmp_path / "other")],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PINCITE_EMBEDDER": "none"},
        )

    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"cannot listen on 127.0.0.1:{port}" in ran.stderr

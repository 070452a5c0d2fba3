"""`pincite serve` as a process: who may be served, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.interfaces.conftest import Run

from pincite.interfaces.http.access.running import undelayed
from pincite.interfaces.http.access.tokens import Tokens


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])  # noqa: S104 - it is refused
def test_other_machines_are_not_served_without_a_token(run: Run, tmp_path: Path, host: str) -> None:
    """Without a token nobody else can reach the library, and the error says which command makes one."""
    ran = run("serve", "--host", host, "--port", 0)

    assert (ran.code, ran.out, "pincite token new" in ran.err) == (1, "", True)
    tokens = Tokens(tmp_path / "library")
    made = tokens.new(scopes=["read"], collection="*")
    tokens.revoke(made.record.token_id)
    tokens.close()
    assert run("serve", "--host", host, "--port", 0).code == 1


@pytest.mark.parametrize("origin", ["*", "null", "https://a.example/path"])
def test_nobody_lets_everybody_in(run: Run, origin: str) -> None:
    """An origin that is none, or all, is refused before the server starts."""
    ran = run("serve", "--cors", origin, "--port", 0)

    assert (ran.code, "no origin" in ran.err) == (1, True)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Return the address of a server that is a process of its own and needs a token, and the process."""
    environment = {**os.environ, "PINCITE_EMBEDDER": "none", "PINCITE_LIBRARY": str(tmp_path / "library")}
    arguments = ["serve", "--port", "0", "--require-token", "--log-format", "json"]
    command = [
        sys.executable,
        "-c",
        "import sys; from pincite.interfaces.cli import main; sys.exit(main())",
        *arguments,
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as started:
        assert started.stdout is not None
        yield started.stdout.readline().strip(), started
        started.kill()


def test_a_token_works_until_it_is_revoked(process: tuple[str, "subprocess.Popen[str]"], tmp_path: Path) -> None:
    """A token made and revoked by another process counts at once, and the server ends when it is told to."""
    url, started = process
    tokens = Tokens(tmp_path / "library")
    made = tokens.new(scopes=["read"], collection="*", name="Ana")
    headers = {"authorization": f"Bearer {made.token}"}
    with httpx.Client(base_url=url, headers=headers, timeout=300) as client:
        found = [client.get("/v1/documents").status_code]
        tokens.revoke(made.record.token_id)
        found.append(client.get("/v1/documents").status_code)
    tokens.close()
    started.send_signal(signal.SIGTERM)
    _, err = started.communicate(timeout=300)
    logged = [json.loads(line) for line in err.splitlines() if line.startswith("{")]

    assert (found, started.returncode) == ([200, 401], 0)
    assert sorted((one["status"], one["caller"]) for one in logged) == [(200, "Ana"), (401, "-")]
    assert "pct_" not in err


def test_responses_are_not_held_back() -> None:
    """Connections say that they speak TCP: else asyncio holds back a part of each response for 40 ms."""
    with undelayed(socket.create_server(("127.0.0.1", 0))) as listening:
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP

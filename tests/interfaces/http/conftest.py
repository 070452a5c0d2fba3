"""A real server on loopback, in this process, with a library of its own."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from tests.interfaces.conftest import HANDBOOK as HANDBOOK

from pincite.interfaces.http.access.running import undelayed
from pincite.interfaces.http.app import create_app
from pincite.interfaces.http.options import ServeOptions
from pincite.interfaces.http.served import Served
from pincite.protocols import ChatModel
from pincite.settings import Settings
from pincite.types.model import Role

ROOT = Path(__file__).parents[3]
PDF = ROOT / "demo" / "NIST.CSWP.29.pdf"


@dataclass(frozen=True)
class Server:
    """A running server: its address, a client, and what it serves."""

    address: str
    client: httpx.Client
    served: Served
    app: Any

    def add(self, name: str, content: bytes | str, collection: str = "default") -> str:
        """Upload a file, wait until it is added, and return the id of its document."""
        sent = self.client.post(
            "/v1/documents",
            params={"name": name, "wait": 60, "collection": collection},
            content=content,
            headers={"Content-Type": "application/octet-stream"},
        )
        assert sent.status_code == 200, sent.text
        (job,) = sent.json()["jobs"]
        assert job["state"] == "done", job
        doc_id: str = job["doc_id"]
        return doc_id


Serve = Callable[..., Server]


@contextlib.contextmanager
def serving(
    place: str | Path,
    *,
    models: Mapping[Role, ChatModel] | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> Iterator[Server]:
    """Run a server on a free port; words are searched, not meaning, unless `settings` say otherwise."""
    chosen = ServeOptions(port=0, **options)
    served = Served(
        place,
        settings=settings or Settings(embedder="none", jobs=1),
        models=models,
        most_open=chosen.open_collections,
    )
    app = create_app(served, chosen)
    listening = undelayed(socket.create_server(("127.0.0.1", 0)))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    config = uvicorn.Config(app, log_level="critical", access_log=False, timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        with httpx.Client(base_url=address, timeout=300) as client:
            yield Server(address=address, client=client, served=served, app=app)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Return a function that runs a server on the library of this test."""
    with contextlib.ExitStack() as stack:
        yield lambda **options: stack.enter_context(serving(tmp_path / "library", **options))


@pytest.fixture
def server(serve: Serve) -> Server:
    """Return a server with an empty library."""
    return serve()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server with a handbook and a PDF, which the tests of a module share and do not change."""
    with serving(tmp_path_factory.mktemp("served") / "library") as server:
        server.add("handbook.md", HANDBOOK)
        server.add("framework.pdf", PDF.read_bytes())
        yield server


@pytest.fixture(scope="module")
def ids(filled: Server) -> dict[str, str]:
    """Return the ids of the documents of `filled` by name."""
    documents = filled.client.get("/v1/documents").json()["documents"]
    return {document["name"]: document["doc_id"] for document in documents}


def stuck_package(folder: Path) -> Path:
    """Return a folder for PYTHONPATH, with a parser that never ends; a file tells it where to write its process id."""
    package = folder / "plugin"
    (package / "stuck-1.0.dist-info").mkdir(parents=True)
    (package / "stuck-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: stuck\nVersion: 1.0\n")
    (package / "stuck-1.0.dist-info" / "entry_points.txt").write_text("[pincite.parsers]\nstuck = stuck:Stuck\n")
    (package / "stuck.py").write_text(
        "import os, pathlib, time\n"
        "class Stuck:\n"
        "    def parse(self, content, *, name, uri, progress=None):\n"
        "        pathlib.Path(content.decode()).write_text(str(os.getpid()))\n"
        "        time.sleep(3600)\n"
    )
    return package


@pytest.fixture
def stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[str, bytes, Path]]:
    """Return what makes uploads that never end: name, bytes, and a file that will hold the id of the parsing process.

    Their parser is a plug-in, found by every parsing process, like any other package's.
    """
    package = stuck_package(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(package), prepend=":")
    number = iter(range(100))

    def make() -> tuple[str, bytes, Path]:
        n = next(number)
        told = tmp_path / f"told-{n}"
        return f"endless-{n}.stuck", str(told).encode(), told

    return make


def until(holds: Callable[[], Any], *, what: str) -> Any:
    """Return the first true value of `holds`; give up after five minutes."""
    for _ in range(6000):
        value = holds()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"it never came to this: {what}")

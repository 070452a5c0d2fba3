"""A server on loopback with two collections, as `pincite serve` runs it, and what to ask of it."""

import asyncio
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.interfaces.http.access.caller import Scope as AccessScope
from pincite.interfaces.http.access.connections import close_idle
from pincite.interfaces.http.access.guard import Wrapping, guarded
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.running import undelayed
from pincite.interfaces.http.access.tokens import Tokens
from pincite.interfaces.http.app import create_app
from pincite.interfaces.http.options import ServeOptions
from pincite.interfaces.http.served import Served
from pincite.library import Library
from pincite.settings import Settings

SETTINGS = Settings(embedder="none", jobs=1)
#: A document of each collection; the odd words are in one of them alone.
PUBLIC = "# Harbour\n\nThe harbour fee is 40 EUR for a zebrafinch barge.\n"
HIDDEN = "# Vault\n\nThe vault code of the quokkaprotocol is 4711.\n"


@dataclass(frozen=True)
class Running:
    """A server that listens: its address, its tokens, and a client for it."""

    url: str
    tokens: Tokens
    folder: Path
    server: uvicorn.Server
    client: httpx.Client
    app: FastAPI

    def token(self, scope: AccessScope = "write", collection: str = "*", **more: Any) -> dict[str, str]:
        """Return the headers of a new token."""
        made = self.tokens.new(scopes=[scope], collection=collection, **more)
        return {"authorization": f"Bearer {made.token}"}

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        parts = httpx.URL(self.url)
        return parts.host, parts.port or 80


@contextmanager
def listening(app: ASGIApp, *, patience_s: float = 15.0) -> Iterator[tuple[str, uvicorn.Server]]:
    """Run `app` with uvicorn in a thread, on a free port of this machine."""
    config = uvicorn.Config(app, log_config=None, access_log=False, http="h11", lifespan="on")
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]  # signals are for main threads
    listener = undelayed(socket.create_server(("127.0.0.1", 0)))

    async def serve() -> None:
        closing = asyncio.ensure_future(close_idle(server.server_state.connections, patience_s=patience_s))
        await server.serve([listener])
        closing.cancel()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not start"
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", server
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


@contextmanager
def running(
    folder: Path, options: AccessOptions, *, patience_s: float = 15.0, outermost: Sequence[Wrapping] = ()
) -> Iterator[Running]:
    """Serve the library in `folder`."""
    tokens = Tokens(folder)
    app = create_app(Served(folder, settings=SETTINGS), ServeOptions(max_upload_mb=1))
    # One client for all: to make one takes longer than most requests.
    with (
        listening(guarded(app, tokens, options, outermost=outermost), patience_s=patience_s) as (url, server),
        httpx.Client(base_url=url, timeout=300) as client,
    ):
        yield Running(url=url, tokens=tokens, folder=folder, server=server, client=client, app=app)
    tokens.close()


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library with a document in each of two collections, both asked once."""
    folder = tmp_path_factory.mktemp("served") / "library"
    for place, name, text in ((folder, "harbour.md", PUBLIC), (folder / "collections" / "vault", "vault.md", HIDDEN)):
        place.mkdir(parents=True)
        source = tmp_path_factory.mktemp("sources") / name
        source.write_text(text, encoding="utf-8")
        with Library(place, settings=SETTINGS) as library:
            library.add(source)
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """Return a copy of the library: a library has one server at a time."""
    return Path(shutil.copytree(original, tmp_path / "library"))


@pytest.fixture(scope="session")
def guarded_server(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Return a server that needs tokens."""
    copy = Path(shutil.copytree(original, tmp_path_factory.mktemp("guarded") / "library"))
    with running(copy, AccessOptions(require_token=True, cors=("https://friend.example",))) as found:
        yield found


@pytest.fixture(scope="session")
def open_server(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Return a server as it is on loopback by default."""
    copy = Path(shutil.copytree(original, tmp_path_factory.mktemp("open") / "library"))
    with running(copy, AccessOptions()) as found:
        yield found


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer 204 to everything."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


Wrap = Callable[[ASGIApp], ASGIApp]


def asked(app: ASGIApp, method: str = "GET", path: str = "/v1/x", **more: Any) -> httpx.Response:
    """Return the response of an application to one request, without a network."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787") as client:
            return await client.request(method, path, **more)

    return asyncio.run(ask())

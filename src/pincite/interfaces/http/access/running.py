"""Runs the guarded application with uvicorn on a socket that listens, until it is told to end."""

import asyncio
import signal
import socket
from collections.abc import Mapping
from contextlib import suppress

import uvicorn
from fastapi import FastAPI
from prometheus_client import disable_created_metrics

from pincite.interfaces.http.access.connections import close_idle
from pincite.interfaces.http.access.guard import guarded
from pincite.interfaces.http.access.logs import configure_logs
from pincite.interfaces.http.access.metrics import Metrics
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.spans import open_spans
from pincite.interfaces.http.access.tokens import Tokens
from pincite.interfaces.http.served import DEFAULT, Served

#: How long requests that are being answered may take when the server ends, in seconds.
_PATIENCE_S = 5


def run(app: FastAPI, options: AccessOptions, listening: socket.socket) -> None:
    """Serve `app` on `listening` until the process is told to end; the log goes to standard error.

    Raises:
        MissingExtraError: spans are wanted, and OpenTelemetry is not installed.

    """
    configure_logs(options.log_format)
    disable_created_metrics()  # type: ignore[no-untyped-call]
    served: Served = app.state.served
    spans = None if options.spans_to is None else open_spans(options.spans_to)
    tokens = Tokens(served.address_of(DEFAULT))
    try:
        outermost = () if spans is None else (spans.around,)
        inner = guarded(app, tokens, options, outermost=outermost)
        count_library(app.state.metrics, served)
        config = uvicorn.Config(
            inner,
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=options.proxy is not None,
            forwarded_allow_ips=options.proxy,
            timeout_graceful_shutdown=_PATIENCE_S,
        )
        signal.signal(signal.SIGTERM, _end)
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(uvicorn.Server(config), listening))
    finally:
        tokens.close()
        if spans is not None:
            spans.close()


def undelayed(listening: socket.socket) -> socket.socket:
    """Return a listening socket that says it speaks TCP: only then asyncio sends each part of a response at once.

    Else the second part waits for the client's acknowledgement, which comes after 40 ms.
    """
    return socket.socket(listening.family, listening.type, socket.IPPROTO_TCP, fileno=listening.detach())


def _end(_number: int, _frame: object) -> None:
    """End the process once uvicorn has ended, which gives the signal on: what is open is closed on the way out."""
    raise SystemExit(0)


async def _serve(server: uvicorn.Server, listening: socket.socket) -> None:
    closing = asyncio.ensure_future(close_idle(server.server_state.connections))
    try:
        await server.serve(sockets=[listening])
    finally:
        closing.cancel()


def count_library(metrics: Metrics, served: Served) -> None:
    """Add the figures that the library knows: documents of each collection, jobs in each state."""

    def documents() -> Mapping[str, int]:
        found = {}
        for name in served.collections():
            with served.using(name) as library:
                found[name] = len(library.store.records())
        return found

    def jobs() -> Mapping[str, int]:
        counted = served.state.ledger("jobs").counts()
        return dict.fromkeys(("queued", "running", "done", "failed", "cancelled"), 0) | counted

    metrics.count("pincite_documents", "Documents of a collection.", "collection", documents)
    metrics.count("pincite_jobs", "Files that were sent, by what became of them.", "state", jobs)

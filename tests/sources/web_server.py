"""A web site on this machine, with pages that can be changed and a record of every request."""

import gzip
import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Page:
    """What is answered: a body with its type, or another status; `drip_s` is the pause before each byte."""

    def __init__(
        self,
        body: str | bytes = b"",
        *,
        kind: str = "text/html; charset=utf-8",
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        cut: bool = False,
    ) -> None:
        self.body = body.encode() if isinstance(body, str) else body
        self.kind, self.status, self.headers, self.cut = kind, status, dict(headers or {}), cut


class Site:
    """Pages by path; what is not there is 404."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.fault: Callable[[str], Page | None] = lambda _path: None
        self.base = ""
        self.port = 0

    def html(self, path: str, body: str, *, head: str = "", **headers: str) -> None:
        """Put an HTML page at a path."""
        text = f"<!doctype html><html><head><title>T</title>{head}</head><body>{body}</body></html>"
        self.pages[path] = Page(text, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def asked(self) -> list[str]:
        """Return the paths that were asked for, without robots.txt."""
        return [path for path, _ in self.requests if path != "/robots.txt"]


@contextmanager
def site(*, host: str = "127.0.0.1") -> Iterator[Site]:
    """Serve a site on a free port of this machine."""
    made = Site()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            made.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
            page = made.fault(self.path) or made.pages.get(self.path) or Page("no", status=404)
            etag = '"' + hashlib.md5(page.body, usedforsecurity=False).hexdigest() + '"'
            status, body = page.status, page.body
            if status == 200 and self.headers.get("If-None-Match") == etag:
                status, body = 304, b""
            self.send_response_only(status)
            self.send_header("ETag", etag)
            self.send_header("Content-Type", page.kind)
            for name, value in page.headers.items():
                self.send_header(name, value)
            if status != 304:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if page.cut else body)
            self.close_connection = page.cut

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer((host, 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    made.port = server.server_port
    made.base = f"http://{host}:{server.server_port}"
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()


def packed(body: bytes) -> Page:
    """Return a page that the server sends packed."""
    return Page(gzip.compress(body), headers={"Content-Encoding": "gzip"})

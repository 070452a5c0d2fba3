"""Chromium for the tests, or the reason why there is none; and a small real server for what it opens."""

import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Nothing is looked up or fetched but what the page asks for.
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """Return the program: the one $PINCITE_CHROMIUM names, or the first on the path."""
    named = os.environ.get("PINCITE_CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


def missing() -> str:
    """Return why no browser test can run, and what to do; empty where they can."""
    try:
        import playwright.sync_api  # noqa: F401  # is it there?
    except ImportError:
        return "playwright is not installed: pip install playwright, or make test-web"
    if chromium() is None:
        return "there is no Chromium: apt-get install chromium, make test-web, or name one in PINCITE_CHROMIUM"
    return ""


@contextmanager
def launched() -> Iterator[Any]:
    """Run the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Site:
    """A site on the loopback address: its files by path, what was asked for, and what it answers to a POST."""

    files: dict[str, tuple[str, bytes]]
    headers: Mapping[str, str]
    answer: Callable[[Any], tuple[int, Any]] = lambda _: (404, {})
    requests: list[str] = field(default_factory=list)
    posted: list[Any] = field(default_factory=list)
    url: str = ""


@contextmanager
def served(site: Site) -> Iterator[Site]:
    """Serve the site while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append(self.path)
            path = self.path.partition("?")[0]
            kind, body = site.files.get(path, ("", b""))
            self._send(200 if kind else 404, kind or "text/plain", body)

        def do_POST(self) -> None:
            site.requests.append(self.path)
            site.posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            status, value = site.answer(site.posted[-1])
            self._send(status, "application/json", json.dumps(value).encode())

        def do_OPTIONS(self) -> None:
            self._send(204, "text/plain", b"")

        def _send(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **site.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield site
        server.shutdown()
        thread.join()

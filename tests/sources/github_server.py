"""A server that speaks the part of GitHub's REST API that pincite uses, on this machine, with failures on demand."""

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

REPOSITORY = "/repos/o/r"


def blob_sha(content: bytes) -> str:
    """Return the SHA that git gives a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


class GitHub:
    """One repository `o/r` with a newest commit, and a record of every request."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.blobs: dict[str, bytes] = {}
        self.branch = "main"
        self.is_truncated = False
        self.token: str | None = None
        self.requests: list[tuple[str, dict[str, str]]] = []
        #: Called with the path of each request; what it returns is answered in place of the truth.
        self.fault: Callable[[str], Fault | None] = lambda _path: None
        self.speaks_raw = True
        self.base = ""
        #: What has to be closed before the server is.
        self.clients: list[Any] = []

    def commit(self, files: Mapping[str, bytes | str], **special: str) -> None:
        """Make a commit of files; `special` are modes by path ("120000" a link, "160000" a submodule)."""
        self.entries = []
        for path, text in files.items():
            content = text.encode() if isinstance(text, str) else text
            sha = blob_sha(content)
            self.blobs[sha] = content
            mode = special.get(path, "100644")
            kind = "commit" if mode == "160000" else "blob"
            entry = {"path": path, "mode": mode, "type": kind, "sha": sha}
            self.entries.append(entry if kind == "commit" else {**entry, "size": len(content)})

    @property
    def commit_sha(self) -> str:
        """The SHA of the newest commit."""
        return hashlib.sha1(json.dumps(self.entries).encode(), usedforsecurity=False).hexdigest()

    def count(self, part: str) -> int:
        """Return how many requests had `part` in their path."""
        return sum(part in path for path, _ in self.requests)

    def answer(self, path: str, query: dict[str, list[str]], accept: str) -> "Fault":
        """Return the true answer."""
        rest = path.removeprefix(REPOSITORY)
        if rest == "":
            return Fault(body={"default_branch": self.branch, "html_url": "https://github.example/o/r"})
        if rest.startswith("/commits/"):
            if unquote(rest.removeprefix("/commits/")) not in (self.branch, "v1", self.commit_sha):
                return Fault(status=404, body={"message": "No commit found"})
            return Fault(body={"sha": self.commit_sha, "commit": {"tree": {"sha": "t" + self.commit_sha[1:]}}})
        if rest.startswith("/git/trees/"):
            return self._tree(unquote(rest.removeprefix("/git/trees/")), is_recursive="recursive" in query)
        if rest.startswith("/git/blobs/"):
            return self._file(rest.removeprefix("/git/blobs/"), accept)
        if rest.startswith("/contents/"):
            wanted = unquote(rest.removeprefix("/contents/"))
            sha = next((e["sha"] for e in self.entries if e["path"] == wanted), "")
            return self._file(sha, accept)
        return Fault(status=404, body={"message": "Not Found"})

    def _tree(self, sha: str, *, is_recursive: bool) -> "Fault":
        root = sha in ("t" + self.commit_sha[1:], self.branch, self.commit_sha)
        prefix = "" if root else sha.removeprefix("folder:").replace(":", "/") + "/"
        inside = [{**e, "path": e["path"].removeprefix(prefix)} for e in self.entries if e["path"].startswith(prefix)]
        if not root and not inside:
            return Fault(status=404, body={"message": "Not Found"})
        if is_recursive:
            is_cut = self.is_truncated and root
            return Fault(body={"sha": sha, "truncated": is_cut, "tree": inside[:1] if is_cut else inside})
        folders = {e["path"].split("/")[0] for e in inside if "/" in e["path"]}
        trees = [
            {"path": f, "mode": "040000", "type": "tree", "sha": "folder:" + (prefix + f).replace("/", ":")}
            for f in sorted(folders)
        ]
        return Fault(
            body={"sha": sha, "truncated": False, "tree": [*trees, *(e for e in inside if "/" not in e["path"])]}
        )

    def _file(self, sha: str, accept: str) -> "Fault":
        if sha not in self.blobs:
            return Fault(status=404, body={"message": "Not Found"})
        content = self.blobs[sha]
        if self.speaks_raw and "raw" in accept:
            return Fault(body=content, headers={"Content-Type": "application/vnd.github.raw+json; charset=utf-8"})
        return Fault(body={"sha": sha, "encoding": "base64", "content": base64.encodebytes(content).decode()})


class Fault:
    """An answer: a status, headers, a body (bytes, or what becomes JSON); `cut` ends it in the middle."""

    def __init__(
        self, *, status: int = 200, headers: Mapping[str, str] | None = None, body: Any = b"", cut: bool = False
    ) -> None:
        self.status, self.headers, self.body, self.cut = status, dict(headers or {}), body, cut


@contextmanager
def serving(github: GitHub) -> Iterator[str]:
    """Serve on a free port of this machine and give the address of the API."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            github.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
            answer = github.fault(self.path)
            if answer is None and github.token and self.headers.get("Authorization") != f"Bearer {github.token}":
                answer = Fault(status=401, body={"message": "Bad credentials"})
            if answer is None:
                answer = github.answer(parts.path, parse_qs(parts.query), self.headers.get("Accept", ""))
            self.send(answer)

        def send(self, answer: Fault) -> None:
            is_json = not isinstance(answer.body, bytes)
            body = json.dumps(answer.body).encode() if is_json else answer.body
            etag = '"' + hashlib.md5(body, usedforsecurity=False).hexdigest() + '"'
            if answer.status == 200 and self.headers.get("If-None-Match") == etag:
                answer, body = Fault(status=304), b""
            self.send_response_only(answer.status)
            headers = {"Content-Type": "application/json; charset=utf-8"} if is_json else {}
            for name, value in {"Date": self.date_time_string(), "ETag": etag, **headers, **answer.headers}.items():
                self.send_header(name, value)
            if answer.status != 304:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if answer.cut else body)
            if answer.cut:
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    github.base = f"http://127.0.0.1:{server.server_port}"
    try:
        yield github.base
    finally:
        for client in github.clients:
            client.close()
        server.shutdown()
        server.server_close()

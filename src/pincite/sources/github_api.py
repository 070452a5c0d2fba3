"""Calls to the REST API of GitHub: tried again where that helps, waited for where it asks, else a typed error."""

import base64
import binascii
import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx

from pincite.errors import (
    EmptyRepositoryError,
    SourceDeniedError,
    SourceError,
    SourceLimitError,
    SourceNotFoundError,
    SourceRateLimitError,
    SourceUnreachableError,
)
from pincite.sources.github_address import GitHubAccess
from pincite.sources.pausing import PATIENCE_S, SILENT_S, OnPause, asked_wait_s, clock_words
from pincite.types.record import Record

logger = logging.getLogger(__name__)

_JSON: Final = "application/vnd.github+json"
_RAW: Final = "application/vnd.github.raw+json"
#: A server's fault and a cut connection are tried again after these many seconds.
_AGAIN_S: Final = (0.5, 1.0, 2.0)
_TIMEOUT: Final = httpx.Timeout(60.0, connect=10.0)
#: A tree of 100,000 entries (GitHub's limit) is about 25 MB.
_MAX_JSON_BYTES: Final = 256 * 2**20
_N_REDIRECTS: Final = 5


class Reply(Record, frozen=True, kw_only=True):
    """What came back; with `is_same` the server says that nothing changed, and `value` is `None`."""

    value: Any
    etag: str = ""
    is_same: bool = False


class GitHubApi:
    """A client for one repository; use it as a context manager, or `close()` it."""

    def __init__(
        self,
        access: GitHubAccess,
        repository: str,
        *,
        on_pause: OnPause = lambda _words: None,
        sleep: Callable[[float], None] = time.sleep,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Ask for `repository` ("owner/repo"); nothing is connected yet. The token goes to the API's host alone."""
        headers = {"User-Agent": "pincite", "X-GitHub-Api-Version": "2022-11-28"}
        if access.token:
            headers["Authorization"] = f"Bearer {access.token}"
        self._client = httpx.Client(
            headers=headers, timeout=_TIMEOUT, follow_redirects=True, max_redirects=_N_REDIRECTS
        )
        self._base = f"{access.api}/repos/{repository}"
        self._repository = repository
        self._has_token = bool(access.token)
        self._on_pause, self._sleep, self._patience_s = on_pause, sleep, patience_s
        self._shut: SourceRateLimitError | None = None

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def get(self, path: str, *, etag: str = "") -> Reply:
        """Return the JSON of a path below the repository; with `etag` maybe only that it is the same.

        Raises:
            SourceError: one of its kinds; the message says what to do.

        """
        headers = {"Accept": _JSON} | ({"If-None-Match": etag} if etag else {})
        with self._asked(path, headers) as response:
            if response.status_code == httpx.codes.NOT_MODIFIED:
                return Reply(value=None, etag=etag, is_same=True)
            return Reply(value=self._json(response), etag=response.headers.get("etag", ""))

    def download(self, path: str, target: Path, *, max_bytes: int) -> None:
        """Write the bytes that a blob or a content has to `target`, piece by piece.

        Raises:
            SourceError: one of its kinds; then there is no `target`.

        """
        try:
            self._download(path, target, max_bytes)
        except BaseException:
            target.unlink(missing_ok=True)
            raise

    def _download(self, path: str, target: Path, max_bytes: int) -> None:
        with self._asked(path, {"Accept": _RAW}, writes=target, max_bytes=max_bytes) as response:
            kind = response.headers.get("content-type", "").partition(";")[0].strip()
        if kind == "application/json":
            content = _content_of(target.read_bytes())
            if content is not None:
                target.write_bytes(content)

    @contextmanager
    def _asked(
        self, path: str, headers: dict[str, str], *, writes: Path | None = None, max_bytes: int = _MAX_JSON_BYTES
    ) -> Iterator[httpx.Response]:
        """Give a response of status 200 or 304, its body read or written; other ones are errors or tried again."""
        if self._shut is not None:
            raise self._shut
        pauses = iter(_AGAIN_S)
        waited_s = 0.0
        while True:
            try:
                with self._client.stream("GET", self._base + path, headers=headers) as response:
                    if response.is_success:
                        _receive(response, writes, max_bytes)
                    elif response.status_code != httpx.codes.NOT_MODIFIED:
                        response.read()
            except httpx.TooManyRedirects as error:
                raise SourceLimitError(f"{self._repository}: more than {_N_REDIRECTS} redirects") from error
            except (httpx.TransportError, httpx.DecodingError) as error:
                self._try_again(pauses, f"no whole answer from {self._host} ({error or type(error).__name__})")
                continue
            if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED:
                break
            if response.is_server_error:
                self._try_again(pauses, f"{self._host} answered with status {response.status_code}")
                continue
            wait_s = self._wait_of(response)
            if wait_s is None:
                raise self._refused(response, path)
            waited_s += wait_s
            if waited_s > self._patience_s:
                self._shut = self._rate_limited(wait_s)
                raise self._shut
            self._pause(wait_s, "the rate limit of GitHub is used up")
        yield response

    @property
    def _host(self) -> str:
        return httpx.URL(self._base).host

    def _try_again(self, pauses: Iterator[float], what: str) -> None:
        pause_s = next(pauses, None)
        if pause_s is None:
            raise SourceUnreachableError(
                f"{self._repository}: {what}; tried {len(_AGAIN_S) + 1} times, sync again later"
            )
        logger.info("%s; trying again in %g s", what, pause_s)
        self._sleep(pause_s)

    def _wait_of(self, response: httpx.Response) -> float | None:
        """Return how long a rate limit asks to wait, `None` where the answer is a refusal of another kind."""
        if response.status_code not in (httpx.codes.FORBIDDEN, httpx.codes.TOO_MANY_REQUESTS):
            return None
        wait_s = asked_wait_s(response.headers)
        is_limit = response.status_code == httpx.codes.TOO_MANY_REQUESTS or "rate limit" in _said(response).lower()
        return SILENT_S if wait_s is None and is_limit else wait_s

    def _pause(self, wait_s: float, why: str) -> None:
        self._on_pause(f"{why}: waiting {clock_words(wait_s)}")
        self._sleep(wait_s)

    def _rate_limited(self, wait_s: float) -> SourceRateLimitError:
        hint = "" if self._has_token else "; with a token in GITHUB_TOKEN the limit is higher"
        return SourceRateLimitError(
            f"{self._repository}: the rate limit of GitHub is used up {clock_words(wait_s)}; what was fetched is kept, "
            f"the same sync does the rest then{hint}"
        )

    def _refused(self, response: httpx.Response, path: str) -> SourceError:
        said = _said(response)
        where = f"{self._repository}: " + ("" if not path else f"{path}: ")
        match response.status_code:
            case 401:
                return SourceDeniedError(f"{where}the token in GITHUB_TOKEN is not valid (any more): {said}")
            case 403 | 451:
                return SourceDeniedError(f"{where}not allowed: {said}")
            case 404 | 410:
                hint = "" if self._has_token else ", or it is private: set GITHUB_TOKEN"
                return SourceNotFoundError(f"{where}there is nothing{hint}")
            case 409:
                return EmptyRepositoryError(f"{where}the repository is empty")
        return SourceError(f"{where}{self._host} answered with status {response.status_code}: {said}")

    def _json(self, response: httpx.Response) -> Any:
        try:
            return json.loads(response.content)
        except (ValueError, RecursionError) as error:
            raise SourceUnreachableError(
                f"{self._repository}: {self._host} sent no JSON; is it a GitHub API?"
            ) from error


def _receive(response: httpx.Response, target: Path | None, max_bytes: int) -> None:
    """Read a body into memory, or write it to a file; a longer one than is allowed is left."""
    if target is None:
        pieces: list[bytes] = []
        for piece in _pieces(response, max_bytes):
            pieces.append(piece)  # noqa: PERF402 - the generator stops at the limit
        response._content = b"".join(pieces)  # noqa: SLF001 - what `read` sets, with a limit
        return
    with target.open("wb") as file:
        for piece in _pieces(response, max_bytes):
            file.write(piece)


def _pieces(response: httpx.Response, max_bytes: int) -> Iterator[bytes]:
    n_bytes = 0
    for piece in response.iter_bytes(1 << 16):
        n_bytes += len(piece)
        if n_bytes > max_bytes:
            raise SourceLimitError(f"{response.url}: larger than {max_bytes / 2**20:,.0f} MB")
        yield piece


def _content_of(body: bytes) -> bytes | None:
    """Return the bytes that a JSON answer carries, `None` where the body is the file itself.

    Raises:
        SourceError: the answer says that there are bytes and does not hold them.

    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not {"content", "encoding"} <= value.keys():
        return None
    content, encoding = value["content"], value["encoding"]
    if not isinstance(content, str) or encoding not in ("base64", "utf-8"):
        raise SourceLimitError(f"GitHub gives no content in one answer (encoding {encoding!r}): the file is too large")
    try:
        return base64.b64decode(content) if encoding == "base64" else content.encode("utf-8", "surrogatepass")
    except binascii.Error as error:
        raise SourceUnreachableError(f"GitHub sent broken base64: {error}") from error


def _said(response: httpx.Response) -> str:
    """Return GitHub's own words, one line."""
    try:
        message = json.loads(response.content).get("message", "")
    except (ValueError, AttributeError, RecursionError):
        message = ""
    return " ".join(str(message).split())[:200] or "no reason given"

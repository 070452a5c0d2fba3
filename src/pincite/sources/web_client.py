"""One page of the web at a time: checked addresses, limits on everything, conditional requests."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

import httpx

from pincite.errors import (
    SourceDeniedError,
    SourceError,
    SourceLimitError,
    SourceNotFoundError,
    SourceRateLimitError,
    SourceUnreachableError,
)
from pincite.sources import robots
from pincite.sources.pausing import PATIENCE_S, SILENT_S, OnPause, asked_wait_s, clock_words
from pincite.sources.robots import NOTHING_ALLOWED, Robots
from pincite.sources.web_guard import Resolve, guarded_transport, resolved
from pincite.types.record import Record

#: What sites know us by, in requests and in robots.txt.
ROBOT: Final = "pincite"
_N_REDIRECTS: Final = 5
_AGAIN_S: Final = (0.5, 2.0)
_GONE: Final = frozenset({404, 410})


class WebLimits(Record, frozen=True, kw_only=True):
    """How large one page may be, in bytes as unpacked, and how long it may take, in seconds."""

    max_bytes: int = 50 * 2**20
    max_s: float = 60.0
    patience_s: float = PATIENCE_S


class Fetched(Record, frozen=True, kw_only=True):
    """A page: the address it was found at in the end, its media type, and what a later request may be tied to.

    `charset` is what the site calls the encoding, empty where it does not say.

    `is_same` says that it did not change; then nothing was written.
    """

    url: str
    media_type: str = ""
    charset: str = ""
    etag: str = ""
    last_modified: str = ""
    is_same: bool = False
    is_noindex: bool = False


class WebClient:
    """Fetches pages; use it as a context manager, or `close()` it."""

    def __init__(
        self,
        *,
        allow_private: bool = False,
        limits: WebLimits | None = None,
        on_pause: OnPause = lambda _words: None,
        sleep: Callable[[float], None] = time.sleep,
        resolve: Resolve = resolved,
    ) -> None:
        """Connect to nothing yet. Proxies of the environment are not used: behind one no address can be checked."""
        self._limits = limits or WebLimits()
        self._client = httpx.Client(
            transport=guarded_transport(allow_private=allow_private, resolve=resolve),
            headers={"User-Agent": f"{ROBOT} (document reader)", "Accept": "text/html,application/pdf,*/*;q=0.5"},
            timeout=httpx.Timeout(20.0, connect=10.0),
            follow_redirects=False,
            trust_env=False,
        )
        self._sleep, self._on_pause = sleep, on_pause
        self._robots: dict[str, Robots] = {}
        self._last_at: dict[str, float] = {}

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the client."""
        self.close()

    def fetch(self, url: str, target: Path, *, etag: str = "", last_modified: str = "") -> Fetched:
        """Write the bytes at an address to `target`; with `etag` or `last_modified` only if they changed.

        Every step of a redirect is checked like the first: its address, and robots.txt of its site.

        Raises:
            SourceError: one of its kinds; then there is no `target`.

        """
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: value for name, value in conditions.items() if value}
        try:
            return self._fetch(normal_url(url), target, headers)
        except BaseException:
            target.unlink(missing_ok=True)
            raise

    def _fetch(self, url: str, target: Path, headers: dict[str, str]) -> Fetched:
        for _ in range(_N_REDIRECTS + 1):
            if not self.may_read(url):
                is_told = self._robots[_site_of(url)] is not NOTHING_ALLOWED
                asks = (
                    "asks robots not to read it" if is_told else "cannot be had, so nothing is read; sync again later"
                )
                raise SourceDeniedError(f"{url}: robots.txt of the site {asks}")
            response = self._asked(url, headers, target, self._limits.max_bytes)
            if response.status_code == httpx.codes.NOT_MODIFIED and headers:
                return Fetched(url=url, is_same=True)
            if not response.has_redirect_location:
                return _fetched(response, url)
            url = normal_url(urljoin(url, response.headers["location"]))
        raise SourceLimitError(f"{url}: more than {_N_REDIRECTS} redirects")

    def may_read(self, url: str) -> bool:
        """Say whether robots.txt of the site lets an address be read; asked once for each site."""
        parts, site = urlsplit(url), _site_of(url)
        if site not in self._robots:
            self._robots[site] = self._robots_of(site)
        return self._robots[site].allows(parts.path + (f"?{parts.query}" if parts.query else ""))

    def _robots_of(self, site: str) -> Robots:
        url = f"{site}/robots.txt"
        try:
            for _ in range(_N_REDIRECTS + 1):
                response = self._asked(url, {}, None, robots.MAX_BYTES)
                if not response.has_redirect_location:
                    break
                url = normal_url(urljoin(url, response.headers["location"]))
        except (SourceNotFoundError, SourceDeniedError):
            return Robots()
        except SourceLimitError:
            return Robots()
        except SourceUnreachableError:
            return NOTHING_ALLOWED
        if response.status_code != httpx.codes.OK:
            return Robots()
        return Robots.parse(response.content.decode("utf-8", "replace"), name=ROBOT)

    def _asked(self, url: str, headers: dict[str, str], target: Path | None, max_bytes: int) -> httpx.Response:
        """Return a response of status 2xx, 3xx, its body in memory or in `target`; tried again where that helps."""
        pauses = iter(_AGAIN_S)
        waited_s = 0.0
        while True:
            self._rest(url)
            try:
                response = self._once(url, headers, target, max_bytes)
            except (httpx.TransportError, httpx.DecodingError) as error:
                self._try_again(pauses, f"{url}: no whole answer ({error or type(error).__name__})")
                continue
            except (httpx.InvalidURL, UnicodeError) as error:
                raise SourceNotFoundError(f"{url}: not an address: {error}") from error
            status = response.status_code
            wait_s = asked_wait_s(response.headers) if status in (403, 429, 503) else None
            if status == httpx.codes.TOO_MANY_REQUESTS or (status == 503 and wait_s is not None):
                wait_s = SILENT_S if wait_s is None else wait_s
                waited_s += wait_s
                if waited_s > self._limits.patience_s:
                    raise SourceRateLimitError(f"{url}: the site asks to wait {clock_words(wait_s)}; sync again then")
                self._on_pause(f"{urlsplit(url).netloc} asks for a pause: waiting {clock_words(wait_s)}")
                self._sleep(wait_s)
            elif response.is_server_error:
                self._try_again(pauses, f"{url}: the site answered with status {status}")
            elif response.is_client_error:
                raise _refused(url, status)
            else:
                return response

    def _once(self, url: str, headers: dict[str, str], target: Path | None, max_bytes: int) -> httpx.Response:
        with self._client.stream("GET", url, headers=headers) as response:
            if response.is_success and target is not None:
                with target.open("wb") as file:
                    for piece in self._pieces(response, max_bytes):
                        file.write(piece)
            elif response.is_success:
                response._content = b"".join(self._pieces(response, max_bytes))  # noqa: SLF001 - as `read`, limited
        return response

    def _pieces(self, response: httpx.Response, max_bytes: int) -> Iterator[bytes]:
        """Yield the body as long as it is within the limits of size, as unpacked, and time."""
        end = time.monotonic() + self._limits.max_s
        n_bytes = 0
        # Without a size: a piece comes as soon as it is there, and so does the limit of time.
        for piece in response.iter_bytes():
            n_bytes += len(piece)
            if n_bytes > max_bytes:
                raise SourceLimitError(f"{response.url}: larger than {max_bytes / 2**20:,.1f} MB")
            if time.monotonic() > end:
                raise SourceLimitError(f"{response.url}: took longer than {self._limits.max_s:g} seconds")
            yield piece

    def _rest(self, url: str) -> None:
        """Keep the pause between requests that the site asks for."""
        site = _site_of(url)
        known = self._robots.get(site)
        if known is not None and known.delay_s:
            rest_s = self._last_at.get(site, -known.delay_s) + known.delay_s - time.monotonic()
            if rest_s > 0:
                self._sleep(rest_s)
        self._last_at[site] = time.monotonic()

    def _try_again(self, pauses: Iterator[float], what: str) -> None:
        pause_s = next(pauses, None)
        if pause_s is None:
            raise SourceUnreachableError(f"{what}; tried {len(_AGAIN_S) + 1} times, sync again later")
        self._sleep(pause_s)


def _site_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def normal_url(url: str) -> str:
    """Return an address without its fragment, host in lower case, odd characters quoted.

    Raises:
        SourceNotFoundError: it is no http address, or carries a password.

    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise SourceNotFoundError(f"{url!r} is no web address: {error}") from error
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise SourceNotFoundError(f"{url!r} is no web address; write https://…")
    if parts.username is not None or parts.password is not None:
        raise SourceDeniedError(f"{parts.hostname}: an address with a name or password in it is not read")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default = {"http": 80, "https": 443}[parts.scheme.lower()]
    place = host if port in (None, default) else f"{host}:{port}"
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    return urlunsplit((parts.scheme.lower(), place, path, query, ""))


def _fetched(response: httpx.Response, url: str) -> Fetched:
    if not response.is_success:
        raise SourceError(f"{url}: the site answered with status {response.status_code}")
    headers = response.headers
    return Fetched(
        url=url,
        media_type=headers.get("content-type", "").partition(";")[0].strip().lower(),
        charset=response.charset_encoding or "",
        etag=headers.get("etag", ""),
        last_modified=headers.get("last-modified", ""),
        is_noindex="noindex" in headers.get("x-robots-tag", "").lower(),
    )


def _refused(url: str, status: int) -> SourceError:
    if status in _GONE:
        return SourceNotFoundError(f"{url}: there is nothing (status {status})")
    if status in (401, 402, 403, 407, 451):
        return SourceDeniedError(f"{url}: not allowed (status {status})")
    return SourceError(f"{url}: the site answered with status {status}")

"""A page, the pages it leads to, or those of a sitemap, that a library is kept in step with."""

import hashlib
import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from pincite.errors import SourceError, SourceNotFoundError
from pincite.sources.patterns import check, matches
from pincite.sources.sitemap import Sitemap, read_sitemap
from pincite.sources.web_client import Fetched, WebClient, normal_url
from pincite.sources.web_page import facts_of, without_navigation
from pincite.types.content_hash import hash_of_file
from pincite.types.document import ParsedDocument
from pincite.types.record import Record
from pincite.types.source import (
    FileTrouble,
    KnownSource,
    Listing,
    OfferedFile,
    PassedOver,
    SyncOptions,
)

_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_PDF: Final = ".pdf"
#: Sitemaps of sitemaps are followed this deep.
_SITEMAP_DEPTH: Final = 3
_MAX_SITEMAPS: Final = 100


class _Visit(Record, frozen=True, kw_only=True):
    """An address to be read, and how many links one has come."""

    url: str
    depth: int = 0


class WebSource:
    """The page at an address with the PDFs it links to; with `depth` also pages of the same site that it leads to.

    An address of a sitemap stands for its pages. The fetched bytes are what is parsed and kept.
    """

    def __init__(self, url: str, client: WebClient, *, options: SyncOptions) -> None:
        """Read from `url` through `client`.

        Raises:
            SourceNotFoundError: it is no web address.
            SettingsError: a pattern cannot be read.

        """
        for pattern in (*options.include, *options.exclude):
            check(pattern)
        self._url = normal_url(url)
        self._client = client
        self._options = options
        self._paths: dict[str, Path] = {}

    @property
    def spec(self) -> str:
        """The address, in its normal form."""
        return self._url

    @property
    def root(self) -> str:
        """The same address; pages elsewhere belong to the source because it brought them."""
        return self._url

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def listing(self, known: KnownSource, *, folder: Path) -> Listing:
        """Return every page, read now unless the site says that it is the same.

        A page that is gone (404, 410) is not listed; one that could not be read is listed as failed, and stays.

        Raises:
            SourceError: the first page cannot be read.

        """
        self._paths = {}
        crawl = _Crawl(self._client, self._options, self._url, known, folder)
        listing = crawl.listing()
        self._paths = crawl.paths
        return listing

    def fetch(self, file: OfferedFile, *, folder: Path) -> Path:
        """Return the bytes that the listing fetched.

        Raises:
            SourceError: the site said that they are the same, and the library does not have them any more.

        """
        path = self._paths.get(file.uri)
        if path is None:
            path = folder / hashlib.sha256(file.uri.encode()).hexdigest()
            self._client.fetch(file.uri, path)
        return path

    def refine(self, document: ParsedDocument, path: Path) -> ParsedDocument:
        """Return an HTML page with its navigation set apart, anything else as it is."""
        if document.media_type not in _HTML:
            return document
        return without_navigation(document, path.read_bytes())


class _Crawl:
    """One walk through the pages of a source."""

    def __init__(self, client: WebClient, options: SyncOptions, url: str, known: KnownSource, folder: Path) -> None:
        self._client, self._options, self._start, self._folder = client, options, url, folder
        self._known = {file.uri: file for file in known.files}
        self._todo: deque[_Visit] = deque([_Visit(url=url)])
        self._seen: set[str] = {url}
        self.paths: dict[str, Path] = {}
        self._files: dict[str, OfferedFile] = {}
        self._failed: list[FileTrouble] = []
        self._over: list[PassedOver] = []
        self._n_sitemaps = 0

    def listing(self) -> Listing:
        while self._todo and len(self._files) < self._options.max_pages:
            visit = self._todo.popleft()
            try:
                if visit.url != self._start and not self._client.may_read(visit.url):
                    reason = "robots.txt of the site asks robots not to read it"
                    self._over.append(PassedOver(name=_name(visit.url), reason=reason))
                else:
                    self._read(visit)
            except SourceNotFoundError:
                if visit.url == self._start:
                    raise
            except SourceError as error:
                if visit.url == self._start:
                    raise
                trouble = FileTrouble(uri=visit.url, name=_name(visit.url), code=error.code, message=str(error))
                self._failed.append(trouble)
                # Its links of the last time are followed, so what is behind it does not vanish with it.
                self._follow(self._links_known(visit.url), visit.depth)
        is_whole = not self._todo
        note = f"more than {self._options.max_pages:,} pages: the rest was not read, and nothing deleted"
        return Listing(
            files=tuple(sorted(self._files.values(), key=lambda file: file.name)),
            passed_over=tuple(self._over),
            failed=tuple(self._failed),
            is_complete=is_whole,
            notes=() if is_whole else (note,),
        )

    def _read(self, visit: _Visit) -> None:
        known = self._known.get(visit.url)
        origin = known.origin if known is not None and not known.code else {}
        target = self._folder / hashlib.sha256(visit.url.encode()).hexdigest()
        found = self._client.fetch(
            visit.url, target, etag=origin.get("etag", ""), last_modified=origin.get("last_modified", "")
        )
        if found.is_same and known is not None and found.url == visit.url:
            self._files[known.uri] = OfferedFile(
                uri=known.uri, name=known.name, version=known.version, origin=known.origin
            )
            self._follow(self._links_known(known.uri), visit.depth)
            return
        if found.url != visit.url and (found.url in self._seen or not self._is_wanted(found.url)):
            target.unlink(missing_ok=True)
            return
        self._seen.add(found.url)
        self._take(found, target, visit)

    def _take(self, found: Fetched, target: Path, visit: _Visit) -> None:
        is_html = found.media_type in _HTML or (not found.media_type and _looks_like_html(target))
        if not is_html and (sitemap := self._sitemap(found, target)) is not None:
            target.unlink()
            self._follow_sitemap(sitemap, visit.depth)
            return
        links: tuple[str, ...] = ()
        is_noindex = found.is_noindex
        if is_html:
            facts = facts_of(target.read_bytes(), found.url)
            links, is_noindex = facts.links, is_noindex or facts.is_noindex
            self._follow(links, visit.depth)
        if is_noindex:
            target.unlink()
            self._over.append(PassedOver(name=_name(found.url), reason="the page asks not to be indexed (noindex)"))
            return
        origin = {
            "permalink": found.url,
            "etag": found.etag,
            "last_modified": found.last_modified,
            # UTF-8 goes without saying.
            "charset": "" if found.charset.lower() in {"utf-8", "utf8"} else found.charset,
            "links": json.dumps(links) if links else "",
        }
        self.paths[found.url] = target
        self._files[found.url] = OfferedFile(
            uri=found.url,
            name=_name(found.url, is_html=is_html),
            version=f"sha256:{hash_of_file(target)}",
            n_bytes=target.stat().st_size,
            origin={key: value for key, value in origin.items() if value},
        )

    def _sitemap(self, found: Fetched, target: Path) -> Sitemap | None:
        is_likely = "xml" in found.media_type or urlsplit(found.url).path.endswith((".xml", ".xml.gz"))
        return read_sitemap(target.read_bytes()) if is_likely else None

    def _follow_sitemap(self, sitemap: Sitemap, depth: int) -> None:
        self._n_sitemaps += 1
        if self._n_sitemaps < _MAX_SITEMAPS and depth < _SITEMAP_DEPTH:
            self._queue((url for url in sitemap.sitemaps if self._is_near(url)), depth + 1)
        # Pages of a sitemap are where one starts: their own links count from there.
        self._queue((url for url in sitemap.pages if self._is_near(url) and self._is_wanted(url)), 0)

    def _follow(self, links: tuple[str, ...], depth: int) -> None:
        """Go to the PDFs of a page, and to its pages of the same site as long as the depth lasts."""
        self._queue((url for url in links if _is_pdf(url) and self._takes(url)), depth + 1)
        if depth < self._options.depth:
            self._queue((url for url in links if self._is_near(url) and self._is_wanted(url)), depth + 1)

    def _queue(self, urls: Iterator[str], depth: int) -> None:
        for url in urls:
            if url not in self._seen:
                self._seen.add(url)
                self._todo.append(_Visit(url=url, depth=depth))

    def _links_known(self, url: str) -> tuple[str, ...]:
        known = self._known.get(url)
        links = known.origin.get("links", "") if known is not None else ""
        return tuple(json.loads(links)) if links else ()

    def _is_near(self, url: str) -> bool:
        return urlsplit(url).netloc == urlsplit(self._start).netloc

    def _is_wanted(self, url: str) -> bool:
        return url == self._start or _is_pdf(url) or (self._is_near(url) and self._takes(url))

    def _takes(self, url: str) -> bool:
        path = unquote(urlsplit(url).path).lstrip("/")
        options = self._options
        is_included = not options.include or any(matches(path, pattern) for pattern in options.include)
        return is_included and not any(matches(path, pattern) for pattern in options.exclude)


def _is_pdf(url: str) -> bool:
    return urlsplit(url).path.lower().endswith(_PDF)


def _looks_like_html(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(1024).lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith((b"<!doctype html", b"<html"))


def _name(url: str, *, is_html: bool = False) -> str:
    """Return what citations call a page: its host and path as text, with an ending that says what it is."""
    parts = urlsplit(url)
    path = unquote(parts.path, errors="replace")
    name = parts.netloc + (path if not path.endswith("/") else path + "index.html")
    if parts.query:
        name += "?" + unquote(parts.query, errors="replace")
    return name if not is_html or name.lower().endswith((".html", ".htm", ".xhtml")) else name + ".html"

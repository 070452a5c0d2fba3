"""Web pages through the real HTTP client from a real server on this machine."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.making import parsed
from tests.sources.web_server import Page, Site, packed, site

from pincite.errors import (
    BlockedAddressError,
    SourceDeniedError,
    SourceError,
    SourceLimitError,
    SourceNotFoundError,
    SourceRateLimitError,
    SourceUnreachableError,
)
from pincite.sources.robots import Robots
from pincite.sources.sitemap import read_sitemap
from pincite.sources.web import WebSource
from pincite.sources.web_client import WebClient, WebLimits, normal_url
from pincite.sources.web_guard import is_public
from pincite.sources.web_page import facts_of, without_navigation
from pincite.types.source import KnownFile, KnownSource, Listing, SyncOptions

LOCAL = "127.0.0.1"


@pytest.fixture
def web() -> Iterator[Site]:
    """Return a site without pages, being served."""
    with site() as made:
        yield made


@pytest.fixture
def slept() -> list[float]:
    """Return the pauses that were made."""
    return []


@pytest.fixture
def client(slept: list[float]) -> Iterator[WebClient]:
    """Return a client that may reach this machine, with small limits and a sleep that is a list."""
    limits = WebLimits(max_bytes=200_000)
    with WebClient(allow_private=True, limits=limits, sleep=slept.append) as made:
        yield made


def listed(client: WebClient, url: str, folder: Path, known: KnownSource | None = None, **options: Any) -> Listing:
    return WebSource(url, client, options=SyncOptions(**options)).listing(known or KnownSource(), folder=folder)


def known_of(listing: Listing) -> KnownSource:
    return KnownSource(
        files=tuple(KnownFile(uri=f.uri, name=f.name, version=f.version, origin=f.origin) for f in listing.files)
    )


def paths(listing: Listing) -> list[str]:
    return ["/" + file.uri.split("/", 3)[3] for file in listing.files]


# ── addresses ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "address",
    "127.0.0.1 127.9.9.9 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 255.255.255.255 224.0.0.1 "
    "192.0.2.1 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: "
    "2001:db8::1 localhost nonsense".split(),
)
def test_an_address_that_is_not_public_is_known(address: str) -> None:
    """Loopback, private, link-local, shared, reserved, in whichever form they are written: none is public."""
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f::1", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    """Ordinary addresses pass."""
    assert is_public(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.1", "2130706433", "0x7f000001"])
def test_this_machine_is_refused_by_every_name(host: str, web: Site, tmp_path: Path) -> None:
    """Names and odd spellings of this machine lead nowhere, and no request is made."""
    with WebClient() as client, pytest.raises(SourceError) as caught:
        client.fetch(f"http://{host}:{web.port}/", tmp_path / "x")
    assert isinstance(caught.value, BlockedAddressError | SourceUnreachableError | SourceNotFoundError)
    assert web.requests == []


def test_a_redirect_into_the_private_network_is_refused(web: Site, tmp_path: Path) -> None:
    """A public page that redirects to a private address is not followed: each step is checked when it connects."""
    with site(host="127.0.0.2") as inner:
        inner.html("/", "secret")
        web.pages["/"] = Page(status=302, headers={"Location": f"http://inner.example:{inner.port}/"})

        def resolve(host: str, port: int) -> list[str]:
            return {"outer.example": [LOCAL], "inner.example": ["127.0.0.2"]}[host]

        import pincite.sources.web_guard as guard

        public = guard.is_public
        guard.is_public = lambda address: address == LOCAL or public(address)
        try:
            with WebClient(resolve=resolve) as client, pytest.raises(BlockedAddressError, match=r"127\.0\.0\.2"):
                client.fetch(f"http://outer.example:{web.port}/", tmp_path / "x")
        finally:
            guard.is_public = public
        assert web.asked() == ["/"]
        assert inner.requests == []


def test_a_name_that_leads_elsewhere_a_moment_later_gains_nothing(web: Site, tmp_path: Path) -> None:
    """DNS rebinding: the address that was checked is the one that is connected to; each connection asks once."""
    web.html("/", "secret")
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        # Public at the first look (nothing listens there in a test), private at the second.
        return ["93.184.215.14", LOCAL] if len(asked) == 1 else [LOCAL]

    with WebClient(resolve=resolve) as client, pytest.raises(BlockedAddressError):
        client.fetch(f"http://rebind.example:{web.port}/", tmp_path / "x")
    assert asked == ["rebind.example"]
    assert web.requests == []


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x/y", "gopher://x", "https://", "http://a:b@x/", "javascript:alert(1)", "x"]
)
def test_only_plain_web_addresses_are_read(url: str) -> None:
    """Other schemes, and names or passwords in an address, are refused before anything is asked."""
    with pytest.raises(SourceError):
        normal_url(url)


def test_an_address_has_one_form() -> None:
    """Case of the host, default ports, fragments and unquoted characters make no difference."""
    assert normal_url("HTTPS://Ex.Example:443/a b?q=é#frag") == "https://ex.example/a%20b?q=%C3%A9"


# ── limits, faults, robots ───────────────────────────────────────────────────────────────────────────────────────────


def test_bytes_come_as_they_are_and_unchanged_ones_not_again(web: Site, client: WebClient, tmp_path: Path) -> None:
    """The bytes of the server are the bytes of the file; a second request asks whether they changed."""
    web.html("/a", "<p>Ä 1</p>")
    found = client.fetch(web.base + "/a#part", tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == web.pages["/a"].body
    assert client.fetch(web.base + "/a", tmp_path / "y", etag=found.etag).is_same
    assert not (tmp_path / "y").exists()


def test_too_large_is_left_also_when_it_comes_packed(web: Site, client: WebClient, tmp_path: Path) -> None:
    """The limit counts unpacked bytes: a bomb of zeros is left early, and nothing remains."""
    web.pages["/big"] = Page(b"x" * 200_001)
    web.pages["/bomb"] = packed(b"\0" * 50_000_000)
    for path in ("/big", "/bomb"):
        with pytest.raises(SourceLimitError, match="larger than"):
            client.fetch(web.base + path, tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_what_takes_too_long_is_left(web: Site, tmp_path: Path) -> None:
    """The limit of time counts for the whole page, however it drips."""
    web.pages["/"] = Page(b"x" * 100_000)
    limits = WebLimits(max_s=-1)
    with WebClient(allow_private=True, limits=limits) as client, pytest.raises(SourceLimitError, match="took longer"):
        client.fetch(web.base + "/", tmp_path / "x")


def test_redirects_are_followed_a_few_times(web: Site, client: WebClient, tmp_path: Path) -> None:
    """Five steps are followed, the place where the page was found is said; a circle is left."""
    for number in range(5):
        web.pages[f"/r{number}"] = Page(status=301, headers={"Location": f"/r{number + 1}"})
    web.html("/r5", "there")
    assert client.fetch(web.base + "/r0", tmp_path / "x").url == web.base + "/r5"
    web.pages["/circle"] = Page(status=302, headers={"Location": "/circle"})
    with pytest.raises(SourceLimitError, match="redirects"):
        client.fetch(web.base + "/circle", tmp_path / "x")
    web.pages["/file"] = Page(status=302, headers={"Location": "file:///etc/passwd"})
    with pytest.raises(SourceNotFoundError, match="no web address"):
        client.fetch(web.base + "/file", tmp_path / "x")


def test_faults_are_tried_again_and_pauses_are_kept(
    web: Site, client: WebClient, tmp_path: Path, slept: list[float]
) -> None:
    """Server faults and cut connections twice more, asked pauses as long as asked; then a typed error."""
    web.html("/", "there")
    answers = [Page(status=500), Page("half of this", cut=True), Page(status=429, headers={"Retry-After": "3"})]
    web.fault = lambda path: answers.pop(0) if answers and path == "/" else None
    client.fetch(web.base + "/", tmp_path / "x")
    assert slept == [0.5, 2.0, 3.0]
    web.fault = lambda path: Page(status=502) if path == "/" else None
    with pytest.raises(SourceUnreachableError, match="502"):
        client.fetch(web.base + "/", tmp_path / "x")
    web.fault = lambda path: Page(status=503, headers={"Retry-After": "7200"}) if path == "/" else None
    with pytest.raises(SourceRateLimitError, match="120 minutes"):
        client.fetch(web.base + "/", tmp_path / "x")


@pytest.mark.parametrize(
    ("status", "error"), [(404, SourceNotFoundError), (410, SourceNotFoundError), (403, SourceDeniedError)]
)
def test_a_refusal_is_typed(web: Site, client: WebClient, tmp_path: Path, status: int, error: type[Exception]) -> None:
    """What is gone and what is not allowed are different errors."""
    web.fault = lambda path: Page(status=status) if path == "/" else None
    with pytest.raises(error, match=str(status)):
        client.fetch(web.base + "/", tmp_path / "x")


def test_robots_are_obeyed_and_a_site_that_cannot_say_is_not_read(web: Site, client: WebClient, tmp_path: Path) -> None:
    """What robots.txt forbids is not asked for; asked once; where it fails with a server's fault nothing is read."""
    web.html("/open", "a")
    web.html("/closed/x", "b")
    web.pages["/robots.txt"] = Page("User-agent: *\nDisallow: /closed", kind="text/plain")
    client.fetch(web.base + "/open", tmp_path / "x")
    with pytest.raises(SourceDeniedError, match=r"robots\.txt"):
        client.fetch(web.base + "/closed/x", tmp_path / "x")
    assert [path for path, _ in web.requests] == ["/robots.txt", "/open"]
    with site() as other:
        other.html("/", "a")
        other.fault = lambda path: Page(status=500) if path == "/robots.txt" else None
        with pytest.raises(SourceDeniedError, match="cannot be had"):
            client.fetch(other.base + "/", tmp_path / "x")


@pytest.mark.parametrize(
    ("rules", "path", "is_allowed"),
    [
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: pincite\nAllow: /\n\nUser-agent: *\nDisallow: /", "/a", True),
        ("User-agent: other\nUser-agent: Pincite\nDisallow: /x", "/x/y", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/d/x.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/d/x.pdf?y", True),
        ("User-agent: *\nDisallow: /a%62c", "/abc", False),
        ("User-agent: *\nDisallow: /q?*x=1", "/q?y=2&x=1", False),
        ("\ufeffuser-agent : * # all\ndisallow : /a # none", "/a", False),
        ("Disallow: /", "/a", True),
        ("<html>404</html>", "/a", True),
    ],
)
def test_the_longest_rule_of_the_group_decides(rules: str, path: str, *, is_allowed: bool) -> None:
    """RFC 9309: our own group before that of all, the longest rule, wildcards, and lines that make no sense."""
    assert Robots.parse(rules, name="pincite").allows(path) is is_allowed


def test_a_pause_that_a_site_asks_for_is_kept(web: Site, client: WebClient, tmp_path: Path, slept: list[float]) -> None:
    """Crawl-delay is obeyed up to ten seconds."""
    web.html("/", "a")
    web.pages["/robots.txt"] = Page("User-agent: *\nCrawl-delay: 500")
    for _ in range(2):
        client.fetch(web.base + "/", tmp_path / "x")
    assert [round(pause) for pause in slept] == [10, 10]


# ── pages and sitemaps ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_is_read_with_the_pdfs_it_links_to(web: Site, client: WebClient, tmp_path: Path) -> None:
    """Without a depth the page alone, and documents behind its links; other pages are not asked for."""
    web.html("/", '<a href="/docs/m.pdf">manual</a> <a href="/about">about</a> <a href="mailto:x@y">mail</a>')
    web.pages["/docs/m.pdf"] = Page(b"%PDF-1.7 x", kind="application/pdf")
    listing = listed(client, web.base, tmp_path)
    assert paths(listing) == ["/docs/m.pdf", "/"]
    assert [file.name for file in listing.files] == [f"{LOCAL}:{web.port}/docs/m.pdf", f"{LOCAL}:{web.port}/index.html"]
    assert listing.files[0].origin["permalink"] == web.base + "/docs/m.pdf"
    assert "/about" not in web.asked()


def test_links_are_followed_within_depth_site_and_patterns(web: Site, client: WebClient, tmp_path: Path) -> None:
    """Depth counts links; other sites are not entered, patterns hold, and a circle of links ends."""
    with site() as other:
        web.html("/", f'<a href="/a">a</a><a href="{other.base}/x">x</a><a href="/private/p">p</a><a href="/">self</a>')
        web.html("/a", '<a href="b">b</a><a href="/">home</a>')
        web.html("/b", '<a href="/c">c</a>')
        web.html("/c", "end")
        web.html("/private/p", "p")
        assert paths(listed(client, web.base, tmp_path, depth=2, exclude=("private/**",))) == ["/a", "/b", "/"]
        assert other.requests == []
    listing = listed(client, web.base, tmp_path, depth=9, max_pages=3)
    assert (len(listing.files), listing.is_complete) == (3, False)
    assert "more than 3 pages" in listing.notes[0]


def test_unchanged_pages_are_not_sent_again_and_their_links_are_known(
    web: Site, client: WebClient, tmp_path: Path
) -> None:
    """A second sync asks for changes only, and still finds what is behind an unchanged page."""
    web.html("/", '<a href="/a">a</a>')
    web.html("/a", "old")
    first = listed(client, web.base, tmp_path, depth=1)
    web.html("/a", "new")
    second = listed(client, web.base, tmp_path, known_of(first), depth=1)
    assert paths(second) == paths(first)
    same = {one.uri: one.version for one in first.files}
    assert [file.version == same[file.uri] for file in second.files] == [False, True]


def test_a_page_that_is_gone_is_not_listed_and_one_that_fails_stays(
    web: Site, client: WebClient, tmp_path: Path
) -> None:
    """404 means gone; a fault of the server keeps the page and all that is behind it."""
    web.html("/", '<a href="/a">a</a><a href="/b">b</a>')
    web.html("/a", '<a href="/c">c</a>')
    web.html("/b", "b")
    web.html("/c", "c")
    first = listed(client, web.base, tmp_path, depth=2)
    assert len(first.files) == 4
    del web.pages["/b"]
    web.fault = lambda path: Page(status=500) if path == "/a" else None
    second = listed(client, web.base, tmp_path, known_of(first), depth=2)
    assert paths(second) == ["/c", "/"]
    assert [failed.uri for failed in second.failed] == [web.base + "/a"]
    web.fault = lambda path: Page(status=404) if path == "/" else None
    with pytest.raises(SourceNotFoundError):
        listed(client, web.base, tmp_path, known_of(first), depth=2)


def test_a_sitemap_stands_for_its_pages(web: Site, client: WebClient, tmp_path: Path) -> None:
    """A sitemap of sitemaps, one of them packed, leads to the pages of this site alone."""
    maps = "".join(f"<sitemap><loc>{web.base}/{name}</loc></sitemap>" for name in ("s1.xml", "s2.xml.gz"))
    index = f"<sitemapindex>{maps}</sitemapindex>"
    web.pages["/sitemap.xml"] = Page(index, kind="application/xml")
    web.pages["/s1.xml"] = Page(
        f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{web.base}/a</loc>'
        "</url><url><loc>http://elsewhere.example/x</loc></url></urlset>",
        kind="text/xml",
    )
    inner = f"<urlset><url><loc>{web.base}/b</loc></url><url><loc>{web.base}/gone</loc></url></urlset>"
    web.pages["/s2.xml.gz"] = Page(gzip.compress(inner.encode()), kind="application/gzip")
    web.html("/a", "a")
    web.html("/b", "b")
    listing = listed(client, web.base + "/sitemap.xml", tmp_path)
    assert (paths(listing), listing.failed) == (["/a", "/b"], ())


def test_a_sitemap_can_do_no_harm() -> None:
    """Entities and files outside are not read, a bomb is left, what is no sitemap is none."""
    bomb = b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>&f;</loc></url></urlset>'
    found = read_sitemap(bomb)
    assert found is not None
    assert found.pages == ()
    with pytest.raises(SourceLimitError):
        read_sitemap(gzip.compress(b"<urlset>" + b"\0" * (51 * 2**20)))
    assert read_sitemap(b"<rss></rss>") is None
    assert read_sitemap(b"\x1f\x8bbroken") is None


def test_pages_that_ask_not_to_be_kept_are_not(web: Site, client: WebClient, tmp_path: Path) -> None:
    """`noindex` in the page or in the headers passes it over; `nofollow` hides its links."""
    web.html("/", '<a href="/a">a</a><a href="/b">b</a><a rel="nofollow" href="/c">c</a>')
    web.html("/a", "a", head='<meta name="robots" content="noindex, nofollow">')
    web.html("/b", "b", X_Robots_Tag="noindex")
    listing = listed(client, web.base, tmp_path, depth=1)
    assert (paths(listing), len(listing.passed_over)) == (["/"], 2)
    assert "/c" not in web.asked()


def test_links_are_read_as_a_browser_reads_them() -> None:
    """The base of the page counts, fragments do not, and what is no web address is no link."""
    page = (
        b'<base href="http://x.example/d/"><a href="a#1">1</a><a href="a#2">2</a><a href="//y.example/b">3</a>'
        b'<a href="javascript:x">4</a>'
    )
    assert facts_of(page, "http://z.example/").links == ("http://x.example/d/a", "http://y.example/b")
    assert facts_of(b"", "http://z.example/").links == ()


def test_navigation_is_set_apart_from_the_article() -> None:
    """Menus and imprints become header and footer; the lines of the article stay, numbers and all."""
    article = (
        "The harbour has a tide of 3.2 metres at spring, and of 1.1 metres at neap; the sill of the lock lies 4 metres "
        "below datum and is dry at low water on most days in March."
    )
    page = (
        "<html><body><div class='menu'><a href=/a>Home</a><a href=/b>Products</a></div><div id='content'>"
        f"<h1>Tides</h1><p>{article}</p><p>Gate one opens at six in the morning, and closes again at noon.</p></div>"
        "<div class='foot'><a href=/i>Imprint</a> <a href=/c>Cookies</a></div></body></html>"
    )
    lines = (
        "Home\nProducts\n# Tides\n"
        + article
        + "\nGate one opens at six in the morning, and closes again at noon.\nImprint Cookies"
    )
    document = without_navigation(parsed(lines, "page.md"), page.encode())
    assert [line.role for line in document.lines] == ["header", "header", "heading", "body", "body", "footer"]
    assert [line.text for line in document.lines] == lines.split("\n")
    assert without_navigation(parsed("Other text\n", "p.md"), b"<html></html>") == parsed("Other text\n", "p.md")

"""Pages of other sites do not reach the server through the browser of who uses it."""

import pytest
from tests.interfaces.http.access.conftest import asked, nothing

from pincite.errors import SettingsError
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.origins import Origins, is_loopback_name, is_own

LOCAL = Origins(nothing, allowed=(), local_only=True)
FRIENDLY = Origins(nothing, allowed=("https://friend.example",), local_only=False)


@pytest.mark.parametrize("host", ["127.0.0.1:8787", "localhost", "LOCALHOST:1", "[::1]:8787", "127.9.9.9"])
def test_names_of_this_machine(host: str) -> None:
    """The server answers to every name that this machine has for itself."""
    assert (is_loopback_name(host), asked(LOCAL, headers={"host": host}).status_code) == (True, 204)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8787", "127.0.0.1.evil.example", "localhost.evil", "10.0.0.1", "", "[", "0"]
)
def test_a_rebound_name_is_refused(host: str) -> None:
    """A site that points its own name at 127.0.0.1 gets nothing, whatever it asks for."""
    answer = asked(LOCAL, headers={"host": host})

    assert (answer.status_code, answer.json()["code"]) == (421, "foreign_host")


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:9999", "http://localhost:8787", ""]
)
def test_foreign_origins_are_refused(method: str, origin: str) -> None:
    """What a page of another origin sends is refused, also from another port or name of this machine."""
    answer = asked(LOCAL, method, headers={"origin": origin})

    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("site", "mode", "dest", "method", "status"),
    [
        ("same-origin", "cors", "empty", "POST", 204),
        ("none", "navigate", "document", "GET", 204),
        ("cross-site", "navigate", "document", "GET", 204),
        ("cross-site", "navigate", "document", "POST", 403),
        ("cross-site", "navigate", "iframe", "GET", 403),
        ("cross-site", "no-cors", "image", "GET", 403),
        ("same-site", "no-cors", "script", "GET", 403),
    ],
)
def test_requests_without_an_origin(site: str, mode: str, dest: str, method: str, status: int) -> None:
    """A link from elsewhere opens the page; pictures, frames, scripts and forms of other sites get nothing."""
    sent = {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest}

    assert asked(LOCAL, method, headers=sent).status_code == status


def test_the_page_itself_may_call() -> None:
    """The server's own page is no foreigner, and neither is a program that sends no origin."""
    assert [asked(LOCAL, "POST", headers=h).status_code for h in ({"origin": "http://127.0.0.1:8787"}, {})] == [
        204,
        204,
    ]


def test_an_origin_that_was_let_in() -> None:
    """With --cors a page of that origin may call and read the answer; its questions beforehand are answered."""
    sent = {"origin": "https://friend.example"}
    before = asked(FRIENDLY, "OPTIONS", headers={**sent, "access-control-request-method": "POST"})
    after = asked(FRIENDLY, "POST", headers=sent)

    assert [a.headers["access-control-allow-origin"] for a in (before, after)] == [sent["origin"]] * 2
    assert ("authorization" in before.headers["access-control-allow-headers"], before.status_code) == (True, 204)
    # The browsers of pages that take nothing else from elsewhere want it said of pictures, too.
    assert after.headers["cross-origin-resource-policy"] == "cross-origin"
    assert ("access-control-allow-credentials" in after.headers, after.headers["vary"]) == (False, "origin")


@pytest.mark.parametrize(
    "origin", ["https://friend.example.evil", "http://friend.example", "https://friend.example:444", "https://x"]
)
def test_what_only_looks_like_it_is_not_let_in(origin: str) -> None:
    """Origins are compared whole."""
    assert asked(FRIENDLY, headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("origin", ["*", "null", "https://a.example/", "a.example", "https://*.example", "ftp://a"])
def test_what_is_no_origin(origin: str) -> None:
    """Everybody cannot be let in, not even by mistake."""
    with pytest.raises(SettingsError, match="no origin"):
        AccessOptions(cors=(origin,))


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        ("https://docs.example", "docs.example", True),
        ("https://docs.example", "docs.example:443", True),
        ("http://docs.example:8080", "docs.example:8080", True),
        ("http://docs.example:8080", "docs.example", False),
        ("https://docs.example", "docs.example:8443", False),
        ("https://DOCS.example", "docs.EXAMPLE", True),
        ("https://docs.example:99999", "docs.example", False),
        ("null", "", False),
    ],
)
def test_own_origin_behind_a_proxy(origin: str, host: str, own: bool) -> None:
    """Behind a proxy that passes the Host header on, the page is its own, with or without TLS."""
    assert is_own(origin, host) is own

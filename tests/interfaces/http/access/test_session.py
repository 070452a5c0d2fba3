"""The web page's session: a cookie that scripts cannot read and other sites cannot use."""

from pathlib import Path

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from tests.interfaces.http.access.conftest import SETTINGS, Running, asked

from pincite.errors import StoreError
from pincite.interfaces.http.access.guard import guarded
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.tokens import Tokens
from pincite.interfaces.http.app import create_app
from pincite.interfaces.http.served import Served

OWN = {"sec-fetch-site": "same-origin"}


def signed_in(server: Running, **token: str) -> tuple[dict[str, str], str]:
    """Return the cookie header of a new session, and the whole Set-Cookie."""
    shown = server.token(**{"scope": "write", **token})["authorization"].removeprefix("Bearer ")  # type: ignore[arg-type]
    response = server.client.post("/v1/session", json={"token": shown})
    server.client.cookies.clear()
    assert response.status_code == 204
    set_cookie = response.headers["set-cookie"]
    return {"cookie": set_cookie.partition(";")[0]}, set_cookie


def test_the_cookie_is_out_of_reach(guarded_server: Running) -> None:
    """No script reads the cookie, no other site sends it, and it holds no token."""
    cookie, whole = signed_in(guarded_server)

    parts = {part.strip().lower() for part in whole.split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/", "max-age=43200"} <= parts
    assert ("pct_" in cookie["cookie"], "secure" in parts) == (False, False)


def test_the_cookie_opens_what_the_token_does(guarded_server: Running) -> None:
    """With the cookie the page sees what its token may see, and `GET /v1/session` says who it is."""
    cookie, _ = signed_in(guarded_server, collection="vault", scope="ask", name="Ana")
    who = guarded_server.client.get("/v1/session", headers=cookie).json()
    names = [d["name"] for d in guarded_server.client.get("/v1/documents", headers=cookie).json()["documents"]]

    assert who == {"name": "Ana", "scopes": ["read", "ask"], "collection": "vault", "token_required": True}
    assert (names, guarded_server.client.get("/v1/session").status_code) == (["vault.md"], 401)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "https://friend.example"}, 403),
        ({"origin": "null"}, 403),
        (OWN, 201),
        ({"origin": "OWN"}, 201),
    ],
)
def test_only_the_own_page_acts_with_the_cookie(guarded_server: Running, sent: dict[str, str], status: int) -> None:
    """What changes something needs proof that the own page asked; not even an origin that was let in has the cookie."""
    cookie, _ = signed_in(guarded_server)
    headers = {name: value.replace("OWN", guarded_server.url) for name, value in sent.items()}

    response = guarded_server.client.post("/v1/conversations", json={}, headers={**cookie, **headers})
    assert response.status_code == status


def test_signing_out_ends_the_session(guarded_server: Running) -> None:
    """After signing out the cookie opens nothing, also for who kept a copy of it."""
    cookie, _ = signed_in(guarded_server)
    out = guarded_server.client.delete("/v1/session", headers={**cookie, **OWN})

    assert (out.status_code, "max-age=0" in out.headers["set-cookie"].lower()) == (204, True)
    assert guarded_server.client.get("/v1/documents", headers=cookie).status_code == 401


@pytest.mark.parametrize("token", ["", "pct_", "pct_" + "0" * 12 + "_" + "A" * 43, "x" * 5000])
def test_what_is_no_token_gets_no_session(guarded_server: Running, token: str) -> None:
    """A wrong token is refused, without saying what is wrong with it, and sets no cookie."""
    response = guarded_server.client.post("/v1/session", json={"token": token})

    assert (response.status_code, response.json()["code"], "set-cookie" in response.headers) == (
        401,
        "unauthorized",
        False,
    )


def test_a_bearer_token_needs_no_page(guarded_server: Running) -> None:
    """Programs that send the token itself are asked for no origin: no browser sends it by itself."""
    response = guarded_server.client.post("/v1/conversations", json={}, headers=guarded_server.token("ask"))

    assert response.status_code == 201


def test_behind_tls_the_cookie_is_secure(folder: Path) -> None:
    """Where a trusted proxy says that it speaks TLS, the cookie goes over TLS alone."""
    tokens = Tokens(folder)
    token = tokens.new(scopes=["read"], collection="*").token
    with Served(folder, settings=SETTINGS) as served:
        app = guarded(create_app(served), tokens, AccessOptions(require_token=True))

        async def over_tls(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, "scheme": "https"}, receive, send)

        response = asked(over_tls, "POST", "/v1/session", json={"token": token})
    tokens.close()
    assert "; secure" in response.headers["set-cookie"].lower()


def test_without_tokens_everybody_on_this_machine_is_local(open_server: Running) -> None:
    """By default nobody on this machine needs a token; one that is shown still counts for what it is."""
    client = open_server.client
    bound = open_server.token("read", "vault")

    assert client.get("/v1/session").json()["token_required"] is False
    assert [d["name"] for d in client.get("/v1/documents").json()["documents"]] == ["harbour.md"]
    assert [d["name"] for d in client.get("/v1/documents", headers=bound).json()["documents"]] == ["vault.md"]
    assert client.post("/v1/conversations", json={}, headers=bound).status_code == 403
    assert client.get("/v1/documents", headers={"authorization": "Bearer pct_wrong"}).status_code == 401


def test_a_real_page_of_another_site_is_refused(open_server: Running) -> None:
    """The server of this machine is no use to a page that a browser on it shows."""
    for sent in ({"host": "evil.example"}, {"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert httpx.get(f"{open_server.url}/v1/documents", headers=sent).status_code in (403, 421)


def test_nobody_is_let_in_while_tokens_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the place of the tokens cannot be reached a request is told to come back, whatever it shows."""
    tokens, served = Tokens(folder), Served(folder, settings=SETTINGS)
    app = guarded(create_app(served), tokens, AccessOptions(require_token=True))
    shown = {"authorization": f"Bearer {tokens.new(scopes=['read'], collection='*').token}"}

    def fail(*_: object, **__: object) -> None:
        raise StoreError(f"the library {str(folder)!r} cannot be used: no route to host")

    monkeypatch.setattr(tokens._tokens, "get", fail)
    answers = [asked(app, path="/v1/documents", headers=shown), asked(app, path="/v1/documents")]

    assert [(one.status_code, one.json()["code"]) for one in answers] == [(503, "store_failed"), (401, "unauthorized")]
    assert answers[0].headers["retry-after"] == "5"
    assert str(folder) not in answers[0].text
    tokens.close()
    served.close()

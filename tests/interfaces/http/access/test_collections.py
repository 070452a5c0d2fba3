"""Route by route: a token sees its own collection and nothing of the others, and does what its scope says.

The routes come from the application itself: one that is added without a line here, or without a scope, fails.
"""

import inspect
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import httpx
import pytest
from fastapi.params import Depends
from fastapi.routing import iter_route_contexts
from msgspec import json
from tests.interfaces.http.access.conftest import SETTINGS, Running, running

from pincite.evaluation.records import Summary
from pincite.interfaces.http.access.caller import SCOPES, Scope
from pincite.interfaces.http.access.metrics import seeing_all
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.app import create_app
from pincite.interfaces.http.served import Served
from pincite.library import Library

MEMO = Path(__file__).parents[3] / "cases" / "CIT06-one-page-document" / "memo.pdf"
#: Stands in names and questions of the hidden collection, and nowhere else.
ODD = "quokkaprotocol"
QUESTION = "When is the north lock shut?"


@dataclass(frozen=True)
class World:
    """A server with the collections `default` and `vault`, and the ids of what is in the vault."""

    server: Running
    ids: dict[str, Any]
    tokens: dict[tuple[str, Scope], dict[str, str]]

    def ask(self, asked: "Asked", *, collection: str, scope: Scope, named: str | None = None) -> httpx.Response:
        """Return the response to a request about the vault by a token of a collection."""
        made = asked.make(self)
        params = made.pop("params", {}) | ({} if named is None else {"collection": named})
        headers = {**self.tokens[collection, scope], **made.pop("headers", {})}
        path = made.pop("path").format(**self.ids)
        return self.server.client.request(asked.method, path, params=params, headers=headers, **made)


Made = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A request about what is in the vault: its route, the scope it needs, and how it is made.

    `is_list` says that the route shows what the caller may see: of another collection that is other things, no error.
    `deletes` says that afterwards what it is about is gone.
    """

    method: str
    route: str
    scope: Scope
    parts: Callable[[World], Made] = field(default=lambda _world: {})
    is_list: bool = False
    deletes: bool = False

    def make(self, world: World) -> Made:
        """Return the arguments of the request."""
        return {"path": self.route, **self.parts(world)}


def _json(**body: Any) -> Callable[[World], Made]:
    return lambda _world: {"json": body}


def _upload(_world: World) -> Made:
    return {"content": b"# New\n\nA note.\n", "params": {"name": "new.md"}}


DOC = "/v1/documents/{doc_id}"
REQUESTS = (
    Asked("GET", "/v1/collections", "read", is_list=True),
    Asked("GET", "/v1/documents", "read", is_list=True),
    Asked("POST", "/v1/documents", "write", _upload, is_list=True),
    Asked("GET", DOC, "read"),
    Asked("GET", DOC + "/pages", "read"),
    Asked("GET", DOC + "/lines", "read"),
    Asked("GET", DOC + "/toc", "read"),
    Asked("GET", DOC + "/tables", "read"),
    Asked("GET", DOC + "/find", "read", lambda _: {"params": {"text": "lock"}}),
    Asked("GET", DOC + "/pages/{page_num}.png", "read"),
    Asked("GET", DOC + "/original", "read"),
    Asked("POST", "/v1/search", "read", _json(query="north lock"), is_list=True),
    Asked("POST", "/v1/ask", "ask", _json(question=QUESTION), is_list=True),
    Asked("POST", "/v1/conversations", "ask", _json(), is_list=True),
    Asked("GET", "/v1/conversations", "ask", is_list=True),
    Asked("GET", "/v1/conversations/{conversation_id}", "ask"),
    Asked("POST", "/v1/conversations/{conversation_id}/messages", "ask", _json(text="When is the lock shut?")),
    Asked("GET", "/v1/traces", "ask", is_list=True),
    Asked("GET", "/v1/traces/{trace_id}", "ask"),
    Asked("POST", "/v1/traces/{trace_id}/replay", "ask", _json(**{"from": "answer"})),
    Asked("GET", "/v1/answers/{trace_id}", "ask"),
    Asked("GET", "/v1/answers/{trace_id}/export", "ask"),
    Asked("GET", "/v1/answers/{trace_id}/bundle", "ask"),
    Asked("POST", "/v1/answers/{trace_id}/feedback", "ask", _json(right=True)),
    Asked("GET", "/v1/feedback", "ask", is_list=True),
    Asked("GET", "/v1/feedback/suite", "ask"),
    Asked("GET", "/v1/evals", "read", is_list=True),
    Asked("GET", "/v1/evals/{eval_id}", "read"),
    Asked("GET", "/v1/jobs", "read", is_list=True),
    Asked("GET", "/v1/jobs/{job_id}", "read"),
    Asked("GET", "/v1/jobs/{job_id}/events", "read"),
    Asked("POST", "/v1/jobs/{job_id}/cancel", "write"),
    Asked("DELETE", "/v1/conversations/{conversation_id}", "ask", deletes=True),
    Asked("DELETE", DOC, "write", deletes=True),
)
#: What is about no collection: checking a bundle that the caller brings, and what concerns the whole server.
ELSEWHERE: dict[tuple[str, str], Scope] = {
    ("POST", "/v1/verify"): "read",
    ("POST", "/v1/collections"): "write",
    ("GET", "/metrics"): "read",
}
#: What is open to all, and says nothing about any document.
OPEN = {
    ("GET", "/v1/health"),
    ("GET", "/v1/ready"),
    ("GET", "/v1/openapi.json"),
    ("GET", "/v1/session"),
    ("POST", "/v1/session"),
    ("DELETE", "/v1/session"),
}
BY_ROUTE = {f"{a.method} {a.route}": a for a in REQUESTS}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Return a server whose vault holds one of everything."""
    folder = tmp_path_factory.mktemp("world") / "library"
    vault = folder / "collections" / "vault"
    vault.mkdir(parents=True)
    for place in (folder, vault):
        Library(place, settings=SETTINGS).close()
    summary = Summary(
        suite=ODD, n=0, measures={}, by_shape={}, defects=(), errors=(), failed_documents=(), version="0",
        settings={}, options={}, machine={}, started_at="2026-01-01", seconds=0.0, results="",
    )  # fmt: skip
    run = vault / "evals" / ODD / "results" / "run-1"
    run.mkdir(parents=True)
    (run / "summary.json").write_bytes(json.encode(summary))
    with running(folder, AccessOptions(require_token=True)) as server:
        tokens = {(c, s): server.token(s, c) for c in ("default", "vault", "*") for s in SCOPES}
        yield World(server=server, ids=_fill(server, tokens["vault", "write"]), tokens=tokens)


def _fill(server: Running, token: dict[str, str]) -> dict[str, Any]:
    """Put one of everything into the vault and return the ids."""

    def post(path: str, **more: Any) -> Any:
        response = server.client.post(path, headers=token, **more)
        assert response.is_success, response.text
        return response.json()

    (job,) = post("/v1/documents", content=MEMO.read_bytes(), params={"name": f"{ODD}.pdf", "wait": 30})["jobs"]
    asked = post("/v1/ask", json={"question": QUESTION})
    post("/v1/ask", json={"question": f"Who wrote the {ODD}?"})
    conversation = post("/v1/conversations", json={})
    trace_id = asked["trace_id"]
    post(f"/v1/answers/{trace_id}/feedback", json={"right": True, "note": ODD})
    return {
        "doc_id": job["doc_id"],
        "page_num": 1,
        "job_id": job["job_id"],
        "trace_id": trace_id,
        "conversation_id": conversation["conversation_id"],
        "eval_id": "run-1",
        "bundle": server.client.get(f"/v1/answers/{trace_id}/bundle", headers=token).json(),
    }


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Any]:
    """Return every route of the application: its method and template, and the function behind it."""
    with Served(tmp_path_factory.mktemp("routes"), settings=SETTINGS) as served:
        app = create_app(served)
    found = {}
    for context in iter_route_contexts(app.routes):
        for method in (getattr(context, "methods", None) or set()) - {"HEAD"}:
            found[method, re.sub(r":\w+}", "}", str(context.path))] = getattr(context, "endpoint", None)
    return found


def scope_of(endpoint: Any) -> Scope | None:
    """Return the scope that a route declares, by what it depends on."""
    for hint in get_type_hints(inspect.unwrap(endpoint), include_extras=True).values():
        for given in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
            if isinstance(given, Depends):
                if given.dependency is seeing_all:
                    return "read"
                scope: Scope | None = getattr(given.dependency, "scope", None)
                if scope is not None:
                    return scope
    return None


def test_every_route_is_here_with_its_scope(table: dict[tuple[str, str], Any]) -> None:
    """No route is served that is not tested below, or open on purpose, and each asks for the scope it should."""
    expected = {(a.method, a.route): a.scope for a in REQUESTS} | ELSEWHERE
    declared = {key: scope_of(endpoint) for key, endpoint in table.items() if key not in OPEN}

    assert declared == expected


@pytest.mark.parametrize("key", [key for key, a in BY_ROUTE.items() if not a.deletes])
def test_the_own_collection_is_served(world: World, key: str) -> None:
    """A token of the vault with just the scope of the route does there what the route is for."""
    asked = BY_ROUTE[key]
    response = world.ask(asked, collection="vault", scope=asked.scope)

    assert response.is_success, response.text
    assert world.ask(asked, collection="*", scope=asked.scope, named="vault").is_success


@pytest.mark.parametrize("key", BY_ROUTE)
def test_nothing_of_another_collection_is_seen(world: World, key: str) -> None:
    """To a token of another collection what is in the vault is not there: by its ids, by its name, or in a list."""
    asked = BY_ROUTE[key]
    plain = world.ask(asked, collection="default", scope="write")
    named = world.ask(asked, collection="default", scope="write", named="vault")
    unknown = world.ask(asked, collection="default", scope="write", named="nowhere")

    assert [plain.status_code == 404, plain.is_success] == [not asked.is_list, asked.is_list] or (
        asked.route == "/v1/feedback/suite" and plain.status_code == 409
    )
    hidden = [ODD, "vault", *(str(world.ids[i]) for i in ("doc_id", "trace_id", "job_id", "conversation_id"))]
    sent = [word for word in hidden if word in asked.route.format(**world.ids)]
    assert [word for word in hidden if word not in sent and word.encode() in plain.content] == []
    # What may not be seen and what is not there look the same.
    assert named.status_code == unknown.status_code == 404
    assert named.text.replace("vault", "nowhere") == unknown.text


@pytest.mark.parametrize("key", BY_ROUTE)
def test_a_lesser_scope_is_refused(world: World, key: str) -> None:
    """A token whose scope is too small is refused, though it may see the collection, and nothing happens."""
    asked = BY_ROUTE[key]
    lesser = SCOPES[: SCOPES.index(asked.scope)]
    found = [world.ask(asked, collection="vault", scope=scope) for scope in lesser]

    assert [(r.status_code, r.json()["code"]) for r in found] == [(403, "insufficient_scope")] * len(lesser)


@pytest.mark.parametrize("key", [*BY_ROUTE, *(" ".join(key) for key in ELSEWHERE)])
def test_without_a_token_nothing_is_served(world: World, key: str) -> None:
    """Every route that is not open asks for a token, and for one that is still good."""
    method, _, route = key.partition(" ")
    path = route.format(**world.ids)
    revoked = world.server.tokens.new(scopes=["write"], collection="*")
    world.server.tokens.revoke(revoked.record.token_id)
    wrong = [None, f"Bearer {revoked.token}", "Bearer pct_x", "Basic eA==", "Bearer", ""]
    sent = [{} if one is None else {"authorization": one} for one in wrong]
    found = [world.server.client.request(method, path, headers=headers) for headers in sent]

    assert [(r.status_code, r.json()["code"], "www-authenticate" in r.headers) for r in found] == [
        (401, "unauthorized", True)
    ] * len(wrong)


def test_the_open_routes_say_nothing_of_documents(world: World) -> None:
    """Health, readiness and the description of the API are open, and name no collection and no document."""
    for method, route in OPEN - {("GET", "/v1/session"), ("POST", "/v1/session"), ("DELETE", "/v1/session")}:
        response = world.server.client.request(method, route)
        assert (response.status_code, ODD in response.text) == (200, False)


def test_figures_are_for_who_sees_all(world: World) -> None:
    """Figures name all collections: to a token that is bound to one they are not there."""
    asked = [world.server.client.get("/metrics", headers=world.tokens[c, "read"]) for c in ("default", "vault", "*")]

    assert [one.status_code for one in asked] == [404, 404, 200]


def test_who_is_bound_makes_no_collection(world: World) -> None:
    """A token of one collection cannot make another, whatever its scope."""
    made = [
        world.server.client.post("/v1/collections", json={"name": "mine"}, headers=world.tokens[c, "write"])
        for c in ("default", "*")
    ]

    assert [m.status_code for m in made] == [403, 201]


def test_collections_that_may_be_seen(world: World) -> None:
    """The list of collections holds those that the token may see."""
    names = {}
    for c in ("default", "vault", "*"):
        shown = world.server.client.get("/v1/collections", headers=world.tokens[c, "read"]).json()
        names[c] = {one["name"] for one in shown["collections"]}

    assert (names["default"], names["vault"], names["*"] >= {"default", "vault"}) == ({"default"}, {"vault"}, True)


def test_words_of_other_collections_do_not_help(world: World) -> None:
    """A question is understood by the words of its own collection: those of another are unknown words."""
    asked = {"question": f"What is the {ODD[:-1]}k?"}
    answer = world.server.client.post("/v1/ask", json=asked, headers=world.tokens["default", "ask"])

    assert (answer.json()["result"], ODD in answer.text) == ("refusal", False)


def test_a_bundle_is_checked_for_who_brings_it(world: World) -> None:
    """A bundle may be checked by anybody who has it; nothing is looked up for it."""
    answer = httpx.post(
        world.server.url + "/v1/verify", json=world.ids["bundle"], headers=world.tokens["default", "read"]
    )

    assert answer.json()["holds"] is True


def test_the_suite_of_the_own_feedback(world: World) -> None:
    """The suite of a collection holds what was said there."""
    packed = world.server.client.get("/v1/feedback/suite", headers=world.tokens["vault", "ask"])
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert sorted(archive.namelist()) == ["docs/", f"docs/{ODD}.pdf", "questions.jsonl", "suite.json"]


@pytest.mark.parametrize("key", [key for key, a in BY_ROUTE.items() if a.deletes])
def test_deleting_is_for_the_own_collection(world: World, key: str) -> None:
    """After every foreign attempt above it is still there, and its own token deletes it."""
    asked = BY_ROUTE[key]

    assert [world.ask(asked, collection="vault", scope=asked.scope).status_code for _ in range(2)] == [204, 404]

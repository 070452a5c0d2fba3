"""How much a client may send, how often, and what everybody else notices of it."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.interfaces.http.access.conftest import asked, nothing

from pincite.interfaces.http.access.admission import Admission
from pincite.interfaces.http.access.caller import SCOPES, Caller
from pincite.interfaces.http.access.headers import SecurityHeaders
from pincite.interfaces.http.access.lanes import Lane, LaneFullError, Lanes, lane_of
from pincite.interfaces.http.access.lengths import Lengths
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.rates import Rates

SMALL = AccessOptions(max_body_bytes=1000, max_upload_bytes=5000, body_timeout_s=600, upload_idle_s=600)
HURRIED = AccessOptions(body_timeout_s=0.05, upload_idle_s=0.05)


def admitting(app: Any, options: AccessOptions = SMALL) -> Admission:
    """Return `app` behind the limits."""
    return Admission(app, lanes=Lanes(options), options=options)


async def reading(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the number of bytes of the body."""
    total = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        total += len(message["body"])
        if not message["more_body"]:
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(total).encode()})


async def chunks(n: int, size: int) -> Any:
    """Yield a body that does not say its length."""
    for _ in range(n):
        yield b"x" * size


@pytest.mark.parametrize(("path", "limit"), [("/v1/ask", 1000), ("/v1/documents", 5000), ("/v1/verify", 4000)])
def test_bodies_up_to_the_limit(path: str, limit: int) -> None:
    """A body of exactly the limit is taken, one byte more is refused, whether or not it says its length."""
    app = admitting(reading)

    assert asked(app, "POST", path, content=b"x" * limit).text == str(limit)
    assert asked(app, "POST", path, content=chunks(10, limit // 10)).text == str(limit)
    for content in (b"x" * (limit + 1), chunks(11, limit // 10)):
        answer = asked(app, "POST", path, content=content)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def slow(*parts: tuple[float, bytes]) -> Callable[[], Any]:
    """Return what gives parts of a body after some seconds each, and then nothing."""
    left = iter(parts)

    async def receive() -> Message:
        pause_s, body = next(left, (3600.0, b""))
        await asyncio.sleep(pause_s)
        return {"type": "http.request", "body": body, "more_body": True}

    return receive


async def status_of(app: Any, scope: Scope, receive: Receive) -> int:
    """Return the status that an application answers."""
    seen: list[int] = []

    async def send(message: Message) -> None:
        seen.extend([message["status"]] if message["type"] == "http.response.start" else [])

    await app(scope, receive, send)
    return seen[0]


def a_scope(method: str, path: str) -> Scope:
    """Return the scope of a request."""
    return {"type": "http", "method": method, "path": path, "query_string": b"", "headers": [], "state": {}}


@pytest.mark.parametrize("path", ["/v1/ask", "/v1/documents"])
def test_slow_bodies_end(path: str) -> None:
    """A body that does not come is given up with 408, and its place is free again."""
    app = admitting(reading, HURRIED)

    assert asyncio.run(status_of(app, a_scope("POST", path), slow((0, b"x")))) == 408
    assert [lane.n_inside for lane in app._lanes.by_name.values()] == [0, 0, 0, 0]


def test_uploads_that_trickle_end() -> None:
    """An upload that never pauses, but brings a byte at a time, is given up too."""
    options = AccessOptions(upload_idle_s=0.05, upload_bytes_per_s=1e6)
    trickle = slow(*[(0.01, b"x")] * 1000)

    assert asyncio.run(status_of(admitting(reading, options), a_scope("POST", "/v1/documents"), trickle)) == 408


def test_slow_questions_take_no_place() -> None:
    """While bodies of questions trickle in, as many as there are places, another question is answered at once."""
    options = AccessOptions(max_questions=2, max_waiting=0, body_timeout_s=600)

    async def both() -> int:
        app = admitting(nothing, options)
        stuck = [asyncio.ensure_future(status_of(app, a_scope("POST", "/v1/ask"), slow())) for _ in range(9)]
        await asyncio.sleep(0)

        async def whole() -> Message:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        found = await status_of(app, a_scope("POST", "/v1/ask"), whole)
        for one in stuck:
            one.cancel()
        await asyncio.gather(*stuck, return_exceptions=True)
        return found

    assert asyncio.run(both()) == 204


def test_one_caller_does_not_use_up_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller with too many slow bodies is told to come back; another one's body is read."""
    monkeypatch.setattr("pincite.interfaces.http.access.admission._MOST_READING_OF_ONE", 3)
    callers = [Caller(name="x", scopes=frozenset(SCOPES), collection="*", token_id=token_id) for token_id in ("1", "2")]

    async def both() -> list[int]:
        app = admitting(nothing, AccessOptions())
        scopes = [{**a_scope("POST", "/v1/ask"), "state": {"caller": caller}} for caller in callers]
        stuck = [asyncio.ensure_future(status_of(app, scopes[0], slow())) for _ in range(3)]
        await asyncio.sleep(0.01)

        async def whole() -> Message:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        found = [await status_of(app, scope, whole) for scope in scopes]
        for one in stuck:
            one.cancel()
        await asyncio.gather(*stuck, return_exceptions=True)
        return [*found, await status_of(app, scopes[0], whole)]

    assert asyncio.run(both()) == [503, 204, 204]


def test_uploads_have_a_lane_of_their_own() -> None:
    """All places for uploads taken: the next upload waits or is told to come back, and questions do not notice."""
    options = AccessOptions(max_uploads=1, max_waiting=0)

    async def both() -> tuple[int, int, int]:
        app = admitting(reading, options)
        stuck = asyncio.ensure_future(status_of(app, a_scope("POST", "/v1/documents"), slow()))
        await asyncio.sleep(0.01)

        async def whole() -> Message:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        second = await status_of(app, a_scope("POST", "/v1/documents"), whole)
        question = await status_of(app, a_scope("POST", "/v1/ask"), whole)
        health = await status_of(app, a_scope("GET", "/v1/health"), whole)
        stuck.cancel()
        await asyncio.gather(stuck, return_exceptions=True)
        return second, question, health

    assert asyncio.run(both()) == (503, 200, 200)


def test_a_lane_serves_in_turn() -> None:
    """Who came first is served first, no more than the limit are inside, and beyond the queue there is no waiting."""

    async def all_of_them() -> tuple[list[int], int]:
        lane, order, most = Lane(2, 3, 600.0), [], 0

        async def one(number: int) -> None:
            nonlocal most
            await lane.enter()
            with lane.inside():
                most = max(most, lane.n_inside)
                await asyncio.sleep(0)
                order.append(number)

        tasks = [asyncio.ensure_future(one(number)) for number in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(LaneFullError):
            await lane.enter()
        await asyncio.gather(*tasks)
        assert (lane.n_inside, lane.n_waiting, lane.is_full) == (0, 0, False)
        return order, most

    assert asyncio.run(all_of_them()) == ([0, 1, 2, 3, 4], 2)


def test_waiting_has_an_end() -> None:
    """Who waited for as long as is allowed is told to come back, and leaves the queue."""

    async def wait() -> int:
        lane = Lane(1, 5, 0.01)
        await lane.enter()
        with pytest.raises(LaneFullError):
            await lane.enter()
        return lane.n_waiting

    assert asyncio.run(wait()) == 0


def test_who_goes_away_leaves_the_queue() -> None:
    """A client that hangs up while it waits is not served when its turn comes."""
    served: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        served.append(scope["path"])

    async def hang_up() -> tuple[int, int]:
        options = AccessOptions(max_questions=1)
        admission = admitting(app, options)
        lane = admission._lanes.by_name["questions"]
        await lane.enter()
        messages: Iterator[Message] = iter(
            [{"type": "http.request", "body": b"{}", "more_body": False}, {"type": "http.disconnect"}]
        )

        async def receive() -> Message:
            return next(messages)

        async def send(message: Message) -> None:
            pytest.fail("nobody is there to read an answer")

        await admission(a_scope("POST", "/v1/ask"), receive, send)
        lane.leave()
        return lane.n_inside, lane.n_waiting

    assert (asyncio.run(hang_up()), served) == ((0, 0), [])


def test_a_client_that_does_not_read_is_given_up() -> None:
    """A response that nobody takes ends, and its place is free again."""

    async def stall() -> int:
        admission = admitting(nothing, AccessOptions(send_timeout_s=0.01))

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            await asyncio.sleep(60)

        await admission(a_scope("GET", "/v1/documents"), receive, send)
        return admission._lanes.by_name["others"].n_inside

    assert asyncio.run(stall()) == 0


@pytest.mark.parametrize(
    ("method", "path", "lane"),
    [
        ("POST", "/v1/ask", "questions"),
        ("POST", "/v1/conversations/7/messages", "questions"),
        ("POST", "/v1/documents", "uploads"),
        ("GET", "/v1/jobs/7/events", "streams"),
        ("GET", "/v1/documents", "others"),
        ("GET", "/v1/health", None),
        ("GET", "/metrics", None),
        ("GET", "/app.js", None),
    ],
)
def test_lanes(method: str, path: str, lane: str | None) -> None:
    """Health, figures and the page need no place; everything else has a lane."""
    assert lane_of(method, path) == lane


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.s


def from_address(app: Any, host: str, caller: Caller | None = None, path: str = "/v1/x") -> tuple[int, str | None]:
    """Return status and Retry-After of a request from an address."""
    scope = {**a_scope("GET", path), "client": (host, 1), "state": {} if caller is None else {"caller": caller}}
    seen: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        seen.append(message)

    asyncio.run(app(scope, receive, send))
    again = dict(seen[0]["headers"]).get(b"retry-after")
    return seen[0]["status"], None if again is None else again.decode()


def test_rates_are_of_each_caller() -> None:
    """One caller too often is told when to come back; others do not notice, and after that time it is served again."""
    clock = Clock()
    app = Rates(nothing, per_s=0.5, burst=2, now=clock)

    assert [from_address(app, "10.0.0.1") for _ in range(3)] == [(204, None), (204, None), (429, "2")]
    assert from_address(app, "10.0.0.2") == (204, None)
    clock.s += 2
    assert [from_address(app, "10.0.0.1")[0] for _ in range(2)] == [204, 429]


def test_a_token_has_its_rate_from_wherever_it_comes() -> None:
    """A token is counted as itself: from many addresses it has no more, and two at one address have one each."""
    app = Rates(nothing, per_s=0.1, burst=1, now=Clock())
    one, two = (Caller(name="x", scopes=frozenset(SCOPES), collection="*", token_id=i) for i in ("1", "2"))

    found = [from_address(app, host, caller)[0] for host, caller in (("a", one), ("b", one), ("a", two), ("a", None))]
    assert found == [204, 429, 204, 204]


def test_an_ipv6_household_is_one_caller() -> None:
    """Who owns 2^64 addresses does not have 2^64 times the rate."""
    app = Rates(nothing, per_s=0.1, burst=1, now=Clock())

    assert [from_address(app, host)[0] for host in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")] == [204, 429, 204]


def test_health_and_the_page_have_no_rate() -> None:
    """Whoever watches over the server may ask as often as they like."""
    app = Rates(nothing, per_s=0.1, burst=1, now=Clock())

    assert {from_address(app, "a", path=path)[0] for path in ("/v1/health", "/app.js") for _ in range(5)} == {204}


def test_callers_of_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood from ever new addresses does not fill the memory."""
    monkeypatch.setattr("pincite.interfaces.http.access.rates._MOST_CALLERS", 10)
    app = Rates(nothing, per_s=1, burst=1, now=Clock())
    for number in range(50):
        from_address(app, f"10.0.0.{number}")

    assert len(app._buckets) == 10


def test_long_addresses_and_headers() -> None:
    """Addresses and headers beyond reason are refused with the status that says so."""
    app = Lengths(nothing)

    assert asked(app, path="/v1/x?" + "a" * 9000).status_code == 414
    assert asked(app, path="/" + "a" * 9000).status_code == 414
    assert asked(app, headers={"x": "a" * 40_000}).status_code == 431
    assert asked(app, path="/v1/x?" + "a" * 8000, headers={"x": "a" * 30_000}).status_code == 204


def test_headers_of_every_response() -> None:
    """Browsers are told to load and run nothing but the page's own files, and not to guess types."""
    page, api = asked(SecurityHeaders(nothing), path="/index.html"), asked(SecurityHeaders(nothing))
    policy = {
        part.partition(" ")[0]: part.partition(" ")[2] for part in page.headers["content-security-policy"].split("; ")
    }

    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' blob:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
    }
    assert (page.headers["x-content-type-options"], page.headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert (page.headers.get("cache-control"), api.headers["cache-control"]) == ("no-cache", "no-store")
    assert {"permissions-policy", "cross-origin-opener-policy", "cross-origin-resource-policy"} <= set(page.headers)


@pytest.mark.parametrize(
    ("method", "path", "lane"), [("POST", "/v1/ask", "questions"), ("GET", "/v1/jobs/7/events", "streams")]
)
def test_an_open_stream_holds_its_place(method: str, path: str, lane: Any) -> None:
    """A response that is still being sent counts, and gives its place back when its client goes."""

    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b": working\n\n", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass

    async def hold() -> tuple[int, int]:
        admission, gone = admitting(streaming), asyncio.Event()
        messages: Iterator[Message] = iter([{"type": "http.request", "body": b"{}", "more_body": False}])

        async def receive() -> Message:
            if (message := next(messages, None)) is None:
                await gone.wait()
                return {"type": "http.disconnect"}
            return message

        serving = asyncio.ensure_future(status_of(admission, a_scope(method, path), receive))
        await asyncio.sleep(0.01)
        held = admission._lanes.by_name[lane].n_inside
        gone.set()
        await serving
        return held, admission._lanes.by_name[lane].n_inside

    assert asyncio.run(hold()) == (1, 0)

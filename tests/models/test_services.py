"""Every service's own wire form, through its own library: good replies, streams, and each way of failing."""

import pickle
import traceback
from typing import Any

import pytest
from tests.models.conftest import KEY
from tests.models.provider_server import ProviderServer, Script

from pincite.answering.forms import TextForm
from pincite.errors import (
    ConnectionCutError,
    EmptyOutputError,
    InvalidOutputError,
    ModelNotFoundError,
    OutputTruncatedError,
    ProviderAuthenticationError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
    RequestRejectedError,
)
from pincite.models.chat import ServiceModel
from pincite.models.recorded import RecordedModel
from pincite.models.retrying import CallLimits
from pincite.types.model import ModelCall, ModelReply, ModelRequest
from pincite.types.record import Record

NAMES = (
    "openai:gpt-4o-mini",
    "anthropic:claude-opus-5",
    "google:gemini-2.5-flash",
    "ollama:gemma3",
    "openai-compatible:{address}/v1#gemma",
)
GOOD = '{"panes": 6, "note": null, "colours": ["red", "blue"]}'
REQUEST = ModelRequest(role="answer", instructions="Read the lamp.", data="The lamp has 6 panes.")


class Lamp(Record, frozen=True, kw_only=True):
    """What is asked of the model."""

    panes: int
    note: str | None = None
    colours: tuple[str, ...] = ()


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest, server: ProviderServer) -> str:
    named: str = request.param
    return named.format(address=server.address)


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def is_stream(request: pytest.FixtureRequest) -> bool:
    streams: bool = request.param
    return streams


def asked(name: str, *, stream: bool, retries: int = 1, timeout_s: float = 60, **limits: Any) -> ModelReply[Lamp]:
    limit = CallLimits(timeout_s=timeout_s, retries=retries, first_wait_s=0.0, **limits)
    return ServiceModel(name, limit).fill(REQUEST, Lamp, on_partial=(lambda _: None) if stream else None)


def test_a_good_reply_is_typed(name: str, is_stream: bool, server: ProviderServer) -> None:
    """A reply comes back as the form that was asked for, with what it used, and how it ended."""
    server.will(Script(text=GOOD))
    reply = asked(name, stream=is_stream)
    assert reply.value == Lamp(panes=6, colours=("red", "blue"))
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (120, 30)
    assert (reply.provider, reply.finish_reason, reply.attempts) == (name.split(":")[0], "stop", 1)


def test_the_service_is_asked_for_the_form(name: str, server: ProviderServer) -> None:
    """The request carries the schema, our instructions apart from the data, temperature 0, and the length limit."""
    server.will(Script(text=GOOD))
    asked(name, stream=False)
    sent = str(server.seen[0].body)
    assert "'panes': {'type': 'integer'}" in sent
    # Newer models of Anthropic take no temperature.
    assert ("'temperature': 0.0" in sent) is not name.startswith("anthropic")
    assert "4096" in sent
    assert sent.index("Read the lamp.") != sent.index("The lamp has 6 panes.")


def test_prices_are_known_where_there_are_any(server: ProviderServer) -> None:
    """The cost of a well-known model is computed from its tokens; a local one has none."""
    server.will(Script(text=GOOD), Script(text=GOOD))
    assert (asked("openai:gpt-4o-mini", stream=False).cost_usd or 0) > 0
    assert asked("ollama:gemma3", stream=False).cost_usd is None


def test_a_stream_tells_what_is_there(name: str, server: ProviderServer) -> None:
    """While a reply comes in, each partial object holds what the one before held."""
    server.will(Script(text=GOOD))
    partials: list[dict[str, Any]] = []
    ServiceModel(name).fill(REQUEST, Lamp, on_partial=partials.append)
    assert len(partials) > 2
    assert partials[-1]["colours"] == ["red", "blue"]
    assert [len(p) for p in partials] == sorted(len(p) for p in partials)


@pytest.mark.parametrize(
    "script", [Script(text="{", finish="length"), Script(text="No.", finish="refusal"), Script(text="no JSON at all")]
)
def test_a_reply_of_no_use_still_counts(name: str, script: Script, server: ProviderServer) -> None:
    """What a reply that is cut off, refused or of another form cost is in the trace all the same."""
    server.will(script)
    calls: list[ModelCall] = []
    with pytest.raises(ProviderError):
        RecordedModel(ServiceModel(name, CallLimits(retries=0)), calls.append).fill(REQUEST, Lamp)
    assert [(call.input_tokens, call.output_tokens, call.attempts) for call in calls] == [(120, 30, 1)]
    assert calls[0].error is not None


FAILURES = [
    (Script(status=401, message=f"Incorrect API key provided: {KEY}"), ProviderAuthenticationError, "check", 1),
    (Script(status=404, message="no such model"), ModelNotFoundError, "no such model", 1),
    (Script(status=400, message="what?"), RequestRejectedError, "does not accept", 1),
    (Script(status=429), RateLimitedError, "too many requests", 2),
    (Script(status=500), ProviderUnavailableError, "later", 2),
    (Script(text=GOOD, cut=True), ConnectionCutError, "cut", 2),
    (Script(text=GOOD, finish="length"), OutputTruncatedError, "model_max_output_tokens", 1),
    (Script(text='{"panes": 6, "no', finish="length"), OutputTruncatedError, "model_max_output_tokens", 1),
    (Script(text='{"panes": 6, "no'), InvalidOutputError, "no JSON object", 1),
    (Script(text='{"panes": "many"}'), InvalidOutputError, "panes", 1),
    (Script(), EmptyOutputError, "no text", 1),
    (Script(text="I cannot help with that.", finish="refusal"), ProviderRefusedError, "nothing about the documents", 1),
]


@pytest.mark.parametrize(("script", "kind", "said", "n_sent"), FAILURES)
def test_every_failure_has_its_kind(
    name: str,
    is_stream: bool,
    server: ProviderServer,
    script: Script,
    kind: type[ProviderError],
    said: str,
    n_sent: int,
) -> None:
    """Each failure is an error of its own kind that names the model and says what to do; only what may pass is retried.

    No key is in the message, in the error's arguments or causes, or in what a log would show.
    """
    server.will(script, script)
    with pytest.raises(kind, match=said) as caught:
        asked(name, stream=is_stream)
    assert type(caught.value) is kind
    assert name in str(caught.value)
    assert len(server.seen) == n_sent
    logged = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert KEY not in logged
    assert KEY.encode() not in pickle.dumps(caught.value.args)
    assert caught.value.__cause__ is None


def test_time_runs_out(name: str, is_stream: bool, server: ProviderServer) -> None:
    """A service that does not reply in time is an error that says which setting to raise."""
    server.will(Script(hangs=True))
    with pytest.raises(ProviderTimeoutError, match="model_timeout_s"):
        asked(name, stream=is_stream, retries=0, timeout_s=0.1)


@pytest.mark.parametrize(
    "failing",
    [Script(status=429, headers={"Retry-After": "0"}), Script(status=503), Script(text=GOOD, cut=True)],
    ids=["429", "503", "cut"],
)
def test_what_passes_is_sent_again(name: str, is_stream: bool, server: ProviderServer, failing: Script) -> None:
    """A reply after a failure that passed is as good as any; the attempts are counted."""
    server.will(failing, Script(text=GOOD))
    assert asked(name, stream=is_stream).attempts == 2


def test_the_asked_wait_is_kept(name: str, server: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """`Retry-After` is honoured; who would have to wait for minutes is told so at once."""
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("pincite.models.retrying._pause", wait)
    server.will(Script(status=429, headers={"Retry-After": "7"}), Script(text=GOOD))
    asked(name, stream=False)
    assert waits == [7.0]
    server.will(Script(status=429, headers={"Retry-After": "900"}))
    with pytest.raises(RateLimitedError, match="900") as caught:
        asked(name, stream=False)
    assert caught.value.retry_after_s == 900.0
    assert waits == [7.0]


def test_waits_grow(server: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without such a header each wait is about twice the one before."""
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("pincite.models.retrying._pause", wait)
    server.will(*[Script(status=500)] * 4)
    with pytest.raises(ProviderUnavailableError):
        ServiceModel("ollama:gemma3", CallLimits(retries=3, first_wait_s=1.0)).fill(REQUEST, Lamp)
    assert len(waits) == 3
    assert all(0.5 * 2**n <= w <= 1.5 * 2**n for n, w in enumerate(waits))


@pytest.mark.parametrize("name", ["anthropic:claude-opus-5", "google:gemini-2.5-flash", "ollama:gemma3"])
def test_a_stream_that_ends_politely_is_cut_too(name: str, server: ProviderServer) -> None:
    """A stream without the event that says it is whole is no reply, whatever it holds."""
    server.will(*[Script(text=GOOD, ends_early=True)] * 2)
    with pytest.raises(ProviderError) as caught:
        asked(name, stream=True)
    assert isinstance(caught.value, ConnectionCutError)


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address where nothing listens is said to be so."""
    with pytest.raises(ProviderUnavailableError, match=r"cannot reach http://127\.0\.0\.1:9/v1: is it running"):
        asked("openai-compatible:http://127.0.0.1:9/v1#m", stream=False)


def test_no_model_service(name: str, is_stream: bool, server: ProviderServer) -> None:
    """A web page where the service should be is an error, not a reply."""
    server.will(*[Script(raw=b"<html>Sign in</html>")] * 2)
    with pytest.raises(ProviderError):
        asked(name, stream=is_stream)


def test_models_without_schemas_are_asked_in_words(server: ProviderServer) -> None:
    """With `json` the schema is in the instructions, and fences around the reply are read."""
    server.will(Script(text=f"Here it is:\n```json\n{GOOD}\n```"))
    assert asked("ollama:gemma3", stream=False, output_form="json").value.panes == 6
    assert "response_format" not in server.seen[0].body
    assert "one JSON object" in str(server.seen[0].body)


def test_a_correction_is_a_second_turn(name: str, server: ProviderServer) -> None:
    """The model sees its earlier reply and the exact reason."""
    server.will(Script(text=GOOD))
    request = ModelRequest(
        role="answer", instructions="i", data="d", earlier_reply='{"panes": 9}', correction="9 is not in the quote"
    )
    ServiceModel(name).fill(request, Lamp)
    sent = str(server.seen[0].body)
    assert '{"panes": 9}' in sent
    assert sent.index("panes") < sent.index("9 is not in the quote")


def test_lengths_are_told_to_servers_that_make_grammars(name: str, server: ProviderServer) -> None:
    """A weak model on one's own machine is held from repeating itself; hosted services refuse lengths."""
    server.will(Script(text='{"found": false, "items": [], "reason": "nothing"}'))
    ServiceModel(name).fill(REQUEST, TextForm)
    sent = str(server.seen[0].body)
    assert ("'maxLength': 250" in sent) == ("'maxItems': 4" in sent) == name.startswith(("ollama", "openai-compatible"))

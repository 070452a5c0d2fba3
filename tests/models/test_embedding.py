"""Vectors from services, and libraries whose embedder changes (case RET08)."""

import traceback
from pathlib import Path

import numpy as np
import pytest
from tests.models.conftest import KEY
from tests.models.provider_server import ProviderServer, Script

from pincite.errors import (
    ConnectionCutError,
    EmbeddingModelChangedError,
    InvalidOutputError,
    ModelNotFoundError,
    ProviderAuthenticationError,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
    RequestRejectedError,
    SettingsError,
)
from pincite.library import Library
from pincite.models.chat import ServiceModel
from pincite.models.embedding import BATCH, ServiceEmbedder
from pincite.models.retrying import CallLimits
from pincite.settings import Settings
from pincite.types.answer import Answer
from pincite.types.model import ModelRequest
from pincite.types.record import Record

NAMES = (
    "openai:some-model",
    "google:some-model",
    "ollama:nomic",
    "openai-compatible:{address}/v1#bge",
    "voyage:some-model",
    "cohere:some-model",
)


@pytest.mark.parametrize("name", NAMES)
def test_vectors_of_length_one(name: str, server: ProviderServer) -> None:
    """A text gets a float32 row of length one, the same whatever stands beside it; white space gets zeros."""
    embedder = ServiceEmbedder(name.format(address=server.address))
    both = embedder.embed(["a lamp", "a boat", " \n"])
    assert (both.dtype, both.shape, embedder.dimension) == (np.float32, (3, 12), 12)
    assert np.allclose(np.linalg.norm(both[:2], axis=1), 1.0)
    assert not both[2].any()
    assert np.array_equal(embedder.embed(["a boat"])[0], both[1])
    assert not np.allclose(both[0], both[1])


def test_many_texts_are_sent_in_batches(server: ProviderServer) -> None:
    """No request holds more texts than the services take."""
    vectors = ServiceEmbedder("google:some-model").embed([f"text {n}" for n in range(BATCH + 5)])
    assert vectors.shape == (BATCH + 5, 12)
    assert max(len(seen.body.get("requests", [])) for seen in server.seen) <= BATCH


def test_a_service_without_vectors_is_named(server: ProviderServer) -> None:
    """Anthropic makes no vectors; that is a mistake in the settings."""
    with pytest.raises(SettingsError, match="makes no vectors"):
        ServiceEmbedder("anthropic:claude").embed(["x"])


def test_a_missing_key_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key nothing is sent."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ProviderAuthenticationError, match="OPENAI_API_KEY"):
        ServiceEmbedder("openai:text-embedding-3-small").embed(["x"])


def test_a_model_that_changed_behind_its_name_is_an_error(server: ProviderServer) -> None:
    """Vectors of another size than the model is known for are refused, not mixed in."""
    with pytest.raises(InvalidOutputError, match="12 numbers came, 1536 were expected"):
        ServiceEmbedder("openai:text-embedding-3-small").embed(["x"])


def test_a_library_changes_its_embedder(tmp_path: Path, server: ProviderServer) -> None:
    """Another embedder is an error for search by meaning and a caveat for answers, until all is embedded again.

    The old vectors serve until the new ones are complete (case RET08).
    """
    case = Path(__file__).parents[1] / "cases" / "RET08-embedding-model-changed" / "doc.md"
    question = "How many panes has the lamp?"
    with Library(tmp_path / "l", settings=Settings(jobs=1, embedder="openai:one")) as library:
        library.add(case)
        assert library.search(question, method="dense").candidates
    with Library(tmp_path / "l", settings=Settings(jobs=1, embedder="google:two")) as library:
        with pytest.raises(EmbeddingModelChangedError, match="pincite embed --again"):
            library.search(question, method="dense")
        result = library.ask(question)
        assert isinstance(result, Answer)
        assert any("embedding_model_changed" in caveat for caveat in result.signals.caveats)
        library.embed(again=True)
        assert library.search(question, method="dense").candidates
    with (
        Library(tmp_path / "l", settings=Settings(jobs=1, embedder="openai:one")) as library,
        pytest.raises(EmbeddingModelChangedError),
    ):
        library.search(question, method="dense")


def test_an_embedder_that_cannot_be_asked_is_a_caveat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are searched when the embedder's service is away, and the answer says so."""
    monkeypatch.delenv("PINCITE_MODEL_API_KEY", raising=False)
    case = Path(__file__).parents[1] / "cases" / "RET08-embedding-model-changed" / "doc.md"
    name = "openai-compatible:http://127.0.0.1:9/v1#gone"
    with Library(tmp_path / "l", settings=Settings(jobs=1, embedder=name, model_retries=0)) as library:
        library.add(case, embed=False)
        result = library.ask("How many panes has the lamp?")
    assert isinstance(result, Answer)
    assert any("the embedder cannot be asked" in caveat for caveat in result.signals.caveats)


def test_the_forms_of_voyage_and_cohere(server: ProviderServer) -> None:
    """Each is asked at its own path, in its own form, with the key in the header alone."""
    ServiceEmbedder("voyage:voyage-3.5-lite").embed(["a lamp"])
    ServiceEmbedder("cohere:embed-v4").embed(["a lamp"])
    voyage, cohere = server.seen[1], server.seen[-1]
    assert voyage.path == "/v1/embeddings"
    assert voyage.body == {
        "model": "voyage-3.5-lite", "input": ["a lamp"], "input_type": "document", "truncation": True,
    }  # fmt: skip
    assert (cohere.path, cohere.body["texts"], cohere.body["input_type"]) == (
        "/v2/embed",
        ["a lamp"],
        "search_document",
    )
    assert {seen.headers["authorization"] for seen in server.seen} == {f"Bearer {KEY}"}


@pytest.mark.parametrize("name", ["voyage:some-model", "cohere:some-model"])
@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (Script(status=401, message=f"no such key {KEY}"), ProviderAuthenticationError),
        (Script(status=404), ModelNotFoundError),
        (Script(status=429, headers={"Retry-After": "7"}), RateLimitedError),
        (Script(status=400), RequestRejectedError),
        (Script(status=503), ProviderUnavailableError),
        (Script(raw=b"<html>"), ProviderUnavailableError),
        (Script(raw=b'{"data": [{}], "embeddings": {}}'), ProviderUnavailableError),
        (Script(hangs=True), ProviderTimeoutError),
        (Script(cut=True), ConnectionCutError),
    ],
)
def test_each_failure_is_of_its_kind_and_shows_no_key(
    name: str, script: Script, kind: type[ProviderError], server: ProviderServer
) -> None:
    """A failure says what went wrong; neither it nor anything behind it holds the key."""
    server.embedding_scripts = [script]
    limits = CallLimits(timeout_s=0.2 if script.hangs else 60, retries=0)
    with pytest.raises(kind) as caught:
        ServiceEmbedder(name, limits).embed(["a lamp"])
    assert type(caught.value) is kind
    assert name in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    if kind is RateLimitedError:
        assert caught.value.retry_after_s == 7  # type: ignore[attr-defined]


def test_what_may_pass_is_sent_again(server: ProviderServer) -> None:
    """A busy service is asked once more, after the time it names."""
    server.embedding_scripts = [Script(status=429, headers={"Retry-After": "0"})]
    limits = CallLimits(timeout_s=60, retries=1, first_wait_s=0.0)
    assert ServiceEmbedder("voyage:voyage-3.5", limits)._batch(["a lamp"])
    assert len(server.seen) == 2


def test_a_service_of_vectors_is_no_chat_model(server: ProviderServer) -> None:
    """Who names it as a model is told what it is for."""
    request = ModelRequest(role="answer", instructions="x", data="y")
    with pytest.raises(SettingsError, match="vectors alone"):
        ServiceModel("voyage:voyage-3.5").fill(request, Record)


def test_a_service_that_is_down_is_asked_once(tmp_path: Path, server: ProviderServer) -> None:
    """All passages fail for one reason, which is said once; they are found by their words."""
    server.embedding_scripts = [Script(status=401)] * 100
    settings = Settings(jobs=1, embedder="voyage:voyage-3.5", model_retries=0)
    text = "\n\n".join(f"# Lamp {n}\n\n" + f"The lamp {n} has {n} panes of glass. " * 40 for n in range(30))
    text += "\n\n# Keeper\n\nThe keeper of the lamps is Tove Lind.\n"
    (tmp_path / "lamps.md").write_text(text, "utf-8")
    with Library(tmp_path / "l", settings=settings) as library:
        report = library.add(tmp_path / "lamps.md")
        assert library.store.passage_count() > 20
        assert [(failed.code, "voyage" in failed.name) for failed in report.failed] == [
            ("provider_authentication", True)
        ]
        assert len(server.seen) == 1
        with pytest.raises(ProviderAuthenticationError):
            library.embed()
        server.seen.clear()
        result = library.ask("Who is the keeper of the lamps?")
        assert isinstance(result, Answer)
        assert len(server.seen) == 1
        assert any("keywords and contents alone" in caveat for caveat in result.signals.caveats)

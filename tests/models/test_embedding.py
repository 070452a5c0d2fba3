"""Vectors from services, and libraries whose embedder changes (case RET08)."""

from pathlib import Path

import numpy as np
import pytest
from tests.models.provider_server import ProviderServer

from pincite.errors import EmbeddingModelChangedError, InvalidOutputError, ProviderAuthenticationError, SettingsError
from pincite.library import Library
from pincite.models.embedding import BATCH, ServiceEmbedder
from pincite.settings import Settings
from pincite.types.answer import Answer

NAMES = ("openai:some-model", "google:some-model", "ollama:nomic", "openai-compatible:{address}/v1#bge")


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

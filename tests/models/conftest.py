"""A scripted provider on loopback, and the environment that leads each service's own library to it."""

from collections.abc import Iterator

import pytest
from tests.models.provider_server import ProviderServer, serving

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(scope="module")
def running_server() -> Iterator[ProviderServer]:
    with serving() as state:
        yield state


@pytest.fixture
def server(running_server: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> ProviderServer:
    """Return the scripted server with nothing seen yet; every service's address and key lead to it."""
    running_server.seen.clear()
    running_server.scripts.clear()
    running_server.embedding_scripts = []
    for variable in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GOOGLE_API_KEY",
        "PINCITE_MODEL_API_KEY",
        "VOYAGE_API_KEY",
        "CO_API_KEY",
    ):
        monkeypatch.setenv(variable, KEY)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    address = running_server.address
    monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    monkeypatch.setenv("VOYAGE_BASE_URL", f"{address}/v1")
    monkeypatch.setenv("CO_API_URL", address)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", address)
    monkeypatch.setenv("OLLAMA_BASE_URL", f"{address}/v1")
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
    return running_server

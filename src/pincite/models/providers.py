"""A model's name to a client of its service. The only module that knows the services' libraries."""

import os
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pincite.errors import MissingExtraError, SettingsError
from pincite.models.http_embedding import HttpEmbeddings
from pincite.models.keys import key_of
from pincite.models.names import VECTORS_ONLY, ModelName
from pincite.types.record import Record

if TYPE_CHECKING:
    from pydantic_ai.embeddings import EmbeddingModel
    from pydantic_ai.models import Model

#: Where a local Ollama listens (its documentation, "FAQ").
_OLLAMA: Final = "http://localhost:11434"
#: Variables that move a service to another address, as the services' own libraries read them.
ADDRESSES: Final = {
    "openai": "OPENAI_BASE_URL",
    "anthropic": "ANTHROPIC_BASE_URL",
    "google": "GOOGLE_GEMINI_BASE_URL",
    "voyage": "VOYAGE_BASE_URL",
    "cohere": "CO_API_URL",
}


class Service(Record, frozen=True, kw_only=True):
    """Where a model is and the key that opens it; the key is in no `repr` and no JSON."""

    name: ModelName
    base_url: str | None


def service_of(name: ModelName) -> Service:
    """Return where a model is, after the environment."""
    if name.provider == "ollama":
        return Service(name=name, base_url=_ollama_address())
    if name.provider == "openai-compatible":
        return Service(name=name, base_url=name.base_url)
    return Service(name=name, base_url=os.environ.get(ADDRESSES[name.provider], "").strip() or None)


def client_of(service: Service) -> "Model":
    """Return a client; nothing is sent yet.

    Raises:
        MissingExtraError: the libraries for models are not installed.
        ProviderAuthenticationError: there is no key for this service.
        SettingsError: pincite uses no chat models of this service.

    """
    if service.name.provider in VECTORS_ONLY:
        raise SettingsError(f"{service.name}: of this service pincite uses vectors alone: it can be the embedder")
    key = key_of(service.name)
    try:
        made: Model = _MAKERS[service.name.provider](service, key)
    except ImportError as error:
        raise missing_extra(service.name, error) from error
    return made


def missing_extra(name: ModelName, error: ImportError) -> MissingExtraError:
    """Return the error that says what to install for a model."""
    return MissingExtraError(f"{name}: the package {error.name!r} is not installed: pip install 'pincite[models]'")


def _ollama_address() -> str:
    given = os.environ.get("OLLAMA_BASE_URL", "").strip() or os.environ.get("OLLAMA_HOST", "").strip() or _OLLAMA
    given = (given if "://" in given else f"http://{given}").rstrip("/")
    # Ollama speaks the OpenAI form under /v1 only.
    return given if urlsplit(given).path else f"{given}/v1"


def _openai(service: Service, key: str) -> Any:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIResponsesModel(service.name.model, provider=OpenAIProvider(base_url=service.base_url, api_key=key))


def _anthropic(service: Service, key: str) -> Any:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return AnthropicModel(service.name.model, provider=AnthropicProvider(base_url=service.base_url, api_key=key))


def _google(service: Service, key: str) -> Any:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(service.name.model, provider=GoogleProvider(base_url=service.base_url, api_key=key))


def _ollama(service: Service, key: str) -> Any:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.ollama import OllamaProvider

    # Models in Ollama's cloud take a schema and do not hold to it; they are asked in words.
    host = urlsplit(service.base_url or "").hostname or ""
    is_cloud = service.name.model.endswith("-cloud") or host == "ollama.com" or host.endswith(".ollama.com")
    # A stream that does not say how it ended broke off.
    profile = OpenAIModelProfile(
        supports_json_schema_output=not is_cloud, openai_chat_streaming_requires_finish_reason=True
    )
    provider = OllamaProvider(base_url=service.base_url, api_key=key)
    return OllamaModel(service.name.model, provider=provider, profile=profile)


def _compatible(service: Service, key: str) -> Any:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles import InlineDefsJsonSchemaTransformer
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    provider = OpenAICompatibleProvider("openai-compatible", base_url=service.base_url or "", api_key=key)
    # vLLM, llama.cpp and their like hold to a schema whatever the model is called; not all know
    # `max_completion_tokens`, all know `max_tokens`.
    profile = OpenAIModelProfile(
        supports_json_schema_output=True,
        openai_chat_supports_max_completion_tokens=False,
        # The one for OpenAI takes lengths out of a schema.
        json_schema_transformer=InlineDefsJsonSchemaTransformer,
        openai_chat_streaming_requires_finish_reason=True,
    )
    return OpenAIChatModel(service.name.model, provider=provider, profile=profile)


_MAKERS: Final = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "ollama": _ollama,
    "openai-compatible": _compatible,
}


def embedding_client_of(service: Service, *, timeout_s: float) -> "tuple[EmbeddingModel | HttpEmbeddings, Any]":
    """Return a client for vectors and the connection to close after it; nothing is sent yet.

    Raises:
        MissingExtraError: the libraries for models are not installed.
        ProviderAuthenticationError: there is no key for this service.
        SettingsError: this service makes no vectors.

    """
    name = service.name
    if name.provider == "anthropic":
        raise SettingsError(f"{name}: this service makes no vectors; choose another embedder")
    key = key_of(name)
    if name.provider in VECTORS_ONLY:
        plain = HttpEmbeddings(name, key, base_url=service.base_url, timeout_s=timeout_s)
        return plain, plain
    try:
        if name.provider == "google":
            from pydantic_ai.embeddings.google import GoogleEmbeddingModel
            from pydantic_ai.providers.google import GoogleProvider

            google = GoogleProvider(base_url=service.base_url, api_key=key)
            return GoogleEmbeddingModel(name.model, provider=google), google
        from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
        from pydantic_ai.providers.openai import OpenAIProvider

        openai = OpenAIProvider(base_url=service.base_url, api_key=key)
        return OpenAIEmbeddingModel(name.model, provider=openai), openai
    except ImportError as error:
        raise missing_extra(name, error) from error

"""`provider:model` names to what they mean."""

from typing import Final, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from pincite.errors import SettingsError
from pincite.types.record import Record

Provider: TypeAlias = Literal["openai", "anthropic", "google", "ollama", "openai-compatible", "voyage", "cohere"]
PROVIDERS: Final[tuple[str, ...]] = get_args(Provider)
#: Services that pincite asks for vectors alone.
VECTORS_ONLY: Final = frozenset({"voyage", "cohere"})
_FORMS: Final = (
    "openai:MODEL, anthropic:MODEL, google:MODEL, ollama:MODEL or openai-compatible:URL#MODEL; for an embedder also "
    "voyage:MODEL or cohere:MODEL"
)


class ModelName(Record, frozen=True, kw_only=True):
    """A service and one of its models; `base_url` only for `openai-compatible`."""

    provider: Provider
    model: str
    base_url: str | None = None

    def __str__(self) -> str:
        """Return the name as it is written in settings."""
        address = "" if self.base_url is None else f"{self.base_url}#"
        return f"{self.provider}:{address}{self.model}"


def parse_model_name(name: str) -> ModelName:
    """Return what `name` means: `openai:gpt-5`, or `openai-compatible:http://localhost:8080/v1#gemma`.

    Raises:
        SettingsError: it has another form; addresses with a password in them are refused without being shown.

    """
    provider, _, rest = name.partition(":")
    if provider not in PROVIDERS or not rest.strip():
        raise SettingsError(f"{_shown(name)!r} names no model; write {_FORMS}")
    if provider != "openai-compatible":
        return ModelName(provider=provider, model=rest.strip())  # type: ignore[arg-type]
    address, _, model = rest.strip().rpartition("#")
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not model:
        raise SettingsError(f"{_shown(name)!r} names no model; write openai-compatible:URL#MODEL, http or https")
    if parts.username or parts.password or parts.query:
        raise SettingsError(
            "the address of an openai-compatible model may hold no user, password or query: a name is kept in "
            "settings and traces; put the key into the environment variable PINCITE_MODEL_API_KEY"
        )
    return ModelName(provider="openai-compatible", model=model, base_url=address.rstrip("/"))


def _shown(name: str) -> str:
    """Return the name without what may be a password in its address."""
    before, at, after = name.rpartition("@")
    return f"{before.partition('//')[0]}//…@{after}" if at else name

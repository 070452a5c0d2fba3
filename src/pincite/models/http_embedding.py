"""Vectors of Voyage and Cohere over their HTTP APIs: their own libraries weigh more than the two requests are worth."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from pincite.errors import (
    ConnectionCutError,
    ModelNotFoundError,
    ProviderAuthenticationError,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
    RequestRejectedError,
)
from pincite.models.keys import VARIABLES, without_keys
from pincite.models.names import ModelName

if TYPE_CHECKING:
    import httpx

#: Where the services are (docs.voyageai.com and docs.cohere.com, API references).
ADDRESSES: Final = {"voyage": "https://api.voyageai.com/v1", "cohere": "https://api.cohere.com"}
_SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class Made:
    """What came back: a vector for each text, in order."""

    embeddings: Sequence[Sequence[float]]


class HttpEmbeddings:
    """A client for one call and its retries; use it as an asynchronous context manager. The key is in no `repr`."""

    def __init__(self, name: ModelName, key: str, *, base_url: str | None, timeout_s: float) -> None:
        """Connect to nothing yet."""
        self._name = name
        self._key = key
        self._base_url = (base_url or ADDRESSES[name.provider]).rstrip("/")
        self._timeout_s = timeout_s
        self._client: httpx.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        """Open the connection."""
        import httpx

        self._client = httpx.AsyncClient(timeout=self._timeout_s, follow_redirects=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connection."""
        if self._client is not None:
            await self._client.aclose()

    async def embed(self, texts: Sequence[str], *, input_type: str = "document", **_: Any) -> Made:
        """Return the vectors of texts.

        Raises:
            ProviderError: the service failed; no error of the HTTP library is behind it, which would show the key.

        """
        response = await self._sent(list(texts), input_type)
        if response.status_code != 200:
            raise self._refused(response)
        vectors = _vectors(self._name.provider, response.content)
        if vectors is None:
            raise ProviderUnavailableError(f"{self._name}: what {self._base_url} sends cannot be read")
        return Made(vectors)

    async def _sent(self, texts: list[str], input_type: str) -> "httpx.Response":
        import httpx

        if self._client is None:
            raise ProviderError(f"{self._name}: the connection is not open")
        path, body = _request(self._name, texts, input_type)
        try:
            return await self._client.post(
                self._base_url + path, json=body, headers={"Authorization": f"Bearer {self._key}"}
            )
        except httpx.TimeoutException:
            failed: ProviderError = ProviderTimeoutError(
                f"{self._name}: no whole reply within {self._timeout_s:g} s: try again, or raise model_timeout_s"
            )
        except (httpx.ConnectError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            failed = ProviderUnavailableError(
                f"{self._name}: cannot reach {self._base_url}: is it running?{self._said(str(error))}"
            )
        except httpx.HTTPError as error:
            failed = ConnectionCutError(
                f"{self._name}: the connection to {self._base_url} was cut: try again{self._said(str(error))}"
            )
        raise failed

    def _refused(self, response: "httpx.Response") -> ProviderError:
        """Return the error that a status stands for (RFC 9110, 15.5 and 15.6)."""
        status, name = response.status_code, self._name
        said = self._said(_message(response.text), status)
        wait_s = _seconds(response.headers)
        if status in (401, 403):
            variable = VARIABLES[name.provider][0]
            return ProviderAuthenticationError(f"{name}: the service refused the key: check {variable}{said}")
        if status == 404:
            return ModelNotFoundError(f"{name}: there is no such model at {self._base_url}: check its name{said}")
        if status == 429:
            asks = f"; the service asks to wait {wait_s:g} s" if wait_s else ""
            return RateLimitedError(f"{name}: too many requests, or no credit left{asks}{said}", retry_after_s=wait_s)
        if status == 408 or status >= 500:
            return ProviderUnavailableError(
                f"{name}: the service is broken or overloaded: try again later{said}", retry_after_s=wait_s
            )
        return RequestRejectedError(f"{name}: the service does not accept it{said}")

    def _said(self, text: str, status: int | None = None) -> str:
        flat = " ".join(without_keys(text, [self._key]).split())
        cut = flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"
        parts = ": ".join(part for part in (str(status or ""), cut) if part)
        return f" ({parts})" if parts else ""


def _request(name: ModelName, texts: list[str], input_type: str) -> tuple[str, dict[str, Any]]:
    """Return the path and body of a request for vectors."""
    if name.provider == "voyage":
        return "/embeddings", {"model": name.model, "input": texts, "input_type": input_type, "truncation": True}
    return "/v2/embed", {
        "model": name.model,
        "texts": texts,
        "input_type": f"search_{input_type}",
        "embedding_types": ["float"],
        "truncate": "END",
    }


def _vectors(provider: str, content: bytes) -> list[list[float]] | None:
    """Return the vectors in a reply, in the order of the texts; `None` where it has another form."""
    try:
        reply = json.loads(content)
        if provider == "voyage":
            rows = [one["embedding"] for one in sorted(reply["data"], key=lambda one: one["index"])]
        else:
            rows = reply["embeddings"]["float"]
        return [[float(number) for number in row] for row in rows]
    except (ValueError, TypeError, KeyError, IndexError):
        return None


def _message(text: str) -> str:
    """Return what an error body says: `detail` of Voyage, `message` of Cohere, else the body itself."""
    try:
        body = json.loads(text)
    except ValueError:
        return text
    if isinstance(body, dict):
        return str(body.get("detail") or body.get("message") or "")
    return ""


def _seconds(headers: Mapping[str, str]) -> float | None:
    value = headers.get("retry-after", "")
    return float(value) if value.replace(".", "", 1).isdecimal() else None

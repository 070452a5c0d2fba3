"""`ServiceEmbedder`: vectors from a service: OpenAI, Google, Voyage, Cohere, Ollama, or an OpenAI-compatible server."""

from collections.abc import Sequence
from typing import Any, Final

from pincite.errors import InvalidOutputError
from pincite.models.background import run
from pincite.models.names import ModelName, parse_model_name
from pincite.models.providers import embedding_client_of, service_of
from pincite.models.retrying import CallLimits, with_retries

#: Raise this when the same text gets another vector: vectors of different names are never mixed.
VERSION: Final = 1
#: Texts in one request: Google takes 100 at most (Gemini API, batchEmbedContents), Cohere 96 (API reference, v2/embed).
BATCH: Final = 96
#: Texts are cut here: 8,192 tokens, the least of the services, are more than this many characters of any language.
MAX_CHARS: Final = 8000
#: Numbers of a vector, where they are known without asking (the services' model pages).
_DIMENSIONS: Final = {
    "openai:text-embedding-3-small": 1536,
    "openai:text-embedding-3-large": 3072,
    "openai:text-embedding-ada-002": 1536,
    "google:gemini-embedding-001": 3072,
    "voyage:voyage-3.5": 1024,
    "cohere:embed-v4.0": 1536,
}


class ServiceEmbedder:
    """An embedder of a service. Making one costs nothing: its library is loaded, and its key read, at each call."""

    def __init__(self, name: str | ModelName, limits: CallLimits | None = None) -> None:
        """Name the model, as in `provider:model`.

        Raises:
            SettingsError: the name has another form.

        """
        self._name = parse_model_name(name) if isinstance(name, str) else name
        self._limits = limits or CallLimits()
        self._service = service_of(self._name)
        self._dimension = _DIMENSIONS.get(str(self._name))

    @property
    def name(self) -> str:
        """`provider:model` and the version of how its output is made into a vector."""
        return f"{self._name}@{VERSION}"

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; a model that is not known is asked once.

        Raises:
            ProviderError: it had to be asked, and its service failed.

        """
        if self._dimension is None:
            self._dimension = len(self._batch(["dimension"])[0])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a float32 array `[len(texts), dimension]`, each row of length one, zero for a text of white space.

        Raises:
            MissingExtraError: the libraries for models are not installed.
            ProviderError: the service failed, or its vectors are not what they were.

        """
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        worth = [index for index, text in enumerate(texts) if text.strip()]
        for start in range(0, len(worth), BATCH):
            chosen = worth[start : start + BATCH]
            made = self._batch([texts[i][:MAX_CHARS].encode("utf-8", "replace").decode() for i in chosen])
            for index, vector in zip(chosen, made, strict=True):
                vectors[index] = self._checked(vector)
        return vectors

    def _checked(self, vector: Sequence[float]) -> Any:
        import numpy as np

        row = np.asarray(vector, dtype=np.float32)
        if row.shape != (self.dimension,) or not np.isfinite(row).all():
            raise InvalidOutputError(
                f"{self._name}: a vector of {row.size} numbers came, {self.dimension} were expected: the model behind "
                "this name has changed; run `pincite embed --again`"
            )
        return row / max(float(np.linalg.norm(row)), 1e-12)

    def _batch(self, texts: list[str]) -> Sequence[Sequence[float]]:
        made = run(self._sent(texts))
        if len(made) != len(texts):
            raise InvalidOutputError(f"{self._name}: {len(made)} vectors came for {len(texts)} texts")
        return made

    async def _sent(self, texts: list[str]) -> Sequence[Sequence[float]]:
        client, connection = embedding_client_of(self._service, timeout_s=self._limits.timeout_s)
        settings: Any = {"timeout": self._limits.timeout_s, "max_retries": 0}

        async def once() -> Sequence[Sequence[float]]:
            result = await client.embed(texts, input_type="document", settings=settings)
            vectors: Sequence[Sequence[float]] = result.embeddings
            return vectors

        async with connection:
            made, _ = await with_retries(once, self._service, self._limits)
        return made

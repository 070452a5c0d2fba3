"""A model whose calls are written down, failed ones too, and whose tokens are counted."""

from collections.abc import Callable

from pincite.errors import ProviderError
from pincite.models.keys import without_keys
from pincite.protocols import ChatModel, OnPartial, R
from pincite.types.model import ModelCall, ModelReply, ModelRequest


class RecordedModel:
    """Another model; every call of it is told to `note`."""

    def __init__(self, model: ChatModel, note: Callable[[ModelCall], None]) -> None:
        """Tell `note` of each call of `model`."""
        self._model = model
        self._note = note

    @property
    def name(self) -> str:
        """The name of the model behind."""
        return self._model.name

    def fill(self, request: ModelRequest, schema: type[R], *, on_partial: OnPartial | None = None) -> ModelReply[R]:
        """Return what the model behind returns; the call is noted either way.

        Raises:
            ProviderError: as the model behind.

        """
        provider, _, model = self._model.name.partition(":")
        is_correction = request.correction is not None
        try:
            reply = self._model.fill(request, schema, on_partial=on_partial)
        except ProviderError as error:
            said = without_keys(f"{error.code}: {error}")
            self._note(
                ModelCall(
                    role=request.role,
                    provider=provider,
                    model=model,
                    fragments=request.fragments,
                    input_tokens=error.input_tokens,
                    output_tokens=error.output_tokens,
                    seconds=error.seconds,
                    attempts=error.attempts,
                    is_correction=is_correction,
                    error=said,
                    reply=without_keys(getattr(error, "text", "")) or None,
                )
            )
            raise
        self._note(
            ModelCall(
                role=request.role,
                provider=reply.provider,
                model=reply.model,
                fragments=request.fragments,
                input_tokens=reply.usage.input_tokens,
                output_tokens=reply.usage.output_tokens,
                cost_usd=reply.cost_usd,
                seconds=reply.seconds,
                finish_reason=reply.finish_reason,
                attempts=reply.attempts,
                is_cached=reply.is_cached,
                is_correction=is_correction,
                reply=without_keys(reply.text),
            )
        )
        return reply

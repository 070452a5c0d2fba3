"""A chat model that replies what it was told to, for tests of what lies around a model."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import msgspec

from pincite.models.replies import read_reply
from pincite.protocols import OnPartial, R
from pincite.types.model import ModelReply, ModelRequest, ModelUsage

#: A reply: text, a value to be written as JSON, an error to raise, or what makes one of these from the request.
Scripted: TypeAlias = str | dict[str, Any] | Exception | Callable[[ModelRequest], Any]


class ScriptedModel:
    """Replies in order; `requests` holds what it was asked. Text is read just as a service's text is."""

    def __init__(self, replies: Iterable[Scripted], *, name: str = "scripted:test") -> None:
        """Reply `replies`, one for each call."""
        self._replies = list(replies)
        self._name = name
        self.requests: list[ModelRequest] = []

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    def fill(self, request: ModelRequest, schema: type[R], *, on_partial: OnPartial | None = None) -> ModelReply[R]:
        """Return the next reply, read as `schema`.

        Raises:
            ProviderError: the script says so, or the text has another form.
            AssertionError: there are more calls than replies.

        """
        self.requests.append(request)
        if not self._replies:
            raise AssertionError(f"call {len(self.requests)} has no scripted reply: {request.instructions[:80]!r}")
        reply: Any = self._replies.pop(0)
        if callable(reply):
            reply = reply(request)
        if isinstance(reply, Exception):
            raise reply
        text = reply if isinstance(reply, str) else msgspec.json.encode(reply).decode()
        if on_partial is not None and not isinstance(reply, str):
            on_partial(msgspec.to_builtins(reply))
        provider, _, model = self._name.partition(":")
        return ModelReply(
            value=read_reply(text, schema),
            text=text,
            usage=ModelUsage(input_tokens=len(request.data) // 4, output_tokens=len(text) // 4),
            provider=provider,
            model=model,
            seconds=0.0,
        )

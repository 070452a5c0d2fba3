"""`ServiceModel`: one typed call to a model service, with time limits, retries and typed failures."""

import contextlib
import time
from typing import TYPE_CHECKING, Any, Final

from pincite.errors import (
    ConnectionCutError,
    InvalidOutputError,
    OutputTruncatedError,
    ProviderError,
    ProviderRefusedError,
)
from pincite.models.background import run
from pincite.models.keys import without_keys
from pincite.models.names import ModelName, parse_model_name
from pincite.models.providers import client_of, service_of
from pincite.models.replies import read_reply, shown, without_thoughts
from pincite.models.retrying import CallLimits, with_retries
from pincite.models.schemas import described, strict_schema
from pincite.protocols import OnPartial, R
from pincite.types.model import FinishReason, ModelReply, ModelRequest, ModelUsage, OutputForm
from pincite.types.record import Record

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

_NO_TEMPERATURE: Final = ("anthropic_disallows_sampling_settings", "openai_supports_reasoning")
#: Servers of these names make a grammar of the schema, lengths included; others refuse lengths in a strict schema.
_MAKES_GRAMMARS: Final = frozenset({"ollama", "openai-compatible"})
_IN_WORDS: Final = "Reply with one JSON object of this schema, and nothing before or after it:\n"


class ServiceModel:
    """A chat model of a service. Making one costs nothing: its library is loaded, and its key read, at each call."""

    def __init__(self, name: str | ModelName, limits: CallLimits | None = None) -> None:
        """Name the model, as in `provider:model`.

        Raises:
            SettingsError: the name has another form.

        """
        self._name = parse_model_name(name) if isinstance(name, str) else name
        self._limits = limits or CallLimits()
        self._service = service_of(self._name)

    @property
    def name(self) -> str:
        """`provider:model`."""
        return str(self._name)

    @property
    def identity(self) -> str:
        """All that decides a reply beside the request: the name, the address and how the form is asked for."""
        return f"{self._name} {self._service.base_url or ''} {self._limits.output_form}"

    def fill(self, request: ModelRequest, schema: type[R], *, on_partial: OnPartial | None = None) -> ModelReply[R]:
        """Return the form filled in by the model; with `on_partial` the reply is streamed, and told while it comes in.

        Raises:
            MissingExtraError: the libraries for models are not installed.
            ProviderError: the service failed, or its reply is cut off or has another form.

        """
        started = time.perf_counter()
        response, attempts = run(self._connected(client_of(self._service), request, schema, on_partial))
        text = _text(response)
        reason = _finish_reason(response)
        usage = ModelUsage(input_tokens=response.usage.input_tokens, output_tokens=response.usage.output_tokens)
        try:
            self._check_finished(response, reason, request)
            value = self._read(text, schema)
        except ProviderError as error:
            # The service was paid for this reply, whatever it is worth.
            error.input_tokens, error.output_tokens = usage.input_tokens, usage.output_tokens
            error.seconds, error.attempts = round(time.perf_counter() - started, 3), attempts
            raise
        return ModelReply(
            value=value,
            text=text,
            usage=usage,
            provider=self._name.provider,
            model=response.model_name or self._name.model,
            seconds=round(time.perf_counter() - started, 3),
            cost_usd=_cost(response),
            finish_reason=reason,
            attempts=attempts,
        )

    def _read(self, text: str, schema: type[R]) -> R:
        try:
            return read_reply(text, schema)
        except InvalidOutputError as error:
            raise type(error)(f"{self._name}: {error}", text=text) from None

    async def _connected(
        self, client: "Model", request: ModelRequest, schema: type[Record], on_partial: OnPartial | None
    ) -> "tuple[ModelResponse, int]":
        # One connection for a call and its retries: next to a reply it costs nothing, and none is left open.
        async with client:
            return await with_retries(
                lambda: self._once(client, request, schema, on_partial), self._service, self._limits
            )

    async def _once(
        self, client: "Model", request: ModelRequest, schema: type[Record], on_partial: OnPartial | None
    ) -> "ModelResponse":
        from pydantic_ai import direct
        from pydantic_ai.settings import ModelSettings

        form = self._form(client)
        settings = ModelSettings(
            max_tokens=request.max_output_tokens,
            timeout=self._limits.timeout_s,
            request_timeout=self._limits.timeout_s,
            max_retries=0,
        )
        # Models that reason take no temperature, and say so with every request.
        if not any(client.profile.get(name, False) for name in _NO_TEMPERATURE):
            settings["temperature"] = request.temperature
        messages = _messages(request, schema, form)
        parameters = _parameters(schema, form, is_bounded=self._name.provider in _MAKES_GRAMMARS)
        if on_partial is None:
            return await direct.model_request(
                client, messages, model_settings=settings, model_request_parameters=parameters
            )
        async with direct.model_request_stream(
            client, messages, model_settings=settings, model_request_parameters=parameters
        ) as stream:
            seen = 0
            async for _ in stream:
                text = _text(stream.get())
                if len(text) > seen:
                    seen = len(text)
                    _tell(text, on_partial)
            response = stream.get()
        if response.finish_reason is None:
            # A stream that ends politely, but without the event that says it is whole.
            raise ConnectionCutError(f"{self._name}: the reply broke off before its end: try again")
        return response

    def _form(self, client: "Model") -> OutputForm:
        wanted = self._limits.output_form
        if wanted == "schema" and not client.profile.get("supports_json_schema_output", False):
            return "json"
        return wanted

    def _check_finished(self, response: "ModelResponse", reason: FinishReason, request: ModelRequest) -> None:
        """Refuse what is not a whole reply, before anything of it is read."""
        if reason == "length":
            raise OutputTruncatedError(
                f"{self._name}: the reply was cut off at {request.max_output_tokens} tokens: raise the setting "
                "model_max_output_tokens, or ask for less"
            )
        if reason == "content_filter":
            said = (response.provider_details or {}).get("refusal")
            why = f": {shown(without_keys(str(said)))}" if said else ""
            raise ProviderRefusedError(
                f"{self._name}: the model or its service's filter refused to reply{why}. "
                "This says nothing about the documents"
            )


def _messages(request: ModelRequest, schema: type[Record], form: OutputForm) -> "list[ModelMessage]":
    from pydantic_ai.messages import ModelRequest as Sent
    from pydantic_ai.messages import ModelResponse, TextPart, UserPromptPart

    instructions = request.instructions
    if form == "json":
        instructions = f"{instructions}\n\n{_IN_WORDS}{described(schema)}"
    messages: list[ModelMessage] = [Sent(parts=[UserPromptPart(content=request.data)], instructions=instructions)]
    if request.correction is not None:
        messages.append(ModelResponse(parts=[TextPart(content=request.earlier_reply or "(no reply)")]))
        messages.append(Sent(parts=[UserPromptPart(content=request.correction)], instructions=instructions))
    return messages


def _parameters(schema: type[Record], form: OutputForm, *, is_bounded: bool) -> "ModelRequestParameters":
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if form != "schema":
        return ModelRequestParameters(output_mode="text")
    wanted = OutputObjectDefinition(
        json_schema=strict_schema(schema, is_bounded=is_bounded), name=schema.__name__, strict=True
    )
    return ModelRequestParameters(output_mode="native", output_object=wanted)


def _text(response: "ModelResponse") -> str:
    from pydantic_ai.messages import TextPart

    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def _tell(text: str, on_partial: OnPartial) -> None:
    from pydantic_core import from_json

    said = without_thoughts(text)
    start = said.find("{")
    if start == -1:
        return
    with contextlib.suppress(ValueError):
        partial: Any = from_json(said[start:], allow_partial=True)
        if isinstance(partial, dict):
            on_partial(partial)


def _finish_reason(response: "ModelResponse") -> FinishReason:
    reason = response.finish_reason
    if reason is None or reason == "stop":
        return "stop"
    return reason if reason in ("length", "content_filter") else "other"


def _cost(response: "ModelResponse") -> float | None:
    """Return the price in US dollars by the price list that ships with the library; `None` for unknown models."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None

"""Spans of OpenTelemetry, one for each request, sent to a collector; the extra `otel` brings what it needs."""

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.errors import MissingExtraError
from pincite.interfaces.http.access.observing import GONE, place_of, route_of
from pincite.interfaces.http.access.refusing import header

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter


class Spans:
    """Makes a span of each request; it holds method, route template, status and caller, and no text of anybody."""

    def __init__(self, provider: "TracerProvider") -> None:
        """Make spans with `provider`, which `close` ends."""
        self._provider = provider
        self._tracer = provider.get_tracer("pincite", version("pincite"))

    def around(self, app: ASGIApp) -> ASGIApp:
        """Return `app` with a span around each request; a `traceparent` header makes it part of the caller's trace."""
        from opentelemetry.trace import SpanKind, Status, StatusCode
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        carrier = TraceContextTextMapPropagator()

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            sent = {name: header(scope, name.encode()) for name in ("traceparent", "tracestate")}
            parent = carrier.extract({name: value for name, value in sent.items() if value is not None})
            status = GONE

            async def noted_send(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                await send(message)

            span = self._tracer.start_span("request", context=parent, kind=SpanKind.SERVER)
            try:
                await app(scope, receive, noted_send)
            except Exception as error:
                span.set_status(Status(StatusCode.ERROR, place_of(error)))
                raise
            finally:
                span.update_name(f"{scope['method']} {route_of(scope)}")
                span.set_attributes(_attributes(scope, status))
                span.end()

        return serve

    def close(self) -> None:
        """Send what is left and end."""
        self._provider.shutdown()


def open_spans(address: str, exporter: "SpanExporter | None" = None) -> Spans:
    """Return spans that are sent to the collector at `address` (OTLP over HTTP), in the background.

    Raises:
        MissingExtraError: the packages of OpenTelemetry are not installed.

    """
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        if exporter is None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            exporter = OTLPSpanExporter(endpoint=address)
    except ImportError as error:
        raise MissingExtraError(f"{error.name} is not installed; `pip install 'pincite[otel]'` brings it") from error
    resource = Resource.create({"service.name": "pincite", "service.version": version("pincite")})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return Spans(provider)


def _attributes(scope: Scope, status: int) -> dict[str, Any]:
    state = scope.get("state", {})
    found: dict[str, Any] = {
        "http.request.method": scope["method"],
        "http.route": route_of(scope),
        "http.response.status_code": status,
        "pincite.caller": state["caller"].name if "caller" in state else "-",
    }
    if state.get("asked"):
        found["pincite.asked"] = list(state["asked"])
    return found

"""Spans of OpenTelemetry arrive at a collector, part of the caller's trace, with no text in them."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from tests.interfaces.http.access.conftest import running

from pincite.errors import MissingExtraError
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.spans import open_spans

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes what is sent to it."""

    bodies: list[bytes]

    def do_POST(self) -> None:
        """Keep the body and say thanks."""
        self.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


@pytest.fixture
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Return a collector on this machine: its address, and what it got."""
    bodies: list[bytes] = []
    made = type("Keeping", (Collector,), {"bodies": bodies})
    with http.server.HTTPServer(("127.0.0.1", 0), made) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/traces", bodies
        server.shutdown()
        thread.join()


def test_a_span_for_each_request(folder: Path, collector: tuple[str, list[bytes]]) -> None:
    """A question is a span with method, route, status, caller and outcome; its words and its answer are not in it."""
    address, bodies = collector
    spans = open_spans(address)
    with running(folder, AccessOptions(require_token=True), outermost=(spans.around,)) as server:
        headers = {**server.token("ask", "default", name="Ana"), "traceparent": PARENT}
        asked = {"question": "What is the harbour fee for a zebrafinch barge?"}
        server.client.post("/v1/ask", json=asked, headers=headers)
        server.client.get("/v1/documents/zebrafinch?where=zebrafinch", headers=headers)
    spans.close()
    sent = ExportTraceServiceRequest.FromString(b"".join(bodies))
    (first, second) = [span for r in sent.resource_spans for s in r.scope_spans for span in s.spans]
    values = {a.key: a.value.string_value or a.value.int_value for a in first.attributes if a.key != "pincite.asked"}

    assert values == {
        "http.request.method": "POST",
        "http.route": "/v1/ask",
        "http.response.status_code": 200,
        "pincite.caller": "Ana",
    }
    assert (first.name, second.name) == ("POST /v1/ask", "GET /v1/documents/{doc_id}")
    assert (first.trace_id.hex(), first.parent_span_id.hex()) == (PARENT[3:35], PARENT[36:52])
    assert [word for word in (b"zebrafinch", b"40 EUR", b"pct_") if any(word in body for body in bodies)] == []


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where OpenTelemetry is not installed, the error names the extra."""
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.resources", None)

    with pytest.raises(MissingExtraError, match=r"pincite\[otel\]"):
        open_spans("http://127.0.0.1:1")

"""A server on loopback that speaks the wire forms of OpenAI, Anthropic, Google and OpenAI-compatible services.

Each request takes the next script. The forms follow the public API references of the services: `POST /v1/responses`,
`/v1/messages`, `/v1beta/models/M:generateContent` and `:streamGenerateContent`, `/v1/chat/completions`.
"""

import json
import socket
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Finish = Literal["stop", "length", "refusal"]


@dataclass(frozen=True, kw_only=True)
class Script:
    """One reply. `status` other than 200 is an error; `cut` breaks the connection off, `hangs` sends nothing.

    A stream that `ends_early` stops half way without an error.
    """

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "the scripted failure"
    finish: Finish = "stop"
    cut: bool = False
    ends_early: bool = False
    hangs: bool = False
    raw: bytes | None = None


@dataclass
class Seen:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def is_stream(self) -> bool:
        """Whether a stream was asked for."""
        return bool(self.body.get("stream")) or "streamGenerateContent" in self.path


class ProviderServer:
    """The scripts still to come, and the requests so far."""

    def __init__(self) -> None:
        self.scripts: list[Script] = []
        self.embedding_scripts: list[Script] = []
        self.seen: list[Seen] = []
        self.address = ""
        self.is_over = threading.Event()

    def will(self, *scripts: Script) -> None:
        """Reply so from now on, one script for each request."""
        self.scripts = list(scripts)


@contextmanager
def serving() -> Iterator[ProviderServer]:
    """Serve on a free port until the block ends."""
    state = ProviderServer()

    class Handler(_Handler):
        server_state = state

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """Say nothing: a client that stopped waiting is what some scripts are for."""

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.is_over.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server_state: ProviderServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        seen = Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        self.server_state.seen.append(seen)
        is_embedding = "embed" in self.path.lower()
        if is_embedding and not self.server_state.embedding_scripts:
            return self._whole(200, _embedded(seen), {})
        script = (self.server_state.embedding_scripts if is_embedding else self.server_state.scripts).pop(0)
        if script.hangs:
            self.server_state.is_over.wait()
            return None
        if script.status != 200:
            return self._whole(script.status, _error(seen, script), script.headers)
        if script.raw is not None:
            return self._whole(200, script.raw, {})
        if is_embedding:
            return self._whole(200, _embedded(seen), {}, cut=script.cut)
        events = _stream(seen, script) if seen.is_stream else None
        if events is None:
            return self._whole(200, json.dumps(_whole(seen, script)).encode(), {}, cut=script.cut)
        return self._events(events[: len(events) // 2] if script.ends_early else events, cut=script.cut)

    def _whole(self, status: int, content: bytes, headers: dict[str, str], *, cut: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if cut else content)
        if cut:
            self._hang_up()

    def _events(self, events: Sequence[bytes], *, cut: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events[: len(events) // 2] if cut else events:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))
            self.wfile.flush()
        if cut:
            self._hang_up()
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _hang_up(self) -> None:
        """Reset the connection, as a proxy that dies does."""
        self.wfile.flush()
        time.sleep(0.02)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


def _form(seen: Seen) -> str:
    if seen.path.endswith("/responses"):
        return "openai"
    if "/messages" in seen.path:
        return "anthropic"
    return "google" if "enerateContent" in seen.path else "chat"


def _error(seen: Seen, script: Script) -> bytes:
    kind = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    code = kind.get(script.status, "api_error" if script.status >= 500 else "invalid_request_error")
    status = {401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 400: "INVALID_ARGUMENT"}
    body: dict[str, Any]
    match _form(seen):
        case "anthropic":
            body = {"type": "error", "error": {"type": code, "message": script.message}, "request_id": "req_1"}
        case "google":
            inner = {"code": script.status, "message": script.message, "status": status.get(script.status, "INTERNAL")}
            body = {"error": inner}
        case _:
            body = {"error": {"message": script.message, "type": code, "param": None, "code": None}}
    return json.dumps(body).encode()


def _whole(seen: Seen, script: Script) -> dict[str, Any]:
    return _WHOLE[_form(seen)](script)


def _openai(script: Script, *, status: str | None = None, output: bool = True) -> dict[str, Any]:
    done = "incomplete" if script.finish == "length" else "completed"
    part: dict[str, Any] = {"type": "output_text", "text": script.text, "annotations": [], "logprobs": []}
    if script.finish == "refusal":
        part = {"type": "refusal", "refusal": script.text}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_760_000_000,
        "status": status or done,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if done == "incomplete" and output else None,
        "instructions": None,
        "max_output_tokens": None,
        "model": "gpt-4o-mini-2024-07-18",
        "output": [message] if output else [],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "temperature": 0.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "metadata": {},
        "usage": {
            "input_tokens": 120,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 30,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 150,
        }
        if output
        else None,
    }


def _anthropic(script: Script) -> dict[str, Any]:
    reason = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}[script.finish]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5-20250929",
        "content": [{"type": "text", "text": script.text}] if script.text else [],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 120, "output_tokens": 30},
    }


def _google(script: Script) -> dict[str, Any]:
    reason = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}[script.finish]
    candidate: dict[str, Any] = {"finishReason": reason, "index": 0}
    if script.text:
        candidate["content"] = {"role": "model", "parts": [{"text": script.text}]}
    return {
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": 120, "candidatesTokenCount": 30, "totalTokenCount": 150},
        "modelVersion": "gemini-2.5-flash",
        "responseId": "r1",
    }


def _chat(script: Script) -> dict[str, Any]:
    reason = {"stop": "stop", "length": "length", "refusal": "content_filter"}[script.finish]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_760_000_000,
        "model": "gemma3",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": script.text}, "finish_reason": reason},
        ],
        "usage": {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150},
    }


_WHOLE = {"openai": _openai, "anthropic": _anthropic, "google": _google, "chat": _chat}


def _stream(seen: Seen, script: Script) -> list[bytes]:
    size = max(1, len(script.text) // 6)
    pieces = [script.text[i : i + size] for i in range(0, len(script.text), size)]
    return _STREAMS[_form(seen)](script, pieces)


def _event(data: object, name: str | None = None) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def _openai_stream(script: Script, pieces: list[str]) -> list[bytes]:
    is_refusal = script.finish == "refusal"
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    part: dict[str, Any] = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": _openai(script, status="in_progress", output=False)},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **place, "part": part},
    ]
    kind = "response.refusal.delta" if is_refusal else "response.output_text.delta"
    events += [{"type": kind, **place, "delta": piece, "logprobs": []} for piece in pieces]
    if is_refusal:
        events.append({"type": "response.refusal.done", **place, "refusal": script.text})
    else:
        events.append({"type": "response.output_text.done", **place, "text": script.text, "logprobs": []})
    whole = _openai(script)
    events.append({"type": "response.output_item.done", "output_index": 0, "item": whole["output"][0]})
    last = "response.incomplete" if script.finish == "length" else "response.completed"
    events.append({"type": last, "response": whole})
    return [_event({**e, "sequence_number": n}, e["type"]) for n, e in enumerate(events)]


def _anthropic_stream(script: Script, pieces: list[str]) -> list[bytes]:
    whole = _anthropic(script)
    start = {**whole, "content": [], "stop_reason": None, "usage": {"input_tokens": 120, "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    if script.text:
        block = {"type": "text", "text": ""}
        events.append({"type": "content_block_start", "index": 0, "content_block": block})
        events += [
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
            for piece in pieces
        ]
        events.append({"type": "content_block_stop", "index": 0})
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 30}})
    events.append({"type": "message_stop"})
    return [_event(e, e["type"]) for e in events]


def _google_stream(script: Script, pieces: list[str]) -> list[bytes]:
    whole = _google(script)
    parts = [
        _event({"candidates": [{"content": {"role": "model", "parts": [{"text": piece}]}, "index": 0}]})
        for piece in pieces
    ]
    last = {**whole, "candidates": [{"finishReason": whole["candidates"][0]["finishReason"], "index": 0}]}
    return [*parts, _event(last)]


def _chat_stream(script: Script, pieces: list[str]) -> list[bytes]:
    whole = _chat(script)
    base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_760_000_000, "model": "gemma3"}
    first = {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}
    events = [_event({**base, "choices": [first]})]
    for piece in pieces:
        delta = {"index": 0, "delta": {"content": piece}, "finish_reason": None}
        events.append(_event({**base, "choices": [delta]}))
    end = {"index": 0, "delta": {}, "finish_reason": whole["choices"][0]["finish_reason"]}
    events.append(_event({**base, "choices": [end]}))
    events.append(_event({**base, "choices": [], "usage": whole["usage"]}))
    return [*events, _event("[DONE]")]


_STREAMS = {
    "openai": _openai_stream,
    "anthropic": _anthropic_stream,
    "google": _google_stream,
    "chat": _chat_stream,
}


def _embedded(seen: Seen) -> bytes:
    """Vectors that depend on the text alone: twelve numbers, counted letters."""
    if "batchEmbedContents" in seen.path:
        texts = [" ".join(p["text"] for p in r["content"]["parts"]) for r in seen.body["requests"]]
        return json.dumps({"embeddings": [{"values": _vector(t)} for t in texts]}).encode()
    if seen.path.endswith("/v2/embed"):
        made = [_vector(text) for text in seen.body["texts"]]
        return json.dumps({"id": "e1", "embeddings": {"float": made}, "texts": seen.body["texts"]}).encode()
    given = seen.body["input"]
    data = [
        {"object": "embedding", "index": n, "embedding": _vector(t)}
        for n, t in enumerate([given] if isinstance(given, str) else given)
    ]
    usage = {"prompt_tokens": 5, "total_tokens": 5}
    return json.dumps({"object": "list", "data": data, "model": seen.body["model"], "usage": usage}).encode()


def _vector(text: str) -> list[float]:
    counts = [1.0] * 12
    for char in text.lower():
        counts[ord(char) % 12] += 1.0
    return counts

"""The log says who asked for what kind of thing and how it went, and never what."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send
from tests.interfaces.http.access.conftest import asked, nothing, running

from pincite.interfaces.http.access.logs import LogLines, configure_logs, log_request
from pincite.interfaces.http.access.observing import Observing, ServedRequest
from pincite.interfaces.http.access.options import AccessOptions

SERVED = ServedRequest(
    request_id="1f", method="GET", route="/v1/documents", status=200, ms=1.5, caller="Ana", bytes_in=0, bytes_out=9
)


@pytest.fixture
def written(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Return what is logged as JSON while the test runs; loggers are as before afterwards."""
    loggers = [logging.getLogger(name) for name in ("pincite", "uvicorn", "uvicorn.error")]
    before = [(one.handlers, one.propagate, one.level) for one in loggers]
    stream = io.StringIO()
    configure_logs("json", stream)
    logging.getLogger("uvicorn.error").setLevel(logging.NOTSET)  # a server of another test may have silenced it
    yield stream
    for one, (handlers, propagate, level) in zip(loggers, before, strict=True):
        one.handlers, one.propagate = handlers, propagate
        one.setLevel(level)


def lines(written: io.StringIO) -> list[dict[str, Any]]:
    """Return the lines of a log, each one JSON object."""
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_a_line_for_each_request(written: io.StringIO, folder: Path) -> None:
    """Each request is a line with route template, status, time, bytes and the caller's name, and no word of anybody."""
    question = {"question": "What is the harbour fee for a zebrafinch barge?"}
    with running(folder, AccessOptions(require_token=True)) as server:
        token = server.token("ask", "default", name="Ana Ĺ.")
        doc_id = server.client.get("/v1/documents", headers=token).json()["documents"][0]["doc_id"]
        answer = server.client.post("/v1/ask", json=question, headers=token)
        server.client.get(f"/v1/documents/{doc_id}/find", params={"text": "zebrafinch"}, headers=token)
        server.client.get("/v1/documents", params={"where": "year=zebrafinch"}, headers=token)
        server.client.get("/v1/documents", headers={"authorization": "Bearer pct_zebrafinch"})
        server.client.get("/nothing/zebrafinch%0Ax")
        server.client.get("/v1/zebrafinch", headers=token)
    found = lines(written)
    requests = [one for one in found if one["event"] == "request"]

    assert sorted((r["route"], r["method"], r["status"], r["caller"]) for r in requests) == [
        ("/v1/ask", "POST", 200, "Ana Ĺ."),
        ("/v1/documents", "GET", 200, "Ana Ĺ."),
        ("/v1/documents", "GET", 200, "Ana Ĺ."),
        ("/v1/documents/{doc_id}/find", "GET", 200, "Ana Ĺ."),
        ("none", "GET", 401, "-"),
        ("none", "GET", 404, "Ana Ĺ."),
        ("page", "GET", 404, "-"),
    ]
    (line,) = [one for one in requests if one["route"] == "/v1/ask"]
    assert (line["asked"], line["bytes_out"]) == (["answer"], len(answer.content))
    assert line["request_id"] == answer.headers["x-request-id"]
    unwanted = ["zebrafinch", "40 EUR", "pct_", doc_id, "harbour.md", token["authorization"][-20:]]
    assert [word for word in unwanted if word in written.getvalue()] == []


@given(st.text(), st.text(), st.sampled_from(["text", "json"]))
def test_nobody_forges_a_line(caller: str, message: str, form: Any) -> None:
    """Whatever is in a name or a message, a record is one line of visible ASCII."""
    request = logging.makeLogRecord({"levelname": "INFO", "created": 0.0, "served": with_caller(caller)})
    other = logging.makeLogRecord({"levelname": "INFO", "created": 0.0, "msg": "%s", "args": (message,), "name": "x"})

    for record in (request, other):
        line = LogLines(form).format(record)
        assert (line.isascii(), line.isprintable(), len(line.splitlines())) == (True, True, 1)


def with_caller(name: str) -> ServedRequest:
    """Return a request of a caller."""
    return msgspec.structs.replace(SERVED, caller=name)


def test_the_text_form_is_for_people() -> None:
    """As text a request is a line of words."""
    record = logging.makeLogRecord({"levelname": "INFO", "created": 0.0, "served": SERVED})

    assert LogLines("text").format(record) == (
        "1970-01-01T00:00:00.000+00:00 info 1f GET /v1/documents 200 1.5ms in=0 out=9 caller=Ana"
    )


def test_a_fault_is_told_without_its_text(written: io.StringIO) -> None:
    """A fault becomes a problem document with the number of its line in the log; neither holds the error's text."""

    async def faulty(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("the text of a secret document")

    response = asked(Observing(faulty, [log_request]))
    (line,) = lines(written)

    assert (response.status_code, response.json()["code"]) == (500, "internal_error")
    assert line["request_id"] in response.json()["detail"]
    assert (line["level"], " at test_logs.py:" in line["fault"]) == ("error", True)
    assert "secret" not in written.getvalue() + response.text


def test_errors_of_the_server_itself_hold_no_text(written: io.StringIO) -> None:
    """What uvicorn and pincite log about an exception is its kind and place."""
    try:
        int("the text of a secret document")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    (line,) = lines(written)

    assert (line["event"], line["message"]) == ("uvicorn.error", "Exception in ASGI application")
    assert ("secret" in written.getvalue(), "ValueError at " in line["fault"]) == (False, True)


def test_made_up_methods_are_one(written: io.StringIO) -> None:
    """A client cannot fill logs and figures with words of its own."""
    asked(Observing(nothing, [log_request]), "ZEBRA")

    assert [(one["method"], one["status"]) for one in lines(written)] == [("other", 204)]

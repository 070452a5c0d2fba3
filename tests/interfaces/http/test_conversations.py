"""Conversations over HTTP: follow-ups, and who may see them."""

import pytest
from tests.interfaces.http.conftest import Server
from tests.interfaces.http.test_asking import events_of, without_ids

FEES = (
    "# Fees\n\n| Year | Fee |\n| --- | --- |\n| 2018 | 40 EUR |\n| 2019 | 50 EUR |\n\nThe notice period is one month.\n"
)


@pytest.fixture
def path(server: Server) -> str:
    server.add("fees.md", FEES)
    conversation_id = server.client.post("/v1/conversations", json={"docs": ["fees.md"]}).json()["conversation_id"]
    return f"/v1/conversations/{conversation_id}"


def test_a_follow_up_is_asked_in_full(server: Server, path: str) -> None:
    """A message that goes on from the one before shows what was asked for it, and is answered as that would be."""
    first = server.client.post(f"{path}/messages", json={"text": "What is the fee in 2018?"}).json()["turns"]
    second = server.client.post(f"{path}/messages", json={"text": "And in 2019?"}).json()["turns"]
    alone = server.client.post("/v1/ask", json={"question": "What is the fee in 2019?", "docs": ["fees.md"]}).json()

    assert [(turn["text"], turn["rewritten"]) for turn in first + second] == [
        ("What is the fee in 2018?", None),
        ("And in 2019?", "What is the fee in 2019?"),
    ]
    assert without_ids(second[0]["result"]) == without_ids(alone)


def test_a_conversation_is_kept(server: Server, path: str) -> None:
    """All turns are there again, with their results, and in the list."""
    said = [
        turn
        for text in ("What is the fee in 2018?", "And in 2019?")
        for turn in server.client.post(f"{path}/messages", json={"text": text}).json()["turns"]
    ]
    listed = server.client.get("/v1/conversations").json()["conversations"]

    whole = server.client.get(path).json()

    assert (whole["turns"], whole["docs"]) == (said, ["fees.md"])
    assert [(one["n_turns"], one["first_text"]) for one in listed] == [(2, "What is the fee in 2018?")]


def test_events_of_a_message_end_with_its_turns(server: Server, path: str) -> None:
    """A message is answered event by event too; the last event has what the JSON reply would have."""
    streamed = server.client.post(
        f"{path}/messages", json={"text": "What is the fee in 2018?"}, headers={"Accept": "text/event-stream"}
    )
    name, done = events_of(streamed.text)[-1]

    assert (name, done["turns"]) == ("done", server.client.get(path).json()["turns"])


def test_several_questions_are_several_turns(server: Server, path: str) -> None:
    """A message with two questions gets a turn for each."""
    text = "What is the fee in 2018? What is the notice period?"
    turns = server.client.post(f"{path}/messages", json={"text": text}).json()["turns"]

    assert [turn["text"] for turn in turns] == ["What is the fee in 2018?", "What is the notice period?"]


def test_a_deleted_conversation_is_gone(server: Server, path: str) -> None:
    """After a delete it is in no list; the answers that were given stay."""
    (turn,) = server.client.post(f"{path}/messages", json={"text": "What is the notice period?"}).json()["turns"]

    codes = [server.client.delete(path).status_code, server.client.delete(path).status_code]
    codes += [
        server.client.get(path).status_code,
        server.client.post(f"{path}/messages", json={"text": "x"}).status_code,
    ]

    assert codes == [204, 404, 404, 404]
    assert server.client.get("/v1/conversations").json()["conversations"] == []
    assert server.client.get(f"/v1/answers/{turn['result']['trace_id']}").status_code == 200

"""Conversations as rows: what they are put to, and which trace holds the result of each turn."""

import uuid
from datetime import UTC, datetime

import msgspec

from pincite.ask.conversation import Turn
from pincite.interfaces.http.shapes import ConversationInfo, NewConversation
from pincite.interfaces.http.state.moments import moment
from pincite.interfaces.http.state.opening import ServerState
from pincite.storage.ledger import Row
from pincite.types.record import Record


class StoredTurn(Record, frozen=True, kw_only=True):
    """One turn: what was typed, what was asked, and the trace of the result."""

    text: str
    question: str
    trace_id: str
    notes: tuple[str, ...]


class StoredConversation(Record, frozen=True, kw_only=True):
    """A conversation with its turns, oldest first."""

    conversation_id: str
    created_at: str
    scope: NewConversation
    turns: tuple[StoredTurn, ...]


class ConversationTable:
    """The conversations of all collections; every question names the collection."""

    def __init__(self, state: ServerState) -> None:
        """Work on what a server's state keeps."""
        self._rows = state.ledger("conversations")

    def begin(self, collection: str, scope: NewConversation) -> str:
        """Keep a new conversation and return its id."""
        conversation_id = uuid.uuid4().hex[:16]
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        made = StoredConversation(conversation_id=conversation_id, created_at=now, scope=scope, turns=())
        self._rows.add(Row(key=conversation_id, collection=collection, at=moment(), data=msgspec.json.encode(made)))
        return conversation_id

    def newest(self, collection: str, limit: int) -> tuple[ConversationInfo, ...]:
        """Return the conversations of a collection, newest first."""
        found = (_stored(row) for row in self._rows.rows(collection=collection, limit=limit))
        return tuple(
            ConversationInfo(
                conversation_id=stored.conversation_id,
                created_at=stored.created_at,
                n_turns=len(stored.turns),
                first_text=stored.turns[0].text if stored.turns else None,
            )
            for stored in found
        )

    def get(self, collection: str, conversation_id: str) -> StoredConversation | None:
        """Return a conversation of a collection with all that was said in it until now, or `None`."""
        row = self._row(conversation_id)
        return None if row is None or row.collection != collection else _stored(row)

    def keep(self, conversation_id: str, turns: tuple[Turn, ...]) -> None:
        """Keep further turns; those of a conversation that was deleted meanwhile are not kept."""
        said = [
            StoredTurn(text=turn.message, question=turn.question, trace_id=turn.result.trace_id, notes=turn.notes)
            for turn in turns
        ]
        while (row := self._row(conversation_id)) is not None:
            stored = _stored(row)
            data = msgspec.json.encode(msgspec.structs.replace(stored, turns=(*stored.turns, *said)))
            if self._rows.change(msgspec.structs.replace(row, data=data)):
                return

    def delete(self, collection: str, conversation_id: str) -> bool:
        """Delete a conversation with its turns; return whether it was there. The traces stay."""
        row = self._row(conversation_id)
        if row is None or row.collection != collection:
            return False
        self._rows.delete([conversation_id])
        return True

    def _row(self, conversation_id: str) -> Row | None:
        return self._rows.get(conversation_id, newest=True) if conversation_id.isascii() else None


def _stored(row: Row) -> StoredConversation:
    return msgspec.json.decode(row.data, type=StoredConversation)

"""Conversations as rows: what they are put to, and which trace holds the result of each turn."""

import uuid
from datetime import UTC, datetime
from typing import Final

import msgspec

from pincite.ask.conversation import Turn
from pincite.interfaces.http.shapes import ConversationInfo, NewConversation
from pincite.interfaces.http.state.database import Database
from pincite.types.record import Record

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS conversations (
    number INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL,
    created_at TEXT NOT NULL,
    scope BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS turns (
    number INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    text TEXT NOT NULL,
    question TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    notes BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS turns_of ON turns (conversation_id, number);
"""


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

    def __init__(self, database: Database) -> None:
        """Make the tables where they are not there."""
        self._database = database
        with database.reading() as connection:
            connection.executescript(_SCHEMA)

    def begin(self, collection: str, scope: NewConversation) -> str:
        """Keep a new conversation and return its id."""
        conversation_id = uuid.uuid4().hex[:16]
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO conversations (conversation_id, collection, created_at, scope) VALUES (?, ?, ?, ?)",
                (conversation_id, collection, now, msgspec.json.encode(scope)),
            )
        return conversation_id

    def newest(self, collection: str, limit: int) -> tuple[ConversationInfo, ...]:
        """Return the conversations of a collection, newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT c.conversation_id, c.created_at, "
                "(SELECT count(*) FROM turns t WHERE t.conversation_id = c.conversation_id), "
                "(SELECT text FROM turns t WHERE t.conversation_id = c.conversation_id ORDER BY number LIMIT 1) "
                "FROM conversations c WHERE collection = ? ORDER BY number DESC LIMIT ?",
                (collection, limit),
            ).fetchall()
        return tuple(
            ConversationInfo(conversation_id=row[0], created_at=row[1], n_turns=row[2], first_text=row[3])
            for row in rows
        )

    def get(self, collection: str, conversation_id: str) -> StoredConversation | None:
        """Return a conversation of a collection, or `None`."""
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT created_at, scope FROM conversations WHERE collection = ? AND conversation_id = ?",
                (collection, conversation_id),
            ).fetchone()
            rows = connection.execute(
                "SELECT text, question, trace_id, notes FROM turns WHERE conversation_id = ? ORDER BY number",
                (conversation_id,),
            ).fetchall()
        if found is None:
            return None
        turns = [
            StoredTurn(text=r[0], question=r[1], trace_id=r[2], notes=msgspec.json.decode(r[3], type=tuple[str, ...]))
            for r in rows
        ]
        return StoredConversation(
            conversation_id=conversation_id,
            created_at=found[0],
            scope=msgspec.json.decode(found[1], type=NewConversation),
            turns=tuple(turns),
        )

    def keep(self, conversation_id: str, turns: tuple[Turn, ...]) -> None:
        """Keep further turns; those of a conversation that was deleted meanwhile are not kept."""
        with self._database.writing() as connection:
            for turn in turns:
                connection.execute(
                    "INSERT INTO turns (conversation_id, text, question, trace_id, notes) "
                    "SELECT conversation_id, ?, ?, ?, ? FROM conversations WHERE conversation_id = ?",
                    (
                        turn.message,
                        turn.question,
                        turn.result.trace_id,
                        msgspec.json.encode(turn.notes),
                        conversation_id,
                    ),
                )

    def delete(self, collection: str, conversation_id: str) -> bool:
        """Delete a conversation with its turns; return whether it was there. The traces stay."""
        with self._database.writing() as connection:
            deleted = connection.execute(
                "DELETE FROM conversations WHERE collection = ? AND conversation_id = ?", (collection, conversation_id)
            )
            if deleted.rowcount:
                connection.execute("DELETE FROM turns WHERE conversation_id = ?", (conversation_id,))
            return deleted.rowcount > 0

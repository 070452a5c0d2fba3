"""`/v1/conversations`: questions that go on from those before."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from pincite.ask.conversation import TURNS_BEFORE, Turn
from pincite.errors import QuoteError, SettingsError
from pincite.interfaces.http.access.asked import noted
from pincite.interfaces.http.openapi import shows, takes
from pincite.interfaces.http.opened import Asking, Opened
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import body_of, reply
from pincite.interfaces.http.shapes import (
    ConversationInfo,
    ConversationList,
    MessageBody,
    NewConversation,
    SaidTurn,
    TurnList,
    WholeConversation,
)
from pincite.interfaces.http.state.conversations import ConversationTable, StoredConversation, StoredTurn
from pincite.interfaces.http.streaming import Listener, answered, event_stream, wants_events
from pincite.library import Library
from pincite.types.record import to_json

router = APIRouter(tags=["conversations"])


@router.post("/v1/conversations", openapi_extra=takes(NewConversation), **shows(ConversationInfo, status=201))
def begin(
    opened: Asking, request: Request, body: Annotated[NewConversation, Depends(body_of(NewConversation))]
) -> Response:
    """Begin a conversation with all documents, or with those that are named."""
    table = _table(request)
    conversation_id = table.begin(opened.collection, body)
    return reply(_info(_found(table, opened, conversation_id)), status=201)


@router.get("/v1/conversations", **shows(ConversationList))
def list_conversations(opened: Asking, request: Request, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
    """Return the conversations of a collection, newest first."""
    return reply(ConversationList(conversations=_table(request).newest(opened.collection, limit)))


@router.get("/v1/conversations/{conversation_id}", **shows(WholeConversation))
def get_conversation(opened: Asking, request: Request, conversation_id: str) -> Response:
    """Return a conversation with the results of its turns."""
    stored = _found(_table(request), opened, conversation_id)
    turns = [turn for one in stored.turns if (turn := _restored(opened.library, one)) is not None]
    whole = WholeConversation(
        conversation_id=conversation_id,
        created_at=stored.created_at,
        docs=stored.scope.docs,
        pages=stored.scope.pages,
        where=stored.scope.where,
        turns=_said(turns),
    )
    return reply(whole)


@router.delete("/v1/conversations/{conversation_id}", status_code=204, response_model=None)
def delete_conversation(opened: Asking, request: Request, conversation_id: str) -> Response:
    """Delete a conversation; the traces of its questions stay."""
    if not _table(request).delete(opened.collection, conversation_id):
        raise _unknown(conversation_id)
    return Response(status_code=204)


@router.post(
    "/v1/conversations/{conversation_id}/messages", openapi_extra=takes(MessageBody), **shows(TurnList, events=True)
)
async def say(
    opened: Asking,
    request: Request,
    conversation_id: str,
    body: Annotated[MessageBody, Depends(body_of(MessageBody))],
) -> Response:
    """Answer a message: a turn for each thing that it asks; with `Accept: text/event-stream` event by event."""
    table = _table(request)
    stored = await asyncio.to_thread(_found, table, opened, conversation_id)
    work = _work(opened.library, table, stored, body.text)
    work = noted(request, work, lambda turns: [turn.result for turn in turns])
    if wants_events(request):
        return event_stream(request, work, lambda turns: {"event": "done", **to_json(TurnList(turns=_said(turns)))})
    return reply(TurnList(turns=_said(await answered(request, work))))


def _work(
    library: Library, table: ConversationTable, stored: StoredConversation, text: str
) -> Callable[[Listener], tuple[Turn, ...]]:
    def work(listener: Listener) -> tuple[Turn, ...]:
        before = [turn for one in stored.turns[-TURNS_BEFORE:] if (turn := _restored(library, one)) is not None]
        conversation = library.conversation(
            docs=stored.scope.docs, pages=stored.scope.pages, where=stored.scope.where, listener=listener, turns=before
        )
        turns = conversation.ask(text)
        table.keep(stored.conversation_id, turns)
        return turns

    return work


def _restored(library: Library, stored: StoredTurn) -> Turn | None:
    """Return a turn with its result; `None` where its trace is gone."""
    with suppress(SettingsError, QuoteError):
        result = library.result(stored.trace_id)
        return Turn(message=stored.text, question=stored.question, result=result, notes=stored.notes)
    return None


def _said(turns: "list[Turn] | tuple[Turn, ...]") -> tuple[SaidTurn, ...]:
    return tuple(
        SaidTurn(
            text=turn.message,
            rewritten=turn.question if turn.is_rewritten else None,
            result=turn.result,
            notes=turn.notes,
        )
        for turn in turns
    )


def _info(stored: StoredConversation) -> ConversationInfo:
    return ConversationInfo(
        conversation_id=stored.conversation_id, created_at=stored.created_at, n_turns=len(stored.turns)
    )


def _table(request: Request) -> ConversationTable:
    table: ConversationTable = request.app.state.conversations
    return table


def _found(table: ConversationTable, opened: Opened, conversation_id: str) -> StoredConversation:
    stored = table.get(opened.collection, conversation_id)
    if stored is None:
        raise _unknown(conversation_id)
    return stored


def _unknown(conversation_id: str) -> ProblemError:
    return ProblemError(404, "unknown_conversation", f"there is no conversation {conversation_id[:80]!r}")

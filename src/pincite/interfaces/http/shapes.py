"""What the routes return where it is not one of pincite's own records."""

from typing import Any, Literal

from pincite.interfaces.http.problems import Problem
from pincite.storage.journal import TraceSummary
from pincite.types.answer import Result
from pincite.types.document import DocumentRecord, Line, Page, Section, Table
from pincite.types.record import Record


class Health(Record, frozen=True, kw_only=True):
    """`status` is `ok`, or says what is not ready yet."""

    status: str
    version: str


class CollectionInfo(Record, frozen=True, kw_only=True):
    """A collection and how many documents it has."""

    name: str
    n_documents: int


class CollectionList(Record, frozen=True, kw_only=True):
    """The collections that the caller may see."""

    collections: tuple[CollectionInfo, ...]


class NewCollection(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name of a collection to be made: small letters, digits and hyphens."""

    name: str


class OfDocument(Record, frozen=True, kw_only=True):
    """What a reply about one document begins with."""

    doc_id: str
    doc_name: str


class Narrowed(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a question is put to: documents by name, or by a condition on metadata; nothing named means all."""

    docs: tuple[str, ...] = ()
    where: str | None = None


class DocumentList(Record, frozen=True, kw_only=True):
    """Documents by name; `next` is what `after` takes for more, `total` how many there are in all."""

    documents: tuple[DocumentRecord, ...]
    next: str | None
    total: int


class PageList(OfDocument, frozen=True, kw_only=True):
    """The pages of a document, without their text."""

    pages: tuple[Page, ...]


class LineList(OfDocument, frozen=True, kw_only=True):
    """Lines of a document in reading order; `next` is the line id that `first` takes for more."""

    lines: tuple[Line, ...]
    next: int | None


class SectionList(OfDocument, frozen=True, kw_only=True):
    """The contents of a document."""

    sections: tuple[Section, ...]


class TableList(OfDocument, frozen=True, kw_only=True):
    """The tables of a document with their cells."""

    tables: tuple[Table, ...]


class Hit(Record, frozen=True, kw_only=True):
    """A piece of what was searched for: `text[start:end]` of a line. What goes over a line break has several pieces.

    Pieces of one place have the same `hit`, which counts from 1.
    """

    hit: int
    line_id: int
    page_num: int
    line_num: int
    text: str
    start: int
    end: int


class HitList(Record, frozen=True, kw_only=True):
    """Where a text stands in a document; `is_complete` is off where there were too many places."""

    hits: tuple[Hit, ...]
    is_complete: bool


class SearchBody(Narrowed, frozen=True, kw_only=True):
    """What is looked for, and where; as `pincite search`."""

    query: str
    method: Literal["keyword", "dense", "toc", "page", "hybrid"] = "hybrid"
    top_k: int = 10


class AskBody(Narrowed, frozen=True, kw_only=True):
    """A question, and what it is put to; as `pincite ask`. `doc_ids` are ids, `docs` names."""

    question: str
    pages: tuple[str, ...] = ()
    shape: Literal["text", "amount", "date", "boolean", "list", "table", "comparison"] | None = None
    doc_ids: tuple[str, ...] = ()


class ReplayBody(Record, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_step": "from"}):
    """The first step that is run again."""

    from_step: Literal["retrieval", "answer", "verify"]


class TraceList(Record, frozen=True, kw_only=True):
    """What was asked, newest first; `next` is what `after` takes for more."""

    traces: tuple[TraceSummary, ...]
    next: str | None


class NewConversation(Narrowed, frozen=True, kw_only=True):
    """What the questions of a conversation are put to: nothing named means all documents."""

    pages: tuple[str, ...] = ()


class MessageBody(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said in a conversation."""

    text: str


class SaidTurn(Record, frozen=True, kw_only=True):
    """One question of a conversation: what was typed, what was asked where that is another text, and the result."""

    text: str
    rewritten: str | None
    result: Result
    notes: tuple[str, ...] = ()


class TurnList(Record, frozen=True, kw_only=True):
    """The turns that a message made."""

    turns: tuple[SaidTurn, ...]


class ConversationInfo(Record, frozen=True, kw_only=True):
    """A conversation, and how many turns it has."""

    conversation_id: str
    created_at: str
    n_turns: int
    first_text: str | None = None


class ConversationList(Record, frozen=True, kw_only=True):
    """The conversations of a collection, newest first."""

    conversations: tuple[ConversationInfo, ...]


class WholeConversation(Record, frozen=True, kw_only=True):
    """A conversation with its turns. A turn whose answer is gone is left out."""

    conversation_id: str
    created_at: str
    docs: tuple[str, ...]
    pages: tuple[str, ...]
    where: str | None
    turns: tuple[SaidTurn, ...]


class Job(Record, frozen=True, kw_only=True):
    """A file that is being added: `done` of `total` pages, or passages while it is embedded.

    A job that is `done` has the id of its document; `unchanged` says that the library had those bytes already.
    """

    job_id: str
    name: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    created_at: str
    kind: Literal["add"] = "add"
    stage: Literal["stored", "parsing", "embedding"] = "stored"
    done: int = 0
    total: int = 0
    error: Problem | None = None
    doc_id: str | None = None
    unchanged: bool = False
    finished_at: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens to it."""
        return self.state in ("done", "failed", "cancelled")


class JobList(Record, frozen=True, kw_only=True):
    """Jobs, newest first."""

    jobs: tuple[Job, ...]


class EvalInfo(Record, frozen=True, kw_only=True):
    """A saved run of `pincite eval`."""

    eval_id: str
    suite: str
    started_at: str
    n: int


class EvalList(Record, frozen=True, kw_only=True):
    """The saved runs, newest first."""

    evals: tuple[EvalInfo, ...]


class Verified(Record, frozen=True, kw_only=True):
    """Whether every cite of a bundle holds, and each cite with the reason where it does not."""

    result: Literal["verified"]
    holds: bool
    citations: tuple[Any, ...]

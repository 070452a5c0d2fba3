"""The public facade: documents in, cited answers out."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import json
from msgspec.structs import replace

from pincite.add import (
    AddReport,
    FailedFile,
    Stop,
    Upload,
    UploadWatcher,
    Watcher,
    add_upload,
    embed_missing,
    embed_upload,
)
from pincite.add.profile import PROFILE_TOKENS, profile_missing
from pincite.ask import AskEvent, AskRequest, ask, replay
from pincite.ask.audit import AuditedAnswer, audit
from pincite.ask.conversation import Conversation, Turn
from pincite.ask.events import Listener
from pincite.ask.figures import asks_for_figures, figures_first
from pincite.ask.replay import StepName
from pincite.errors import SettingsError, StoppedError
from pincite.library.engines import EngineName, adding_with
from pincite.library.fixing import fix_traces
from pincite.library.gathering import gather
from pincite.library.parts import Parts
from pincite.library.scope import documents_where, scope_ids
from pincite.library.steady import steadily
from pincite.library.streaming import streamed
from pincite.library.syncing import SyncParts, sync_places
from pincite.protocols import ChatModel, Embedder, Progress, Retriever
from pincite.questions import StoreCorpus, parse_question, retrieval_query
from pincite.retrieval import Method
from pincite.settings import Settings
from pincite.storage.export import ExportedTable, ExportFormat
from pincite.storage.opening import open_store
from pincite.sync import SyncReport
from pincite.types.answer import Answer, Result
from pincite.types.document import DocumentRecord, ParsedDocument
from pincite.types.model import Role
from pincite.types.question import ParsedQuestion, Scope, Shape
from pincite.types.retrieval import RetrievalResult
from pincite.types.source import SyncOptions
from pincite.types.trace import Bundle, Trace
from pincite.verifying import bundle_of, result_of

logger = logging.getLogger(__name__)


class Library:
    """Documents in a folder, and questions to them.

    Use it as a context manager, or `close()` it. Many processes may read one library while one writes.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        settings: Settings | None = None,
        create: bool = True,
        embedder: Embedder | None = None,
        models: Mapping[Role, ChatModel] | None = None,
        on_wait: Callable[[int | None], None] | None = None,
    ) -> None:
        """Open the library in the folder `path`, or make it when it is not there and `create` is on.

        `path` may be `s3://bucket/prefix`, or `lance:` and a folder: such a library is kept in Lance tables, which take
        the extra `scale`. `self.path` is then the folder of this machine that holds what is fetched.
        `embedder` and `models`, one for each role, win over those that the settings name.

        Raises:
            StoreError: there is no library, or the folder cannot be used.
            MissingExtraError: the library is kept in Lance tables, and the extra is not installed.

        """
        self.settings = settings or Settings.load()
        self.store = open_store(path, create=create, lock_timeout_s=self.settings.lock_timeout_s, on_wait=on_wait)
        self.path = self.store.path
        self._parts = Parts(self.store, self.settings, embedder, models)
        self._embedding = threading.Lock()

    def __enter__(self) -> Self:
        """Return the library."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the library."""
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()

    # ── documents ────────────────────────────────────────────────────────────────────────────────────────────────

    def add(
        self,
        *sources: str | Path,
        watcher: Watcher | None = None,
        embed: bool = True,
        engine: EngineName = "local",
        address: str | None = None,
    ) -> AddReport:
        """Add files and folders, or bring them up to date; unchanged files cost a look at their bytes.

        Returns what was added, what was unchanged and what failed, with reasons: one bad file never stops the others.
        The engine "ray" does the work on the nodes of the Ray cluster at `address`, or of one that it starts on this
        machine; that takes a library in Lance tables, which all nodes see.

        Raises:
            SourceError: a path does not exist.
            LibraryBusyError: another process is writing, and waiting ran out.
            SettingsError: the library is in SQLite, which nodes cannot write to.
            ClusterError: the cluster cannot be reached, or its nodes cannot do the work.

        """
        adding = adding_with(engine, address, self.store)
        gathered = gather(sources)
        embedder = self.embedder if embed else None
        with self.store.writing():
            report = adding(
                gathered.files, self.store, embedder, settings=self.settings, direct=gathered.direct, watcher=watcher
            )
        return replace(report, notes=gathered.notes, failed=(*report.failed, *self._profiled(report.doc_ids)))

    def add_upload(self, upload: Upload, *, watcher: UploadWatcher, stop: Stop) -> tuple[str, bool]:
        """Add one file that was handed over; return the id of its document, and whether its bytes were there already.

        It is found by its words before it has vectors. When `stop` is thrown nothing of the file stays.
        While another process writes, this waits for as long as it takes.

        Raises:
            StoppedError: `stop` was thrown.
            SourceLimitError: it has too many pages.
            ParseError: it cannot be read.
            StoreError: the library cannot be written.

        """
        doc_id, was_there = add_upload(upload, self.store, self.settings, watcher, stop)
        if self.embedder is not None:
            try:
                embed_upload(self.store, self.embedder, watcher, stop, turn=self._embedding)
            except StoppedError:
                if not was_there:
                    self.store.remove(doc_id)
                raise
        return doc_id, was_there

    def sync(
        self,
        *sources: str | Path,
        options: SyncOptions | None = None,
        dry_run: bool = False,
        watcher: Watcher | None = None,
        embed: bool = True,
    ) -> tuple[SyncReport, ...]:
        """Bring the library in step with places: what is new, changed, moved or deleted there is so here.

        Without `sources` all places that were synced before. Without `options` those of the last time hold. Returns a
        report for each place; what could not be done is in it. With `dry_run` nothing changes.

        Raises:
            SourceError: the one place that was named cannot be read.
            SettingsError: a kind of place that pincite does not know, or nothing was synced before.

        """
        parts = SyncParts(
            store=self.store, embedder=self.embedder if embed else None, settings=self.settings, watcher=watcher
        )
        reports = sync_places([str(spec) for spec in sources], parts, options=options, dry_run=dry_run)
        done = tuple(document.doc_id for report in reports for document in report.documents)
        failed = () if dry_run or not done else self._profiled(done)
        return (replace(reports[0], failed=(*reports[0].failed, *failed)), *reports[1:]) if failed else reports

    def collect_garbage(self) -> tuple[int, int]:
        """Delete the originals of what was replaced or deleted; return how many, and their bytes."""
        return self.store.sweep()

    def embed(self, *, again: bool = False, progress: Progress | None = None) -> int:
        """Make the vectors that are missing and return how many were made.

        `again` makes them with the present embedder beside those of an earlier one, and switches when all are there.

        Raises:
            EmbeddingModelChangedError: the stored vectors come from another embedder, and `again` is off.
            ProviderError: the embedder's service failed; what was made before is kept.

        """
        embedder = self.embedder
        if embedder is None:
            raise SettingsError('there is no embedder: the setting embedder is "none"')
        if not again:
            self.store.vectors.check(embedder)
        made, failed = embed_missing(self.store, embedder, progress=progress, raises=True)
        if again and not failed:
            self.store.vectors.switch(embedder)
        return made

    def profile(
        self, *docs: str, again: bool = False, progress: Progress | None = None
    ) -> tuple[int, tuple[FailedFile, ...]]:
        """Let the model of the role "profile" say what documents are: those it has not profiled yet, with `again` all.

        No `docs` mean every document. Returns how many profiles were made, and what failed. The profiles are in
        `parsing_summary.model_profile`.

        Raises:
            SettingsError: no model has that role.
            UnknownDocumentError: a name in `docs` is not in the library.

        """
        model = self._parts.profiler
        if model is None:
            raise SettingsError(
                'no model makes profiles: name one in the setting model_profile, as in "openai:gpt-5-mini"'
            )
        doc_ids = [record.doc_id for record in self.store.resolve_all(docs)]
        most = min(self.settings.model_max_output_tokens, PROFILE_TOKENS)
        made, failed = profile_missing(
            self.store, model, doc_ids=doc_ids, again=again, progress=progress, max_output_tokens=most
        )
        return made, tuple(failed)

    def _profiled(self, doc_ids: Sequence[str]) -> tuple[FailedFile, ...]:
        """Make the profiles of what was added, where a model has that role; return what failed."""
        return self.profile(*doc_ids)[1] if doc_ids and self._parts.profiler is not None else ()

    def documents(self, *, where: str | None = None) -> tuple[DocumentRecord, ...]:
        """Return the documents, by name: all, or those that a condition on their metadata means.

        Raises:
            FilterError: the condition cannot be read, or names a field that no document has.

        """
        return documents_where(self.store, where)

    def document(self, name: str) -> ParsedDocument:
        """Return a whole document by its id, name, address or path.

        Raises:
            UnknownDocumentError: there is none; the message lists near names.

        """
        return self._parts.read(self.store.resolve(name).doc_id).document

    def remove(self, name: str) -> DocumentRecord:
        """Take a document out of the library and return what it was.

        Raises:
            UnknownDocumentError: there is none; the message lists near names.

        """
        record = self.store.resolve(name)
        self.store.remove(record.doc_id)
        return record

    # ── questions ────────────────────────────────────────────────────────────────────────────────────────────────

    def ask(
        self,
        question: str,
        *,
        docs: Sequence[str] = (),
        pages: Sequence[str] = (),
        shape: Shape | None = None,
        doc_ids: Sequence[str] = (),
        where: str | None = None,
        listener: Listener | None = None,
    ) -> Result:
        """Return a typed answer whose every item has a verified citation, or a refusal that says what was read.

        `docs` are names, paths or ids; only those are searched. `where` is a condition on the metadata of documents
        ("year=2023 and tag=policy"). `pages` are page labels or numbers. `listener` is told each event while the
        question is worked on; what it raises ends the work.

        Raises:
            QuestionError: the question is empty or too long.
            UnknownDocumentError: a name in `docs` is not in the library, or `where` means no document.
            FilterError: `where` cannot be read.
            ProviderError: a model is used, and its service failed. That says nothing about the documents.

        """
        scope = scope_ids(self.store, docs=docs, where=where, doc_ids=doc_ids)
        return self._asked(self._request(question, scope, pages, shape), listener)

    def ask_events(
        self,
        question: str,
        *,
        docs: Sequence[str] = (),
        pages: Sequence[str] = (),
        shape: Shape | None = None,
        doc_ids: Sequence[str] = (),
        where: str | None = None,
    ) -> Iterator[AskEvent]:
        """Yield what happens while a question is answered: it is parsed, places are found, items drafted and checked.

        The last event is `Done` with the result that `ask` would return. Items that are only drafted are not verified.

        Raises:
            as `ask`, when the failure happens.

        """
        scope = scope_ids(self.store, docs=docs, where=where, doc_ids=doc_ids)
        request = self._request(question, scope, pages, shape)
        return streamed(lambda listener: self._asked(request, listener))

    def conversation(
        self,
        *,
        docs: Sequence[str] = (),
        pages: Sequence[str] = (),
        where: str | None = None,
        listener: Listener | None = None,
        turns: Sequence[Turn] = (),
    ) -> Conversation:
        """Return a conversation about this library, begun by `turns`: a question may refer to those before it."""
        tools = self._parts.tools

        def answer(question: str) -> Result:
            return self._asked(
                self._request(question, scope_ids(self.store, docs=docs, where=where), pages, None), listener
            )

        conversation = Conversation(answer, lambda: tools().model("question"))
        conversation.turns.extend(turns)
        return conversation

    def search(
        self,
        query: str,
        *,
        docs: Sequence[str] = (),
        where: str | None = None,
        method: Method = "hybrid",
        top_k: int | None = None,
    ) -> RetrievalResult:
        """Return where the words and the meaning of `query` are found, with the reasons; nothing is answered.

        `docs` and `where` narrow it, as in `ask`.

        Raises:
            QuestionError: the query is empty or too long.
            EmbeddingModelChangedError: `method` is "dense" and the stored vectors come from another embedder.

        """
        doc_ids = scope_ids(self.store, docs=docs, where=where)
        question = self.parse_question(query, doc_ids=doc_ids)
        retrieval = retrieval_query(question, Scope(doc_ids=doc_ids))
        retriever = self._parts.retriever(method)
        found = steadily(lambda: retriever.retrieve(retrieval, top_k=top_k or self.settings.top_k))
        if method != "hybrid" or not asks_for_figures(question):
            return found
        scope = [record for record in self.store.records() if not doc_ids or record.doc_id in doc_ids]
        return figures_first(question, found, scope, self._parts.tools())

    def parse_question(self, text: str, *, doc_ids: Sequence[str] = ()) -> ParsedQuestion:
        """Return what pincite understands of a question, which it compares with the words of this library.

        Raises:
            QuestionError: the question is empty or too long.

        """
        corpus = StoreCorpus(self.store, doc_ids)
        return parse_question(text, corpus, concepts=self._parts.concepts, max_chars=self.settings.max_question_chars)

    # ── what was answered ────────────────────────────────────────────────────────────────────────────────────────

    def trace(self, trace_id: str) -> Trace:
        """Return the trace of an answered question.

        Raises:
            SettingsError: there is none of that id.

        """
        data = self.store.journal.trace(trace_id)
        if data is None:
            raise SettingsError(f"there is no trace {trace_id!r} in this library; `pincite trace` lists them")
        return json.decode(data, type=Trace)

    def replay(self, trace_id: str, *, from_step: StepName) -> Result:
        """Run a question again from a step, from what the step before it saved, and return the new result."""
        result, trace = replay(self.trace(trace_id), self._parts.tools(), from_step=from_step)
        return self._kept(result, trace)

    def result(self, trace_id: str) -> Result:
        """Return the answer or refusal of a trace."""
        return self._drawn(result_of(self.trace(trace_id).result))

    def bundle(self, trace_id: str) -> Bundle:
        """Return an answer with the lines it quotes and the documents' hashes, to be checked offline."""
        trace = self.trace(trace_id)
        return bundle_of(trace, lambda doc_id: self._parts.read(doc_id).document, version("pincite"))

    def audit(self, *, fix: bool = False) -> tuple[AuditedAnswer, ...]:
        """Check every stored answer against the documents as they are now; newest first.

        With `fix` citations whose quote only moved are stored with its present place; the others stay.
        """
        traces = (self.trace(summary.trace_id) for summary in self.store.journal.traces() if summary.result == "answer")
        return fix_traces(traces, self._parts.find, self.store) if fix else audit(traces, self._parts.find)

    def export(
        self,
        folder: str | Path,
        *,
        form: ExportFormat = "csv",
        tables: Sequence[str] = (),
        docs: Sequence[str] = (),
    ) -> tuple[ExportedTable, ...]:
        """Write the tables of the library to a folder, a file for each; no names mean all tables, all documents.

        Raises:
            SettingsError: there is no such table, or Parquet needs a package that is not installed.
            UnknownDocumentError: there is no such document.
            StoreError: the files cannot be written.

        """
        doc_ids = [record.doc_id for record in self.store.resolve_all(docs)]
        return self.store.export(Path(folder), form=form, tables=tables, doc_ids=doc_ids)

    def highlight(self, result: Result, path: str | Path) -> Path:
        """Draw the citations: annotations on the original (.pdf), page pictures (.png), a report (.html)."""
        # Drawing takes libraries that nothing else needs, and 0.1 s to load them.
        from pincite.library.cited_originals import access_of
        from pincite.rendering.highlight import highlight

        return highlight(result, Path(path), access=access_of(self.store, result))

    @property
    def embedder(self) -> Embedder | None:
        """The embedder of this library; its model is loaded when it is first used."""
        return self._parts.embedder

    def retriever(self, method: Method = "hybrid") -> Retriever:
        """Return the retriever of this library: what `search` and `ask` look with."""
        return self._parts.retriever(method)

    def warm(self) -> None:
        """Begin to load the embedder's model beside other work; the first `embed` waits for what is not done."""
        self._parts.warm()

    def _request(self, question: str, scope: tuple[str, ...], pages: Sequence[str], shape: Shape | None) -> AskRequest:
        return AskRequest(question=question, doc_ids=scope, pages=tuple(pages), shape=shape)

    def _asked(self, request: AskRequest, listener: Listener | None = None) -> Result:
        result, trace = steadily(lambda: ask(request, self._parts.tools(listener)))
        return self._kept(result, trace)

    def _kept(self, result: Result, trace: Trace) -> Result:
        reason = "answer" if isinstance(result, Answer) else result.reason
        self.store.journal.save_trace(
            trace.trace_id, json.encode(trace), question=trace.question, result=reason, asked_at=trace.asked_at
        )
        return self._drawn(result)

    def _drawn(self, result: Result) -> Result:
        return result.highlighted_by(self.highlight) if isinstance(result, Answer) else result

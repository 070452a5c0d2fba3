"""Each step on its own, on values alone: parse, parse_question, retrieve, read, answer, verify, render."""

import atexit
import os
import shutil
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit
from urllib.request import url2pathname

from pincite.add import put_document
from pincite.answering import ANSWERERS
from pincite.ask.outcome import cited_documents
from pincite.ask.reading import DocumentOf, ReadDocument, reading_lines
from pincite.errors import SettingsError, SourceError
from pincite.library import Library
from pincite.library.parts import closeness_of
from pincite.models import open_embedder
from pincite.parsing.pool import parse_one, request_for
from pincite.questions import DocumentCorpus, generation_brief, retrieval_query
from pincite.questions import parse_question as parse_with
from pincite.registry import load
from pincite.rendering.highlight import highlight
from pincite.rendering.originals import Access
from pincite.retrieval import Method
from pincite.settings import Settings
from pincite.types.answer import Draft, Result
from pincite.types.content_hash import hash_of
from pincite.types.document import ParsedDocument
from pincite.types.passage import LineRange
from pincite.types.question import GenerationBrief, ParsedQuestion, RetrievalQuery, Scope
from pincite.types.retrieval import RetrievalResult
from pincite.types.source import ReadingLine
from pincite.verifying import Verified
from pincite.verifying import verify as verify_with


def parse(path: str | Path, *, password: str | None = None) -> ParsedDocument:
    """Return the document in a file, parsed in a process of its own with the limits of the settings.

    Raises:
        SourceError: there is no such file, or it may not be read.
        ParseError: the bytes are not a document we can read.

    """
    settings = Settings.load()
    return parse_one(
        request_for(path, password=password),
        timeout_s=settings.parse_timeout_s,
        timeout_per_page_s=settings.parse_timeout_per_page_s,
        memory_mb=settings.parse_memory_mb,
        max_file_mb=settings.max_file_mb,
    )


def parse_question(text: str, where: ParsedDocument | Library) -> ParsedQuestion:
    """Return what pincite understands of a question, against the words of a document or a library.

    Raises:
        QuestionError: the question is empty or too long.

    """
    if isinstance(where, Library):
        return where.parse_question(text)
    return parse_with(text, DocumentCorpus(where), max_chars=Settings.load().max_question_chars)


def retrieve(
    query: str | ParsedQuestion | RetrievalQuery,
    where: ParsedDocument | Library,
    *,
    method: Method = "hybrid",
    top_k: int = 10,
) -> RetrievalResult:
    """Return where the words and the meaning of `query` are found, best first, with the reasons.

    A document on its own is indexed in a temporary folder, which is kept for the next call with it.

    Raises:
        QuestionError: the query is empty or too long.

    """
    library = _library_of(where, dense=method in ("dense", "hybrid"))
    if isinstance(query, str):
        query = library.parse_question(query)
    if isinstance(query, ParsedQuestion):
        query = retrieval_query(query, Scope())
    return library.retriever(method).retrieve(query, top_k=top_k)


def read(retrieval: RetrievalResult, where: ParsedDocument | Library) -> tuple[ReadingLine, ...]:
    """Return the lines that retrieval lets an answerer read, each with its headings and table row."""
    library = _library_of(where, dense=False)
    return reading_lines(retrieval.filtered_lines, retrieval.candidates, _document_of(library))


def answer(brief: GenerationBrief | ParsedQuestion, lines: Sequence[ReadingLine]) -> Draft:
    """Return a draft whose every item quotes `lines`; it is not checked yet. No items: they do not hold the answer."""
    if isinstance(brief, ParsedQuestion):
        brief = generation_brief(brief)
    settings = Settings.load()
    embedder = open_embedder(settings.embedder, settings)
    answerer = load("extractive", ANSWERERS, group="pincite.answerers")(embedder, closeness=closeness_of(embedder))
    made: Draft = answerer.answer(brief, lines)
    return made


def verify(draft: Draft, where: ParsedDocument | Library, *, read: tuple[LineRange, ...] = ()) -> Verified:
    """Check every quote and value of a draft against whole documents; `.items` are those that hold, with citations.

    `read` are the lines that the answerer saw: they decide between several places of the same quote.
    """
    library = _library_of(where, dense=False)
    doc_ids = [quote.doc_id for item in draft.items for quote in item.quotes]
    known = {record.doc_id for record in library.documents()}
    return verify_with(draft, cited_documents([d for d in doc_ids if d in known], _document_of(library)), read=read)


def render(result: Result, path: str | Path, where: ParsedDocument | Library) -> Path:
    """Draw the citations: annotations on the original (.pdf), page pictures (.png), a report (.html).

    The original of a document on its own is the file it was parsed from.

    Raises:
        SettingsError: the ending is another one, or what was cited has no pages to draw on.
        SourceError: the file that a document was parsed from has changed or is gone.

    """
    if isinstance(where, Library):
        return where.highlight(result, path)
    access = Access(
        originals=lambda _: _original(where), lines_of=lambda _, first, last: where.lines_between(first, last)
    )
    return highlight(result, Path(path), access=access)


def _original(document: ParsedDocument) -> bytes:
    address = urlsplit(document.uri)
    if address.scheme != "file":
        raise SettingsError(f"{document.name!r} was not parsed from a file ({document.uri}); use a Library to draw it")
    try:
        # A path of bytes on POSIX: its name need not be UTF-8.
        name = url2pathname(address.path) if os.name == "nt" else os.fsdecode(unquote_to_bytes(address.path))
        content = Path(name).read_bytes()
    except OSError as error:
        raise SourceError(f"{document.name}: the original cannot be read: {error.strerror or error}") from error
    if hash_of(content) != document.content_hash:
        raise SourceError(f"{document.name}: the original has changed since it was parsed; parse it again")
    return content


class _Alone:
    """A library that holds one document in a temporary folder: the last one that was asked for."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._document: ParsedDocument | None = None
        self._library: Library | None = None
        self._folder: Path | None = None

    def library_of(self, document: ParsedDocument, *, dense: bool) -> Library:
        """Return a library with `document` alone, with its vectors where `dense` is on."""
        with self._guard:
            if self._library is None or self._document != document:
                self.forget()
                atexit.unregister(self.forget)
                atexit.register(self.forget)
                self._folder = Path(tempfile.mkdtemp(prefix="pincite-"))
                self._library = Library(self._folder)
                put_document(document, self._library.store, self._library.settings, original=None)
                self._document = document
            if dense and self._library.embedder is not None:
                self._library.embed()
            return self._library

    def forget(self) -> None:
        """Close the library and delete its folder."""
        if self._library is not None:
            self._library.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._document = self._library = self._folder = None


_alone = _Alone()


def _library_of(where: ParsedDocument | Library, *, dense: bool) -> Library:
    return where if isinstance(where, Library) else _alone.library_of(where, dense=dense)


def _document_of(library: Library) -> DocumentOf:
    def read_document(doc_id: str) -> ReadDocument:
        return ReadDocument(record=library.store.resolve(doc_id), document=library.document(doc_id))

    return read_document

"""Every extension point on one page. A class fits by shape; nothing is inherited."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from pincite.types.answer import Draft
from pincite.types.document import DocumentRecord, Line, Page, ParsedDocument, Section
from pincite.types.model import ModelReply, ModelRequest
from pincite.types.passage import Passage, PassageHit, StoredPassage
from pincite.types.question import GenerationBrief, RetrievalQuery
from pincite.types.record import Record
from pincite.types.retrieval import RetrievalResult
from pincite.types.source import KnownSource, Listing, OfferedFile, ReadingLine, SourceFile

#: Called with how much is done and how much there is.
Progress = Callable[[int, int], None]
#: Called with what is there of a reply while it comes in: plain dicts and lists, not yet checked.
OnPartial = Callable[[Any], None]

R = TypeVar("R", bound=Record)


class Source(Protocol):
    """Where bytes come from."""

    def files(self) -> Iterator[SourceFile]:
        """Yield every file, in a stable order.

        Raises:
            SourceError: the place itself cannot be read.

        """
        ...


class SyncedSource(Protocol):
    """A place that a library is kept in step with."""

    @property
    def spec(self) -> str:
        """The address of the place, the same however it was typed."""
        ...

    @property
    def root(self) -> str:
        """What the address of every file of the place begins with."""
        ...

    def listing(self, known: KnownSource, *, folder: Path) -> Listing:
        """Return every file there is now; `folder` is for what has to be fetched to know that.

        Raises:
            SourceError: the place itself cannot be read.

        """
        ...

    def fetch(self, file: OfferedFile, *, folder: Path) -> Path:
        """Return a file on this machine with the bytes of a listed one; `folder` is for what is fetched.

        Raises:
            PassedOverError: it is no document.
            SourceError: the bytes cannot be fetched.

        """
        ...

    def refine(self, document: ParsedDocument, path: Path) -> ParsedDocument:
        """Return what was parsed from the bytes at `path`, with what only the source knows of it."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


class Parser(Protocol):
    """Turns the bytes of one file into a document."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document; the same bytes always give the same rows.

        `name` is what errors call the file; `progress` is called with pages done and pages in all.

        Raises:
            ParseError: the bytes are not a document this parser can read.

        """
        ...


class Embedder(Protocol):
    """Turns texts into vectors of length one."""

    @property
    def name(self) -> str:
        """Which model and version made the vectors: vectors of different names are never mixed."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a float32 array `[len(texts), dimension]`, each row of length one (or all zero)."""
        ...


class Reranker(Protocol):
    """Takes a second, closer look at the few best passages."""

    @property
    def weight(self) -> float:
        """How much its scores count beside the fused score, whose detectors count about 1 each."""
        ...

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return a score for each text, in order; higher is better, whatever else is there.

        Raises:
            ProviderError: the model failed.

        """
        ...


class ChatModel(Protocol):
    """Fills a typed form from instructions and data."""

    @property
    def name(self) -> str:
        """`provider:model`, as in the settings."""
        ...

    def fill(self, request: ModelRequest, schema: type[R], *, on_partial: OnPartial | None = None) -> ModelReply[R]:
        """Return the form filled in; with `on_partial` the reply is streamed, and told while it comes in.

        Raises:
            ProviderError: the service failed, or its reply is cut off or has another form; never a made-up value.

        """
        ...


class Store(Protocol):
    """Keeps documents, and what is found in them. A document is replaced in one transaction."""

    @property
    def sequence(self) -> int:
        """A number that grows with every change of documents: what is derived from the store carries it."""
        ...

    def put(
        self,
        record: DocumentRecord,
        document: ParsedDocument,
        passages: Sequence[Passage],
        *,
        original: bytes | Path | None = None,
    ) -> None:
        """Add or replace one document with its lines, contents and passages, all or nothing."""
        ...

    def remove(self, doc_id: str) -> None:
        """Take a document out of everything that is searched."""
        ...

    def records(self) -> tuple[DocumentRecord, ...]:
        """Return every document, by name."""
        ...

    def document(self, doc_id: str) -> ParsedDocument:
        """Return a whole document as it was parsed.

        Raises:
            UnknownDocumentError: there is none of that id.

        """
        ...

    def lines(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[Line, ...]:
        """Return lines of a document, both ends included."""
        ...

    def page_lines(self, doc_id: str, first_page: int, last_page: int) -> tuple[Line, ...]:
        """Return the lines of pages of a document, both ends included."""
        ...

    def pages(self, doc_id: str) -> tuple[Page, ...]:
        """Return the pages of a document."""
        ...

    def toc(self, doc_id: str) -> tuple[Section, ...]:
        """Return the contents of a document."""
        ...

    def passages(self, passage_ids: Sequence[int]) -> tuple[StoredPassage, ...]:
        """Return passages by id, in the order asked; ids that are gone are left out."""
        ...

    def passages_at(self, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[StoredPassage, ...]:
        """Return the passages that share a line with a range."""
        ...

    def passage_count(self, *, doc_ids: Sequence[str]) -> int:
        """Return how many passages there are; no ids means in the whole library."""
        ...

    def search_terms(self, terms: Mapping[str, float], *, doc_ids: Sequence[str], k: int) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by weighted BM25 over index terms; the filter comes before ranking."""
        ...

    def term_counts(self, terms: Iterable[str], *, doc_ids: Sequence[str]) -> dict[str, int]:
        """Return in how many passages each index term occurs."""
        ...

    def nearest(self, vector: Any, *, embedder: Embedder, doc_ids: Sequence[str], k: int) -> tuple[PassageHit, ...]:
        """Return at most `k` passages by cosine; passages that have no vector yet are not there.

        Raises:
            EmbeddingModelChangedError: the stored vectors come from another embedder.

        """
        ...

    def vectors_of(self, passage_ids: Sequence[int], *, embedder: Embedder) -> Any:
        """Return the vectors of passages, an array of one row each, without those that have none."""
        ...

    def words(self) -> Mapping[str, int]:
        """Return every word of the library in lower case, with the number of passages that hold it."""
        ...


class Retriever(Protocol):
    """Finds the lines that may hold the answer."""

    def retrieve(self, query: RetrievalQuery, *, top_k: int) -> RetrievalResult:
        """Return at most `top_k` candidates, best first, ranks from 1."""
        ...


class Answerer(Protocol):
    """Writes a draft from lines."""

    def answer(self, brief: GenerationBrief, lines: Sequence[ReadingLine]) -> Draft:
        """Return a draft whose every item quotes `lines`; no items when they do not hold the answer."""
        ...


@runtime_checkable
class CorrectingAnswerer(Protocol):
    """An answerer that can be told what was wrong with its draft."""

    def answer(self, brief: GenerationBrief, lines: Sequence[ReadingLine]) -> Draft:
        """Return a draft, as `Answerer`."""
        ...

    def answer_again(self, brief: GenerationBrief, lines: Sequence[ReadingLine], reasons: Sequence[str]) -> Draft:
        """Return another draft of the same lines, knowing why the last one failed."""
        ...

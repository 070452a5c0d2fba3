"""Small documents, records, passages and embedders made by hand."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from pincite.storage.sqlite import SqliteStore
from pincite.types.document import DocumentRecord, Line, Page, ParsedDocument, ParsingSummary
from pincite.types.passage import Passage


class Made(NamedTuple):
    """What `Store.put` takes."""

    record: DocumentRecord
    document: ParsedDocument
    passages: list[Passage]


def make(name: str, texts: Sequence[str], *, breadcrumb: tuple[str, ...] = (), doc_id: str | None = None) -> Made:
    """Return a document of one page whose every line is a passage."""
    content = "\n".join(texts).encode("utf-8", "surrogatepass")
    content_hash = hashlib.sha256(content).hexdigest()
    lines = tuple(Line(line_id=i, page_num=1, line_num=i, text=text) for i, text in enumerate(texts, start=1))
    document = ParsedDocument(
        name=name,
        uri=f"/library/{name}",
        media_type="text/plain",
        content_hash=content_hash,
        n_bytes=len(content),
        parser="text@1",
        metadata={"title": "Ledger", "tags": ["a", 1, None, True]},
        parsing_summary=ParsingSummary(n_pages=1, format="text"),
        pages=(Page(page_num=1, n_lines=len(lines)),),
        lines=lines,
    )
    passages = [passage_of(line, breadcrumb) for line in lines]
    return Made(record_of(document, doc_id or hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]),
                document, passages)  # fmt: skip


def passage_of(line: Line, breadcrumb: tuple[str, ...] = ()) -> Passage:
    """Return the passage of one line."""
    return Passage(
        first_line_id=line.line_id,
        last_line_id=line.line_id,
        first_page=line.page_num,
        last_page=line.page_num,
        section_id=line.section_id,
        breadcrumb=breadcrumb,
        kind="prose",
        text=line.text,
        text_hash=hashlib.sha256(f"{breadcrumb} {line.text}".encode("utf-8", "surrogatepass")).hexdigest(),
    )


def record_of(document: ParsedDocument, doc_id: str) -> DocumentRecord:
    """Return the record of a document."""
    return DocumentRecord.of(
        document, doc_id=doc_id, name=document.name, added_at="2027-03-01T10:00:00+00:00", has_text=True
    )


class HashEmbedder:
    """Counts words by a hash: texts that share words are near. `reverse` gives the words other places."""

    def __init__(self, name: str = "fake-a", dimension: int = 8, *, reverse: bool = False) -> None:
        self.name = name
        self.dimension = dimension
        self._reverse = reverse
        self.n_texts = 0

    def embed(self, texts: Sequence[str]) -> Any:
        """Return counts of words, of length one."""
        self.n_texts += len(texts)
        counts = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                key = word[::-1] if self._reverse else word
                counts[row, hashlib.sha256(key.encode("utf-8", "replace")).digest()[0] % self.dimension] += 1
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


def embed_all(store: SqliteStore, embedder: HashEmbedder) -> None:
    """Embed whatever has no vector yet."""
    for batch in store.vectors.missing(embedder, batch=3):
        vectors = embedder.embed([text for _, text in batch])
        store.vectors.add(embedder, zip([key for key, _ in batch], vectors, strict=True))


def found(store: SqliteStore, hits: Sequence[Any]) -> list[str]:
    """Return the texts of hits, in their order."""
    return [stored.passage.text for stored in store.passages([hit.passage_id for hit in hits])]


class Tools(NamedTuple):
    """The makers above, for tests."""

    make: Callable[..., Made]
    passage_of: Callable[..., Passage]
    record_of: Callable[..., DocumentRecord]
    embedder: type[HashEmbedder]
    embed_all: Callable[[SqliteStore, HashEmbedder], None]
    found: Callable[..., list[str]]
    cases: Path


@pytest.fixture(scope="session")
def tools() -> Tools:
    cases = Path(__file__).parent.parent / "cases"
    return Tools(make, passage_of, record_of, HashEmbedder, embed_all, found, cases)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "library") as opened:
        yield opened

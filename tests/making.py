"""Small documents, stores and embedders made by hand, for tests of single bricks."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pincite.add import embed_missing, put_document
from pincite.ask.reading import ReadDocument, reading_lines
from pincite.parsing.markdown import MarkdownParser
from pincite.parsing.plain import PlainTextParser
from pincite.protocols import Embedder
from pincite.questions import DocumentCorpus, generation_brief, parse_question
from pincite.settings import Settings
from pincite.storage.sqlite import SqliteStore
from pincite.types.document import DocumentRecord, Line, ParsedDocument
from pincite.types.passage import LineRange
from pincite.types.question import GenerationBrief, Shape
from pincite.types.source import ReadingLine
from pincite.verifying import CitedDocument


class WordEmbedder:
    """Counts words by a hash: texts that share words are near."""

    def __init__(self, name: str = "words", dimension: int = 32) -> None:
        self.name = name
        self.dimension = dimension
        self.read: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        """Return counts of words, of length one."""
        self.read.extend(texts)
        counts = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                key = hashlib.sha256((self.name + word.strip(".,?!:")).encode("utf-8", "replace")).digest()
                counts[row, key[0] % self.dimension] += 1
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


def parsed(text: str, name: str = "note.md") -> ParsedDocument:
    """Return the document that a text file makes."""
    parser = MarkdownParser() if name.endswith(".md") else PlainTextParser()
    return parser.parse(text.encode(), name=name, uri=f"file:///docs/{name}")


def filled(folder: Path, files: Mapping[str, str], embedder: Embedder | None = None) -> SqliteStore:
    """Return a store that holds the files, with vectors if there is an embedder."""
    store = SqliteStore(folder)
    for name, text in files.items():
        put_document(parsed(text, name), store, Settings(), original=None)
    if embedder is not None:
        embed_missing(store, embedder)
    return store


def cited(text: str, name: str = "note.md") -> CitedDocument:
    """Return a text file as the verifier takes it; its id is its name."""
    return CitedDocument(parsed(text, name), doc_id=name, name=name)


def pages(*texts: str, roles: Mapping[int, str] | None = None, name: str = "paper.pdf") -> ParsedDocument:
    """Return a document of pages, a line feed between lines; `roles` are by line id."""
    document = parsed("\n".join(texts), "pages.txt")
    lines: list[Line] = []
    for page_num, text in enumerate(texts, start=1):
        for line_num, line in enumerate(text.split("\n"), start=1):
            line_id = len(lines) + 1
            role: Any = (roles or {}).get(line_id, "body")
            lines.append(Line(line_id=line_id, page_num=page_num, line_num=line_num, text=line, role=role))
    return ParsedDocument(
        name=name,
        uri=f"file:///docs/{name}",
        media_type="application/pdf",
        content_hash=document.content_hash,
        n_bytes=1,
        parser="made by hand",
        metadata={},
        parsing_summary=document.parsing_summary,
        pages=tuple(document.pages[0].__class__(page_num=n) for n in range(1, len(texts) + 1)),
        lines=tuple(lines),
    )


def record_of(document: ParsedDocument, **changed: Any) -> DocumentRecord:
    """Return the row of a document; its id is its name."""
    fields: dict[str, Any] = {
        "doc_id": document.name,
        "name": document.name,
        "uri": document.uri,
        "media_type": document.media_type,
        "content_hash": document.content_hash,
        "n_bytes": document.n_bytes,
        "parser": document.parser,
        "n_pages": len(document.pages),
        "n_lines": len(document.lines),
        "added_at": "2027-03-01T10:00:00+00:00",
        "status": "ready",
        "metadata": document.metadata,
        "parsing_summary": document.parsing_summary,
    }
    return DocumentRecord(**{**fields, **changed})


def read(document: ParsedDocument) -> tuple[ReadingLine, ...]:
    """Return all lines of a document as an answerer reads them."""
    whole = LineRange(doc_id=document.name, first_line_id=1, last_line_id=len(document.lines))
    return reading_lines([whole], [], lambda _: ReadDocument(record=record_of(document), document=document))


def brief_of(question: str, document: ParsedDocument, shape: Shape | None = None) -> GenerationBrief:
    """Return what the answerer may know of a question about a document."""
    return generation_brief(parse_question(question, DocumentCorpus(document), shape=shape))

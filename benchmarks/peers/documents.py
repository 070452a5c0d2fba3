"""The documents of a suite as the peers read them: pypdf for PDFs, the file itself for text."""

import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.evaluation.beir import beir_documents
from pincite.evaluation.corpus import file_text
from pincite.evaluation.places import DocumentText, Place
from pincite.evaluation.suites import Suite


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a document that is found or not: `start` is its offset in a text file, `None` on a page."""

    doc: str
    page: int | None
    start: int | None
    text: str

    @property
    def place(self) -> Place:
        """Where it stands."""
        end = None if self.start is None else self.start + len(self.text)
        return Place(doc=self.doc, page=self.page, start=self.start, end=end, text=self.text)


class PeerDocuments:
    """The texts of a suite's documents; those of PDFs are kept in `cache`, as pypdf is slow."""

    def __init__(self, suite: Suite, cache: Path) -> None:
        """Read nothing yet."""
        self.suite = suite
        self._cache = cache
        self._rows = dict(beir_documents(suite.corpus)) if suite.form == "beir" else {}
        self._texts: dict[str, DocumentText] = {}

    def names(self) -> Sequence[str]:
        """Return the names of all documents."""
        return tuple(self._rows) or self.suite.files

    def text_of(self, name: str) -> DocumentText:
        """Return the text of a text document; a PDF has pages instead."""
        if name not in self._texts:
            is_pdf = name.lower().endswith(".pdf")
            text = self._rows.get(name) or ("" if is_pdf else file_text(self.suite.docs_folder / name))
            self._texts[name] = DocumentText(text)
        return self._texts[name]

    def pages(self, name: str) -> list[Piece]:
        """Return the pages of a PDF; another document is one piece."""
        if not name.lower().endswith(".pdf"):
            return [Piece(name, None, 0, self.text_of(name).text)]
        return [Piece(name, number, None, text) for number, text in enumerate(self._pdf(name), start=1)]

    def units(self, name: str) -> Iterator[Piece]:
        """Yield the pages of a PDF, the sections of Markdown with headings, else the paragraphs of a text."""
        if name.lower().endswith(".pdf"):
            yield from self.pages(name)
            return
        document = self.text_of(name)
        starts = document.section_starts if len(document.sections) > 2 else document.paragraph_starts
        if self.suite.form == "beir" or len(document.paragraph_starts) < 3:
            starts = (0,)
        for start, end in zip(starts, (*starts[1:], len(document.text)), strict=True):
            yield Piece(name, None, start, document.text[start:end])

    def _pdf(self, name: str) -> list[str]:
        from pypdf import PdfReader

        content = (self.suite.docs_folder / name).read_bytes()
        kept = self._cache / f"{hashlib.sha256(content).hexdigest()[:24]}.json"
        if not kept.exists():
            logging.getLogger("pypdf").setLevel(logging.ERROR)
            texts = [page.extract_text() for page in PdfReader(self.suite.docs_folder / name).pages]
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(texts), encoding="utf-8")
        found: list[str] = json.loads(kept.read_text(encoding="utf-8"))
        return found

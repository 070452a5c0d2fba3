"""The documents of a suite in a library that is kept between runs, and their texts and lines as places."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from pincite.add import Watcher, embed_missing, now, passages_of, put_document
from pincite.errors import UnknownDocumentError
from pincite.evaluation.beir import beir_documents
from pincite.evaluation.places import DocumentText, Place
from pincite.evaluation.suites import Suite
from pincite.library import Library
from pincite.parsing.markdown import MarkdownParser
from pincite.parsing.pool import ParsePool, ParseRequest
from pincite.sources.folder import file_uri
from pincite.types.document import DocumentRecord, Line, ParsedDocument
from pincite.types.passage import LineRange

#: Files whose lines are the file's own: their offsets are those of the file.
_TEXT_ENDINGS: Final = frozenset({".md", ".markdown", ".txt", ".text", ".rst"})
#: Rooms whose code decides what a library holds of a document.
_PARSING_ROOMS: Final = ("parsing", "passages", "text", "types", "add")
_STATE: Final = "built.json"


class Failure(msgspec.Struct, frozen=True):
    """A document of the suite that could not be added."""

    name: str
    message: str


def code_hash(rooms: Sequence[str] = ("",)) -> str:
    """Return a hash of the package's code, or of some rooms of it: a measurement is of one state of the code."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for room in rooms:
        place = package / room
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


class Corpus:
    """The documents of one suite in one library."""

    def __init__(self, suite: Suite, library: Library) -> None:
        """Work on `library`, which `fill` brings up to date."""
        self.suite = suite
        self.library = library
        self._names: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._texts: dict[str, DocumentText] = {}
        self._starts: dict[str, tuple[int, ...]] = {}
        self._document = lru_cache(maxsize=64)(self._load)

    def fill(self, names: Sequence[str], *, watcher: Watcher | None = None) -> tuple[Failure, ...]:
        """Bring the documents of these names into the library; unchanged ones cost a look at their bytes.

        Where the code that parses has changed since, they are parsed anew. Returns those that could not be read.

        Raises:
            StoreError: the library cannot be written.

        """
        is_stale = self._is_stale()
        if self.suite.form == "beir":
            self._put_rows(again=is_stale, watcher=watcher)
            failures: tuple[Failure, ...] = ()
        else:
            if is_stale:
                self._parse_again(watcher)
            report = self.library.add(*(self.suite.docs_folder / name for name in names), watcher=watcher)
            failures = tuple(Failure(f.name, f"{f.code}: {f.message}") for f in report.failed)
        self._state.write_text(_made_by(self.library), encoding="utf-8")
        self._know()
        return failures

    @property
    def _state(self) -> Path:
        """The file that says what code the documents were parsed by."""
        return self.library.path / _STATE

    def _is_stale(self) -> bool:
        """Say whether other code parsed what is there; of an empty library note the code of today at once."""
        if not self.library.documents():
            self._state.write_text(_made_by(self.library), encoding="utf-8")
        return not self._state.is_file() or self._state.read_text(encoding="utf-8") != _made_by(self.library)

    def _parse_again(self, watcher: Watcher | None) -> None:
        """Parse what the library holds with the code of today; vectors of unchanged texts are kept."""
        settings = self.library.settings
        paths = {file_uri(self._file(name)): self._file(name) for name in self.suite.files}
        requests = [
            ParseRequest(name=r.name, uri=r.uri, path=paths[r.uri]) for r in self.library.documents() if r.uri in paths
        ]
        with self.library.store.writing(), ParsePool(jobs=settings.jobs) as pool:
            for done, outcome in enumerate(pool.parse_many(requests), start=1):
                if outcome.document is not None:
                    put_document(outcome.document, self.library.store, settings, original=outcome.request.path)
                if watcher is not None:
                    watcher.parsed(done, len(requests), outcome.request.name)

    def _put_rows(self, *, again: bool, watcher: Watcher | None) -> None:
        """Add the rows of a BEIR corpus: parsed in this process, for a child would cost more than the parsing."""
        library = self.library
        known = {r.uri for r in library.documents()}
        rows = [(name, text) for name, text in beir_documents(self.suite.corpus) if again or _uri(name) not in known]
        parser = MarkdownParser()
        with library.store.writing():
            for done, (name, text) in enumerate(rows, start=1):
                _put_row(parser.parse(text.encode(), name=name, uri=_uri(name)), library)
                if watcher is not None:
                    watcher.parsed(done, len(rows), name)
            if library.embedder is not None:
                embed_missing(library.store, library.embedder, progress=watcher.embedded if watcher else None)

    def _know(self) -> None:
        by_uri = {r.uri: r.doc_id for r in self.library.documents()}
        if self.suite.form == "beir":
            found = {name.removeprefix("beir:"): doc_id for name, doc_id in by_uri.items()}
        else:
            uris = {name: file_uri(self._file(name)) for name in self.suite.files}
            found = {name: by_uri[uri] for name, uri in uris.items() if uri in by_uri}
        self._ids, self._names = found, {doc_id: name for name, doc_id in found.items()}

    def _file(self, name: str) -> Path:
        return (self.suite.docs_folder / name).resolve()

    # ── names, texts, places ─────────────────────────────────────────────────────────────────────────────────────

    def doc_ids(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of documents, in order.

        Raises:
            UnknownDocumentError: one is not in the library, as it could not be read.

        """
        missing = [name for name in names if name not in self._ids]
        if missing:
            raise UnknownDocumentError(f"{missing[0]} is not in the library: it could not be read")
        return tuple(self._ids[name] for name in names)

    def scope(self) -> tuple[str, ...]:
        """Return the ids of the suite's documents, or nothing where the library holds no others."""
        return () if len(self._ids) == len(self.library.documents()) else tuple(self._ids.values())

    def text_of(self, name: str) -> DocumentText:
        """Return the text of a document: of a text file its own, of others their lines."""
        if name not in self._texts:
            self._texts[name] = DocumentText(self._text(name))
        return self._texts[name]

    def _text(self, name: str) -> str:
        if self.suite.form == "folder" and Path(name).suffix.lower() in _TEXT_ENDINGS:
            return file_text(self.suite.docs_folder / name)
        if name not in self._ids:
            return ""
        return "\n".join(line.text for line in self.document(self._ids[name]).lines)

    def document(self, doc_id: str) -> ParsedDocument:
        """Return a whole document as it was parsed."""
        return self._document(doc_id)

    def _load(self, doc_id: str) -> ParsedDocument:
        return self.library.store.document(doc_id)

    def places(self, lines: LineRange) -> Iterator[Place]:
        """Yield where lines stand, a place for each page."""
        name = self._names.get(lines.doc_id)
        if name is None:
            return
        found = self.document(lines.doc_id).lines_between(lines.first_line_id, lines.last_line_id)
        yield from self._places_of(name, lines.doc_id, [x for x in found if x.layer != "hidden"])

    def places_of_ids(self, doc_id: str, line_ids: Sequence[int]) -> Iterator[Place]:
        """Yield where single lines stand, a place for each."""
        for line_id in line_ids:
            yield from self.places(LineRange(doc_id=doc_id, first_line_id=line_id, last_line_id=line_id))

    def _places_of(self, name: str, doc_id: str, lines: Sequence[Line]) -> Iterator[Place]:
        starts = self._line_starts(name, doc_id)
        is_paged = Path(name).suffix.lower() not in _TEXT_ENDINGS and self.suite.form == "folder"
        for page_num in dict.fromkeys(line.page_num for line in lines):
            mine = [line for line in lines if line.page_num == page_num]
            yield Place(
                doc=name,
                page=page_num if is_paged else None,
                start=starts[mine[0].line_id - 1],
                end=starts[mine[-1].line_id - 1] + len(mine[-1].text),
                text="\n".join(line.text for line in mine),
            )

    def _line_starts(self, name: str, doc_id: str) -> tuple[int, ...]:
        """Return where each line of a document begins in its text."""
        if name not in self._starts:
            text, cursor, starts = self.text_of(name).text, 0, []
            for line in self.document(doc_id).lines:
                at = text.find(line.text, cursor)
                # A line that is written otherwise in the file (it should not be) is taken to be where it is looked for.
                cursor = at if at >= 0 else cursor
                starts.append(cursor)
                cursor += len(line.text) if at >= 0 else 0
            self._starts[name] = tuple(starts)
        return self._starts[name]


def _put_row(document: ParsedDocument, library: Library) -> None:
    """Keep one row of a corpus; its id is its name, so no other name has to be looked for among thousands."""
    passages = passages_of(document, library.settings)
    doc_id = hashlib.sha256(document.uri.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    record = DocumentRecord.of(document, doc_id=doc_id, name=document.name, added_at=now(), has_text=bool(passages))
    library.store.put(record, document, passages)


def file_text(path: Path) -> str:
    """Return the text of a file with the file's own line ends; what is no UTF-8 is replaced."""
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def _uri(name: str) -> str:
    return f"beir:{name}"


def _made_by(library: Library) -> str:
    settings = library.settings
    words = (settings.passage_min_words, settings.passage_max_words, settings.passage_max_chars)
    return msgspec.json.encode([version("pincite"), code_hash(_PARSING_ROOMS), *words]).decode()

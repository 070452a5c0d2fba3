"""What documents hold: bodies, outlines, named objects and originals, read from their tables and kept for a while."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from pincite.errors import StoreError, UnknownDocumentError
from pincite.storage.lance.coding import HEAD_LINES, Outline, column, folded, page_range, unpacked
from pincite.storage.lance.recent import Recent
from pincite.storage.lance.snapshot import Snapshot, Stored
from pincite.storage.lance.tables import Tables, among, literal
from pincite.storage.originals import Originals
from pincite.storage.rows import head_of
from pincite.types.content_hash import hash_of
from pincite.types.document import Line, NamedObject, Page, ParsedDocument, PlacedObject, Section

#: How many whole documents are kept in memory.
_KEPT_DOCUMENTS: Final = 64
#: Conditions in one request: with more, reading all rows is as fast.
_BATCH: Final = 500


def stored_of(now: Snapshot, doc_id: str) -> Stored:
    """Return a document of a state.

    Raises:
        UnknownDocumentError: there is none of that id.

    """
    stored = now.by_id.get(doc_id)
    if stored is None:
        raise UnknownDocumentError(f"there is no document {doc_id!r} in the library")
    return stored


class Bodies:
    """Reads what the documents of a state hold."""

    def __init__(self, tables: Tables, originals: Originals) -> None:
        """Read nothing yet; `originals` takes what is fetched to be a file."""
        self._tables, self._originals = tables, originals
        self._guard = threading.Lock()
        self._outlines: dict[int, Outline] = {}
        self._documents: Recent[ParsedDocument] = Recent(_KEPT_DOCUMENTS)

    def document(self, stored: Stored) -> ParsedDocument:
        """Return a whole document as it was parsed, under the name and with the summary it has now."""
        return msgspec.structs.replace(self._body(stored), **head_of(stored.record))

    def _body(self, stored: Stored) -> ParsedDocument:
        found = self._documents.get(stored.first_id)
        if found is None:
            rows = self._tables.rows("bodies", ["body"], f"first_id = {stored.first_id}")
            if rows is None or rows.num_rows == 0:
                raise StoreError(f"the rows of {stored.record.name!r} are gone; add the document again")
            found = unpacked(rows["body"][0].as_py(), ParsedDocument)
            self._documents.keep(stored.first_id, found)
        return found

    def _outline(self, now: Snapshot, doc_id: str) -> Outline | None:
        """Return pages, contents and first lines; those of all documents are read at once."""
        stored = now.by_id.get(doc_id)
        if stored is None:
            return None
        with self._guard:
            if stored.first_id not in self._outlines:
                self._read_outlines([one.first_id for one in now.stored])
            return self._outlines.get(stored.first_id)

    def _read_outlines(self, first_ids: Sequence[int]) -> None:
        self._outlines = {i: self._outlines[i] for i in first_ids if i in self._outlines}
        missing = [i for i in first_ids if i not in self._outlines]
        where = among("first_id", missing) if len(missing) <= _BATCH else None
        rows = self._tables.rows("bodies", ["first_id", "outline"], where)
        wanted = set(missing)
        for row in [] if rows is None else rows.to_pylist():
            if row["first_id"] in wanted:
                self._outlines[row["first_id"]] = unpacked(row["outline"], Outline)

    def lines(self, now: Snapshot, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[Line, ...]:
        """Return lines of a document, both ends included."""
        outline = self._outline(now, doc_id)
        if outline is None:
            return ()
        # A document of fewer lines is all head.
        if last_line_id <= len(outline.head) or len(outline.head) < HEAD_LINES:
            return outline.head[max(first_line_id, 1) - 1 : max(last_line_id, 0)]
        return self._body(stored_of(now, doc_id)).lines[max(first_line_id, 1) - 1 : last_line_id]

    def page_lines(self, now: Snapshot, doc_id: str, first_page: int, last_page: int) -> tuple[Line, ...]:
        """Return the lines of pages of a document, both ends included."""
        stored = now.by_id.get(doc_id)
        return () if stored is None else page_range(self._body(stored).lines, first_page, last_page)

    def pages(self, now: Snapshot, doc_id: str) -> tuple[Page, ...]:
        """Return the pages of a document."""
        outline = self._outline(now, doc_id)
        return () if outline is None else outline.pages

    def toc(self, now: Snapshot, doc_id: str) -> tuple[Section, ...]:
        """Return the contents of a document."""
        outline = self._outline(now, doc_id)
        return () if outline is None else outline.toc

    def named(self, now: Snapshot, labels: Sequence[str], doc_ids: Sequence[str]) -> tuple[PlacedObject, ...]:
        """Return the named objects with one of the labels, whatever their case; no ids means in the whole library."""
        owners = {one.first_id: one.record.doc_id for one in now.stored}
        wanted = frozenset(doc_ids)
        keys = list(dict.fromkeys(column(folded(label)) for label in labels))
        found: list[tuple[str, int, NamedObject]] = []
        for start in range(0, len(keys), _BATCH):
            rows = self._tables.rows("objects", ["first_id", "data"], among("label", keys[start : start + _BATCH]))
            for row in [] if rows is None else rows.to_pylist():
                doc_id = owners.get(row["first_id"])
                if doc_id is not None and (not wanted or doc_id in wanted):
                    placed = unpacked(row["data"], list[tuple[int, NamedObject]])
                    found += [(doc_id, position, one) for position, one in placed]
        found.sort(key=lambda one: one[:2])
        return tuple(PlacedObject(doc_id=doc_id, named=named) for doc_id, _, named in found)

    def original_of(self, content_hash: str) -> bytes | None:
        """Return the bytes of that hash; `None` when they were not kept or are not what they were."""
        rows = self._tables.rows("originals", ["data"], f"content_hash = {literal(content_hash)}")
        if rows is None or rows.num_rows == 0:
            return None
        content: bytes = rows["data"][0].as_py()
        return content if hash_of(content) == content_hash else None

    def original_path(self, content_hash: str) -> Path | None:
        """Return a file that holds the bytes of that hash, fetched if need be; `None` as `original_of`."""
        if self._originals.read(content_hash) is not None:  # fetched before, and still what it was
            return self._originals.path(content_hash)
        content = self.original_of(content_hash)
        return None if content is None else self._originals.keep(content, content_hash=content_hash)

"""A run of lines and its text to a `Passage`."""

import hashlib
from collections.abc import Sequence

import msgspec

from pincite.passages.words import shorten_blobs
from pincite.types.document import Line, Section
from pincite.types.passage import Passage, PassageKind


class PassageMaker:
    """Makes the passages of one document."""

    def __init__(self, toc: Sequence[Section]) -> None:
        self._breadcrumbs = {section.section_id: section.breadcrumb for section in toc}

    def make(self, lines: Sequence[Line], text: str, kind: PassageKind) -> Passage:
        """Return the passage of `lines`, which are in order and in one section; blobs in `text` are cut short."""
        section_id = lines[0].section_id
        passage = Passage(
            first_line_id=lines[0].line_id,
            last_line_id=lines[-1].line_id,
            first_page=lines[0].page_num,
            last_page=lines[-1].page_num,
            section_id=section_id,
            breadcrumb=self._breadcrumbs.get(section_id, ()) if section_id is not None else (),
            kind=kind,
            text=shorten_blobs(text),
            text_hash="",
        )
        digest = hashlib.sha256(passage.embedding_text.encode("utf-8", "surrogatepass")).hexdigest()
        return msgspec.structs.replace(passage, text_hash=digest)

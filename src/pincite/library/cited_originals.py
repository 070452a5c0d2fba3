"""The documents of a result as they were when it was cited, not as they are now."""

from collections.abc import Sequence

from pincite.rendering.originals import Access
from pincite.storage.opening import LibraryStore
from pincite.types.answer import Refusal, Result
from pincite.types.document import Line


def access_of(store: LibraryStore, result: Result) -> Access:
    """Return the originals by the hash that is cited; lines only of documents that are still what was cited.

    A document that was replaced has its old original until `pincite gc`; then its quote is shown without what is
    around it, rather than with other text.
    """
    cited = result.nearest if isinstance(result, Refusal) else [c for item in result.items for c in item.citations]
    hashes = {citation.doc_id: citation.content_hash for citation in cited}

    def original(doc_id: str) -> bytes | None:
        wanted = hashes.get(doc_id)
        return store.original(doc_id) if wanted is None else store.original_of(wanted)

    def lines(doc_id: str, first_line_id: int, last_line_id: int) -> Sequence[Line]:
        record = store.find_by_id(doc_id)
        if record is None or record.content_hash != hashes.get(doc_id, record.content_hash):
            return ()
        return store.lines(doc_id, first_line_id, last_line_id)

    return Access(originals=original, lines_of=lines)

"""The passages of a Lance library, read by id or by document and kept for a while."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pincite.storage.lance.coding import unpacked
from pincite.storage.lance.recent import Recent
from pincite.storage.lance.snapshot import Snapshot, Stored
from pincite.storage.lance.tables import Tables, among
from pincite.types.passage import Passage, StoredPassage

#: The passages of how many documents are kept in memory, and how many single ones.
_KEPT_DOCUMENTS: Final = 1024
_KEPT_SINGLE: Final = 20_000
#: Conditions in one request.
_BATCH: Final = 500


class Passages:
    """Reads the passages of the documents of a state."""

    def __init__(self, tables: Tables) -> None:
        """Read nothing yet."""
        self._tables = tables
        self._by_document: Recent[tuple[StoredPassage, ...]] = Recent(_KEPT_DOCUMENTS)
        self._single: Recent[StoredPassage] = Recent(_KEPT_SINGLE)

    def by_id(self, now: Snapshot, passage_ids: Sequence[int]) -> tuple[StoredPassage, ...]:
        """Return passages by id, in the order asked; ids that are gone are left out."""
        owners = {i: owner for i in passage_ids if (owner := now.of_passage(i)) is not None}
        kept = ((i, self._single.get(i)) for i in owners)
        known = {i: one for i, one in kept if one is not None}
        missing = [i for i in owners if i not in known]
        for start in range(0, len(missing), _BATCH):
            where = among("passage_id", missing[start : start + _BATCH])
            rows = self._tables.rows("passages", ["passage_id", "data"], where)
            for row in [] if rows is None else rows.to_pylist():
                made = _passage(row, owners[row["passage_id"]])
                known[made.passage_id] = made
                self._single.keep(made.passage_id, made)
        return tuple(known[i] for i in passage_ids if i in known)

    def of(self, stored: Stored) -> tuple[StoredPassage, ...]:
        """Return all passages of a document, in order."""
        found = self._by_document.get(stored.first_id)
        if found is None:
            where = f"passage_id >= {stored.first_id} AND passage_id < {stored.end_id}"
            rows = self._tables.rows("passages", ["passage_id", "data"], where) if stored.n_passages else None
            made = {} if rows is None else {row["passage_id"]: _passage(row, stored) for row in rows.to_pylist()}
            found = tuple(made[i] for i in sorted(made))
            self._by_document.keep(stored.first_id, found)
        return found

    def at(self, now: Snapshot, doc_id: str, first_line_id: int, last_line_id: int) -> tuple[StoredPassage, ...]:
        """Return the passages that share a line with a range, in the order of the document."""
        stored = now.by_id.get(doc_id)
        found = [
            one
            for one in (() if stored is None else self.of(stored))
            if one.passage.first_line_id <= last_line_id and one.passage.last_line_id >= first_line_id
        ]
        return tuple(sorted(found, key=lambda one: (one.passage.first_line_id, one.passage_id)))


def _passage(row: Mapping[str, Any], owner: Stored) -> StoredPassage:
    passage = unpacked(row["data"], Passage)
    return StoredPassage(passage_id=row["passage_id"], doc_id=owner.record.doc_id, passage=passage)

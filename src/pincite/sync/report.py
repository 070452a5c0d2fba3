"""What a sync did, or would do."""

from pincite.add import AddedDocument, FailedFile
from pincite.types.record import Record
from pincite.types.source import PassedOver


class MovedDocument(Record, frozen=True, kw_only=True):
    """A document whose file has another name or place now; nothing was parsed or embedded again."""

    doc_id: str
    old: str
    new: str


class SyncReport(Record, frozen=True, kw_only=True):
    """What became of every file of one source; names are those that citations show.

    `documents` tells more of what was added or changed. `failed` says what could not be done, and is tried again next
    time; what the library held of those files stays. `passed_over` are no documents, with the reason. With `dry_run`
    nothing was done: it is what a sync would do, as far as can be known without fetching.
    """

    source: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[MovedDocument, ...] = ()
    deleted: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    failed: tuple[FailedFile, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    documents: tuple[AddedDocument, ...] = ()
    n_fetched: int = 0
    n_embedded: int = 0
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether everything was as it should be already."""
        return not (self.added or self.changed or self.moved or self.deleted or self.failed)

"""What adding tells: the report, the tally it is made from, and who is told how far it has come."""

from typing import Protocol

from pincite.errors import PinciteError
from pincite.types.record import Record


class AddedDocument(Record, frozen=True, kw_only=True):
    """A document that was added or replaced, with what a reader should know of it."""

    doc_id: str
    name: str
    n_pages: int
    n_lines: int
    replaced: bool
    warnings: tuple[str, ...]


class FailedFile(Record, frozen=True, kw_only=True):
    """A file that could not be added: the error's code and message."""

    name: str
    code: str
    message: str


class AddReport(Record, frozen=True, kw_only=True):
    """What was added, what was there already, and what failed, with reasons; `notes` say what was passed over."""

    added: tuple[AddedDocument, ...] = ()
    unchanged: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    failed: tuple[FailedFile, ...] = ()
    skipped: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    n_embedded: int = 0
    notes: tuple[str, ...] = ()


class Watcher(Protocol):
    """Is told how far adding has come; every method may be left empty."""

    def parsed(self, done: int, total: int, name: str) -> None:
        """Say that `done` of `total` files are parsed; `name` was the last."""
        ...

    def embedded(self, done: int, total: int) -> None:
        """Say that `done` of `total` passages have their vector."""
        ...


class SilentWatcher:
    """Says nothing."""

    def parsed(self, done: int, total: int, name: str) -> None:
        """Say nothing."""

    def embedded(self, done: int, total: int) -> None:
        """Say nothing."""


class Tally:
    """What has happened so far to the files that are being added."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.added: list[AddedDocument] = []
        self.unchanged: list[str] = []
        self.renamed: list[str] = []
        self.failed: list[FailedFile] = []
        self.skipped: list[str] = []
        self.doc_ids: list[str] = []
        self.n_embedded = 0

    def report(self) -> AddReport:
        """Return the report, documents and failures by name."""
        return AddReport(
            added=tuple(sorted(self.added, key=lambda a: a.name)),
            unchanged=tuple(self.unchanged),
            renamed=tuple(self.renamed),
            failed=tuple(sorted(self.failed, key=lambda f: f.name)),
            skipped=tuple(self.skipped),
            doc_ids=tuple(dict.fromkeys(self.doc_ids)),
            n_embedded=self.n_embedded,
        )


def failure(name: str, error: PinciteError) -> FailedFile:
    """Return the record of a file that could not be added."""
    return FailedFile(name=name, code=error.code, message=str(error))

"""What a sync has done so far."""

from collections.abc import Iterable, Sequence

from pincite.add import AddedDocument, FailedFile
from pincite.errors import PassedOverError, PinciteError
from pincite.sync.planning import Plan
from pincite.sync.report import MovedDocument, SyncReport
from pincite.types.source import Listing, PassedOver


class Tally:
    """Collects what is known from listing and plan, then what was done."""

    def __init__(self, listing: Listing, todo: Plan) -> None:
        """Begin with what the plan already says."""
        self._plan = todo
        self._notes = listing.notes
        self._passed_over = list(listing.passed_over)
        self.failed = [FailedFile(name=f.name, code=f.code, message=f.message) for f in listing.failed]
        for file in todo.known:
            if file.code == PassedOverError.code:
                self._passed_over.append(PassedOver(name=file.name, reason=file.message))
            else:
                self.failed.append(FailedFile(name=file.name, code=file.code, message=file.message))
        self.moved: list[MovedDocument] = []
        self.deleted: list[str] = []
        self._kept: list[AddedDocument] = []
        self.n_fetched = 0
        self._n_embedded = 0

    def keep(self, added: AddedDocument) -> None:
        """Count a document that was added or replaced."""
        self._kept.append(added)

    def fail(self, name: str, error: PinciteError) -> None:
        """Count a file for which something could not be done."""
        self.failed.append(FailedFile(name=name, code=error.code, message=str(error)))

    def pass_over(self, name: str, reason: str) -> None:
        """Count a file that is no document."""
        self._passed_over.append(PassedOver(name=name, reason=reason))

    def embedded(self, n_made: int, failed: Sequence[FailedFile]) -> None:
        """Count vectors."""
        self._n_embedded = n_made
        self.failed.extend(failed)

    def report(self, spec: str, *, dry_run: bool) -> SyncReport:
        """Return all of it, sorted by name; with `dry_run` what the plan says would be done."""
        todo = self._plan
        kept = sorted(self._kept, key=lambda added: added.name)
        moved = [MovedDocument(doc_id=m.record.doc_id, old=m.record.name, new=m.file.name) for m in todo.moved]
        return SyncReport(
            source=spec,
            added=_sorted(f.name for f in todo.new) if dry_run else tuple(a.name for a in kept if not a.replaced),
            changed=_sorted(f.name for f in todo.changed) if dry_run else tuple(a.name for a in kept if a.replaced),
            moved=tuple(sorted(moved if dry_run else self.moved, key=lambda one: one.new)),
            deleted=_sorted((r.name for r in todo.deleted) if dry_run else self.deleted),
            unchanged=_sorted(r.name for r in todo.unchanged),
            failed=tuple(sorted(self.failed, key=lambda failed: failed.name)),
            passed_over=tuple(sorted(self._passed_over, key=lambda file: file.name)),
            documents=tuple(kept),
            n_fetched=self.n_fetched,
            n_embedded=self._n_embedded,
            notes=self._notes,
            dry_run=dry_run,
        )


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names))

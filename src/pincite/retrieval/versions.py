"""Documents that are versions of one another: which one is in force, now or at a date."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from pincite.types.document import DocumentRecord


def document_date(record: DocumentRecord) -> str | None:
    """Return the ISO date that a document gives itself in its metadata, or `None`."""
    for key in ("date", "effective_date", "effective", "valid_from", "published", "updated", "last_modified"):
        value = record.metadata.get(key)
        if isinstance(value, str) and len(value) >= 10 and _is_date(value[:10]):
            return value[:10]
    return None


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def superseded(records: Sequence[DocumentRecord], *, as_of: str | None = None) -> dict[str, str]:
    """Return the documents that are not in force, each with the one that is in its place.

    Versions share a title and carry a date, or name each other (`replaces`, `superseded_by`). `as_of` is an ISO
    date: versions that came later are not in force yet.
    """
    out: dict[str, str] = {}
    for family in _families(records):
        dated = sorted(family, key=lambda r: document_date(r) or "")
        before = [r for r in dated if as_of is None or (document_date(r) or "") <= as_of]
        current = before[-1] if before else dated[0]
        out.update({r.doc_id: current.doc_id for r in dated if r.doc_id != current.doc_id})
    return out


def _families(records: Sequence[DocumentRecord]) -> Iterable[list[DocumentRecord]]:
    by_title: dict[str, list[DocumentRecord]] = defaultdict(list)
    by_name = {r.name.rsplit("/", 1)[-1]: r for r in records}
    title_of: dict[str, str] = {}
    for record in records:
        title = str(record.metadata.get("title") or "").strip().casefold()
        if title and document_date(record):
            title_of[record.doc_id] = title
    for record in records:
        for key in ("replaces", "supersedes"):
            older = by_name.get(str(record.metadata.get(key) or ""))
            if older is not None and document_date(record) and document_date(older):
                title_of[older.doc_id] = title_of.setdefault(record.doc_id, record.doc_id)
    for record in records:
        if record.doc_id in title_of:
            by_title[title_of[record.doc_id]].append(record)
    return [family for family in by_title.values() if len(family) > 1 and len({document_date(r) for r in family}) > 1]

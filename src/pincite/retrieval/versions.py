"""Documents that are versions of one another: which one is in force, now or at a date."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pincite.types.document import DocumentRecord


def superseded(records: Sequence[DocumentRecord], *, as_of: str | None = None) -> dict[str, str]:
    """Return the documents that are not in force, each with the one that is in its place.

    Versions share a title and carry a date, or name each other (`replaces`, `superseded_by`). `as_of` is an ISO
    date: versions that came later are not in force yet.
    """
    out: dict[str, str] = {}
    for family in _families(records):
        dated = sorted(family, key=lambda r: r.date or "")
        before = [r for r in dated if as_of is None or (r.date or "") <= as_of]
        current = before[-1] if before else dated[0]
        out.update({r.doc_id: current.doc_id for r in dated if r.doc_id != current.doc_id})
    return out


def _families(records: Sequence[DocumentRecord]) -> Iterable[list[DocumentRecord]]:
    by_title: dict[str, list[DocumentRecord]] = defaultdict(list)
    by_name = {r.name.rsplit("/", 1)[-1]: r for r in records}
    title_of: dict[str, str] = {}
    for record in records:
        title = str(record.metadata.get("title") or "").strip().casefold()
        if title and record.date:
            title_of[record.doc_id] = title
    for record in records:
        for key in ("replaces", "supersedes"):
            older = by_name.get(str(record.metadata.get(key) or ""))
            if older is not None and record.date and older.date:
                title_of[older.doc_id] = title_of.setdefault(record.doc_id, record.doc_id)
    for record in records:
        if record.doc_id in title_of:
            by_title[title_of[record.doc_id]].append(record)
    return [family for family in by_title.values() if len(family) > 1 and len({r.date for r in family}) > 1]

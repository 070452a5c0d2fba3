"""Which documents a question is put to: those named, those that a condition means, both, or all."""

from collections.abc import Sequence

from pincite.errors import UnknownDocumentError
from pincite.retrieval.metadata import fields_of, matching, values_of
from pincite.retrieval.where import parse_where
from pincite.storage.opening import LibraryStore
from pincite.types.document import DocumentRecord

#: How many values of a field a message shows.
_SHOWN = 8


def documents_where(store: LibraryStore, where: str | None) -> tuple[DocumentRecord, ...]:
    """Return the documents that a condition means, by name; without one all.

    Raises:
        FilterError: the condition cannot be read, or names a field that no document has.

    """
    records = store.records()
    return records if where is None else matching(records, parse_where(where))


def scope_ids(
    store: LibraryStore, *, docs: Sequence[str] = (), where: str | None = None, doc_ids: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the ids of the documents to be asked; none means all of the library.

    Raises:
        UnknownDocumentError: a name in `docs` is not there, or the condition means no document.
        FilterError: the condition cannot be read, or names a field that no document has.

    """
    named = tuple(dict.fromkeys((*doc_ids, *(record.doc_id for record in store.resolve_all(docs)))))
    if where is None:
        return named
    condition, records = parse_where(where), store.records()
    found = matching(records, condition)
    wanted = frozenset(named)
    chosen = tuple(record.doc_id for record in found if not wanted or record.doc_id in wanted)
    if not chosen:
        raise UnknownDocumentError(f"no document matches {where!r}{_hint(records, next(fields_of(condition)))}")
    return () if len(chosen) == len(records) else chosen


def _hint(records: Sequence[DocumentRecord], field: str) -> str:
    """Return which values of a field there are."""
    values = sorted({value for record in records for value in values_of(record, field)})
    if not values:
        return ""
    more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    return f"; {field} is one of: {', '.join(value[:40] for value in values[:_SHOWN])}{more}"

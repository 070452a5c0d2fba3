"""What has to be done to bring a library in step with a listing: values in, a plan out."""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import unquote_to_bytes

from pincite.types.document import DocumentRecord
from pincite.types.record import Record
from pincite.types.source import KnownFile, Listing, OfferedFile

#: What a version begins with that is the hash of the bytes.
_SHA256 = "sha256:"


class Move(Record, frozen=True, kw_only=True):
    """A document, and the file that has its bytes now."""

    record: DocumentRecord
    file: OfferedFile


class Plan(Record, frozen=True, kw_only=True):
    """Every listed file is in exactly one of `new`, `changed`, `moved` (its file), `unchanged` and `known`.

    `known` are those that were read before and are no documents, with the reason. `forgotten` are the addresses of
    such files that are not there any more.
    """

    new: tuple[OfferedFile, ...] = ()
    changed: tuple[OfferedFile, ...] = ()
    moved: tuple[Move, ...] = ()
    deleted: tuple[DocumentRecord, ...] = ()
    unchanged: tuple[DocumentRecord, ...] = ()
    known: tuple[KnownFile, ...] = ()
    forgotten: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.new or self.changed or self.moved or self.deleted or self.forgotten)


def plan(
    listing: Listing,
    records: Sequence[DocumentRecord],
    known: Iterable[KnownFile],
    *,
    spec: str,
    root: str,
    reader: str,
) -> Plan:
    """Return what has to be done; the same listing and library always give the same plan.

    `records` are all documents of the library. A document goes when the source that brought it lists it no more, or
    when it lies under `root` and its file is gone. A new file with the bytes of a document that goes is that document,
    moved, if both names have the same ending: the ending decides how a file is read.
    """
    by_uri = {record.uri: record for record in records}
    read_before = {file.uri: file for file in known}
    new, changed, unchanged, remembered = [], [], [], []
    for file in listing.files:
        record, before = by_uri.get(file.uri), read_before.get(file.uri)
        if record is not None and _has_version(record, file.version):
            unchanged.append(record)
        elif before is not None and before.code and (before.version, before.reader) == (file.version, reader):
            remembered.append(before)
        elif record is None:
            new.append(file)
        else:
            changed.append(file)
    gone = _gone(listing, records, spec=spec, root=root)
    moved, new = _moves(new, gone, records)
    taken = {move.record.doc_id for move in moved}
    listed = {file.uri for file in listing.files}
    return Plan(
        new=tuple(new),
        changed=tuple(changed),
        moved=tuple(moved),
        deleted=tuple(record for record in gone if record.doc_id not in taken),
        unchanged=tuple(unchanged),
        known=tuple(remembered),
        forgotten=tuple(uri for uri in read_before if uri not in listed) if listing.is_complete else (),
    )


def _has_version(record: DocumentRecord, version: str) -> bool:
    if version.startswith(_SHA256):
        return version == _SHA256 + record.content_hash
    return record.origin.get("version") == version


def _gone(listing: Listing, records: Sequence[DocumentRecord], *, spec: str, root: str) -> list[DocumentRecord]:
    """Return the documents whose file is not listed any more, though the listing would show it."""
    if not listing.is_complete:
        return []
    listed = {file.uri for file in listing.files} | {trouble.uri for trouble in listing.failed}
    unseen = tuple(uri.rstrip("/") + "/" for uri in listing.unseen)
    gone = []
    for record in records:
        if record.uri in listed or (unseen and record.uri.startswith(unseen)):
            continue
        is_ours = record.origin.get("source") == spec
        is_below = record.uri == root or record.uri.startswith(root.rstrip("/") + "/")
        if is_ours or (is_below and _is_file_gone(record.uri)):
            gone.append(record)
    return gone


def _moves(
    new: Sequence[OfferedFile], gone: Sequence[DocumentRecord], records: Sequence[DocumentRecord]
) -> tuple[list[Move], list[OfferedFile]]:
    """Pair new files with documents of the same bytes that go, or whose own file is gone elsewhere; both by name."""
    wanted = {file.version for file in new}
    going = {record.doc_id for record in gone}
    candidates: dict[tuple[str, str], list[DocumentRecord]] = defaultdict(list)
    for record in sorted(records, key=lambda record: record.name):
        for version in {_SHA256 + record.content_hash, record.origin.get("version", "")} & wanted:
            if record.doc_id in going or _is_file_gone(record.uri):
                candidates[version, _ending(record.uri)].append(record)
    moved, rest = [], []
    for file in new:
        found = candidates.get((file.version, _ending(file.uri)))
        if found:
            moved.append(Move(record=found.pop(0), file=file))
        else:
            rest.append(file)
    return moved, rest


def _ending(uri: str) -> str:
    return os.path.splitext(uri)[1].lower()  # noqa: PTH122 - an address, not a path


def _is_file_gone(uri: str) -> bool:
    """Say whether a `file://` address leads to nothing, in a folder that can be looked into."""
    if not uri.startswith("file://"):
        return False
    path = Path(os.fsdecode(unquote_to_bytes(uri.removeprefix("file://"))))
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False

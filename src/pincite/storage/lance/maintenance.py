"""What a Lance library needs now and then: small files made into large ones, indexes, and an end of what is unused.

Safe beside readers and writers: what a reader may still be at stays for a day, and a change that another writer got in
the way of is left for the next time.
"""

import logging
import time
from functools import partial
from typing import Any, Final

from pincite.errors import PinciteError
from pincite.storage.lance.notes import Notes
from pincite.storage.lance.snapshot import Snapshot
from pincite.storage.lance.tables import GRACE, SCHEMAS, Tables, among
from pincite.storage.lance.vectors import EXACT_MOST, Vectors

_log = logging.getLogger(__name__)

#: More files of one table than this slow down reading and are made into fewer.
MOST_FILES: Final = 24
#: Below this number of rows a look at all of them is faster than at an index.
_LEAST_INDEXED: Final = 20_000
#: The column of each table that rows are looked up by.
_LOOKED_UP: Final = {"bodies": "first_id", "passages": "passage_id", "postings": "term", "objects": "label"}
_BATCH: Final = 500
#: How long a batch may take to write, in seconds: what is younger may belong to a document that is not there yet.
_WRITING_S: Final = 600.0


def lookups(vectors: Vectors) -> dict[str, str | None]:
    """Return every table that is tidied, with the column that its rows are looked up by."""
    found: dict[str, str | None] = {**_LOOKED_UP, "documents": None, "notes": None, "counts": None, "traces": None}
    return found | {known.table: "text_hash" for known in vectors.embedders()}


def tidy(tables: Tables, vectors: Vectors, *, always: bool = False) -> None:
    """Compact tables of many files, and bring their indexes up to date; where others write it may wait."""
    for name, column in lookups(vectors).items():
        dataset = tables.at(name)
        is_due = always or (
            dataset is not None and (len(dataset.get_fragments()) > MOST_FILES or _is_behind(dataset, column))
        )
        if dataset is None or not is_due:
            continue
        try:
            tidy_table(tables, name, column)
        except PinciteError as error:
            _log.info("%s is tidied another time: %s", name, error)


def _is_behind(dataset: Any, column: str | None) -> bool:
    """Say whether so many rows are in no index yet that looking through them costs more than an index does."""
    n_rows = dataset.count_rows()
    if column is None or n_rows < _LEAST_INDEXED:
        return False
    indexed = {index.name: index.num_rows_indexed for index in dataset.describe_indices()}.get(f"{column}_idx", 0)
    return bool(n_rows - indexed >= max(_LEAST_INDEXED, n_rows // 4))


def tidy_table(tables: Tables, name: str, column: str | None, *, least_files: int = 0) -> None:
    """Compact a table of more than `least_files` files, and bring its indexes up to date.

    Raises:
        LibraryBusyError: other writers were in the way for too long.

    """
    tables.change(name, lambda ds: len(ds.get_fragments()) > least_files and ds.optimize.compact_files())
    if column is not None:
        tables.change(name, partial(_index, column=column))


def n_unindexed(tables: Tables, name: str) -> int:
    """Return how many rows of a table none of its indexes knows yet, the most that one of them lacks."""
    dataset = tables.at(name)
    if dataset is None:
        return 0
    names = [index.name for index in dataset.describe_indices()]
    return max((int(dataset.stats.index_stats(one)["num_unindexed_rows"]) for one in names), default=0)


def _index(dataset: Any, column: str) -> None:
    n_rows = dataset.count_rows()
    if n_rows < _LEAST_INDEXED:
        return
    there = {index.name for index in dataset.describe_indices()}
    if there:
        dataset.optimize.optimize_indices()
    if f"{column}_idx" not in there:
        dataset.create_scalar_index(column, "BTREE", name=f"{column}_idx")
    if column == "text_hash" and n_rows > EXACT_MOST and "vector_idx" not in there:
        n_partitions = max(1, int(n_rows**0.5) // 4)
        dataset.create_index("vector", "IVF_SQ", name="vector_idx", metric="cosine", num_partitions=n_partitions)


def drop_unused(tables: Tables, notes: Notes, snapshot: Snapshot, *, grace_s: float = GRACE.total_seconds()) -> None:
    """Delete rows that no document points to, and old versions of tables, when they are older than a day.

    They are what was replaced or removed, and what a process left that was killed while it wrote.
    """
    found = tables.rows("bodies", ("first_id", "n_passages"), f"written_at < {time.time() - grace_s}")
    live = {stored.first_id for stored in snapshot.stored}
    pairs = () if found is None else zip(*(found[c].to_pylist() for c in found.column_names), strict=True)
    dead = [(first_id, n) for first_id, n in pairs if first_id not in live]
    for start in range(0, len(dead), _BATCH):
        part = dead[start : start + _BATCH]
        spans = [f"(passage_id >= {first} AND passage_id < {first + n})" for first, n in part if n]
        if spans:
            tables.delete("passages", " OR ".join(spans))
        first_ids = [first for first, _ in part]
        tables.delete("postings", among("first_id", first_ids))
        tables.delete("objects", among("first_id", first_ids))
        # Last, because these rows say what is to be deleted.
        tables.delete("bodies", among("first_id", first_ids))
    writers = sorted(int(i) for i in notes.all("writer", str))
    # The highest number has to stay: the next writer counts on from there.
    notes.forget("writer", [str(number) for number in writers[:-1]])
    for name in SCHEMAS:
        tables.change(name, lambda ds: ds.cleanup_old_versions(older_than=GRACE))


def drop_originals(tables: Tables, snapshot: Snapshot) -> tuple[int, int]:
    """Delete originals that no document has; return how many, and their bytes."""
    dataset = tables.at("originals")
    if dataset is None:
        return 0, 0
    used = {record.content_hash for record in snapshot.records}
    # Another writer keeps an original before the document that it belongs to.
    where = f"kept_at < {time.time() - _WRITING_S}"
    there = dataset.to_table(columns=["content_hash", "n_bytes"], filter=where)
    pairs = zip(there["content_hash"].to_pylist(), there["n_bytes"].to_pylist(), strict=True)
    gone = {content_hash: n for content_hash, n in pairs if content_hash not in used}
    hashes = list(gone)
    for start in range(0, len(hashes), _BATCH):
        tables.delete("originals", among("content_hash", hashes[start : start + _BATCH]))
    return len(gone), sum(gone.values())

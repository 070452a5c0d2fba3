"""The Lance tables of one library: opened, appended to and merged into, with the errors of pincite.

A table is the dataset `<root>/<name>.lance`, which LanceDB and every other Lance reader open as it is. A table that
nobody has written to does not exist, and reads as empty.
"""

import contextlib
import copy
import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, TypeVar

import lance
import pyarrow as pa

from pincite.errors import LibraryBusyError, StoreError

T = TypeVar("T")

#: How old a look at the newest version may be, in seconds: each look is a request where the tables are not here.
REMOTE_STALENESS_S: Final = 1.0
#: How long a change is tried again that another writer's change got in the way of, in seconds.
_PATIENCE_S: Final = 120.0
#: Lance marks a primary key by this metadata of its fields; two writers that add one key then conflict, and the later
#: one merges into the row of the first. Without it both rows would be there.
_KEY: Final = {"lance-schema:unenforced-primary-key": "true"}


def key(name: str, kind: pa.DataType) -> pa.Field:
    """Return a field that is (part of) the primary key of its table."""
    return pa.field(name, kind, nullable=False, metadata=_KEY)


SCHEMAS: Final[Mapping[str, pa.Schema]] = {
    # `first_id` is the version of a document: new with every `put`, and the id of its first passage.
    "documents": pa.schema(
        [
            key("doc_id", pa.string()),
            pa.field("first_id", pa.int64()),
            pa.field("n_passages", pa.int64()),
            pa.field("tokenizer", pa.int64()),
            pa.field("name", pa.string()),
            pa.field("uri", pa.string()),
            pa.field("content_hash", pa.string()),
            pa.field("record", pa.large_binary()),
            pa.field("lengths", pa.large_binary()),
            pa.field("words", pa.large_binary()),
            pa.field("text_hashes", pa.large_binary()),
        ]
    ),
    "bodies": pa.schema(
        [
            key("first_id", pa.int64()),
            pa.field("n_passages", pa.int64()),
            pa.field("doc_id", pa.string()),
            pa.field("written_at", pa.float64()),
            pa.field("outline", pa.large_binary()),
            pa.field("body", pa.large_binary()),
        ]
    ),
    "passages": pa.schema(
        [key("passage_id", pa.int64()), pa.field("text_hash", pa.string()), pa.field("data", pa.large_binary())]
    ),
    "postings": pa.schema([key("term", pa.string()), key("first_id", pa.int64()), pa.field("data", pa.large_binary())]),
    # Named objects by their label in small letters: a row for each label of a document.
    "objects": pa.schema([key("label", pa.string()), key("first_id", pa.int64()), pa.field("data", pa.large_binary())]),
    "originals": pa.schema(
        [
            key("content_hash", pa.string()),
            pa.field("n_bytes", pa.int64()),
            pa.field("kept_at", pa.float64()),
            pa.field("data", pa.large_binary()),
        ]
    ),
    "notes": pa.schema([key("key", pa.string()), pa.field("kind", pa.string()), pa.field("data", pa.large_binary())]),
    # What is derived from all documents, and costly to derive: a row for each kind.
    "counts": pa.schema([key("key", pa.string()), pa.field("data", pa.large_binary())]),
    "traces": pa.schema(
        [
            key("trace_id", pa.string()),
            pa.field("asked_at", pa.string()),
            pa.field("question", pa.string()),
            pa.field("result", pa.string()),
            pa.field("data", pa.large_binary()),
        ]
    ),
}


def vector_schema(dimension: int) -> pa.Schema:
    """Return the schema of the vectors of one embedder."""
    return pa.schema([key("text_hash", pa.string()), pa.field("vector", pa.list_(pa.float32(), dimension))])


def storage_options(environment: Mapping[str, str]) -> dict[str, str]:
    """Return how object storage is reached, from the usual variables; they are kept in memory alone."""
    found = {}
    for option, names in {
        "aws_access_key_id": ("AWS_ACCESS_KEY_ID",),
        "aws_secret_access_key": ("AWS_SECRET_ACCESS_KEY",),
        "aws_session_token": ("AWS_SESSION_TOKEN",),
        "aws_region": ("AWS_REGION", "AWS_DEFAULT_REGION"),
        "aws_endpoint": ("AWS_ENDPOINT", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
    }.items():
        value = next((environment[name] for name in names if environment.get(name)), None)
        if value is not None:
            found[option] = value
    if "aws_endpoint" in found:
        found.setdefault("aws_region", "us-east-1")
        if found["aws_endpoint"].startswith("http://"):
            found["allow_http"] = "true"
    return found


def literal(value: str) -> str:
    """Return a text as Lance's SQL writes it."""
    return "'" + value.replace("'", "''") + "'"


def among(column: str, values: Sequence[str | int]) -> str:
    """Return the condition that a column holds one of some values; there is one at least."""
    return f"{column} IN ({', '.join(literal(v) if isinstance(v, str) else str(v) for v in values)})"


class Tables:
    """The tables under one root. Safe for many threads; each method sees what other processes have committed."""

    def __init__(self, root: str) -> None:
        """Open nothing yet; `root` is a folder or `s3://bucket/prefix`."""
        self.root = root.rstrip("/")
        is_remote = "://" in root
        self._options = storage_options(os.environ) if is_remote else {}
        self._staleness_s = REMOTE_STALENESS_S if is_remote else 0.0
        self._guard = threading.RLock()
        self._open: dict[str, tuple[float, Any]] = {}

    def close(self) -> None:
        """Let go of every table."""
        with self._guard:
            self._open.clear()

    def at(self, name: str) -> Any | None:
        """Return a table at its newest version, or `None` while there is none."""
        with self._guard:
            seen_at, dataset = self._open.get(name, (float("-inf"), None))
            if time.monotonic() - seen_at < self._staleness_s:
                return dataset
            with self._typed():
                if dataset is None:
                    dataset = self._found(name)
                elif (newest := dataset.latest_version) != dataset.version:
                    dataset = dataset.checkout_version(newest)
            self._open[name] = (time.monotonic(), dataset)
            return dataset

    def forget(self, name: str) -> None:
        """Look for the newest version when it is asked for next."""
        with self._guard:
            _, dataset = self._open.get(name, (0.0, None))
            self._open[name] = (float("-inf"), dataset)

    def rows(self, name: str, columns: Sequence[str], where: str | None = None) -> pa.Table | None:
        """Return rows of a table at its newest version, `None` while there is no such table."""
        dataset = self.at(name)
        if dataset is None:
            return None
        with self._typed():
            return dataset.to_table(columns=list(columns), filter=where)

    def append(self, name: str, rows: pa.Table) -> None:
        """Add rows in one commit; nobody else adds the same keys."""
        if rows.num_rows:
            self._retried(name, lambda: self._appended(name, rows))

    def merge(self, name: str, on: str, rows: pa.Table, *, replace: bool = True, instead_of: str | None = None) -> None:
        """Add rows in one commit in place of those with the same key; without `replace` those stay as they are.

        Rows that `instead_of` means go in the same commit.
        """

        def merged() -> None:
            dataset = copy.copy(self.at(name) or self._created(name, rows.schema))
            change = dataset.merge_insert(on).when_not_matched_insert_all().conflict_retries(10)
            if replace:
                change = change.when_matched_update_all()
            if instead_of is not None:
                change = change.when_not_matched_by_source_delete(instead_of)
            change.execute(rows)

        if rows.num_rows:
            self._retried(name, merged)

    def delete(self, name: str, where: str) -> None:
        """Delete rows in one commit."""
        self.change(name, lambda dataset: dataset.delete(where))

    def change(self, name: str, work: Callable[[Any], T]) -> T | None:
        """Do what changes a table, again where another writer got in the way; nothing where there is no table."""

        def changed() -> T | None:
            dataset = self.at(name)
            # A copy: a dataset that is being changed cannot be read by other threads.
            return None if dataset is None else work(copy.copy(dataset))

        return self._retried(name, changed)

    def drop(self, name: str) -> None:
        """Delete a whole table."""
        with self._guard, self._typed():
            self._open.pop(name, None)
            if self._found(name) is not None:
                lance.LanceDataset.drop(self._uri(name), storage_options=self._options or None)

    def _uri(self, name: str) -> str:
        return f"{self.root}/{name}.lance"

    def _found(self, name: str) -> Any | None:
        try:
            return lance.dataset(self._uri(name), storage_options=self._options or None)
        except ValueError as error:
            if "not found" in str(error).lower():
                return None
            raise

    def create(self, name: str) -> None:
        """Make an empty table, unless it is there."""
        if self.at(name) is None:
            self._retried(name, lambda: self._created(name, SCHEMAS[name]))

    def _created(self, name: str, schema: pa.Schema) -> Any:
        with contextlib.suppress(OSError):  # another writer was first; if it is another fault, opening will say so
            lance.write_dataset(
                schema.empty_table(), self._uri(name), mode="create", storage_options=self._options or None
            )
        dataset = lance.dataset(self._uri(name), storage_options=self._options or None)
        with self._guard:
            self._open[name] = (time.monotonic(), dataset)
        return dataset

    def _appended(self, name: str, rows: pa.Table) -> None:
        dataset = copy.copy(self.at(name) or self._created(name, rows.schema))
        dataset.insert(rows)

    def _retried(self, name: str, work: Callable[[], T]) -> T:
        """Do a change until no other writer is in the way, with growing pauses of random length."""
        until = time.monotonic() + _PATIENCE_S
        pause_s = 0.05
        with self._typed():
            while True:
                self.forget(name)
                try:
                    return work()
                except (OSError, RuntimeError, ValueError) as error:
                    if "conflict" not in str(error).lower() or time.monotonic() > until:
                        raise
                finally:
                    self.forget(name)
                time.sleep(random.uniform(0.5, 1.0) * pause_s)  # noqa: S311 - a pause, not a secret
                pause_s = min(2 * pause_s, 2.0)

    @contextlib.contextmanager
    def _typed(self) -> Iterator[None]:
        try:
            yield
        except (OSError, RuntimeError, ValueError, pa.ArrowException) as error:
            # Behind the first line stand places in the source of Lance.
            words = str(error).split("\n", 1)[0].split(", /", 1)[0][:300]
            if "conflict" in words.lower():
                raise LibraryBusyError(
                    f"other writers kept changing the library {self.root!r}; try again ({words})"
                ) from error
            raise StoreError(f"the library {self.root!r} cannot be used: {words}") from error


#: How long versions of tables, and rows that no document points to, are kept for readers that are still at them.
GRACE: Final = timedelta(days=1)

"""What the driver sends to nodes, and what comes back: plain records, so that nothing else has to travel."""

from pathlib import Path

import msgspec

from pincite.add import FailedFile
from pincite.settings import Settings
from pincite.storage.lance.vectors import KnownEmbedder
from pincite.storage.lance.writing import Written
from pincite.types.record import Record


class Job(Record, frozen=True, kw_only=True):
    """One run of adding: the library as nodes open it, the settings, and which pincite they have to be.

    `job_id` is noted in the library: a node that does not find it there sees another library under the same path.
    """

    job_id: str
    place: str
    settings: Settings
    version: str


class PlannedFile(Record, frozen=True, kw_only=True):
    """A file that is to be read, with the id its document is to have."""

    name: str
    uri: str
    path: Path
    n_bytes: int
    doc_id: str


class SentFile(Record, frozen=True, kw_only=True):
    """A file on its way to a node: its bytes, or why there are none."""

    name: str
    uri: str
    doc_id: str
    content: bytes = b""
    failed: FailedFile | None = None


class ParseOrder(Record, frozen=True, kw_only=True):
    """Files that one node parses and writes together."""

    job: Job
    files: tuple[SentFile, ...]


# A plain struct, as `Written` is: it holds rows of a table, and is never shown as JSON.
class ReadFile(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a file: a document whose rows are written, with what a reader should know of it, or a failure."""

    uri: str
    name: str
    written: Written | None = None
    warnings: tuple[str, ...] = ()
    failed: FailedFile | None = None


class EmbedOrder(Record, frozen=True, kw_only=True):
    """Texts that one node embeds, each with its hash."""

    job: Job
    known: KnownEmbedder
    texts: tuple[tuple[str, str], ...]


class Embedded(Record, frozen=True, kw_only=True):
    """How many vectors were made, what failed, and the failure of a service that is down or takes no key."""

    n_made: int = 0
    failed: tuple[FailedFile, ...] = ()
    down: FailedFile | None = None


class TidyOrder(Record, frozen=True, kw_only=True):
    """A table to tidy: made into fewer files where it has more than `least_files`, its indexes brought up to date."""

    job: Job
    table: str
    column: str | None
    least_files: int


class Tidied(Record, frozen=True, kw_only=True):
    """How many rows of the table an index does not know."""

    n_unindexed: int

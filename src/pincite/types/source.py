"""Files that a source offers, what is known of them, and a line as the answerer reads it."""

from pathlib import Path

import msgspec

from pincite.types.document import Line
from pincite.types.record import Record


class SourceFile(Record, frozen=True, kw_only=True):
    """One file: `name` is shown, `uri` identifies it, `path` is where its bytes are now."""

    name: str
    uri: str
    path: Path


class SyncOptions(Record, frozen=True, kw_only=True):
    """Which files of a source are wanted, and how far one goes for them.

    Folders and repositories take `include` and `exclude`, folders `gitignore` and `hidden`. Web sources follow links
    `depth` times, up to `max_pages` pages, and reach private addresses only with `allow_private`.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    gitignore: bool = False
    hidden: bool = False
    depth: int = 0
    max_pages: int = 500
    allow_private: bool = False


class OfferedFile(Record, frozen=True, kw_only=True):
    """One file of a source, as it lists it: its bytes are fetched only where they are wanted.

    `version` stands for the bytes: the same version is the same bytes. `n_bytes` is `None` where the source does not
    say. `origin` is what it says beside: `permalink`, `ref` and the like.
    """

    uri: str
    name: str
    version: str
    n_bytes: int | None = None
    origin: dict[str, str] = msgspec.field(default_factory=dict)


class KnownFile(Record, frozen=True, kw_only=True):
    """A file that was read at the last sync: a document (`code` is empty), or none, for the reason in `message`.

    `reader` says which pincite read it; another may be able to do more.
    """

    uri: str
    name: str
    version: str
    reader: str = ""
    code: str = ""
    message: str = ""
    origin: dict[str, str] = msgspec.field(default_factory=dict)


class PassedOver(Record, frozen=True, kw_only=True):
    """A file that is no document, and why."""

    name: str
    reason: str


class FileTrouble(Record, frozen=True, kw_only=True):
    """A file that a source lists and could not look at; what the library holds of it stays."""

    uri: str
    name: str
    code: str
    message: str


class Listing(Record, frozen=True, kw_only=True):
    """All files of a source at one moment, in a stable order.

    `is_complete` off means that files may be missing from it: then nothing is deleted. `unseen` are the addresses of
    folders that could not be looked into. `state` is handed to the source again at the next sync.
    """

    files: tuple[OfferedFile, ...]
    passed_over: tuple[PassedOver, ...] = ()
    failed: tuple[FileTrouble, ...] = ()
    unseen: tuple[str, ...] = ()
    is_complete: bool = True
    notes: tuple[str, ...] = ()
    state: dict[str, str] = msgspec.field(default_factory=dict)


class KnownSource(Record, frozen=True, kw_only=True):
    """What the library knows of a source before a sync. `is_clean`: the last sync left nothing to be done again."""

    files: tuple[KnownFile, ...] = ()
    state: dict[str, str] = msgspec.field(default_factory=dict)
    is_clean: bool = False


class RowPlace(Record, frozen=True, kw_only=True):
    """The row of a table that a line belongs to, and what the table says of itself.

    `row` starts at 1 and counts header rows; `cell_lines` are the ids of the lines of each cell, in column order.
    """

    table_id: int
    row: int
    cell_lines: tuple[tuple[int, ...], ...]
    n_rows: int
    header_rows: int
    caption: str | None = None
    unit: str | None = None
    scale: str | None = None


class ReadingLine(Record, frozen=True, kw_only=True):
    """A line with what an answerer may know of where it stands.

    `anchor_score` is the score of the best candidate whose anchor holds the line (0 when it is context
    only). `rank` is that candidate's rank, `None` for context. In a table `cells` are the cells of the line's
    row and `header` the column names, both in column order; `table` says which row of which table it is.
    `is_doubtful` says that most of its page could not be read: no sentence goes on from there or to there.
    """

    doc_id: str
    doc_name: str
    line: Line
    breadcrumb: tuple[str, ...]
    rank: int | None
    anchor_score: float
    doc_date: str | None = None
    is_markdown: bool = False
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    table: RowPlace | None = None
    is_doubtful: bool = False

"""A file that a source offers, and a line as the answerer reads it."""

from pathlib import Path

from pincite.types.document import Line
from pincite.types.record import Record


class SourceFile(Record, frozen=True, kw_only=True):
    """One file: `name` is shown, `uri` identifies it, `path` is where its bytes are now."""

    name: str
    uri: str
    path: Path


class ReadingLine(Record, frozen=True, kw_only=True):
    """A line with what an answerer may know of where it stands.

    `anchor_score` is the score of the best candidate whose anchor holds the line (0 when it is context
    only). `rank` is that candidate's rank, `None` for context. In a table `cells` are the cells of the line's
    row and `header` the column names, both in column order. `is_doubtful` says that most of its page could not be
    read: no sentence goes on from there or to there.
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
    is_doubtful: bool = False

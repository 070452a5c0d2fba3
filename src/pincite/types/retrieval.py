"""What retrieval returns: candidates with their reasons, and the lines the answerer may read."""

from pincite.types.passage import LineRange
from pincite.types.record import Record


class MatchedTerm(Record, frozen=True, kw_only=True):
    """A term of the query that occurs in the anchor lines, and how often."""

    term: str
    count: int


class Detection(Record, frozen=True, kw_only=True):
    """One detector's say on a candidate. A higher score is better; `rank` starts at 1."""

    name: str
    rank: int
    score: float
    matched_terms: tuple[MatchedTerm, ...] = ()


class Candidate(Record, frozen=True, kw_only=True):
    """A place that may hold the answer: where it was found, and what to read around it.

    `also` are the other places of the same text, which are no candidates of their own.
    """

    rank: int
    score: float
    anchor: LineRange
    context: LineRange
    section: tuple[str, ...]
    detectors: tuple[Detection, ...]
    role: str
    reason: str
    also: tuple[LineRange, ...] = ()


class KeptPage(Record, frozen=True, kw_only=True):
    """A page that retrieval kept."""

    doc_id: str
    page_num: int


class RetrievalResult(Record, frozen=True, kw_only=True):
    """Candidates best first; `filtered_lines` is all that the answerer may read.

    `confidence` is between 0 and 1. `missing_keywords` occur nowhere in the scope. `caveats` say what of a set that
    the question counts or lists was not read. `notes` are for whoever reads the trace.
    """

    candidates: tuple[Candidate, ...]
    pages_kept: tuple[KeptPage, ...]
    filtered_lines: tuple[LineRange, ...]
    not_found_reason: str | None
    confidence: float
    missing_keywords: tuple[str, ...]
    caveats: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

"""What an evaluation keeps: one record for each question, and the summary of them all."""

from typing import Any, Literal

from msgspec import field

from pincite.types.question import Shape
from pincite.types.record import Record


class CitedPlace(Record, frozen=True, kw_only=True):
    """One citation of an answer; `is_in_document` says whether the quote was found there again, by other code."""

    doc: str
    page: int | None
    first_line: int
    last_line: int
    quote: str
    is_in_document: bool


class QuestionRecord(Record, frozen=True, kw_only=True):
    """One question: what came out, what was right, and its scores by name.

    `result` is "answer", the reason of a refusal, "error", or `None` where only retrieval was measured. `is_right`
    says whether what was found answers the question, be it given as an answer or held back by the refusal.
    `ranking` and `gold` are units in TREC's words. Times are in seconds.
    """

    id: str
    question: str
    shape: Shape
    kind: str
    answerable: bool
    result: Literal["answer", "not_found", "unreadable", "ambiguous", "unsupported", "empty", "error"] | None = None
    confidence: float | None = None
    is_right: bool | None = None
    items: tuple[str, ...] = ()
    citations: tuple[CitedPlace, ...] = ()
    ranking: tuple[str, ...] = ()
    gold: dict[str, int] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    search_s: float | None = None
    ask_s: float | None = None
    cost_usd: float = 0.0
    error: str | None = None


class Measured(Record, frozen=True, kw_only=True):
    """A measure over `n` questions, with the bounds of its 95 % bootstrap interval."""

    value: float
    low: float
    high: float
    n: int


class Group(Record, frozen=True, kw_only=True):
    """The measures of the questions of one shape."""

    n: int
    measures: dict[str, Measured]


class Summary(Record, frozen=True, kw_only=True):
    """The outcome of a run. `defects` are quotes that are not in their document: faults of pincite itself."""

    suite: str
    n: int
    measures: dict[str, Measured]
    by_shape: dict[str, Group]
    defects: tuple[str, ...]
    errors: tuple[str, ...]
    failed_documents: tuple[str, ...]
    version: str
    settings: dict[str, Any]
    options: dict[str, Any]
    machine: dict[str, Any]
    started_at: str
    seconds: float
    results: str

"""Drafts, answers and refusals: seven shapes, one record for each part."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from pincite.errors import SettingsError
from pincite.types.citation import CellRef, Citation
from pincite.types.question import Shape
from pincite.types.record import Record


class Quantity(Record, frozen=True, kw_only=True, tag="quantity", tag_field="kind"):
    """A number with what it counts. `number` keeps the source's digits, so nothing is rounded."""

    number: str
    unit: str | None = None
    scale: str | None = None
    currency: str | None = None


class DateValue(Record, frozen=True, kw_only=True, tag="date", tag_field="kind"):
    """A date: ISO (as far as it is known, "2027-03" for a month) and as it stands in the source."""

    iso: str
    original: str


class Truth(Record, frozen=True, kw_only=True, tag="boolean", tag_field="kind"):
    """A yes or a no."""

    value: bool


class Cells(Record, frozen=True, kw_only=True, tag="cells", tag_field="kind"):
    """The cells of one table row or comparison side, in the order of the answer's `columns`."""

    cells: tuple[str, ...]


Value: TypeAlias = Quantity | DateValue | Truth | Cells


class Derivation(Record, frozen=True, kw_only=True):
    """How a value was computed from cited operands, in their order.

    A `difference` takes all others from the first operand, a `ratio` divides the first by the second, a `change` is
    that from the first to the second in percent of the first. A `formula` has several steps: they are in `formula`,
    with the operands as [1], [2] … in their order.
    """

    operator: Literal["count", "sum", "difference", "ratio", "mean", "change", "formula"]
    operands: tuple[str, ...]
    formula: str | None = None


class ClaimedQuote(Record, frozen=True, kw_only=True):
    """A quote that a draft claims, and where it says it stands; `cell` is the cell in it that is meant."""

    doc_id: str
    first_line_id: int
    last_line_id: int
    quote: str
    cell: CellRef | None = None


class DraftItem(Record, frozen=True, kw_only=True):
    """One item as the answerer wrote it, not yet checked."""

    text: str
    quotes: tuple[ClaimedQuote, ...]
    value: Value | None = None
    derivation: Derivation | None = None


class Draft(Record, frozen=True, kw_only=True):
    """An unchecked answer. No items means: the answerer did not find it; `reason` says why.

    `confidence` is between 0 and 1. `claimed_*` is the answerer's own opinion, recorded beside what
    pincite computes. `selected_from` is how many like records were read and tested for the items. `problems` are
    what the answerer itself sees to be wrong with its draft, each as a reason that can be told to it.
    """

    shape: Shape
    items: tuple[DraftItem, ...]
    columns: tuple[str, ...] = ()
    summary: str | None = None
    confidence: float = 0.0
    caveats: tuple[str, ...] = ()
    reason: str | None = None
    conflicting_evidence: bool = False
    extraction_method: Literal["verbatim", "computed", "inferred"] = "verbatim"
    claimed_complete: bool | None = None
    claimed_confidence: float | None = None
    selected_from: int | None = None
    problems: tuple[str, ...] = ()


class Item(Record, frozen=True, kw_only=True):
    """One item of an answer: each has at least one verified citation."""

    text: str
    citations: tuple[Citation, ...]
    value: Value | None = None
    derivation: Derivation | None = None


class SeeAlso(Record, frozen=True, kw_only=True):
    """A place that helps to read an answer and is no part of it: what a term means that the answer uses (`label`)."""

    label: str
    citation: Citation
    kind: Literal["definition"] = "definition"


class Signals(Record, frozen=True, kw_only=True):
    """How far the answer can be trusted. Completeness and structure are computed by pincite."""

    answer_found: bool
    complete_answer_found: bool
    context_completeness: float
    context_structured: bool
    confidence: float
    caveats: tuple[str, ...] = ()
    conflicting_evidence: bool = False
    extraction_method: Literal["verbatim", "computed", "inferred"] = "verbatim"
    missing_keywords: tuple[str, ...] = ()


class SearchedTerm(Record, frozen=True, kw_only=True):
    """A term that was searched and the number of passages that hold it."""

    term: str
    hits: int


class Searched(Record, frozen=True, kw_only=True):
    """What was searched."""

    documents: int
    pages: int
    sections: int
    terms: tuple[SearchedTerm, ...]


class ReadExtent(Record, frozen=True, kw_only=True):
    """What was read."""

    lines: int
    pages: int


class UnreadablePage(Record, frozen=True, kw_only=True):
    """A page that could not be read, and why."""

    doc_name: str
    page: int
    reason: str


Highlighter: TypeAlias = Callable[["Answer", Path], Path]


class Answer(Record, frozen=True, kw_only=True, dict=True, tag="answer", tag_field="result"):
    """A typed answer whose every item carries a verified citation; `see_also` is beside it, no part of it."""

    question: str
    shape: Shape
    items: tuple[Item, ...]
    signals: Signals
    trace_id: str
    columns: tuple[str, ...] = ()
    summary: str | None = None
    see_also: tuple[SeeAlso, ...] = ()

    def highlight(self, path: str | Path) -> Path:
        """Draw the citations: annotations on the original (.pdf), a page picture (.png), a report (.html).

        Returns the path written. Works on answers that came from a `Library`.

        Raises:
            SettingsError: the ending is none of those, or the answer has no library behind it.

        """
        highlighter: Highlighter | None = self.__dict__.get("_highlighter")
        if highlighter is None:
            raise SettingsError("this answer has no library behind it; use Library.highlight(answer, path)")
        return highlighter(self, Path(path))

    def highlighted_by(self, highlighter: Highlighter) -> "Answer":
        """Return this answer, drawn by `highlighter` from now on; it is no part of the value."""
        msgspec.structs.force_setattr(self, "_highlighter", highlighter)
        return self


class Refusal(Record, frozen=True, kw_only=True, tag="refusal", tag_field="result"):
    """No answer, and what was done to find one. It is a value, not an error."""

    question: str
    reason: Literal["not_found", "unreadable", "ambiguous", "unsupported", "empty"]
    message: str
    searched: Searched
    read: ReadExtent
    signals: Signals
    trace_id: str
    unreadable_pages: tuple[UnreadablePage, ...] = ()
    nearest: tuple[Citation, ...] = ()


Result: TypeAlias = Answer | Refusal

"""Say signals and refusals in words, the same in the terminal and in reports."""

from pincite.types.answer import Refusal, Signals
from pincite.types.record import Record

_REASONS = {
    "not_found": "Not in the lines that were read",
    "unreadable": "Part of the documents could not be read",
    "ambiguous": "The question has more than one meaning here",
    "unsupported": "No statement could be backed by a quote",
    "empty": "There is nothing to search",
}


class RefusalWords(Record, frozen=True, kw_only=True):
    """Why there is no answer, what was searched, and what was read, each as a short line."""

    reason: str
    searched: str
    read: str


def signal_words(signals: Signals) -> tuple[str, ...]:
    """Return what the signals of an answer say, each as a few words."""
    return (
        "complete" if signals.complete_answer_found else "may be incomplete",
        f"confidence {signals.confidence:.2f}",
        f"context {signals.context_completeness:.0%} complete"
        + ("" if signals.context_structured else ", not in order"),
        signals.extraction_method,
        *(["sources disagree"] if signals.conflicting_evidence else []),
        *([f"nowhere found: {', '.join(signals.missing_keywords)}"] if signals.missing_keywords else []),
    )


def refusal_words(refusal: Refusal) -> RefusalWords:
    """Return a refusal in words."""
    searched, read = refusal.searched, refusal.read
    extent = (
        (searched.documents, "document"),
        (searched.pages, "page"),
        (searched.sections, "section"),
    )
    return RefusalWords(
        reason=_REASONS[refusal.reason],
        searched=", ".join(_counted(number, noun) for number, noun in extent),
        read=f"{_counted(read.lines, 'line')} on {_counted(read.pages, 'page')}",
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")

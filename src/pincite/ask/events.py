"""What happens while a question is answered, as typed events; what is not checked yet says so."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from pincite.types.answer import Draft, Item, Result
from pincite.types.question import ParsedQuestion
from pincite.types.record import Record
from pincite.types.retrieval import Candidate, RetrievalResult
from pincite.types.trace import LoopRound
from pincite.verifying import Verified


class QuestionParsed(Record, frozen=True, kw_only=True, tag="question", tag_field="event"):
    """The question as it was understood."""

    question: ParsedQuestion


class CandidatesFound(Record, frozen=True, kw_only=True, tag="candidates", tag_field="event"):
    """The places that are read now, best first, and how many lines they are."""

    candidates: tuple[Candidate, ...]
    n_lines: int


class ItemsDrafted(Record, frozen=True, kw_only=True, tag="draft", tag_field="event"):
    """Items as they are written, while a reply comes in (`is_partial`) or whole. None of them is verified.

    Show them, if at all, as what is being looked into: items may change, fail the check, and never come back.
    """

    texts: tuple[str, ...]
    is_partial: bool


class ItemsChecked(Record, frozen=True, kw_only=True, tag="verdicts", tag_field="event"):
    """The items whose quotes and values hold, with their citations; and why others were dropped."""

    items: tuple[Item, ...]
    rejected: tuple[str, ...]


class RoundDone(Record, frozen=True, kw_only=True, tag="round", tag_field="event"):
    """A round of the loop: more was read, for a reason."""

    round: LoopRound


class Done(Record, frozen=True, kw_only=True, tag="done", tag_field="event"):
    """The result; nothing comes after it."""

    result: Result


AskEvent: TypeAlias = QuestionParsed | CandidatesFound | ItemsDrafted | ItemsChecked | RoundDone | Done
#: Called with each event, in the thread that answers.
Listener = Callable[[AskEvent], None]


def event_of(value: object) -> AskEvent | None:
    """Return the event that a step's value is, `None` for values that are none."""
    if isinstance(value, ParsedQuestion):
        return QuestionParsed(question=value)
    if isinstance(value, RetrievalResult):
        n_lines = sum(r.last_line_id - r.first_line_id + 1 for r in value.filtered_lines)
        return CandidatesFound(candidates=value.candidates, n_lines=n_lines)
    if isinstance(value, Draft):
        return ItemsDrafted(texts=tuple(item.text for item in value.items), is_partial=False)
    if isinstance(value, Verified):
        return ItemsChecked(items=value.items, rejected=value.rejected)
    return RoundDone(round=value) if isinstance(value, LoopRound) else None


def partial_event(reply: Any) -> ItemsDrafted:
    """Return the event of what is there of a reply that still comes in."""
    return ItemsDrafted(texts=tuple(_texts(reply)), is_partial=True)


def _texts(reply: Any) -> Iterator[str]:
    if not isinstance(reply, dict):
        return
    for name in ("items", "stated", "things"):
        items = reply.get(name)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(item.get("text"), str):
                yield item["text"]

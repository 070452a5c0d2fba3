"""Say how a result came about: from its trace, a line each."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.interfaces.cli.output import counted, print_line
from pincite.interfaces.cli.places import place_of

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.library import Library
    from pincite.types.trace import Trace

#: How many places of retrieval are shown.
_PLACES = 5


#: What stands before a line, and the line.
_Said = tuple[str, str]
_INDENT = " " * 12


def print_reasons(library: "Library", trace: "Trace", console: "Console") -> None:
    """Print what was understood, where it was looked for and why, what was tried again, and how long it took."""
    console.print()
    for lead, text in (*_question(trace), *_places(library, trace), *_draft(trace), *_rounds(trace), _times(trace)):
        print_line(console, text, lead=lead, style="dim")


def _question(trace: "Trace") -> Iterator[_Said]:
    from pincite.types.question import ParsedQuestion
    from pincite.types.record import from_json

    step = trace.step("question")
    if step is None:
        return
    question = from_json(step.output, ParsedQuestion)
    words = ", ".join(k.text if k.origin == "question" else f"{k.text} ({k.origin})" for k in question.keywords)
    yield "Understood  ", f"{question.shape}, read by {question.granularity}; searched for {words or 'nothing'}"
    if question.must_distinguish:
        yield _INDENT, f"lines have to carry {', '.join(question.must_distinguish)}"
    for note in question.notes:
        yield _INDENT, note


def _places(library: "Library", trace: "Trace") -> Iterator[_Said]:
    from pincite.types.record import from_json
    from pincite.types.retrieval import RetrievalResult

    step = trace.step("retrieval")
    if step is None:
        return
    found = from_json(step.output, RetrievalResult)
    yield "Looked at   ", f"{counted(len(found.candidates), 'place')}, confidence {found.confidence:.2f}"
    for candidate in found.candidates[:_PLACES]:
        yield f"  {candidate.rank}. ", f"{place_of(library, candidate.anchor)}: {candidate.reason}"
    if len(found.candidates) > _PLACES:
        yield "  ", f"… and {len(found.candidates) - _PLACES} more: `pincite trace {trace.trace_id} --json`"


def _draft(trace: "Trace") -> Iterator[_Said]:
    from pincite.types.answer import Draft
    from pincite.types.record import from_json

    step = trace.step("answer")
    if step is None:
        return
    draft = from_json(step.output, Draft)
    threshold = trace.settings.get("refusal_threshold")
    limit = f"; below {threshold:.2f} it is refused" if isinstance(threshold, float) else ""
    yield "Draft       ", f"{counted(len(draft.items), 'item')}, confidence {draft.confidence:.2f}{limit}"
    if draft.reason:
        yield _INDENT, draft.reason


def _rounds(trace: "Trace") -> Iterator[_Said]:
    for one in trace.rounds:
        yield "Again       ", f"because {one.trigger}: {one.action}; confidence {one.before:.2f} → {one.after:.2f}"


def _times(trace: "Trace") -> _Said:
    steps = ", ".join(f"{step.name} {step.seconds:.2f} s" for step in trace.steps)
    return "Trace       ", f"{trace.trace_id} ({steps})"

"""Live progress of a question on standard error: what is being done now, and nothing that could pass for an answer."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.ask.events import AskEvent
    from pincite.types.answer import Result

#: A status line is cut to this, so that it never wraps.
_WIDTH = 72


def watched(events: "Iterable[AskEvent]") -> "Result":
    """Return the result at the end of `events`; at a terminal show on the way what is being done."""
    from pincite.ask.events import Done
    from pincite.interfaces.cli.output import note_console

    console = note_console()
    if not sys.stderr.isatty():
        return next(event.result for event in events if isinstance(event, Done))
    with console.status("Reading the question", spinner="dots") as status:
        for event in events:
            if isinstance(event, Done):
                return event.result
            said = status_of(event)
            if said:
                status.update(said)
    raise AssertionError("events end with Done")


def status_of(event: "AskEvent") -> str:
    """Return one line that says what an event means; drafted items are called unchecked."""
    from pincite.ask.events import CandidatesFound, ItemsChecked, ItemsDrafted, QuestionParsed, RoundDone
    from pincite.interfaces.cli.output import counted

    match event:
        case QuestionParsed():
            said = "Searching"
        case CandidatesFound():
            said = f"Reading {counted(event.n_lines, 'line')} of {counted(len(event.candidates), 'place')}"
        case ItemsDrafted(is_partial=True):
            said = f"Writing, not checked yet: {_plain(event.texts[-1])}"
        case ItemsDrafted():
            said = f"Checking {counted(len(event.texts), 'item')}"
        case ItemsChecked():
            dropped = f", {len(event.rejected)} dropped" if event.rejected else ""
            said = f"{counted(len(event.items), 'item')} checked{dropped}"
        case RoundDone():
            said = f"Looked again: {_plain(event.round.action)}"
        case _:
            said = ""
    return said if len(said) <= _WIDTH else said[: _WIDTH - 1] + "…"


def _plain(text: str) -> str:
    """Return text of a model or document on one line, without control characters and without markup."""
    flat = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(flat.replace("[", "(").replace("]", ")").split())

"""Stored answers moved to where their quotes stand now."""

from collections.abc import Iterable

from msgspec import json

from pincite.ask.audit import AuditedAnswer, Auditor, FindDocument
from pincite.storage.opening import LibraryStore
from pincite.types.trace import Trace


def fix_traces(traces: Iterable[Trace], find: FindDocument, store: LibraryStore) -> tuple[AuditedAnswer, ...]:
    """Return the state of every stored answer as it was found; citations that only moved are stored anew."""
    auditor = Auditor(find)
    answers = []
    # A list: what is read is written to while it is walked.
    for trace in list(traces):
        answer, new = auditor.fixed(trace)
        if answer is None:
            continue
        answers.append(answer)
        if new is not trace:
            store.journal.save_trace(
                new.trace_id, json.encode(new), question=new.question, result="answer", asked_at=new.asked_at
            )
    return tuple(answers)

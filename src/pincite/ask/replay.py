"""Run a question again from any step, from what the step before it saved."""

from typing import Literal

from pincite.ask.outcome import Found
from pincite.ask.pipeline import AskRequest, Tools, check, finish, look_for, read, scope_of
from pincite.errors import SettingsError
from pincite.questions import generation_brief
from pincite.types.answer import Draft, Result
from pincite.types.question import ParsedQuestion
from pincite.types.record import R, from_json
from pincite.types.retrieval import RetrievalResult
from pincite.types.trace import Trace

StepName = Literal["retrieval", "answer", "verify"]


def replay(trace: Trace, tools: Tools, *, from_step: StepName) -> tuple[Result, Trace]:
    """Return the result of running `from_step` and what follows it again, and the new trace.

    Raises:
        SettingsError: the trace does not hold the step before; the message says which.

    """
    request = from_json(trace.scope, AskRequest)
    scope = scope_of(request, tools.store)
    question = _saved(trace, "question", ParsedQuestion)
    if from_step == "retrieval":
        return finish(look_for(question, request, scope, tools), request, scope, tools)
    note = tools.recorder
    retrieval = _saved(trace, "retrieval", RetrievalResult)
    lines = read(retrieval, tools)
    if from_step == "answer":
        brief = generation_brief(question)
        draft = note.step("answer", "retrieval", lambda: tools.answerer.answer(brief, lines))
    else:
        draft = _saved(trace, "answer", Draft)
    verified = note.step("verify", "answer", lambda: check(draft, retrieval, tools))
    found = Found(question=question, retrieval=retrieval, lines=lines, draft=draft, verified=verified)
    return finish(found, request, scope, tools)


def _saved(trace: Trace, name: str, kind: type[R]) -> R:
    step = trace.step(name)
    if step is None:
        raise SettingsError(f"trace {trace.trace_id} holds no step {name!r}: replay from an earlier one")
    return from_json(step.output, kind)

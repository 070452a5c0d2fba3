"""Run a question again from any step, from what the step before it saved."""

from typing import Literal

from pincite.ask.drafting import found_in
from pincite.ask.pipeline import finish, look_for, scope_of
from pincite.ask.tools import AskRequest, Tools
from pincite.errors import SettingsError
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
    retrieval = _saved(trace, "retrieval", RetrievalResult)
    draft = None if from_step == "answer" else _saved(trace, "answer", Draft)
    return finish(found_in(question, retrieval, tools, draft=draft), request, scope, tools)


def _saved(trace: Trace, name: str, kind: type[R]) -> R:
    step = trace.step(name)
    if step is None:
        raise SettingsError(f"trace {trace.trace_id} holds no step {name!r}: replay from an earlier one")
    return from_json(step.output, kind)

"""The trace of one question: versions, settings, and every step with what went in and what came out."""

from typing import Any

from pincite.types.model import ModelCall
from pincite.types.record import Record


class Step(Record, frozen=True, kw_only=True):
    """One step: `output` is the step's value in its JSON form, `input_step` the step it was made from."""

    name: str
    input_step: str | None
    output: Any
    seconds: float


class LoopRound(Record, frozen=True, kw_only=True):
    """One round of the bounded loop: what set it off, what was done, and the confidence before and after."""

    trigger: str
    action: str
    before: float
    after: float


class DocumentState(Record, frozen=True, kw_only=True):
    """The state of a document that an answer was checked against."""

    doc_id: str
    name: str
    content_hash: str
    parser: str


class Trace(Record, frozen=True, kw_only=True):
    """Everything needed to run a question again from any step; it holds no secret."""

    trace_id: str
    question: str
    asked_at: str
    versions: dict[str, str]
    settings: dict[str, Any]
    scope: Any
    steps: tuple[Step, ...]
    rounds: tuple[LoopRound, ...]
    documents: tuple[DocumentState, ...]
    result: Any
    calls: tuple[ModelCall, ...] = ()

    def step(self, name: str) -> Step | None:
        """Return the last step of that name."""
        return next((s for s in reversed(self.steps) if s.name == name), None)


class BundledLine(Record, frozen=True, kw_only=True):
    """A quoted line with where it stands."""

    doc_id: str
    line_id: int
    page_num: int
    line_num: int
    text: str


class Bundle(Record, frozen=True, kw_only=True):
    """An answer with the lines it quotes and the documents' hashes: it can be checked again offline."""

    pincite_version: str
    normaliser_version: int
    documents: tuple[DocumentState, ...]
    lines: tuple[BundledLine, ...]
    result: Any

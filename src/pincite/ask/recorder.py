"""Writes down every step of a question while it is answered."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from pincite.types.model import ModelCall
from pincite.types.record import to_json
from pincite.types.trace import LoopRound, Step

T = TypeVar("T")


class Recorder:
    """The steps, loop rounds and model calls so far."""

    def __init__(self, told: Callable[[object], None] | None = None) -> None:
        """Start empty; `told` is called with each step's value and each round as it comes."""
        self._told = told
        self.steps: list[Step] = []
        self.rounds: list[LoopRound] = []
        self.calls: list[ModelCall] = []

    @property
    def tokens(self) -> int:
        """How many tokens all calls used; kept replies used none."""
        return sum(call.input_tokens + call.output_tokens for call in self.calls if not call.is_cached)

    def step(self, name: str, made_from: str | None, work: Callable[[], T], shown: Callable[[T], Any] = to_json) -> T:
        """Do `work`, keep its value in JSON form under `name`, and return it."""
        start = time.perf_counter()
        value = work()
        seconds = round(time.perf_counter() - start, 4)
        self._tell(value)
        self.steps.append(Step(name=name, input_step=made_from, output=shown(value), seconds=seconds))
        return value

    def keep(self, name: str, made_from: str | None, value: Any) -> None:
        """Keep a value that was made before it was known to be a step."""
        self._tell(value)
        self.steps.append(Step(name=name, input_step=made_from, output=to_json(value), seconds=0.0))

    def round(self, done: LoopRound) -> None:
        """Keep a round of the loop."""
        self.rounds.append(done)
        self._tell(done)

    def _tell(self, value: object) -> None:
        if self._told is not None:
            self._told(value)

"""Notes what became of the questions of a request, for log and figures: answered, or why refused; never the words."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from fastapi import Request

from pincite.types.answer import Answer, Result

T = TypeVar("T")
L = TypeVar("L")


def noted(request: Request, work: Callable[[L], T], results: Callable[[T], Iterable[Result]]) -> Callable[[L], T]:
    """Return `work`, noting the `results` in what it returns as it ends."""

    def work_and_note(listener: L) -> T:
        made = work(listener)
        request.state.asked = tuple("answer" if isinstance(r, Answer) else r.reason for r in results(made))
        return made

    return work_and_note

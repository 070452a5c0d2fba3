"""A question answered in a thread, its events handed over one by one."""

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

from pincite.ask.events import AskEvent, Done, Listener, event_of, partial_event
from pincite.protocols import OnPartial
from pincite.types.answer import Result

#: How long the end of a question that nobody waits for any more is waited for.
_PATIENCE_S: Final = 5.0


class _Stopped(Exception):  # noqa: N818 - no error: nobody is listening any more
    """Ends the work of a question that nobody listens to."""


def streamed(work: Callable[[Listener], Result]) -> Iterator[AskEvent]:
    """Yield the events of `work`, which is given where to tell them; the last is `Done`.

    What `work` raises is raised here. Who stops listening ends the work at its next event.
    """
    events: queue.SimpleQueue[AskEvent | BaseException] = queue.SimpleQueue()
    is_over = threading.Event()

    def tell(event: AskEvent) -> None:
        if is_over.is_set():
            raise _Stopped
        events.put(event)

    def run() -> None:
        try:
            events.put(Done(result=work(tell)))
        except _Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits for it
            events.put(error)

    # A daemon: Ctrl-C does not wait for a service that does not reply.
    thread = threading.Thread(target=run, name="pincite-ask", daemon=True)
    thread.start()
    try:
        while True:
            event = events.get()
            if isinstance(event, BaseException):
                raise event
            yield event
            if isinstance(event, Done):
                break
    finally:
        is_over.set()
        thread.join(_PATIENCE_S)


def telling(listener: Listener) -> Callable[[object], None]:
    """Return what tells the listener of values that are events."""

    def tell(value: object) -> None:
        event = event_of(value)
        if event is not None:
            listener(event)

    return tell


def partial_teller(listener: Listener | None) -> OnPartial | None:
    """Return what tells the listener of partial replies; `None` where nobody listens: then nothing is streamed."""
    if listener is None:
        return None

    def tell(partial: Any) -> None:
        event = partial_event(partial)
        if event.texts:
            listener(event)

    return tell

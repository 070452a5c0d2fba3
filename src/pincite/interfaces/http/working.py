"""Long work beside the event loop: a bounded number of threads, and a slot is free only when its thread has ended."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


class Workers:
    """At most `n` pieces of work at a time, each in a thread of its own; others wait their turn."""

    def __init__(self, n: int, name: str) -> None:
        """Start nothing yet; `name` is what the threads are called."""
        self._free = asyncio.Semaphore(n)
        self._name = name
        self.n_running = 0

    async def run(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, or raise what it raises.

        Whoever is cancelled stops waiting; the slot stays taken until the thread has ended.
        """
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self.n_running += 1

        def ended(give: Callable[[asyncio.Future[T]], None]) -> None:
            self.n_running -= 1
            self._free.release()
            if not done.done():
                give(done)

        def body() -> None:
            try:
                value = work()
            except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits for it
                failure = error
                tell: Callable[[asyncio.Future[T]], None] = lambda future: future.set_exception(failure)  # noqa: E731
            else:
                tell = lambda future: future.set_result(value)  # noqa: E731
            with suppress(RuntimeError):  # the loop is closed: the server has ended
                loop.call_soon_threadsafe(ended, tell)

        # A daemon: a service that does not reply does not keep the server from ending.
        threading.Thread(target=body, name=self._name, daemon=True).start()
        return await done

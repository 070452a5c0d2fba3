"""How much is done at a time: questions, uploads, open streams and the rest each have a lane with a bounded queue."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final, Literal

from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.refusing import is_api

LaneName = Literal["questions", "uploads", "streams", "others"]
#: What is always served, however much there is to do: it says whether the server lives, and how it fares.
_FREE: Final = frozenset({"/v1/health", "/v1/ready", "/metrics"})
#: Ends of paths whose POST makes the server read and think.
_THINKING: Final = ("/ask", "/search", "/messages", "/replay", "/verify")


class LaneFullError(Exception):
    """There is no room to wait, or waiting took too long."""


class Lane:
    """At most `limit` requests are inside and `max_waiting` wait, first come first served."""

    def __init__(self, limit: int, max_waiting: int, max_wait_s: float) -> None:
        """Let nobody in yet."""
        self.limit = limit
        self.n_inside = 0
        self.n_waiting = 0
        self._free = asyncio.Semaphore(limit)
        self._max_waiting = max_waiting
        self._max_wait_s = max_wait_s

    @property
    def is_full(self) -> bool:
        """Whether who comes now has to wait."""
        return self._free.locked()

    async def enter(self) -> None:
        """Wait for a place.

        Raises:
            LaneFullError: there is none, and too many wait, or none became free in time.

        """
        if self.is_full and self.n_waiting >= self._max_waiting:
            raise LaneFullError
        self.n_waiting += 1
        try:
            async with asyncio.timeout(self._max_wait_s):
                await self._free.acquire()
        except TimeoutError as error:
            raise LaneFullError from error
        finally:
            self.n_waiting -= 1
        self.n_inside += 1

    def leave(self) -> None:
        """Give the place to who waits."""
        self.n_inside -= 1
        self._free.release()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Hold the place that `enter` gave until the end of the block."""
        try:
            yield
        finally:
            self.leave()


class Lanes:
    """The lanes of a server, by name."""

    def __init__(self, options: AccessOptions) -> None:
        """Make them empty."""
        limits: dict[LaneName, int] = {
            "questions": options.max_questions,
            "uploads": options.max_uploads,
            "streams": options.max_streams,
            "others": options.max_others,
        }
        made = {name: Lane(n, options.max_waiting, options.max_wait_s) for name, n in limits.items()}
        self.by_name: Mapping[LaneName, Lane] = MappingProxyType(made)


def lane_of(method: str, path: str) -> LaneName | None:
    """Return the lane of a request, `None` where it needs no place.

    An open stream of progress holds its place for as long as it is open. The files of the page are small and wait for
    nobody.
    """
    if path in _FREE or not is_api(path):
        return None
    if method == "POST":
        if path == "/v1/documents":
            return "uploads"
        return "questions" if path.endswith(_THINKING) else "others"
    return "streams" if path.endswith("/events") else "others"

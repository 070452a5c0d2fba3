"""What was read last, kept for the next question."""

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """At most `most` values by number; the one that was not asked for longest goes first. Safe for many threads."""

    def __init__(self, most: int) -> None:
        """Keep nothing yet."""
        self._most = most
        self._guard = threading.Lock()
        self._kept: OrderedDict[int, T] = OrderedDict()

    def get(self, key: int) -> T | None:
        """Return what is kept under a number, or `None`."""
        with self._guard:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def keep(self, key: int, value: T) -> None:
        """Keep a value under a number."""
        with self._guard:
            self._kept[key] = value
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

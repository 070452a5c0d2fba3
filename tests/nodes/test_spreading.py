"""Work that is handed out to nodes: all of it is done, never too much at a time, and again where a node dies."""

from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import ClusterError
from pincite.nodes.engine import Broken, Lost
from pincite.nodes.spreading import spread


class Numbers(msgspec.Struct, frozen=True):
    """A piece of work: numbers to be doubled."""

    numbers: tuple[int, ...]

    @property
    def work(self) -> Any:
        """Doubling."""
        return lambda order: [2 * number for number in order]

    @property
    def on_gpu(self) -> bool:
        """No."""
        return False

    @property
    def n_bytes(self) -> int:
        """The numbers themselves."""
        return sum(self.numbers)

    def order(self) -> Any:
        """Return the numbers."""
        return self.numbers

    def halves(self) -> tuple["Numbers", ...]:
        """Return it in two parts."""
        middle = len(self.numbers) // 2
        return (Numbers(self.numbers[:middle]), Numbers(self.numbers[middle:])) if middle else (self,)


class Nodes:
    """Does work when its reply is asked for; `fate` may put another reply in its place."""

    n_gpus = 0

    def __init__(self, n_slots: int = 3, fate: Callable[[Any], Any] = lambda _: None) -> None:
        self.n_slots = n_slots
        self.most = self.most_bytes = 0
        self._fate = fate
        self._under_way: deque[tuple[int, Any, Any]] = deque()
        self._n_started = 0

    def start(self, work: Any, order: Any, *, on_gpu: bool = False) -> int:
        """Take an order."""
        del on_gpu
        self._n_started += 1
        self._under_way.append((self._n_started, work, order))
        self.most = max(self.most, len(self._under_way))
        self.most_bytes = max(self.most_bytes, sum(sum(order) for _, _, order in self._under_way))
        return self._n_started

    def next_done(self) -> Any:
        """Do the newest order: replies come in any order."""
        number, work, order = self._under_way.pop()
        return number, self._fate(order) or work(order)


def doubled(nodes: Nodes, pieces: list[Numbers], **options: Any) -> list[int]:
    """Return all replies in one sorted list."""
    done = [one for one in spread(nodes, pieces, **options) if one is not None]
    return sorted(number for one in done for number in one.reply or [])


@given(st.lists(st.lists(st.integers(0, 50), min_size=1).map(tuple)), st.integers(1, 5), st.integers(1, 90))
def test_everything_is_done_once_and_little_is_under_way(
    numbers: list[tuple[int, ...]], n_slots: int, most_bytes: int
) -> None:
    """Each piece is answered once; never more pieces or bytes are under way than allowed, but for one large piece."""
    nodes = Nodes(n_slots)

    replies = doubled(nodes, [Numbers(some) for some in numbers], most_bytes=most_bytes)

    assert replies == sorted(2 * number for some in numbers for number in some)
    assert nodes.most <= n_slots
    assert nodes.most_bytes <= max([most_bytes, *(sum(some) for some in numbers)])


@given(st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)))
def test_what_kills_processes_is_found_and_the_rest_is_done(numbers: set[int], deadly: set[int]) -> None:
    """Files that kill each process are reported one by one; those that were sent with them are done."""
    nodes = Nodes(fate=lambda order: Lost(reason="crashed") if deadly & set(order) else None)

    done = [one for one in spread(nodes, [Numbers(tuple(numbers))] if numbers else []) if one is not None]

    assert sorted(n for one in done for n in one.reply or []) == sorted(2 * n for n in numbers - deadly)
    assert {one.piece.numbers for one in done if one.reply is None} == {(n,) for n in numbers & deadly}


def test_a_node_that_cannot_work_leaves_it_to_others() -> None:
    """A node that does not see the library costs nothing but time while another node does."""
    broken = [Broken(node="a", code="c", message="m")] * 2

    assert doubled(Nodes(fate=lambda _: broken.pop() if broken else None), [Numbers((1, 2))]) == [2, 4]


def test_work_that_no_node_can_do_is_an_error_that_says_why() -> None:
    """Where the reason lies in no file, nothing is reported as a failed file."""
    broken = Broken(node="node-7", code="store_failed", message="the library cannot be used")

    with pytest.raises(ClusterError, match=r"node-7 .*store_failed.*cannot be used"):
        doubled(Nodes(fate=lambda _: broken), [Numbers((1, 2))])


def test_who_waits_is_told_that_nothing_was_done() -> None:
    """While a long file is read the driver can make others visible."""
    nodes = Nodes()
    waits = [None, None]
    answered = nodes.next_done
    nodes.next_done = lambda: waits.pop() if waits else answered()  # type: ignore[method-assign]

    assert [one and one.reply for one in spread(nodes, [Numbers((4,))])] == [None, None, [8]]

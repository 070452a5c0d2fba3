"""Work handed out to nodes a few pieces at a time, and again where a node could not do it."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, Generic, Protocol, Self, TypeVar

import msgspec

from pincite.errors import ClusterError
from pincite.nodes.engine import Broken, Engine, Lost, Order, Reply, Work

#: The most bytes of files that are under way: they are in the memory of this machine until they are read.
MOST_BYTES: Final = 256 << 20
#: How often work is tried that a node says it cannot do; another node may be able to.
_TRIES: Final = 3


class Piece(Protocol):
    """Work that is planned: light enough to keep until it is done."""

    @property
    def work(self) -> Work:
        """What a node does with its order."""
        ...

    @property
    def on_gpu(self) -> bool:
        """Whether it is for nodes with a GPU."""
        ...

    @property
    def n_bytes(self) -> int:
        """About how many bytes its order has."""
        ...

    def order(self) -> Order:
        """Return what is sent; called again when the piece is sent again."""
        ...

    def halves(self) -> tuple[Self, ...]:
        """Return it in two parts, itself alone where it has one."""
        ...


P = TypeVar("P", bound=Piece)


class Done(msgspec.Struct, Generic[P], frozen=True):
    """A piece with its reply; `None` where it kills each process that works on it."""

    piece: P
    reply: Reply | None
    reason: str = ""


def spread(engine: Engine, pieces: Iterable[P], *, most_bytes: int = MOST_BYTES) -> Iterator[Done[P] | None]:
    """Yield each piece when it is done, in any order, and `None` when nothing was done for a while.

    Pieces are taken as nodes become free. One that processes die of is halved until one part of it is to blame, which
    is yielded without a reply.

    Raises:
        ClusterError: a node could not do its work, nor could others, for no reason that lies in the piece.

    """
    waiting = iter(pieces)
    again: deque[tuple[P, int]] = deque()
    under_way: dict[int, tuple[P, int]] = {}
    held: tuple[P, int] | None = None
    while True:
        while len(under_way) < engine.n_slots:
            held = held or (again.popleft() if again else _first(waiting))
            n_bytes = sum(piece.n_bytes for piece, _ in under_way.values())
            if held is None or (under_way and n_bytes + held[0].n_bytes > most_bytes):
                break
            under_way[engine.start(held[0].work, held[0].order(), on_gpu=held[0].on_gpu)] = held
            held = None
        if not under_way:
            return
        answered = engine.next_done()
        if answered is None:
            yield None
            continue
        number, reply = answered
        piece, tries = under_way.pop(number)
        if isinstance(reply, Broken):
            again.append((piece, _tried(reply, tries)))
        elif isinstance(reply, Lost) and (len(piece.halves()) > 1 or tries == 0):
            again.extend((half, tries + 1 if half == piece else 0) for half in piece.halves())
        elif isinstance(reply, Lost):
            yield Done(piece, None, reply.reason)
        else:
            yield Done(piece, reply)


def _first(waiting: Iterator[P]) -> tuple[P, int] | None:
    piece: Any = next(waiting, None)
    return None if piece is None else (piece, 0)


def _tried(broken: Broken, tries: int) -> int:
    if tries + 1 >= _TRIES:
        raise ClusterError(f"the node {broken.node} cannot do its work ({broken.code}): {broken.message}")
    return tries + 1

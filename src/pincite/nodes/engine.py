"""What runs work on nodes, as the driver sees it; `pincite.nodes.ray_engine` is the one there is."""

from collections.abc import Callable
from typing import Any, Protocol

from pincite.types.record import Record

#: An order, and what answers it: pairs of the records of `pincite.nodes.orders`.
Order = Any
Reply = Any
#: A function of `pincite.nodes.work`: nodes have it too, so only its name travels.
Work = Callable[[Order], Reply]


class Broken(Record, frozen=True, kw_only=True):
    """The reply of a node that could not do its work, for no reason that lies in the files: why, and which node."""

    node: str
    code: str
    message: str


class Lost(Record, frozen=True, kw_only=True):
    """Stands for a reply that will not come: the process died with the work each time it was tried."""

    reason: str


class Engine(Protocol):
    """Runs work on nodes. Work may run more than once, and a reply comes once."""

    @property
    def n_slots(self) -> int:
        """How many pieces of work to have under way, so that every node has something to do; it may change."""
        ...

    @property
    def n_gpus(self) -> int:
        """How many GPUs the nodes have."""
        ...

    def start(self, work: Work, order: Order, *, on_gpu: bool = False) -> int:
        """Begin work and return its number."""
        ...

    def next_done(self) -> tuple[int, Reply | Broken | Lost] | None:
        """Wait for any work that was started; return its number and the reply, `None` after a few seconds without.

        Raises:
            ClusterError: no node is left that could do the work.

        """
        ...

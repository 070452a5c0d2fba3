"""`RayEngine`: the nodes of a Ray cluster, or Ray on this machine alone. The one module that imports Ray.

Ray tries work again whose process or node died, wherever there is room. It is told to send nobody statistics, shows no
dashboard where it is started here, and gets no text of a document but inside of what it stores for nodes.
"""

import os
import secrets
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Final

from pincite.errors import ClusterError, MissingExtraError, SettingsError
from pincite.nodes.engine import Broken, Lost, Order, Reply, Work

#: Pieces under way for each core: one that is worked on, one that waits beside it.
_AHEAD: Final = 2
#: How often Ray tries work again whose process or node died.
_RETRIES: Final = 3
#: How long one wait for a reply is, and how long the state of the cluster may be known for, in seconds.
_WAIT_S: Final = 2.0
_STATE_S: Final = 5.0
#: How long the cluster may be without any core until that is an error, in seconds: nodes may be on their way.
_PATIENCE_S: Final = 120.0
#: Ray reads these when it is imported. Statistics are off; where pincite starts Ray itself nothing but this machine can
#: reach it (the variable that says so is named for systems where that is Ray's default), nor who lacks the token.
_QUIET: Final = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
_ALONE: Final = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token"}


@contextmanager
def open_ray(address: str | None) -> "Iterator[RayEngine]":
    """Connect to the cluster at `HOST:PORT` ("auto": the one that this machine is a node of).

    Without `address` to the one that $RAY_ADDRESS names, else to Ray that is started on this machine alone.
    At the end of the `with` block work that is under way is ended, and Ray where it was started here.

    Raises:
        MissingExtraError: Ray is not installed.
        SettingsError: the address is of a kind that cannot be used.
        ClusterError: there is no cluster at the address, or it does not let us in.

    """
    if find_spec("ray") is None:
        raise MissingExtraError("adding over nodes takes Ray: pip install 'pincite[scale]'")
    address = address or os.environ.get("RAY_ADDRESS") or None
    if address is not None and "://" in address:
        raise SettingsError(
            f"{address!r}: run this command on a node of the cluster (`ray start --address=HOST:PORT --num-cpus=0` "
            'makes this machine one), and name it by HOST:PORT or "auto"'
        )
    alone = {} if address is not None else {**_ALONE, "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    before = dict(os.environ)
    os.environ.update(_QUIET | alone)
    import ray
    from ray._private import worker

    # Ray prints what happens to nodes on standard output, which is for the report; `ray.util.rpdb` hushes it like this.
    worker._worker_logs_enabled = False  # noqa: SLF001
    options: dict[str, Any] = {"include_dashboard": False} if address is None else {}
    try:
        # `logging_level` 50: what Ray has to say is said in errors of ours. Output of workers stays on their nodes.
        with warnings.catch_warnings():
            # Ray forks to start its own programs at once: nothing of Lance is used in between.
            warnings.filterwarnings("ignore", message="lance is not fork-safe")
            ray.init(address=address or "local", log_to_driver=False, logging_level=50, **options)
    except Exception as error:
        words = str(error).split("\n", 1)[0][:300]
        raise ClusterError(f"the Ray cluster at {address or 'this machine'!r} cannot be reached: {words}") from error
    try:
        yield RayEngine()
    finally:
        ray.shutdown()
        for name in alone:  # a cluster that is named next has its own
            os.environ.pop(name)
            os.environ.update({name: before[name]} if name in before else {})


class RayEngine:
    """Runs work on the nodes of the cluster that this process is connected to."""

    def __init__(self) -> None:
        """Look at no node yet."""
        self._made: dict[Work, Any] = {}
        self._under_way: dict[Any, tuple[int, Any]] = {}
        self._n_started = 0
        self._resources: tuple[float, dict[str, float]] = (float("-inf"), {})
        self._without_since: float | None = None

    @property
    def n_slots(self) -> int:
        """Twice the cores of all nodes."""
        return max(2, _AHEAD * int(self._state().get("CPU", 0)))

    @property
    def n_gpus(self) -> int:
        """The GPUs of all nodes."""
        return int(self._state().get("GPU", 0))

    def _state(self) -> dict[str, float]:
        import ray

        seen_at, known = self._resources
        if time.monotonic() - seen_at > _STATE_S:
            resources: Any = ray.cluster_resources  # Ray has no types here
            known = resources()
            self._resources = (time.monotonic(), known)
        return known

    def start(self, work: Work, order: Order, *, on_gpu: bool = False) -> int:
        """Begin work on a node with a free core, on one with a free GPU where that is asked for."""
        import ray

        if work not in self._made:
            self._made[work] = ray.remote(work)
        options = {"num_cpus": 1, "num_gpus": int(on_gpu), "max_retries": _RETRIES, "scheduling_strategy": "SPREAD"}
        # Held until the reply is there, so that Ray can send it again.
        sent = ray.put(order)
        self._n_started += 1
        self._under_way[self._made[work].options(**options).remote(sent)] = (self._n_started, sent)
        return self._n_started

    def next_done(self) -> tuple[int, Reply | Broken | Lost] | None:
        """Wait for a reply; return its number and what it is, `None` after two seconds without.

        Raises:
            ClusterError: there has been no node with a core for two minutes, or nodes have no pincite.

        """
        import ray
        from ray import exceptions

        ready, _ = ray.wait(list(self._under_way), num_returns=1, timeout=_WAIT_S)
        if not ready:
            self._check_nodes()
            return None
        self._without_since = None
        number, _ = self._under_way.pop(ready[0])
        try:
            return number, ray.get(ready[0])
        except exceptions.RayTaskError as error:
            # Work itself never raises: this is a node that cannot import it, or cannot read what was sent.
            words = str(error.cause if error.cause is not None else error).strip().rsplit("\n", 1)[-1][:300]
            raise ClusterError(f"a node cannot work: {words}; install the same pincite[scale] on every node") from None
        except exceptions.RayError as error:
            return number, Lost(reason=type(error).__name__)

    def _check_nodes(self) -> None:
        if self._state().get("CPU", 0) > 0:
            self._without_since = None
            return
        now = time.monotonic()
        self._without_since = self._without_since or now
        if now - self._without_since > _PATIENCE_S:
            raise ClusterError(f"the cluster has had no node with a core for {_PATIENCE_S:g} s; run again when it has")

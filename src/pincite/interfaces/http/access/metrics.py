"""Figures of the server in the form of Prometheus, at `/metrics`, for who may see every collection."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

from pincite.interfaces.http.access.caller import Caller
from pincite.interfaces.http.access.lanes import Lanes
from pincite.interfaces.http.access.observing import ServedRequest
from pincite.interfaces.http.openapi import sends
from pincite.interfaces.http.opened import caller_of, check_scope
from pincite.interfaces.http.problems import ProblemError

#: Upper bounds of the classes of the latency histogram, in seconds: a page picture takes milliseconds, an answer of a
#: language model half a minute.
_BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)

router = APIRouter(tags=["health"])


class Metrics:
    """The figures of one server."""

    def __init__(self, lanes: Lanes) -> None:
        """Count from zero; `lanes` say how much is being done and waits."""
        self._registry = CollectorRegistry()
        self._lanes = lanes
        self._counts: list[tuple[Gauge, Callable[[], Mapping[str, int]]]] = []
        ProcessCollector(registry=self._registry)
        self._requests = self._counter("pincite_http_requests", "Requests.", ("method", "route", "status"))
        self._seconds = Histogram(
            "pincite_http_request_seconds",
            "From the first byte of a request to the end of its response.",
            ("method", "route"),
            buckets=_BUCKETS_S,
            registry=self._registry,
        )
        self._questions = self._counter("pincite_questions", "Questions, by what became of them.", ("result",))
        self._inside = self._gauge("pincite_requests_inside", "Requests that are being served.", "lane")
        self._waiting = self._gauge("pincite_requests_waiting", "Requests that wait for a place.", "lane")

    def watch(self, served: ServedRequest) -> None:
        """Count a request."""
        self._requests.labels(served.method, served.route, str(served.status)).inc()
        self._seconds.labels(served.method, served.route).observe(served.ms / 1000)
        for result in served.asked:
            self._questions.labels(result).inc()

    def count(self, name: str, says: str, label: str, counts: Callable[[], Mapping[str, int]]) -> None:
        """Add a figure that `counts` gives by label whenever the figures are read, in a thread of its own."""
        self._counts.append((self._gauge(name, says, label), counts))

    async def text(self) -> bytes:
        """Return the figures as they are now."""
        for name, lane in self._lanes.by_name.items():
            self._inside.labels(name).set(lane.n_inside)
            self._waiting.labels(name).set(lane.n_waiting)
        for gauge, counts in self._counts:
            found = await asyncio.to_thread(counts)
            gauge.clear()
            for label, number in found.items():
                gauge.labels(label).set(number)
        return generate_latest(self._registry)

    def _counter(self, name: str, says: str, labels: Iterable[str]) -> Counter:
        return Counter(name, says, tuple(labels), registry=self._registry)

    def _gauge(self, name: str, says: str, label: str) -> Gauge:
        return Gauge(name, says, (label,), registry=self._registry)


def seeing_all(request: Request) -> Caller:
    """Return who asks for what concerns the whole server.

    Raises:
        ProblemError: they are bound to one collection, and for them there is no such thing (404).

    """
    caller = caller_of(request)
    if not caller.sees_all:
        raise ProblemError(404, "not_found", f"there is no {request.url.path}")
    check_scope(caller, "read")
    return caller


WholeServer = Annotated[Caller, Depends(seeing_all)]


@router.get("/metrics", **sends("text/plain", description="The figures."))
async def metrics(request: Request, caller: WholeServer) -> Response:
    """Return the figures of the server in the form of Prometheus."""
    del caller
    kept: Metrics | None = getattr(request.app.state, "metrics", None)
    if kept is None:
        raise ProblemError(404, "not_found", "there are no figures: the application runs without `pincite serve`")
    return Response(await kept.text(), media_type=CONTENT_TYPE_LATEST)

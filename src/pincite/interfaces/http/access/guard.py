"""`guarded`: everything that stands between the network and the routes, in the order a request meets it."""

from collections.abc import Sequence
from typing import Protocol

from fastapi import FastAPI
from starlette.types import ASGIApp

from pincite.interfaces.http.access.admission import Admission
from pincite.interfaces.http.access.authentication import Authentication
from pincite.interfaces.http.access.headers import SecurityHeaders
from pincite.interfaces.http.access.lanes import Lanes
from pincite.interfaces.http.access.lengths import Lengths
from pincite.interfaces.http.access.logs import log_request
from pincite.interfaces.http.access.metrics import Metrics
from pincite.interfaces.http.access.observing import Observing
from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.origins import Origins
from pincite.interfaces.http.access.rates import Rates
from pincite.interfaces.http.access.tokens import Tokens


class Wrapping(Protocol):
    """Puts something around an application, such as spans of OpenTelemetry."""

    def __call__(self, app: ASGIApp) -> ASGIApp:
        """Return an application that serves through `app`."""
        ...


def guarded(app: FastAPI, tokens: Tokens, options: AccessOptions, *, outermost: Sequence[Wrapping] = ()) -> ASGIApp:
    """Return `app` behind log, figures, headers, origins, tokens, rates and bounded queues.

    The tokens and the figures are put into the state of `app`, for the routes that need them. `outermost` is put around
    all of it but the log.
    """
    lanes = Lanes(options)
    metrics = Metrics(lanes)
    app.state.tokens = tokens
    app.state.metrics = metrics
    inner: ASGIApp = Admission(app, lanes=lanes, options=options)
    if options.rate_per_s is not None:
        inner = Rates(inner, per_s=options.rate_per_s, burst=options.burst)
    inner = Authentication(inner, tokens=tokens, required=options.require_token)
    inner = Origins(inner, allowed=options.cors, local_only=not options.require_token)
    inner = Lengths(inner)
    inner = SecurityHeaders(inner)
    for wrap in outermost:
        inner = wrap(inner)
    return Observing(inner, [log_request, metrics.watch])

"""How often one caller may come: a bucket of tokens for each, filled at a steady rate."""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.interfaces.http.access.caller import NOBODY
from pincite.interfaces.http.access.refusing import is_api, refuse

#: Buckets that are kept; whoever came longest ago is forgotten first, which can only give them a full one.
_MOST_CALLERS: Final = 10_000
_FREE: Final = frozenset({"/v1/health", "/v1/ready"})


class Rates:
    """Refuses (429) who sends more than `burst` requests at once, or `per_s` in the long run."""

    def __init__(self, app: ASGIApp, *, per_s: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        """Stand before `app`."""
        self._app = app
        self._per_s = per_s
        self._burst = burst
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "http" and is_api(scope["path"]) and scope["path"] not in _FREE:
            wait_s = self._take(caller_key(scope))
            if wait_s > 0:
                detail = f"more than {self._per_s:g} requests a second; come back in {math.ceil(wait_s)} s"
                await refuse(scope, send, 429, "rate_limited", detail, {"retry-after": str(math.ceil(wait_s))})
                return
        await self._app(scope, receive, send)

    def _take(self, key: str) -> float:
        """Take one token out of a bucket; return 0, or after how many seconds there will be one."""
        now = self._now()
        left, at = self._buckets.pop(key, (float(self._burst), now))
        left = min(float(self._burst), left + (now - at) * self._per_s)
        wait_s = 0.0 if left >= 1 else (1 - left) / self._per_s
        self._buckets[key] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > _MOST_CALLERS:
            self._buckets.popitem(last=False)
        return wait_s


def caller_key(scope: Scope) -> str:
    """Return who is counted: the token, else the address; of IPv6 the network of a household (64 bits)."""
    caller = scope.get("state", {}).get("caller", NOBODY)
    if caller.token_id:
        return f"token {caller.token_id}"
    host = (scope.get("client") or ("", 0))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return f"address {host}"
    if address.version == 6:
        return f"network {ipaddress.ip_network((address, 64), strict=False)}"
    return f"address {address}"

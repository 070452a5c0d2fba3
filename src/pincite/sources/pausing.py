"""How long a server asks to wait, and the patience to do so."""

import email.utils
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

#: A server that asks for less than this is waited for, in seconds; beyond it one is told when to come again.
PATIENCE_S: Final = 120.0
#: GitHub asks for at least a minute where it says nothing (docs.github.com, rate limits for the REST API).
SILENT_S: Final = 60.0

#: Is told in words why and how long nothing happens.
OnPause = Callable[[str], None]


def asked_wait_s(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds `Retry-After` or a used-up rate limit ask for, `None` where they say nothing.

    The server's own clock counts: this machine's may be wrong.
    """
    after = headers.get("retry-after", "").strip()
    now = _date(headers.get("date", "")) or time.time()
    if after.isdigit():
        return float(after)
    if (moment := _date(after)) is not None:
        return max(0.0, moment - now)
    reset = headers.get("x-ratelimit-reset", "").strip()
    if headers.get("x-ratelimit-remaining", "").strip() == "0":
        # A second more: the time is given in whole seconds.
        return max(0.0, float(reset) - now) + 1.0 if _is_number(reset) else SILENT_S
    return None


def clock_words(wait_s: float) -> str:
    """Return `until 14:05 UTC (37 minutes)`."""
    until = datetime.fromtimestamp(time.time() + wait_s, tz=UTC)
    amount = f"{wait_s:.0f} seconds" if wait_s < 120 else f"{wait_s / 60:.0f} minutes"
    return f"until {until:%H:%M:%S} UTC ({amount})"


def _date(text: str) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(text).timestamp() if text else None
    except ValueError:
        return None


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()

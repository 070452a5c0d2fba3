"""Moments that order rows: no two of this process are alike."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Final

_TICK: Final = timedelta(microseconds=1)
_guard = threading.Lock()
_last = datetime.min.replace(tzinfo=UTC)


def moment() -> str:
    """Return an ISO time in UTC with microseconds: now, or as much later as makes it later than the one before."""
    global _last  # noqa: PLW0603 - what was given last is known to the whole process
    with _guard:
        _last = max(datetime.now(UTC), _last + _TICK)
        return _last.isoformat(timespec="microseconds")

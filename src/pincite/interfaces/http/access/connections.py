"""Closes connections that send no request, or send its headers too slowly: uvicorn itself would keep them for ever."""

import asyncio
from typing import Any, Final

#: A connection without a request that is being served is closed after this long, in seconds. Between two requests
#: uvicorn closes sooner, after 5 s without a byte.
PATIENCE_S: Final = 15.0


async def close_idle(connections: set[Any], *, patience_s: float = PATIENCE_S) -> None:
    """Look at uvicorn's connections again and again, and close those whose request does not come; runs for ever."""
    since: dict[Any, tuple[object, float]] = {}
    loop = asyncio.get_running_loop()
    while True:
        now = loop.time()
        open_now = set(connections)
        since = {one: seen for one, seen in since.items() if one in open_now}
        for one in open_now:
            cycle = one.cycle
            if cycle is not None and not cycle.response_complete:
                since.pop(one, None)
                continue
            last, began = since.get(one, (None, now))
            if one not in since or last is not cycle:
                since[one] = (cycle, now)
            elif now - began >= patience_s:
                one.transport.close()
        await asyncio.sleep(patience_s / 5)

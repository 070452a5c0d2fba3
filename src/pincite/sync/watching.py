"""Wait until a folder has changed and come to rest."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pincite.storage.own_files import LANCE_NAME, is_own_file
from pincite.storage.sqlite import DATABASE_NAME

#: How often the folder is looked at, in seconds. A look at 5,000 files takes about 30 ms.
POLL_S: Final = 1.0

#: Stands for the state of a folder; two equal ones mean that nothing changed.
Signature = int


def signature(folder: Path) -> Signature:
    """Return what stands for every file below a folder, without reading one; a library's own files do not count.

    The time of the last change of the inode is in it: no program can set that one back, as it can that of the content.
    """
    found = []
    libraries: list[str] = []
    for place, folders, names in os.walk(folder):
        if DATABASE_NAME in names or LANCE_NAME in folders:
            libraries.append(place)
        in_library = any(place == one or place.startswith(one + os.sep) for one in libraries)
        for name in names:
            if in_library and is_own_file(Path(place, name)):
                continue
            try:
                state = os.stat(os.path.join(place, name))  # noqa: PTH116, PTH118 - a Path for each costs as much
            except OSError:
                continue
            found.append((place, name, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns))
    return hash(tuple(sorted(found)))


def wait_for_change(
    look: Callable[[], Signature],
    before: Signature,
    *,
    debounce_s: float,
    at_most_s: float,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Signature:
    """Return the new signature when it has changed and then stayed the same for `debounce_s` seconds.

    Returns `before` after `at_most_s` seconds without a change: some places say nothing of their changes.
    """
    end = clock() + at_most_s
    while (now := look()) == before:
        if clock() >= end:
            return before
        sleep(POLL_S)
    rest_began = clock()
    while clock() - rest_began < debounce_s:
        sleep(min(POLL_S, debounce_s))
        latest = look()
        if latest != now:
            now, rest_began = latest, clock()
    return now

"""A process that writes documents to a library and says which are committed; tests kill it or run several.

Arguments: the library, and the numbers from which and up to which documents are written. `--batch N` writes N of them
at a time, `--rounds N` everything N times; `--die-after TABLE:N` kills the process after the Nth commit of a table.
Documents come in versions: whatever is there at version N is replaced by version N + 1.
"""

import argparse
import os
import runpy
import signal
import sys
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pincite.storage.lance import tables
from pincite.storage.lance.store import LanceStore
from pincite.types.document import NamedObject


def main() -> None:
    """Write, and report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--die-after")
    given = parser.parse_args()
    tools = runpy.run_path(str(Path(__file__).parents[1] / "storage" / "conftest.py"))
    if given.die_after:
        die_after(*given.die_after.split(":"))
    with LanceStore(given.library) as store:
        for _ in range(given.rounds):
            for first in range(given.first, given.end, given.batch):
                numbers = range(first, min(first + given.batch, given.end))
                with store.writing():
                    written = [put(store, number, tools["make"]) for number in numbers]
                for name, version in written:
                    sys.stdout.write(f"{name} {version}\n")
                sys.stdout.flush()


def put(store: LanceStore, number: int, make: Any) -> tuple[str, int]:
    """Replace a document by its next version."""
    name = f"d{number:02}.md"
    known = store.find_by_uri(f"/library/{name}")
    version = 1 if known is None else int(known.metadata["version"]) + 1
    texts = [f"Marker d{number:02} edition{version} part{part} of the log." for part in range(5 + version)]
    made = make(name, texts)
    fields = {n: getattr(made.record, n) for n in made.record.__struct_fields__}
    record = made.record.__class__(**{**fields, "metadata": {"version": version}})
    named = NamedObject(kind="note", label="Log", title=texts[0], page_num=1, line_num=1)
    document = replace(made.document, objects=(named,))
    store.put(record, document, made.passages, original="\n".join(texts).encode())
    return name, version


def die_after(table: str, number: str) -> None:
    """Kill this process behind a commit."""
    retried = tables.Tables._retried
    left = int(number)

    def counted(self: tables.Tables, name: str, work: Any) -> Any:
        nonlocal left
        done = retried(self, name, work)
        if name == table:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return done

    tables.Tables._retried = counted  # type: ignore[method-assign]


if __name__ == "__main__":
    main()

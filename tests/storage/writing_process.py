"""A process that adds documents to a library one by one and says so; tests kill it or run two of them.

Arguments: the library, the number of documents, the seed of the order, and (optional) the number of the writing SQL
statement at which the process kills itself. Documents come in versions: whatever is there at version N is replaced by
version N + 1. Each line of output names a document and version that is committed.
"""

import os
import random
import runpy
import signal
import sqlite3
import sys
from pathlib import Path

from pincite.storage import connections
from pincite.storage.sqlite import SqliteStore


def main() -> None:
    """Add, embed, and report."""
    tools = runpy.run_path(str(Path(__file__).with_name("conftest.py")))
    folder, n_documents, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    embedder = tools["HashEmbedder"]()
    numbers = list(range(n_documents))
    random.Random(seed).shuffle(numbers)  # noqa: S311 - an order, not a secret
    if len(sys.argv) > 4:
        die_at(int(sys.argv[4]))
    with SqliteStore(folder) as store:
        for number in numbers:
            with store.writing():
                known = store.find_by_uri(f"/library/d{number:02}.md")
                version = 1 if known is None else int(known.metadata["version"]) + 1
                made = tools["make"](f"d{number:02}.md", texts(number, version))
                record = made.record.__class__(
                    **{**{n: getattr(made.record, n) for n in made.record.__struct_fields__},
                       "metadata": {"version": version}}
                )  # fmt: skip
                content = "\n".join(texts(number, version)).encode()
                store.put(record, made.document, made.passages, original=content)
            sys.stdout.write(f"d{number:02}.md {version}\n")
            sys.stdout.flush()
            tools["embed_all"](store, embedder)


def die_at(last: int) -> None:
    """Kill this process when the writing connection begins its statement number `last`."""
    connect = connections._connect
    n_statements = 0

    def count(_: str) -> None:
        nonlocal n_statements
        n_statements += 1
        if n_statements == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def traced(address: str, timeout_ms: int) -> sqlite3.Connection:
        connection = connect(address, timeout_ms)
        if "mode=rwc" in address:
            connection.set_trace_callback(count)
        return connection

    connections._connect = traced


def texts(number: int, version: int) -> list[str]:
    """Return the passages of one version of one document: the more versions, the more passages."""
    return [f"Marker number{number} edition{version} part{part} of the log." for part in range(20 + version)]


if __name__ == "__main__":
    main()

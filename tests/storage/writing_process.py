"""A process that adds documents to a library one by one and says so; tests kill it or run two of them.

Arguments: the library, the number of documents, the seed of the order. Documents come in versions: whatever is there
at version N is replaced by version N + 1. Each line of output names a document and version that is committed.
"""

import random
import runpy
import sys
from pathlib import Path

from pincite.storage.sqlite import SqliteStore


def main() -> None:
    """Add, embed, and report."""
    tools = runpy.run_path(str(Path(__file__).with_name("conftest.py")))
    folder, n_documents, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    embedder = tools["HashEmbedder"]()
    numbers = list(range(n_documents))
    random.Random(seed).shuffle(numbers)  # noqa: S311 - an order, not a secret
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


def texts(number: int, version: int) -> list[str]:
    """Return the passages of one version of one document: the more versions, the more passages."""
    return [f"Marker number{number} edition{version} part{part} of the log." for part in range(20 + version)]


if __name__ == "__main__":
    main()

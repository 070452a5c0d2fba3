"""What a Lance library gives to processes on other machines that write parts of it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from pincite.protocols import Embedder
from pincite.storage.lance import maintenance
from pincite.storage.lance.changing import Changes
from pincite.storage.lance.notes import Notes
from pincite.storage.lance.vectors import KnownEmbedder, Vectors
from pincite.storage.lance.writing import Written


class Sharing:
    """Rows are written elsewhere, in tables that all see; here is decided when they become part of the library."""

    def __init__(self, notes: Notes, vectors: Vectors, changes: Changes) -> None:
        """Work on the tables of a library."""
        self._notes, self._vectors, self._changes = notes, vectors, changes

    @contextmanager
    def noted(self, job: str) -> Iterator[None]:
        """Note a job during the `with` block, so that other processes can tell that they see this very library."""
        self._notes.put("job", {job: job})
        try:
            yield
        finally:
            self._notes.forget("job", [job])

    def point(self, written: Sequence[Written], originals: Mapping[str, Path]) -> None:
        """Make documents visible in one commit whose rows other processes have written: `put`, in two parts.

        `originals` are files by the hash of the bytes that those processes kept of them.
        """
        with self._changes.writing():
            self._changes.point(written, originals)

    def embedder(self, embedder: Embedder) -> KnownEmbedder:
        """Return what other processes need to add vectors of `embedder`, which is noted as one of the library."""
        with self._changes.writing():
            return self._vectors.known(embedder)

    def tables_to_tidy(self) -> Mapping[str, str | None]:
        """Return every table that is tidied, with the column that its rows are looked up by."""
        return maintenance.lookups(self._vectors)

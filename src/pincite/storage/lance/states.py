"""The newest state of the documents of a Lance library."""

import threading

from pincite.errors import StoreError
from pincite.storage.lance.snapshot import PerDocument, Snapshot, Words
from pincite.storage.lance.tables import Tables


class States:
    """Gives the newest state of the documents; what did not change since the last one is not read again."""

    def __init__(self, tables: Tables) -> None:
        """Read nothing yet."""
        self._tables = tables
        self._words, self._hashes = Words(tables), PerDocument("text_hashes", list[str])
        self._guard = threading.RLock()
        self._last: Snapshot | None = None

    def now(self) -> Snapshot:
        """Return the newest state.

        Raises:
            StoreError: there is no library any more.

        """
        with self._guard:
            dataset = self._tables.at("documents")
            if dataset is None:
                raise StoreError(f"there is no library in {self._tables.root!r} any more")
            if self._last is None or self._last.version != dataset.version:
                # A look at the other tables may be older than the rows that this state points to.
                for name in ("bodies", "passages", "postings", "objects"):
                    self._tables.forget(name)
                self._last = Snapshot(dataset, self._words, self._hashes, self._last)
            return self._last

    def keep_counts(self) -> None:
        """Keep what is counted of the documents for other processes."""
        with self._guard:
            self._words.keep(self.now())

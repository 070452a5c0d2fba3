"""`ServerState`: what a server keeps beside the documents, in the same place as the library."""

import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pincite.interfaces.http.state.database import Database
from pincite.interfaces.http.state.sqlite_ledger import SqliteLedger
from pincite.storage.ledger import Ledger
from pincite.storage.opening import check_lance, is_lance, place_of
from pincite.storage.own_files import SERVER_STATE_NAME, SERVER_TABLES_NAME

#: The ledgers there are.
LEDGERS: Final = ("tokens", "sessions", "jobs", "conversations", "feedback", "collections")


class ServerState:
    """The ledgers of one library; `is_shared` says whether several servers may work on it at a time."""

    def __init__(self, make: Callable[[str], Ledger], close: Callable[[], None], *, is_shared: bool) -> None:
        """Make a ledger by its name when it is first asked for."""
        self.is_shared = is_shared
        self._make, self._close = make, close
        self._guard = threading.Lock()
        self._made: dict[str, Ledger] = {}

    def ledger(self, name: str) -> Ledger:
        """Return a ledger; its name is one of `LEDGERS`.

        Raises:
            StoreError: the place cannot be used.

        """
        with self._guard:
            if name not in self._made:
                self._made[name] = self._make(LEDGERS[LEDGERS.index(name)])
            return self._made[name]

    def tidy(self) -> None:
        """Do what keeps the ledgers fast, where they need it."""
        for ledger in tuple(self._made.values()):
            ledger.tidy()

    def close(self) -> None:
        """Let go of the place."""
        self._close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the state."""
        self.close()


def open_state(library: str | Path) -> ServerState:
    """Open the server's state of a library, or make it: `server.sqlite` in its folder, or tables beside its tables.

    Raises:
        StoreError: the place cannot be used.
        SettingsError: it is an address of a kind that no store takes.
        MissingExtraError: the library is kept in Lance tables, and the extra `scale` is not installed.

    """
    place = place_of(library)
    if is_lance(library):
        check_lance(library)
        from pincite.storage.lance.ledger import LanceLedger
        from pincite.storage.lance.tables import Tables

        tables = Tables(f"{place}/{SERVER_TABLES_NAME}")
        return ServerState(lambda name: LanceLedger(tables, name), tables.close, is_shared=True)
    folder = Path(place)
    folder.mkdir(parents=True, exist_ok=True)
    # A look-up of a token happens for every request: it never waits for a write of this process.
    looking, changing = (Database(folder / SERVER_STATE_NAME) for _ in range(2))

    def close() -> None:
        looking.close()
        changing.close()

    return ServerState(lambda name: SqliteLedger(looking, changing, name), close, is_shared=False)


def has_state(library: str | Path) -> bool:
    """Say whether there may be a state already: to look for one in a folder makes nothing there."""
    place = place_of(library)
    return is_lance(library) or (Path(place) / SERVER_STATE_NAME).is_file()

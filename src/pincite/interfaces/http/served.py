"""`Served`: the collections that a server serves, opened when they are asked for, with one embedder for all."""

import logging
import os
import re
import threading
import uuid
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pincite.errors import PinciteError, StoreError
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.state.opening import open_state
from pincite.library import Library
from pincite.models import open_embedder
from pincite.protocols import ChatModel, Embedder
from pincite.settings import Settings
from pincite.storage.ledger import Row
from pincite.storage.locks import try_lock
from pincite.storage.opening import LANCE, is_lance, is_remote, place_of
from pincite.storage.own_files import COLLECTIONS_NAME, SERVER_LOCK_NAME
from pincite.storage.sqlite import DATABASE_NAME
from pincite.types.model import Role

logger = logging.getLogger(__name__)

#: The collection that is the library's folder itself.
DEFAULT: Final = "default"
#: What a collection may be called: a name that is the same on every file system.
NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")


class _Open:
    def __init__(self, library: Library) -> None:
        self.library = library
        self.n_users = 0


class Served:
    """The collections of one library, and the state of its server.

    A library in a folder has one server. One in Lance tables, on object storage or in a folder, has any number: each
    sees what the others write, and nothing but a cache is on the server's own machine.
    """

    def __init__(
        self,
        place: str | Path,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        models: Mapping[Role, ChatModel] | None = None,
        most_open: int = 16,
    ) -> None:
        """Open the library at a place, or make it; at most `most_open` collections stay open while nobody uses them.

        Raises:
            StoreError: the place cannot be used.
            SettingsError: no store takes such an address.

        """
        #: The library as messages show it.
        self.place = place_of(place)
        self._address = place
        self._is_lance = is_lance(place)
        self.settings = settings or Settings.load()
        self._embedder = embedder or open_embedder(self.settings.embedder, self.settings)
        self._models = models
        self._most_open = most_open
        self._guard = threading.RLock()
        self._open: OrderedDict[str, _Open] = OrderedDict()
        #: Whether the models are loaded.
        self.is_warm = False
        self._alone: int | None = None
        #: The folder of the library; of one on object storage the folder of this machine that holds what is fetched.
        self.folder = self.library(DEFAULT).path
        self.state = open_state(self.address_of(DEFAULT))
        self._made = self.state.ledger("collections")

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close everything."""
        self.close()

    def close(self) -> None:
        """Close every collection and the state."""
        with self._guard:
            while self._open:
                self._open.popitem()[1].library.close()
            self.state.close()
            if self._alone is not None:
                os.close(self._alone)
                self._alone = None

    def claim(self) -> None:
        """Be the one server of a library in a folder until `close`: two would do each other's jobs.

        A second claim does nothing. Where servers share their jobs there is nothing to claim.

        Raises:
            StoreError: another process, or another `Served`, is it.

        """
        with self._guard:
            if self._alone is None and not self.state.is_shared:
                self._alone = _only_server(self.folder)

    def collections(self) -> tuple[str, ...]:
        """Return the names of all collections, `default` first."""
        if self._is_lance:
            return (DEFAULT, *sorted(row.key for row in self._made.rows()))
        made = sorted(path.parent.name for path in (self.folder / COLLECTIONS_NAME).glob(f"*/{DATABASE_NAME}"))
        return (DEFAULT, *(name for name in made if NAME.fullmatch(name)))

    def opened(self) -> tuple[str, ...]:
        """Return the names of the collections that are open now."""
        with self._guard:
            return tuple(self._open)

    def create(self, name: str) -> None:
        """Make a collection.

        Raises:
            ProblemError: the name cannot be one (422), or is taken (409).

        """
        if not NAME.fullmatch(name):
            detail = f"a collection cannot be called {name[:80]!r}: use small letters, digits and hyphens, at most 63"
            raise ProblemError(422, "invalid_name", detail)
        with self._guard:
            if name in self.collections():
                raise ProblemError(409, "name_taken", f"there is a collection {name!r} already")
            Library(self.address_of(name), settings=self.settings, embedder=self._embedder).close()
            if self._is_lance and not self._listed(name):  # another server was first
                raise ProblemError(409, "name_taken", f"there is a collection {name!r} already")

    def library(self, name: str) -> Library:
        """Return the library of a collection, which stays open for now; who works on it longer takes `using`.

        Raises:
            ProblemError: there is no such collection (404).

        """
        with self._guard:
            return self._opened(name).library

    @contextmanager
    def using(self, name: str) -> Iterator[Library]:
        """Give the library of a collection, which stays open for the `with` block. Raises as `library`."""
        with self._guard:
            opened = self._opened(name)
            opened.n_users += 1
        try:
            yield opened.library
        finally:
            with self._guard:
                opened.n_users -= 1
                self._close_unused()

    def warm(self) -> None:
        """Begin to load the models, so that the first question need not."""
        # Two threads that import numpy at once can each meet a half-made one.
        import numpy  # noqa: F401, ICN001

        # Not a daemon: native code that runs while the interpreter ends would crash it.
        threading.Thread(target=self._load, name="pincite-warm").start()

    def _load(self) -> None:
        warm = getattr(self._embedder, "warm", None)
        try:
            if warm is not None:
                warm()
        except PinciteError as error:
            logger.error("the embedder cannot be loaded: %s", error)  # noqa: TRY400 - where in pincite says nothing
            return
        self.is_warm = True

    def folder_of(self, name: str) -> Path:
        """Return the folder of a collection of a library in a folder, whether it is there or not."""
        return self.folder if name == DEFAULT else self.folder / COLLECTIONS_NAME / name

    def address_of(self, name: str) -> str | Path:
        """Return what opens the library of a collection, whether it is there or not."""
        return collection_address(self._address, name)

    def _listed(self, name: str) -> bool:
        """Put a collection into the list that all servers share; return whether it was not there."""
        return self._made.add(Row(key=name, data=uuid.uuid4().bytes))

    def _opened(self, name: str) -> _Open:
        if name not in self._open:
            is_known = name == DEFAULT or self._is_known(name)
            try:
                library = Library(
                    self.address_of(name),
                    settings=self.settings,
                    create=name == DEFAULT,
                    embedder=self._embedder,
                    models=self._models,
                )
            except StoreError:
                if is_known and (self._is_lance or name == DEFAULT or self._is_known(name)):
                    raise
                raise unknown_collection(name) from None
            if not is_known:
                self._listed(name)  # it was made on the command line
            self._open[name] = _Open(library)
            self._close_unused()
        self._open.move_to_end(name)
        return self._open[name]

    def _is_known(self, name: str) -> bool:
        """Say whether there is such a collection; of Lance tables, whether a server knows it already.

        Raises:
            ProblemError: there cannot be one (404).

        """
        if not NAME.fullmatch(name):
            raise unknown_collection(name)
        if self._is_lance:
            return self._made.get(name) is not None
        if not (self.folder_of(name) / DATABASE_NAME).is_file():
            raise unknown_collection(name)
        return True

    def _close_unused(self) -> None:
        idle = [name for name, opened in self._open.items() if opened.n_users == 0 and name != DEFAULT]
        for name in idle[: max(0, len(self._open) - self._most_open)]:
            with suppress(StoreError):
                self._open.pop(name).library.close()


def collection_address(library: str | Path, name: str) -> str | Path:
    """Return what opens a collection of a library: a library of the same kind below it.

    Raises:
        SettingsError: no store takes the address of the library.

    """
    place = place_of(library)
    if is_remote(library):
        return place if name == DEFAULT else f"{place}/{COLLECTIONS_NAME}/{name}"
    folder = Path(place) if name == DEFAULT else Path(place) / COLLECTIONS_NAME / name
    return f"{LANCE}{folder}" if is_lance(library) else folder


def _only_server(folder: Path) -> int | None:
    """Return the open file that stands for the one server of a library.

    Raises:
        StoreError: another one serves this library.

    """
    path = folder / SERVER_LOCK_NAME
    held = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    if try_lock(held):
        return held
    os.close(held)
    raise StoreError(f"another `pincite serve` serves the library {str(folder)!r}; end it first, or serve another one")


def unknown_collection(name: str) -> ProblemError:
    """Return the problem of a collection that is not there, or that the caller may not know of."""
    return ProblemError(404, "unknown_collection", f"there is no collection {name[:80]!r}")

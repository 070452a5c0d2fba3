"""Where the bytes of an upload wait until they are added: in the library's folder, or among its stored originals.

On object storage they go where every server finds them before the client is told that they were accepted: the server
that took them in may be gone when another one adds them.
"""

import os
import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol

from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.served import Served
from pincite.interfaces.http.state.jobs import Work
from pincite.interfaces.http.uploads import Received
from pincite.library import Library
from pincite.storage.own_files import UPLOADS_NAME

#: What a killed server left half received is deleted when it is this old, in seconds: others may be receiving.
_LEFT_S: Final = 86_400.0


class Arrivals(Protocol):
    """Keeps uploads until their job is over."""

    def keep(self, library: Library, received: Received) -> str:
        """Keep the bytes of a file that came in, and return what names them."""
        ...

    def path(self, library: Library, work: Work) -> AbstractContextManager[Path]:
        """Give a file with the bytes of a job for the `with` block."""
        ...

    def drop(self, work: Work) -> None:
        """Let go of the bytes of a job that is over."""
        ...

    def sweep(self, needed: frozenset[str]) -> None:
        """Delete what no job needs."""
        ...


class FolderArrivals:
    """Files in `uploads` of the collection's folder, under the names that they were received under."""

    def __init__(self, served: Served) -> None:
        """Keep uploads of the collections of `served`."""
        self._served = served

    def keep(self, library: Library, received: Received) -> str:
        """Return the name of the file, which stays where it is."""
        del library
        return "" if received.path is None else received.path.name

    @contextmanager
    def path(self, library: Library, work: Work) -> Iterator[Path]:
        """Give the file."""
        yield library.path / UPLOADS_NAME / work.upload

    def drop(self, work: Work) -> None:
        """Delete the file."""
        with suppress(OSError):
            (self._served.folder_of(work.collection) / UPLOADS_NAME / work.upload).unlink()

    def sweep(self, needed: frozenset[str]) -> None:
        """Delete files that no job needs."""
        for name in self._served.collections():
            for file in (self._served.folder_of(name) / UPLOADS_NAME).glob("*"):
                if file.name not in needed:
                    file.unlink(missing_ok=True)


class StoredArrivals:
    """Originals of the library, by their hash: the document that they become has them already."""

    def __init__(self, served: Served) -> None:
        """Keep uploads of the collections of `served`."""
        self._served = served

    def keep(self, library: Library, received: Received) -> str:
        """Store the bytes, delete the file, and return their hash.

        Raises:
            StoreError: they cannot be stored.

        """
        if received.path is not None:
            store: Any = library.store  # only what is kept in Lance tables is shared
            try:
                store.keep_original(received.path, received.content_hash)
            finally:
                received.path.unlink(missing_ok=True)
        return received.content_hash

    @contextmanager
    def path(self, library: Library, work: Work) -> Iterator[Path]:
        """Give a copy on this machine, and delete it.

        Raises:
            ProblemError: the bytes are not there any more (410).

        """
        content = library.store.original_of(work.content_hash)
        if content is None:
            raise ProblemError(410, "upload_gone", f"the bytes of {work.name!r} are not kept any more; send it again")
        folder = library.path / UPLOADS_NAME
        folder.mkdir(parents=True, exist_ok=True)
        copy = folder / uuid.uuid4().hex
        try:
            with os.fdopen(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
            del content
            yield copy
        finally:
            copy.unlink(missing_ok=True)

    def drop(self, work: Work) -> None:
        """Do nothing: they are an original now, or `pincite gc` deletes them."""

    def sweep(self, needed: frozenset[str]) -> None:
        """Delete what was half received on this machine by a server that was killed."""
        del needed
        oldest = time.time() - _LEFT_S
        for name in self._served.opened():
            for file in (self._served.library(name).path / UPLOADS_NAME).glob("*"):
                with suppress(OSError):
                    if file.stat().st_mtime < oldest:
                        file.unlink()

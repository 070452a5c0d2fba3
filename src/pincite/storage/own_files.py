"""Tell a library's own files from documents, for who adds a folder that has a library in it."""

import re
from pathlib import Path
from typing import Final

from pincite.storage.sqlite import DATABASE_NAME, INCOMING_NAME

#: What `pincite serve` keeps in a library: its own state, uploads that come in, and further libraries.
SERVER_STATE_NAME: Final = "server.sqlite"
SERVER_LOCK_NAME: Final = "server.lock"
#: The tables of that state, where the library itself is kept in tables.
SERVER_TABLES_NAME: Final = "server"
UPLOADS_NAME: Final = "uploads"
COLLECTIONS_NAME: Final = "collections"
#: The table that every library in Lance tables has.
LANCE_NAME: Final = "documents.lance"

_STATE: Final = re.compile(
    r"(pincite|server)\.(sqlite(-wal|-shm|-journal)?|lock)|vectors\.lock|vectors-.*\.(i8|f32|new)"
)
_REPLY: Final = re.compile(r"[0-9a-f]{64}\.json|\.new-.*")
_UPLOAD: Final = re.compile(r"[0-9a-f]{32}")
_ORIGINAL: Final = re.compile(r"[0-9a-f]{64}|\.new-.*")


def is_own_file(path: Path) -> bool:
    """Return whether a library keeps this file: its database, what is derived from it, or a copy of a document."""
    if _STATE.fullmatch(path.name):
        return _is_library(path.parent)
    if (
        path.parent.name == INCOMING_NAME
        or (path.parent.name == UPLOADS_NAME and _UPLOAD.fullmatch(path.name))
        or (path.parent.name == "model-replies" and _REPLY.fullmatch(path.name))
    ):
        return _is_library(path.parent.parent)
    if _ORIGINAL.fullmatch(path.name) and path.parent.parent.name == "originals":
        return _is_library(path.parent.parent.parent)
    return any(folder.suffix == ".lance" and _has_tables(folder.parent) for folder in path.parents)


def _has_tables(folder: Path) -> bool:
    return _is_library(folder) or (folder.name == SERVER_TABLES_NAME and _is_library(folder.parent))


def _is_library(folder: Path) -> bool:
    return (folder / DATABASE_NAME).is_file() or (folder / LANCE_NAME).is_dir()

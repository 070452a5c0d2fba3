"""The files of what was named to be added."""

from collections.abc import Iterable
from pathlib import Path

from pincite.sources import open_source
from pincite.storage.own_files import is_own_file
from pincite.types.record import Record
from pincite.types.source import SourceFile


class Gathered(Record, frozen=True, kw_only=True):
    """Files to add: `direct` are the addresses of those named themselves, `notes` say what was passed over."""

    files: tuple[SourceFile, ...]
    direct: frozenset[str]
    notes: tuple[str, ...]


def gather(specs: Iterable[str | Path]) -> Gathered:
    """Return the files that were named and those in the folders that were named, without a library's own.

    Raises:
        SourceError: a path does not exist.

    """
    files: list[SourceFile] = []
    direct: set[str] = set()
    notes: list[str] = []
    for spec in specs:
        source = open_source(str(spec))
        found = [file for file in source.files() if not is_own_file(file.path)]
        notes.extend(getattr(source, "notes", ()))
        files.extend(found)
        if not Path(spec).expanduser().is_dir():
            direct.update(file.uri for file in found)
    return Gathered(files=tuple(files), direct=frozenset(direct), notes=tuple(notes))

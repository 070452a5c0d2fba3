"""A folder that a library is kept in step with: every file with the hash of its bytes."""

from collections.abc import Callable
from pathlib import Path

from pincite.errors import SourceError
from pincite.sources.folder import FolderSource, file_uri
from pincite.types.content_hash import hash_of_file
from pincite.types.document import ParsedDocument
from pincite.types.source import FileTrouble, KnownSource, Listing, OfferedFile

#: What the version of a file begins with where it is the hash of its bytes.
SHA256 = "sha256:"


class SyncedFolder:
    """Lists the files of a `FolderSource` with the hashes of their bytes.

    Every file is read whole at every listing: size and time of a changed file may be what they were.
    """

    def __init__(self, source: FolderSource, *, is_left_out: Callable[[Path], bool] = lambda _path: False) -> None:
        """List `source`, without the files that `is_left_out` names (those of the library itself)."""
        self._source = source
        self._is_left_out = is_left_out
        self._paths: dict[str, Path] = {}

    @property
    def spec(self) -> str:
        """The `file://` address of the folder, links resolved."""
        return file_uri(self._source.root)

    @property
    def root(self) -> str:
        """The same address: that of every file begins with it."""
        return self.spec

    def listing(self, known: KnownSource, *, folder: Path) -> Listing:
        """Return every file, by name; a file that cannot be read is listed as failed.

        Raises:
            SourceError: the folder cannot be read.

        """
        del known, folder
        self._paths = {}
        files: list[OfferedFile] = []
        failed: list[FileTrouble] = []
        for file in self._source.files():
            if self._is_left_out(file.path):
                continue
            try:
                version, n_bytes = SHA256 + hash_of_file(file.path), file.path.stat().st_size
            except FileNotFoundError:
                continue  # it went while the folder was read: as if it had gone before
            except OSError as error:
                message = f"{file.name}: cannot be read: {error.strerror or error}"
                failed.append(FileTrouble(uri=file.uri, name=file.name, code=SourceError.code, message=message))
                continue
            self._paths[file.uri] = file.path
            files.append(OfferedFile(uri=file.uri, name=file.name, version=version, n_bytes=n_bytes))
        return Listing(
            files=tuple(files),
            failed=tuple(failed),
            unseen=tuple(self._source.unseen),
            notes=tuple(self._source.notes),
        )

    def refine(self, document: ParsedDocument, path: Path) -> ParsedDocument:
        """Return the document as it is."""
        del path
        return document

    def close(self) -> None:
        """Do nothing: nothing is held."""

    def fetch(self, file: OfferedFile, *, folder: Path) -> Path:
        """Return the file itself."""
        del folder
        return self._paths[file.uri]

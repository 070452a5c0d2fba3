"""The bytes of every document, by content hash, written whole or not at all."""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from pincite.errors import StoreError
from pincite.types.content_hash import hash_of, hash_of_file

_BLOCK = 1 << 20


class Originals:
    """Files `<first two hex digits>/<sha256>` in a folder."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; it is made with the first file."""
        self._folder = folder

    def path(self, content_hash: str) -> Path:
        """Return where the bytes of that hash are, or would be."""
        return self._folder / content_hash[:2] / content_hash

    def keep(self, content: bytes | Path, *, content_hash: str) -> Path:
        """Store bytes, or the bytes of a file, and return where; does nothing when they are there already.

        Raises:
            StoreError: the bytes do not have that hash (the file changed since it was read), or cannot be written.

        """
        target = self.path(content_hash)
        n_bytes = len(content) if isinstance(content, bytes) else None
        try:
            if target.is_file() and n_bytes in (None, target.stat().st_size) and hash_of_file(target) == content_hash:
                return target
            target.parent.mkdir(parents=True, exist_ok=True)
            self._write(target, content, content_hash)
        except OSError as error:
            raise StoreError(f"the original cannot be kept in {str(target.parent)!r}: {error}") from error
        return target

    def read(self, content_hash: str) -> bytes | None:
        """Return the bytes of that hash; `None` when they are not there, or are not what they were."""
        try:
            content = self.path(content_hash).read_bytes()
        except OSError:
            return None
        return content if hash_of(content) == content_hash else None

    def drop(self, content_hashes: Iterable[str]) -> None:
        """Delete the bytes of those hashes, if they are there."""
        for content_hash in content_hashes:
            path = self.path(content_hash)
            with contextlib.suppress(OSError):
                path.unlink()
                path.parent.rmdir()

    def keep_only(self, content_hashes: Collection[str]) -> tuple[int, int]:
        """Delete every file but the originals of those hashes; return how many went, and how many bytes they had."""
        n_files = n_bytes = 0
        for file in self._folder.glob("*/*"):
            if file.name not in content_hashes:
                with contextlib.suppress(OSError):
                    size = file.stat().st_size
                    file.unlink()
                    n_files, n_bytes = n_files + 1, n_bytes + size
        return n_files, n_bytes

    def _write(self, target: Path, content: bytes | Path, content_hash: str) -> None:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".new-")
        temporary = Path(name)
        try:
            digest = hashlib.sha256()
            with os.fdopen(handle, "wb") as file:
                for block in _blocks(content):
                    digest.update(block)
                    file.write(block)
                file.flush()
                os.fsync(file.fileno())
            if digest.hexdigest() != content_hash:
                raise StoreError(f"the file {str(content)!r} changed while it was added; add it again")
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


def _blocks(content: bytes | Path) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block

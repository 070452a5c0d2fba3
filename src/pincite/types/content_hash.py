"""What bytes are told apart by: the `content_hash` of documents, originals and synced files."""

import hashlib
from pathlib import Path


def hash_of(content: bytes) -> str:
    """Return the SHA-256 of bytes, 64 lower-case hex digits.

    >>> hash_of(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(content).hexdigest()


def hash_of_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, read block by block.

    Raises:
        OSError: it cannot be read.

    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

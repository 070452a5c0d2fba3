"""Where bytes come from."""

import re
from typing import Final

from pincite.errors import SettingsError
from pincite.protocols import Source
from pincite.sources.folder import FolderSource

_SCHEME: Final = re.compile(r"(github|https?|s3|ftp):", re.IGNORECASE)


def open_source(spec: str) -> Source:
    """Return the source that a person named: a file or a folder.

    Raises:
        SettingsError: a kind of source that pincite cannot read yet.
        SourceError: there is nothing at that path.

    """
    scheme = _SCHEME.match(spec)
    if scheme is not None:
        kind = "GitHub repositories" if scheme.group(1).lower() == "github" else "web pages"
        raise SettingsError(f"{spec!r}: {kind} cannot be added yet; download the files and add their folder")
    return FolderSource(spec)


__all__ = ["FolderSource", "open_source"]

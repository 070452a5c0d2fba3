"""The folder on this machine that goes with a Lance library."""

import hashlib
import os
from pathlib import Path


def local_folder(place: str) -> Path:
    """Return the folder itself, or for a place elsewhere one in the user's cache (`PINCITE_CACHE`)."""
    if "://" not in place:
        return Path(place)
    named = os.environ.get("PINCITE_CACHE")
    if named:
        cache = Path(named).expanduser()
    else:
        import platformdirs

        cache = platformdirs.user_cache_path("pincite", appauthor=False)
    return cache / "remote" / hashlib.sha256(place.encode()).hexdigest()[:16]

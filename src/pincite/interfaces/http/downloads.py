"""Names of downloads: whatever a document is called, the header that names it is one line and harmless."""

import unicodedata
from typing import Final
from urllib.parse import quote

#: File systems take names of at most 255 bytes.
_MOST_BYTES: Final = 200
_MOST_ENDING: Final = 12


def disposition(name: str, *, inline: bool = False) -> str:
    r"""Return a Content-Disposition: the name in ASCII for old programs (RFC 6266), and in full (RFC 5987).

    >>> disposition("notes/Café “Bar”.md").partition("; filename*=")[0]
    'attachment; filename="Cafe _Bar_.md"'
    """
    safe = file_name(name)
    plain = unicodedata.normalize("NFKD", safe)
    ascii_name = "".join(char if " " <= char <= "~" and char not in '"\\%;' else "_" for char in _unmarked(plain))
    kind = "inline" if inline else "attachment"
    return f"{kind}; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(safe, safe='')}"


def file_name(name: str) -> str:
    r"""Return the last part of a name without characters that control, turn text around, or have no form.

    >>> file_name("a/b/c.pdf"), file_name("evil\u202efdp.exe"), file_name("..")
    ('c.pdf', 'evilfdp.exe', 'document')
    """
    last = name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    kept = "".join(
        char for char in last if unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    )
    kept = kept.strip(" .") if set(kept) <= {".", " "} else kept.strip()
    stem, dot, ending = kept.rpartition(".")
    if not dot or len(ending) > _MOST_ENDING or not stem:
        stem, dot, ending = kept, "", ""
    while len((stem + dot + ending).encode()) > _MOST_BYTES:
        stem = stem[:-1]
    return stem + dot + ending or "document"


def _unmarked(text: str) -> str:
    return "".join(char for char in text if not unicodedata.combining(char))

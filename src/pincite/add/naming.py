"""The name that citations show: unique in the library."""

import hashlib
from collections.abc import Callable
from urllib.parse import unquote

from pincite.storage.opening import LibraryStore
from pincite.types.document import ParsedDocument


def unique_name(document: ParsedDocument, store: LibraryStore) -> str:
    """Return a name that no other document of the library has: folders are put before it until it is one."""
    return free_name(document.name, document.uri, lambda name: store.find_by_name(name) is not None)


def free_name(name: str, uri: str, is_taken: Callable[[str], bool]) -> str:
    """Return the name, with folders of its address before it, or a number behind it, until it is not taken."""
    folders = unquote(uri, errors="backslashreplace").rsplit("/", 1)[0].split("/")[3:]
    depth = name.count("/")
    parents = folders[: len(folders) - depth] if depth else folders
    while is_taken(name) and parents:
        name = f"{parents.pop()}/{name}"
    number = 2
    stem = name
    while is_taken(name):
        name, number = f"{stem} ({number})", number + 1
    return name


def free_id(uri: str, is_taken: Callable[[str], bool]) -> str:
    """Return the id of a new document: from its address, or another where a document that moved away has that one."""
    stem, number = uri.encode("utf-8", "surrogatepass"), 0
    while True:
        doc_id = hashlib.sha256(stem + b"\n%d" % number if number else stem).hexdigest()[:16]
        if not is_taken(doc_id):
            return doc_id
        number += 1

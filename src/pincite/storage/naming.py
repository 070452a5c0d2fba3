"""A document by what a person calls it."""

import difflib
import os
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from pincite.errors import UnknownDocumentError
from pincite.types.document import DocumentRecord

#: How many near names an error offers.
_OFFERED: Final = 5


def resolve(records: Sequence[DocumentRecord], name: str) -> DocumentRecord:
    """Return the document with that id, name, address or path; a base name will do where only one has it.

    Composed and decomposed Unicode forms of one name are the same name.

    Raises:
        UnknownDocumentError: no document, or more than one; the message lists near names.

    """
    for key in ("doc_id", "name", "uri"):
        for record in records:
            if getattr(record, key) == name:
                return record
    wanted = set(_forms(name))
    for record in records:
        if {_same(record.name), _same(record.uri), _same(unquote(record.uri))} & wanted:
            return record
    found = [r for r in records if _same(_base(r.name)) == _same(name)]
    if len(found) == 1:
        return found[0]
    if found:
        shown = ", ".join(repr(record.name) for record in found[:_OFFERED])
        raise UnknownDocumentError(f"{len(found)} documents are called {name!r}; say which one: {shown}")
    raise UnknownDocumentError(f"there is no document {name!r} in the library{_nearest(records, name)}")


def _forms(name: str) -> Iterator[str]:
    yield _same(name)
    try:
        path = Path(name).expanduser()
        for form in (Path(os.path.abspath(path)), path.resolve()):  # noqa: PTH100 - links are kept in the first
            yield _same(str(form))
            yield _same(unquote(form.as_uri()))
    except (OSError, ValueError, RuntimeError):
        return


def _same(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _base(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _nearest(records: Sequence[DocumentRecord], name: str) -> str:
    if not records:
        return ", which is empty"
    by_folded = {_same(form).casefold(): r.name for r in reversed(records) for form in (r.name, _base(r.name))}
    near = difflib.get_close_matches(_same(name).casefold(), by_folded, n=_OFFERED, cutoff=0.4)
    names = list(dict.fromkeys(by_folded[form] for form in near))
    if not names:
        return "; `pincite ls` lists what is there"
    return "; near names: " + ", ".join(map(repr, names))

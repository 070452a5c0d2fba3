"""A document by what a person calls it."""

import difflib
import os
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from pincite.errors import UnknownDocumentError
from pincite.types.document import DocumentRecord

#: How many near names an error offers.
_OFFERED: Final = 5


def resolve_all(names: Sequence[str], records: Callable[[], Sequence[DocumentRecord]]) -> tuple[DocumentRecord, ...]:
    """Return the document of each name with one look at all documents, and none where no name is asked for.

    Raises:
        UnknownDocumentError: a name means none, or more than one.

    """
    if not names:
        return ()
    known = Names(records())
    return tuple(known.resolve(name) for name in names)


class Names:
    """The names of some documents, looked through once for any number of questions."""

    def __init__(self, records: Sequence[DocumentRecord]) -> None:
        """Take in the documents; what was found by an earlier one stays that one's."""
        self._records = records
        self._exact: dict[str, DocumentRecord] = {}
        for key in ("doc_id", "name", "uri"):
            for record in records:
                self._exact.setdefault(getattr(record, key), record)
        self._written: dict[str, DocumentRecord] | None = None

    def resolve(self, name: str) -> DocumentRecord:
        """Return the document with that id, name, address or path; the end of a path will do where only one has it.

        Composed and decomposed Unicode forms of one name are the same name.

        Raises:
            UnknownDocumentError: no document, or more than one; the message lists near names.

        """
        found = self._exact.get(name)
        return found if found is not None else self._alike(name)

    def _alike(self, name: str) -> DocumentRecord:
        if self._written is None:
            self._written = {}
            for record in self._records:
                for form in (_same(record.name), _same(record.uri), _same(unquote(record.uri))):
                    self._written.setdefault(form, record)
        alike = [known for form in _forms(name) if (known := self._written.get(form)) is not None]
        if alike:
            return alike[0]
        found = _ending_in(self._records, _same(name))
        if len(found) == 1:
            return found[0]
        if found:
            shown = ", ".join(repr(record.name) for record in found[:_OFFERED])
            raise UnknownDocumentError(f"{len(found)} documents are called {name!r}; say which one: {shown}")
        raise UnknownDocumentError(f"there is no document {name!r} in the library{_nearest(self._records, name)}")


def _forms(name: str) -> Iterator[str]:
    yield _same(name)
    try:
        path = Path(name).expanduser()
        for form in (Path(os.path.abspath(path)), path.resolve()):  # noqa: PTH100 - links are kept in the first
            yield _same(str(form))
            yield _same(unquote(form.as_uri()))
    except (OSError, ValueError, RuntimeError):
        return


def _ending_in(records: Sequence[DocumentRecord], name: str) -> list[DocumentRecord]:
    """Return the documents whose name ends in these parts, or if none does, whose address does."""
    end = "/" + name.removeprefix("./").lstrip("/")
    if end == "/":
        return []
    named = [record for record in records if ("/" + _same(record.name)).endswith(end)]
    if named or "/" not in name:
        return named
    return [record for record in records if _same(unquote(record.uri)).endswith(end)]


def _same(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _base(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _nearest(records: Sequence[DocumentRecord], name: str) -> str:
    if not records:
        return ", which is empty"
    wanted = _same(name).casefold()
    by_folded: dict[str, list[str]] = {}
    for record in records:
        for form in dict.fromkeys((_same(record.name).casefold(), _same(_base(record.name)).casefold())):
            by_folded.setdefault(form, []).append(record.name)
    forms = [wanted, wanted.rsplit("/", 1)[-1]]
    forms += difflib.get_close_matches(wanted, by_folded, n=_OFFERED, cutoff=0.4)
    near = [name for form in forms for name in by_folded.get(form, ())]
    # Written alike but for the case comes first, and a whole name before the end of one.
    near.sort(key=lambda name: _same(name).casefold() != wanted)
    names = list(dict.fromkeys(near))[:_OFFERED]
    if not names:
        return "; `pincite ls` lists what is there"
    return "; near names: " + ", ".join(map(repr, names))

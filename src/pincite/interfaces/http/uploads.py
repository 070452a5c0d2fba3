"""Files as they come in: streamed to generated names in the library's folder, hashed on the way."""

import asyncio
import hashlib
import os
import unicodedata
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from pincite.errors import PinciteError
from pincite.interfaces.http.options import ServeOptions
from pincite.interfaces.http.problems import Problem, ProblemError, problem, problem_of
from pincite.parsing.detect import HEAD_BYTES, media_type, parser_name
from pincite.storage.own_files import UPLOADS_NAME
from pincite.types.record import Record

#: What is written at a time.
_BLOCK: Final = 1 << 20
#: How files begin whose type stands further inside: zips, and Office files of old or behind a password.
_PACKED: Final = (b"PK", b"\xd0\xcf\x11\xe0")
#: Names that are longer name nothing.
MOST_NAME_CHARS: Final = 500


class Received(Record, frozen=True, kw_only=True):
    """A file that came in: its cleaned name, where its bytes are and their SHA-256; or the problem with it."""

    name: str
    path: Path | None = None
    content_hash: str = ""
    error: Problem | None = None


def clean_name(given: str) -> str:
    r"""Return what a file that a client calls `given` is called here: one part, no folders.

    >>> clean_name("../a/b.txt"), clean_name("C:\\Windows\\x.txt"), clean_name("%2e%2e%2fx.txt")
    ('b.txt', 'x.txt', '%2e%2e%2fx.txt')

    Raises:
        ProblemError: nothing is left of it, it is too long, or it has control characters (422).

    """
    last = given.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].strip()
    if len(given) > MOST_NAME_CHARS:
        raise ProblemError(422, "invalid_name", f"a file name of {len(given):,} characters; use {MOST_NAME_CHARS}")
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in given):
        raise ProblemError(422, "invalid_name", "a file name with control characters")
    if last in ("", ".", ".."):
        raise ProblemError(422, "invalid_name", f"{given!r} names no file")
    return last


async def receive(request: Request, name: str | None, folder: Path, options: ServeOptions) -> list[Received]:
    """Return the files of a request: those of a form, or its body under `name`.

    Raises:
        ProblemError: a file is too large (413), there are too many (422), or the form is broken (400). Then nothing of
            the request is kept.

    """
    spool = _Spool(folder / UPLOADS_NAME, options)
    media, parameters = parse_options_header(request.headers.get("content-type", ""))
    try:
        if media == b"multipart/form-data":
            await _receive_form(request, parameters.get(b"boundary", b""), spool)
        else:
            _check_length(request, options)
            spool.begin(name or "")
            async for block in request.stream():
                await spool.write(block)
            await spool.end()
    except OSError as error:
        spool.forget()
        if isinstance(error, ConnectionError):
            raise
        detail = f"the file cannot be kept: {error.strerror or error}; nothing of this request was added"
        raise ProblemError(507, "no_room", detail) from error
    except BaseException:
        spool.forget()
        raise
    return spool.received


async def _receive_form(request: Request, boundary: bytes, spool: "_Spool") -> None:
    try:
        async for event in _parts(request, boundary):
            match event:
                case ("begin", str(name)):
                    spool.begin(name)
                case ("data", bytes(block)):
                    await spool.write(block)
                case _:
                    await spool.end()
    except FormParserError as error:
        raise ProblemError(400, "invalid_request", f"the form cannot be read: {error}") from error


def _check_length(request: Request, options: ServeOptions) -> None:
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > options.max_upload_mb * 2**20:
        raise _too_large(options)


def _too_large(options: ServeOptions) -> ProblemError:
    detail = f"a file is larger than {options.max_upload_mb} MB; nothing of this request was added"
    return ProblemError(413, "file_too_large", detail)


class _Spool:
    """Writes one file after the other under names of its own."""

    def __init__(self, folder: Path, options: ServeOptions) -> None:
        self.received: list[Received] = []
        self._folder = folder
        self._options = options
        self._name = ""
        self._file: Any = None
        self._waiting = bytearray()
        self._n_bytes = 0

    def begin(self, name: str) -> None:
        if len(self.received) >= self._options.max_files:
            detail = f"more than {self._options.max_files} files in one request; nothing of it was added"
            raise ProblemError(422, "too_many_files", detail)
        self._name = name
        self._n_bytes = 0
        self._hash = hashlib.sha256()
        self._folder.mkdir(exist_ok=True)
        self._path = self._folder / uuid.uuid4().hex
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(handle, "wb", buffering=0)

    async def write(self, block: bytes) -> None:
        self._n_bytes += len(block)
        if self._n_bytes > self._options.max_upload_mb * 2**20:
            raise _too_large(self._options)
        self._waiting += block
        if len(self._waiting) >= _BLOCK:
            await asyncio.to_thread(self._flush)

    async def end(self) -> None:
        await asyncio.to_thread(self._flush)
        self._file.close()
        self._file = None
        found = await asyncio.to_thread(self._looked_at)
        if found.error is not None:
            self._path.unlink()
        self.received.append(found)

    def _looked_at(self) -> Received:
        """Return the file that was written, or the problem with its name, its size or its type."""
        try:
            name = clean_name(self._name)
        except ProblemError as error:
            return Received(name=self._name[:MOST_NAME_CHARS], error=error.problem)
        if self._n_bytes == 0:
            return Received(name=name, error=problem(422, "empty_file", f"{name}: there are no bytes"))
        try:
            _check_type(self._path, name)
        except PinciteError as error:
            return Received(name=name, error=problem_of(error))
        return Received(name=name, path=self._path, content_hash=self._hash.hexdigest())

    def forget(self) -> None:
        """Delete what was written."""
        if self._file is not None:
            self._file.close()
            self._path.unlink(missing_ok=True)
        for one in self.received:
            if one.path is not None:
                one.path.unlink(missing_ok=True)

    def _flush(self) -> None:
        self._hash.update(self._waiting)
        self._file.write(self._waiting)
        self._waiting.clear()


def _check_type(path: Path, name: str) -> None:
    """Raise `UnsupportedFormatError` where the first bytes tell that no parser takes the file.

    What a packed file holds is looked into by the process that parses it.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head.startswith(_PACKED):
        parser_name(media_type(head, name), name)


async def _parts(request: Request, boundary: bytes) -> AsyncIterator[tuple[str, str | bytes]]:
    """Yield what happens in a form: a file begins, some of its bytes, its end. Other fields are left out."""
    reading = _FormReader(boundary)
    async for block in request.stream():
        reading.read(block)
        for event in reading.events:
            yield event
        reading.events.clear()
    reading.finish()


class _FormReader:
    """Turns the callbacks of the form parser into events."""

    def __init__(self, boundary: bytes) -> None:
        self.events: list[tuple[str, str | bytes]] = []
        self._headers: dict[bytes, bytes] = {}
        self._field, self._value = b"", b""
        self._is_file = False
        self._is_whole = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._headers.clear,
                "on_header_field": self._on_field,
                "on_header_value": self._on_value,
                "on_header_end": self._on_header,
                "on_headers_finished": self._on_headers,
                "on_part_data": self._on_data,
                "on_part_end": self._on_end,
                "on_end": self._on_whole,
            },
        )

    def read(self, block: bytes) -> None:
        self._parser.write(block)

    def finish(self) -> None:
        self._parser.finalize()
        if not self._is_whole:
            raise ProblemError(400, "invalid_request", "the form breaks off")

    def _on_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header(self) -> None:
        self._headers[self._field.lower()] = self._value
        self._field, self._value = b"", b""

    def _on_headers(self) -> None:
        _, parameters = parse_options_header(self._headers.get(b"content-disposition", b""))
        named = parameters.get(b"filename")
        self._is_file = named is not None
        if named is not None:
            self.events.append(("begin", named.decode("utf-8", "replace")))

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self.events.append(("data", data[start:end]))

    def _on_end(self) -> None:
        if self._is_file:
            self.events.append(("end", b""))

    def _on_whole(self) -> None:
        self._is_whole = True

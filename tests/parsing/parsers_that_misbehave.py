"""Parsers for the tests of the pool: they sleep, eat memory, crash, print, and raise."""
# ruff: noqa: ARG002

import ctypes
import os
import sys
import time

from pincite.errors import PasswordRequiredError
from pincite.parsing.plain import PlainTextParser
from pincite.protocols import Progress
from pincite.types.document import ParsedDocument


class Sleeping:
    """Reports page 3 of 9 and never comes back."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress) -> ParsedDocument:
        """Sleep."""
        progress(2, 9)
        time.sleep(600)
        raise AssertionError


class Hungry:
    """Asks for more memory than it may have."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Allocate."""
        return [bytearray(2**26) for _ in range(10_000)]  # type: ignore[return-value]


class Crashing:
    """Reads address zero, as broken C code does."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Crash."""
        ctypes.string_at(0)
        raise AssertionError


class Exiting:
    """Ends the process."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Exit."""
        os._exit(7)


class Raising:
    """Has a fault of its own."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Raise."""
        raise KeyError("\udcff")


class Locked:
    """Wants a password."""

    def __init__(self, password: str | None = None) -> None:
        self._password = password

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Parse, with the password `open`."""
        if self._password != "open":  # noqa: S105
            raise PasswordRequiredError("a password is needed", origin=name, page_num=2)
        return PlainTextParser().parse(content, name=name, uri=uri)


class Printing:
    """Prints and reads where the protocol runs, in Python and in C."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Print, read, parse."""
        print("noise" * 1000, flush=True)  # noqa: T201
        os.write(1, b"more noise")
        assert sys.stdin.read() == ""
        assert os.read(0, 10) == b""
        return PlainTextParser().parse(content, name=name, uri=uri)


class ProcessId:
    """Returns the id of the process as text."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Parse the id."""
        if progress is not None:
            progress(1, 2)
            progress(2, 2)
        return PlainTextParser().parse(str(os.getpid()).encode(), name=name, uri=uri)


class Numbers:
    """Leaves numbers of an array library in the document."""

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Parse, with metadata of numpy's types."""
        import msgspec
        import numpy as np

        document = PlainTextParser().parse(content, name=name, uri=uri)
        return msgspec.structs.replace(document, metadata={"bold": np.bool_(1), "size": np.float32(1.5)})

"""RapidOCR, a package with its models inside, in a process of its own that is kept for the next picture."""

import subprocess
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from pincite.parsing.ocr_engine import OcrError
from pincite.parsing.ocr_layout import Found, Piece, straightened
from pincite.parsing.processes import module_process, read_frame, write_frame
from pincite.types.record import Record

if TYPE_CHECKING:
    from PIL.Image import Image


class Picture(Record, frozen=True, kw_only=True):
    """A grey picture on its way to the process that reads it."""

    width: int
    height: int
    pixels: bytes


class Text(Record, frozen=True, kw_only=True):
    """What the process found: a text, the corners of its box, its score."""

    text: str
    corners: tuple[tuple[float, float], ...]
    score: float


class RapidOcr:
    """RapidOCR in a process of its own, kept for the next picture; one that takes too long is ended."""

    dpi = 200

    def __init__(self, timeout_s: float) -> None:
        """Let a picture take `timeout_s` seconds; the first waits for the models as well."""
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """`rapidocr 3.10.0`."""
        from importlib.metadata import version

        return f"rapidocr {version('rapidocr')}"

    def read(self, image: "Image") -> list[Piece]:
        """Return the pieces of text in a picture.

        Raises:
            OcrError: it failed, or took longer than it may.

        """
        grey = image.convert("L")
        body = msgspec.msgpack.encode(Picture(width=grey.width, height=grey.height, pixels=grey.tobytes()))
        with self._lock:
            reply = self._asked(body)
        found = msgspec.msgpack.decode(reply, type=list[Text])
        return straightened([Found(one.text, one.corners, one.score) for one in found])

    def _asked(self, body: bytes) -> bytes:
        process = self._running()
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            process.kill()

        timer = threading.Timer(self._timeout_s, expire)
        timer.start()
        reply = None
        if process.stdin is not None and process.stdout is not None:
            with suppress(OSError):
                write_frame(process.stdin, body)
                reply = read_frame(process.stdout)
        timer.cancel()
        if reply is not None:
            return reply
        self.close()
        if expired.is_set():
            raise OcrError(f"not read within {self._timeout_s:g} s (ocr_timeout_s)")
        raise OcrError("the process that reads pictures died; the memory limit may be too low (parse_memory_mb)")

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self._process = module_process("pincite.parsing.ocr_child")
        return self._process

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

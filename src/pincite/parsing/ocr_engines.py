"""The engines of text recognition: Tesseract where it is on the machine, else RapidOCR; each is a process apart."""

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

import msgspec

from pincite.parsing.ocr_layout import Box, Found, Piece, straightened
from pincite.types.record import Record

if TYPE_CHECKING:
    from PIL.Image import Image

    from pincite.parsing.ocr import OcrOptions

INSTALL: Final = 'install Tesseract (apt-get install tesseract-ocr), or: pip install "pincite[ocr]"'
#: Pieces that Tesseract is less sure of on the whole are noise more often than text.
_MIN_SCORE: Final = 0.3
#: A gap this many times the height of its words parts the cells of a line.
_CELL_GAP: Final = 2.0
#: So many languages are asked for at a time: each makes it slower.
_MOST_LANGUAGES: Final = 4
LENGTH_BYTES: Final = 8


class OcrError(Exception):
    """The engine failed on a picture, or took too long; it is caught where the page is given up."""


class Engine(Protocol):
    """Reads the text of pictures."""

    @property
    def name(self) -> str:
        """What it is called, with its version."""
        ...

    @property
    def dpi(self) -> int:
        """At how many dots per inch it reads pages best."""
        ...

    def read(self, image: "Image") -> list[Piece]:
        """Return the pieces of text in a picture, in no order.

        Raises:
            OcrError: it failed, or took longer than it may.

        """
        ...


def engine_for(options: "OcrOptions") -> Engine | None:
    """Return the engine of the options, `None` where it is not installed. One that runs already is used again."""
    if options.engine in ("auto", "tesseract") and tesseract_path() is not None:
        return Tesseract(options.timeout_s)
    if options.engine in ("auto", "rapidocr") and importlib.util.find_spec("rapidocr") is not None:
        return _rapid(options.timeout_s)
    return None


@cache
def tesseract_path() -> str | None:
    """Return where the program is, `None` where there is none."""
    return shutil.which("tesseract")


@cache
def _rapid(timeout_s: float) -> "RapidOcr":
    return RapidOcr(timeout_s)


class Tesseract:
    """Tesseract as a program; each picture is a process with a time limit."""

    dpi = 300

    def __init__(self, timeout_s: float) -> None:
        """Let a picture take `timeout_s` seconds."""
        self._timeout_s = timeout_s

    @property
    def name(self) -> str:
        """`tesseract 5.3.0`."""
        return _tesseract_version()

    def read(self, image: "Image") -> list[Piece]:
        """Return the words of a picture joined to pieces, a gap apart.

        Raises:
            OcrError: it failed, or took longer than it may.

        """
        from io import BytesIO

        out = BytesIO()
        image.convert("L").save(out, format="PPM")  # a picture without compression: half a second less a page
        table = self._run(
            ["stdin", "stdout", "--dpi", str(self.dpi), "--psm", "3", *_languages(), "tsv"], out.getvalue()
        )
        # Never a word of a line alone: a sentence without its "not" says something else.
        return straightened([found for found in _found(table) if found.score >= _MIN_SCORE])

    def _run(self, arguments: list[str], content: bytes) -> str:
        # One thread: pages are read side by side already, and its own threads are in each other's way.
        environment = os.environ | {"OMP_THREAD_LIMIT": "1"}
        try:
            done = subprocess.run(  # noqa: S603 - a program of the machine, with arguments of our own
                [tesseract_path() or "tesseract", *arguments],
                input=content,
                capture_output=True,
                timeout=self._timeout_s,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise OcrError(f"not read within {self._timeout_s:g} s (ocr_timeout_s)") from error
        except OSError as error:
            raise OcrError(f"tesseract cannot be started: {error.strerror or error}") from error
        if done.returncode != 0:
            said = " ".join(done.stderr.decode("utf-8", "replace").split())[:200]
            raise OcrError(f"tesseract ended with {done.returncode}: {said}")
        return done.stdout.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    box: Box
    score: float
    place: tuple[str, ...]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


def _found(table: str) -> Iterator[Found]:
    """Yield the pieces of Tesseract's table (its manual, `tsv`): words of one line with no wide gap between."""
    run: list[_Word] = []
    for word in _words(table):
        if run:
            gap = word.box[0] - run[-1].box[2]
            if word.place != run[-1].place or gap > _CELL_GAP * max(word.height, run[-1].height):
                yield _joined(run)
                run = []
        run.append(word)
    if run:
        yield _joined(run)


def _words(table: str) -> Iterator[_Word]:
    for row in table.splitlines()[1:]:
        fields = row.split("\t")
        if len(fields) < 12 or fields[0] != "5":
            continue
        score, text = float(fields[10]) / 100, " ".join(fields[11].split())
        if text:
            left, top, width, height = map(float, fields[6:10])
            yield _Word(text, (left, top, left + width, top + height), score, tuple(fields[1:5]))


def _joined(words: list[_Word]) -> Found:
    first, last = words[0].box, words[-1].box
    corners = ((first[0], first[1]), (last[2], last[1]), (last[2], last[3]), (first[0], first[3]))
    boxes = [word.box for word in words]
    box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    n_chars = sum(len(word.text) for word in words)
    score = sum(len(word.text) * word.score for word in words) / n_chars
    return Found(" ".join(word.text for word in words), corners, score, box)


@cache
def _languages() -> list[str]:
    """Return the option for the languages that are installed, English first."""
    names = [name for name in _said("--list-langs").split("\n")[1:] if name.strip() and name not in {"osd", "equ"}]
    names.sort(key=lambda name: (name != "eng", name))
    return ["-l", "+".join(names[:_MOST_LANGUAGES])] if names else []


@cache
def _tesseract_version() -> str:
    words = _said("--version").split()
    return f"tesseract {words[1]}" if len(words) > 1 else "tesseract"


def _said(option: str) -> str:
    """Return what the program says of itself, nothing where it cannot be started."""
    try:
        done = subprocess.run(  # noqa: S603 - a program of the machine, with an option of our own
            [tesseract_path() or "tesseract", option], capture_output=True, text=True, check=False, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout or done.stderr


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
            # -P keeps the working directory out of the import path, as for the parsing processes.
            environment = os.environ | {
                "PYTHONPATH": os.pathsep.join([str(Path(__file__).resolve().parents[2]), *sys.path])
            }
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "pincite.parsing.ocr_child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
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


def write_frame(pipe: IO[bytes] | None, body: bytes) -> None:
    """Write a body with its length before it."""
    if pipe is None:
        return
    pipe.write(len(body).to_bytes(LENGTH_BYTES, "big"))
    pipe.write(body)
    pipe.flush()


def read_frame(pipe: IO[bytes] | None) -> bytes | None:
    """Return the next body, `None` where the other side is gone."""
    head = pipe.read(LENGTH_BYTES) if pipe is not None else b""
    if pipe is None or len(head) < LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "big")
    body = pipe.read(length)
    return body if len(body) == length else None

"""Tesseract, a program of the machine: each picture is a process of its own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from pincite.parsing.ocr_engine import OcrError
from pincite.parsing.ocr_layout import Box, Found, Piece, straightened

if TYPE_CHECKING:
    from PIL.Image import Image

#: Pieces that Tesseract is less sure of on the whole are noise more often than text.
_MIN_SCORE: Final = 0.3
#: A gap this many times the height of its words parts the cells of a line.
_CELL_GAP: Final = 2.0
#: So many languages are asked for at a time: each makes it slower.
_MOST_LANGUAGES: Final = 4


@cache
def tesseract_path() -> str | None:
    """Return where the program is, `None` where there is none."""
    return shutil.which("tesseract")


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

"""Pages drawn in child processes: a PDF that crashes or hangs its reader takes neither the server nor a question along.

A child is also where two pages can be drawn at the same time: the reader serves one thread of a process only.
"""

import os
import queue
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from pincite import errors
from pincite.errors import CorruptFileError, PinciteError
from pincite.parsing.child import module_process
from pincite.parsing.worker import own_pipes, read_frame, received_jobs, write_frame
from pincite.types.citation import HighlightBox
from pincite.types.record import Record

#: How long one page may take, in seconds.
TIMEOUT_S: Final = 20.0
#: A child that drew this many pages is replaced, so what a library leaks never adds up.
_MOST_PAGES: Final = 2000


class Sheet(Record, frozen=True, kw_only=True):
    """A page to draw: the original at `path`, and the boxes to mark on it."""

    path: bytes
    name: str
    page_num: int
    dpi: float
    boxes: tuple[HighlightBox, ...] = ()


class Drawn(Record, frozen=True, kw_only=True, tag=True):
    """The page as PNG; `None` where the original is nothing that can be drawn."""

    picture: bytes | None


class NotDrawn(Record, frozen=True, kw_only=True, tag=True):
    """The class of the error in `pincite.errors`, and what it says."""

    error: str
    message: str


class _Child:
    """One process that draws, and its two pipes."""

    def __init__(self, memory_mb: int) -> None:
        process = module_process("pincite.interfaces.http.drawing", str(memory_mb))
        if process.stdin is None or process.stdout is None:
            raise CorruptFileError("the drawing process has no pipes", origin="pincite")
        self._process, self._jobs, self._replies = process, process.stdin, process.stdout
        self.n_drawn = 0
        self.is_late = False

    def draw(self, sheet: Sheet, timeout_s: float) -> Drawn | NotDrawn | None:
        """Return the reply; `None` where the process died, or was killed because it is late."""
        deadline = threading.Timer(timeout_s, self._expire)
        deadline.daemon = True
        deadline.start()
        try:
            write_frame(self._jobs, msgspec.msgpack.encode(sheet))
            body = read_frame(self._replies)
        except OSError:
            body = None
        finally:
            deadline.cancel()
        self.n_drawn += 1
        return None if body is None else msgspec.msgpack.decode(body, type=Drawn | NotDrawn)

    def _expire(self) -> None:
        self.is_late = True
        self._process.kill()

    def end(self) -> None:
        """Kill the process and close the pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._jobs, self._replies):
            with suppress(OSError):
                pipe.close()


class Drawers:
    """Child processes that draw: one for each thread that draws at a time, started when it is needed and kept."""

    def __init__(self, *, memory_mb: int = 4096, timeout_s: float = TIMEOUT_S) -> None:
        """Start nothing yet; a child has `memory_mb` of address space, a page `timeout_s`."""
        self._memory_mb = memory_mb
        self._timeout_s = timeout_s
        self._idle: queue.SimpleQueue[_Child] = queue.SimpleQueue()
        self._is_closed = False

    def draw(self, sheet: Sheet) -> bytes | None:
        """Return a page as PNG; `None` where the original is nothing that can be drawn.

        Raises:
            CorruptFileError: it cannot be drawn, or not in time.
            PasswordRequiredError: it is locked.

        """
        child = self._taken()
        reply = child.draw(sheet, self._timeout_s)
        if reply is None and child.n_drawn > 1 and not child.is_late:
            child.end()  # it may have died while it was idle
            child = _Child(self._memory_mb)
            reply = child.draw(sheet, self._timeout_s)
        if reply is None or child.is_late or self._is_closed or child.n_drawn >= _MOST_PAGES:
            child.end()
        else:
            self._idle.put(child)
        if reply is None:
            message = f"the page was not drawn: its process died, or took longer than {self._timeout_s:g} s"
            raise CorruptFileError(message, origin=sheet.name, page_num=sheet.page_num)
        if isinstance(reply, NotDrawn):
            raise _rebuilt(reply, sheet)
        return reply.picture

    def close(self) -> None:
        """End every child that is idle; the others end when they have drawn."""
        self._is_closed = True
        with suppress(queue.Empty):
            while True:
                self._idle.get_nowait().end()

    def _taken(self) -> _Child:
        with suppress(queue.Empty):
            return self._idle.get_nowait()
        return _Child(self._memory_mb)


def _rebuilt(reply: NotDrawn, sheet: Sheet) -> PinciteError:
    kind = getattr(errors, reply.error, None)
    if isinstance(kind, type) and issubclass(kind, errors.ParseError):
        return kind(reply.message, origin=sheet.name, page_num=sheet.page_num)
    return CorruptFileError(reply.message, origin=sheet.name, page_num=sheet.page_num)


def picture_of_sheet(sheet: Sheet) -> bytes | None:
    """Return a page as PNG, drawn in this process. Raises as `Drawers.draw`."""
    from pincite.rendering.boxes import merge_boxes
    from pincite.rendering.originals import as_pdf
    from pincite.rendering.page_image import Mark, paper_of, picture_of
    from pincite.rendering.page_picture import png

    original = as_pdf(Path(os.fsdecode(sheet.path)).read_bytes())
    if original is None:
        return None
    paper = paper_of(original, sheet.page_num, dpi=sheet.dpi, name=sheet.name)
    marks = [Mark(number=1, item_num=1, box=box) for box in merge_boxes(sheet.boxes)]
    return png(picture_of(paper, marks, None, badges=False))


def _reply(sheet: Sheet) -> Drawn | NotDrawn:
    try:
        return Drawn(picture=picture_of_sheet(sheet))
    except errors.ParseError as error:
        return NotDrawn(error=type(error).__name__, message=error.message)
    except Exception as error:  # noqa: BLE001 - whatever a library does wrong is told, never passed on
        return NotDrawn(error=CorruptFileError.__name__, message=f"the page cannot be drawn ({type(error).__name__})")


def main(memory_mb: int) -> None:
    """Draw until nothing more can come."""
    source, out = own_pipes(memory_mb)
    decoder = msgspec.msgpack.Decoder(Sheet)
    jobs = received_jobs(source)
    while True:
        write_frame(out, msgspec.msgpack.encode(_reply(decoder.decode(jobs.get()))))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4096)

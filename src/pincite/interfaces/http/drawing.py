"""Pages and reports drawn in child processes: a PDF that crashes or hangs its reader takes nothing else along.

A child is also where two pages can be drawn at the same time: the reader serves one thread of a process only.
"""

import os
import queue
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from pincite import errors
from pincite.errors import CorruptFileError, PinciteError
from pincite.parsing.processes import module_process, read_frame, write_frame
from pincite.parsing.worker import own_pipes, received_jobs
from pincite.types.answer import Answer, Result
from pincite.types.citation import HighlightBox
from pincite.types.record import Record

if TYPE_CHECKING:
    from pincite.rendering.originals import Access

#: How long one page may take, in seconds.
TIMEOUT_S: Final = 20.0
#: A report may have this many times as long: it has many pages.
_PER_REPORT: Final = 3
#: A child that drew this many pages is replaced, so what a library leaks never adds up.
_MOST_PAGES: Final = 2000


class Sheet(Record, frozen=True, kw_only=True, tag=True):
    """A page to draw: the original at `path`, and the boxes to mark on it."""

    path: bytes
    name: str
    page_num: int
    dpi: float
    boxes: tuple[HighlightBox, ...] = ()


class Report(Record, frozen=True, kw_only=True, tag=True):
    """A result to write: the report of a trace (`html`), or a cited document with highlights (`pdf`).

    `doc_id` chooses the cited document; without it, it is the first that can be drawn on.
    """

    library: bytes
    trace_id: str
    form: Literal["html", "pdf"]
    doc_id: str | None = None


class Drawn(Record, frozen=True, kw_only=True, tag=True):
    """A page as PNG, or a report and the name of its document; `None` where there is nothing that can be drawn."""

    content: bytes | None
    name: str = ""


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

    def draw(self, work: Sheet | Report, timeout_s: float) -> Drawn | NotDrawn | None:
        """Return the reply; `None` where the process died, or was killed because it is late."""
        deadline = threading.Timer(timeout_s, self._expire)
        deadline.daemon = True
        deadline.start()
        try:
            write_frame(self._jobs, msgspec.msgpack.encode(work))
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

    def draw(self, work: Sheet | Report) -> Drawn:
        """Return a page or a report.

        Raises:
            CorruptFileError: it cannot be drawn, or not in time.
            PasswordRequiredError: the original is locked.

        """
        timeout_s = self._timeout_s if isinstance(work, Sheet) else _PER_REPORT * self._timeout_s
        child = self._taken()
        reply = child.draw(work, timeout_s)
        if reply is None and child.n_drawn > 1 and not child.is_late:
            child.end()  # it may have died while it was idle
            child = _Child(self._memory_mb)
            reply = child.draw(work, timeout_s)
        if reply is None or child.is_late or self._is_closed or child.n_drawn >= _MOST_PAGES:
            child.end()
        else:
            self._idle.put(child)
        if reply is None:
            raise _failure(work, f"it was not drawn: the process died, or took longer than {timeout_s:g} s")
        if isinstance(reply, NotDrawn):
            raise _failure(work, reply.message, reply.error)
        return reply

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


def _failure(work: Sheet | Report, message: str, error: str = "") -> PinciteError:
    """Return the error of what was not drawn, of the class that the child named."""
    kind = getattr(errors, error, None)
    if not (isinstance(kind, type) and issubclass(kind, errors.ParseError)):
        kind = CorruptFileError
    if isinstance(work, Sheet):
        return kind(message, origin=work.name, page_num=work.page_num)
    return kind(message, origin=f"the answer {work.trace_id}")


def _page(sheet: Sheet) -> Drawn:
    from pincite.rendering.boxes import merge_boxes
    from pincite.rendering.originals import as_pdf
    from pincite.rendering.page_image import Mark, paper_of, picture_of
    from pincite.rendering.page_picture import png

    original = as_pdf(Path(os.fsdecode(sheet.path)).read_bytes())
    if original is None:
        return Drawn(content=None)
    paper = paper_of(original, sheet.page_num, dpi=sheet.dpi, name=sheet.name)
    marks = [Mark(number=1, item_num=1, box=box) for box in merge_boxes(sheet.boxes)]
    return Drawn(content=png(picture_of(paper, marks, None, badges=False)))


def _report(report: Report) -> Drawn:
    from pincite.library.cited_originals import access_of
    from pincite.rendering.report import report_html
    from pincite.storage.opening import open_store
    from pincite.types.trace import Trace
    from pincite.verifying import result_of

    with open_store(os.fsdecode(report.library), create=False, read_only=True) as store:
        trace = store.journal.trace(report.trace_id)
        if trace is None:
            return Drawn(content=None)
        result = result_of(msgspec.json.decode(trace, type=Trace).result)
        access = access_of(store, result)
        if report.form == "html":
            return Drawn(content=report_html(result, access).encode())
        return _highlighted(result, access, report.doc_id)


def _highlighted(result: Result, access: "Access", doc_id: str | None) -> Drawn:
    """Return a cited document as a PDF with its cites highlighted: the one asked for, else the first that can be."""
    from pincite.rendering.annotate import annotated
    from pincite.rendering.citing import number_citations
    from pincite.rendering.originals import as_pdf

    citations = number_citations(result.items).citations if isinstance(result, Answer) else ()
    cited = dict.fromkeys(numbered.citation.doc_id for numbered in citations)
    for candidate in cited if doc_id is None else [one for one in cited if one == doc_id]:
        original = as_pdf(access.originals(candidate))
        if original is not None:
            mine = [numbered for numbered in citations if numbered.citation.doc_id == candidate]
            name = mine[0].citation.doc_name
            return Drawn(content=annotated(original, mine, name=name), name=name)
    return Drawn(content=None)


def _reply(work: Sheet | Report) -> Drawn | NotDrawn:
    try:
        return _page(work) if isinstance(work, Sheet) else _report(work)
    except errors.ParseError as error:
        return NotDrawn(error=type(error).__name__, message=error.message)
    except Exception as error:  # noqa: BLE001 - whatever a library does wrong is told, never passed on
        return NotDrawn(error=CorruptFileError.__name__, message=f"it cannot be drawn ({type(error).__name__})")


def main(memory_mb: int) -> None:
    """Draw until nothing more can come."""
    source, out = own_pipes(memory_mb)
    decoder = msgspec.msgpack.Decoder(Sheet | Report)
    jobs = received_jobs(source)
    while True:
        write_frame(out, msgspec.msgpack.encode(_reply(decoder.decode(jobs.get()))))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4096)

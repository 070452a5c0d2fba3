"""Parsing in child processes: all cores, a time and memory limit for each file, one bad file never stops a batch."""

import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Self

from pincite.parsing.child import Child, Limits
from pincite.parsing.ocr import OcrOptions
from pincite.types.document import ParsedDocument
from pincite.types.record import Record

#: Files handed out for each process: one being parsed, one waiting, so no process idles while a result is used.
_AHEAD: Final = 2
#: How often a wait wakes up to let Ctrl-C through, in seconds (needed on Windows only).
_WAKE_S: Final = 0.5


class ParseRequest(Record, frozen=True, kw_only=True):
    """One file to parse: `path` or `content`. `name` is what errors and citations call it.

    `parser` is a name in `PARSERS` or `module:Class`; `None` chooses by the bytes and the name. `charset` is what
    the server that sent the file called its encoding.
    """

    name: str
    uri: str
    path: Path | None = None
    content: bytes | None = None
    password: str | None = None
    charset: str | None = None
    parser: str | None = None


class ParseOutcome(Record, frozen=True, kw_only=True):
    """The document of a request, or the error why there is none (a `ParseError` or `SourceError`)."""

    request: ParseRequest
    document: ParsedDocument | None = None
    error: Any = None

    def value(self) -> ParsedDocument:
        """Return the document.

        Raises:
            PinciteError: the file could not be parsed.

        """
        if self.document is None:
            raise self.error
        return self.document


class _Progress(Record, frozen=True, kw_only=True):
    name: str
    n_done: int
    n_pages: int


#: Called with the name of a file, the pages done and the pages in all.
OnProgress = Callable[[str, int, int], None]
_Results = queue.SimpleQueue[ParseOutcome | _Progress]


class ParsePool:
    """Parses files in child processes, which are started when needed and used again.

    `jobs` 0 means all cores. A file may take `timeout_s` seconds and `timeout_per_page_s` more for each page; a
    process may use `memory_mb` of address space. Pages are read by text recognition as `ocr` says, by default not.
    Use it as a context manager: leaving it ends the processes.
    """

    def __init__(
        self,
        *,
        jobs: int = 0,
        timeout_s: float = 60.0,
        timeout_per_page_s: float = 0.5,
        memory_mb: int = 4096,
        max_file_mb: int = 1024,
        ocr: OcrOptions | None = None,
    ) -> None:
        self._jobs = jobs or _n_cores()
        self._limits = Limits(
            timeout_s=timeout_s,
            timeout_per_page_s=timeout_per_page_s,
            memory_mb=memory_mb,
            max_bytes=max_file_mb * 2**20,
            ocr=ocr,
        )
        self._tasks: queue.SimpleQueue[tuple[ParseRequest, _Results, bool] | None] = queue.SimpleQueue()
        self._children: list[Child] = []
        self._threads: list[threading.Thread] = []
        self._n_waiting = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process at once, whatever it is doing."""
        for child in self._children:
            child.kill()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._children, self._threads = [], []

    def parse_many(
        self, requests: Iterable[ParseRequest], *, on_progress: OnProgress | None = None
    ) -> Iterator[ParseOutcome]:
        """Yield one outcome for each request, in the order in which they are done.

        Requests are taken a few ahead. `on_progress` is called in the caller's thread.
        """
        results: _Results = queue.SimpleQueue()
        waiting = iter(requests)
        n_open = 0
        is_drained = False
        while True:
            while not is_drained and n_open < _AHEAD * self._jobs:
                request = next(waiting, None)
                if request is None:
                    is_drained = True
                else:
                    self._submit(request, results, reports=on_progress is not None)
                    n_open += 1
            if n_open == 0:
                return
            result = _next(results)
            if isinstance(result, ParseOutcome):
                n_open -= 1
                yield result
            elif on_progress is not None:
                on_progress(result.name, result.n_done, result.n_pages)

    def _submit(self, request: ParseRequest, results: _Results, *, reports: bool) -> None:
        """Queue a request, and start a process for it when all are busy and another one is allowed."""
        with self._lock:
            self._n_waiting += 1
            if len(self._threads) < min(self._jobs, self._n_waiting):
                child = Child(self._limits)
                thread = threading.Thread(target=self._serve, args=(child,), daemon=True, name="pincite-parse")
                self._children.append(child)
                self._threads.append(thread)
                thread.start()
        self._tasks.put((request, results, reports))

    def _serve(self, child: Child) -> None:
        """Run one child on task after task, until the pool is closed."""
        while (task := self._tasks.get()) is not None:
            request, results, reports = task
            outcome = _run(child, request, results if reports else None)
            with self._lock:
                self._n_waiting -= 1
            results.put(outcome)
        child.end()


def _run(child: Child, request: ParseRequest, results: _Results | None) -> ParseOutcome:
    def report(n_done: int, n_pages: int) -> None:
        if results is not None:
            results.put(_Progress(name=request.name, n_done=n_done, n_pages=n_pages))

    try:
        document = child.parse(
            name=request.name,
            uri=request.uri,
            path=request.path,
            content=request.content,
            password=request.password,
            charset=request.charset,
            parser=request.parser,
            report=report,
        )
        return ParseOutcome(request=request, document=document)
    except Exception as error:  # noqa: BLE001  # it is handed to the caller as the outcome
        return ParseOutcome(request=request, error=error)


def _next(results: _Results) -> ParseOutcome | _Progress:
    while True:
        try:
            return results.get(timeout=_WAKE_S)
        except queue.Empty:
            continue


def _n_cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows
        return os.cpu_count() or 1


def request_for(
    path: str | Path, *, name: str | None = None, uri: str | None = None, password: str | None = None
) -> ParseRequest:
    """Return the request for a file on disk; bytes of its name that are not UTF-8 are shown escaped."""
    absolute = Path(path).expanduser().absolute()
    shown = os.fsencode(absolute.name).decode("utf-8", "backslashreplace") if name is None else name
    return ParseRequest(name=shown, uri=uri or absolute.as_uri(), path=absolute, password=password)


def parse_one(
    request: ParseRequest,
    *,
    timeout_s: float = 60.0,
    timeout_per_page_s: float = 0.5,
    memory_mb: int = 4096,
    max_file_mb: int = 1024,
) -> ParsedDocument:
    """Return the document of one request, parsed in a process of its own.

    Raises:
        ParseError: the bytes are not a document we can read.
        SourceError: there is no such file, or it may not be read.

    """
    with ParsePool(
        jobs=1,
        timeout_s=timeout_s,
        timeout_per_page_s=timeout_per_page_s,
        memory_mb=memory_mb,
        max_file_mb=max_file_mb,
    ) as pool:
        return next(pool.parse_many([request])).value()

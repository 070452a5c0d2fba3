"""One parsing child process as its parent sees it: start, deadline, death, and errors rebuilt."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import msgspec

from pincite import errors
from pincite.errors import ParseError, ParseMemoryError, ParseTimeoutError, PinciteError
from pincite.parsing.ocr import OcrOptions
from pincite.parsing.processes import module_process, read_frame, write_frame
from pincite.parsing.worker import Failed, Job, Parsed, Progressed, Recognising
from pincite.types.document import ParsedDocument

#: A process that parsed this many files is replaced, so what a library leaks never adds up.
MAX_FILES: Final = 500
#: A process whose pipes are closed ends by itself within this time, or is killed.
_GRACE_S: Final = 0.5
#: How often a page is read by text recognition at most, until it is upright.
_OCR_TRIES: Final = 6
#: Signals of a program that went wrong; others also come where memory is refused.
_CRASHES: Final = {signal.SIGSEGV, signal.SIGFPE, *([signal.SIGBUS] if hasattr(signal, "SIGBUS") else [])}

_REPLIES: Final = msgspec.msgpack.Decoder(Parsed | Progressed | Recognising | Failed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one file may cost: seconds, seconds more for each page, address space, bytes."""

    timeout_s: float
    timeout_per_page_s: float
    memory_mb: int
    max_bytes: int
    ocr: OcrOptions | None = None


class Child:
    """A child process, started at the first file and again after it died. `parse` is called by one thread at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._running: _Running | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    def kill(self) -> None:
        """End the process at once and start no other; `parse` then raises in the thread that waits for it."""
        with self._lock:
            self._is_closed = True
            running = self._running
        if running is not None:
            running.process.kill()

    def end(self) -> None:
        """Let go of the process; called by the thread that calls `parse`."""
        if self._running is not None:
            self._drop(self._running)

    def parse(
        self,
        *,
        name: str,
        uri: str,
        path: Path | None,
        content: bytes | None,
        password: str | None,
        charset: str | None,
        parser: str | None,
        report: Callable[[int, int], None],
    ) -> ParsedDocument:
        """Return the document of one file.

        Raises:
            ParseTimeoutError: the deadline passed; the process is killed.
            ParseMemoryError: the memory limit was reached, or the process died.
            PinciteError: whatever else the parser raised.

        """
        job = Job(
            name=name.encode("utf-8", "backslashreplace").decode("utf-8"),
            uri=uri,
            max_bytes=self._limits.max_bytes,
            path=None if path is None else os.fsencode(path),
            content=content,
            password=password,
            charset=charset,
            ocr=self._limits.ocr,
            parser=parser,
        )
        running = self._send(msgspec.msgpack.encode(job), name)
        watch = _Watch(running.process, self._limits)
        try:
            reply = _wait(running, watch, report)
        finally:
            watch.stop()
        if watch.is_expired and reply is not None:
            self._drop(running)  # it was killed while its reply was on the way
        if isinstance(reply, Parsed):
            return reply.document
        if reply is None:
            raise self._death(running, watch, name)
        if reply.is_last and not watch.is_expired:
            self._drop(running)
        raise _rebuilt(reply, name)

    def _send(self, body: bytes, name: str) -> "_Running":
        """Hand the job to the process; one that died while idle is replaced once."""
        for _ in range(2):
            running = self._ready(name)
            try:
                write_frame(running.jobs, body)
            except OSError:
                self._drop(running)
            else:
                running.n_files += 1
                return running
        raise ParseMemoryError("the parsing process cannot be started", origin=name)

    def _ready(self, name: str) -> "_Running":
        """Return the process that takes the next file: the one there is, unless it has served long enough."""
        if self._running is not None and self._running.n_files >= MAX_FILES:
            self._drop(self._running)
        with self._lock:
            if self._is_closed:
                raise ParseError("parsing was stopped", origin=name)
            if self._running is None:
                self._running = _start(self._limits.memory_mb)
            return self._running

    def _death(self, running: "_Running", watch: "_Watch", name: str) -> PinciteError:
        code = self._drop(running)
        if self._is_closed:
            return ParseError("parsing was stopped", origin=name)
        if watch.is_expired:
            return ParseTimeoutError(
                f"not parsed within {watch.allowed_s:g} s; a higher parse_timeout_s allows more",
                origin=name,
                page_num=watch.page_num,
            )
        advice = "" if -code in _CRASHES else ", or parse_memory_mb too low"
        return ParseMemoryError(
            f"the parsing process {'crashed' if code < 0 else 'died'} ({_how(code)}); the file may be damaged{advice}",
            origin=name,
            page_num=watch.page_num,
        )

    def _drop(self, running: "_Running") -> int:
        """End a process and forget it; return its exit code, negative for a signal."""
        with self._lock:
            self._running = None
        with suppress(OSError):  # what was not sent yet has nobody to read it
            running.jobs.close()
        try:
            code = running.process.wait(timeout=_GRACE_S)
        except subprocess.TimeoutExpired:
            running.process.kill()
            code = running.process.wait()
        running.replies.close()
        return code


@dataclass(slots=True)
class _Running:
    """A live process with its two pipes, and how many files it was given."""

    process: "subprocess.Popen[bytes]"
    jobs: IO[bytes]
    replies: IO[bytes]
    n_files: int = 0


def _wait(running: _Running, watch: "_Watch", report: Callable[[int, int], None]) -> Parsed | Failed | None:
    """Return the reply; `None` where the process died before it."""
    while (body := read_frame(running.replies)) is not None:
        reply: Parsed | Progressed | Recognising | Failed = _REPLIES.decode(body)
        if isinstance(reply, Recognising):
            watch.recognising()
            continue
        if not isinstance(reply, Progressed):
            return reply
        watch.progressed(reply)
        report(reply.n_done, reply.n_pages)
    return None


class _Watch:
    """Kills a process at its deadline; the deadline moves out once the number of pages is known."""

    def __init__(self, process: "subprocess.Popen[bytes]", limits: Limits) -> None:
        self._process = process
        self._limits = limits
        self._started = time.monotonic()
        self._progress: Progressed | None = None
        self.allowed_s = limits.timeout_s
        self.is_expired = False
        self._timer = self._timer_for(limits.timeout_s)

    def _timer_for(self, left_s: float) -> threading.Timer:
        timer = threading.Timer(max(0.0, left_s), self._expire)
        timer.daemon = True
        timer.start()
        return timer

    def _expire(self) -> None:
        self.is_expired = True
        self._process.kill()

    def progressed(self, progress: Progressed) -> None:
        """Take note of a page; the first time, of how many there are."""
        known = 0 if self._progress is None else self._progress.n_pages
        self._progress = progress
        if progress.n_pages > known:
            self._extend(self._limits.timeout_s + self._limits.timeout_per_page_s * progress.n_pages - self.allowed_s)

    def recognising(self) -> None:
        """Take note of a page that is read by text recognition: its own limit ends it, and is added to the whole."""
        if self._limits.ocr is not None:
            # A page that lies on its side is read up to six times, the tries at half the size.
            self._extend(_OCR_TRIES * self._limits.ocr.timeout_s)

    def _extend(self, more_s: float) -> None:
        if self.is_expired:
            return
        self._timer.cancel()
        self.allowed_s += more_s
        self._timer = self._timer_for(self._started + self.allowed_s - time.monotonic())

    @property
    def page_num(self) -> int | None:
        """The page being parsed, `None` before the first report."""
        if self._progress is None:
            return None
        return min(self._progress.n_done + 1, self._progress.n_pages)

    def stop(self) -> None:
        """Call the watch off; afterwards `is_expired` does not change any more."""
        self._timer.cancel()
        self._timer.join()


def _start(memory_mb: int) -> _Running:
    process = module_process("pincite.parsing.worker", str(memory_mb))
    if process.stdin is None or process.stdout is None:
        raise ParseMemoryError("the parsing process has no pipes", origin="pincite")
    return _Running(process, process.stdin, process.stdout)


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _rebuilt(failed: Failed, name: str) -> PinciteError:
    """Return the error that the child raised, as its own class."""
    kind = getattr(errors, failed.error, None)
    if not (isinstance(kind, type) and issubclass(kind, PinciteError)):
        kind = ParseError
    if issubclass(kind, ParseError):
        return kind(failed.message, origin=name, page_num=failed.page_num)
    return kind(failed.message)

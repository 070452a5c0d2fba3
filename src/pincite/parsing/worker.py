"""The parsing child process: reads jobs from standard input, writes what it parsed to standard output.

Frames in both directions are msgpack records. The child ends when its standard input does, so it never outlives the
process that started it.
"""

import os
import queue
import signal
import stat
import sys
import threading
from contextlib import suppress
from typing import IO, Any

import msgspec

from pincite.errors import (
    CorruptFileError,
    ParseError,
    ParseMemoryError,
    PinciteError,
    SourceError,
)
from pincite.parsing import PARSERS
from pincite.parsing.detect import head_of, media_type, parser_name
from pincite.parsing.ocr import OcrOptions
from pincite.parsing.processes import read_frame, write_frame
from pincite.registry import load
from pincite.types.document import ParsedDocument
from pincite.types.record import Record


class Job(Record, frozen=True, kw_only=True):
    """One file to parse: the bytes at `path` (as the file system has it) or `content` itself.

    `parser` is a name in `PARSERS` or `module:Class`; `None` chooses by the bytes and the name. `password` and
    `charset` (what the server that sent it called its encoding) go to parsers that take them, as does `ocr`.
    """

    name: str
    uri: str
    max_bytes: int
    path: bytes | None = None
    content: bytes | None = None
    password: str | None = None
    charset: str | None = None
    parser: str | None = None
    ocr: OcrOptions | None = None


class Progressed(Record, frozen=True, kw_only=True, tag=True):
    """`n_done` of `n_pages` pages are parsed."""

    n_done: int
    n_pages: int


class Recognising(Record, frozen=True, kw_only=True, tag=True):
    """A page is about to be read by text recognition, which has a time limit of its own."""

    page_num: int


class Parsed(Record, frozen=True, kw_only=True, tag=True):
    """The document."""

    document: ParsedDocument


class Failed(Record, frozen=True, kw_only=True, tag=True):
    """The class of the error in `pincite.errors` and what it says; the child ends after one with `is_last`."""

    error: str
    message: str
    page_num: int | None = None
    is_last: bool = False


def parse_job(job: Job, report: Any, on_ocr: Any = None) -> ParsedDocument:
    """Return the document of a job; `report` is called with pages done and pages in all.

    `on_ocr` is called with the number of a page before it is read by text recognition.

    Raises:
        PinciteError: the file cannot be read or parsed.

    """
    content = content_of(job) if job.content is None else job.content
    named = job.parser or parser_name(media_type(head_of(content), job.name), job.name)
    table = {named: named} if ":" in named else PARSERS
    make = load(named, table, group="pincite.parsers")
    offered = {"password": job.password, "charset": job.charset, "ocr": job.ocr}
    parser = make(**_taken(make, offered | ({"on_ocr": on_ocr} if job.ocr else {})))
    document: ParsedDocument = parser.parse(content, name=job.name, uri=job.uri, progress=report)
    return document


def _taken(make: Any, offered: dict[str, Any]) -> dict[str, Any]:
    """Return what there is of the options that a parser is made with."""
    given = {name: value for name, value in offered.items() if value is not None}
    if not given:
        return {}
    import inspect  # 10 ms that few files cost

    parameters = inspect.signature(make).parameters
    return {name: value for name, value in given.items() if name in parameters}


def content_of(job: Job) -> bytes:
    """Return the bytes of a job's file.

    Raises:
        SourceError: there is no such file, or it may not be read.
        ParseMemoryError: it has more bytes than the job allows.

    """
    path = job.path or b""
    try:
        status = os.stat(path)  # noqa: PTH116  # the path is bytes: no encoding of it can be wrong
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(f"{job.name}: not a file")
        if status.st_size > job.max_bytes:
            n_mb = status.st_size / 2**20
            raise ParseMemoryError(
                f"the file has {n_mb:,.0f} MB, and max_file_mb is {job.max_bytes / 2**20:,.0f}", origin=job.name
            )
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError as error:
        raise SourceError(f"{job.name}: {error.strerror or error}") from error


def _run(job: Job, out: IO[bytes]) -> bool:
    """Parse one job and write the result; return whether the process is fit for another one."""

    def report(n_done: int, n_pages: int) -> None:
        write_frame(out, msgspec.msgpack.encode(Progressed(n_done=n_done, n_pages=n_pages)))

    def on_ocr(page_num: int) -> None:
        write_frame(out, msgspec.msgpack.encode(Recognising(page_num=page_num)))

    failed: Failed | None = None
    body = b""
    try:
        body = msgspec.msgpack.encode(Parsed(document=parse_job(job, report, on_ocr)), enc_hook=_plain)
    except MemoryError:
        failed = Failed(error=ParseMemoryError.__name__, message="the memory limit was reached", is_last=True)
    except ParseError as error:
        failed = Failed(error=type(error).__name__, message=_clean(error.message), page_num=error.page_num)
    except PinciteError as error:
        failed = Failed(error=type(error).__name__, message=_clean(str(error)))
    except BaseException as error:  # noqa: BLE001  # whatever a parser does wrong is told, never passed on
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        failed = Failed(error=CorruptFileError.__name__, message=_clean(f"the parser failed on it ({said})"))
    write_frame(out, body if failed is None else msgspec.msgpack.encode(failed))
    return failed is None or not failed.is_last


def _plain(value: Any) -> Any:
    """Return the Python number of a number that an array library made."""
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a parser returned a {type(value).__name__}, which is no part of a document")


def _clean(message: str) -> str:
    """Return a message that can be encoded, whatever characters a file put into it."""
    return message.encode("utf-8", "backslashreplace").decode("utf-8")


def _limit_memory(n_mb: int) -> None:
    try:
        import resource
    except ImportError:
        return  # Windows has no such limit
    limit = n_mb * 2**20
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _receive(pipe: IO[bytes], jobs: "queue.SimpleQueue[bytes]") -> None:
    """Pass jobs on; end the process at once when the parent is gone, even in the middle of a job."""
    while (body := read_frame(pipe)) is not None:
        jobs.put(body)
    os._exit(0)


def received_jobs(source: IO[bytes]) -> "queue.SimpleQueue[bytes]":
    """Return the queue of what comes in; the process ends at once when nothing more can come."""
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(source, jobs), daemon=True).start()
    return jobs


def own_pipes(memory_mb: int) -> tuple[IO[bytes], IO[bytes]]:
    """Make this a child that serves jobs in `memory_mb` of address space; return where they come in and results go.

    Libraries that print or read find an empty device instead.
    """
    with suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    out = os.fdopen(os.dup(1), "wb")
    source = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    _limit_memory(memory_mb)
    return source, out


def main(memory_mb: int) -> None:
    """Serve jobs until standard input ends."""
    source, out = own_pipes(memory_mb)
    jobs = received_jobs(source)
    decoder = msgspec.msgpack.Decoder(Job)
    while _run(decoder.decode(jobs.get()), out):
        pass
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4096)

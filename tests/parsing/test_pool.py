"""Parsing in child processes, with parsers that misbehave."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import (
    CorruptFileError,
    NotTextError,
    ParseMemoryError,
    ParseTimeoutError,
    PasswordRequiredError,
    SourceError,
)
from pincite.parsing.child import _Watch
from pincite.parsing.pool import ParseOutcome, ParsePool, ParseRequest, parse_one, request_for
from pincite.parsing.worker import Progressed

CASES = Path(__file__).parents[1] / "cases"


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[ParsePool]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    with ParsePool(jobs=1, timeout_s=600, memory_mb=512) as made:
        yield made


def request(parser: str | None = None, name: str = "a.txt", password: str | None = None) -> ParseRequest:
    named = None if parser is None else f"parsers_that_misbehave:{parser}"
    return ParseRequest(name=name, uri=f"file:///{name}", content=b"hello", parser=named, password=password)


def outcomes(pool: ParsePool, *requests: ParseRequest) -> list[ParseOutcome]:
    return list(pool.parse_many(requests))


def test_a_batch_gives_one_outcome_for_each_file(tmp_path: Path) -> None:
    """Good files are parsed and bad ones reported, whatever their order and however many processes there are."""
    for n in range(20):
        (tmp_path / f"{n}.md").write_text(f"# File {n}\n", "utf-8")
    (tmp_path / "bad.md").write_bytes((CASES / "CHK07-encodings" / "binary.txt").read_bytes())

    with ParsePool(jobs=2) as pool:
        done = outcomes(pool, *(request_for(path) for path in sorted(tmp_path.iterdir())))

    titles = {o.document.parsing_summary.title for o in done if o.document is not None}
    assert titles == {f"File {n}" for n in range(20)}
    assert [(type(o.error), o.request.name) for o in done if o.error is not None] == [(NotTextError, "bad.md")]


def test_a_file_that_takes_too_long_is_named_with_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time limit the process is killed, the error names file and page, and the next file is parsed.

    Here time is up when the parser of many pages says where it is.
    """
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    progressed = _Watch.progressed

    def end_of_time(watch: _Watch, progress: Progressed) -> None:
        progressed(watch, progress)
        if progress.n_pages > 1:
            watch._extend(-watch.allowed_s)

    monkeypatch.setattr(_Watch, "progressed", end_of_time)
    with ParsePool(jobs=1, timeout_s=600) as pool:
        late, next_one = outcomes(pool, request("Sleeping", "slow.txt"), request())

    assert isinstance(late.error, ParseTimeoutError)
    assert (late.error.origin, late.error.page_num) == ("slow.txt", 3)
    assert next_one.value().lines[0].text == "hello"


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux only")
def test_a_file_that_needs_too_much_memory_is_named(pool: ParsePool) -> None:
    """At the memory limit the file fails, and the next one is parsed."""
    hungry, next_one = outcomes(pool, request("Hungry", "big.txt"), request())

    assert isinstance(hungry.error, ParseMemoryError)
    assert str(hungry.error) == "big.txt: the memory limit was reached"
    assert next_one.value().lines[0].text == "hello"


@pytest.mark.parametrize(("parser", "how"), [("Crashing", "SIGSEGV"), ("Exiting", "exit code 7")])
def test_a_parser_that_dies_stops_nobody_else(pool: ParsePool, parser: str, how: str) -> None:
    """A crash costs one file; the error says how the process ended, and speaks of memory only where it may help."""
    dead, next_one = outcomes(pool, request(parser, "bad.txt"), request())

    assert isinstance(dead.error, ParseMemoryError)
    assert how in str(dead.error)
    assert ("parse_memory_mb" in str(dead.error)) == (how != "SIGSEGV")
    assert next_one.value().lines[0].text == "hello"


def test_a_fault_of_a_parser_is_an_error_of_the_file(pool: ParsePool) -> None:
    """An exception that a parser did not foresee arrives as a typed error, and the process goes on."""
    raised, next_one = outcomes(pool, request("Raising", "odd.txt"), request())

    assert isinstance(raised.error, CorruptFileError)
    assert "KeyError" in str(raised.error)
    assert next_one.document is not None


def test_errors_keep_their_class_message_and_page(pool: ParsePool) -> None:
    """An error of a child process is the same error in the caller's."""
    key = "open"
    locked, opened = outcomes(pool, request("Locked", "x.pdf"), request("Locked", "x.pdf", password=key))

    assert isinstance(locked.error, PasswordRequiredError)
    assert (str(locked.error), locked.error.page_num) == ("x.pdf, page 2: a password is needed", 2)
    assert opened.value().lines[0].text == "hello"


def test_what_libraries_print_disturbs_nothing(pool: ParsePool) -> None:
    """Output and input of a library never meet the frames of the protocol."""
    assert outcomes(pool, request("Printing"))[0].value().lines[0].text == "hello"


def test_numbers_of_an_array_library_arrive_as_numbers(pool: ParsePool) -> None:
    """What arrives is plain Python, so it can be stored and written as JSON."""
    metadata = outcomes(pool, request("Numbers"))[0].value().metadata

    assert metadata == {"bold": True, "size": 1.5}
    assert {type(value) for value in metadata.values()} == {bool, float}


def test_processes_are_used_again_and_report_progress(pool: ParsePool) -> None:
    """One process parses file after file; progress comes with the file's name."""
    seen: list[tuple[str, int, int]] = []

    done = list(pool.parse_many([request("ProcessId") for _ in range(5)], on_progress=lambda *args: seen.append(args)))

    assert len({o.value().lines[0].text for o in done}) == 1
    assert sorted(set(seen)) == [("a.txt", 1, 2), ("a.txt", 2, 2)]
    assert str(os.getpid()) not in {o.value().lines[0].text for o in done}


def test_requests_are_taken_only_a_few_ahead(pool: ParsePool) -> None:
    """A folder of any size is never held in memory."""
    taken: list[int] = []

    def many() -> Iterator[ParseRequest]:
        for n in range(100):
            taken.append(n)
            yield request()

    next(pool.parse_many(many()))

    assert len(taken) <= 3


def test_files_that_are_not_there_or_not_files(tmp_path: Path, pool: ParsePool) -> None:
    """A missing file, a folder, a pipe and a picture are reported by name."""
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    os.mkfifo(tmp_path / "pipe.txt")
    names = ["missing.txt", ".", "pipe.txt", "picture.png"]

    errors = [o.error for o in outcomes(pool, *(request_for(tmp_path / name) for name in names))]

    assert [type(error) for error in errors] == [SourceError, SourceError, SourceError, CorruptFileError]
    assert str(errors[0]) == "missing.txt: No such file or directory"


def test_too_large_a_file_is_not_read(tmp_path: Path) -> None:
    """A file above the limit is refused by its size."""
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(3 * 2**20)

    with pytest.raises(ParseMemoryError, match="max_file_mb"):
        parse_one(request_for(tmp_path / "huge.txt"), max_file_mb=2)


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are Unicode there")
def test_any_file_name_can_be_parsed(tmp_path: Path, pool: ParsePool) -> None:
    """A name that is not UTF-8 is shown escaped, and its address keeps the bytes."""
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9\n.md")  # noqa: PTH118
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"hello")

    document = next(pool.parse_many([request_for(os.fsdecode(path))])).value()

    assert (document.name, document.media_type) == ("caf\\xe9\n.md", "text/markdown")
    assert document.uri.endswith("/caf%E9%0A.md")


def test_a_module_in_the_working_directory_replaces_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is named like a library cannot run in the parsing process."""
    (tmp_path / "msgspec.py").write_text("raise SystemExit('replaced')", "utf-8")
    monkeypatch.chdir(tmp_path)

    assert parse_one(request()).lines[0].text == "hello"


SCRIPT = """
import time
from pincite.parsing.pool import ParsePool, ParseRequest
pool = ParsePool(jobs=1).__enter__()
work = pool.parse_many([ParseRequest(name="a.txt", uri="", content=b"", parser="parsers_that_misbehave:" + name)
                        for name in ("ProcessId", "Sleeping")])
print(next(work).document.lines[0].text, flush=True)
while True:
    time.sleep(0.02)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGKILL"])
def test_children_end_with_their_parent(signal_name: str) -> None:
    """Ctrl-C or a kill of the program leaves no parsing process behind; a script needs no main guard."""
    import signal

    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as script:
        assert script.stdout is not None
        child = int(script.stdout.readline())
        assert Path(f"/proc/{child}").exists()
        script.send_signal(getattr(signal, signal_name))
        try:
            script.wait(timeout=300)
        finally:
            script.kill()
        for _ in range(30_000):
            if not Path(f"/proc/{child}").exists():
                break
            time.sleep(0.01)
        assert not Path(f"/proc/{child}").exists()

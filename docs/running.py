"""Run what stands in the documents: Python, doctests, and commands at a terminal."""

import contextlib
import doctest
import importlib
import io
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from faults import ROOT, Fault
from markdown_it import MarkdownIt

#: What the examples find beside them.
EXAMPLE_FILES: Final = ("demo/NIST.CSWP.29.pdf", "docs/examples")
_COLUMNS: Final = 80
#: Packages of extras that developers need not have: modules made of them are passed over where they are missing.
EXTRAS: Final = frozenset({"lance"})
#: What differs from run to run and from machine to machine: ids, times, confidences.
_VARIES: Final = re.compile(
    r"\b[0-9a-f]{12}\b|\b\d+\.\d+ s\b|confidence \d\.\d+|\d{4}-\d\d-\d\d( \d\d:\d\d)?|cos\w* \d\.\d+"
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: `first_line` is the line below the opening fence, from 1."""

    info: str
    text: str
    first_line: int


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a document."""
    return [
        Block(info=token.info.strip(), text=token.content, first_line=(token.map or [0])[0] + 2)
        for token in MarkdownIt("commonmark").parse(text)
        if token.type == "fence"
    ]


def example_faults(path: Path, *, write: bool = False) -> Iterator[Fault]:
    """Run the examples of a document in the present folder, in order; those of Python share their names."""
    names: dict[str, Any] = {"__name__": path.stem}
    text = path.read_text(encoding="utf-8")
    for block in blocks(text):
        if block.info == "python run":
            yield from _executed(path, block, names)
        elif block.info == "pycon":
            yield from _doctested(path, block, names)
        elif block.info == "console run":
            seen = transcript(block.text)
            if masked(seen) == masked(block.text):
                continue
            if write:
                text = text.replace(block.text, seen)
                path.write_text(text, encoding="utf-8")
            else:
                yield Fault(path, block.first_line, f"the command prints something else:\n{_indented(seen)}")


def _executed(path: Path, block: Block, names: dict[str, Any]) -> Iterator[Fault]:
    # Blank lines before the code make line numbers in error messages those of the document.
    source = "\n" * (block.first_line - 1) + block.text
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, str(path), "exec"), names)  # noqa: S102  # running examples is what this is for
    except Exception:  # noqa: BLE001  # an example may fail in any way
        yield Fault(path, block.first_line, f"the example fails:\n{_indented(traceback.format_exc(limit=-2))}")


def _doctested(path: Path, block: Block, names: dict[str, Any]) -> Iterator[Fault]:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    said = io.StringIO()
    test = doctest.DocTestParser().get_doctest(block.text, names, path.name, str(path), block.first_line - 1)
    doctest.DocTestRunner(optionflags=flags).run(test, out=said.write, clear_globs=False)
    names.update(test.globs)
    if said.getvalue():
        yield Fault(path, block.first_line, f"the example fails:\n{_indented(said.getvalue())}")


def transcript(text: str) -> str:
    """Run the commands behind each `$` of a transcript and return it with what they print now."""
    commands_typed = re.findall(r"^\$ (.*(?:\\\n.*)*)", text, re.MULTILINE)
    return "".join(f"$ {typed}\n{at_terminal(typed)}" for typed in commands_typed)


def at_terminal(command: str) -> str:
    """Return what a command prints at a terminal of 80 columns without colour, then what it says on standard error."""
    import fcntl
    import pty
    import struct
    import termios

    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "PINCITE_CACHE": str(Path("cache").absolute()),
        "COLUMNS": str(_COLUMNS),
        "TERM": "dumb",
    }
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, _COLUMNS, 0, 0))
    with tempfile.TemporaryFile() as notes:
        process = subprocess.Popen(  # noqa: S602  # the command stands in our own documents
            command, shell=True, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=notes
        )
        os.close(theirs)
        shown = b"".join(_read_all(ours))
        process.wait()
        notes.seek(0)
        return shown.decode().replace("\r\n", "\n") + notes.read().decode()


def _read_all(descriptor: int) -> Iterator[bytes]:
    # Linux ends the reading of a terminal that nobody holds any more with an error.
    with contextlib.suppress(OSError):
        while chunk := os.read(descriptor, 65536):
            yield chunk
    os.close(descriptor)


def masked(text: str) -> str:
    """Return a transcript without what differs from run to run.

    >>> masked("confidence 0.85 · trace 3f9c1e07a2b4")
    '… · trace …'
    """
    return _VARIES.sub("…", text)


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.rstrip().splitlines()).rstrip()


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Work in a folder that holds what the examples need, with nothing of the user's: no files, no settings."""
    before = Path.cwd()
    for name in [name for name in os.environ if name.startswith("PINCITE_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="pincite-docs-") as folder:
        for name in EXAMPLE_FILES:
            source, target = ROOT / name, Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copy(source, target)
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def doctest_faults() -> Iterator[Fault]:
    """Run the examples in the docstrings of every module."""
    import pincite

    for found in pkgutil.walk_packages(pincite.__path__, "pincite."):
        if found.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] not in EXTRAS:
                raise
            continue
        said = io.StringIO()
        for test in doctest.DocTestFinder().find(module, found.name):
            doctest.DocTestRunner().run(test, out=said.write)
        if said.getvalue():
            yield Fault(Path(str(module.__file__)), 1, f"an example fails:\n{_indented(said.getvalue())}")

"""Are the documents true? Run every example, follow every link, compare every table with the code.

    python docs/check.py            prints each fault and ends with 1 when there is one
    python docs/check.py --write    writes tables and transcripts anew, as golden files are

A block of ```python run``` is executed, ```pycon``` is run as a doctest, and what stands below a `$` in ```console
run``` is compared with what the command prints at 80 columns. All of them run in one scratch folder that holds the
demo's PDF and `docs/examples`. A table between `<!-- generated: NAME -->` and `<!-- end -->` is made from the code.
"""

import argparse
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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from markdown_it import MarkdownIt

ROOT: Final = Path(__file__).resolve().parents[1]
#: What the examples find beside them.
EXAMPLE_FILES: Final = ("demo/NIST.CSWP.29.pdf", "docs/examples")
_COLUMNS: Final = 80
_GENERATED: Final = re.compile(r"(<!-- generated: ([\w -]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
#: What differs from run to run and from machine to machine: ids, times, confidences.
_VARIES: Final = re.compile(
    r"\b[0-9a-f]{12}\b|\b\d+\.\d+ s\b|confidence \d\.\d+|\d{4}-\d\d-\d\d( \d\d:\d\d)?|cos\w* \d\.\d+"
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a document that is not so; `line_num` starts at 1."""

    path: Path
    line_num: int
    message: str

    def __str__(self) -> str:
        """Return `docs/cli.md:12: what is wrong`."""
        place = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{place}:{self.line_num}: {self.message}"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: `first_line` is the line below the opening fence, from 1."""

    info: str
    text: str
    first_line: int


def documents() -> list[Path]:
    """Return every Markdown document of the project; inputs of tests and of examples are none."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
    found += (ROOT / "packages").glob("*/*.md")
    readme_first = sorted(found, key=lambda path: (path.name != "README.md" or path.parent != ROOT, path))
    return [path for path in readme_first if "examples" not in path.parts]


# ── links ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def link_faults(path: Path) -> Iterator[Fault]:
    """Yield relative links whose file or heading is not there."""
    for target, line_num in _links(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / unquote(name)).resolve() if name else path
        if not file.exists():
            yield Fault(path, line_num, f"there is no {target!r}")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield Fault(path, line_num, f"{file.name} has no heading {anchor!r}")


def _links(text: str) -> Iterator[tuple[str, int]]:
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        for child in token.children or ():
            target = child.attrGet("href") or child.attrGet("src")
            if target is not None:
                yield str(target), (token.map or [0])[0] + 1


def anchors(text: str) -> set[str]:
    """Return the names that headings get on code hosts: lower case, hyphens for blanks, no other marks."""
    tokens = MarkdownIt("commonmark").parse(text)
    titles = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


# ── tables that the code knows better ────────────────────────────────────────────────────────────────────────────────


def generated(name: str) -> str:
    """Return a table made from the code.

    Raises:
        KeyError: there is no table of that name.

    """
    if name.startswith("command "):
        return _command(name.removeprefix("command "))
    return _TABLES[name]()


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = [list(header), *map(list, rows)]
    cells.insert(1, ["---"] * len(cells[0]))
    return "".join("| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |\n" for row in cells)


def _folds() -> str:
    from pincite.text.fold import FOLDS

    return _table(("fold", "what it allows"), ((f"`{name}`", what) for name, what in FOLDS.items()))


def _page_flags() -> str:
    from pincite.types.document import PAGE_FLAGS, UNREADABLE_FLAGS

    rows = ((f"`{n}`", what, "yes" if n in UNREADABLE_FLAGS else "") for n, what in PAGE_FLAGS.items())
    return _table(("flag", "what it means", "an answer may be there unread"), rows)


def _errors() -> str:
    from pincite import errors

    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.PinciteError)]
    rows = ((f"`{c.code}`", f"`{c.__name__}`", f"`{c.__mro__[1].__name__}`", _first_sentence(c)) for c in classes[1:])
    return _table(("code", "class", "is a", "when"), rows)


def _first_sentence(described: Any) -> str:
    return str(described.__doc__).strip().splitlines()[0]


def _settings() -> str:
    import msgspec

    from pincite.settings import Settings

    fields = msgspec.structs.fields(Settings)
    rows = ((f"`{f.name}`", f"`PINCITE_{f.name.upper()}`", f"`{f.default!r}`") for f in fields)
    return _table(("setting", "in the environment", "default"), rows)


def _parsers() -> str:
    from pincite.parsing import PARSERS

    return _table(("name", "where it is"), ((f"`{name}`", f"`{place}`") for name, place in PARSERS.items()))


_TABLES: Final[dict[str, Callable[[], str]]] = {
    "folds": _folds,
    "page flags": _page_flags,
    "error codes": _errors,
    "settings": _settings,
    "parsers": _parsers,
}


def commands() -> dict[str, Any]:
    """Return every command of the command line by name; `""` is pincite itself."""
    import typer

    from pincite.interfaces.cli.app import app

    whole: Any = typer.main.get_command(app)
    return {"": whole, **whole.commands}


def _command(name: str) -> str:
    command = commands()["" if name == "pincite" else name]
    rows = [(f"`{_spelled(p)}`", str(p.help or "")) for p in command.params if "--help" not in p.opts]
    return f"{_paragraphs(command.help)}\n\n{_table(('argument or option', 'what it does'), rows)}"


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _spelled(parameter: Any) -> str:
    name = " ".join(parameter.opts) if parameter.opts[0].startswith("-") else ""
    choices = getattr(parameter.type, "choices", None)
    value = parameter.metavar or ("|".join(map(str, choices)) if choices else "VALUE")
    return name if getattr(parameter, "is_flag", False) else f"{name} {value}".strip()


def table_faults(path: Path, *, write: bool = False) -> Iterator[Fault]:
    """Yield generated tables that are not what the code says; with `write` they are written instead."""
    text = path.read_text(encoding="utf-8")
    faults = []

    def renewed(match: re.Match[str]) -> str:
        head, name, body, end = match.groups()
        try:
            made = f"\n{generated(name)}\n"
        except KeyError:
            made = body
            faults.append(Fault(path, _line_at(text, match.start()), f"the code knows no table {name!r}"))
        if made != body and not write:
            message = f"the table {name!r} is not what the code says; `python docs/check.py --write` renews it"
            faults.append(Fault(path, _line_at(text, match.start()), message))
        return head + made + end

    renewed_text = _GENERATED.sub(renewed, text)
    if write and renewed_text != text:
        path.write_text(renewed_text, encoding="utf-8")
    yield from faults


def command_faults(path: Path) -> Iterator[Fault]:
    """Yield commands that the page of the command line leaves out."""
    text = path.read_text(encoding="utf-8")
    for name in commands():
        if f"<!-- generated: command {name or 'pincite'} -->" not in text:
            yield Fault(path, 1, f"the command {name!r} is not documented")


def _line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


# ── examples ─────────────────────────────────────────────────────────────────────────────────────────────────────────


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
    """Work in a folder that holds what the examples need, and nothing of the user's."""
    before = Path.cwd()
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


# ── docstrings ───────────────────────────────────────────────────────────────────────────────────────────────────────


def doctest_faults() -> Iterator[Fault]:
    """Run the examples in the docstrings of every module."""
    import pincite

    for found in pkgutil.walk_packages(pincite.__path__, "pincite."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        said = io.StringIO()
        for test in doctest.DocTestFinder().find(module, found.name):
            doctest.DocTestRunner().run(test, out=said.write)
        if said.getvalue():
            yield Fault(Path(str(module.__file__)), 1, f"an example fails:\n{_indented(said.getvalue())}")


def quick_faults(*, write: bool = False) -> Iterator[Fault]:
    """Yield all that can be found without running an example: tables, commands and links."""
    for path in documents():
        yield from table_faults(path, write=write)
        yield from link_faults(path)
    yield from command_faults(ROOT / "docs" / "cli.md")


def main() -> int:
    """Check everything; return the exit code."""
    parser = argparse.ArgumentParser(description="Check the documents against the code.")
    parser.add_argument("--write", action="store_true", help="write tables and transcripts anew")
    write = parser.parse_args().write
    faults = list(quick_faults(write=write))
    with scratch_folder():
        for path in documents():
            faults += example_faults(path, write=write)
    faults += doctest_faults()
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    sys.stdout.write(f"{len(documents())} documents, {len(faults)} faults\n" if faults else "the documents are true\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""Are the documents true? Run every example, follow every link, compare every table with the code.

    python docs/check.py            prints each fault and ends with 1 when there is one
    python docs/check.py --write    writes tables and transcripts anew, as golden files are

A block of ```python run``` is executed, ```pycon``` is run as a doctest, and what stands below a `$` in ```console
run``` is compared with what the command prints at 80 columns. All of them run in one scratch folder that holds the
demo's PDF and `docs/examples`. A table between `<!-- generated: NAME -->` and `<!-- end -->` is made from the code.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from faults import ROOT, Fault
from markdown_it import MarkdownIt
from running import doctest_faults, example_faults, scratch_folder

from tables import commands, generated

_GENERATED: Final = re.compile(r"(<!-- generated: ([\w -]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def documents() -> list[Path]:
    """Return every Markdown document of the project; inputs of tests and of examples are none."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
    found += (ROOT / "packages").glob("*/*.md")
    readme_first = sorted(found, key=lambda path: (path.name != "README.md" or path.parent != ROOT, path))
    return [path for path in readme_first if "examples" not in path.parts]


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

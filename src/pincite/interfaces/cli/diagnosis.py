"""`pincite doctor`: what is installed, what state the library is in, and what is wrong."""

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pincite.errors import PinciteError
from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import cache_folder, library_place, open_library, still_failing
from pincite.interfaces.cli.output import counted, failure_words, print_json, print_line, result_console

if TYPE_CHECKING:
    from pincite.library import Library

_PARTS = ("pypdfium2", "pikepdf", "onnxruntime", "tokenizers", "pincite-minilm")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="""\b
Example:
  pincite doctor

Prints versions, the state of the library, files that could not be added, and
a line beginning with ! for each problem. Exits with 1 when there is one."""
    )(doctor)


def doctor(context: typer.Context, library: options.Library = None, as_json: options.AsJson = False) -> None:
    """Check the installation and the library."""
    given = options.library_of(context, library)
    problems: list[str] = []
    facts: dict[str, Any] = {"versions": _versions(problems), "folders": _folders(given, problems)}
    facts["library"], facts["failures"] = _library(given, problems)
    if as_json:
        print_json("doctor", {**facts, "problems": problems})
    else:
        _print(facts, problems)
    if problems:
        raise typer.Exit(1)


def _versions(problems: list[str]) -> dict[str, str]:
    import sqlite3

    found = {
        "pincite": version("pincite"),
        "python": ".".join(map(str, sys.version_info[:3])),
        "sqlite": sqlite3.sqlite_version,
    }
    for part in _PARTS:
        try:
            found[part] = version(part)
        except PackageNotFoundError:
            problems.append(f"{part} is not installed; install pincite again")
    return found


def _folders(given: str | None, problems: list[str]) -> list[dict[str, Any]]:
    folders = []
    from pincite.storage.opening import is_remote

    place = library_place(given)
    here = [] if is_remote(place) else [("library", Path(place))]
    for what, path in (*here, ("cache", cache_folder())):
        writable = _is_writable(path)
        folders.append({"what": what, "path": os.fspath(path), "exists": path.is_dir(), "writable": writable})
        if not writable:
            problems.append(f"the {what} folder {os.fspath(path)!r} cannot be written")
    return folders


def _is_writable(path: Path) -> bool:
    """Say whether the folder, or the nearest one above it that is there, can be written."""
    here = path.absolute()
    while not here.exists() and here.parent != here:
        here = here.parent
    return here.is_dir() and os.access(here, os.W_OK)


def _library(given: str | None, problems: list[str]) -> tuple[dict[str, Any] | None, list[Any]]:
    from pincite.storage.opening import is_remote
    from pincite.storage.own_files import LANCE_NAME
    from pincite.storage.sqlite import DATABASE_NAME

    place = library_place(given)
    if not is_remote(place) and not any((Path(place) / name).exists() for name in (DATABASE_NAME, LANCE_NAME)):
        return None, []
    try:
        with open_library(given) as opened:
            state = _state(opened, problems)
            failures, tried = still_failing(opened)
            if failures:
                what = f"{counted(len(failures), 'file')} could not be added ({tried})"
                problems.append(f"{what}; mend them and add them again")
            return state, failures
    except PinciteError as error:
        problems.append(f"{error.code}: {error}")
        return None, []


def _state(library: "Library", problems: list[str]) -> dict[str, Any]:
    records = library.documents()
    state: dict[str, Any] = {
        "documents": len(records),
        "pages": sum(r.n_pages for r in records),
        "lines": sum(r.n_lines for r in records),
        "passages": library.store.passage_count(doc_ids=()),
        "without_text": sum(r.status != "ready" for r in records),
        "traces": len(library.store.journal.traces()),
        "embedder": None,
    }
    embedder = library.embedder
    if embedder is not None:
        done, total = library.store.vectors.progress(embedder)
        state |= {"embedder": embedder.name, "vectors": done, "texts": total}
        try:
            library.store.vectors.check(embedder)
        except PinciteError as error:
            problems.append(f"{error.code}: {error}")
        else:
            if done < total:
                problems.append(f"{counted(total - done, 'passage')} without a vector; `pincite embed` makes them")
    return state


def _print(facts: dict[str, Any], problems: list[str]) -> None:
    console = result_console()
    versions = dict(facts["versions"])
    print_line(console, f"{versions.pop('pincite')}, Python {versions.pop('python')}", lead="pincite   ")
    print_line(console, ", ".join(f"{name} {number}" for name, number in versions.items()), lead="parts     ")
    for folder in facts["folders"]:
        state = "" if folder["exists"] else "  (not there yet)"
        print_line(console, f"{folder['path']}{state}", lead=f"{folder['what']:<10}")
    state = facts["library"]
    if state is not None:
        extent = [counted(state[noun + "s"], noun) for noun in ("document", "page", "line", "passage")]
        print_line(console, ", ".join(extent), lead="holds     ")
        if state["embedder"] is not None:
            print_line(console, f"{state['vectors']:,} of {state['texts']:,} by {state['embedder']}", lead="vectors   ")
    for failure in facts["failures"]:
        print_line(console, failure_words(failure.name, failure.code, failure.message), lead="failed    ", style="red")
    for problem in problems:
        print_line(console, problem, lead="! ", style="yellow")
    if not problems:
        print_line(console, "no problem found", style="green")

"""Tables that are made from the code: folds, page flags, error codes, settings, parsers, commands."""

import re
import sys
from collections.abc import Callable, Iterable
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, Final, get_args

from faults import ROOT


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


#: What a row of each exported table is, and which columns hold JSON.
_ROWS_ARE: Final = {
    "documents": "a document",
    "pages": "a page, slide, sheet or part; other files have one",
    "lines": "a line: the unit of citation",
    "toc": "a section",
    "tables": "a table",
    "cells": "a cell of a table",
    "images": "a picture region",
    "objects": "a figure, table, equation, section, clause, note, annex or defined term that text can name",
    "references": "a mention of such an object",
    "passages": "a passage: the unit of search",
}
_JSON_COLUMNS: Final = frozenset({"metadata", "parsing_summary", "flags", "breadcrumb", "line_ids"})


def _schema() -> str:
    import sqlite3
    import tempfile
    from pathlib import Path

    from pincite.storage.export import EXPORTED
    from pincite.storage.sqlite import DATABASE_NAME, SqliteStore

    with tempfile.TemporaryDirectory() as scratch:
        SqliteStore(Path(scratch)).close()
        connection = sqlite3.connect(Path(scratch, DATABASE_NAME))
        columns = {
            table: [name for _, name, *_ in connection.execute(f'PRAGMA table_info("{table}")')] for table in EXPORTED
        }
        connection.close()
    rows = ((f"`{t}`", _ROWS_ARE[t], ", ".join(map(_column, names))) for t, names in columns.items())
    return _table(("table", "a row is", "columns"), rows)


def _column(name: str) -> str:
    return f"`{name}` (*JSON*)" if name in _JSON_COLUMNS else f"`{name}`"


def _scale_model() -> Any:
    """Return `benchmarks/scale_model.py`, which works the tables out."""
    spec = spec_from_file_location("scale_model", ROOT / "benchmarks" / "scale_model.py")
    if spec is None or spec.loader is None:
        raise KeyError("scale_model")
    model = module_from_spec(spec)
    # Its dataclasses look themselves up among the modules.
    sys.modules.setdefault("scale_model", model)
    spec.loader.exec_module(model)
    return model


_TABLES: Final[dict[str, Callable[[], str]]] = {
    "folds": _folds,
    "page flags": _page_flags,
    "error codes": _errors,
    "settings": _settings,
    "parsers": _parsers,
    "schema": _schema,
    "scale measured": lambda: _scale_model().measured_table(),
    "scale calculated": lambda: _scale_model().worked_table(_scale_model().measured(), _scale_model().Assumed()),
}


def commands() -> dict[str, Any]:
    """Return every command of the command line by name; `""` is pincite itself."""
    import typer

    from pincite.interfaces.cli.app import app

    whole: Any = typer.main.get_command(app)
    grouped = {f"{name} {part}": found for name, group in whole.commands.items() for part, found in _parts(group)}
    return {"": whole, **whole.commands, **grouped}


def _parts(command: Any) -> Iterable[tuple[str, Any]]:
    """Return the commands of a group; a command that is none has none."""
    return dict(getattr(command, "commands", {})).items()


def _command(name: str) -> str:
    command = commands()["" if name == "pincite" else name]
    rows = [(f"`{_spelled(p)}`", str(p.help or "")) for p in command.params if "--help" not in p.opts]
    return f"{_paragraphs(command.help)}\n\n{_table(('argument or option', 'what it does'), rows)}"


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _spelled(parameter: Any) -> str:
    names = ", ".join(name for name in parameter.opts if name.startswith("-"))
    if getattr(parameter, "is_flag", False):
        return names
    choices = get_args(parameter.type_descriptor.annotation) if parameter.metavar is None else ()
    return f"{names} {parameter.metavar or '|'.join(choices)}".strip()

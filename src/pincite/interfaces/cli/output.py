"""Where words go: results to standard output, everything else to standard error."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

#: Lines wider than this are hard to read, however wide the window is.
WIDTH = 80
_PIPE_WIDTH = 10_000


def result_console() -> "Console":
    """Return the console of standard output; in a pipe a row of a table is as wide as it has to be."""
    from rich.console import Console

    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def note_console() -> "Console":
    """Return the console of standard error."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def print_note(text: str) -> None:
    """Say something in passing: to people at a terminal only."""
    console = note_console()
    if console.is_terminal:
        print_line(console, text, style="dim")


def print_remark(text: str) -> None:
    """Say what was left out on purpose, to whoever reads standard error."""
    print_line(note_console(), text, lead="note: ", style="dim")


def print_warning(text: str) -> None:
    """Say what went wrong while the rest went well."""
    print_line(note_console(), text, lead="warning: ", style="yellow")


def print_error(message: str) -> None:
    """Say why there is no result: what, where, what to do."""
    print_line(note_console(), message, lead="error: ", style="red")


def print_json(kind: str, value: object) -> None:
    """Print one JSON object on standard output: `{"result": kind, …}` with the fields of `value`."""
    from pincite.types.record import to_json

    fields = to_json(value)
    if not isinstance(fields, Mapping):
        raise TypeError(f"{kind} is no JSON object")
    _write_json({"result": kind, **fields})


def print_json_error(code: str, message: str) -> None:
    """Print `{"result": "error", "code": …, "message": …}` on standard output."""
    _write_json({"result": "error", "code": code, "message": message})


def _write_json(value: Mapping[str, Any]) -> None:
    """Write JSON in UTF-8; where the output has another encoding, in ASCII, which is the same JSON."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("_", "-")
    text = json.dumps(value, indent=2, ensure_ascii=encoding not in ("utf-8", "utf8"))
    if any("\ud800" <= char <= "\udfff" for char in text):
        text = json.dumps(value, indent=2)
    sys.stdout.write(text + "\n")


def print_line(console: "Console", text: str, *, style: str = "", lead: str = "") -> None:
    """Print a paragraph of at most 80 columns at a terminal, one line in a pipe; later lines begin under the first."""
    from rich.text import Text

    shown = Text(lead + _one_line(text), style=style)
    if not console.is_terminal:
        console.print(shown, soft_wrap=True)
        return
    room = max(20, min(WIDTH, console.width) - len(lead))
    before = lead
    for piece in Text(_one_line(text)).wrap(console, room):
        piece.rstrip()
        console.print(Text(before, style=style) + Text(piece.plain, style=style), soft_wrap=True)
        before = " " * len(lead)


def print_columns(
    console: "Console", header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()
) -> None:
    """Print rows under a dim header; columns in `right` (from 0) are set flush right.

    The last column takes what room is left and wraps under itself at a terminal; in a pipe a row is a line.
    """
    from rich.cells import cell_len

    shown = [[_one_line(cell) for cell in row] for row in rows]
    widths = [max(cell_len(row[i]) for row in [list(header), *shown]) for i in range(len(header) - 1)]
    for number, row in enumerate([list(header), *shown]):
        lead = ""
        for i, width in enumerate(widths):
            pad = " " * (width - cell_len(row[i]))
            lead += (pad + row[i] if i in right else row[i] + pad) + "  "
        if number == 0:
            console.print(lead + row[-1], style="dim", soft_wrap=True)
        else:
            print_line(console, row[-1], lead=lead)


def counted(number: int, noun: str) -> str:
    """Return `1 page`, `2 pages`, `1,024 pages`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def failure_words(name: str, code: str, message: str) -> str:
    """Return `scan.pdf  (corrupt_pdf): the file is broken`: the name once, though many messages begin with it."""
    return f"{name}  ({code}): {message.removeprefix(name + ': ')}"


def _one_line(text: str) -> str:
    from pincite.rendering.visible import one_line

    return one_line(text)

"""Progress on standard error: bars at a terminal, nothing elsewhere."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


_PARSING = "Parsing files"


class Bars:
    """Shows how far adding has come. Use it as a context manager: the bars vanish at its end."""

    def __init__(self) -> None:
        """Show nothing yet; a bar appears with the first thing done."""
        self._shown: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        """Return the bars."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bars away."""
        self.end()

    def end(self) -> None:
        """Take the bars away; new ones may come."""
        if self._shown is not None:
            self._shown.stop()
        self._shown, self._tasks = None, {}

    def begin(self) -> None:
        """Show that files are being read, before it is known how many have to be parsed."""
        self._update(_PARSING, 0, None)

    def parsed(self, done: int, total: int, name: str) -> None:
        """Show that `done` of `total` files are parsed."""
        del name
        self._update(_PARSING, done, total)

    def embedded(self, done: int, total: int) -> None:
        """Show that `done` of `total` passages have their vector."""
        self._update("Embedding passages", done, total)

    def asked(self, done: int, total: int) -> None:
        """Show that `done` of `total` questions of a suite are asked."""
        self._update("Asking questions", done, total)

    def waiting(self, pid: int | None) -> None:
        """Say which process is being waited for."""
        from pincite.interfaces.cli.output import print_remark

        self.end()
        print_remark(f"waiting for another process ({'unknown' if pid is None else f'pid {pid}'}), which is writing")

    def paused(self, words: str) -> None:
        """Say why nothing happens for a while."""
        from pincite.interfaces.cli.output import print_remark

        self.end()
        print_remark(words)

    def _update(self, what: str, done: int, total: int | None) -> None:
        shown = self._bars()
        if shown is None:
            return
        if what not in self._tasks:
            self._tasks[what] = shown.add_task(what, total=total)
        shown.update(self._tasks[what], completed=done, total=total)

    def _bars(self) -> "Progress | None":
        if self._shown is None and sys.stderr.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            from pincite.interfaces.cli.output import note_console

            console = note_console()
            columns = (TextColumn("{task.description:<18}"), BarColumn(30), MofNCompleteColumn())
            self._shown = Progress(*columns, console=console, transient=True)
            self._shown.start()
        return self._shown

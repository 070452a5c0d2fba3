"""The command line: `main` runs it and returns the exit code."""

from pincite.interfaces.cli.entry import main

__all__ = ["main"]

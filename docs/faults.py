"""What is wrong in a document, and where."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


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

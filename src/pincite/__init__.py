"""pincite: answers from documents with pin cites that hold."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.bricks import answer, parse, parse_question, read, render, retrieve, verify
    from pincite.errors import PinciteError
    from pincite.library import Library
    from pincite.settings import Settings
    from pincite.types.answer import Answer, Refusal
    from pincite.types.citation import Citation
    from pincite.types.document import ParsedDocument

__all__ = [
    "Answer",
    "Citation",
    "Library",
    "ParsedDocument",
    "PinciteError",
    "Refusal",
    "Settings",
    "answer",
    "parse",
    "parse_question",
    "read",
    "render",
    "retrieve",
    "verify",
]

# Where each name is: loaded when it is first used, so that `import pincite` costs nothing.
_HOMES = {
    "pincite.bricks": ("answer", "parse", "parse_question", "read", "render", "retrieve", "verify"),
    "pincite.errors": ("PinciteError",),
    "pincite.library": ("Library",),
    "pincite.settings": ("Settings",),
    "pincite.types.answer": ("Answer", "Refusal"),
    "pincite.types.citation": ("Citation",),
    "pincite.types.document": ("ParsedDocument",),
}


def __getattr__(name: str) -> Any:
    """Return a public name, loaded now."""
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(home), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__

"""Name → implementation, lazily: built-in tables first, then entry points."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from pincite.errors import SettingsError


def load(name: str, table: Mapping[str, str], *, group: str) -> Callable[..., Any]:
    """Return the class registered as `name`; import it only now.

    Raises:
        SettingsError: no such name; the message lists the names there are.

    """
    made: Callable[..., Any]
    if name in table:
        module, _, attribute = table[name].partition(":")
        made = getattr(import_module(module), attribute)
        return made
    plugins = {point.name: point for point in entry_points(group=group)}
    if name not in plugins:
        known = ", ".join(sorted({*table, *plugins}))
        raise SettingsError(f"{group} has no {name!r}; choose one of: {known}")
    made = plugins[name].load()
    return made

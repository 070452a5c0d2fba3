"""Write HTML in which text can never become markup: whatever is not `Html` is escaped."""

import html
from collections.abc import Iterable
from dataclasses import dataclass

from pincite.rendering.visible import many_lines

_VOID = frozenset({"br", "img", "meta"})


@dataclass(frozen=True, slots=True)
class Html:
    """Markup that this package wrote. Only `tag` and `join` make it from text."""

    code: str


Child = str | Html | None


def tag(name: str, /, *children: Child, **attributes: str | None) -> Html:
    """Return an element; strings are escaped, `None` is left out.

    In attribute names a trailing underscore is dropped and the others become hyphens.

    >>> tag("p", "a < b", class_="quote", aria_label="x").code
    '<p class="quote" aria-label="x">a &lt; b</p>'
    """
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Html(f"<{name}{shown}>")
    return Html(f"<{name}{shown}>{join(children).code}</{name}>")


def join(children: Iterable[Child], between: str = "") -> Html:
    """Return markup one after the other; strings are escaped, `None` is left out."""
    parts = [child.code if isinstance(child, Html) else _escaped(child) for child in children if child is not None]
    return Html(_escaped(between).join(parts))


def _escaped(text: str) -> str:
    return html.escape(many_lines(text), quote=True)

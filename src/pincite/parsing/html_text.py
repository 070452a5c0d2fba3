"""The text of one element of an HTML page: on one line, as code, or as a cell."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from pincite.parsing.grids import Spanned
from pincite.parsing.html_hidden import UNSEEN, Visibility
from pincite.parsing.paragraphs import one_line

#: Elements that begin and end a block (HTML Standard, 15.3.3).
BLOCKS: Final = frozenset(
    "html body address article aside blockquote center details dialog dd div dl dt fieldset figcaption figure footer "
    "form header hgroup hr legend li main nav ol p pre search section summary table tbody td tfoot th thead tr ul "
    "caption h1 h2 h3 h4 h5 h6 menu option optgroup button textarea".split()
)
_SUPERSCRIPTS: Final = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_SUBSCRIPTS: Final = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_RAISED: Final = re.compile(r"[0-9+\-−n]{1,4}")
_NOTE_MARK: Final = re.compile(r"\[?\(?([0-9]{1,3}|[a-z*†‡])\)?\]?")


@dataclass(frozen=True, slots=True)
class Step:
    """A node where it begins, or where it ends."""

    node: LexborNode
    is_end: bool


def steps(root: LexborNode) -> Iterator[Step]:
    """Yield each node where it begins and where it ends, without recursion: a page may be nested without end."""
    stack = [Step(root, is_end=False)]
    while stack:
        step = stack.pop()
        yield step
        if step.is_end or not step.node.is_element_node:
            continue
        stack.append(Step(step.node, is_end=True))
        stack.extend(Step(child, is_end=False) for child in reversed(list(children(step.node))))


def children(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the nodes right below a node."""
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def text_of(node: LexborNode, visibility: Visibility | None) -> str:
    """Return the visible text of a node on one line; blocks and line breaks in it are blanks."""
    parts: list[str] = []
    skipped = 0
    for step in steps(node):
        one, tag = step.node, step.node.tag or ""
        if skipped:
            skipped = 0 if step.is_end and one.mem_id == skipped else skipped
        elif one.is_text_node:
            parts.append(one.text_content or "")
        elif step.is_end:
            parts.append(" " if tag in BLOCKS else "")
        elif not one.is_element_node or tag in UNSEEN or (visibility is not None and visibility.reason(one)):
            skipped = one.mem_id if one.is_element_node else 0
        elif tag in {"sup", "sub"}:
            parts.append(raised(one, tag))
            skipped = one.mem_id
        elif tag in BLOCKS or tag == "br":
            parts.append(" ")
    return "".join(parts)


def spanned(cell: LexborNode, visibility: Visibility | None) -> Spanned:
    """Return the text of a cell with the rows and columns it takes."""
    return Spanned(one_line(text_of(cell, visibility)), _span(cell, "colspan"), _span(cell, "rowspan"))


def _span(cell: LexborNode, name: str) -> int:
    value = (cell.attributes.get(name) or "").strip()
    return int(value) if value.isdecimal() and len(value) < 6 else 1


def raised(node: LexborNode, tag: str) -> str:
    """Return raised or lowered text so that it does not run into the number or word before it."""
    text = one_line(node.text(deep=True))
    if tag == "sub":
        return text.translate(_SUBSCRIPTS) if _RAISED.fullmatch(text) else text
    linked = node.css_first("a[href^='#'], a[href*='#fn'], a[href*='#note']")
    parent = node.parent
    if linked is not None or (parent is not None and parent.tag == "a") or "noteref" in (node.html or "")[:200]:
        match = _NOTE_MARK.fullmatch(text)
        return f"[{match.group(1)}]" if match else text
    return text.translate(_SUPERSCRIPTS) if _RAISED.fullmatch(text) else text


def code_of(node: LexborNode) -> str:
    """Return the text of preformatted lines; `<br>` ends one."""
    parts = []
    for step in steps(node):
        if step.node.is_text_node:
            parts.append(step.node.text_content or "")
        elif step.node.tag == "br" and not step.is_end:
            parts.append("\n")
    return "".join(parts)

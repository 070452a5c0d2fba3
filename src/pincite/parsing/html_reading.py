"""The visible text of an HTML page, block by block: headings, paragraphs, lists, tables, code, notes."""

from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.parsing.composing import Composer
from pincite.parsing.grids import Grid, grid_of
from pincite.parsing.html_hidden import UNSEEN, Visibility
from pincite.parsing.html_text import BLOCKS, children, code_of, raised, spanned, steps, text_of
from pincite.parsing.paragraphs import one_line
from pincite.types.document import HiddenText, Role

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_NOTES: Final = frozenset(
    {"footnotes", "footnote", "doc-footnote", "doc-endnotes", "doc-endnote", "endnotes", "rearnote"}
)
#: Cells with more text than this are the layout of a page, not values.
_MAX_CELL_CHARS: Final = 2000
_MAX_HIDDEN: Final = 50


class HtmlReader:
    """Writes one page into a `Composer`, which may hold others; `hidden` collects what nobody sees."""

    def __init__(self, composer: Composer, *, base_level: int = 0) -> None:
        self._composer = composer
        self._base_level = base_level
        self.hidden: list[HiddenText] = []
        self._parts: list[str] = []
        self._mark = ""
        self._lists: list[int | None] = []
        self._furniture: list[Role] = []
        self._role: Role = "body"
        self._n_notes = self._n_articles = 0
        self._visibility: Visibility | None = None

    def read(self, page: LexborHTMLParser) -> None:
        """Write the page."""
        self._visibility = Visibility(page)
        skipped: LexborNode | None = None
        root = page.body or page.root
        if root is None:
            return
        for step in steps(root):
            if skipped is not None:
                skipped = None if step.is_end and step.node.mem_id == skipped.mem_id else skipped
                continue
            if step.is_end:
                self._leave(step.node)
            elif not self._enter(step.node):
                skipped = step.node if step.node.is_element_node else None
        self._flush()

    def _enter(self, node: LexborNode) -> bool:
        """Take in a node; return whether what is inside it is still to be read."""
        if node.is_text_node:
            self._parts.append(node.text_content or "")
            return False
        tag = node.tag or ""
        if not node.is_element_node or tag in UNSEEN:
            return False
        reason = self._visibility.reason(node) if self._visibility else None
        if reason is not None:
            self._hide(node, reason)
            return False
        if tag in BLOCKS:
            self._flush()
        return self._opened(node, tag)

    def _opened(self, node: LexborNode, tag: str) -> bool:
        if tag == "br":
            self._parts.append("\x0b")
        elif tag in {"sup", "sub"}:
            self._parts.append(raised(node, tag))
            return False
        elif tag == "svg":
            return False
        elif tag == "math":
            self._parts.append((node.attributes.get("alttext") or "") or node.text(deep=True))
            return False
        elif tag == "img":
            self._picture(node)
        elif tag == "pre":
            self._composer.code(code_of(node))
            return False
        elif tag in _HEADINGS:
            return self._heading(node, tag)
        elif tag in {"ul", "ol", "menu", "dir"}:
            self._lists.append(_first_number(node) if tag == "ol" else None)
        elif tag == "li":
            self._mark = self._item_mark(node)
        elif tag == "table" and (grid := self._data(node)) is not None:
            self._composer.table(grid, caption=self._caption(node))
            return False
        else:
            self._enter_region(node, tag)
        return True

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag not in BLOCKS:
            return
        self._flush()
        if tag in {"ul", "ol", "menu", "dir"} and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._mark = ""
        elif tag in {"article", "main"}:
            self._n_articles -= 1
        elif tag in {"nav", "header", "footer"} and self._furniture and _furniture(node, tag, self._n_articles):
            self._furniture.pop()
        if _is_note(node):
            self._n_notes -= 1

    def _enter_region(self, node: LexborNode, tag: str) -> None:
        if tag in {"article", "main"}:
            self._n_articles += 1
        role = _furniture(node, tag, self._n_articles)
        if role is not None:
            self._furniture.append(role)
        if tag in BLOCKS and _is_note(node):
            self._n_notes += 1

    def _flush(self, role: Role | None = None) -> None:
        """Write what was collected as one block; `<br>` ends a line of it."""
        text = "".join(self._parts)
        self._parts = []
        lines = [one_line(line) for line in text.split("\x0b")]
        text = "\n".join(line for line in lines if line)
        if not text:
            return
        if self._furniture:
            role = self._furniture[-1]
        elif self._n_notes:
            role = role or "footnote"
        elif self._lists:
            role = role or "list"
        mark, self._mark = self._mark, ""
        self._composer.add(mark + text, role or "body")

    def _heading(self, node: LexborNode, tag: str) -> bool:
        if self._furniture or self._n_notes:
            return True
        text = one_line(text_of(node, self._visibility))
        self._composer.heading(text, self._base_level + _HEADINGS[tag])
        return False

    def _item_mark(self, node: LexborNode) -> str:
        if not self._lists:
            return "• "
        number = self._lists[-1]
        if number is None:
            return "• " if len(self._lists) == 1 else "◦ "
        value = node.attributes.get("value") or ""
        number = int(value) if value.isdecimal() and len(value) < 9 else number
        self._lists[-1] = number + 1
        return f"{number}. "

    def _picture(self, node: LexborNode) -> None:
        alt = one_line(node.attributes.get("alt") or "")
        if len(alt.split()) >= 2:
            self._parts.append(f" [{alt}] ")

    def _data(self, node: LexborNode) -> Grid | None:
        """Return the grid of a table of values, `None` for one that only lays out the page."""
        if self._furniture or (node.attributes.get("role") or "") in {"presentation", "none"}:
            return None
        if any(inner.mem_id != node.mem_id for inner in node.css("table, h1, h2, h3, pre, form")):
            return None
        rows, n_header, is_header = [], 0, True
        for line in node.css("tr"):
            cells = [child for child in children(line) if child.tag in {"td", "th"}]
            texts = [spanned(cell, self._visibility) for cell in cells if self._reason(cell) is None]
            if self._reason(line) is not None or not any(text.text for text in texts):
                continue
            if max(len(text.text) for text in texts) > _MAX_CELL_CHARS:
                return None
            in_head = line.parent is not None and line.parent.tag == "thead"
            is_header = is_header and (in_head or all(cell.tag == "th" for cell in cells))
            n_header += is_header
            rows.append(texts)
        grid = grid_of(rows, header_rows=n_header or None)
        return grid if grid.n_rows >= 2 and grid.n_cols >= 2 else None

    def _reason(self, node: LexborNode) -> str | None:
        return self._visibility.reason(node) if self._visibility else None

    def _caption(self, node: LexborNode) -> str | None:
        found = node.css_first("caption")
        text = one_line(text_of(found, self._visibility)) if found is not None else ""
        if text:
            self._composer.add(text, "caption")
        return text or None

    def _hide(self, node: LexborNode, reason: str) -> None:
        text = one_line(node.text(deep=True))
        if text and len(self.hidden) < _MAX_HIDDEN:
            page_num = max(1, self._composer.n_pages)
            self.hidden.append(HiddenText(page_num=page_num, text=text[:500], reason=reason))


def _first_number(node: LexborNode) -> int:
    value = node.attributes.get("start") or ""
    return int(value) if value.isdecimal() and len(value) < 9 else 1


def _furniture(node: LexborNode, tag: str, n_articles: int) -> Role | None:
    """Return the role of what stands around the text of a page: ways to other pages, its head and its foot."""
    if tag == "nav":
        return "header"
    if n_articles or tag not in {"header", "footer"}:
        return None
    if tag == "footer":
        return "footer"
    return None if node.css_first("h1, h2") is not None else "header"


def _is_note(node: LexborNode) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    words = " ".join(attributes.get(name) or "" for name in ("class", "role", "epub:type", "id")).lower().split()
    return not _NOTES.isdisjoint(words)

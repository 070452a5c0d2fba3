"""Lines to units: the runs of lines that are never cut, each in a block (paragraph, list item, code, table row)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from statistics import median
from typing import Final, Literal

from pincite.passages.words import count_words
from pincite.types.document import FURNITURE, Line

UnitKind = Literal["prose", "list", "code", "footnote", "heading", "caption", "table"]

_SENTENCE_END: Final = re.compile(r"[.!?…。！？]['\"”’»)\]]*\s*$")
_LIST_ITEM: Final = re.compile(r"\s*(?:>\s*)*(?:[-*+•‣▪◦–—]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])\s+\S")
#: Cells side by side: a wide gap that follows no end of a sentence.
_WIDE_GAP: Final = re.compile(r"[^\s.!?:;,]\s{2,}\S")
#: A line this much shorter than the widest one ends its paragraph.
_SHORT_SHARE: Final = 0.6
_SHORT_SHARE_AFTER_SENTENCE: Final = 0.85
#: Space between lines beyond the usual, in line heights, that starts a paragraph.
_EXTRA_GAP: Final = 0.35
#: The rest of a list item stands at least this far to the right of its mark, in points.
_INDENT_PT: Final = 4.0
#: A change of type size by this share starts a paragraph.
_SIZE_CHANGE: Final = 0.12


_KINDS: Final[dict[str, UnitKind]] = {
    "list": "list", "code": "code", "footnote": "footnote", "heading": "heading", "caption": "caption",
    "table": "table",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unit:
    """One line, or the lines of one table row. `block` numbers paragraphs, list items and so on of a stretch."""

    lines: tuple[Line, ...]
    n_words: float
    block: int
    kind: UnitKind
    text: str


@dataclass(frozen=True, slots=True)
class SpacedLine:
    """A line and whether a blank one stands before it."""

    line: Line
    after_blank: bool


def stretches(lines: Sequence[Line]) -> Iterator[list[SpacedLine]]:
    """Yield the running text, a list for each section and for each heading that has no section of its own.

    Furniture, metadata, form fields, annotations, hidden and blank lines are passed over.
    """
    stretch: list[SpacedLine] = []
    after_blank = False
    for line in lines:
        if line.layer not in {"text", "ocr"} or line.role in FURNITURE or line.role == "metadata":
            continue
        if not line.text or line.text.isspace():
            after_blank = True
            continue
        if stretch and _opens(stretch[-1].line, line):
            yield stretch
            stretch = []
        stretch.append(SpacedLine(line, after_blank))
        after_blank = False
    if stretch:
        yield stretch


def _opens(before: Line, line: Line) -> bool:
    return line.section_id != before.section_id or (line.role == "heading" and before.role != "heading")


def ends_sentence(text: str) -> bool:
    """Say whether a line ends where a sentence does.

    >>> ends_sentence("at dusk.”"), ends_sentence("the wind exceeds")
    (True, False)
    """
    return _SENTENCE_END.search(text[-12:]) is not None


def kind_of(line: Line) -> UnitKind:
    """Return what a line is, as far as its role says."""
    return _KINDS.get(line.role, "prose")


def running_units(stretch: Sequence[SpacedLine]) -> list[Unit]:
    """Return one unit for each line, with the blocks they form.

    A paragraph that is not finished goes on past footnotes, captions and page ends.
    """
    layout = _Layout.of([spaced.line for spaced in stretch])
    units: list[Unit] = []
    n_blocks = 0
    last_of_kind: dict[str, tuple[Line, int]] = {}
    for index, spaced in enumerate(stretch):
        line = spaced.line
        kind = kind_of(line)
        if kind == "prose" and units and units[-1].kind == "list" and _continues_item(spaced, units, layout):
            kind = "list"
        before = last_of_kind.get(kind)
        block = None
        if before is not None and not _starts_block(stretch, index, before[0], kind, layout):
            block = before[1]
        if block is None:
            n_blocks += 1
            block = n_blocks
        last_of_kind[kind] = (line, block)
        units.append(Unit((line,), count_words(line.text), block, kind, line.text))
    return units


def _continues_item(spaced: SpacedLine, units: Sequence[Unit], layout: "_Layout") -> bool:
    """Say whether a line of body text is the rest of the list item before it: unfinished, and small or indented."""
    line, before = spaced.line, units[-1].lines[0]
    if ends_sentence(before.text) or (spaced.after_blank and line.box is None) or layout.breaks(before, line):
        return False
    item = takewhile(lambda unit: unit.block == units[-1].block, reversed(units))
    first = next((unit.lines[0] for unit in item if _LIST_ITEM.match(unit.text)), before)
    is_indented = line.box is not None and first.box is not None and line.box.x0 > first.box.x0 + _INDENT_PT
    return is_indented or line.text.lstrip()[:1].islower()


def _starts_block(stretch: Sequence[SpacedLine], index: int, before: Line, kind: UnitKind, layout: "_Layout") -> bool:
    """Say whether a line begins a new block, `before` being the last line of its kind."""
    line, nearest = stretch[index].line, stretch[index - 1].line
    if kind == "code":
        return nearest is not before
    if kind == "list" and _LIST_ITEM.match(line.text):
        return True
    if stretch[index].after_blank and line.box is None:
        return True
    if nearest is not before:
        # Something stands between: only a sentence that is not finished goes on behind it, on another page.
        return kind != "prose" or line.page_num == before.page_num or ends_sentence(before.text)
    return layout.breaks(before, line)


@dataclass(frozen=True, slots=True)
class _Layout:
    """What is usual in a stretch: the gap between lines, and the right edge of each column or the longest line."""

    gap: float
    edges: dict[tuple[int, int], tuple[float, float]]
    n_chars: int

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "_Layout":
        gaps = []
        edges: dict[tuple[int, int], tuple[float, float]] = {}
        for index, line in enumerate(lines):
            if line.box is None:
                continue
            left, right = edges.get((line.page_num, line.column), (line.box.x0, line.box.x1))
            edges[line.page_num, line.column] = (min(left, line.box.x0), max(right, line.box.x1))
            before = lines[index - 1] if index else line
            if before.box is not None and before.page_num == line.page_num and line.box.y0 > before.box.y0:
                gaps.append(line.box.y0 - before.box.y1)
        # A few very long lines are whole paragraphs, and say nothing about the width of the others.
        n_chars = max((len(line.text) for line in lines if len(line.text) <= 200), default=0)
        return cls(gap=median(gaps) if gaps else 0.0, edges=edges, n_chars=n_chars)

    def breaks(self, before: Line, line: Line) -> bool:
        """Say whether `line`, which follows `before` at once, begins a paragraph."""
        if before.text.rstrip().endswith(":") or _WIDE_GAP.search(before.text) or _WIDE_GAP.search(line.text):
            return True
        if before.box is None or line.box is None:
            return len(before.text) > 200 or len(before.text) < _SHORT_SHARE * self.n_chars
        is_done = ends_sentence(before.text)
        if (before.page_num, before.column) != (line.page_num, line.column):
            return is_done
        if _differs(before.font_size, line.font_size):
            return True
        height = max(before.box.height_pt, 1.0)
        gap = line.box.y0 - before.box.y1
        if gap > self.gap + _EXTRA_GAP * height or line.box.y1 < before.box.y0:
            return True
        left, right = self.edges[before.page_num, before.column]
        share = (before.box.x1 - left) / max(right - left, 1.0)
        return share < (_SHORT_SHARE_AFTER_SENTENCE if is_done else _SHORT_SHARE)


def _differs(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) > _SIZE_CHANGE * max(one, other)

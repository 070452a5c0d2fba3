"""Places in documents, whoever found them: the currency in which pincite and other pipelines are compared."""

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pincite.types.citation import Span
from pincite.types.record import Record

_HEADING: Final = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_FENCE: Final = re.compile(r"^(```+|~~~+).*?^\1", re.MULTILINE | re.DOTALL)
_GAP: Final = re.compile(r"\n[ \t\r]*(?:\n[ \t\r]*)+")
_LINE_END: Final = re.compile(r"\n\s*")
#: Paragraphs longer than this on average (characters) are none: the text has another way to part them.
_LONG_BLOCK: Final = 4000


class Place(Record, frozen=True, kw_only=True):
    """A stretch of a document: `start` and `end` are character offsets in its text.

    They are `None` where only the page is known. `text` is what stands there, where somebody has to read it.
    """

    doc: str
    page: int | None = None
    start: int | None = None
    end: int | None = None
    text: str = ""


@dataclass(frozen=True)
class DocumentText:
    """The text of one document, and where its paragraphs and sections begin.

    Of a Markdown or text file it is the file's own text, so that offsets mean the same to everybody.
    """

    text: str

    @cached_property
    def paragraph_starts(self) -> tuple[int, ...]:
        """Where each paragraph begins: text after an empty line; in a long text with hardly any, after a line end."""
        blocks = self._after(_GAP)
        return blocks if len(self.text) < _LONG_BLOCK * len(blocks) else self._after(_LINE_END)

    def _after(self, gap: re.Pattern[str]) -> tuple[int, ...]:
        return (0, *(match.end() for match in gap.finditer(self.text) if match.end() < len(self.text)))

    @cached_property
    def sections(self) -> tuple[tuple[int, str], ...]:
        """Where each section begins, and its heading; text before the first heading has none."""
        code = [match.span() for match in _FENCE.finditer(self.text)]
        found = [
            (m.start(), m.group(2))
            for m in _HEADING.finditer(self.text)
            if not any(a <= m.start() < b for a, b in code)
        ]
        return tuple(found) if found and found[0][0] == 0 else ((0, ""), *found)

    @cached_property
    def section_starts(self) -> tuple[int, ...]:
        """Where each section begins."""
        return tuple(start for start, _ in self.sections)

    def units_held(self, starts: Sequence[int], start: int, end: int) -> list[int]:
        """Return the units (paragraphs or sections, from 0) that `start` to `end` stands for, most shared first.

        They share at least half of themselves or half of the range; the first is there however little it shares.
        """
        ends = (*starts[1:], len(self.text))

        def shared(unit: int) -> int:
            return min(end, ends[unit]) - max(start, starts[unit])

        units = sorted(self.units_of(starts, start, end), key=lambda unit: (-shared(unit), unit))
        half = [u for u in units if 2 * shared(u) >= min(ends[u] - starts[u], end - start)]
        return half if units[0] in half else [units[0], *half]

    def units_of(self, starts: Sequence[int], start: int, end: int) -> range:
        """Return every unit that shares a character with `start` to `end`."""
        first = bisect.bisect_right(starts, start) - 1
        return range(first, max(first, bisect.bisect_left(starts, max(end, start + 1)) - 1) + 1)

    def section_span(self, index: int) -> Span:
        """Return where a section (from 0) begins and ends."""
        starts = self.section_starts
        return Span(start=starts[index], end=starts[index + 1] if index + 1 < len(starts) else len(self.text))

    def find(self, wanted: str) -> Span | None:
        """Return where a text first stands, however its blanks, case and marks are written; `None`: nowhere."""
        at = self.text.find(wanted)
        if at >= 0 and wanted:
            return Span(start=at, end=at + len(wanted))
        needle = "".join(char for char in wanted.casefold() if char.isalnum())
        letters, offsets = self._letters
        at = letters.find(needle) if needle else -1
        return None if at < 0 else Span(start=offsets[at], end=offsets[at + len(needle) - 1] + 1)

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        """The letters and digits alone, and where each of them stands."""
        letters: list[str] = []
        offsets: list[int] = []
        for offset, char in enumerate(self.text):
            for folded in char.casefold():
                if folded.isalnum():
                    letters.append(folded)
                    offsets.append(offset)
        return "".join(letters), offsets


def merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges without overlaps, in order.

    >>> merged([(5, 9), (0, 3), (2, 4)])
    [(0, 4), (5, 9)]
    """
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def shared_length(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> int:
    """Return how many characters two sets of ranges share."""
    return sum(end - start for start, end in _shared(merged(one), merged(other)))


def _shared(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for a_start, a_end in one:
        for b_start, b_end in other:
            start, end = max(a_start, b_start), min(a_end, b_end)
            if start < end:
                yield start, end

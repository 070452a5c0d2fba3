"""Look a text up in a document as a reader would: capitals, line breaks and kinds of quote marks do not matter."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.interfaces.http.shapes import Hit, HitList
from pincite.text.fold import Folded, fold
from pincite.types.document import Line

#: More places than this are not listed.
MOST_HITS: Final = 1000


class _FoldedLine:
    """A line in small letters, with the way back: `at[i]` is the folded character that small letter `i` came from."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self._folded: Folded = fold(line.text)
        self.small = self._folded.text.casefold()
        # ß is ss: where letters grow, each is followed back.
        grown = len(self.small) != len(self._folded.text)
        self._at = [i for i, char in enumerate(self._folded.text) for _ in char.casefold()] if grown else None

    def source(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the line's own characters for a range of small letters."""
        first, last = (start, end - 1) if self._at is None else (self._at[start], self._at[end - 1])
        return self._folded.start_of(first), self._folded.end_of(last)


def find(text: str, lines: Sequence[Line]) -> HitList:
    """Return the places of a text in the visible lines, in reading order; a line end counts as a blank."""
    wanted = fold(text.strip()).text.casefold()
    folded = [_FoldedLine(line) for line in lines if line.layer != "hidden"]
    starts, at = [], 0
    for one in folded:
        starts.append(at)
        at += len(one.small) + 1
    whole = " ".join(one.small for one in folded)
    hits: list[Hit] = []
    for number, start in enumerate(_places(wanted, whole), start=1):
        if number > MOST_HITS:
            return HitList(hits=tuple(hits), is_complete=False)
        hits.extend(_pieces(number, start, start + len(wanted), folded, starts))
    return HitList(hits=tuple(hits), is_complete=True)


def _places(wanted: str, whole: str) -> Iterator[int]:
    at = whole.find(wanted) if wanted else -1
    while at != -1:
        yield at
        at = whole.find(wanted, at + len(wanted))


def _pieces(number: int, start: int, end: int, lines: Sequence[_FoldedLine], starts: Sequence[int]) -> Iterator[Hit]:
    """Yield the part of a place in each line that it touches."""
    index = bisect_right(starts, start) - 1
    while index < len(lines) and starts[index] < end:
        one = lines[index]
        first, last = max(0, start - starts[index]), min(len(one.small), end - starts[index])
        if first < last:
            from_char, to_char = one.source(first, last)
            line = one.line
            yield Hit(
                hit=number,
                line_id=line.line_id,
                page_num=line.page_num,
                line_num=line.line_num,
                text=line.text,
                start=from_char,
                end=to_char,
            )
        index += 1

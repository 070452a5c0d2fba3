"""Running headers and footers: rows at the page's edge that other pages repeat at the same height."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

#: Rows looked at from each edge, and how far into the page they may lie (a share of its height).
EDGE_ROWS, EDGE_SHARE = 5, 0.17
#: Heights of repeated rows differ by at most this many points.
_SAME_HEIGHT_PT = 3.0
#: A header is at most so long; longer rows at the top that repeat are the text of form letters.
_LONGEST_HEADER = 100
#: Heads that change: on so many other pages at least, and on this share of them; how long, how far down (a share of
#: the page), with how much room below (in heights of the row), how exactly at one height.
_FEWEST_HEADS, _NEARLY_ALL, _LONGEST_HEAD, _HEAD_SHARE, _HEAD_ROOM, _ONE_HEIGHT_PT = 3, 0.8, 80, 0.1, 0.8, 1.0
_NUMBER = re.compile(r"\d+")
_ROMAN_WORD, _ROMAN = re.compile(r"(?<!\S)[ivxlc]+(?!\S)"), frozenset("ivxlc")
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.?|seite|pagina|página|стр\.?)?\s*[-–—|]?\s*(?:[A-Z]{1,2}-)?(?P<n>\d{1,4}|[ivxlc]{1,7})"
    r"\s*[-–—|]?(?:\s*(?:of|/|von|de|sur|из)\s*\d{1,4})?",
    re.IGNORECASE,
)


@dataclass(slots=True)
class EdgeRow:
    """A row near an edge of a page: its text, top and bottom in points, what of it repeats, and its numbers.

    Numbers stay the same or count up with the pages.

    `is_big` rows are set bigger than the page: chapter titles, that differ in their numbers alone.
    """

    text: str
    top: float
    bottom: float
    key: str
    numbers: tuple[int, ...]
    is_big: bool = False

    @property
    def is_sentence(self) -> bool:
        """Whether it ends as running text does."""
        return len(self.text) > 20 and self.text[-1] in ".!?;:,"

    @classmethod
    def of(cls, text: str, top: float, bottom: float, *, is_big: bool = False) -> "EdgeRow":
        """Return the row; numbers and lone Roman numerals are alike in its key."""
        key = low = text.lower()
        numbers = [int(digits[:9]) for digits in _NUMBER.findall(low)]
        numerals = [word for word in low.split() if _ROMAN.issuperset(word)]
        if numerals:
            key = _ROMAN_WORD.sub("#", low)
            numbers += [roman(word) or 0 for word in numerals]
        return cls(text, top, bottom, _NUMBER.sub("#", key) if numbers else key, tuple(numbers), is_big)


@dataclass(slots=True)
class Edges:
    """What a page shows at its edges: rows from the top down, from the bottom up, and the last at any height."""

    page_num: int
    height_pt: float
    top: tuple[EdgeRow, ...]
    bottom: tuple[EdgeRow, ...]
    last: EdgeRow | None = None


def edges_of(page_num: int, height_pt: float, rows: Sequence[EdgeRow], *, n_rows: int) -> Edges:
    """Return what a page of `n_rows` rows shows at its edges, from those of its rows that lie there."""
    top = [row for row in rows if row.bottom <= EDGE_SHARE * height_pt][:EDGE_ROWS]
    bottom = [row for row in rows[::-1] if row.top >= (1 - EDGE_SHARE) * height_pt][:EDGE_ROWS]
    return Edges(page_num, height_pt, tuple(top), tuple(bottom), rows[-1] if n_rows > 1 else None)


def furniture(page: Edges, others: Sequence[Edges], n_pages: int) -> tuple[int, int]:
    """Return how many rows at the top are headers and how many at the bottom are footers."""
    need = 1 if n_pages <= 3 else 2
    top = _count(page, page.top, [(other, other.top) for other in others], need, at_top=True)
    top = top or _changes_in_place(page, others)
    bottom = _count(page, page.bottom, [(other, other.bottom) for other in others], need, at_top=False)
    return top, bottom or _counts_up(page, others, need) or _lone_number(page)


def _count(
    page: Edges,
    rows: tuple[EdgeRow, ...],
    others: list[tuple[Edges, tuple[EdgeRow, ...]]],
    need: int,
    *,
    at_top: bool,
) -> int:
    """Return how many rows from the edge inwards are repeated on at least `need` other pages.

    A row that is not may stand among them (a section's own title) when one further in is repeated.
    """
    count = 0
    for at, row in enumerate(rows):
        if _repeats(page, row, others, at_top=at_top) >= need and not (at_top and len(row.text) > _LONGEST_HEADER):
            count = at + 1
        elif at - count >= 1 or row.is_sentence:
            break
    return count


def _changes_in_place(page: Edges, others: Sequence[Edges]) -> int:
    """Return 1 when the first row is a running head that names each page's own part.

    Such a head stands at one height on nearly all pages, apart from the text below it, in type no bigger. Rows that
    differ in their numbers alone are entries of a list.
    """
    if not _stands_alone(page) or len(others) < _FEWEST_HEADS:
        return 0
    row = page.top[0]
    alike = [
        other.top[0]
        for other in others
        if _stands_alone(other)
        and abs(other.top[0].top - row.top) <= _ONE_HEIGHT_PT
        and abs(other.top[0].bottom - row.bottom) <= _ONE_HEIGHT_PT
    ]
    changes = any(head.key != row.key for head in alike)
    return int(changes and len(alike) >= max(_FEWEST_HEADS, _NEARLY_ALL * len(others)))


def _stands_alone(page: Edges) -> bool:
    """Return whether the first row is short, no sentence, and has room below it."""
    if not page.top:
        return False
    row = page.top[0]
    room = (page.top[1].top if len(page.top) > 1 else EDGE_SHARE * page.height_pt) - row.bottom
    plain = not row.is_big and not row.is_sentence and len(row.text) <= _LONGEST_HEAD
    return plain and row.top < _HEAD_SHARE * page.height_pt and room > _HEAD_ROOM * (row.bottom - row.top)


def _repeats(page: Edges, row: EdgeRow, others: list[tuple[Edges, tuple[EdgeRow, ...]]], *, at_top: bool) -> int:
    """Return on how many other pages a row is repeated.

    Left and right pages may have heads of their own: the second page before or after is as good as two.
    """
    count, key = 0, row.key
    for other, seen in others:
        for candidate in seen:
            if candidate.key == key and _same(page, row, other, candidate):
                count += 2 if at_top and abs(page.page_num - other.page_num) == 2 else 1
                break
    return count


def _same(page: Edges, row: EdgeRow, other: Edges, candidate: EdgeRow) -> bool:
    """Return whether two rows of one key stand at the same height, with numbers that stay or count up."""
    if row.is_big and row.text != candidate.text:
        return False
    from_top = abs(row.top - candidate.top)
    from_bottom = abs((page.height_pt - row.bottom) - (other.height_pt - candidate.bottom))
    if min(from_top, from_bottom) > _SAME_HEIGHT_PT:
        return False
    step = page.page_num - other.page_num
    pairs = list(zip(row.numbers, candidate.numbers, strict=False))
    if not any(char.isalpha() for char in row.key):
        return bool(pairs) and all(mine - theirs == step for mine, theirs in pairs)
    return all(mine - theirs in (0, step) for mine, theirs in pairs)


def page_number(text: str) -> int | None:
    """Return the number of a row that is nothing but a page number, Roman or Arabic."""
    match = _PAGE_NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    shown = match["n"]
    return int(shown) if shown.isdigit() else roman(shown)


def roman(text: str) -> int | None:
    """Return the value of a Roman numeral below 400, or `None`."""
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    total, last = 0, 0
    for char in reversed(text.lower()):
        value = values.get(char)
        if value is None:
            return None
        total += -value if value < last else value
        last = max(last, value)
    return total or None


def _counts_up(page: Edges, others: Sequence[Edges], need: int) -> int:
    """Return 1 when the last row, at whatever height, holds a number that counts up with the pages around."""
    last = page.last
    if last is None or not last.numbers or last.is_big:
        return 0
    found = 0
    for other in others:
        if other.last is None or other.last.key != last.key:
            continue
        step = page.page_num - other.page_num
        away = [mine - theirs for mine, theirs in zip(last.numbers, other.last.numbers, strict=False)]
        found += step in away and all(distance in (0, step) for distance in away)
    return int(found >= max(2, need))


def _lone_number(page: Edges) -> int:
    """Return 1 when the last row is a page number well below the text, though no other page repeats it."""
    if not page.bottom or page_number(page.bottom[0].text) is None:
        return 0
    row = page.bottom[0]
    above = page.bottom[1].bottom if len(page.bottom) > 1 else 0.0
    return int(row.top >= 0.88 * page.height_pt and row.top - above > 0.8 * (row.bottom - row.top))

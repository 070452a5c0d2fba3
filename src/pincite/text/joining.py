"""Consecutive lines to running text, with the way back to each line."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.text.characters import is_cjk_or_mark

#: Hyphens that a printer may have set to break a word, and dashes that only ever stand between words and numbers.
_BREAKING: Final = "-‐"
_DASHES: Final = "‒–—"


@dataclass(frozen=True, slots=True)
class JoinedLines:
    """Running text made of lines.

    Piece `i` of `text` starts at `starts[i]` and is line `indexes[i]`, from its character `offsets[i]` on.
    """

    text: str
    starts: tuple[int, ...]
    indexes: tuple[int, ...]
    offsets: tuple[int, ...]

    def line_index_at(self, offset: int) -> int:
        """Return which line a character of `text` comes from (from 0)."""
        return self.indexes[bisect_right(self.starts, offset) - 1]

    def line_offset_at(self, offset: int) -> int:
        """Return where in that line the character stands."""
        at = bisect_right(self.starts, offset) - 1
        return self.offsets[at] + offset - self.starts[at]


def join_lines(lines: Sequence[str], *, is_word: Callable[[str], bool] | None = None) -> JoinedLines:
    """Return the lines as running text: a blank between lines, none in CJK, words broken at a hyphen made whole.

    A line-end hyphen before a small letter is taken as a break, unless `is_word` knows the hyphenated word and
    not the joined one, or a single letter stands before it (`e-` + `mail`: no word is broken there); before a capital
    or a digit it stays (`HX-` + `40`). A dash between two digits or two letters stays without a blank.

    >>> join_lines(["a cli-", "mate plan for HX-", "40, pages 10–", "15, by e-", "mail"]).text
    'a climate plan for HX-40, pages 10–15, by e-mail'
    """
    starts, indexes, offsets = [], [], []
    parts: list[str] = []
    length = 0
    for index, line in enumerate(lines):
        offset = len(line) - len(line.lstrip())
        body = line.strip()
        if not body:
            continue
        if parts:
            glue = _glue(parts[-1], body, is_word)
            if glue == "cut":
                parts[-1] = parts[-1][:-1]
                length -= 1
            elif glue == " ":
                parts[-1] += " "
                length += 1
        starts.append(length)
        indexes.append(index)
        offsets.append(offset)
        parts.append(body)
        length += len(body)
    return JoinedLines("".join(parts), tuple(starts) or (0,), tuple(indexes) or (0,), tuple(offsets) or (0,))


def _glue(before: str, after: str, is_word: Callable[[str], bool] | None) -> str:
    """Say how two lines meet: "" (nothing between), " ", or "cut" (the hyphen goes)."""
    last, first = before[-1], after[0]
    if last == "\u00ad":
        return "cut"
    if len(before) > 1 and before[-2].isalnum():
        if last in _BREAKING and first.islower() and before[-2].isalpha():
            return "" if _keeps_hyphen(before[:-1], after, is_word) else "cut"
        if last in _BREAKING or last == "\u2011":
            return "" if first.isalnum() else " "
        if last in _DASHES:
            return "" if (before[-2].isdigit(), before[-2].isalpha()) == (first.isdigit(), first.isalpha()) else " "
    if is_cjk_or_mark(last) and is_cjk_or_mark(first):
        return ""
    return " "


def _keeps_hyphen(before: str, after: str, is_word: Callable[[str], bool] | None) -> bool:
    """Say whether the hyphen between the last word of `before` and the first one of `after` is part of the word."""
    left = before.rsplit(None, 1)[-1].lower()
    if len(left) == 1 or not left[-2].isalnum():
        return True
    right = after.split(None, 1)[0].lower().strip(".,;:!?)”\"'")
    return is_word is not None and is_word(f"{left}-{right}") and not is_word(left + right)

"""Numbered notes as sections: where a printed table of contents stops at "Notes to the financial statements"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pincite.parsing.locating import Start

#: "Note 7. Debt", "NOTE 7 – DEBT", "7. Debt": a word for a note, or a number with a stop.
_NOTE: Final = re.compile(
    r"(?:(?P<word>note|anmerkung|anhangangabe|nota)\s+(?P<named>\d{1,2})\b|(?P<bare>\d{1,2})[.:)]\s)", re.IGNORECASE
)
#: At least so many numbers follow one another, each one more than the last, but for so many that may be missing.
_FEWEST, _MISSING = 4, 2
#: How sure a start is that is found by its number and type alone.
_CONFIDENCE: Final = 0.8


def note_starts(starts: Sequence[Start], headings: Sequence[Start]) -> list[Start]:
    """Return the starts and, below each section without parts, the numbered notes whose numbers go up from 1.

    Headings that count "Note 1, Note 2, …" are sections whatever their type; others are left to what is given.
    """
    known = {start.line_id for start in starts}
    out: list[Start] = []
    for at, start in enumerate(starts):
        out.append(start)
        following = starts[at + 1] if at + 1 < len(starts) else None
        if start.line_id is None or (following is not None and following.level > start.level):
            continue
        end = next((s.line_id for s in starts[at + 1 :] if s.line_id is not None), None)
        inside = [
            heading
            for heading in headings
            if heading.line_id is not None
            and start.line_id < heading.line_id
            and (end is None or heading.line_id < end)
            and heading.line_id not in known
        ]
        out += [
            replace(note, level=start.level + 1, origin="headings", confidence=_CONFIDENCE) for note in counted(inside)
        ]
    return out


def counted(headings: Sequence[Start]) -> list[Start]:
    """Return the headings that count up from 1, named "Note" or by number alone, or none where they are too few."""
    best: list[Start] = []
    for group in ("named", "bare"):
        chain: list[Start] = []
        last = 0
        for heading in headings:
            match = _NOTE.match(heading.title)
            number = int(match[group]) if match is not None and match[group] else 0
            if last < number <= last + 1 + (_MISSING if chain else 0):
                chain.append(heading)
                last = number
        if len(chain) >= max(_FEWEST, len(best) + 1) and len(chain) > 0.6 * last:
            best = chain
    return best

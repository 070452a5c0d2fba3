"""Numbered notes as sections: where a printed table of contents stops at "Notes to the financial statements"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from pincite.parsing.locating import Start
from pincite.types.document import Line

#: "Note 7. Debt", "NOTE 7 – DEBT", "7. Debt": a word for a note, or a number with a stop.
_NOTE: Final = re.compile(
    r"(?:(?P<word>note|anmerkung|anhangangabe|nota)\s+(?P<named>\d{1,2})\b|(?P<bare>\d{1,2})[.:)]\s)", re.IGNORECASE
)
#: At least so many numbers follow one another, each one more than the last, but for so many that may be missing.
_FEWEST, _MISSING = 4, 2
#: How sure a start is that is found by its number and type alone.
_CONFIDENCE: Final = 0.8
#: A line that fills a gap between two notes and looks like no heading, as those right above a table may.
_GAP_CONFIDENCE: Final = 0.7
_GAP_CHARS: Final = 120


def note_starts(starts: Sequence[Start], headings: Sequence[Start], lines: Sequence[Line]) -> list[Start]:
    """Return the starts and, below each section without parts, the numbered notes whose numbers go up from 1.

    Headings that count "Note 1, Note 2, …" are sections whatever their type; others are left to what is given. Where a
    number is missing, the one line between its neighbours that begins with it is taken from `lines`, the whole text.
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
        notes = [replace(note, confidence=_CONFIDENCE) for note in counted(inside)]
        out += [replace(note, level=start.level + 1, origin="headings") for note in _with_gaps_filled(notes, lines)]
    return out


def _with_gaps_filled(notes: Sequence[Start], lines: Sequence[Line]) -> list[Start]:
    out: list[Start] = list(notes[:1])
    for before, after in pairwise(notes):
        first, last = _NOTE.match(before.title), _NOTE.match(after.title)
        if first is not None and last is not None and first["word"] and last["word"]:
            for number in range(int(first["named"]) + 1, int(last["named"])):
                out += _between(lines[before.line_id or 0 : (after.line_id or 1) - 1], first["word"], number)
        out.append(after)
    return out


def _between(lines: Sequence[Line], word: str, number: int) -> list[Start]:
    """Return the one line that begins with the number of a note, written like the others."""
    pattern = re.compile(rf"{re.escape(word)}\s+{number}\s*[.:–—-]\s*\w")
    found = [line for line in lines if len(line.text) <= _GAP_CHARS and pattern.match(line.text)]
    if len(found) != 1:
        return []
    line = found[0]
    y = None if line.box is None else line.box.y0
    return [Start(1, line.text, line.page_num, y, line.line_id, confidence=_GAP_CONFIDENCE)]


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

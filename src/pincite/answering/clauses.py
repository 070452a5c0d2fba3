"""The clauses of a text, and how near the words of a question stand to a place in it."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.asked import Asked

#: Where another statement begins: "a $500 fine for a first offense, and up to $1,000 for later ones".
_CLAUSE_END: Final = re.compile(
    r"[,;:]\s+(?=(?:and|or|but|while|whereas|plus|then|und|aber|et|mais)\b)|[^\W\d_],\s+(?=[$€£]?\s?\d)|;\s+|\s[–—]\s|\s(?=(?:while|whereas)\b)"
    r"|\s(?=and\s+(?:(?:by|to|of|at|for|from)\s+)?[$€£¥]?\d)|(?<=[^\W\d_])[.?!]\s"
)
#: What a word of the question counts for that stands in another clause than the number.
_OTHER_CLAUSE: Final = 0.25


@dataclass(frozen=True, slots=True)
class Places:
    """Where the clauses of a text end, and where words of the question stand in it, with what each says.

    What stands before `common` is said of every number and tells none from another: "Fines are up to $500 for a first
    breach, and up to $1,000 for later ones."
    """

    ends: list[int]
    asked: list[tuple[int, float]]
    common: int

    @classmethod
    def of(cls, text: str, asked: Asked, starts: Sequence[int] = ()) -> "Places":
        """Return the places of a text whose numbers begin at `starts`."""
        ends = [match.end() for match in _CLAUSE_END.finditer(text)]
        clauses = {bisect_right(ends, start) for start in starts}
        return cls(ends, asked.positions(text), min(starts) if len(clauses) > 1 else 0)

    def nearness(self, at: int) -> float:
        """Return how near the words of the question stand to a place, those of other clauses less so."""
        clause = bisect_right(self.ends, at)
        return sum(
            value / (1 + abs(at - place) / 12) * (1.0 if bisect_right(self.ends, place) == clause else _OTHER_CLAUSE)
            for place, value in self.asked
            if place >= self.common
        )

"""The scoring, exactly as `pincite-ask.js` does it: same terms, same numbers, same order.

A term of the question that is found in a passage (its title, text and tags) scores `term_weight` × idf; one of which
only a beginning is found scores `prefix_share` of that. idf = ln(1 + passages / passages in which it is found at all),
to three decimals: the logarithms of two machines may differ in the last bit, their thousandths do not, and all that
follows is plain arithmetic that IEEE 754 fixes.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from pincite.types.record import Record
from pincite.widget.records import Index, LookedUp, Matched, Outcome, Scored, Scoring
from pincite.widget.words import terms

_THOUSANDTHS: Final = 1000


class Searcher:
    """The passages of one index, ready to be asked."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._stop_words = frozenset(index.stop_words)
        self._holding: dict[str, list[int]] = {}
        for number, passage in enumerate(index.passages):
            searched = " ".join((passage.title, passage.text, *passage.tags))
            for term in terms(searched, self._stop_words):
                self._holding.setdefault(term, []).append(number)
        # Terms that share a beginning share their first characters: those are looked up, the rest is compared.
        self._beginning: dict[str, list[str]] = {}
        for term in self._holding:
            if len(term) >= index.scoring.prefix_min:
                self._beginning.setdefault(term[: index.scoring.prefix_min], []).append(term)

    def ask(self, question: str) -> Outcome:
        """Return what is shown for a question, or a refusal, with every score and its reasons."""
        found = [self._look_up(term) for term in terms(question, self._stop_words)]
        ranked = self._ranked(found)
        looked_up = tuple(LookedUp(term=f.term, n_passages=len(f.by_passage), idf=f.idf) for f in found)
        return Outcome(question=question, terms=looked_up, ranked=ranked, shown=_shown(ranked, self.index.scoring))

    def _look_up(self, term: str) -> "_Found":
        by_passage: dict[int, list[str]] = {}
        for met in (term, *self._alike(term)):
            for number in self._holding.get(met, ()):
                by_passage.setdefault(number, []).append(met)
        return _Found(term=term, by_passage=by_passage, idf=idf(len(self.index.passages), len(by_passage)))

    def _alike(self, term: str) -> list[str]:
        """Return the other terms that begin with this one, or that this one begins with."""
        prefix_min = self.index.scoring.prefix_min
        if len(term) < prefix_min:
            return []
        near = self._beginning.get(term[:prefix_min], [])
        return [other for other in near if other != term and (other.startswith(term) or term.startswith(other))]

    def _ranked(self, found: Sequence["_Found"]) -> tuple[Scored, ...]:
        scoring = self.index.scoring
        matched: dict[int, list[Matched]] = {}
        for one in found:
            whole = scoring.term_weight * one.idf
            for number, met in one.by_passage.items():
                is_exact = met[0] == one.term
                score = whole if is_exact else whole * scoring.prefix_share
                match = Matched(term=one.term, found=tuple(met), exact=is_exact, score=score)
                matched.setdefault(number, []).append(match)
        # Added up in the order of the question; passages with the same score keep the order of the file.
        total = {number: _added_up(matches) for number, matches in matched.items()}
        order = sorted(total, key=lambda number: (-total[number], number))
        return tuple(
            Scored(id=self.index.passages[number].id, rank=rank, score=total[number], matched=tuple(matched[number]))
            for rank, number in enumerate(order, start=1)
        )


class _Found(Record, frozen=True, kw_only=True):
    """A term, and in which passages it meets which of their terms (itself first)."""

    term: str
    by_passage: Mapping[int, list[str]]
    idf: float


def idf(n_passages: int, n_holding: int) -> float:
    """Return how much a term says that stands in `n_holding` of `n_passages`: 0 where it stands in none.

    >>> idf(35, 1), idf(35, 35), idf(35, 0)
    (3.584, 0.693, 0.0)
    """
    if not n_holding:
        return 0.0
    return math.floor(math.log(1 + n_passages / n_holding) * _THOUSANDTHS + 0.5) / _THOUSANDTHS


def _added_up(matches: Sequence[Matched]) -> float:
    total = 0.0
    for match in matches:  # not `sum`, which newer Pythons round in another way
        total += match.score
    return total


def _shown(ranked: Sequence[Scored], scoring: Scoring) -> tuple[Scored, ...]:
    if not ranked or ranked[0].score < scoring.threshold:
        return ()
    least = ranked[0].score * scoring.keep_share
    return tuple(scored for scored in ranked[: scoring.shown] if scored.score >= least)

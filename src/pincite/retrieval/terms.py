"""The index terms of a query with their weights, and what of them a stretch of lines holds."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.text.tokens import is_stop_term, line_terms, token_terms
from pincite.types.question import Keyword, RetrievalQuery
from pincite.types.retrieval import MatchedTerm

#: Parts and variants of a word count less than the word itself: "C-8" is not "8".
VARIANT_WEIGHT = 0.3
#: When the word itself occurs nowhere, its parts are the next best thing.
FALLBACK_WEIGHT = 0.6


#: A term with this weight is the word itself or another way to write it.
EXACT_WEIGHT = 0.9
_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[\w.-]|\d[^\w\s]\w|\d{5}|\w[_:]+\w|[^\W\d_][#+]+$|^[#@$]\w|^-+\w")


#: A stretch of time is no code: many passages are of it, and few write it like that: FY2022, Q3, 2021Q1, Q2'2023.
_PERIOD: Final = re.compile(
    r"(?:FY|CY|H[12]|[1-4]?Q[1-4]?)?['’]?(?:(?:19|20)?\d\d)?['’]?(?:[1-4]?Q[1-4]?|H[12])?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\d{1,2}",
    re.IGNORECASE,
)


def is_period(text: str) -> bool:
    """Say whether a word names a year, half or quarter."""
    return _PERIOD.fullmatch(text) is not None


def is_code(text: str) -> bool:
    """Say whether a word is found by its characters: letters with digits or signs, a long or dotted number.

    >>> is_code("HX-40"), is_code("FY2022"), is_code("Q2'2023"), is_code("word")
    (True, False, False, False)
    """
    return _CODE.search(text) is not None and not is_period(text)


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One keyword: its alternative index terms with weights, the most specific first."""

    surface: str
    terms: Mapping[str, float]
    weight: float
    idf: float

    @property
    def value(self) -> float:
        """How much finding this keyword says."""
        return self.weight * self.idf


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """All keywords of a query, as the index knows them."""

    terms: tuple[QueryTerm, ...]
    missing: tuple[str, ...]

    @property
    def weights(self) -> dict[str, float]:
        """Index term → weight, for BM25."""
        merged: dict[str, float] = {}
        for query_term in self.terms:
            for term, weight in query_term.terms.items():
                merged[term] = max(merged.get(term, 0.0), weight * query_term.weight)
        return merged

    @property
    def total(self) -> float:
        """What finding every keyword would say."""
        return sum(term.value for term in self.terms)

    def coverage(self, held: Mapping[str, int]) -> float:
        """Return the share (0–1) of the keywords' weight that is held, variants counting for less."""
        if not self.total:
            return 0.0
        return (
            sum(t.value * max((w for x, w in t.terms.items() if x in held), default=0.0) for t in self.terms)
            / self.total
        )

    def codes_held(self, held: Mapping[str, int]) -> int:
        """Return how many codes of the query ("HX-40", "§ 42") are held whole, not in parts."""
        return sum(any(w >= EXACT_WEIGHT and t in held for t, w in term.terms.items()) for term in self.codes)

    @property
    def codes(self) -> tuple[QueryTerm, ...]:
        """The keywords that are codes: letters with digits or signs, long and dotted numbers, numbers with a label."""
        return tuple(t for t in self.terms if is_code(t.surface))

    def matched(self, held: Mapping[str, int]) -> tuple[MatchedTerm, ...]:
        """Return the keywords that are held, and how often."""
        found = []
        for term in self.terms:
            count = max((held[x] for x in term.terms if x in held), default=0)
            if count:
                found.append(MatchedTerm(term=term.surface, count=count))
        return tuple(found)


CountsOf = Callable[[Iterable[str]], Mapping[str, int]]


def query_terms(query: RetrievalQuery, counts_of: CountsOf, n_passages: int) -> QueryTerms:
    """Return the terms of the keywords of a query; stop words only where there is nothing else."""
    keywords = _searchable(query.anchor_keywords) or query.anchor_keywords
    wanted = {kw: [t for token in kw.text.split() for t in token_terms(token)] for kw in keywords}
    counts = counts_of({t for terms in wanted.values() for t in terms})
    made: list[QueryTerm] = []
    missing: list[str] = []
    for keyword, terms in wanted.items():
        if not terms:
            continue
        if keyword.origin in ("question", "correction") and not any(counts.get(t) for t in terms):
            missing.append(keyword.text)
        made.extend(_query_terms_of(keyword, counts, n_passages))
    return QueryTerms(tuple(made), tuple(dict.fromkeys(missing)))


def _searchable(keywords: Sequence[Keyword]) -> tuple[Keyword, ...]:
    def says_something(keyword: Keyword) -> bool:
        named = keyword.text[:1].isupper() and not keyword.text.isupper()
        return named or not all(is_stop_term(t) for token in keyword.text.split() for t in token_terms(token))

    return tuple(k for k in keywords if says_something(k))


def _query_terms_of(keyword: Keyword, counts: Mapping[str, int], n_passages: int) -> Iterable[QueryTerm]:
    tokens = keyword.text.split()
    for token in tokens:
        terms = token_terms(token)
        if not terms or (len(tokens) > 1 and all(is_stop_term(t) for t in terms)):
            continue
        first, *others = terms
        known = counts.get(first, 0) > 0
        weights = {first: 1.0} if known else {}
        variant = VARIANT_WEIGHT if known else FALLBACK_WEIGHT
        weights.update({t: variant if len(t) > 1 else variant / 3 for t in others if counts.get(t)})
        if _same_word_in_variants(first, others):
            weights.update({t: 0.9 for t in others if counts.get(t) and t.replace("-", "") == first.replace("-", "")})
        frequency = max((counts.get(t, 0) for t in (weights or [first])), default=0)
        yield QueryTerm(token, weights or {first: 1.0}, keyword.weight / len(tokens) ** 0.5, idf(frequency, n_passages))


def _same_word_in_variants(first: str, others: Sequence[str]) -> bool:
    return any(t.replace("-", "") == first.replace("-", "") for t in others)


def idf(frequency: int, n_passages: int) -> float:
    """Return the inverse passage frequency (Robertson & Zaragoza 2009, with 1 added so that it is never negative)."""
    return math.log(1 + (n_passages - frequency + 0.5) / (frequency + 0.5))


def held_terms(lines: Sequence[str]) -> Counter[str]:
    """Return the index terms of lines, with how often each occurs."""
    return Counter(line_terms(lines))

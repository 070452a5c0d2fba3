"""What denies: negations, words that a prefix turns round, opposites."""

import re
from collections import defaultdict
from functools import lru_cache
from typing import Final

from pincite.text.opposites import OPPOSITES
from pincite.text.tokens import stem, token_terms

_NEGATION: Final = re.compile(
    r"\b(?:not|no(?!\.?\s?\d)|never|none|neither|nor|without|cannot|nobody|nothing|fails? to|failed to|lacks?|lacked)\b"
    r"|\bexcept\b|n['’]t\b|\bnon-",
    re.IGNORECASE,
)

#: How many words behind a denial it may be about.
_DENIED_WORDS: Final = 2
_NOT_ONLY: Final = re.compile(r"not\s+(?:only|just|merely)\b", re.IGNORECASE)
_DENYING_PREFIXES: Final = ("un", "in", "im", "ir", "il", "non", "dis")
#: A shorter rest (letters) is another word: "form" and "inform" are longer than "put" and "input".
_SHORTEST_ROOT: Final = 5
_WORD: Final = re.compile(r"[^\W\d_]+")


def is_negated(text: str) -> bool:
    """Say whether a text denies something.

    >>> is_negated("Who wasn't given land?"), is_negated("Note the knot.")
    (True, False)
    """
    return _NEGATION.search(text) is not None


def denies(text: str, terms: set[str]) -> bool:
    """Return whether a text denies one of these terms: a denial stands at most one word before it."""
    denials = [m for m in _NEGATION.finditer(text) if not _NOT_ONLY.match(text, m.start())]
    return any(
        terms & set(token_terms(word)[:1])
        for m in denials
        for word in text[m.end() : m.end() + 60].split()[:_DENIED_WORDS]
    )


def has_denying_twin(words: set[str], text: str) -> bool:
    """Return whether a text has one of these words (lower case) with a prefix that denies, or without it."""
    own = {word.lower() for word in _WORD.findall(text)}
    return any(
        prefix + word in own or (word.startswith(prefix) and word[len(prefix) :] in own)
        for word in words - own
        for prefix in _DENYING_PREFIXES
        if len(word) >= _SHORTEST_ROOT + len(prefix) * word.startswith(prefix)
    )


@lru_cache(maxsize=1)
def opposite_stems() -> dict[str, frozenset[str]]:
    """Return the stem of a word → the stems of its opposites."""
    found: dict[str, set[str]] = defaultdict(set)
    for word, opposite in OPPOSITES.items():
        found[stem(word)].add(stem(opposite))
    return {word: frozenset(opposites) for word, opposites in found.items()}

"""Typed words that no document knows, corrected against the documents' own vocabulary."""

import re
from collections.abc import Container, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final

from pincite.text.characters import strip_accents
from pincite.text.stopwords import ASKING, FORM, STOP_WORDS
from pincite.text.tokens import token_terms
from pincite.types.record import Record

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
#: Shorter words have too many neighbours.
_MIN_CHARS: Final = 5
#: From this length on two slips are allowed.
_LONG_CHARS: Final = 8


class Correction(Record, frozen=True, kw_only=True):
    """A typed word and the word of the documents that was meant."""

    typed: str
    meant: str


def correct(
    text: str, words: Mapping[str, int], term_counts: Mapping[str, int], *, expert: Container[str] = ()
) -> tuple[Correction, ...]:
    """Return corrections for the words of `text` that occur nowhere, where a near word does.

    `term_counts` has the counts of the text's own index terms, `expert` the words of the vocabulary in use ("capex").
    A common English word is never a typo, nor what is formed of one, however near another is: "fine" stays "fine",
    "unmodified" stays so where the documents have "uncodified". Words that name the form of an answer ("options")
    are known as well.
    """
    corrections = []
    for typed in dict.fromkeys(_WORD.findall(text)):
        lower = strip_accents(typed.lower())
        if lower in expert or _is_known(lower, words, term_counts) or (typed.isupper() and len(typed) < _LONG_CHARS):
            continue
        meant = _nearest(lower, words) or _nearest(lower, dict.fromkeys(FORM, 1))
        if meant is not None:
            corrections.append(Correction(typed=typed, meant=meant))
    return tuple(corrections)


def _is_known(word: str, words: Mapping[str, int], term_counts: Mapping[str, int]) -> bool:
    if len(word) < _MIN_CHARS or not word.replace("-", "").isascii():
        return True
    if word in words or word in STOP_WORDS or word in ASKING:
        return True
    if any(term_counts.get(term) for term in token_terms(word)) or word in common_words():
        return True
    return not _common_stems().isdisjoint(token_terms(_PREFIX.sub("", word))[-1:])


#: A word with one of these before it is another word, not a slip: "unmodified".
_PREFIX: Final = re.compile(r"^(?:un|re|non|dis|mis|over|under|pre|co|sub|inter)-?(?=[^\W\d_]{4})")


@lru_cache(maxsize=1)
def _common_stems() -> frozenset[str]:
    """Return the stems of the common words; made when a question has a word that is not known otherwise."""
    return frozenset(term for word in common_words() for term in token_terms(word)[-1:])


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Return about 9,000 common English words (frequent whole words of the BERT uncased vocabulary, Apache-2.0)."""
    return frozenset(files("pincite.questions").joinpath("common_words.txt").read_text(encoding="ascii").split())


def _nearest(word: str, words: Mapping[str, int]) -> str | None:
    # Only a question with an unknown word pays for this import.
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = 2 if len(word) >= _LONG_CHARS else 1
    candidates = [w for w in words if abs(len(w) - len(word)) <= allowed and w[:1] == word[:1]]
    near = process.extract(word, candidates, scorer=OSA.distance, score_cutoff=allowed, limit=20)
    if not near:
        return None
    best = min(near, key=lambda found: (found[1], -words[found[0]], found[0]))
    return str(best[0])

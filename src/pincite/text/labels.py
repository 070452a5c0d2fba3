"""Words that stand before a number and name its kind, in all ways to write them: article, Art.; section, §."""

import re
from typing import Final

SAME_LABELS: Final = tuple(tuple(words.split()) for words in (
    "article art artikel articles",
    "section sec sect § §§ sections paragraph para par paragraf",
    "no number nr num № nummer numéro # n° nos",
    "chapter ch chap kapitel kap chapitre",
    "figure fig abbildung abb",
    "table tab tabelle",
    "version v ver",
    "annex appendix app anhang annexe",
    "volume vol band bd",
))  # fmt: skip
_CANONICAL: Final = {word: group[0] for group in SAME_LABELS for word in group}


def is_label(word: str) -> bool:
    """Say whether a word names the kind of the number behind it whatever the text is about."""
    return word.lower().rstrip(".:") in _CANONICAL


def canonical_label(word: str) -> str:
    """Return one word for all ways to write the word before a number.

    >>> canonical_label("Art."), canonical_label("§"), canonical_label("lock")
    ('article', 'section', 'lock')
    """
    lower = word.lower().rstrip(".:")
    return _CANONICAL.get(lower, lower)


def label_pattern(word: str) -> str:
    """Return a pattern for a word before a number in all ways to write it, in singular or plural."""
    lower = word.lower().rstrip(".")
    group = next((g for g in SAME_LABELS if lower in g), None)
    if group is None:
        stem = re.escape(lower[: max(3, len(lower) - 2)])
        return rf"\b{stem}[^\W\d_]*"
    words = sorted(group, key=len, reverse=True)
    return "(?:" + "|".join(rf"\b{re.escape(w)}" if w[0].isalnum() else re.escape(w) for w in words) + r")\.?"

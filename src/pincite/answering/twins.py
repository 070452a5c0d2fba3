"""Things told apart by a number, letter or name behind one noun: lock 4 and lock 5, lot B and lot C, ship Alma."""

import re
from functools import lru_cache
from typing import Final

from pincite.text.stopwords import ALL_STOP_WORDS, ASKING
from pincite.text.tokens import token_terms
from pincite.text.units import unit_name

_NAME: Final = r"(?:\d+[a-z]?(?!\w|[.,]\d|\s?%)|[A-Z](?![\w.'’])|[A-Z][a-zäöüß]+(?![\w-]))"
_LABELLED: Final = re.compile(rf"(?<![\w-])(?P<label>[^\W\d_]{{3,}})\s+(?P<name>{_NAME})")


def names_twin(question: str, text: str) -> bool:
    """Say whether a text speaks of a twin of what is asked about, and not of that itself.

    >>> names_twin("When was lock 4 built?", "Lock 5 was built in 1931.")
    True
    >>> names_twin("When was lock 4 built?", "Locks 4 and 5 were built in 1931.")
    False
    """
    asked = _asked(question)
    if not asked:
        return False
    for match in _LABELLED.finditer(text):
        after = re.match(r"\s*([^\W\d_]+)", text[match.end() :])
        if match["name"][0].isdigit() and after is not None and unit_name(after[1]) is not None:
            continue  # "the lock 12 m from here": a measure, no name
        terms = token_terms(match["label"].lower())
        for label, name in asked:
            is_alike = name[0].isdigit() == match["name"][0].isdigit()
            if is_alike and label in terms and name != match["name"]:
                return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is None
    return False


@lru_cache(maxsize=64)
def _asked(question: str) -> tuple[tuple[str, str], ...]:
    """Return the stems of nouns with the name behind each."""
    if question.isupper():
        return ()
    found = []
    for match in _LABELLED.finditer(question):
        label = match["label"].lower()
        if label not in ALL_STOP_WORDS and label not in ASKING and match["label"][0].islower():
            found.append((token_terms(label)[0], match["name"]))
    return tuple(found)

"""Things told apart by a number, letter or name behind one noun: lock 4 and lock 5, lot B and lot C, ship Alma."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from pincite.text.kinds import kinds
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
    >>> names_twin("When does the east gate close?", "The north gate closes at dusk.")
    True
    """
    if _differs_in_kind(question, text):
        return True
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


#: Words that tell things of one noun apart, beside those of a kind.
_SERIES: Final = tuple(
    frozenset(token_terms(word)[0] for word in words.split())
    for words in (
        "first second third fourth fifth sixth seventh eighth ninth tenth last",
        "small large big little medium base tiny mini", "basic standard premium deluxe professional enterprise",
        "old new", "inner outer upper lower middle", "long short", "left right", "senior junior", "domestic foreign",
        "morning afternoon evening night", "daily weekly monthly quarterly annual yearly", "main side",
        "klein groß", "alt neu", "petit grand",
    )
)  # fmt: skip


def _differs_in_kind(question: str, text: str) -> bool:
    """Say whether a text has the noun of a question with another direction, colour … before it, and only so."""
    asked = _qualified(question)
    if not asked:
        return False
    said = _qualified(text)
    held = {term for word in re.findall(r"[^\W\d_]+", text) for term in token_terms(word)[:1]}
    return any(
        noun == other_noun and what not in held and any({what, other} <= kind for kind in _kinds_told_apart())
        for what, noun in asked
        for other, other_noun in said
    )


@lru_cache(maxsize=256)
def _qualified(text: str) -> tuple[tuple[str, str], ...]:
    """Return the stems of neighbours of which the first is of a kind: "north gate", "blue lamp", "the (big) model"."""
    words = [m.group().lower() for m in re.finditer(r"[^\W\d_]{3,}|[^\w\s()\[\]]", text)]
    pairs = [(token_terms(a)[0], token_terms(b)[0]) for a, b in pairwise(words) if a.isalpha() and b.isalpha()]
    return tuple(p for p in pairs if p[0] in _all_told_apart())


@lru_cache(maxsize=1)
def _kinds_told_apart() -> tuple[frozenset[str], ...]:
    return (*dict.fromkeys(kinds().values()), *_SERIES)


@lru_cache(maxsize=1)
def _all_told_apart() -> frozenset[str]:
    return frozenset().union(*_kinds_told_apart())

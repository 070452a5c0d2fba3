"""Whose figures a question asks for: the documents that its words name."""

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

#: Words of file names that say what kind of file it is, not of whom.
_KINDS: Final = frozenset(
    "annual report reports form filing quarterly earnings statement statements final draft version table tables data "
    "sheet document results letter press release total assets revenue income copy scan page pages".split()
)
#: A part of a file name that is shorter names nothing; from so many letters on it may be several words run together.
_SHORTEST, _RUN_TOGETHER = 4, 8


def documents_named(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of some document names that a text names, in the order of the text.

    >>> documents_named("assets of Lockheed Martin in 2018", ["LOCKHEEDMARTIN_2020_10K.pdf", "BOEING_2018.pdf"])
    ('LOCKHEEDMARTIN_2020_10K.pdf',)
    """
    words = set(re.findall(r"[^\W\d_]+", re.sub(r"['’]s\b", "", text).lower()))
    together = re.sub(r"[^\w]|[\d_]", "", text.lower())
    places: dict[str, int] = {}
    for name in names:
        said = [part for part in _parts(name) if part in words or (len(part) >= _RUN_TOGETHER and part in together)]
        if said:
            places[name] = min(together.find(part) for part in said)
    return tuple(sorted(places, key=lambda name: (places[name], name)))


def _parts(name: str) -> frozenset[str]:
    """Return the parts of a file name that may be somebody's name."""
    stem = PurePath(name).stem.lower()
    return frozenset(part for part in re.findall(r"[^\W\d_]+", stem) if len(part) >= _SHORTEST and part not in _KINDS)

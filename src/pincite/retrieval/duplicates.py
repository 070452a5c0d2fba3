"""Passages that say the same: shown once, with all their places, so copies do not crowd out what else there is."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from pincite.text.opposites import OPPOSITES
from pincite.types.passage import StoredPassage

#: Shorter texts are often the same by chance ("Total: 5") and say different things in different places.
_LEAST_WORDS: Final = 20
#: Nearly the same: at least this long, and at most this share of the words differs.
_LEAST_NEAR: Final = 40
_MOST_APART: Final = 0.05
#: Only so many of the best passages are compared word by word; copies of the same words are found among all.
_COMPARED: Final = 60
#: Words that turn what a sentence says: texts that differ in one of them are two.
_TURNING: Final = frozenset(
    "not no never none nor without neither except unless only and or shall may must should can cannot if before after "
    "all any each some every more less most least nicht kein keine nie ohne nur und oder muss darf soll kann "
    "pas ne jamais sans aucun et ou doit peut".split()
) | frozenset(OPPOSITES)
_WORD: Final = re.compile(r"\w+(?:[.,:/’'-]\w+)*")


class _Text:
    """A passage as it is compared: its words in lower case, those that count as names, and its title."""

    def __init__(self, found: Sequence[str], title: str) -> None:
        self._found, self.title = found, title
        self.words = tuple(word.lower() for word in found)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word occurs; only passages below one title are compared by it."""
        return Counter(self.words)

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The different words."""
        return frozenset(self.words)

    @cached_property
    def names(self) -> Counter[str]:
        """How often each word occurs as it is written."""
        return Counter(self._found)


def twins_of(
    order: Sequence[int], passages: Mapping[int, StoredPassage], content_hashes: Mapping[str, str]
) -> dict[int, list[int]]:
    """Return the passages that repeat an earlier one in `order`, by the id of that one.

    A passage repeats another when both documents have the same bytes and it stands at the same place, or when both
    have the same words below a title of the same words; or, in longer ones, when a few words differ and none of those
    is a number, a name, or a word that turns the sense. `content_hashes` are by document.
    """
    first_of: dict[tuple[object, ...], int] = {}
    near: list[tuple[int, _Text]] = []
    twins: dict[int, list[int]] = {}
    for passage_id in order:
        stored = passages[passage_id]
        text = _text(stored)
        keys = _keys(stored, text, content_hashes.get(stored.doc_id, stored.doc_id))
        first = next((first_of[key] for key in keys if key in first_of), None)
        if first is None and len(near) < _COMPARED and len(text.words) >= _LEAST_NEAR:
            first = next((other for other, known in near if _is_near(text, known)), None)
        if first is None:
            near.append((passage_id, text))
        else:
            twins.setdefault(first, []).append(passage_id)
        for key in keys:
            first_of.setdefault(key, passage_id if first is None else first)
    return twins


def _keys(stored: StoredPassage, text: _Text, content_hash: str) -> list[tuple[object, ...]]:
    passage = stored.passage
    keys: list[tuple[object, ...]] = [("copy", content_hash, passage.first_line_id, passage.last_line_id)]
    if len(text.words) >= _LEAST_WORDS:
        keys.append(("words", text.title, *text.words))
    return keys


def _text(stored: StoredPassage) -> _Text:
    text = unicodedata.normalize("NFKC", stored.passage.text)
    # A hyphen at the end of a line joins what it parts.
    found = _WORD.findall(re.sub(r"(?<=\w)-\s*\n\s*(?=[^\W\d_])", "", text))
    return _Text(found, " ".join(_WORD.findall((stored.passage.breadcrumb or ("",))[-1].lower())))


def _is_near(one: _Text, other: _Text) -> bool:
    most = _MOST_APART * max(len(one.words), len(other.words))
    if abs(len(one.words) - len(other.words)) > most or one.title != other.title:
        return False
    # Each word that only one of them has counts once at least: most pairs need no counting.
    if len(one.distinct ^ other.distinct) > most:
        return False
    apart = (one.counts - other.counts) + (other.counts - one.counts)
    if sum(apart.values()) > most:
        return False
    written = (one.names - other.names) + (other.names - one.names)
    return not any(word in _TURNING or any(c.isdigit() for c in word) for word in apart) and not any(
        word[0].isupper() and word.lower() in apart for word in written
    )

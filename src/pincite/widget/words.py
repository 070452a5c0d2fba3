"""Text to terms, exactly as `pincite-ask.js` does it: the same terms from any text, whatever Unicode comes next.

Python and browsers know different versions of Unicode, and disagree on what was added in between. So what is a mark,
and which letters have a lower case, is written down here as ranges. `pincite-ask.js` has the same three; a test
compares them and tries every code point in both.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from pincite.text import stopwords
from pincite.types.record import Record

#: What parts words: blanks, punctuation, symbols, pictures, and halves of surrogate pairs.
MARKS: Final = (
    r"\u0000-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00A9\u00AB\u00AC\u00AE-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7"
    r"\u02C2-\u02C5\u02D2-\u02DF\u037E\u0387\u055A-\u055F\u0589-\u058A\u05BE\u05C0\u05C3\u05C6\u05F3\u05F4\u060C\u060D"
    r"\u061B-\u061F\u066A-\u066D\u06D4\u0700-\u070D\u0964\u0965\u0E4F\u0E5A\u0E5B\u0F04-\u0F12\u10FB\u1361-\u1368\u166E\u1680"
    r"\u17D4-\u17DB\u1800-\u180A\u2000-\u200A\u2010-\u2029\u202F-\u205F\u207A-\u207E\u208A-\u208E\u20A0-\u20CF"
    r"\u2190-\u245F\u2500-\u2775\u2794-\u2BFF\u2E00-\u2E7F\u3000-\u3004\u3008-\u3020\u3030\u303D\u30A0\u30FB"
    r"\uA4FE\uA4FF\uD800-\uDFFF\uFD3E\uFD3F\uFE10-\uFE1F\uFE30-\uFE6F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40"
    r"\uFF5B-\uFF65\uFFE0-\uFFE6\uFFF0-\uFFFF\U0001F000-\U0001FBEF\U000E0000-\U000E007F"
)
#: What nobody sees inside a word, and is left out of it: soft hyphens, joiners, directions, variants.
UNSEEN: Final = r"\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF"
#: Where letters have a lower case: Latin, Greek, Cyrillic, Armenian, Georgian, and what is made of them.
CASED: Final = (
    r"\u0041-\u005A\u00C0-\u00DE\u0100-\u024F\u0370-\u052F\u0531-\u0556\u10A0-\u10C5\u1C90-\u1CBF\u1E00-\u1FFF\u2C00-\u2CF3"
    r"\uA640-\uA69B\uA722-\uA76F\uFF21-\uFF3A\U00010400-\U00010427"
)

_PART: Final = f"[^{MARKS}]+"
# A point or comma between digits belongs to the number: 3.5, 12,000.
_WORD: Final = re.compile(f"{_PART}(?:(?<=[0-9])[.,](?=[0-9]){_PART})*")
_UNSEEN: Final = re.compile(f"[{UNSEEN}]+")
_CASED: Final = re.compile(f"[{CASED}]")
# Accents written apart; both the letters and the accents have been what they are since Unicode 4.
_APART: Final = re.compile(r"[\u0041-\u024F\u0370-\u052F\u1E00-\u1FFF][\u0300-\u036F]+")

#: Words of questions that `text.stopwords.ENGLISH` leaves to others.
_ASKED: Final = "many much may might please tell want wants there get got need needs ll ve re".split()
_LANGUAGES: Final = {
    "en": stopwords.ENGLISH.union(_ASKED),
    "de": stopwords.GERMAN | stopwords.GERMAN_ASKING,
    "fr": stopwords.FRENCH | stopwords.FRENCH_ASKING,
    "es": stopwords.SPANISH,
}
LANGUAGES: Final = tuple(_LANGUAGES)


class Word(Record, frozen=True, kw_only=True):
    """A word of a text: `text[start:end]`, and the term that it counts as; an empty term counts as nothing."""

    start: int
    end: int
    term: str


def words(text: str) -> Iterator[Word]:
    """Yield every word of `text` with its term, stop words included.

    >>> [word.term for word in words("Pin-cites, since 3.5: “ÉTÉ”")]
    ['pin', 'cites', 'since', '3.5', 'été']
    """
    for match in _WORD.finditer(text):
        yield Word(start=match.start(), end=match.end(), term=_term(match.group()))


def terms(text: str, stop_words: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the terms of `text`, each once, in order: no stop words, nothing of a single character.

    >>> terms("Which page does a pin cite name? A page!", frozenset({"which", "does"}))
    ('page', 'pin', 'cite', 'name')
    """
    found = (word.term for word in words(text))
    return tuple(dict.fromkeys(term for term in found if len(term) > 1 and term not in stop_words))


@cache
def stop_words(language: str) -> tuple[str, ...]:
    """Return the stop words of a language in `LANGUAGES` as terms, in order."""
    return as_terms(_LANGUAGES[language])


def as_terms(listed: Iterable[str]) -> tuple[str, ...]:
    """Return the terms that the words of a list are made of, each once, sorted ("don't" is "don")."""
    return tuple(sorted({term for text in listed for term in terms(text)}))


def _term(word: str) -> str:
    if word.isascii():
        return word.lower()
    # One letter at a time: a capital sigma has the same lower case everywhere, at the end of a word too.
    seen = _APART.sub(lambda match: unicodedata.normalize("NFC", match.group()), _UNSEEN.sub("", word))
    return _CASED.sub(lambda match: match.group().lower(), seen).replace("ς", "σ")

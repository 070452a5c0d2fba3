"""Is the text layer what is printed? Signs of a broken font map, judged on one page's text.

A font without a right Unicode map gives letters that are not those printed: shifted, swapped, or in the private
use area. Such text passes every test for odd characters, so letters are also compared with how often they
occur in the languages written in Latin script. Pages of numbers, formulas or other scripts are left alone.
"""

import math
import re
import unicodedata
from functools import cache

import numpy as np

from pincite.parsing.pdf_calls import Floats, Ints

#: Letter frequencies in per mille, a to z, accents folded (published letter counts, rounded).
_LANGUAGES = {
    "english": "82 15 28 43 127 22 20 61 70 2 8 40 24 67 75 19 1 60 63 91 28 10 24 2 20 1",
    "german": "71 19 31 51 174 17 30 48 76 3 12 34 25 98 28 8 0 70 73 62 50 8 19 0 0 11",
    "french": "81 9 33 37 168 11 9 7 75 6 0 55 30 71 58 25 14 66 79 72 63 18 0 4 3 3",
    "spanish": "125 14 47 59 137 7 10 7 62 4 0 50 32 70 87 25 9 69 80 46 39 9 0 2 9 5",
    "italian": "117 9 45 37 118 12 16 15 113 0 0 65 25 69 98 31 5 64 50 56 30 21 0 0 0 5",
    "portuguese": "146 10 39 50 126 10 13 13 62 4 0 28 47 50 107 25 12 65 78 43 46 17 0 2 0 5",
    "dutch": "75 16 12 59 189 8 34 24 65 15 23 36 22 100 61 16 0 64 37 68 20 29 15 0 1 14",
    "swedish": "125 15 15 47 101 20 29 21 58 6 31 53 35 85 58 18 0 84 66 77 19 24 1 1 7 1",
    "polish": "99 15 40 33 88 3 14 11 82 23 35 39 28 57 86 31 0 47 48 40 25 0 47 0 38 64",
    "czech": "84 16 25 36 102 3 3 13 65 21 37 38 32 65 87 34 0 48 52 57 40 47 0 1 29 32",
    "finnish": "158 3 3 10 80 2 4 19 108 20 50 58 32 88 60 18 0 29 79 88 50 23 0 0 17 0",
    "turkish": "120 28 14 47 89 5 18 12 137 0 47 59 37 75 33 9 0 67 48 33 51 10 0 0 33 15",
    "hungarian": "131 19 10 19 162 8 30 13 46 12 49 64 31 64 60 10 0 43 66 74 30 19 0 0 23 43",
    "indonesian": "200 27 8 45 85 3 35 25 80 8 43 35 42 95 20 30 0 50 43 55 50 2 4 0 15 1",
    "romanian": "125 10 54 35 115 12 10 5 104 2 0 45 31 65 45 31 0 70 50 65 61 12 0 1 0 7",
    "vietnamese": "100 20 50 50 70 1 45 90 85 0 20 25 35 110 80 20 5 25 20 70 70 22 0 8 20 0",
}
#: Below this likeness to every language, letters are not those printed: for long and for short samples.
_UNLIKE, _UNLIKE_SHORT = 0.78, 0.66
_FEWEST_LETTERS, _MANY_LETTERS = 48, 300
#: Shares of characters, 0 to 1, beyond which a page is unreadable.
_UNMAPPED, _LOST, _PRIVATE = 0.5, 0.2, 0.3
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_PUNCTUATION, _SYMBOLS_END, _FEWEST_ODD = 0x2000, 0x2C00, 12
_ASCII, _LATIN, _REPLACEMENT, _PRIVATE_FIRST, _PRIVATE_LAST, _LAST = 128, 0x24F, 0xFFFD, 0xE000, 0xF8FF, 0xFFFF
_MARKS = np.array([ord(mark) for mark in "!\"#&'*+;<=>?@[\\]^`{|}~"])
_VOWELS = frozenset("aeiouyıøæœ")
_CROWD = re.compile(r"[bcdfghjklmnpqrstvwxz]{5}")
_BROKEN_WORD = re.compile(r"[^\W\d_][!\"#$%*;<>?@\\^`{|}~0-9]+[^\W\d_]")
_MARKED_WORD = re.compile(r"[^\W\d_][!#$%*;<>?@^`{|}~]+[^\W\d_]")
#: Share of broken words, 0 to 1, that no text has; fewest kinds of letters in a language; how often words repeat.
_BROKEN, _FEWEST_KINDS, _REPEATS = 0.3, 9, 4
#: A character of the private use area inside a word (not the mark of places that ligatures leave empty).
_PRIVATE_IN_WORD = re.compile("[^\\W\\d_](?!\ue0ff)[\ue000-\uf8ff]|(?!\ue0ff)[\ue000-\uf8ff][^\\W\\d_]")
#: Letters that make up two thirds of a text in the languages of a script, and the least share of them, 0 to 1.
_COMMON = {
    (0x400, 0x52F): np.array([ord(c) for c in "оеаинтсрвлкідуОЕАИНТСРВЛКІДУ"]),
    (0x370, 0x3FF): np.array([ord(c) for c in "αοιετσνηυρπκμςάίόέήΑΟΙΕΤΣΝΗΥΡΠΚΜ"]),
}
_LEAST_COMMON = 0.45
#: Chinese signs and Korean syllables: those of a text lie further apart than this many codes.
_WIDE_SCRIPTS, _NARROW_SPREAD = ((0x3400, 0x9FFF), (0xAC00, 0xD7A3)), 0x300
#: Words of one and the same character: fewest of them, kinds of lengths they have, the longest.
_SAME_WORDS, _SAME_LENGTHS, _SAME_LONGEST, _SAME_SHARE = 12, 4, 15, 0.9
#: Scripts whose letters stand in Latin words by rule (μmol, β) or without spaces between.
_SYMBOL_SCRIPTS = frozenset({"GREEK", "CJK", "THAI", "LAO", "KHMER", "MYANMAR", "UNKNOWN"})
#: Above this likeness nothing more is asked.
_SURELY_LIKE = 0.88


def flags(text: str, *, n_damaged: int, unmapped: float) -> list[str]:
    """Return the flags a page's text deserves: `unreadable_text_layer`, `damaged_text_layer` or none.

    `n_damaged` characters had no meaning at all; `unmapped` is the share of words (0 to 1) whose font has no
    Unicode map.
    """
    counts = _counts(text)
    n_chars = len(text) or 1
    lost = int(counts[_REPLACEMENT : _REPLACEMENT + 1].sum())
    private = int(counts[_PRIVATE_FIRST : _PRIVATE_LAST + 1].sum())
    if lost > _LOST * n_chars or private > _PRIVATE * n_chars or _symbols(counts[:_ASCII], len(text)):
        return ["unreadable_text_layer"]
    letters = (counts[ord("a") : ord("z") + 1] + counts[ord("A") : ord("Z") + 1]).astype(np.float64)
    n_letters = int(letters.sum())
    likeness = _likeness(letters)
    other = int(counts[_LATIN + 1 : _PUNCTUATION].sum() + counts[_SYMBOLS_END + 1 :].sum())
    if unmapped > _UNMAPPED and other < 0.3 * n_chars and _guessed_wrong(text, likeness, n_letters, lost):
        return ["unreadable_text_layer"]
    if _one_for_all(text, counts) or (other > _FEWEST_LETTERS and _unlike_in_script(text)):
        return ["unreadable_text_layer"]
    unlike = n_letters >= _FEWEST_LETTERS and likeness < _SURELY_LIKE and _unlike_in_words(text)
    if likeness < _SURELY_LIKE and n_letters + other >= _FEWEST_ODD and _broken_words(text, _MARKED_WORD) > _BROKEN:
        return ["unreadable_text_layer"]
    if unlike or (other > _FEWEST_ODD and _mixed_scripts(text)):
        return ["unreadable_text_layer"]
    is_damaged = n_damaged or lost or (private and _PRIVATE_IN_WORD.search(text) is not None)
    is_damaged = is_damaged or (0 < other < n_letters and _holds_strangers(text))
    return ["damaged_text_layer"] if is_damaged else []


def _counts(text: str) -> Ints:
    """Return how often each character occurs, by its code; those beyond 0xFFFF count as that one."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.bincount(np.minimum(codes, _LAST), minlength=_ASCII)


def latin_likeness(text: str) -> tuple[float, int]:
    """Return how like the letters are to the language they are most like (cosine, 0 to 1), and how many.

    >>> latin_likeness("The board approved the purchase of two cranes")[0] > 0.8
    True
    >>> latin_likeness("Wkh erdug dssuryhg wkh sxufkdvh ri wzr fudqhv")[0] < 0.6
    True
    """
    folded = text if text.isascii() else unicodedata.normalize("NFKD", text)
    codes = np.frombuffer(folded.lower().encode("utf-32-le", "surrogatepass"), np.uint32)
    letters = codes[(codes >= ord("a")) & (codes <= ord("z"))] - ord("a")
    counts = np.bincount(letters, minlength=26).astype(np.float64)
    return _likeness(counts), len(letters)


def _likeness(counts: Floats) -> float:
    length = math.sqrt(float(counts @ counts))
    return float((_profiles() @ counts).max()) / length if length else 1.0


@cache
def _profiles() -> Floats:
    rows = np.array([[float(value) for value in row.split()] for row in _LANGUAGES.values()])
    scaled: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled


def _threshold(n_letters: int) -> float:
    share = min(1.0, (n_letters - _FEWEST_LETTERS) / (_MANY_LETTERS - _FEWEST_LETTERS))
    return _UNLIKE_SHORT + share * (_UNLIKE - _UNLIKE_SHORT)


def _guessed_wrong(text: str, likeness: float, n_letters: int, lost: int) -> bool:
    """Return whether text that pdfium had to guess, for want of a Unicode map, is guessed wrong."""
    if n_letters < _FEWEST_LETTERS:
        return lost > 0 or _broken_words(text) > _BROKEN
    return likeness < _SURELY_LIKE or lost > 0 or _broken_words(text) > _BROKEN


def _broken_words(text: str, pattern: "re.Pattern[str] | None" = None) -> float:
    """Return the share of longer words with digits or rare marks between letters, 0 to 1.

    A handful of words says nothing unless they are long, as lines without their spaces are.
    """
    words = [word for word in text.split() if len(word) >= 4]
    if sum(map(len, words)) < _FEWEST_LETTERS:
        return 0.0
    return sum((pattern or _BROKEN_WORD).search(word) is not None for word in words) / len(words)


def _unlike_in_words(text: str) -> bool:
    """Return whether a page is unlike any language in its long words too, and those are most of its letters.

    Formulas, codes and tables have odd letters in short runs; running text does not. Sequences of a few
    letters (genes, hexadecimal numbers) are no language either, but they are what is printed.
    """
    folded = text if text.isascii() else unicodedata.normalize("NFKD", text)
    if not text.isascii():
        folded = "".join(char for char in folded if not unicodedata.combining(char))
    words = [word for word in set(_LONG_WORD.findall(folded.lower())) if word.isascii()]
    joined = " ".join(words)
    n_letters = len(joined) - joined.count(" ")
    if n_letters < _FEWEST_LETTERS or len(set(joined)) < _FEWEST_KINDS:
        return False
    if len(words) < 4 or 2 * n_letters < sum(map(str.isalpha, folded)) / _REPEATS:
        return False
    likeness, _ = latin_likeness(joined)
    if likeness < _threshold(n_letters):
        return True
    vowels = sum(char in _VOWELS for char in joined) / n_letters
    mute = sum(not _VOWELS.intersection(word) for word in words) / len(words)
    crowded = sum(_CROWD.search(word) is not None for word in words) / len(words)
    odd = (not 0.27 < vowels < 0.6) + (mute > 0.14) + (crowded > 0.2) + (_broken_words(text) > _BROKEN)
    return likeness < _SURELY_LIKE - 0.04 * (odd == 1) and odd > 0


def _one_for_all(text: str, counts: Ints) -> bool:
    """Return whether one character stands for all: a letter, or words of many lengths, as no leader has them."""
    solid = counts[ord(" ") + 1 :]
    n_solid = int(solid.sum())
    if n_solid < _FEWEST_LETTERS or int(solid.max()) < _SAME_SHARE * n_solid:
        return False
    if chr(int(solid.argmax()) + ord(" ") + 1).isalpha():
        return True
    lengths = [len(word) for word in text.split()]
    return len(lengths) >= _SAME_WORDS and len(set(lengths)) >= _SAME_LENGTHS and max(lengths) <= _SAME_LONGEST


def _unlike_in_script(text: str) -> bool:
    """Return whether words of another script have not the letters of its languages, as after a shift of all codes."""
    words = "".join(word for word in _LONG_WORD.findall(text) if ord(word[0]) > _LATIN)
    beyond = np.frombuffer(words.encode("utf-32-le", "surrogatepass"), np.uint32)
    for (first, last), common in _COMMON.items():
        letters = beyond[(beyond >= first) & (beyond <= last)]
        if len(letters) > _FEWEST_LETTERS and np.isin(letters, common).sum() < _LEAST_COMMON * len(letters):
            return True
    for first, last in _WIDE_SCRIPTS:
        signs = beyond[(beyond >= first) & (beyond <= last)]
        if len(signs) > 2 * _FEWEST_LETTERS and int(signs.max()) - int(signs.min()) < _NARROW_SPREAD:
            return True
    return False


def _symbols(plain: Ints, n_chars: int) -> bool:
    """Return whether the page is mostly punctuation of many kinds, as glyph numbers taken for codes are."""
    if n_chars < _FEWEST_LETTERS:
        return False
    marks = plain[_MARKS]
    solid = n_chars - int(plain[[9, 10, 13, 32]].sum())
    return int(marks.sum()) > 0.4 * solid and int((marks > 0).sum()) >= 8


def _mixed_scripts(text: str) -> bool:
    """Return whether most words mix letters of several scripts."""
    words = _LONG_WORD.findall(text)
    odd = [word for word in words if not word.isascii() and max(word) > "\u024f"]
    if len(odd) < 12 or len(odd) < 0.5 * len(words):
        return False
    return sum(len(_scripts(word)) > 1 for word in odd) > 0.5 * len(words)


def _holds_strangers(text: str) -> bool:
    """Return whether Latin words hold letters of a script that has no word of its own: guesses for lost ligatures."""
    words = [word for word in _LONG_WORD.findall(text) if not word.isascii() and max(word) > "\u024f"]
    scripts = [_scripts(word) - _SYMBOL_SCRIPTS for word in words]
    own = {name for found in scripts if len(found) == 1 for name in found}
    return any("LATIN" in found and found - own - {"LATIN"} for found in scripts)


def _scripts(word: str) -> set[str]:
    """Return the scripts of a word's letters; those used together by rule count as one."""
    together = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK", "KATAKANA-HIRAGANA": "CJK"}
    names = {unicodedata.name(char, "UNKNOWN").split()[0] for char in word if char.isalpha()}
    return {together.get(name, name) for name in names} - {"MODIFIER", "MICRO", "FEMININE", "MASCULINE", "FULLWIDTH"}

"""Text to search terms: words by stem, identifiers whole and in parts, CJK by pairs.

The same function makes the terms of passages and of questions, so whatever is written alike meets. A term
holds no white space; it may hold any other character (`c++`, `7.3.2`, `12(4)(b)`).
"""

import re
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import snowballstemmer

from pincite.text.amounts import plain_number
from pincite.text.characters import DASHES, GREEK_NAMES, INVISIBLE, SYMBOL_NAMES, is_cjk, strip_accents
from pincite.text.labels import canonical_label, is_label
from pincite.text.spelling import american
from pincite.text.stopwords import STOP_WORDS
from pincite.text.units import unit_name

#: Raise this when the terms of a text change: an index made by another version is rebuilt.
TOKENIZER_VERSION: Final = 2
#: Longer runs without a blank (base64, hashes) are blobs: they are cut and not split into parts.
MAX_TOKEN_CHARS: Final = 80

_TRANSLATE: Final = str.maketrans({**dict.fromkeys(DASHES, "-"), **dict.fromkeys(INVISIBLE, None), "’": "'"})
_SPACED: Final = re.compile(r"\S+")
_EDGE: Final = "\"'“”‘’«»„.,;:!?()[]{}<>|*`~…。，、；：！？「」『』（）—"
_PART: Final = re.compile(r"[^\W_]+")
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_RUN: Final = re.compile(r"\d+|[^\W\d_]+")
_DOTTED: Final = re.compile(r"v?\d+(?:[.,]\d+)+")
#: Note numbers behind a word; short symbols have exponents: m², CO².
_SUPER: Final = re.compile(r"(?<=[^\W\d_]{4})[⁰¹²³⁴-⁹]+$")
#: C#, F#, C++: the letter alone names something else.
_LETTER_SIGNS: Final = re.compile(r"[a-z]{1,2}[#+]{1,2}")
#: A number with signs of currency and the like around it: €1,000.50.
_AMOUNT: Final = re.compile(r"[^\w.,-]*(\d+(?:[.,]\d+)+)[^\w.,-]*")
_TIMES: Final = re.compile(r"(?<=\d)×(?=\d)")
_PIECES: Final = re.compile(r"[/:=|;@]+")
_LABEL: Final = re.compile(r"[^\W\d_]{1,12}|[§#№]+|n°")
_NUMBER: Final = re.compile(r"\d[\w.]*")


#: A stemmer keeps the word it works on in itself: one thread at a time.
_stemming: Final = threading.Lock()


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.basestemmer.BaseStemmer:
    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word, in American spelling (Snowball English).

    >>> stem("verifications"), stem("colours")
    ('verif', 'color')
    """
    if len(word) < 3 or not word.isalpha():
        return word
    with _stemming:
        stemmed: str = _stemmer().stemWord(american(word))
    return stemmed


def index_terms(text: str) -> list[str]:
    """Return the terms of a text in order, variants beside each other.

    >>> index_terms("The well-known HX-40")
    ['the', 'well-known', 'wellknown', 'well', 'known', 'hx-40', 'hx40', 'hx', '40']
    """
    terms: list[str] = []
    before = ""
    for token in _SPACED.findall(text):
        terms.extend(token_terms(token))
        if before and token.strip("([")[:1].isdigit() and (numbered := numbered_term(before, token)) is not None:
            terms.append(numbered)
        before = token
    return terms


def numbered_term(label: str, number: str) -> str | None:
    """Return the term of a word and the number behind it, which tells "§ 42" and "RFC 42" from 42; `None` for none.

    >>> numbered_term("Art.", "17,"), numbered_term("RFC", "9110"), numbered_term("in", "2021")
    ('article17', 'rfc9110', None)
    """
    word = label.strip(_EDGE)
    match = _NUMBER.match(number.strip(_EDGE))
    if match is None or _LABEL.fullmatch(word) is None:
        return None
    lower = _unaccented(word.lower())
    if lower in STOP_WORDS and not is_label(lower):
        return None
    return canonical_label(lower) + match.group().lower().rstrip(".")


def line_terms(lines: Sequence[str]) -> list[str]:
    """Return the terms of consecutive lines; a word broken by a line-end hyphen counts in both readings.

    >>> line_terms(["a cli-", "mate plan"])
    ['a', 'climat', 'cli-mate', 'climate', 'climat', 'cli', 'mate', 'plan']
    """
    terms: list[str] = []
    for reading in _readings(lines):
        terms.extend(index_terms(reading))
    return terms


def _readings(lines: Sequence[str]) -> Iterator[str]:
    """Yield stretches of text; where a line ends inside a word, the word once joined and once hyphenated."""
    carried = ""
    for line in lines:
        text = line.translate(_TRANSLATE).rstrip() if not line.isascii() else line.rstrip()
        if carried:
            head, _, text = text.lstrip().partition(" ")
            yield carried[:-1] + head
            yield carried + head
            carried = ""
        if len(text) > 1 and text[-1] == "-" and text[-2].isalnum():
            before, _, carried = text.rpartition(" ")
            yield before
        else:
            yield text
    if carried:
        yield carried
    yield from _cjk_joints(lines)


def _cjk_joints(lines: Sequence[str]) -> Iterator[str]:
    """Yield the character pairs that a line end cuts in scripts without spaces."""
    for before, after in pairwise(lines):
        left, right = before.rstrip(), after.lstrip()
        if left and right and is_cjk(left[-1]) and is_cjk(right[0]):
            yield left[-1] + right[0]


@lru_cache(maxsize=400_000)
def token_terms(token: str) -> tuple[str, ...]:
    """Return the terms of one run of non-blank characters, the most specific first.

    >>> token_terms("WF-M5799DWF,")[:2]
    ('wf-m5799dwf', 'wfm5799dwf')
    >>> "m5799" in token_terms("WF-M5799DWF")
    True
    """
    text = token if token.isascii() else _fold(token)
    bare = text.strip(_EDGE)
    if text.endswith(".") and is_label(bare) and canonical_label(bare) != bare.lower():
        return (stem(bare.lower()), stem(canonical_label(bare)))  # "Art." is said for article
    if not bare:
        return (text.lower(),) if text and not text.isalnum() else ()
    if bare.isascii() and bare.isalpha() and (bare.islower() or bare.istitle()):
        return (stem(bare.lower()),)
    if len(bare) > MAX_TOKEN_CHARS:
        return tuple(dict.fromkeys(stem(p.lower()) for p in _PART.findall(bare[:MAX_TOKEN_CHARS])))
    return tuple(term for term in dict.fromkeys(_variants(text, bare)) if term)


def _fold(token: str) -> str:
    bare = _SUPER.sub("", token) or token
    folded = unicodedata.normalize("NFKC", _TIMES.sub("x", bare.translate(_TRANSLATE)))
    # Some signs are a blank with a mark in compatibility form (¨): a term holds no blank.
    return "".join(folded.translate(_TRANSLATE).split())


def _variants(text: str, bare: str) -> Iterator[str]:
    lower = _unaccented(bare.lower())
    if any(is_cjk(c) for c in lower):
        yield from _cjk_terms(lower)
        return
    if _LETTER_SIGNS.fullmatch(lower):
        yield lower
        return
    balanced = _balanced(text, bare)
    parts = _PART.findall(bare)
    if len(parts) == 1 and parts[0] == bare:
        yield stem(lower)
        yield from (stem(word) for word in _without_umlauts(bare))
    else:
        yield balanced.lower()
        if balanced.lower() != lower:
            yield lower
        if _DOTTED.fullmatch(lower):
            yield lower.lstrip("v")
            yield plain_number(lower.lstrip("v"))
        elif "-" in bare and (any(c.isdigit() for c in bare) or all(len(p) > 1 for p in parts)):
            yield "".join(parts).lower()
            yield stem("".join(parts).lower())
        yield from _piece_terms(lower)
    if (unit := unit_name(bare)) is not None:
        yield from (stem(word) for word in unit.split())
    if not _DOTTED.fullmatch(lower):
        for part in parts:
            yield from _part_terms(part)
    for symbol in set(text) & set(SYMBOL_NAMES):
        yield SYMBOL_NAMES[symbol]


def _piece_terms(lower: str) -> Iterator[str]:
    """Yield the parts between slashes and colons that are codes themselves: 192.168.0.1/24, iso/iec-27001."""
    pieces = _PIECES.split(lower.strip("#№§"))
    for piece in pieces if len(pieces) > 1 or pieces[0] != lower else ():
        bare = piece.strip(_EDGE)
        if len(bare) > 1 and not bare.isalnum():
            yield bare
    if lower[:1] in "#№" and lower[1:].isdigit():
        yield f"no{lower[1:]}"
    amount = _AMOUNT.fullmatch(lower)
    if amount is not None:
        yield plain_number(amount[1])


def _unaccented(text: str) -> str:
    return strip_accents(text).replace("ß", "ss")


def _without_umlauts(word: str) -> Iterator[str]:
    """Yield the spelling of a word with umlauts for keyboards that have none: Jürgen → juergen."""
    lower = unicodedata.normalize("NFC", word.lower())
    if any(c in "äöü" for c in lower):
        spelt = lower.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
        yield _unaccented(spelt)


def _balanced(text: str, bare: str) -> str:
    """Give back closing brackets and signs that belong to the token: `12(4)(b)`, `C++`, `@nasa`, `50%`."""
    tail = text[text.find(bare) + len(bare) :]
    for closing in tail:
        if closing == ")" and bare.count("(") > bare.count(")"):
            bare += ")"
        else:
            break
    return bare


def _part_terms(part: str) -> Iterator[str]:
    lower = _unaccented(part.lower())
    yield stem(lower)
    for char in dict.fromkeys(lower):
        if char in GREEK_NAMES:
            yield GREEK_NAMES[char]
            if len(lower) > 1:
                yield char
    pieces = _RUN.findall(lower)
    if 1 < len(pieces) <= 4:
        for first in range(len(pieces)):
            for last in range(first + 1, len(pieces) + 1):
                joined = "".join(pieces[first:last])
                if len(joined) > 1 and joined != lower:
                    yield joined
    camel = _CAMEL.findall(part)
    if len(camel) > 1 and any(c.isupper() for c in part[1:]) and any(c.islower() for c in part):
        yield from (stem(c.lower()) for c in camel if len(c) > 1)


def _cjk_terms(text: str) -> Iterator[str]:
    """Yield pairs of neighbouring CJK characters, single ones, and words of other scripts between them."""
    for run in re.findall(r"[^\W_]+", text):
        cjk = [c for c in run if is_cjk(c)]
        yield from (a + b for a, b in pairwise(run) if is_cjk(a) and is_cjk(b))
        yield from cjk
        yield from (stem(w) for w in re.findall(r"[a-z]+|\d+", run))


def is_stop_term(term: str) -> bool:
    """Say whether a term is the stem of a stop word."""
    return term in _stop_stems()


@lru_cache(maxsize=1)
def _stop_stems() -> frozenset[str]:
    return frozenset(stem(w) for w in STOP_WORDS) | STOP_WORDS


_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case without accents, hyphenated ones whole and in parts.

    >>> words("The Watch-keeper’s log")
    ['the', "watch-keeper's", 'watch', 'keeper', 's', 'log']
    """
    found: list[str] = []
    for match in _WORD.findall(text):
        word = _unaccented(match.lower().replace("’", "'"))
        found.append(word)
        if "-" in word or "'" in word:
            found.extend(re.split(r"[-']", word))
    return found

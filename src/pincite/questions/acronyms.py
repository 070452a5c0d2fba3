"""Acronyms that the documents define themselves: "Maritime Rescue Sub-Centre (MRSC)"."""

import itertools
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from pincite.questions.corpus import Corpus
from pincite.text.stopwords import ALL_STOP_WORDS, ASKING, FORM
from pincite.text.tokens import token_terms
from pincite.types.question import Acronym

_WORD: Final = re.compile(r"[^\W_]+")
_MAX_LONG_WORDS: Final = 8


def acronyms_in(question: str, corpus: Corpus) -> tuple[Acronym, ...]:
    """Return the acronyms that the question names by either form and a document defines."""
    found: list[Acronym] = []
    for short in _candidates(question, corpus):
        longs: dict[str, str] = {}
        for text in corpus.texts_with(short.lower(), k=8):
            long = long_form(short, text)
            if long is not None and _concerns(question, short, long):
                longs.setdefault(_folded(long), long)
        if longs:
            first, *others = longs.values()
            found.append(Acronym(short=short, long=first, others=tuple(others)))
    return tuple(dict.fromkeys(found))


def _folded(long: str) -> str:
    """Return a long form by the index terms of its words: its plural is no other meaning."""
    return " ".join(t for w in _WORD.findall(long) for t in token_terms(w)[:1])


def is_spelt_in(question: str, acronym: Acronym) -> bool:
    """Say whether a question spells the long form out and does not use the short one."""
    return f" {_folded(acronym.long)} " in f" {_folded(question)} " and not re.search(
        rf"\b{re.escape(acronym.short)}s?\b", question, re.IGNORECASE
    )


def _candidates(question: str, corpus: Corpus) -> list[str]:
    tokens = _WORD.findall(question)
    typed = [t for t in tokens if t.isalpha() and 2 <= len(t) <= 8 and (t.isupper() or t.lower() not in _GRAMMAR)]
    runs = [tokens[i:j] for i in range(len(tokens)) for j in range(i + 2, min(i + _MAX_LONG_WORDS, len(tokens)) + 1)]
    initials = ["".join(w[0] for w in run) for run in runs]
    initials += ["".join(w[0] for w in run if w.lower() not in _SMALL) for run in runs if run[0].lower() not in _SMALL]
    words = corpus.words()
    named = [t for t in typed if t.isupper() or _is_held(t, words)]
    named += [t[:-1] for t in typed if t.endswith("s") and t[:-1].isupper() and len(t) > 2]
    return list(
        dict.fromkeys(s.upper() for s in (*named, *initials) if s.isalpha() and len(s) > 1 and _is_held(s, words))
    )


def _is_held(short: str, words: Mapping[str, int]) -> bool:
    return short.lower() in words or f"{short.lower()}s" in words


def long_form(short: str, text: str) -> str | None:
    """Return the long form that `text` gives for `short`: before it, or after it in brackets.

    >>> long_form("MRSC", "The Maritime Rescue Sub-Centre (MRSC) answers.")
    'Maritime Rescue Sub-Centre'
    >>> long_form("CSF", "See CSF (Cybersecurity Framework).") is None
    True
    """
    in_brackets, told, meant = _patterns(short)
    for match in in_brackets.finditer(text) if "(" in text else ():
        long = _spelt_before(short, text[: match.start()])
        if long is not None:
            return long
    if short not in text:
        return None
    for match in told.finditer(text):
        long = (match.group(1) or match.group(2)).strip()
        if _stands_for(short, long):
            return long
    for match in meant.finditer(text):
        words = list(itertools.islice(_WORD.finditer(text, match.end()), _MAX_LONG_WORDS))
        for count in range(2, len(words) + 1):
            if "".join(w.group()[0] for w in words[:count]).lower() == short.lower():
                return text[words[0].start() : words[count - 1].end()]
    return None


@lru_cache(maxsize=512)
def _patterns(short: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what a definition looks like: "… (ABC)", "ABC (…)" or "(ABC: …)", "ABC means …"."""
    escaped = re.escape(short)
    name = rf"(?<!\w){escaped}s?"
    return (
        re.compile(rf"\(\s*[\"“']?{escaped}s?[\"”']?\s*[),;]", re.IGNORECASE),
        re.compile(rf"{name}\s*\(([^()]{{4,80}})\)|\(\s*{name}\s*[,;:=]\s*([^()]{{4,80}})\)"),
        re.compile(rf"{name}{_MEANS}"),
    )


#: Words of a question that are no acronym unless they are written as one: "it", "us".
_GRAMMAR: Final = ALL_STOP_WORDS | ASKING | FORM
_MEANS: Final = (
    r"\s*(?::|=|–|—|\b(?:means|stands for|is short for|denotes|steht für|bedeutet|signifie)\b)\s*(?:the\s+|die\s+)?"
)


def _stands_for(short: str, long: str) -> bool:
    """Say whether a form in brackets is the long one: by the first letters of its words, or of one long word."""
    if _initials(long) == short.lower():
        return True
    word = long.lower()
    if not word.isalpha() or len(word) < 2 * len(short) or word[0] != short[0].lower():
        return False
    letters = iter(word)
    return all(c in letters for c in short.lower())


def _spelt_before(short: str, before: str) -> str | None:
    words = list(_WORD.finditer(before[-200:]))
    offset = max(0, len(before) - 200)
    for count in range(1, min(_MAX_LONG_WORDS, len(words)) + 1):
        run = words[-count:]
        if _is_spelt([w.group() for w in run], short):
            return before[offset + run[0].start() : offset + run[-1].end()]
    return None


def _is_spelt(words: list[str], short: str) -> bool:
    """Say whether words give the letters of an acronym by their initials.

    Small words may be passed over ("Bureau of Land Management", BLM), and a long word of a compound may give two or
    three letters ("Kraftfahrzeug-Zulassungsstelle", KZS).
    """
    letters = short.lower()
    if "".join(w[0] for w in words).lower() == letters:
        return len(words) > 1
    told = [w for w in words if w.lower() not in _SMALL]
    if not told or told[0] is not words[0]:
        return False
    if "".join(w[0] for w in told).lower() == letters:
        return len(told) > 1
    return len(told) > 1 and _gives([w.lower() for w in told], letters)


def _gives(words: list[str], letters: str) -> bool:
    """Say whether each word gives its initial and, where it is long, one or two letters more, in order."""
    if not words or not letters:
        return not words and not letters
    first, *others = words
    if first[0] != letters[0]:
        return False
    most = 3 if len(first) >= _COMPOUND_CHARS else 1
    return any(
        _holds_in_order(first[1:], letters[1:n]) and _gives(others, letters[n:])
        for n in range(1, min(most, len(letters)) + 1)
    )


def _holds_in_order(word: str, letters: str) -> bool:
    left = iter(word)
    return all(c in left for c in letters)


#: Words that an acronym seldom has a letter for.
_SMALL: Final = frozenset(
    "a an and at by for from in of on or the to with d de des du et l la le les für der die und von".split()
)
#: A compound that gives more than one letter is at least this long.
_COMPOUND_CHARS: Final = 12


def _initials(text: str) -> str:
    return "".join(w[0] for w in _WORD.findall(text)).lower()


def _concerns(question: str, short: str, long: str) -> bool:
    typed = {t.lower() for t in _WORD.findall(question)}
    if short.lower() in typed:
        return True
    asked = {term for w in typed for term in token_terms(w)}
    return all(set(token_terms(w)) & asked for w in _WORD.findall(long.lower()))

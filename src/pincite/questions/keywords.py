"""The words and phrases of a question to search for, with weights: its own, numbered names, acronyms, concepts."""

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Final

from pincite.questions.acronyms import acronyms_in, is_spelt_in
from pincite.questions.corpus import ConceptKeyword, Corpus
from pincite.questions.places import without_pages
from pincite.questions.shapes import asked_shape
from pincite.questions.typos import Correction
from pincite.questions.unspaced import without_asking
from pincite.text.irregular import other_forms
from pincite.text.language import question_language
from pincite.text.opposites import OPPOSITES
from pincite.text.senses import words_of_sense
from pincite.text.stopwords import SILENT
from pincite.text.tokens import numbered_term, token_terms
from pincite.types.question import Acronym, Hints, Keyword, KeywordOrigin
from pincite.types.record import Record

TOKEN: Final = re.compile(r"(?:[^\s\"“”?!,;()]|(?<=\d),(?=\d))+(?:\([^\s()]*\)[^\s\"“”?!,;()]*)*")
QUOTED: Final = re.compile(r"[\"“]([^\"“”]{2,}?)[\"”]")
_HOW: Final = re.compile(r"\bhow (long|far|old|much|often|many|fast|big|large)\b", re.IGNORECASE)
_VALUE_OF: Final = re.compile(r"\b(?:value of|wert (?:von|de[rs])|valeur d[eu])\b", re.IGNORECASE)
_VALUES: Final = frozenset({"value", "wert", "valeur"})
#: "How high is the fee?" is about the fee: a text that says it need not say "high".
_HOW_WEIGHT: Final = 0.3
#: What a question with "how" is about, in the words of a label: "Length (m): 23.5".
_MEASURED: Final = {
    "long": ("length", "duration"),
    "far": ("distance",),
    "old": ("age",),
    "often": ("frequency",),
    "fast": ("speed",),
    "big": ("size",),
    "large": ("size",),
}


class FoundKeywords(Record, frozen=True, kw_only=True):
    """What to search for, the question's own words first, with the acronyms among it and notes on what was added."""

    keywords: tuple[Keyword, ...]
    acronyms: tuple[Acronym, ...]
    notes: tuple[str, ...]


def find_keywords(
    question: str,
    hints: Hints,
    corrections: Sequence[Correction],
    corpus: Corpus,
    concepts: Sequence[ConceptKeyword],
) -> FoundKeywords:
    """Return the keywords of a question, with those that the documents or the user's table added."""
    corrected = {c.meant.lower() for c in corrections}
    found: dict[str, Keyword] = {}
    notes: list[str] = []
    for phrase in QUOTED.findall(question):
        found[phrase.lower()] = Keyword(text=phrase, weight=2.0)
    for token in content_words(asked_of_pages(question, hints)):
        origin: KeywordOrigin = "correction" if token.lower() in corrected else "question"
        is_how = re.search(rf"\b(?:how|wie) {re.escape(token)}\b", question, re.IGNORECASE)
        is_asking = is_how or (_VALUE_OF.search(question) and token.lower() in _VALUES)
        if is_asking and not any(corpus.term_counts(token_terms(token)).values()):
            continue  # "How large is it?", "the value of x": no text need say "large" or "value"
        weight = _HOW_WEIGHT if is_how else 1.0
        found.setdefault(token.lower(), Keyword(text=token, weight=weight, origin=origin))
    for numbered in _numbered(question, corpus):
        found.setdefault(numbered, Keyword(text=numbered, weight=0.1, origin="vocabulary"))
    how = _HOW.search(question)
    for word in _MEASURED.get(how.group(1).lower(), ()) if how else ():
        found.setdefault(word, Keyword(text=word, weight=0.6, origin="vocabulary"))
    if asked_shape(question).shape == "boolean":
        _add_forms_of(found, corpus, words_of_sense)
        for opposite in filter(None, (OPPOSITES.get(word) for word in list(found))):
            found.setdefault(opposite, Keyword(text=opposite, weight=0.4, origin="vocabulary"))
    _add_forms_of(found, corpus, lambda word: tuple((form, True) for form in other_forms(word)))
    acronyms = acronyms_in(question, corpus)
    for acronym in acronyms:
        notes.append(acronym.note)
        _add_forms(found, acronym, question)
    folded = question.casefold()
    searched: dict[str, list[str]] = {}
    for row in concepts:
        if re.search(rf"(?<!\w){re.escape(row.concept.casefold())}(?!\w)", folded) and row.keyword.lower() not in found:
            searched.setdefault(row.concept, []).append(f"“{row.keyword}”")
            found[row.keyword.lower()] = Keyword(
                text=row.keyword, weight=row.weight, origin="vocabulary", stands_for=row.concept
            )
    notes += [f"concept “{concept}”: also searched {', '.join(also)}" for concept, also in searched.items()]
    return FoundKeywords(keywords=tuple(found.values()), acronyms=acronyms, notes=tuple(notes))


#: What another form of an acronym counts for beside the one that was typed.
_OTHER_FORM: Final = 0.8


def _add_forms(found: dict[str, Keyword], acronym: Acronym, question: str) -> None:
    """Add both forms of an acronym; where the question spells it out, the short form is what was asked for.

    Else a text with the short form alone would lack every word of the long one.
    """
    is_spelt = is_spelt_in(question, acronym)
    if is_spelt:
        for word in content_words(acronym.long):
            found.pop(word.lower(), None)
    short = (
        Keyword(text=acronym.short)
        if is_spelt
        else Keyword(text=acronym.short, weight=_OTHER_FORM, origin="vocabulary", stands_for=acronym.long)
    )
    found.setdefault(acronym.short.lower(), short)
    long = Keyword(text=acronym.long, weight=_OTHER_FORM, origin="vocabulary", stands_for=acronym.short)
    found.setdefault(acronym.long.lower(), long)


#: What another word for a state counts for: one that says the same, one that says the opposite.
_SAME_SENSE, _OTHER_SENSE = 0.9, 0.6


def _add_forms_of(
    found: dict[str, Keyword], corpus: Corpus, forms_of: Callable[[str], Sequence[tuple[str, bool]]]
) -> None:
    """Add the words of the documents that say the same as a word of the question, or deny it: "permitted"."""
    words = [k for k in found.values() if k.origin in ("question", "correction")]
    others = {form: (word.text, is_same) for word in words for form, is_same in forms_of(word.text)}
    counts = corpus.term_counts([t for form in others for t in token_terms(form)[:1]])
    for form, (word, is_same) in others.items():
        if any(counts.get(t) for t in token_terms(form)[:1]):
            weight = _SAME_SENSE if is_same else _OTHER_SENSE
            found.setdefault(form, Keyword(text=form, weight=weight, origin="vocabulary", stands_for=word))


def _numbered(question: str, corpus: Corpus) -> list[str]:
    """Return the terms of words with a number behind them ("article 17") that the documents hold."""
    tokens = question.split()
    terms = [numbered_term(before, token) for before, token in itertools.pairwise(tokens)]
    counts = corpus.term_counts([t for t in terms if t is not None])
    return [t for t in terms if t is not None and counts.get(t)]


def content_words(question: str) -> list[str]:
    """Return the words of a question that say what it is about, as typed.

    A stop word that is written with a capital inside the question is a name ("the It"). When nothing else is
    left, the stop words themselves are returned.

    >>> content_words("What colour is the It?")
    ['colour', 'It']
    """
    language = question_language(question)
    asked = _INVERTED.sub("", question) if language == "fr" else question
    tokens = [t.strip(".:'’‘") for t in TOKEN.findall(asked)]
    silent = SILENT[language]
    kept = [
        token
        for position, token in enumerate(tokens)
        if token and (token.lower() not in silent or (position > 0 and _is_name(token) and not question.isupper()))
    ]
    if language == "en" and len(kept) > 1 and kept[0] == tokens[0] and _MAY.match(question):
        kept = kept[1:]
    kept = [part for token in kept for part in without_asking(token)]
    return list(dict.fromkeys(kept)) or [t for t in dict.fromkeys(tokens) if t]


#: "May visitors …?" asks for leave, "May 2030" is a month.
_MAY: Final = re.compile(r"\W*(?:may|might)\s+(?!\d)", re.IGNORECASE)
#: The subject behind a French verb: "sert-elle", "a-t-il".
_INVERTED: Final = re.compile(r"(?<=\w)-(?:t-)?(?:elles?|ils?|on|vous|nous|tu|je|ce)\b", re.IGNORECASE)


def _is_name(stop_word: str) -> bool:
    """Say whether a stop word inside a question is written as a name; "I" is always written so."""
    return stop_word[0].isupper() and not re.fullmatch(r"I(?:['’](?:m|ve|d|ll))?", stop_word)


def asked_of_pages(question: str, hints: Hints) -> str:
    """Return the question without the pages it names; nothing, when it asks for nothing else of them.

    >>> asked_of_pages("What does page iii say?", Hints(pages=("iii",)))
    ''
    """
    if not hints.pages:
        return question
    rest = without_pages(question)
    silent = SILENT[question_language(question)]
    says_more = any(t.strip(".:'’").lower() not in silent for t in TOKEN.findall(rest))
    return rest if says_more else ""

"""Whether a text speaks of another thing than a question names: Mill 3 for Mill 2, the Owls for the Hawks."""

import re
from functools import lru_cache
from typing import Final

from pincite.answering.pointing import points_back
from pincite.answering.units import Unit
from pincite.text.characters import strip_accents
from pincite.text.language import question_language
from pincite.text.stopwords import ALL_STOP_WORDS, ASKING

_NUMBERED: Final = re.compile(r"(?<![\w-])(?P<label>[^\W\d_]{3,})\s+(?P<number>\d{1,3}[a-z]?)(?![\w.,]\d|\w|\s?%)")
_NAME: Final = re.compile(r"(?<![\w.-])[A-Z][^\W\d_]+(?![\w-])")
#: A sentence that begins with who or what does something: "Amorin lowers …".
_DOES: Final = re.compile(r"(?!The\b)[A-Z][^\W\d_]*[^\W\d_s]\s+(?:[a-z]+(?:s|ed)|may|can|must|had)\b")
_YEAR: Final = re.compile(r"(?<![\d.,-])(?:1[6-9]|20|21)\d\d(?![\d-]|[.,]\d)")
_SPAN: Final = re.compile(
    r"(?P<first>(?:1[6-9]|20|21)\d\d)\s*(?:-|–|to|until|till|bis|and)\s*(?P<last>(?:1[6-9]|20|21)\d\d)"
)
_PEOPLE: Final = re.compile(r"\b[Tt]he\s+(?P<name>[A-Z][a-z]+s)\b(?!\s+[A-Z])")


@lru_cache(maxsize=64)
def named_in(question: str) -> tuple[str, ...]:
    """Return the things that a question names: "Mill 2", "Boreas", "2031".

    >>> named_in("What does Mill 2 grind?"), named_in("Who commands the Boreas?"), named_in("Who won in 2020?")
    (('mill 2',), ('boreas',), ('2020',))
    """
    if question.isupper():
        return ()
    numbered = [m.group().lower() for m in _NUMBERED.finditer(question) if m["label"].lower() not in ALL_STOP_WORDS]
    # In German every noun has a capital.
    is_german = question_language(question) == "de"
    found = numbered or [m.group().lower() for m in _NAME.finditer(question) if not is_german and _is_name(m)]
    return tuple(dict.fromkeys((*found, *_YEAR.findall(question))))


def _is_name(match: re.Match[str]) -> bool:
    before = match.string[: match.start()].rstrip()
    low = match.group().lower()
    return bool(before) and before[-1] not in ".?!:" and low not in ALL_STOP_WORDS and low not in ASKING


def is_about_another(named: tuple[str, ...], unit: Unit) -> bool:
    """Say whether a unit with what introduces it names none of these, and another of their kind in their place."""
    said = _said(unit)
    if any(_has(said, name) for name in named):
        return False
    for name in named:
        label, _, number = name.rpartition(" ")
        if name.isdigit():
            other = bool(_YEAR.search(unit.text))
        elif label:
            other = any(m["label"].lower() == label and m["number"].lower() != number for m in _NUMBERED.finditer(said))
        else:
            other = _DOES.match(unit.text) is not None or any(_is_name(m) for m in _NAME.finditer(unit.text))
        if other:
            return True
    return False


def _said(unit: Unit) -> str:
    """Return all that says what a unit is about; the sentence before it only where it points back to that."""
    line = unit.line
    before = unit.before if points_back(unit) else ""
    return "\n".join((line.doc_name, line.doc_date or "", *line.breadcrumb, unit.lead, before, unit.text))


def _has(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?:['’]?s)?(?!\w)", text, re.IGNORECASE) is not None


def is_of_other_years(question: str, unit: Unit) -> bool:
    """Say whether a question is about a year and a unit tells of others alone, and of no span that it lies in."""
    asked = set(_YEAR.findall(question))
    told = set(_YEAR.findall(unit.text))
    if not asked or not told or asked & set(_YEAR.findall(_said(unit))):
        return False
    spans = [(m["first"], m["last"]) for m in _SPAN.finditer(unit.text)]
    return not any(first <= year <= last for year in asked for first, last in spans)


def names_other_people(question: str, text: str) -> bool:
    """Say whether a question names a team or people and a text another in its place: the Owls for the Hawks.

    >>> names_other_people("Who coaches the Hawks?", "The Owls' coach is Pia Renn.")
    True
    >>> names_other_people("Who joined the Armenians?", "Many went on to the Taurus Mountains.")
    False
    """
    asked = {m["name"] for m in _PEOPLE.finditer(question)}
    said = {m["name"] for m in _PEOPLE.finditer(text) if m["name"] not in question}
    return bool(asked and said) and not any(re.search(rf"\b{name}\b", text) for name in asked)


_COMPOUND: Final = re.compile(r"(?<![\w-])[A-ZÄÖÜ][a-zäöüß]{6,}(?![\w-])")
#: Letters of the head that compounds share, and of what tells them apart.
_HEAD, _FRONT = 4, 3
_TO: Final = re.compile(r"\b(?P<to>nach|von|bei|über)\s+(?P<name>[A-ZÄÖÜ][a-zäöüß]{2,})")


@lru_cache(maxsize=64)
def compounds_in(question: str) -> tuple[str, ...]:
    """Return the long nouns of a German question, without the endings of their cases."""
    return tuple(dict.fromkeys(_bare(m.group()) for m in _COMPOUND.finditer(question) if m.start()))


def _bare(noun: str) -> str:
    return re.sub(r"(?:es|s|en|n)$", "", _plain(noun))


def _plain(text: str) -> str:
    """Return a text in small letters, "ß" as "ss", umlauts without their points or the letter that stands for these."""
    return re.sub(r"(?<=[aou])e", "", strip_accents(text.lower().replace("ß", "ss")))


def has_compound(compound: str, text: str) -> bool:
    """Say whether a text has a noun that `compounds_in` returned."""
    return compound in _plain(text)


def has_compound_twin(compounds: tuple[str, ...], text: str) -> bool:
    """Say whether a text has another compound in the place of one that is asked about: Regionalzug for Schnellzug.

    >>> has_compound_twin(compounds_in("Wer fährt den Schnellzug?"), "Den Regionalzug fährt Herr Brand.")
    True
    """
    low = _plain(text)
    said = {_bare(m.group()) for m in _COMPOUND.finditer(text)}
    return any(one not in low and any(_are_twins(one, other) for other in said) for one in compounds)


def _are_twins(one: str, other: str) -> bool:
    shared = next((n for n, (a, b) in enumerate(zip(one[::-1], other[::-1], strict=False)) if a != b), 0)
    # Two spellings of one word begin alike.
    return shared >= _HEAD and min(len(one), len(other)) >= shared + _FRONT and one[:_FRONT] != other[:_FRONT]


def goes_elsewhere(question: str, text: str) -> bool:
    """Say whether a text names another place behind the same preposition: "nach Lund" for "nach Malmö"."""
    asked = {m["to"]: m["name"] for m in _TO.finditer(question)}
    said = {m["to"]: m["name"] for m in _TO.finditer(text)}
    return any(to in said and name not in text for to, name in asked.items())

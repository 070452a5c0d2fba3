"""Names of places in a document: "Table 2", "Sections 3.1 to 3.4", "Title III", "Annex B", "§ 12(4)(b)".

One grammar for captions, headings, the text that points at them, and questions that name them. A Roman number is not
the letter it is written with, and not its neighbour: "Title III" is no "Title II".
"""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pincite.types.document import ObjectKind


@dataclass(frozen=True, slots=True)
class _Word:
    kind: ObjectKind
    shown: str


def _words(kind: ObjectKind, **shown: str) -> dict[str, _Word]:
    return {word: _Word(kind, name) for name, words in shown.items() for word in words.split()}


#: What stands before a number, in all ways to write it, with the kind of thing and the word that is shown.
_WORDS: Final[dict[str, _Word]] = {
    **_words(
        "figure",
        Figure="figure figures fig figs abbildung abbildungen abb figura",
        Chart="chart charts",
        Diagram="diagram diagrams",
        Scheme="scheme schemes",
    ),
    **_words("table", Table="table tables tabelle tabellen tableau tableaux tabla tablas tabella tabelle tab"),
    **_words(
        "annex",
        Annex="annex annexes annexe anexo",
        Appendix="appendix appendices app",
        Anhang="anhang",
        Anlage="anlage anlagen",
        Exhibit="exhibit exhibits",
        Schedule="schedule schedules",
    ),
    **_words("equation", Equation="equation equations eq eqs eqn gleichung"),
    **_words(
        "section",
        Section="section sections sec secs sect subsection subsections abschnitt § §§",
        Chapter="chapter chapters ch chap kapitel chapitre",
        Article="article articles art arts artikel",
        Part="part parts teil partie",
        Title="title titles titel titre",
        Item="item items",
        Paragraph="paragraph paragraphs para paras",
    ),
    **_words("clause", Clause="clause clauses subclause subclauses ziffer"),
    **_words("note", Note="note notes anmerkung"),
}
#: Words that mean many things: a number behind them has to look like one, and the word like a name.
_COMMON: Final = frozenset({"Part", "Title", "Item", "Note", "Article", "Paragraph", "Chart", "Schedule"})
#: Words of everyday text that are written like short forms.
_SHORT: Final = frozenset("app art arts ch tab sec secs para paras fig figs eq eqs".split())
_PLURALS: Final = frozenset(
    "figures figs abbildungen charts diagrams schemes tables tabellen tableaux tablas annexes appendices anlagen "
    "exhibits schedules equations eqs sections secs subsections §§ chapters articles arts parts titles items "
    "paragraphs paras clauses subclauses notes".split()
)
_NUMBER: Final = (
    r"(?:\d{1,4}(?:[.\-–]\d{1,3}){0,5}[A-Za-z]?(?![\w])(?:\([0-9A-Za-z]{1,4}\))*"
    r"|(?-i:[IVXLC]{1,7}(?![\w]))|(?-i:[A-Z](?:[.\-]?\d{1,3}(?:\.\d{1,3})*)?(?![\w’']|\.[A-Za-z])))"
)
_MORE: Final = rf"(?:\s*(?:,\s*(?:and|or)?|and|or|&|to|through|und|bis|et|y|[-–])\s*{_NUMBER})*"
_MENTION: Final = re.compile(
    r"(?<![\w§-])(?P<word>[^\W\d_]{2,13}|§{1,2})"
    rf"(?:\.\s*|\s+|(?<=§)|\s*(?=\())\(?(?P<numbers>{_NUMBER}{_MORE})\)?(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)
_PART: Final = re.compile(rf"(?P<glue>to|through|bis|[-–])?\s*(?P<number>{_NUMBER})", re.IGNORECASE)
#: A number behind a word: a figure, or a capital letter or Roman number that is no beginning of a word.
_COUNTABLE: Final = re.compile(r"[\s.(§]\(?(?:\d|[A-Z](?![a-z])|[ivxlc]+\b)")
_TOKEN: Final = re.compile(r"[^\W\d_]+|§{1,2}")
#: A line without any of these names nothing; looked for first because it is quick.
_HINTS: Final = (
    "fig", "abb", "tab", "ann", "append", "anh", "anl", "xhibit", "chedule", "quation", "eq", "ection", "sec", "§",
    "hapt", "kap", "art", "itle", "titel", "tem", "lause", "note", "ara", "hart", "iagram", "cheme", "teil",
    "nnex", "ch.",
)  # fmt: skip
#: What belongs to another document: "Section 13 of the Securities Exchange Act", "Item 402 of Regulation S-K".
_ELSEWHERE: Final = re.compile(
    r"\s*(?:\([^)]{1,40}\)\s*)?(?:of|to|in|under|from)\s+(?!this\b|these\b|the\s+(?:present|same)\b)"
    r"(?:the\s+|its\s+|our\s+)?(?:[^\s.;]+\s+){0,7}?"
    r"(?:Act|Code|Law|Regulations?|Directive|Treaty|Constitution|Convention|Statutes?|Ordinance|Rules?|Form|Statement"
    r"|ISO|IEC|EN|DIN|RFC|CFR|U\.?S\.?C|Gesetz\w*|Verordnung|Richtlinie)\b"
)
#: At most so many places are read from one range: "Sections 1 to 400" names a part of a document, not each.
_MOST_OF_A_RANGE: Final = 20
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_WELL_MADE_ROMAN: Final = re.compile(r"C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that a text names, from `start` to `end` of it; `is_elsewhere` where it is of another document."""

    kind: ObjectKind
    word: str
    number: str
    start: int
    end: int
    is_elsewhere: bool = False

    @property
    def label(self) -> str:
        """How the place is called, whatever way it was written."""
        return f"{self.word} {self.number}"


def is_place_word(word: str) -> bool:
    """Return whether a word names a kind of place when a number follows it."""
    return word.lower().rstrip(".") in _WORDS


def may_mention(text: str) -> bool:
    """Return whether a text could name a place: a quick look that leaves out most lines."""
    if _COUNTABLE.search(text) is None:
        return False
    lowered = text.lower()
    for hint in _HINTS:
        if hint in lowered:
            return not _WORDS.keys().isdisjoint(_TOKEN.findall(lowered))
    return False


def find_mentions(text: str) -> list[Mention]:
    """Return the places that a text names, in order; each place of a list or range is one.

    >>> [mention.label for mention in find_mentions("see Tables 2 and 3, clause 7.3.2 and Annexes A to C")]
    ['Table 2', 'Table 3', 'Clause 7.3.2', 'Annex A', 'Annex B', 'Annex C']
    >>> [mention.label for mention in find_mentions("Part of it is in Title III, not in the title II wrote.")]
    ['Title III']
    """
    found: list[Mention] = []
    for match in _MENTION.finditer(text):
        written = match["word"]
        word = _WORDS.get(written.lower())
        if word is None:
            continue
        numbers = list(_numbers(match["numbers"], is_list=written.lower() in _PLURALS))
        if not numbers or not _is_name(written, word, numbers[0], text[match.end("word") : match.start("numbers")]):
            continue
        away = _ELSEWHERE.match(text, match.end()) is not None
        found += [Mention(word.kind, word.shown, number, match.start(), match.end(), away) for number in numbers]
    return found


def _is_name(written: str, word: _Word, number: str, between: str) -> bool:
    """Return whether a word and what follows it are a name, not words of a sentence: "part I play", "title A"."""
    lower = written.lower()
    if lower in _SHORT and "." not in between and not written[0].isupper():
        return False
    if number[0].isdigit():
        # A year behind such a word is a column: "Note 2022".
        return not (word.shown in _COMMON and _YEAR.fullmatch(number))
    if word.shown in _COMMON and not written[0].isupper():
        return False
    return not (word.shown in {"Note", "Item"} and number in {"I", "A"})


def _numbers(text: str, *, is_list: bool) -> Iterator[str]:
    last: str | None = None
    for match in _PART.finditer(text):
        number = normal(match["number"])
        if last is not None and not is_list:
            return
        if is_list and (ends := re.fullmatch(r"(\d{1,3})-(\d{1,3})", number)) and int(ends[1]) < int(ends[2]):
            yield from (ends[1], *_between(ends[1], ends[2]))
            number = ends[2]
        if last is not None and match["glue"]:
            yield from _between(last, number)
        yield number
        last = number


def normal(number: str) -> str:
    """Return a number as it is compared: Roman numbers and letters in capitals, a hyphen for every dash.

    >>> normal("4–1"), normal("iii"), normal("7.3.")
    ('4-1', 'III', '7.3')
    """
    plain = number.replace("–", "-").rstrip(".")
    return plain if plain[:1].isdigit() else plain.upper()


def _between(first: str, last: str) -> list[str]:
    """Return the numbers between two of the same form."""
    a, b = re.fullmatch(r"(.*?)(\d+)", first), re.fullmatch(r"(.*?)(\d+)", last)
    if a is not None and b is not None and a[1] == b[1]:
        numbers = range(int(a[2]) + 1, int(b[2]))
        return [f"{a[1]}{number}" for number in numbers] if len(numbers) <= _MOST_OF_A_RANGE else []
    x, y = roman_value(first), roman_value(last)
    if x is not None and y is not None and (len(first) > 1 or len(last) > 1):
        return [roman_number(value) for value in range(x + 1, y)] if y - x <= _MOST_OF_A_RANGE else []
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
        return [chr(code) for code in range(ord(first) + 1, ord(last))]
    return []


def roman_value(text: str) -> int | None:
    """Return what a Roman number counts, `None` for what is none.

    >>> roman_value("XIV"), roman_value("IIX"), roman_value("B")
    (14, None, None)
    """
    upper = text.upper()
    if not upper or _WELL_MADE_ROMAN.fullmatch(upper) is None:
        return None
    values = [_ROMAN[sign] for sign in upper]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def roman_number(value: int) -> str:
    """Return a number from 1 to 399 in Roman signs."""
    out = ""
    steps = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
    for step, sign in steps:
        out += sign * (value // step)
        value %= step
    return out


#: Words that may name the same place: who writes a standard numbers clauses, who cites it calls them sections.
_FAMILIES: Final = (
    frozenset({"Section", "Clause", "Chapter", "Paragraph", "Article"}),
    frozenset({"Annex", "Appendix", "Anhang", "Anlage", "Schedule"}),
    frozenset({"Figure", "Chart", "Diagram", "Scheme"}),
)


@lru_cache(maxsize=4096)
def spellings(label: str) -> tuple[str, ...]:
    """Return the labels under which a place may be listed, the likeliest first: its own, then those of its kind.

    A paragraph is looked for below its article: "Section 12(4)(b)", then "Section 12(4)", then "Section 12"; a part of
    a note in its note: "Note 2B", then "Note 2". "Item 1A" is no part of "Item 1".

    >>> spellings("Annex B")[:2]
    ('Annex B', 'Anhang B')
    """
    word, _, number = label.partition(" ")
    family = next((words for words in _FAMILIES if word in words), frozenset({word}))
    words = [word, *sorted(family - {word})]
    numbers = [number]
    if word == "Note" and (lettered := re.fullmatch(r"(\d+)[A-Za-z]", number)):
        numbers.append(lettered[1])
    while numbers[-1].endswith(")") and "(" in numbers[-1]:
        numbers.append(numbers[-1][: numbers[-1].rindex("(")])
    return tuple(f"{one} {tail}" for tail in numbers if tail for one in words)


def resolved(label: str, known: Container[str]) -> str | None:
    """Return the label of `known` that a label means, `None` where there is none."""
    return next((spelling for spelling in spellings(label) if spelling in known), None)

"""What a question asks of tables: a figure by the words that name it, and the years it is asked for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pincite.answering.figure_names import Statement, other_names, short_names, statement_of
from pincite.answering.tables import name_terms
from pincite.text.tokens import stem
from pincite.types.question import Keyword

YEAR: Final = re.compile(r"(?<!\d)(?:FY\s?'?)?((?:19|20)\d\d)(?!\d)", re.IGNORECASE)
_RANGE: Final = re.compile(
    r"(?<!\d)(?:FY\s?)?((?:19|20)\d\d)\s*(?:-|–|—|to|through|until)\s*(?:FY\s?)?((?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
#: Words of a question about a figure that neither a row nor a column repeats.
SILENT: Final = frozenset(
    stem(word)
    for word in """fiscal fy year years ended ending end quarter company amount value figure figures number much
    usd eur dollars dollar million millions billion billions thousand thousands percent percentage units unit reported
    report recorded according data table row column cell did does do is are was were has have show give tell state say
    answer question financial annual""".split()
)
#: Words that tell a sum from its parts, and are often left out: they count for little.
LIGHT: Final = frozenset(stem(word) for word in "total net consolidated overall all".split())
#: Figures that are made of others, and short names that share no word with their long form.
_MADE: Final = frozenset(
    stem(word)
    for word in """ratio margin turnover return rate growth days cycle coverage yield conversion free working average
    ebitda per multiple intensity intensive leverage""".split()
)
_SHORT: Final = frozenset({stem("capex")})
#: A row of shares of a figure is not the figure: "Percentage of total revenue".
SHARE_OF: Final = re.compile(
    r"\b(?:percent(?:age)?|share|proportion)\s+of\b|%\s*of\b|\bas an? (?:percent|%)", re.IGNORECASE
)
#: A word written as a name, which does not open the sentence.
_NAME: Final = re.compile(r"(?<=[^\s.?!:] )[A-Z][\w&.-]*(?:['’]s)?")
_DAY: Final = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?:\s+\d{1,2}\b,?)?"
)
_ASIDE: Final = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Asked:
    """What one value is asked by: the words that name it, other ways to say them, the year as text or `None`.

    `names` are those of its words that are written as names: whose figures they are, where the document speaks of them.
    `renamed` is what companies print the same figure as, `statement` which of the statements states it. `is_share` says
    that a share is asked for ("percentage of revenue"); `text` are the words themselves, `days` those of a
    day or month, which only columns have.
    """

    terms: frozenset[str]
    others: tuple[frozenset[str], ...] = ()
    year: str | None = None
    names: frozenset[str] = frozenset()
    renamed: tuple[frozenset[str], ...] = ()
    statement: Statement | None = None
    is_share: bool = False
    text: str = ""
    days: frozenset[str] = frozenset()


def phrase(text: str, keywords: Iterable[Keyword] = (), *, year: str | None = None) -> Asked:
    """Return what words of a question ask for; `keywords` of the vocabulary are other ways to say them."""
    days = " ".join(match[0] for match in _DAY.finditer(text))
    own = plain_terms(_ASIDE.sub(" ", YEAR.sub(" ", _DAY.sub(" ", text))))
    others = []
    for keyword in keywords:
        if keyword.origin != "vocabulary" or not keyword.stands_for:
            continue
        replaced, other = plain_terms(keyword.stands_for), plain_terms(keyword.text)
        if replaced and replaced <= own and _is_same_thing(replaced, other):
            others.append((own - replaced) | other)
    names = name_terms(" ".join(_NAME.findall(text))) - short_names()
    return Asked(
        own,
        tuple(others),
        year,
        names,
        renamed=tuple(other_names(own, names | LIGHT)),
        statement=statement_of(own, names),
        is_share=SHARE_OF.search(text) is not None,
        text=text,
        days=name_terms(days),
    )


def _is_same_thing(named: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether a vocabulary's words name the same figure; those for a ratio only lead to what it is made of."""
    return not named & _MADE and bool((named & other) - LIGHT or named <= _SHORT)


def plain_terms(text: str) -> frozenset[str]:
    """Return the index terms of words that name something; "total" is no stop word of a table."""
    terms = name_terms(text)
    return frozenset(t for t in terms if t not in SILENT and not YEAR.fullmatch(t))


def years_of(text: str) -> tuple[str, ...]:
    """Return the years that a text names, those within a range included.

    >>> years_of("FY2018 - FY2020"), years_of("in 2019")
    (('2018', '2019', '2020'), ('2019',))
    """
    found: dict[str, None] = {}
    for match in _RANGE.finditer(text):
        first, last = int(match[1]), int(match[2])
        if 0 < last - first <= 10:
            found.update(dict.fromkeys(map(str, range(first, last + 1))))
    found.update(dict.fromkeys(YEAR.findall(text)))
    return tuple(sorted(found))

"""Signs that a text speaks of something beside what is asked: another year, another doer, another stuff, no name."""

import re
from collections import defaultdict
from functools import lru_cache
from typing import Final

from pincite.text.stopwords import ALL_STOP_WORDS, ASKING
from pincite.text.tokens import token_terms

_YEAR: Final = r"(?:1[6-9]|20|21)\d\d"
#: A noun with the years it is given for: "the profit in 2022", "revenue for 2021 and 2022", "der Gewinn im Jahr 2022".
_OF_YEARS: Final = re.compile(
    r"(?P<noun>[^\W\d_]{3,})\s+(?:in|for|of|during|im|en)\s+(?:the\s+year\s+|fiscal\s+|jahre?\s+)?"
    rf"(?P<years>{_YEAR}(?:\s*(?:,|and|or|to|und|et|[-–])\s*{_YEAR})*)(?![\w-])",
    re.IGNORECASE,
)


def is_of_another_year(question: str, text: str) -> bool:
    """Say whether a text gives what is asked for another year only, whatever else it gives for that year.

    >>> is_of_another_year("What was the profit in 2023?", "Revenue in 2023 was 9, and profit in 2022 was 7.")
    True
    >>> is_of_another_year("What was the revenue in 2023?", "Revenue in 2023 was 9, and profit in 2022 was 7.")
    False
    """
    asked = _years_of(question)
    if not asked:
        return False
    given = _years_of(text)
    return any(noun in given and not years & given[noun] for noun, years in asked.items())


@lru_cache(maxsize=256)
def _years_of(text: str) -> dict[str, frozenset[str]]:
    """Return the stem of each noun that is given for years → those years."""
    found: dict[str, set[str]] = defaultdict(set)
    for match in _OF_YEARS.finditer(text):
        found[token_terms(match["noun"].lower())[0]].update(re.findall(_YEAR, match["years"]))
    return {noun: frozenset(years) for noun, years in found.items()}


_NAMED: Final = r"[A-Z][\w’'-]*(?:\s+[A-Z][\w’'-]*)*"
#: Who does something in a question: "What does Ostria export?", "When did Anna Berg leave Lund?".
_DOER: Final = re.compile(
    rf"\b(?:does|did|do|will|can|must|should)\s+(?:the\s+)?(?P<doer>{_NAMED})\s+(?P<verb>[a-z]{{3,}})\b"
)
#: Who does something in a text: a name right before a verb, up to one adverb or helping verb between.
_DOES: Final = re.compile(
    rf"(?P<doer>{_NAMED})\s+(?:(?:[a-z]+ly|also|only|never|will|can|must)\s+)?(?P<verb>[a-z]{{3,}})\b"
)


def has_another_doer(question: str, text: str) -> bool:
    """Say whether a text has another name do what is asked of one, which it names as well, behind the verb.

    >>> has_another_doer("What does Westmark export?", "Ostria exports wine to Westmark.")
    True
    >>> has_another_doer("What does Ostria export?", "Ostria exports wine to Westmark.")
    False
    >>> has_another_doer("What does Westmark export?", "Wine is exported by Westmark.")
    False
    """
    asked = _DOER.search(question)
    if asked is None:
        return False
    verb = token_terms(asked["verb"])[0]
    doers = [(m["doer"], m.end()) for m in _DOES.finditer(text) if token_terms(m["verb"])[0] == verb]
    if not doers or any(asked["doer"] in doer or doer in asked["doer"] for doer, _ in doers):
        return False
    name = rf"(?<!\w){re.escape(asked['doer'])}(?!\w)"
    end = doers[-1][1]
    return re.search(name, text[end:]) is not None and re.search(name, text[:end]) is None


#: A question for the bearer of an office: "Who is the treasurer?".
_OFFICE: Final = re.compile(
    r"^\W*(?:who\s+(?:is|was|are|were)\s+(?:the|our|your|its|their)\s+|qui\s+(?:est|était)\s+(?:la\s+|le\s+|l['’]))"
    r"(?P<office>[^?]+)",
    re.IGNORECASE,
)
_CAPITAL: Final = re.compile(r"[A-Z][\w’'-]*")
#: What says who or what somebody is.
_SAYS_WHO: Final = (
    r"(?:\s+(?:of|for|at|in)\s+[^.;:,]{1,40}?)?(?:\s+(?:is|was|are|were|named|called|est|était)\b"
    r"|\s*[:=(,—–-]\s*[^\W\d_])"
)


def names_nobody(question: str, text: str) -> bool:
    """Say whether a question asks who holds an office and a text speaks of it without saying who that is.

    >>> names_nobody("Who is the treasurer?", "The treasurer keeps the key of the shed.")
    True
    >>> names_nobody("Who is the treasurer?", "Mona Reyes is treasurer."), names_nobody("Who is he?", "He is tall.")
    (False, False)
    """
    asked = _OFFICE.search(question)
    if asked is None or text.islower() or text.isupper() or question.isupper():
        return False
    known = {term for word in re.findall(r"[\w’'-]+", question) for term in token_terms(word)}
    for match in _CAPITAL.finditer(text):
        word = match.group()
        begins = re.search(r"(?:^|[.!?:]\s+|^\W+)$", text[: match.start()]) is not None
        is_word = word.lower() in ALL_STOP_WORDS or word.lower() in ASKING
        if not (begins and is_word) and not known & set(token_terms(word)):
            return False
    office = [w for w in re.findall(r"[\w-]+", asked["office"]) if w.lower() not in ALL_STOP_WORDS]
    return not any(re.search(rf"\b{re.escape(w)}s?{_SAYS_WHO}", text, re.IGNORECASE) for w in office)


_WHO: Final = re.compile(r"^\W*(?:by\s+)?(?:who|whom|wer|wen|wem|von\s+wem|qui|par\s+qui)\b", re.IGNORECASE)
_LABELLED: Final = re.compile(r"^[^:]{2,40}:\s+(?P<value>[^:]+)$")


def is_a_number_for_a_name(question: str, text: str) -> bool:
    """Say whether somebody is asked for and the text is a number under a label: "Built: 1988".

    >>> is_a_number_for_a_name("Who built the sauna?", "Built: 1988.")
    True
    """
    match = _LABELLED.match(text.strip()) if _WHO.match(question) else None
    return match is not None and not any(c.isalpha() for c in match["value"])


_HOW_MUCH_OF: Final = re.compile(
    r"\bhow (?:many|much)\s+(?P<unit>[\w-]+)\s+of\s+(?:the\s+)?(?P<stuff>[\w-]+)", re.IGNORECASE
)


def measures_another_stuff(question: str, text: str) -> bool:
    """Say whether a text measures something else than what is asked: tonnes of steel, not of aluminium.

    >>> measures_another_stuff("How many tonnes of tin were sold?", "In all, 41,200 tonnes of steel were sold.")
    True
    """
    asked = _HOW_MUCH_OF.search(question)
    if asked is None:
        return False
    held = {term for word in re.findall(r"[\w-]+", text) for term in token_terms(word)}
    if held & set(token_terms(asked["stuff"])):
        return False
    unit = token_terms(asked["unit"])[0]
    measured = re.finditer(r"\d\s*(?P<unit>[^\W\d_]+)\s+of\s+(?:the\s+)?(?P<stuff>[^\W\d_]+)", text)
    return any(token_terms(m["unit"])[0] == unit for m in measured)


#: Words of a question for a bound, and how a text says that a value is one.
_BOUNDS: Final = tuple(
    (re.compile(rf"\b(?:{asked})\b", re.IGNORECASE), re.compile(rf"\b(?:{said})", re.IGNORECASE))
    for asked, said in (
        (
            "maximum|maximal|maximale[rsn]?|höchstens",
            "max|at most|up to|(?:no|not|never) (?:be )?(?:more|above|over|longer|higher|larger|exceed)|exceed|limit"
            "|below|under|within|can|reach|highest|largest|longest|bis zu|höchst|plus de|jusqu",
        ),
        (
            "minimum|minimal|minimale[rsn]?|mindestens",
            "min|at least|(?:no|not|never) (?:be )?(?:less|fewer|below|under|shorter|lower|smaller)|above|over|lowest"
            "|smallest|shortest|starts? (?:at|from)|from|mindest|ab|au moins",
        ),
    )
)
#: What a missing bound counts: a value may be one without saying so.
_NO_BOUND: Final = 0.5


def lacks_bound(question: str, text: str) -> bool:
    """Say whether a question asks for the most or least there may be and a text gives a value that is no bound.

    >>> lacks_bound("What is the maximum dose?", "Adults take 20 mg.")
    True
    >>> lacks_bound("What is the maximum dose?", "Adults take up to 20 mg.")
    False
    """
    return any(asked.search(question) and not said.search(text) for asked, said in _BOUNDS)


def n_near_misses(question: str, text: str) -> float:
    """Return how many of these signs a text shows; a bound that it lacks counts half."""
    signs = (has_another_doer, names_nobody, measures_another_stuff, is_a_number_for_a_name)
    return sum(sign(question, text) for sign in signs) + _NO_BOUND * lacks_bound(question, text)

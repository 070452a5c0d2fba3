"""Whether a text has what a question asks by its form: a name, a place, a reason, a definition, the next one."""

import re
from typing import Final

_WHO: Final = re.compile(
    r"^\W*(?:\w+\s){0,2}?(?:who|whom|whose|which)\b"
    r"|\bwhat\s+(?:\w+\s+)?(?:actor|airline|artist|author|bank|book|city|company|compan(?:y|ies)|composer|countr(?:y|ies)"
    r"|director|emperor|empire|film|government|group|king|language|leader|material|nation|organi[sz]ation|part(?:y|ner)|people"
    r"|person|philosopher|president|queen|region|river|scientist|singer|state|street|supplier|team|town|university|writer)s?\b",
    re.IGNORECASE,
)
_WHERE: Final = re.compile(r"^\W*(?:\w+\s){0,2}?where\b", re.IGNORECASE)
_WHY: Final = re.compile(r"^\W*why\b", re.IGNORECASE)
_PLACE: Final = re.compile(
    r"\b(?:in|on|at|near|behind|under|above|inside|outside|east|west|north|south|of)\b", re.IGNORECASE
)
_CAUSE: Final = re.compile(
    r"\b(?:because|since|due to|so that|in order to|as a result|to avoid|reason)\b", re.IGNORECASE
)
_DEFINE: Final = re.compile(
    r"^\W*(?:what (?:is|are|was|were)|define)\s+(?:an?\s+|the\s+)?(?P<term>[^?]+?)\W*$", re.IGNORECASE
)
_DEFINES: Final = (
    r"[^.,]{0,30}?\b(?:is|are|means?|refers? to|describes?|defines?|stands? for|(?:was|were)\s+(?:an?|the|one|any))\b"
    r"|[^.]{0,10}?(?:,|:|—|–)\s"
)
#: A longer term is no term: "what are the costs of the pump in 2019".
_TERM_WORDS: Final = 5
#: A capitalised word that does not begin the text.
_NAME: Final = re.compile(r"(?<=\s)[(\[\"“„«‘]?(?P<name>[^\W\d_a-zß-öø-ÿ][\w’'-]+)")
#: So many names that the question has not are as good as more.
_ENOUGH_NAMES: Final = 3
#: A place without a name: "under the stairs".
_UNNAMED_PLACE: Final = 0.4
#: Which one of several is asked for.
_WHICH_ONE: Final = re.compile(
    r"\b(?:first|last|next|previous|final|latest|newest|earliest|oldest|original|only|main)\b", re.IGNORECASE
)
#: What it counts that a text says so too.
_SAYS_WHICH_ONE: Final = 0.5


def says_what_is_asked(question: str, text: str) -> float:
    """Return how much of what the question asks by its form a text has, 0–1; 0 for questions that have no such form.

    >>> says_what_is_asked("What was Tymnet?", "Tymnet was an international network headquartered in San Jose.")
    1.0
    >>> says_what_is_asked("Who leads the harbour?", "It is led by Ada Lind and Bo Ek.")
    1.0
    >>> says_what_is_asked("When is the next meeting?", "The next meeting is on Monday.")
    0.5
    >>> says_what_is_asked("How deep is the harbour?", "It is 9 metres deep.")
    0.0
    """
    which = {word.lower() for word in _WHICH_ONE.findall(question)}
    says_which = not which.isdisjoint(word.lower() for word in _WHICH_ONE.findall(text))
    return min(1.0, _marked(question, text) + _SAYS_WHICH_ONE * says_which)


def _marked(question: str, text: str) -> float:
    if _WHERE.search(question):
        named = _UNNAMED_PLACE + (1 - _UNNAMED_PLACE) * _new_names(question, text)
        return named if _PLACE.search(text) else 0.0
    if _WHO.search(question):
        return _new_names(question, text)
    if _WHY.search(question):
        return float(_CAUSE.search(text) is not None)
    define = _DEFINE.search(question)
    if define is not None and len(define["term"].split()) <= _TERM_WORDS:
        return float(re.match(_definition_of(define["term"]), text, re.IGNORECASE) is not None)
    return 0.0


def _new_names(question: str, text: str) -> float:
    asked = {word.lower() for word in re.findall(r"\w+", question)}
    names = {match["name"] for match in _NAME.finditer(text)}
    return min(1.0, sum(name.lower() not in asked for name in names) / _ENOUGH_NAMES)


def _definition_of(term: str) -> str:
    """Return a pattern of a text that begins by saying what a term is; up to two words may stand before the term.

    "A CSF Organizational Profile describes …" says what an organizational profile is.
    """
    return rf"\W*(?:(?:an?|the|each|every)\s+)?(?:[\w-]+\s+){{0,2}}?{re.escape(term)}s?\b(?:{_DEFINES})"

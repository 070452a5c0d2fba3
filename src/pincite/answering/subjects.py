"""What a question names: its names, the thing it asks for, and whose that is."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from pincite.text.stopwords import FORM, WEAK
from pincite.text.tokens import is_stop_term, token_terms

#: A name in a larger share of many units, or of few, is the subject of the document.
_SUBJECT_SHARE, _SUBJECT_SHARE_OF_FEW, _FEW_UNITS = 0.05, 0.5, 20
_NAME: Final = re.compile(r"(?<=[^\s.?!:\"“] )[A-Z][\w’'-]*[#+]{0,2}")


def names_in(question: str, frequencies: Mapping[str, float], n_units: float) -> Iterator[frozenset[str]]:
    """Yield the terms of each name of a question that is rare among so many units."""
    if question.isupper():
        return
    share = rare_share(n_units)
    for match in _NAME.finditer(question):
        terms = [t for t in token_terms(match.group()) if not is_stop_term(t)]
        frequency = max((frequencies.get(t, 0.0) for t in terms), default=0.0)
        if terms and frequency <= max(share * n_units, 1.0):
            yield frozenset(terms)


def rare_share(n_units: float) -> float:
    """Return in which share of so many units a word may stand, and still tell one from another."""
    return _SUBJECT_SHARE if n_units >= _FEW_UNITS else _SUBJECT_SHARE_OF_FEW


#: What a question asks for by name: "the room of Anna", "which engine does …", "wie hoch ist das Tor".
_FOCUS: Final = re.compile(
    r"^\W*(?:(?:what|which|how\s+[\w-]+)\s+(?:is|was|are|were)\s+the\s+(?:[\w-]+\s+){0,3}?(?P<of>[\w-]+)"
    r"\s+(?:of|in|for|at|on|during|per)\b"
    r"|(?:what|which)\s+(?:[\w-]+\s+){0,2}?(?P<which>[\w-]+)"
    r"\s+(?:is|was|are|were|does|did|do|has|have|had|can|must|may)\b"
    r"|(?:was|wie\s+\w+|welche[rs]?)\s+(?:ist|war|sind|waren)\s+(?:der|die|das)\s+(?P<de>\w+)"
    r"|quel(?:le)?s?\s+(?:est|était|sont|étaient)\s+(?:les?\s+|la\s+|l['’])(?P<fr>\w+))",
    re.IGNORECASE,
)
#: Who or what does something, as a single noun ("When does sales close?"), and of what something is asked.
_SUBJECTS: Final = re.compile(
    r"\b(?:does|do|did)\s+(?:the\s+|an?\s+)?(?P<does>[a-z][\w-]+)\s+[a-z]+(?=\W*$|\s+(?:on|in|at|to|for|from|with|by|of"
    r"|the|an?|its|their|his|her|per|each|every|after|before|during|until)\b)"
    r"|\b(?:is|was|are|were)\s+the\s+(?:[\w-]+\s+)?[\w-]+\s+of\s+(?:the\s+|an?\s+)?(?P<of>[a-z][\w-]+)"
    r"(?=\W*$|\s+(?:of|in|on|at|for|during)\b)"
    r"|\b(?:le\s+|la\s+|les\s+|l['’])[\w-]+\s+(?:du|des|de\s+la|de\s+l['’])\s*(?P<fr>\w+)"
    r"|\b(?:der|die|das)\s+\w+\s+(?:der|des)\s+(?P<de>[A-ZÄÖÜ]\w+)"
)


def focus_of(question: str) -> frozenset[str]:
    """Return the terms of the thing that a question asks for by name; none where it names none."""
    match = _FOCUS.search(question)
    return _noun(next(filter(None, match.groups()), "")) if match else frozenset()


def subjects_of(question: str) -> tuple[frozenset[str], ...]:
    """Return the terms of who does something, and of what something is asked."""
    words = [next(filter(None, match.groups()), "") for match in _SUBJECTS.finditer(question)]
    return tuple(noun for word in words if (noun := _noun(word)))


def _noun(word: str) -> frozenset[str]:
    lower = word.lower()
    return frozenset() if lower in WEAK or lower in FORM or is_stop_term(lower) else frozenset(token_terms(word)[:1])

"""Sentences of a question that say how to answer, not what is asked: "Round to two decimals.", "If none, say N/A."."""

import re
from typing import Final

_SENTENCE: Final = re.compile(r"(?<=[.?!])\s+(?=[\"'“(]?[A-Z])")
_INSTRUCTION: Final = re.compile(
    r"if\b[^?]*?\b(?:return|say|state|answer|reply|respond|write|explain)\b[^?]*"
    r"|(?:please\s+)?round\b[^?]*"
    r"|(?:please\s+)?(?:answer|respond|reply|express|return|report|state|give|provide|write)\s+"
    r"(?:(?:me|us)\s+)?(?:(?:your|the)\s+(?:answer|result|value|title|name)|it\b|only\b|just\b|in\b|with\b|as\b)[^?]*",
    re.IGNORECASE,
)


def without_instructions(question: str) -> tuple[str, tuple[str, ...]]:
    """Return a question without its sentences on the form of the answer, and those sentences.

    A text that would be left without a question, or is nothing else, stays as it is.

    >>> without_instructions("What is the fee? Round your answer to two decimals.")
    ('What is the fee?', ('Round your answer to two decimals.',))
    >>> without_instructions("State the fee.")
    ('State the fee.', ())
    """
    sentences = _SENTENCE.split(question)
    told = [s for s in sentences if _INSTRUCTION.fullmatch(s)]
    kept = [s for s in sentences if s not in told]
    if not told or not any("?" in s for s in kept):
        return question, ()
    return " ".join(kept), tuple(told)

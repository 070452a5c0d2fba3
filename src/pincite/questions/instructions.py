"""What of a question is not asked: how to answer ("Round to two decimals."), and polite words around what is asked."""

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


#: What leads from courtesy to what is asked: "I am new here, so could you please tell me when …".
_LEADS_TO: Final = re.compile(
    r"^.*\b(?:tell\s+(?:me|us)|let\s+(?:me|us)\s+know|(?:like|want|need|love|wish)\s+to\s+know|(?:do|would)\s+you\s+know"
    r"|wondering|wonder|sagen(?:\s+sie\s+mir)?|(?:sag|sagt)\s+mir|wissen|me\s+dire|nous\s+dire|savoir)\s*,?\s+"
    r"(?P<asked>(?:what|which|who|whom|whose|when|where|why|how|wann|was|wer|wo|wie|warum|welche[rsn]?|quand|quel(?:le)?s?|qui"
    r"|où|comment|combien|pourquoi)\b.{8,})$",
    re.IGNORECASE | re.DOTALL,
)


def without_courtesy(question: str) -> str:
    """Return what is asked, without what leads to it; a question that asks more before that stays as it is.

    >>> without_courtesy("I am new here, could you please tell me when the north gate closes?")
    'when the north gate closes?'
    >>> without_courtesy("Who is to tell me when it closes?")
    'Who is to tell me when it closes?'
    """
    match = _LEADS_TO.match(question)
    if match is None or _ASKS.match(question) or "?" in question[: match.start("asked")]:
        return question
    return match["asked"]


#: A question of its own.
_ASKS: Final = re.compile(
    r"\W*(?:what|which|who|whom|whose|when|where|why|how|wann|was|wer|wo|wie|warum|welche|quand|quel|qui|où|comment|combien"
    r"|pourquoi)",
    re.IGNORECASE,
)

"""The words of a question as tables are asked by them."""

import re
from typing import Final

from pincite.answering.conditions import all_terms
from pincite.answering.measures import measure_of
from pincite.text.doers import doer_words
from pincite.text.tokens import stem, token_terms
from pincite.types.question import GenerationBrief


def words_of(brief: GenerationBrief) -> dict[str, frozenset[str]]:
    """Return the words of the question with their terms and the kinds of amount that they ask for."""
    found = {}
    for keyword in brief.keywords:
        terms = all_terms(keyword.text)
        found[keyword.text] = terms | {m for t in terms if (m := measure_of(t)) is not None}
    for word in _HOW.findall(brief.question):
        # "How heavy": the word that asks may be no keyword, and names the column by its kind or in other words.
        kind = measure_of(stem(word.lower()))
        meant = [t for k in brief.keywords if k.origin == "vocabulary" for t in token_terms(k.text)]
        meant += [t for name in _NAMED_BY.get(word.lower(), "").split() for t in token_terms(name)[:1]]
        found[ASKS + word] = frozenset({stem(word.lower()), *meant, *([kind] if kind else [])})
    for verb, doers in doer_words(brief.question).items():
        told = frozenset(t for doer in (verb.lower(), *doers) for t in token_terms(doer)[:1])
        found[verb] = found.get(verb, frozenset()) | told
    return found


_HOW: Final = re.compile(
    r"\b(?:how|wie)\s+(?!(?:many|much|do|does|did|can|is|are|viele?)\b)([^\W\d_]{3,})", re.IGNORECASE
)
#: What a column is called by whose cells a word that asks is answered.
_NAMED_BY: Final = {
    "long": "length duration", "tall": "height", "big": "size", "large": "size", "old": "age", "fast": "speed",
    "far": "distance", "thick": "thickness", "hot": "temperature", "warm": "temperature", "strong": "strength",
    "groß": "größe", "alt": "alter", "schnell": "geschwindigkeit", "weit": "entfernung", "dick": "dicke",
}  # fmt: skip
#: Marks the word that asks, which is none of the question's own keywords.
ASKS: Final = "how "

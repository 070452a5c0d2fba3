"""The words of a question as tables are asked by them."""

import re
from typing import Final

from pincite.answering.measures import measure_of
from pincite.text.tokens import stem, token_terms
from pincite.types.question import GenerationBrief


def words_of(brief: GenerationBrief) -> dict[str, frozenset[str]]:
    """Return the words of the question with their terms and the kinds of amount that they ask for."""
    found = {}
    for keyword in brief.keywords:
        terms = frozenset(t for token in keyword.text.split() for t in token_terms(token))
        found[keyword.text] = terms | {m for t in terms if (m := measure_of(t)) is not None}
    for word in _HOW.findall(brief.question):
        # "How heavy": the word that asks may be no keyword, and names the column by its kind or in other words.
        kind = measure_of(stem(word.lower()))
        meant = [t for k in brief.keywords if k.origin == "vocabulary" for t in token_terms(k.text)]
        found[ASKS + word] = frozenset({stem(word.lower()), *meant, *([kind] if kind else [])})
    return found


_HOW: Final = re.compile(
    r"\b(?:how|wie)\s+(?!(?:many|much|do|does|did|can|is|are|viele?)\b)([^\W\d_]{3,})", re.IGNORECASE
)
#: Marks the word that asks, which is none of the question's own keywords.
ASKS: Final = "how "

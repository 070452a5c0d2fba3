"""The acronyms of a question and what they stand for: who has said one form has said the other."""

import re

from pincite.text.tokens import is_stop_term, token_terms
from pincite.types.question import GenerationBrief


def acronyms_of(brief: GenerationBrief) -> list[tuple[str, str]]:
    """Return the acronyms of a question with their long forms, as the documents define them."""
    told = [(k.stands_for or "", k.text) for k in brief.keywords if k.origin == "vocabulary"]
    return [(short, long) for short, long in told if short.isupper() and short.isalpha() and len(long.split()) > 1]


def forms_of(brief: GenerationBrief) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return each acronym and its long form by their index terms, without stop words."""
    found = []
    for short, text in acronyms_of(brief):
        words = [token_terms(word)[:1] for word in text.split()]
        long = frozenset(term for terms in words for term in terms if not is_stop_term(term))
        if long:
            found.append((frozenset(token_terms(short)[:1]), long))
    return tuple(found)


def spelt_out(text: str, brief: GenerationBrief) -> str:
    """Return a text with the long form of each acronym that it has the short form of alone: no model knows those."""
    for short, long in acronyms_of(brief):
        if long.casefold() not in text.casefold():
            text = re.sub(rf"(?<!\w){re.escape(short)}(?!\w)", long.replace("\\", r"\\"), text)
    return text

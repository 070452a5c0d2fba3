"""Definitions of the terms that an answer uses: shown beside it with their place, and no part of it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.ask.extents import extent
from pincite.ask.outcome import Found, cited_document
from pincite.ask.tools import Tools
from pincite.questions.typos import common_words
from pincite.types.answer import Item, SeeAlso
from pincite.types.citation import Verdict
from pincite.types.document import FURNITURE, Line, NamedObject, ParsedDocument

#: So many definitions are shown with an answer, of terms in so many of its items.
_MOST, _ITEMS = 3, 5
#: A shorter word is one of everyday, unless it is in capitals.
_SHORTEST: Final = 4
#: A definition is shown up to the end of its sentence, at most in so many lines.
_MOST_LINES: Final = 5
_SENTENCE_END: Final = re.compile(r"[.;。]\s*[)”\"’»]*\s*$")


def terms_used(found: Found, items: Sequence[Item], tools: Tools) -> tuple[SeeAlso, ...]:
    """Return the definitions of terms that the question or the quotes of the first items use, the question's first.

    A term is used where it stands as its document writes it, with a capital; a word of everyday is none. What the
    answer cites anyway, and what the question asks the meaning of, is left out.
    """
    asked = found.question.corrected
    known = {term.casefold() for term in found.question.hints.terms}
    out: list[SeeAlso] = []
    cited = [citation for item in items for citation in item.citations]
    shown = {(citation.doc_id, line_id) for citation in cited for line_id in citation.line_ids}
    for doc_id in dict.fromkeys(citation.doc_id for item in items[:_ITEMS] for citation in item.citations):
        read = tools.document_of(doc_id)
        quoted = " ".join(
            " ".join(c.quote.split()) for item in items[:_ITEMS] for c in item.citations if c.doc_id == doc_id
        )
        for term in _used(read.document, asked, quoted):
            lines = _sentence(read.document, term, doc_id)
            if not lines or term.label.casefold() in known or any((doc_id, line.line_id) in shown for line in lines):
                continue
            known.add(term.label.casefold())
            verdict = Verdict(status="verified", match="exact")
            out.append(SeeAlso(label=term.label, citation=cited_document(read).citation_of_lines(lines, verdict)))
    return tuple(out[:_MOST])


def _used(document: ParsedDocument, asked: str, quoted: str) -> Iterator[NamedObject]:
    """Yield the terms of a document that a question uses, then those of the quotes, the longer ones first."""
    terms = [one for one in document.objects if one.kind == "definition" and _is_term(one.label)]
    folded = asked.casefold()
    in_question = [
        one for one in terms if one.label.casefold() in folded and _stands_in(one.label, asked, any_case=True)
    ]
    in_quotes = [one for one in terms if one.label in quoted and _stands_in(one.label, quoted)]
    for group in (in_question, in_quotes):
        chosen: list[NamedObject] = []
        for one in sorted(group, key=lambda term: -len(term.label)):
            # "Base Rate" within "Base Rate Advance" is not used by itself.
            if not any(one.label in other.label for other in chosen):
                chosen.append(one)
        yield from chosen


def _is_term(label: str) -> bool:
    """Say whether a label is a term of its document: with a capital, and no word that everybody uses."""
    words = label.split()
    is_everyday = len(words) == 1 and (len(label) < _SHORTEST or label.casefold() in common_words())
    return label[:1].isupper() and (label.isupper() or not is_everyday)


def _stands_in(label: str, text: str, *, any_case: bool = False) -> bool:
    return re.search(rf"(?<!\w){re.escape(label)}s?(?!\w)", text, re.IGNORECASE if any_case else 0) is not None


def _sentence(document: ParsedDocument, term: NamedObject, doc_id: str) -> list[Line]:
    """Return the lines of the sentence that defines a term."""
    lines: list[Line] = []
    for one in extent(document, term, doc_id)[:1]:
        for line in document.lines_between(one.first_line_id, one.last_line_id):
            if line.role in FURNITURE or not line.text.strip():
                continue
            lines.append(line)
            if len(lines) == _MOST_LINES or _SENTENCE_END.search(line.text):
                break
    return lines

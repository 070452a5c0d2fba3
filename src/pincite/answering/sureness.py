"""How sure a model's draft is, computed from its quotes; the model's own opinion can only lower it."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from pincite.answering.numbered_lines import NumberedLines
from pincite.text.language import guess_language, question_language
from pincite.text.stopwords import ALL_STOP_WORDS, ASKING
from pincite.text.tokens import index_terms
from pincite.types.answer import Draft, DraftItem
from pincite.types.question import GenerationBrief

#: These are set by hand, for what they decide at the default threshold of refusal (0.5), not measured: there is no key
#: to measure models with. `pincite eval --model` prints the calibration error of whoever has one.
#: A verified quote without any word of the question: refused. With all of them it is worth 1.
FLOOR: Final = 0.3
#: What is left for each name of the question that neither the quotes nor the lines around them carry: one is enough to
#: refuse whatever else is there.
UNMET: Final = 0.4
#: Where question and document share no language, words cannot tell: answered, and not called sure.
FOREIGN: Final = 0.7
#: What a word of the question counts that only stands around a quote: all of them there, and none in it, is refused.
NEAR: Final = 0.25
#: As much text tells a language.
_SAMPLE_CHARS: Final = 5000
#: How many lines around a quote are looked at: a fact often stands below the line that names its subject.
AROUND: Final = 3


def with_confidence(draft: Draft, brief: GenerationBrief, lines: NumberedLines) -> Draft:
    """Return the draft with its confidence, 0–1: how much of the question its quotes and what stands around them hold.

    The best of the question and its rewrites counts. A model's own confidence lowers it where it is lower.
    """
    if not draft.items:
        return replace(draft, confidence=0.0)
    own, around = _held(draft.items, lines)
    coverage = max((_share(asked, own, around) for asked in _asked(brief)), default=1.0)
    sure = FLOOR + (1 - FLOOR) * coverage
    if _is_foreign(draft.items, brief, lines):
        sure = max(sure, FOREIGN)
    for name in brief.must_distinguish:
        if not set(index_terms(name)) <= own | around:
            sure *= UNMET
    claimed = 1.0 if draft.claimed_confidence is None else draft.claimed_confidence
    return replace(draft, confidence=round(min(sure, claimed), 4))


def _asked(brief: GenerationBrief) -> list[set[str]]:
    keywords = {term for keyword in brief.keywords for term in index_terms(keyword.text)}
    rewrites = [set(index_terms(rewrite)) - _SILENT for rewrite in brief.rewrites]
    return [terms for terms in (keywords, *rewrites) if terms]


_SILENT: Final = frozenset(term for word in ALL_STOP_WORDS | ASKING for term in index_terms(word))


def _share(asked: set[str], own: set[str], around: set[str]) -> float:
    return (len(asked & own) + NEAR * len((asked & around) - own)) / len(asked)


def _held(items: Sequence[DraftItem], lines: NumberedLines) -> tuple[set[str], set[str]]:
    """Return the terms of the quoted lines with all that names where they stand, and those of the lines around."""
    own: list[str] = []
    around: list[str] = []
    for quote in (quote for item in items for quote in item.quotes):
        own.append(quote.quote)
        for line in lines.lines:
            if line.doc_id != quote.doc_id:
                continue
            if quote.first_line_id <= line.line.line_id <= quote.last_line_id:
                own += [line.line.text, *line.breadcrumb, *line.header, line.doc_name]
            elif quote.first_line_id - AROUND <= line.line.line_id <= quote.last_line_id + AROUND:
                around.append(line.line.text)
    return _terms(own), _terms(around)


def _terms(texts: Iterable[str]) -> set[str]:
    return {term for text in dict.fromkeys(texts) for term in index_terms(text)}


def _is_foreign(items: Sequence[DraftItem], brief: GenerationBrief, lines: NumberedLines) -> bool:
    cited = {quote.doc_id for item in items for quote in item.quotes}
    sample = " ".join(line.line.text for line in lines.lines if line.doc_id in cited)[:_SAMPLE_CHARS]
    known = guess_language(sample)
    return known != "und" and known != question_language(brief.question)

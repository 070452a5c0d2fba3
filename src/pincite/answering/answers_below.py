"""The answer below a question that the document asks itself, or below a heading in the words of the question."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from pincite.answering.asked import Asked
from pincite.answering.facts import amount_in
from pincite.answering.lists import run_in_items
from pincite.answering.pairs import aligned
from pincite.answering.titles import TERMINAL
from pincite.answering.units import BULLET, Unit
from pincite.text.stopwords import FORM
from pincite.text.tokens import index_terms, is_stop_term
from pincite.types.answer import Draft, DraftItem, Truth
from pincite.types.question import GenerationBrief

#: Two questions are the same where they share this much of their words (intersection over union).
_SAME: Final = 0.8
#: A longer line of plain text is no title.
_TITLE_WORDS: Final = 4
#: Fewer items are no list.
_FEWEST: Final = 2
#: Sentences of an answer that are given.
_MOST: Final = 5
_SURE: Final = 0.9
_ASKING: Final = re.compile(
    r"\b(what|which|who|whom|whose|when|where|why|how|was|wer|wann|wo|warum|wie|quand|où|qui|comment|pourquoi|combien)\b",
    re.IGNORECASE,
)
_YES: Final = re.compile(r"\W*(?:(?:A|Answer)\s*:\s*)?(?:(?P<yes>yes|ja|oui|sí)|(?P<no>no|nein|non))\b", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"^\W*(?:(?:Q|Question|Frage)\s*\d*\s*[:.)]|\d+(?:\.\d+)*[.)]?)\s*", re.IGNORECASE)


def answer_below(brief: GenerationBrief, question: Asked, units: Sequence[Unit]) -> Draft | None:
    """Return what stands below the same question in the document; `None` where it does not ask it."""
    wanted = _terms(brief.question)
    listed = _listed_below(brief, question, units) if brief.shape == "list" else None
    if listed is not None:
        return listed
    for at, unit in enumerate(units):
        is_asked = unit.kind == "heading" or (unit.kind == "sentence" and unit.text.endswith(("?", "？")))
        if is_asked and _is_same(brief.question, wanted, unit.text) and question.is_distinguished(unit):
            below = list(_below(units, at))
            draft = _draft(brief, question, below) if below else None
            if draft is not None:
                return draft
    return None


def _listed_below(brief: GenerationBrief, question: Asked, units: Sequence[Unit]) -> Draft | None:
    """Return the list, or the lines in columns, below the one title that has all that is asked.

    "What are the steps of the method?" is answered below "Method".
    """
    words = [k.text for k in brief.keywords if k.origin in ("question", "correction") and k.text.lower() not in FORM]
    wanted = _terms(" ".join(words))
    titled = [at for at, unit in enumerate(units) if wanted and _is_title(unit) and _terms(unit.text) == wanted]
    if len(titled) != 1 or not question.is_distinguished(units[titled[0]]):
        return None
    below = list(takewhile(lambda unit: not _is_title(unit), _below(units, titled[0])))
    items = [_listed(unit) for unit in below if unit.kind == "item"]
    items += [DraftItem(text=f"{p.name}: {p.value}", quotes=(p.quote(),)) for unit in below for p in aligned(unit)]
    lists = {unit.lead for unit in below if unit.kind == "item"}
    if len(items) < _FEWEST or len(lists) > 1 or any(unit.kind == "row" for unit in below):
        return None
    return Draft(shape="list", items=tuple(items), summary=brief.question, confidence=_SURE)


def _is_title(unit: Unit) -> bool:
    """Say whether a unit is a heading, or a line of a few words that may be one."""
    is_short = len(unit.text.split()) <= _TITLE_WORDS and not TERMINAL.search(unit.text)
    return unit.kind == "heading" or (unit.kind == "sentence" and is_short)


def _listed(unit: Unit) -> DraftItem:
    return DraftItem(text=BULLET.sub("", unit.text).strip(), quotes=(unit.quote(),))


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for term in index_terms(text) if not is_stop_term(term))


def _is_same(asked: str, wanted: frozenset[str], text: str) -> bool:
    """Say whether a question or heading of the document asks the same."""
    own = _NUMBERED.sub("", text)
    if re.findall(r"\w+", own.casefold()) == re.findall(r"\w+", asked.casefold()):
        return True
    if not own.rstrip().endswith(("?", "？")) or not wanted:
        return False
    ways = [{word.lower() for word in _ASKING.findall(one)[:1]} for one in (asked, own)]
    terms = _terms(own)
    return ways[0] == ways[1] and len(wanted & terms) >= _SAME * len(wanted | terms)


def _below(units: Sequence[Unit], at: int) -> Iterator[Unit]:
    for unit in units[at + 1 :]:
        if unit.doc_id != units[at].doc_id or (unit.kind == "heading" and not unit.text.endswith(":")):
            return
        if unit.kind == "sentence" and unit.text.endswith(("?", "？")):
            return
        if unit.kind != "mark":
            yield unit


def _draft(brief: GenerationBrief, question: Asked, below: Sequence[Unit]) -> Draft | None:
    items = [unit for unit in below if unit.kind == "item"]
    first = [unit for unit in below if unit.paragraph == below[0].paragraph and unit.kind == "sentence"][:_MOST]
    if brief.shape == "amount":
        facts = ((unit, amount_in(unit, brief, question)) for unit in below)
        sure = next(((unit, fact) for unit, fact in facts if fact is not None and fact.value is not None), None)
        if sure is not None and sure[1] is not None and sure[1].is_sure:
            item = DraftItem(text=sure[1].text, quotes=(sure[0].quote(),), value=sure[1].value)
            return Draft(shape="amount", items=(item,), confidence=_SURE)
    if brief.shape in ("table", "comparison", "date"):
        return None
    if items and brief.shape != "boolean":
        given = tuple(map(_listed, items))
        return Draft(shape="list", items=given, summary=brief.question, confidence=_SURE)
    if not first:
        return None
    names = run_in_items(first[0].text) if brief.shape == "list" and len(first) == 1 else []
    if len(names) > 1:
        listed = tuple(DraftItem(text=name, quotes=(first[0].quote(),)) for name in names)
        return Draft(shape="list", items=listed, summary=brief.question, confidence=_SURE)
    said = _YES.match(first[0].text) if brief.shape == "boolean" else None
    value = Truth(value=said["yes"] is not None) if said is not None else None
    text = " ".join(unit.text for unit in first)
    item = DraftItem(text=text, quotes=tuple(unit.quote() for unit in first), value=value)
    return Draft(shape="boolean" if value is not None else "text", items=(item,), confidence=_SURE)

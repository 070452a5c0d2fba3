"""Lists: bulleted and numbered, run-in ("A, B and C"), rows of records, and several sentences of one section."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.asked import Asked
from pincite.answering.scoring import Scored
from pincite.answering.units import BULLET, Unit
from pincite.text.marks import without_reference_marks
from pincite.text.sentences import sentence_spans
from pincite.text.sets import asked_set
from pincite.text.tokens import is_stop_term, token_terms
from pincite.types.question import GenerationBrief


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item: what it is called, and the units that bear it out; of a table row the column meant, from 0."""

    text: str
    units: tuple[Unit, ...]
    column: int | None = None


@dataclass(frozen=True, slots=True)
class FoundList:
    """A list with its score (0–1) and where it came from."""

    items: tuple[ListItem, ...]
    score: float
    origin: str
    caveat: str | None = None
    lead: str = ""


def best_list(
    brief: GenerationBrief, asked: Asked, units: Sequence[Unit], scored: Sequence[Scored]
) -> FoundList | None:
    """Return the list that answers best, or `None`; explicit lists come before ones put together from sentences."""
    found = [*_bulleted(asked, units), *_run_in(brief, scored)]
    explicit = max(found, key=lambda f: f.score, default=None)
    if explicit is not None and explicit.score >= _EXPLICIT_FLOOR:
        return explicit
    return _sentences(brief, scored) or explicit


_EXPLICIT_FLOOR: Final = 0.62


def _bulleted(asked: Asked, units: Sequence[Unit]) -> list[FoundList]:
    """Return each run of list items under one lead-in; the lead-in and headings say what it lists."""
    runs: dict[tuple[object, ...], list[Unit]] = defaultdict(list)
    firsts: dict[int, Unit] = {}
    for unit in units:
        if unit.kind == "item":
            runs[(*unit.section_key, unit.lead)].append(unit)
        else:
            firsts.setdefault(unit.paragraph, unit)
    lists = []
    for run in runs.values():
        if len(run) < 2:
            continue
        # The sentence before a list says what it lists; where there is none, the heading does.
        lead = run[0].context_terms if run[0].lead else run[0].heading_terms
        score = 0.5 * asked.coverage_of(lead | run[0].heading_terms) + 0.5 * asked.coverage_of(lead)
        lists.append(FoundList(tuple(_named(run, firsts)), score, "bulleted", lead=run[0].lead))
    return lists


_LABEL: Final = re.compile(r"^\s*(?P<label>\S+(?:\s+\S+){0,3}):\s*$")


def labelled_list(asked: Asked, units: Sequence[Unit]) -> FoundList | None:
    """Return the one list under a label or heading whose every word is asked for.

    All that is asked has to stand there or in the titles: "List the starters." is the list below "Starters".
    """
    found = []
    for one in _bulleted(asked, units):
        line = one.items[0].units[0].line
        match = _LABEL.match(one.lead or f"{(line.breadcrumb or ('',))[-1]}:")
        said = {t for w in (match["label"].split() if match else ()) for t in token_terms(w)[:1] if not is_stop_term(t)}
        own = [t for t in asked.terms if t.is_own_word and not t.is_weak]
        known = {t for term in asked.terms if term.is_own_word for t in term.terms}
        titles = one.items[0].units[0].heading_terms
        if said and own and said <= known and all(set(t.terms) & (said | titles) for t in own):
            found.append(one)
    return found[0] if len(found) == 1 else None


_HEAD: Final = re.compile(r"^(?P<head>[^.:;—–]{2,60}?)(?:\s*\([A-Z][\w./-]{0,9}\))?\s*(?:[:—–]|\s-\s)\s*\S")
_MANY_WORDS: Final = 12


def _named(run: Sequence[Unit], firsts: Mapping[int, Unit]) -> list[ListItem]:
    """Return the items by their names where most of them begin with one: "GOVERN (GV) — The organization’s …".

    Of a long item its first sentence is cited: it bears the name, and says what it is.
    """
    texts = [BULLET.sub("", unit.text).strip() for unit in run]
    heads = [_HEAD.match(text) for text in texts]
    if sum(head is not None for head in heads) >= 0.8 * len(run):
        return [
            ListItem(head["head"].strip() if head else text, (firsts.get(unit.paragraph, unit),))
            for head, text, unit in zip(heads, texts, run, strict=True)
        ]
    return [ListItem(_first_sentence(text), (unit,)) for text, unit in zip(texts, run, strict=True)]


def _first_sentence(text: str) -> str:
    first = sentence_spans(text)[0]
    sentence = text[first.start : first.end]
    return sentence if len(text.split()) > 3 * _MANY_WORDS and len(sentence.split()) <= _MANY_WORDS else text


_BEFORE_LIST: Final = re.compile(
    r".*?(?::|—|–|\b(?:is|are|was|were|includes?|including|included|comprises?|comprising|such as|namely|contains?"
    r"|consists? of|consisting of|made (?:up )?of|composed of|between|either|both|among|called|named|offers?|has|have"
    r"|needs?|requires?|supports?|uses?|provides?|covers?|following)\b)\s*",
    re.IGNORECASE,
)
_AFTER_LIST: Final = re.compile(
    r"\s(?:to|that|which|who|for|in|on|at|as|by|with|from|are|is|was|were|will|may|can|must|have|has|when|where|if)\s",
    re.IGNORECASE,
)
_AND: Final = re.compile(r",\s*(?:and|or|und|et|as well as)\s+|\s+(?:and|or|&|und|et)\s+|[,;、]\s*|，", re.IGNORECASE)
#: What is no name of a thing: a piece with a verb of its own or a subordinate clause.
_CLAUSE: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|would|can|could|may|might|should|must|when|that|which|who|if|because"
    r"|while|although|whether|we|they|it)\b",
    re.IGNORECASE,
)
_COORDINATED: Final = re.compile(r"\b(?:and|or|und|et)\b|&")
_OPENER: Final = re.compile(
    r"^\W*(?:for example|for instance|however|therefore|in addition|additionally|thus|in particular|specifically"
    r"|e\.g\.|i\.e\.|moreover|furthermore|similarly|finally|in general|if so|where possible)\s*,?\s*",
    re.IGNORECASE,
)
_MAX_ITEM_WORDS: Final = 7


def _run_in(brief: GenerationBrief, scored: Sequence[Scored]) -> list[FoundList]:
    lists = []
    for one in scored[:12]:
        if one.unit.kind == "heading":
            continue
        names = run_in_items(one.unit.text)
        if _mentions_the_set(names, brief.question):
            continue
        if len(names) >= 3 or (len(names) == 2 and one.own >= _PAIR_COVERAGE and _is_plain_pair(names)):
            items = tuple(ListItem(name, (one.unit,)) for name in names if not _is_asked(name, brief))
            if len(items) >= 2:
                lists.append(FoundList(items, 0.6 * one.coverage + 0.25 * one.own + 0.15 * one.meaning, "run-in"))
    return lists


def _mentions_the_set(names: Sequence[str], question: str) -> bool:
    """Say whether an enumeration names the set that is asked for beside other things: it lists none of its members.

    "Functions, Categories, and Subcategories" are no categories; "unit tests and system tests" are all tests.
    """
    asked = asked_set(question)
    if asked is None or not asked.nouns:
        return False
    named = sum(asked.nouns[0].is_in(name) for name in names)
    return 0 < named < len(names)


#: Two things joined by "and" are a list only in a sentence that holds nearly all of the question.
_PAIR_COVERAGE: Final = 0.8


def _is_plain_pair(names: Sequence[str]) -> bool:
    begins_vaguely = re.compile(r"(?:the|its|their|this|these|an?)\b", re.IGNORECASE)
    return all(len(name.split()) <= 3 and not begins_vaguely.match(name) for name in names)


def _is_asked(name: str, brief: GenerationBrief) -> bool:
    return name.lower() in {k.text.lower() for k in brief.keywords}


def run_in_items(sentence: str) -> list[str]:
    """Return the items of the longest enumeration inside a sentence, or nothing.

    >>> run_in_items("The Functions — GOVERN, PROTECT, and RECOVER — organize outcomes.")
    ['GOVERN', 'PROTECT', 'RECOVER']
    >>> run_in_items("The crew needs a lamp, a rope and two whistles for the night.")
    ['a lamp', 'a rope', 'two whistles']
    """
    text = re.sub(r"\s?\([^()]{1,25}\)", "", without_reference_marks(sentence).text)
    best: list[str] = []
    for segment in re.split(r"\s[—–-]\s|[—;]|:\s|\(|\)|[.!?。]\s|[.!?。]$", text):
        items = _items_of(segment)
        if len(items) > len(best):
            best = items
    return best


def _items_of(segment: str) -> list[str]:
    if not re.search(r",|\band\b|\bor\b|、|，|&", segment):
        return []
    segment = _OPENER.sub("", segment)
    parts = [p for p in (p.strip(" ,.;:\"'“”") for p in _AND.split(segment)) if p]
    if len(parts) < 2 or (len(parts) == 2 and not _COORDINATED.search(segment)):
        return []
    first = _BEFORE_LIST.sub("", parts[0] + " ", count=0).strip() or parts[0]
    while (match := _BEFORE_LIST.match(first + " ")) and match.end() < len(first):
        first = first[match.end() :].strip()
    last = _AFTER_LIST.split(parts[-1] + " ", maxsplit=1)[0].strip()
    items = [first, *parts[1:-1], last]
    if any(not i or len(i.split()) > _MAX_ITEM_WORDS or _CLAUSE.search(i) for i in items):
        return []
    return list(dict.fromkeys(items))


_OPTION_NOUN: Final = re.compile(
    r"\b(options?|choices?|alternatives?|ways?|methods?|kinds?|types?|variants?|approach(?:es)?|versions?|techniques?)\b",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(
    r"\b(?:we|you|they|it|one)\s+(?:also\s+)?(?:use[ds]?|chose|choose|tried|try|experiment\w*|test(?:ed)?|propose[ds]?|adopt\w*)\b"
    r"|\b(?:instead|alternatively|another|other(?:wise)?|either|also|a second|a third|first|second|third|optionally)\b"
    r"|\bexperimented\b",
    re.IGNORECASE,
)
_ENUMERATING: Final = re.compile(
    r"^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|finally|also|in addition|additionally|moreover|furthermore"
    r"|another|one|a further|the (?:first|second|third|last|other))\b",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r"\b(?:because|since|therefore|hence|that is)\b|^(?:where|that is|this|these|note)\b", re.IGNORECASE
)
_ANNOUNCING: Final = re.compile(
    r"\bthere (?:are|is) (?:many|several|various|two|three|four|five|a number of|different)\b", re.IGNORECASE
)
_MAX_SENTENCES: Final = 8


def _sentences(brief: GenerationBrief, scored: Sequence[Scored]) -> FoundList | None:
    """Put a list together from the sentences of the section that answers best."""
    by_section: dict[tuple[str, int | None], list[Scored]] = defaultdict(list)
    for one in scored:
        if one.unit.kind in ("sentence", "item"):
            by_section[one.unit.section_key].append(one)
    if not by_section:
        return None
    group = max(by_section.values(), key=_section_score)
    chosen = _options(group) if _OPTION_NOUN.search(brief.question) else []
    if len(chosen) < 2:
        chosen = _enumerated(group, scored)
    if not chosen:
        return None
    chosen.sort(key=lambda s: s.unit.order)
    items = tuple(ListItem(s.unit.text, (s.unit,)) for s in chosen[:_MAX_SENTENCES])
    caveat = "put together from sentences: the text has no list of its own here" if len(items) > 1 else None
    return FoundList(items, max(s.score for s in chosen), "sentences", caveat)


def _section_score(group: Sequence[Scored]) -> float:
    best = sorted((s.score for s in group), reverse=True)[:3]
    return sum(best) / (len(best) + 0.5)


def _options(group: Sequence[Scored]) -> list[Scored]:
    return [
        s
        for s in group
        if _OPTION.search(s.unit.text)
        and not _REASON.search(s.unit.text)
        and not _ANNOUNCING.search(s.unit.text)
        and s.coverage > 0.2
    ]


def items_alike(first: Scored, scored: Sequence[Scored]) -> list[Scored]:
    """Return the items of a document that hold as much of the question as one of them, in order."""
    if first.unit.kind != "item" or not first.own:
        return []
    alike = [s for s in scored if s.unit.kind == "item" and s.unit.doc_id == first.unit.doc_id]
    return sorted((s for s in alike if s.own >= first.own and s.unmet <= first.unmet), key=lambda s: s.unit.order)


_MANY: Final = re.compile(r"^\W*(?:who\s+are|(?:which|what)\s+[a-z]{3,}s\s+(?!(?:is|was|does|has)\b)\w)", re.IGNORECASE)


def asks_for_many(question: str) -> bool:
    """Say whether a question asks for several things: "Who are the deckhands?", "Which dishes contain fish?".

    >>> asks_for_many("Which dishes contain fish?"), asks_for_many("Which dish contains fish?")
    (True, False)
    """
    return _MANY.match(question) is not None


def _enumerated(group: Sequence[Scored], scored: Sequence[Scored]) -> list[Scored]:
    best = max(s.score for s in group)
    first = max(group, key=lambda s: s.score)
    alike = items_alike(first, scored)
    if len(alike) > 1:
        return alike
    return [s for s in group if s.score >= 0.9 * best or (s.score >= 0.7 * best and _ENUMERATING.search(s.unit.text))]

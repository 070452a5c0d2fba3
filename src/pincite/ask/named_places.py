"""A question that names a place ("What does Table 2 say of …?") is answered from there, if it can be."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from pincite.ask.drafting import found_in
from pincite.ask.extents import extent
from pincite.ask.loop import is_answer, joined_ranges
from pincite.ask.outcome import Found
from pincite.ask.tools import Tools
from pincite.text.mentions import find_mentions, spellings
from pincite.text.stopwords import SILENT
from pincite.text.tokens import numbered_term
from pincite.types.document import DocumentRecord, ParsedDocument, PlacedObject
from pincite.types.passage import LineRange
from pincite.types.question import Keyword, ParsedQuestion, RetrievalQuery
from pincite.types.retrieval import Candidate, Detection, KeptPage, RetrievalResult

#: Places in more documents than this are too many to be meant: those are taken that search finds first.
MOST_DOCUMENTS: Final = 3
_WORD: Final = re.compile(r"[\w'’-]+")
#: Words of a question that only ask what stands at a place.
_READING: Final = frozenset(
    "show shows shown say says contain contains cover covers list lists describe describes about present presents give "
    "gives state states provide provides specify specifies deal deals read reads summarize summarise content contents "
    "shown listed contained covered described presented given stated provided specified found explained set out "
    "mean means meaning defined definition define term word refer stand".split()
)


def at_named_places(
    question: ParsedQuestion, query: RetrievalQuery, scope: Sequence[DocumentRecord], tools: Tools
) -> Found | None:
    """Answer from the places that a question names; `None` where it names none, or they do not answer it."""
    if question.hints.pages or not (question.hints.places or question.hints.terms):
        return None
    placed = _placed(question, scope, tools)
    if not placed:
        return None
    retrieval = _retrieval(_nearest(placed, query, tools), tools)
    if not retrieval.candidates:
        return None
    asked = _without_places(question, retrieval, tools)
    if not asked.keywords:
        # What stands there is read out: what is said of it elsewhere is not asked. A table is read as a table.
        retrieval = replace(retrieval, filtered_lines=joined_ranges([c.context for c in retrieval.candidates]))
        is_table = all(one.named.kind == "table" for one in placed) and question.shape in ("text", "list")
        asked = replace(asked, shape="table") if is_table else asked
    if question.hints.terms and question.shape == "amount" and not _is_amount(placed, tools):
        asked = replace(asked, shape="text")
    tools.recorder.keep("retrieval", "question", retrieval)
    found = found_in(asked, retrieval, tools)
    if question.hints.terms and _is_definition(found, placed):
        # Who asks what a term is, and reads where it is defined, has the answer.
        found = replace(found, draft=replace(found.draft, confidence=max(found.draft.confidence, _DEFINED)))
    return found if is_answer(found, tools.settings.refusal_threshold) else None


def passed_over(question: ParsedQuestion, found: Found, scope: Sequence[DocumentRecord], tools: Tools) -> Found:
    """Return what was found elsewhere, saying so: the places that the question names did not answer it."""
    if question.hints.pages or not question.hints.places or not found.draft.items:
        return found
    placed = _placed(question, scope, tools)
    inside = {
        (one.doc_id, line_id)
        for one in placed
        for place in extent(tools.document_of(one.doc_id).document, one.named, one.doc_id)
        for line_id in range(place.first_line_id, place.last_line_id + 1)
    }
    cited = {(quote.doc_id, quote.first_line_id) for item in found.draft.items for quote in item.quotes}
    if not placed or cited & inside:
        return found
    names = ", ".join(dict.fromkeys(one.named.label for one in placed))
    note = f"{names}, which the question names, does not say it: this stands elsewhere"
    return replace(found, question=replace(found.question, notes=(*found.question.notes, note)))


def _placed(question: ParsedQuestion, scope: Sequence[DocumentRecord], tools: Tools) -> list[PlacedObject]:
    """Return the places with the labels that the question names, in each document the one most like it."""
    doc_ids = [record.doc_id for record in scope]
    whole = len(doc_ids) == len(tools.store.records())
    out: list[PlacedObject] = []
    for label in (*question.hints.places, *question.hints.terms):
        names = spellings(label) if label in question.hints.places else _term_spellings(label)
        found = tools.store.named(names, doc_ids=() if whole else doc_ids)
        folded = [name.casefold() for name in names]
        best: dict[str, PlacedObject] = {}
        for one in found:
            is_term = one.named.kind == "definition"
            if is_term != (label in question.hints.terms):
                continue
            known = best.get(one.doc_id)
            rank = folded.index(one.named.label.casefold())
            if known is None or rank < folded.index(known.named.label.casefold()):
                best[one.doc_id] = one
        out += best.values()
    return out


def _term_spellings(term: str) -> tuple[str, ...]:
    """Return a term in singular and plural."""
    one = term[:-1] if term.endswith("s") and len(term) > 3 else term
    return tuple(dict.fromkeys((term, one, f"{one}s")))


#: How sure the definition of a term is as what the term is.
_DEFINED: Final = 0.8


def _is_definition(found: Found, placed: Sequence[PlacedObject]) -> bool:
    """Say whether all that is answered stands in definitions, and the first of it names the term."""
    labels = [one.named.label.casefold() for one in placed if one.named.kind == "definition"]
    first = found.draft.items[0].quotes[0].quote.casefold() if found.draft.items else ""
    return len(labels) == len(placed) and any(label in first for label in labels)


#: A term that is an amount: "“Purchase Price” means EUR 5,000,000". What only has one in its definition is none.
_IS_AMOUNT: Final = re.compile(
    r"(?:\bmeans|\bis|\bare|\bof|:|=|\bbedeutet|\bbeträgt|\bdésigne|\bsignifica)\s+"
    r"(?:(?:the|a|an|der|die|das|le|la|el)\s+)?(?:(?:sum|amount|rate|total|price|fee|Betrag)\s+(?:of|von)\s+)?"
    r"(?:[A-Z]{2,3}|[$€£¥])?\s*\d",
)


def _is_amount(placed: Sequence[PlacedObject], tools: Tools) -> bool:
    """Say whether one of the definitions at these places says first of all an amount."""
    for one in placed:
        document = tools.document_of(one.doc_id).document
        for lines in extent(document, one.named, one.doc_id)[:1]:
            text = " ".join(line.text for line in document.lines_between(lines.first_line_id, lines.last_line_id))
            if _IS_AMOUNT.search(text):
                return True
    return False


def _nearest(placed: Sequence[PlacedObject], query: RetrievalQuery, tools: Tools) -> list[PlacedObject]:
    """Return the places of the few documents that search puts first, where they are in many."""
    doc_ids = list(dict.fromkeys(one.doc_id for one in placed))
    if len(doc_ids) > 1:
        result = tools.retriever.retrieve(query, top_k=tools.settings.top_k)
        first = list(dict.fromkeys(c.anchor.doc_id for c in result.candidates if c.anchor.doc_id in doc_ids))
        doc_ids = (first or doc_ids)[:MOST_DOCUMENTS]
    return [one for doc_id in doc_ids for one in placed if one.doc_id == doc_id]


def _retrieval(placed: Sequence[PlacedObject], tools: Tools) -> RetrievalResult:
    candidates: list[Candidate] = []
    ranges: list[LineRange] = []
    pages: dict[KeptPage, None] = {}
    for one in placed:
        document = tools.document_of(one.doc_id).document
        lines = extent(document, one.named, one.doc_id)
        if not lines:
            continue
        if one.named.kind == "definition":
            lines = (_definition(document, lines[0]), *lines[1:])
        rank = len(candidates) + 1
        candidates.append(
            Candidate(
                rank=rank,
                score=1.0,
                anchor=lines[0],
                context=lines[0],
                section=(one.named.label,),
                detectors=(Detection(name="place", rank=rank, score=1.0),),
                role="place",
                reason=f"the question names {one.named.label} (p.{one.named.page_num} l.{one.named.line_num})",
            )
        )
        ranges += lines
        for line in document.lines_between(lines[0].first_line_id, lines[0].last_line_id):
            pages.setdefault(KeptPage(doc_id=one.doc_id, page_num=line.page_num))
    return RetrievalResult(
        candidates=tuple(candidates),
        pages_kept=tuple(pages),
        filtered_lines=joined_ranges(ranges) if ranges else (),
        not_found_reason=None,
        confidence=1.0,
        missing_keywords=(),
    )


def _definition(document: ParsedDocument, place: LineRange) -> LineRange:
    """Return the lines of a definition without what follows it: up to the end of a paragraph with a whole sentence."""
    last = before = place.first_line_id
    for line in document.lines_between(place.first_line_id + 1, place.last_line_id):
        is_blank = not line.text.strip()
        if line.role == "heading" or (is_blank and re.search(r"[.!?][\s\"'”’)*]*$", document.lines[before - 1].text)):
            break
        last, before = line.line_id, before if is_blank else line.line_id
    return replace(place, last_line_id=last)


def _without_places(question: ParsedQuestion, retrieval: RetrievalResult, tools: Tools) -> ParsedQuestion:
    """Return the question as it is asked of a place: without the name of the place, which its lines need not repeat."""
    named = {
        word.lower()
        for mention in find_mentions(question.corrected)
        for word in _WORD.findall(question.corrected[mention.start : mention.end])
    }
    named |= {
        joined
        for mention in find_mentions(question.corrected)
        for before, word in pairwise(question.corrected[mention.start : mention.end].split())
        if (joined := numbered_term(before, word)) is not None
    }
    terms = {word.lower() for term in question.hints.terms for word in _WORD.findall(term)}
    silent = _READING | SILENT["en"]
    kept = tuple(k for k in question.keywords if not _is_said(k, named, silent))
    if not terms and not any(_WORD.findall(k.text) for k in kept):
        kept = ()
    distinguished = tuple(name for name in question.must_distinguish if name.lower() not in named)
    places = ", ".join(dict.fromkeys(c.section[0] for c in retrieval.candidates))
    notes = (*question.notes, f"read {places}, which the question names", *_pictures(retrieval, tools))
    return replace(question, keywords=kept, must_distinguish=distinguished, notes=notes)


def _is_said(keyword: Keyword, named: set[str], silent: frozenset[str]) -> bool:
    if keyword.text.lower() in named:
        return True
    words = [word.lower() for word in _WORD.findall(keyword.text)]
    return bool(words) and all(word in named or word in silent for word in words)


def _pictures(retrieval: RetrievalResult, tools: Tools) -> list[str]:
    """Say where the picture of a figure is: what it shows was not read."""
    notes = []
    for candidate in retrieval.candidates:
        document = tools.document_of(candidate.anchor.doc_id).document
        for image in document.images:
            if image.caption_line_id == candidate.anchor.first_line_id:
                box = ", ".join(f"{edge:.0f}" for edge in image.box.as_list())
                place = f"p.{image.page_num}, box [{box}]"
                notes.append(f"{candidate.section[0]} is a picture on {place}: only the text about it was read")
    return notes

"""The bounded loop: what to read next is decided by code, from what the last round lacked."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from pincite.ask.drafting import found_in
from pincite.ask.outcome import Found
from pincite.ask.references import defined_terms, referred
from pincite.ask.tools import Tools
from pincite.protocols import CorrectingAnswerer
from pincite.types.document import ParsedDocument
from pincite.types.passage import LineRange
from pincite.types.question import Keyword, RetrievalQuery
from pincite.types.record import Record
from pincite.types.retrieval import RetrievalResult
from pincite.types.trace import LoopRound

#: More rounds than this have never been worth their tokens.
MOST_ROUNDS: Final = 3
#: A document of at most this many characters is read whole: about 6,000 tokens of English.
WHOLE_CHARS: Final = 24_000
#: How many lines before and after are neighbours.
NEIGHBOURS: Final = 40
#: How many references of the lines that were cited, or stand nearest to an answer, are followed.
MOST_REFERENCES: Final = 3


_LineId = tuple[str, int]


class Move(Record, frozen=True, kw_only=True):
    """What to read next, and why. `retrieval` is already widened; else `query` is asked with `top_k`."""

    trigger: str
    action: str
    query: RetrievalQuery | None = None
    top_k: int = 0
    retrieval: RetrievalResult | None = None


def look_further(found: Found, query: RetrievalQuery, tools: Tools) -> Found:
    """Return what up to three more rounds make of a question that is not yet answered whole.

    A round that would read nothing new is not made; the loop stops when an answer is whole, when confidence fell, when
    nothing is left to read, or when the token budget is spent. Each round is recorded.
    """
    if query.page_hints or not found.retrieval.candidates:
        return found
    best = found
    read = _read_ids(found.retrieval.filtered_lines)
    for _ in range(MOST_ROUNDS):
        if is_whole(best, tools) or tools.recorder.tokens >= tools.settings.model_token_budget:
            break
        after = _round(best, query, tools, read)
        if after is None:
            break
        read |= _read_ids(after.retrieval.filtered_lines)
        fell = after.draft.confidence < best.draft.confidence
        if _is_better(after, best, tools):
            best = after
        elif fell:
            break
    return best


def is_answer(found: Found, threshold: float) -> bool:
    """Say whether what was found is to be given as an answer."""
    return bool(found.verified.items) and found.draft.confidence >= threshold


def is_whole(found: Found, tools: Tools) -> bool:
    """Say whether there is an answer that nothing seems to be missing from, as far as another round could tell.

    Without a model an answer is as whole as its lines: they were all read and tested.
    """
    if not is_answer(found, tools.settings.refusal_threshold):
        return False
    return not _uses_model(tools) or not _missing(found)


def _missing(found: Found) -> bool:
    """Say whether something announces that the answer goes on: by the draft's own word or by the verifier's."""
    return found.draft.claimed_complete is False or any(
        "goes on" in caveat or "announces" in caveat for caveat in found.verified.caveats
    )


def _uses_model(tools: Tools) -> bool:
    return isinstance(tools.answerer, CorrectingAnswerer)


def _round(found: Found, query: RetrievalQuery, tools: Tools, read: set[_LineId]) -> Found | None:
    """Make the first move that reads something new, and return what it found; `None` where there is none."""
    for make in _moves(found, query, tools):
        move = make()
        if move is None:
            continue
        retrieval = _retrieved(move, tools)
        if _read_ids(retrieval.filtered_lines) <= read:
            continue
        # Recorded only now: a search that brought nothing new is no step.
        tools.recorder.keep("retrieval", "question", retrieval)
        after = found_in(found.question, retrieval, tools)
        places = "" if move.retrieval is not None else f" of {len(retrieval.candidates)} places"
        tools.recorder.round(
            LoopRound(
                trigger=move.trigger,
                action=move.action + places,
                before=found.draft.confidence,
                after=after.draft.confidence,
            )
        )
        return after
    return None


def _retrieved(move: Move, tools: Tools) -> RetrievalResult:
    if move.retrieval is not None:
        return move.retrieval
    if move.query is None:
        raise AssertionError("a move has a query or what it retrieved")
    return tools.retriever.retrieve(move.query, top_k=move.top_k)


_Make = Callable[[], Move | None]


def _moves(found: Found, query: RetrievalQuery, tools: Tools) -> Iterator[_Make]:
    """Yield what could be done next, the likeliest first."""
    trigger = _trigger(found, tools)
    if not _uses_model(tools):
        # More lines make more near misses where words decide: what is wider than a section is left to models.
        yield lambda: _sections(query, tools, trigger)
        yield lambda: _references(found, tools)
        return
    yield lambda: _references(found, tools)
    yield lambda: _pages(found, tools)
    yield lambda: _sections(query, tools, trigger)
    yield lambda: _other_words(found, query, tools, trigger)
    yield lambda: _neighbours(found, tools, trigger)
    yield lambda: _whole_document(found, tools, trigger)


def _trigger(found: Found, tools: Tools) -> str:
    threshold = tools.settings.refusal_threshold
    if not is_answer(found, threshold):
        return f"confidence {found.draft.confidence:.2f} is below {threshold:.2f}"
    return "the answer is not complete"


def _sections(query: RetrievalQuery, tools: Tools, trigger: str) -> Move:
    return Move(
        trigger=trigger,
        action="read whole sections",
        query=replace(query, granularity="section"),
        top_k=2 * tools.settings.top_k,
    )


def _other_words(found: Found, query: RetrievalQuery, tools: Tools, trigger: str) -> Move | None:
    """Search again with the words of a rewrite, where words of the question occur nowhere."""
    missing = found.retrieval.missing_keywords
    if not missing or not found.question.rewrites:
        return None
    words = [word for rewrite in found.question.rewrites for word in re.findall(r"[\w-]{3,}", rewrite)]
    kept = tuple(k for k in query.anchor_keywords if k.text not in missing)
    known = {k.text.casefold() for k in kept}
    added = tuple(Keyword(text=w, origin="loop") for w in dict.fromkeys(words) if w.casefold() not in known)
    return Move(
        trigger=f"{trigger}; these words occur nowhere: {', '.join(missing[:5])}",
        action=f"searched with “{found.question.rewrites[0]}”",
        query=replace(query, main_query=found.question.rewrites[0], anchor_keywords=(*kept, *added)),
        top_k=tools.settings.top_k,
    )


def _neighbours(found: Found, tools: Tools, trigger: str) -> Move | None:
    """Read on before and behind what was read."""
    wider = [_grown(one, tools) for one in found.retrieval.filtered_lines]
    return _widened(found, wider, trigger, f"read {NEIGHBOURS} lines on either side") if wider else None


def _grown(one: LineRange, tools: Tools) -> LineRange:
    n_lines = len(tools.document_of(one.doc_id).document.lines)
    first, last = max(1, one.first_line_id - NEIGHBOURS), min(n_lines, one.last_line_id + NEIGHBOURS)
    return LineRange(doc_id=one.doc_id, first_line_id=first, last_line_id=last)


def _whole_document(found: Found, tools: Tools, trigger: str) -> Move | None:
    """Read the document of the best place whole, where it fits."""
    doc_id = found.retrieval.candidates[0].anchor.doc_id
    document = tools.document_of(doc_id).document
    if sum(len(line.text) for line in document.lines) > WHOLE_CHARS:
        return None
    whole = LineRange(doc_id=doc_id, first_line_id=1, last_line_id=len(document.lines))
    return _widened(found, [whole], trigger, f"read all of {document.name}")


def _references(found: Found, tools: Tools) -> Move | None:
    """Follow what the cited lines, or the best place, refer to: "see Annex B"."""
    targets: list[LineRange] = []
    labels: list[str] = []
    for one in _looked_at(found):
        document = tools.document_of(one.doc_id).document
        for label, place in (*referred(document, one), *_terms(document, one, tools)):
            if label not in labels:
                labels.append(label)
                targets.append(place)
    if not targets:
        return None
    named = ", ".join(labels[:MOST_REFERENCES])
    return _widened(found, targets[:MOST_REFERENCES], f"the lines refer to {named}", f"read {named}")


def _terms(document: ParsedDocument, one: LineRange, tools: Tools) -> Iterator[tuple[str, LineRange]]:
    """Yield the terms that the lines use and the document defines: a model may need what they mean."""
    if _uses_model(tools):
        text = " ".join(line.text for line in document.lines_between(one.first_line_id, one.last_line_id))
        yield from defined_terms(document, text, one.doc_id)


def _pages(found: Found, tools: Tools) -> Move | None:
    """Read the pages of the cited lines whole, where the order or the characters of what is cited are in doubt."""
    if found.verified.is_structured:
        return None
    added: list[LineRange] = []
    for citation in (citation for item in found.verified.items for citation in item.citations):
        lines = tools.document_of(citation.doc_id).document.lines
        ids = [line.line_id for line in lines if line.page_num in (citation.page, citation.last_page)]
        if ids:
            added.append(LineRange(doc_id=citation.doc_id, first_line_id=ids[0], last_line_id=ids[-1]))
    return (
        _widened(found, added, "the cited lines do not follow each other", "read their pages whole") if added else None
    )


def _looked_at(found: Found) -> list[LineRange]:
    if found.draft.items:
        quotes = [quote for item in found.draft.items for quote in item.quotes]
        return [
            LineRange(doc_id=q.doc_id, first_line_id=q.first_line_id, last_line_id=q.last_line_id) for q in quotes[:5]
        ]
    return [found.retrieval.candidates[0].anchor]


def _widened(found: Found, added: Sequence[LineRange], trigger: str, action: str) -> Move:
    ranges = joined_ranges((*found.retrieval.filtered_lines, *added))
    return Move(trigger=trigger, action=action, retrieval=replace(found.retrieval, filtered_lines=ranges))


def joined_ranges(ranges: Sequence[LineRange]) -> tuple[LineRange, ...]:
    """Return ranges without overlaps; documents keep the order in which they first came."""
    joined: list[LineRange] = []
    for doc_id in dict.fromkeys(one.doc_id for one in ranges):
        mine = sorted((r.first_line_id, r.last_line_id) for r in ranges if r.doc_id == doc_id)
        first, last = mine[0]
        for start, end in mine[1:]:
            if start > last + 1:
                joined.append(LineRange(doc_id=doc_id, first_line_id=first, last_line_id=last))
                first = start
            last = max(last, end) if start <= last + 1 else end
        joined.append(LineRange(doc_id=doc_id, first_line_id=first, last_line_id=last))
    return tuple(joined)


def _read_ids(ranges: Sequence[LineRange]) -> set[_LineId]:
    return {(r.doc_id, i) for r in ranges for i in range(r.first_line_id, r.last_line_id + 1)}


def _is_better(after: Found, before: Found, tools: Tools) -> bool:
    """Say whether a round brought more: an answer where there was none, more items, or more certainty."""
    threshold = tools.settings.refusal_threshold
    was, now = is_answer(before, threshold), is_answer(after, threshold)
    if was != now:
        return now
    if now and len(after.verified.items) != len(before.verified.items):
        return len(after.verified.items) > len(before.verified.items)
    return after.draft.confidence > before.draft.confidence

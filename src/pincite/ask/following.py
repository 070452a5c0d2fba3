"""One hop further: what a sentence leaves to another place ("is given in Table 3") is read there, and cited too."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from pincite.ask.drafting import check, found_in
from pincite.ask.extents import extent
from pincite.ask.loop import is_answer, joined_ranges
from pincite.ask.outcome import Found
from pincite.ask.references import Pointer, pointers
from pincite.ask.tools import Tools
from pincite.protocols import CorrectingAnswerer
from pincite.text.tokens import index_terms
from pincite.types.answer import ClaimedQuote, Draft, DraftItem
from pincite.types.passage import LineRange
from pincite.types.retrieval import Candidate, Detection, RetrievalResult
from pincite.types.trace import LoopRound

#: How many of the best places are looked at where there is no answer yet; how many pointers are followed.
_PLACES, _FOLLOWED = 3, 2
#: A question for the way in which something is done.
_HOW: Final = re.compile(
    r"^\W*(?:how\s+(?:is|are|was|were|do|does|did|can|could|may|must|shall|should|will|has|have|to)\b"
    r"|wie\s+(?:ist|sind|wird|werden|wurde|wurden|kann|soll|muss|darf|macht|man)\b|comment\b)",
    re.IGNORECASE,
)


def followed(found: Found, tools: Tools) -> Found:
    """Return what stands where the answer, or the best place, leaves it to; what was found where that is nothing.

    The answer then cites the sentence that points and the place it points at. Models follow references of their own
    accord, in the loop.
    """
    question = found.question
    if isinstance(tools.answerer, CorrectingAnswerer) or not found.retrieval.candidates:
        return found
    if question.counts or not question.keywords or question.hints.pages:
        return found
    answered = is_answer(found, tools.settings.refusal_threshold)
    for number, (doc_id, pointer) in enumerate(_pointers(found, tools, answered=answered)):
        if number >= _FOLLOWED:
            break
        after = _at(found, doc_id, pointer, tools)
        if after is not None:
            return after
    return found


def _pointers(found: Found, tools: Tools, *, answered: bool) -> Iterator[tuple[str, Pointer]]:
    """Yield the sentences that leave the answer to another place: what was cited, else those of the best places."""
    if answered:
        quotes = [quote for item in found.draft.items[:1] for quote in item.quotes]
        looked_at = [
            LineRange(doc_id=q.doc_id, first_line_id=q.first_line_id, last_line_id=q.last_line_id) for q in quotes[:2]
        ]
    else:
        looked_at = [candidate.anchor for candidate in found.retrieval.candidates[:_PLACES]]
    asked = set(index_terms(found.question.corrected))
    for one in looked_at:
        for pointer in pointers(tools.document_of(one.doc_id).document, one):
            # What a sentence says beside what was asked may be the answer, whatever else it refers to; but not how.
            says_it = answered and pointer.says - asked and not _HOW.search(found.question.corrected)
            if pointer.leaves_all and not says_it:
                yield one.doc_id, pointer


def _at(found: Found, doc_id: str, pointer: Pointer, tools: Tools) -> Found | None:
    """Return what the place says, with the sentence that points at it; `None` where it does not answer."""
    document = tools.document_of(doc_id).document
    lines = extent(document, pointer.named, doc_id)
    if not lines:
        return None
    pointing = LineRange(doc_id=doc_id, first_line_id=pointer.first_line_id, last_line_id=pointer.last_line_id)
    retrieval = _retrieval(found.retrieval, lines[0], pointer)
    after = found_in(found.question, retrieval, tools)
    if not is_answer(after, tools.settings.refusal_threshold):
        return None
    quote = " ".join(line.text for line in document.lines_between(pointing.first_line_id, pointing.last_line_id))
    claimed = ClaimedQuote(
        doc_id=doc_id,
        first_line_id=pointing.first_line_id,
        last_line_id=pointing.last_line_id,
        quote=quote,
    )
    draft = _citing(after.draft, claimed)
    both = replace(retrieval, filtered_lines=joined_ranges((*retrieval.filtered_lines, pointing)))
    verified = check(draft, both, tools)
    if not verified.items:
        return None
    tools.recorder.keep("retrieval", "question", both)
    tools.recorder.round(
        LoopRound(
            trigger=f"the lines refer to {pointer.named.label}",
            action=f"read {pointer.named.label}",
            before=found.draft.confidence,
            after=after.draft.confidence,
        )
    )
    return replace(after, retrieval=both, draft=draft, verified=verified)


def _citing(draft: Draft, pointing: ClaimedQuote) -> Draft:
    """Return the draft, its first item citing the sentence that points, too."""
    first, *others = draft.items
    cited: DraftItem = replace(first, quotes=(*first.quotes, pointing))
    return replace(draft, items=(cited, *others))


def _retrieval(before: RetrievalResult, lines: LineRange, pointer: Pointer) -> RetrievalResult:
    place = Candidate(
        rank=1,
        score=1.0,
        anchor=lines,
        context=lines,
        section=(pointer.named.label,),
        detectors=(Detection(name="place", rank=1, score=1.0),),
        role="place",
        reason=f"the lines found refer to {pointer.named.label}",
    )
    others = tuple(replace(candidate, rank=candidate.rank + 1) for candidate in before.candidates)
    return replace(before, candidates=(place, *others), filtered_lines=(lines,))

"""Where the lines themselves say to look: "see Annex B", "listed in Table 4", "as defined in Section 3.2"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pincite.ask.extents import extent
from pincite.text.joining import join_lines
from pincite.text.mentions import find_mentions, may_mention, resolved
from pincite.text.sentences import sentence_spans
from pincite.text.tokens import index_terms, is_stop_term
from pincite.types.document import NamedObject, ParsedDocument
from pincite.types.passage import LineRange

#: A sentence with one of these sends its reader on.
_SEE: Final = re.compile(
    r"\b(?:see|refer to|according to|in accordance with|pursuant to|subject to|as per|set (?:out|forth) in|given in"
    r"|listed in|shown in|found in|described in|defined in|specified in|stated in|detailed in|contained in"
    r"|provided in|laid down in|summari[sz]ed in|presented in|under|siehe|gemäß|nach|vgl\.?|voir|selon|véase)\b",
    re.IGNORECASE,
)
#: A sentence with one of these, and the place right behind it, leaves to that place what it is about.
_LEFT_TO: Final = re.compile(
    r"(?:(?P<how>\bas )?(?:set (?:out|forth)|given|listed|shown|found|described"
    r"|specified|stated|detailed|contained|provided|laid down|summari[sz]ed|presented|defined|aufgeführt"
    r"|festgelegt|angegeben|beschrieben) (?:below )?(?:in|by|under)"
    r"|refer to|as per|:\s*see|siehe|voir)\s+(?:the\s+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A sentence that names another place: its lines, the place, and whether it leaves everything to it.

    `says` are the terms of what it says itself all the same: "the landlord repairs the roof as set out in Annex A".
    """

    first_line_id: int
    last_line_id: int
    named: NamedObject
    leaves_all: bool
    says: frozenset[str] = frozenset()


def pointers(document: ParsedDocument, one: LineRange) -> Iterator[Pointer]:
    """Yield the places that sentences of a range point at, each once; places inside the range are left out."""
    lines = document.lines_between(one.first_line_id, one.last_line_id)
    if not any(may_mention(line.text) for line in lines):
        return
    joined = join_lines([line.text for line in lines])
    known = {thing.label: thing for thing in document.objects if thing.kind != "definition"}
    seen: set[str] = set()
    for span in sentence_spans(joined.text):
        sentence = joined.text[span.start : span.end]
        if not _SEE.search(sentence):
            continue
        first, last = (lines[joined.line_index_at(at)].line_id for at in (span.start, max(span.start, span.end - 1)))
        for mention in find_mentions(sentence):
            label = None if mention.is_elsewhere else resolved(mention.label, known)
            if label is None or label in seen or _is_inside(document, known[label], one):
                continue
            seen.add(label)
            left = _LEFT_TO.search(sentence[: mention.start])
            says = sentence[: left.start()] if left is not None and left["how"] else ""
            terms = frozenset(term for term in index_terms(says) if not is_stop_term(term))
            yield Pointer(first, last, known[label], left is not None, terms)


def _is_inside(document: ParsedDocument, named: NamedObject, one: LineRange) -> bool:
    """Return whether a place begins in the lines that point at it, or these are its own heading."""
    lines = document.lines_between(max(1, one.first_line_id - 1), one.last_line_id)
    return any((line.page_num, line.line_num) == (named.page_num, named.line_num) for line in lines)


def referred(document: ParsedDocument, one: LineRange) -> Iterator[tuple[str, LineRange]]:
    """Yield the label and the lines of the places that sentences with "see" name, in lines of a range."""
    for pointer in pointers(document, one):
        lines = extent(document, pointer.named, one.doc_id)
        if lines:
            yield pointer.named.label, lines[0]


def defined_terms(document: ParsedDocument, text: str, doc_id: str) -> Iterator[tuple[str, LineRange]]:
    """Yield the terms of a document that stand in a text as it writes them, with the lines that define them."""
    for thing in document.objects:
        if thing.kind != "definition" or not thing.label[:1].isupper() or thing.label not in text:
            continue
        if re.search(rf"(?<!\w){re.escape(thing.label)}s?(?!\w)", text):
            lines = extent(document, thing, doc_id)
            if lines:
                yield thing.label, lines[0]

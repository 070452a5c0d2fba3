"""Where the lines themselves say to look: "see Annex B", "listed in Table 4", "according to section 3.2"."""

import re
from collections.abc import Iterator
from typing import Final

from pincite.text.sentences import sentence_spans
from pincite.types.document import ParsedDocument
from pincite.types.passage import LineRange

#: How many lines of a table or figure are read, from its label on.
OBJECT_LINES: Final = 40
_SEE: Final = re.compile(
    r"\b(?:see|refer to|according to|as set out in|listed in|given in|siehe|gemäß|vgl\.?|voir|véase)\b", re.IGNORECASE
)


def referred(document: ParsedDocument, one: LineRange) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the label and line ids of sections and objects that sentences with "see" name, in lines of a range."""
    lines = document.lines_between(one.first_line_id, one.last_line_id)
    text = " ".join(line.text for line in lines)
    sentences = [text[span.start : span.end] for span in sentence_spans(text)]
    said = " ".join(sentence for sentence in sentences if _SEE.search(sentence)).casefold()
    if not said:
        return
    starts = {(line.page_num, line.line_num): line.line_id for line in document.lines}
    for thing in document.objects:
        at = starts.get((thing.page_num, thing.line_num))
        if at is not None and thing.label and re.search(rf"\b{re.escape(thing.label.casefold())}\b", said):
            yield thing.label, (at, min(len(document.lines), at + OBJECT_LINES))
    for section in document.toc:
        label = _section_label(section.title)
        at = starts.get((section.start_page, section.start_line or 1))
        end = starts.get((section.end_page, section.end_line or 1))
        if (
            label
            and at
            and end
            and re.search(rf"\b{re.escape(label)}\b", said)
            and at not in range(one.first_line_id - 1, one.last_line_id + 1)
        ):
            yield section.title, (at, max(at, end))


_NAMED: Final = re.compile(
    r"(annex|appendix|schedule|section|chapter|part|article|clause|anhang|anlage|annexe|anexo)\s+(\S+)", re.IGNORECASE
)


def _section_label(title: str) -> str | None:
    """Return how other sentences name a section: "annex b", "section 3.2"; `None` for titles without a number."""
    named = _NAMED.match(title)
    if named:
        return f"{named.group(1)} {named.group(2)}".casefold().rstrip(".:–-")
    numbered = re.match(r"(\d+(?:\.\d+)*)\.?\s", title)
    return f"section {numbered.group(1)}" if numbered else None

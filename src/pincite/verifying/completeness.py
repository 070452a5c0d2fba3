"""Is everything there? Computed from lines, lists and section ends, never from a model's opinion."""

import re
from collections.abc import Sequence

from pincite.text.amounts import find_quantities
from pincite.types.answer import Draft, Item
from pincite.types.citation import Citation
from pincite.types.document import FURNITURE, Line
from pincite.types.record import Record
from pincite.verifying.cited import CitedDocument


class Completeness(Record, frozen=True, kw_only=True):
    """`score` is between 0 and 1; `missing` says what seems to be left out."""

    score: float
    missing: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether nothing seems to be left out."""
        return not self.missing and self.score >= 1.0


_SENTENCE_END = re.compile(r"[.!?。！？:;][\"'”’)\]⁰¹²³⁴-⁹]*\s*$")


def completeness(draft: Draft, items: Sequence[Item], documents: dict[str, CitedDocument]) -> Completeness:
    """Return how complete the items are.

    Checked are: quotes that stop inside a sentence which goes on past them, list lines beside the cited ones
    that no item cites, and a count that the text announces ("six functions") and the items do not reach. A caveat
    that begins with "covers only" says itself that something is left out. Of a selection from a set that was read
    whole (`selected_from`) the other lines of the set are not missing.
    """
    missing: list[str] = [caveat for caveat in draft.caveats if caveat.startswith("covers only")]
    checks = 0
    for item in items:
        for citation in item.citations:
            checks += 1
            if _breaks_off(citation, documents[citation.doc_id]):
                missing.append(f"the sentence quoted at {citation.place} goes on past the quote")
    if draft.shape == "list" and items and draft.selected_from is None:
        checks += 1
        siblings = _uncited_siblings(items, documents)
        missing.extend(f"the list goes on at {place}" for place in siblings)
        announced = _announced(draft, items, documents)
        if announced is not None and announced > len(items):
            missing.append(f"the text announces {announced}, {len(items)} were found")
    if not checks:
        return Completeness(score=0.0, missing=())
    return Completeness(score=max(0.0, 1 - len(missing) / checks), missing=tuple(missing[:5]))


def _breaks_off(citation: Citation, document: CitedDocument) -> bool:
    last = document.document.lines[citation.line_ids[-1] - 1]
    if last.role not in ("body", "footnote", "list") or document.document.media_type != "application/pdf":
        return False
    if _SENTENCE_END.search(citation.quote) or not last.text.rstrip().endswith(citation.quote.rstrip()[-12:]):
        return False
    following = _next_line(document, last)
    return following is not None and following.role == last.role and following.text[:1].islower()


def _next_line(document: CitedDocument, line: Line) -> Line | None:
    for candidate in document.document.lines[line.line_id : line.line_id + 12]:
        is_aside = candidate.role in FURNITURE or candidate.role == "footnote"
        if not is_aside and candidate.layer == line.layer and candidate.text.strip():
            return candidate if candidate.section_id == line.section_id else None
    return None


def _uncited_siblings(items: Sequence[Item], documents: dict[str, CitedDocument]) -> list[str]:
    """Return the places of list lines that directly follow or precede cited list lines and are cited by no item."""
    cited = {(c.doc_id, i) for item in items for c in item.citations for i in c.line_ids}
    found: list[str] = []
    for doc_id in {d for d, _ in cited}:
        lines = documents[doc_id].document.lines
        ids = sorted(i for d, i in cited if d == doc_id)
        if not all(lines[i - 1].role == "list" for i in ids):
            continue
        for neighbour, step in ((ids[0] - 1, -1), (ids[-1] + 1, 1)):
            at = neighbour
            while 1 <= at <= len(lines) and (not lines[at - 1].text.strip() or lines[at - 1].role in FURNITURE):
                at += step
            if 1 <= at <= len(lines) and _is_item(lines[at - 1], lines[ids[0] - 1]):
                found.append(f"p.{lines[at - 1].page_num} l.{lines[at - 1].line_num}")
    return found


def _is_item(line: Line, cited: Line) -> bool:
    return line.role == "list" and line.section_id == cited.section_id and bool(_BULLET.match(line.text))


_BULLET = re.compile(r"\s*(?:[-*+•‣▪●○◦–]|\(?[0-9a-zA-Z]{1,3}[.)])\s+")


def _announced(draft: Draft, items: Sequence[Item], documents: dict[str, CitedDocument]) -> int | None:
    """Return a count such as "six functions" in the lines just before the first cited line, if it names the list."""
    first = items[0].citations[0]
    lines = documents[first.doc_id].document.lines
    lead = " ".join(line.text for line in lines[max(0, first.line_ids[0] - 4) : first.line_ids[-1]])
    nouns = {w.lower() for w in re.findall(r"[^\W\d_]{3,}s\b", draft.summary or "")}
    for quantity in find_quantities(lead):
        unit = (quantity.value.unit or "").lower()
        if unit in nouns and quantity.value.number.isdigit() and 1 < int(quantity.value.number) <= 50:
            return int(quantity.value.number)
    return None

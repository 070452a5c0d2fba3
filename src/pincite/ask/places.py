"""Where else the text of a citation stands: copies are read once, and named."""

from pincite.ask.outcome import Found, cited_document
from pincite.ask.reading import DocumentOf
from pincite.types.citation import Citation, Verdict
from pincite.types.retrieval import Candidate
from pincite.verifying import CitedDocument

#: More places than this are counted.
_NAMED = 5


def notes_of_copies(found: Found, document_of: DocumentOf) -> list[str]:
    """Return a sentence for all other places of the texts that the verified items cite; none where there are none."""
    places: dict[str, None] = {}
    read: dict[str, CitedDocument] = {}
    for item in found.verified.items:
        for citation in item.citations:
            for candidate in found.retrieval.candidates:
                if candidate.anchor.doc_id == citation.doc_id:
                    places.update(dict.fromkeys(_places(citation, candidate, document_of, read)))
    if not places:
        return []
    named = list(places)[:_NAMED]
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return [f"the same text stands in {'; '.join(named)}{more}"]


def _places(
    citation: Citation, candidate: Candidate, document_of: DocumentOf, read: dict[str, CitedDocument]
) -> list[str]:
    """Return where the copies of a candidate hold the quote; documents are folded once, and kept in `read`."""
    found = []
    for place in candidate.also:
        if place.doc_id == citation.doc_id and place.first_line_id <= citation.line_ids[0] <= place.last_line_id:
            continue  # another piece of the cited line
        if place.doc_id not in read:
            read[place.doc_id] = cited_document(document_of(place.doc_id))
        document = read[place.doc_id]
        for match in document.find(citation.quote):
            line_ids = document.line_ids(match)
            if place.first_line_id <= line_ids[0] and line_ids[-1] <= place.last_line_id:
                verdict = Verdict(status="verified", match="exact")
                found.append(str(document.citation(match, claimed=citation.quote, verdict=verdict)))
                break
    return found

"""A claimed quote to a citation with its verdict."""

from pincite.text.quotes import QuoteMatch, quote_problem
from pincite.types.answer import ClaimedQuote
from pincite.types.citation import Citation, Verdict
from pincite.types.passage import LineRange
from pincite.types.record import Record
from pincite.verifying.cell_quotes import with_cell
from pincite.verifying.cited import CitedDocument


class CheckedQuote(Record, frozen=True, kw_only=True):
    """A citation, or why there is none. `repeats` says in how many places the quote stands."""

    citation: Citation | None
    repeats: int
    reason: str | None = None


def check_quote(claim: ClaimedQuote, document: CitedDocument, read: tuple[LineRange, ...] = ()) -> CheckedQuote:
    """Look a quote up in the whole document.

    Of several places the claimed one counts, else the nearest in what was read, else the nearest. A right quote
    at a wrong place is `repaired`; a quote that is nowhere has no citation, and `reason` says so.
    """
    problem = quote_problem(claim.quote)
    if problem is not None:
        return CheckedQuote(citation=None, repeats=0, reason=problem)
    places = document.find(claim.quote)
    if not places:
        reason = f"the quote is not in {document.name!r}: {_shown(claim.quote)}"
        return CheckedQuote(citation=None, repeats=0, reason=reason)
    best = min(places, key=lambda place: _distance(place, claim, document, read))
    moved = not _touches(document.line_ids(best), claim)
    exact = best.quote == claim.quote
    verdict = Verdict(
        status="repaired" if moved else "verified",
        match="exact" if exact else "folded",
        folds=() if exact else best.folds,
        reason=_reason(len(places), claim if moved else None),
    )
    citation = document.citation(best, claimed=claim.quote, verdict=verdict)
    if claim.cell is not None:
        citation, problem = with_cell(citation, claim.cell, document)
        if problem is not None:
            return CheckedQuote(citation=None, repeats=len(places), reason=problem)
    return CheckedQuote(citation=citation, repeats=len(places))


def _touches(line_ids: tuple[int, ...], claim: ClaimedQuote) -> bool:
    return line_ids[0] <= claim.last_line_id and claim.first_line_id <= line_ids[-1]


def _distance(
    place: QuoteMatch, claim: ClaimedQuote, document: CitedDocument, read: tuple[LineRange, ...]
) -> tuple[bool, bool, int]:
    ids = document.line_ids(place)
    was_read = any(r.doc_id == claim.doc_id and r.first_line_id <= ids[0] and ids[-1] <= r.last_line_id for r in read)
    return (not _touches(ids, claim), not was_read, abs(ids[0] - claim.first_line_id))


def _reason(n_places: int, moved_from: ClaimedQuote | None) -> str | None:
    said = []
    if moved_from is not None:
        said.append(f"claimed at lines {moved_from.first_line_id}–{moved_from.last_line_id}, found elsewhere")
    if n_places > 1:
        said.append(f"stands in {n_places} places of this document")
    return "; ".join(said) or None


def _shown(quote: str, limit: int = 80) -> str:
    flat = " ".join(quote.split())
    return repr(flat if len(flat) <= limit else flat[: limit - 1] + "…")

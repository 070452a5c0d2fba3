"""An answer that travels: with the lines it quotes and the documents' hashes, to be checked again offline."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import ValidationError, convert

from pincite.errors import QuoteError
from pincite.text.fold import NORMALISER_VERSION
from pincite.text.quotes import QuoteFinder
from pincite.types.answer import Answer, DraftItem, Refusal, Result
from pincite.types.citation import Citation
from pincite.types.document import Layer, Line, Page, ParsedDocument
from pincite.types.record import Record
from pincite.types.trace import Bundle, BundledLine, Trace
from pincite.verifying.anchors import ANCHORED, anchor_of
from pincite.verifying.cell_quotes import holds_cell
from pincite.verifying.values import check_values, row_in_cells

#: Files whose rows are cells parted by a mark.
_ROWS: Final = (".csv", ".tsv")


class CheckedCitation(Record, frozen=True, kw_only=True):
    """One citation of a bundle after its check; `reason` says why it does not hold."""

    item: str
    place: str
    holds: bool
    reason: str | None = None


def bundle_of(trace: Trace, document_of: Callable[[str], ParsedDocument], pincite_version: str) -> Bundle:
    """Return the result of a trace with every line that its citations name."""
    result = result_of(trace.result)
    cited = result.nearest if isinstance(result, Refusal) else [c for item in result.items for c in item.citations]
    wanted = {(c.doc_id, line_id) for c in cited for line_id in c.line_ids}
    return Bundle(
        pincite_version=pincite_version,
        normaliser_version=NORMALISER_VERSION,
        documents=tuple(d for d in trace.documents if d.doc_id in {doc_id for doc_id, _ in wanted}),
        lines=tuple(_bundled(doc_id, document_of(doc_id), line_id) for doc_id, line_id in sorted(wanted)),
        result=trace.result,
    )


def _bundled(doc_id: str, document: ParsedDocument, line_id: int) -> BundledLine:
    line = document.lines[line_id - 1]
    return BundledLine(doc_id=doc_id, line_id=line_id, page_num=line.page_num, line_num=line.line_num, text=line.text)


def result_of(data: object) -> Result:
    """Return the answer or refusal in its JSON form as a value.

    Raises:
        QuoteError: it does not have that form.

    """
    try:
        return convert(data, Answer | Refusal)
    except ValidationError as error:
        raise QuoteError(f"not an answer or refusal: {error}") from error


def check_bundle(bundle: Bundle) -> tuple[CheckedCitation, ...]:
    """Check every citation of a bundle against the lines in it: quote, place, hash and value.

    Raises:
        QuoteError: the bundle was made with another normaliser, or does not hold an answer.

    """
    if bundle.normaliser_version != NORMALISER_VERSION:
        raise QuoteError(
            f"the bundle was checked with normaliser {bundle.normaliser_version}, this is {NORMALISER_VERSION}: "
            "use the pincite that made it, or ask again"
        )
    result = result_of(bundle.result)
    if isinstance(result, Refusal):
        return ()
    checked = []
    for item in result.items:
        quotes = [row_in_cells(c.quote) if c.doc_name.lower().endswith(_ROWS) else c.quote for c in item.citations]
        draft = DraftItem(text=item.text, quotes=(), value=item.value, derivation=item.derivation)
        cells = [c.cell for c in item.citations if c.cell is not None]
        value_fails = check_values(draft, quotes, cells, [c.doc_name for c in item.citations]) == "failed"
        for citation in item.citations:
            reason = "its value is not in its quotes" if value_fails else _problem(citation, bundle)
            checked.append(CheckedCitation(item=item.text, place=str(citation), holds=reason is None, reason=reason))
    return tuple(checked)


def _problem(citation: Citation, bundle: Bundle) -> str | None:
    known = {(line.doc_id, line.line_id): line for line in bundle.lines}
    lines = [known.get((citation.doc_id, line_id)) for line_id in citation.line_ids]
    if not lines or any(line is None for line in lines):
        return "the bundle does not hold the cited lines"
    present = [line for line in lines if line is not None]
    pages = (None, None) if citation.page is None else (present[0].page_num, present[-1].page_num)
    places = [(pages[0], present[0].line_num), (pages[1], present[-1].line_num)]
    if places != [(citation.page, citation.first_line), (citation.last_page, citation.last_line)]:
        return "the page or line is not that of the cited lines"
    if citation.anchor is not None and not _is_anchor(citation, present):
        return "the place is not that of the cited lines"
    documents = [d for d in bundle.documents if d.doc_id == citation.doc_id]
    if {d.content_hash for d in documents} != {citation.content_hash}:
        return "the document has another hash"
    if {d.name for d in documents} != {citation.doc_name}:
        return "the document has another name"
    return _quote_problem(citation, [line.text for line in present])


def _is_anchor(citation: Citation, lines: Sequence[BundledLine]) -> bool:
    """Say whether the place in the format's own words is that of the cited lines, in any format that has such words."""
    page = Page(page_num=lines[0].page_num, label=citation.page_label)
    layers: tuple[Layer, ...] = ("text", "annotation")
    for layer in layers:
        made = [
            Line(line_id=one.line_id, page_num=one.page_num, line_num=one.line_num, text=one.text, layer=layer)
            for one in lines
        ]
        for match in QuoteFinder([one.text for one in lines]).find(citation.quote):
            spans = [(span.start, span.end) for span in match.spans]
            if len(spans) == len(made) and citation.anchor in {
                anchor_of(media_type, made, spans, page, citation.section) for media_type in ANCHORED
            }:
                return True
    return False


def _quote_problem(citation: Citation, lines: Sequence[str]) -> str | None:
    if not any(m.quote == citation.quote for m in QuoteFinder(lines).find(citation.quote)):
        return "the quote is not in the cited lines"
    if citation.cell is not None and not holds_cell(citation.quote, citation.cell.text):
        return "the cited cell is not in the quote"
    if citation.claimed_quote == citation.quote:
        return None
    # The bundle does not say which documents are Markdown, so marks may be left out as well as kept.
    finders = (QuoteFinder(lines), QuoteFinder(lines, markdown=True))
    found = {match.quote for finder in finders for match in finder.find(citation.claimed_quote)}
    return None if citation.quote in found else "the claimed quote is another text"

"""A claimed quote becomes a citation with its verdict, or a reason why not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import cited, pages

from pincite.types.answer import ClaimedQuote
from pincite.types.passage import LineRange
from pincite.verifying import CheckedQuote, CitedDocument, check_quote

TEXT = """# Lock

## Depth

The sill of lock 4 is 3.2 m deep.

The bell rings.

## Bell

The bell rings. The **keeper** waits for
ten minutes.

The bell rings.
"""
DOCUMENT = cited(TEXT)


def check(quote: str, first: int = 1, last: int | None = None, read: tuple[LineRange, ...] = ()) -> CheckedQuote:
    claim = ClaimedQuote(doc_id="note.md", first_line_id=first, last_line_id=last or first, quote=quote)
    return check_quote(claim, DOCUMENT, read)


def test_a_quote_at_its_place_is_verified() -> None:
    """The citation has the place, the headings, the source's own characters and a verdict."""
    citation = check("The sill of lock 4 is 3.2 m deep.", 5).citation
    assert citation is not None
    assert (citation.doc_name, citation.page, citation.first_line, citation.last_line) == ("note.md", 1, 5, 5)
    assert citation.section == ("Lock", "Depth")
    assert citation.quote == "The sill of lock 4 is 3.2 m deep."
    assert (citation.verdict.status, citation.verdict.match, citation.verdict.folds) == ("verified", "exact", ())
    assert citation.content_hash == DOCUMENT.document.content_hash
    assert str(citation) == "note.md l.5"


def test_a_right_quote_at_a_wrong_place_is_repaired() -> None:
    """The place is corrected, and the verdict says so."""
    citation = check("The sill of lock 4 is 3.2 m deep.", 12).citation
    assert citation is not None
    assert (citation.first_line, citation.verdict.status) == (5, "repaired")
    assert "found elsewhere" in (citation.verdict.reason or "")


def test_a_folded_quote_shows_the_source() -> None:
    """What is shown is the document's text over its lines; the claim and the folds are kept beside it."""
    claimed = "The keeper waits for ten minutes."
    citation = check(claimed, 11, 12).citation
    assert citation is not None
    assert citation.quote == "The **keeper** waits for\nten minutes."
    assert citation.claimed_quote == claimed
    assert (citation.first_line, citation.last_line, citation.verdict.match) == (11, 12, "folded")
    assert set(citation.verdict.folds) == {"markdown", "white_space"}


@pytest.mark.parametrize("quote", ["The sill of lock 5 is 3.2 m deep.", "The sill of lock 4 is 3.2 m", "", "the", "…"])
def test_what_is_not_there_has_no_citation(quote: str) -> None:
    """A quote that is nowhere, or no evidence, gets a reason and no citation. A part of a sentence is there."""
    checked = check(quote, 5)
    if "lock 4" in quote:
        assert checked.citation is not None
    else:
        assert checked.citation is None
        assert checked.reason


@pytest.mark.parametrize(
    ("first", "read", "line", "status"),
    [
        (7, None, 7, "verified"),
        (11, None, 11, "verified"),
        (14, None, 14, "verified"),
        (13, None, 14, "repaired"),
        (8, None, 7, "repaired"),
        (1, (11, 12), 11, "repaired"),
        (5, (13, 14), 14, "repaired"),
        (7, (11, 12), 7, "verified"),
    ],
)
def test_a_repeated_sentence_is_the_claimed_or_nearest_one(
    first: int, read: tuple[int, int] | None, line: int, status: str
) -> None:
    """Of several places the claimed one counts, else the nearest in what was read, and the verdict says it repeats."""
    ranges = (LineRange(doc_id="note.md", first_line_id=read[0], last_line_id=read[1]),) if read else ()
    checked = check("The bell rings.", first, read=ranges)
    assert checked.citation is not None
    assert (checked.citation.first_line, checked.citation.verdict.status, checked.repeats) == (line, status, 3)
    assert "stands in 3 places" in (checked.citation.verdict.reason or "")


def test_a_sentence_over_a_page_break_skips_the_running_heads() -> None:
    """The citation names both pages and the lines of the sentence, without the heads between."""
    document = pages("The master checks the\nPage 1 of 2", "RULES\nlines every hour.", roles={2: "footer", 3: "header"})
    claim = ClaimedQuote(doc_id="d", first_line_id=1, last_line_id=4, quote="The master checks the lines every hour.")
    citation = check_quote(claim, CitedDocument(document, doc_id="d", name="rules.pdf")).citation
    assert citation is not None
    assert (citation.page, citation.last_page, citation.line_ids) == (1, 2, (1, 4))
    assert citation.quote == "The master checks the\nlines every hour."


def test_hidden_text_cannot_be_cited() -> None:
    """A line that nobody can see bears nothing out."""
    document = pages("Visible text.\nFree of charge.")
    hidden = document.lines[1].__class__(line_id=2, page_num=1, line_num=2, text="Free of charge.", layer="hidden")
    known = document.__class__(
        **{f: getattr(document, f) for f in document.__struct_fields__ if f != "lines"},
        lines=(document.lines[0], hidden),
    )
    claim = ClaimedQuote(doc_id="d", first_line_id=2, last_line_id=2, quote="Free of charge.")
    assert check_quote(claim, CitedDocument(known, doc_id="d", name="offer.pdf")).citation is None


@given(
    st.lists(st.sampled_from(["The bell rings.", "A lamp is lit.", "", "Ropes are kept dry."]), max_size=8), st.data()
)
def test_every_line_can_be_cited(lines: list[str], data: st.DataObject) -> None:
    """Whichever line is claimed with its own text is verified at its own place."""
    lines = [*lines, "The end."]
    at = data.draw(st.sampled_from([i for i, line in enumerate(lines, start=1) if line]))
    claim = ClaimedQuote(doc_id="a.txt", first_line_id=at, last_line_id=at, quote=lines[at - 1])
    checked = check_quote(claim, cited("\n".join(lines), "a.txt"))
    assert checked.citation is not None
    assert (checked.citation.line_ids, checked.citation.verdict.status) == ((at,), "verified")
    assert checked.repeats == lines.count(lines[at - 1])

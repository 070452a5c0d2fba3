"""Quotes of the reported cases, checked against the documents as a library reads them."""

import pytest
from tests.cases_e2e.conftest import LibraryOf
from tests.cases_e2e.expectations import case_file

from pincite.types.answer import ClaimedQuote
from pincite.verifying import CitedDocument, check_quote

HYPHENS = case_file("PDF05-hyphen-line-end")["expected"]["citations"]
FRONT_MATTER = case_file("CHK04-front-matter")["expected"]["files"]


@pytest.mark.parametrize("row", HYPHENS, ids=lambda row: row["quote"][:30])
def test_hyphens_at_line_ends(row: dict[str, object], library_of: LibraryOf) -> None:
    """A line-end hyphen may stay or go in prose, and must stay in an identifier."""
    document = library_of("PDF05-hyphen-line-end").document("climate.pdf")
    claim = ClaimedQuote(doc_id="d", first_line_id=1, last_line_id=1, quote=str(row["quote"]))
    citation = check_quote(claim, CitedDocument(document, doc_id="d", name="climate.pdf")).citation
    if row["verdict"] == "verbatim":
        assert citation is not None
        assert (citation.first_line, citation.last_line) == (row["line_start"], row["line_end"])
    else:
        assert citation is None


def test_a_part_number_that_a_line_cuts_is_found(library_of: LibraryOf) -> None:
    """A code that a line cuts, "HX-" at the end of one line and "40" on the next, is HX-40 for a question."""
    library = library_of("PDF05-hyphen-line-end")
    found = library.search("HX-40").candidates[0].anchor
    lines = library.document("climate.pdf").lines_between(found.first_line_id, found.last_line_id)
    assert "HX-" in " ".join(line.text for line in lines)
    assert all(library.search(word).candidates for word in ("climate", "well-known", "authority", "re-enters"))


@pytest.mark.parametrize("name", sorted(FRONT_MATTER))
def test_lines_below_front_matter_keep_their_numbers(name: str, library_of: LibraryOf) -> None:
    """Whatever stands at the top of a file, a quote is cited by the line that an editor shows."""
    document = CitedDocument(library_of("CHK04-front-matter").document(name), doc_id=name, name=name)
    row = FRONT_MATTER[name]
    claim = ClaimedQuote(doc_id=name, first_line_id=row["line"], last_line_id=row["line"], quote=row["quote"])
    citation = check_quote(claim, document).citation
    assert citation is not None
    assert (citation.first_line, citation.verdict.status) == (row["line"], "verified")

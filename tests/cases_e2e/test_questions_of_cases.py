"""Every question of every reported case, end to end."""

import pytest
from tests.cases_e2e.conftest import LibraryOf
from tests.cases_e2e.expectations import Expected, expected_of_family, outcome
from tests.cases_e2e.known import parameters


@pytest.mark.parametrize("expected", parameters(expected_of_family("PDF")))
def test_pdf(expected: Expected, library_of: LibraryOf) -> None:
    """A question to a PDF gets the answer, page and lines that its reporter wanted, or an honest refusal."""
    assert outcome(library_of(expected.case_id), expected) == []


@pytest.mark.parametrize("expected", parameters(expected_of_family("CHK")))
def test_chunking(expected: Expected, library_of: LibraryOf) -> None:
    """Whatever surrounds it, the answer is found and cited by the line that an editor shows."""
    assert outcome(library_of(expected.case_id), expected) == []


@pytest.mark.parametrize("expected", parameters(expected_of_family("QST")))
def test_question(expected: Expected, library_of: LibraryOf) -> None:
    """However a question is put, it gets what its asker wanted: an answer, all of a list, or a refusal."""
    assert outcome(library_of(expected.case_id), expected) == []


@pytest.mark.parametrize("expected", parameters(expected_of_family("RET")))
def test_retrieval(expected: Expected, library_of: LibraryOf) -> None:
    """The right document is found and cited, and only documents that were chosen."""
    assert outcome(library_of(expected.case_id), expected) == []


@pytest.mark.parametrize("expected", parameters(expected_of_family("CIT", "OPS")))
def test_citing_and_operations(expected: Expected, library_of: LibraryOf) -> None:
    """The cited page and line are those on which the quote stands."""
    assert outcome(library_of(expected.case_id), expected) == []

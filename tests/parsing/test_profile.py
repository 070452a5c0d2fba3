"""What a document is, told from its own lines."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.making import parsed

from pincite.parsing.profile import doc_type, profile
from pincite.types.document import Line


def _lines(*texts: str) -> list[Line]:
    return [Line(line_id=at, page_num=1, line_num=at, text=text) for at, text in enumerate(texts, start=1)]


@pytest.mark.parametrize(
    ("title", "head", "headings", "kind"),
    [
        ("ACME", "FORM 10-K", ["Item 1A. Risk Factors", "PART II"], "annual report (10-K)"),
        ("Loan Agreement", "dated as of May 2023", ["Definitions", "Governing Law"], "contract"),
        ("On moles", "Abstract", ["1 Introduction", "References"], "scientific paper"),
        ("Invoice 17", "Bill to: Harbour office", [], "invoice"),
        ("HX-40 User Manual", "", ["Installation", "Troubleshooting"], "manual"),
        ("Harbour Act", "Act of 1998", ["Title I General", "Title II Liability"], "law"),
        ("The mole", "It is long.", ["One", "Two"], None),
    ],
)
def test_a_kind_is_told_by_title_first_lines_and_headings(
    title: str, head: str, headings: list[str], kind: str | None
) -> None:
    """A document that says what it is is known by it; one that does not has no kind."""
    assert doc_type(_lines(title, head), headings, title=title, format_name="PDF") == kind


def test_the_format_tells_some_kinds() -> None:
    """Slides are slides whatever they speak of."""
    assert doc_type(_lines("Invoice"), [], title="Invoice", format_name="PowerPoint") == "slides"


def test_fields_are_the_names_that_are_filled_in() -> None:
    """Names before a colon that come again, and columns of tables, not words of sentences."""
    text = (
        "# Berths\n\nBerth: A1\n\nDepth: 3 m\n\nBerth: A2\n\nDepth: 4 m\n\nNote: it rains.\n\n"
        "| Boat | Fee |\n| --- | --- |\n| Ada | 3 |\n"
    )

    assert set(parsed(text).parsing_summary.typical_fields) == {"Berth", "Depth", "Boat", "Fee"}


def test_a_summary_is_sentences_of_the_document_with_their_lines() -> None:
    """Each sentence stands in the lines that are named."""
    document = parsed(
        "# Abstract\n\nThe harbour office keeps the moles of the harbour in repair. Boats moor along the moles.\n\n"
        "# Weather\n\nIt often rains in autumn and the fog is thick then.\n"
    )
    summary = document.parsing_summary

    assert summary.summary is not None
    assert summary.summary.startswith("The harbour office keeps the moles of the harbour in repair.")
    said = " ".join(document.lines[line_id - 1].text for line_id in summary.summary_line_ids)
    assert all(sentence in said for sentence in summary.summary.split("\n"))


def test_what_only_sends_elsewhere_is_no_summary() -> None:
    """Boilerplate, check boxes and "see Note 17" say nothing of a document."""
    found = profile(
        _lines(
            "See Note 17 for further information on the debt of the company and its parts.",
            "Indicate by check mark whether the registrant is a shell company as defined.",
        ),
        (),
        title=None,
        format_name="PDF",
    )

    assert (found.summary, found.line_ids) == (None, ())


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text("abc XYZ.:|1\t", max_size=60), max_size=30))
def test_a_profile_never_says_more_than_five_lines(texts: list[str]) -> None:
    """Whatever the lines are, at most five of them are named, in order, and all of them are there."""
    lines = _lines(*texts)
    found = profile(lines, (), title=None, format_name="PDF")

    assert len(found.line_ids) <= 5
    assert list(found.line_ids) == sorted(set(found.line_ids))
    assert all(1 <= line_id <= len(lines) for line_id in found.line_ids)

"""Places that a question names."""

import pytest

from pincite.questions.hints import find_hints
from pincite.questions.rules import must_distinguish


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("What does page 3 say?", ("3",)),
        ("What is on p. iii?", ("iii",)),
        ("What is on page A-1?", ("A-1",)),
        ("pages 4 and 5", ("4", "5")),
        ("pages 4, 6 and 8–10", ("4", "6", "8–10")),
        ("pages 2 to 5", ("2–5",)),
        ("Who is on page b?", ("b",)),
        ("What is on page G-II?", ("G-II",)),
        ("What is on page 2-3?", ("2-3",)),
        ("What does p. 3-2 say?", ("3-2",)),
        ("What is on sheet 4?", ("sheet 4",)),
        ("Was steht auf Seite 103?", ("103",)),
        ("Was steht auf S. 12 und 14?", ("12", "14")),
        ("What does the last page say?", ("last",)),
        ("Who is on the first page?", ("first",)),
        ("What is on page five?", ("5",)),
        ("the second page", ("sheet 2",)),
        ("What is the page layout?", ()),
        ("Which pages are blank?", ()),
        ("Do I write a page a day?", ()),
        ("Is the page I read signed?", ()),
        ("Does it open at 5 p.m.?", ()),
        ("How thick is steel sheet 4?", ()),
        ("page 3, I think", ("3",)),
        ("第 7 页说什么？", ("7",)),
        ("What does the pager 3 say?", ()),
        ("How many pages are there?", ()),
        ("page 3 and page 12", ("3", "12")),
    ],
)
def test_pages_as_typed(question: str, pages: tuple[str, ...]) -> None:
    """A page is named by the label that is printed on it, in any script."""
    assert find_hints(question, []).pages == pages


@pytest.mark.parametrize(
    ("question", "sections"),
    [
        ("What does section 3.5 say?", ("3.5",)),
        ("§ 7 of the rules", ("7",)),
        ("chapter 2 and clause 7.3.12", ("2", "7.3.12")),
        ("Annex A", ("A",)),
        ("a section of the road", ()),
        ("part HX-40", ()),
        ("section 12(4)(b)", ("12(4)(b)",)),
    ],
)
def test_sections_by_number_or_letter(question: str, sections: tuple[str, ...]) -> None:
    """Sections, chapters, clauses and annexes are named by number or letter, brackets included."""
    assert find_hints(question, []).sections == sections


def test_tables_and_figures() -> None:
    """Named objects come in one form, however they are abbreviated."""
    assert find_hints("See fig. 3, table 2.1 and eq. 4", []).objects == ("Figure 3", "Table 2.1", "Equation 4")


def test_documents_by_name() -> None:
    """A file name in the question names the file; its stem does when it cannot be a common word."""
    names = ["policy-2021.md", "notes/e\u0301clair.md", "note.md", "rules.pdf", "2027.md"]
    assert find_hints("What does policy-2021 say?", names).documents == ("policy-2021.md",)
    assert find_hints("What does RULES.pdf say?", names).documents == ("rules.pdf",)
    assert find_hints("What is in éclair.md?", names).documents == ("notes/e\u0301clair.md",)
    assert find_hints("Which note is of 2027?", names).documents == ()


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What does “Base Rate” mean?", "Base Rate"),
        ("What is the definition of an advance?", "advance"),
        ("How is availability defined?", "availability"),
        ("Define Business Day", "Business Day"),
        ("What is meant by the term fender?", "fender"),
    ],
)
def test_a_question_for_a_meaning_names_its_term(question: str, term: str) -> None:
    """The term is looked up where the document defines it."""
    assert find_hints(question, []).terms == (term,)


def test_a_roman_number_is_kept_apart_from_its_neighbours() -> None:
    """Title III is a place of its own, and lines about another title are no answer."""
    question = "What fee may the minister set under Title III?"
    hints = find_hints(question, [])

    assert hints.places == ("Title III",)
    assert must_distinguish(question, hints) == ("III",)


def test_a_name_among_many_is_found_as_a_whole() -> None:
    """File names are found whatever their case and signs, not as parts of others, and stems where they are telling."""
    names = [f"report-{n:05}.txt" for n in range(2000)] + ["Fee (old)+.md", "a/Ruße.pdf", "note.txt"]

    assert find_hints("What is in REPORT-00017.txt and in fee (OLD)+.md?", names).documents == (
        "report-00017.txt",
        "Fee (old)+.md",
    )
    assert find_hints("Is report-00017 older than russe.pdf?", names).documents == ("report-00017.txt", "a/Ruße.pdf")
    assert find_hints("What does footnote.txt say in a note?", names).documents == ()

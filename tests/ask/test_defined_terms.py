"""A term that a document defines is told by its definition, however it is asked for."""

from collections.abc import Iterator

import pytest

from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer, Refusal

_LOAN = """# Loan Agreement

## 1. Definitions

"Base Rate Advance" means an Advance that bears interest by reference to the Base Rate.

"Base Rate" means the higher of the Prime Rate and 2 % a year.

"Lender" means Quayside Bank plc and each bank that becomes a party to this Agreement.

"Permitted Liens" means liens for taxes not yet due, and liens listed in Schedule 4.

"Purchase Price" means EUR 5,000,000.

"Representatives" means the employees, advisers and insurers of a party.

Representatives who need to know may be told by the Borrower. The Representatives of the Lender meet in May.

„Mietsache“ bezeichnet die Wohnung im zweiten Obergeschoss.

## 2. Advances

2.1 The Borrower may ask for a Base Rate Advance on any day before 11 a.m.

2.2 Each Base Rate Advance is at least 100,000 crowns. The Lender pays a Base Rate Advance within two days.

2.3 The Borrower may not create a lien other than Permitted Liens. Die Mietsache ist pfleglich zu behandeln.

## 3. Notices

A notice to the Lender is sent to 4 Harbour Street. The Lender is represented by Ada Lind.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Return a library that holds one agreement."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "loan.md").write_text(_LOAN, encoding="utf-8")
    with Library(tmp_path_factory.mktemp("library"), settings=Settings(jobs=1)) as made:
        made.add(folder)
        yield made


def _first(library: Library, question: str) -> Answer:
    result = library.ask(question)
    assert isinstance(result, Answer), result
    return result


@pytest.mark.parametrize(
    ("question", "defined"),
    [
        ("What is a Base Rate Advance?", "“Base Rate Advance” means an Advance that bears interest"),
        ("what is a base rate advance", "“Base Rate Advance” means an Advance that bears interest"),
        ("What is the Base Rate?", "“Base Rate” means the higher of the Prime Rate"),
        ("Who is the Lender?", "“Lender” means Quayside Bank plc"),
        ("What are Permitted Liens?", "“Permitted Liens” means liens for taxes"),
        ("What counts as a Permitted Lien?", "“Permitted Liens” means liens for taxes"),
        ("Who are the Representatives?", "“Representatives” means the employees, advisers"),
        ("Was ist die Mietsache?", "„Mietsache“ bezeichnet die Wohnung"),
    ],
)
def test_what_a_term_is_says_its_definition(library: Library, question: str, defined: str) -> None:
    """Who asks what a defined term is, or who it is, reads its definition whole, not a sentence that uses it."""
    answer = _first(library, question)
    assert answer.items[0].citations[0].quote.replace('"', "“").startswith(defined.replace("”", "“"))
    assert answer.items[0].value is None


def test_a_term_that_is_an_amount_is_told_as_one(library: Library) -> None:
    """A definition that says nothing but an amount answers with it."""
    answer = _first(library, "What is the Purchase Price?")
    assert (answer.shape, answer.items[0].text) == ("amount", "EUR 5,000,000")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who represents the Lender?", "represented by Ada Lind"),
        ("How big is a Base Rate Advance?", "at least 100,000 crowns"),
    ],
)
def test_what_is_said_of_a_term_is_no_question_for_its_definition(library: Library, question: str, said: str) -> None:
    """A question for something about a defined term is answered where that is said."""
    assert said in _first(library, question).items[0].citations[0].quote


def test_a_term_without_a_definition_is_refused(library: Library) -> None:
    """A term that the document does not use is not answered from the definition of another."""
    assert isinstance(library.ask("What is a Eurodollar Advance?"), Refusal)

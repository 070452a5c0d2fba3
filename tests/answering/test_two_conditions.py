"""A table row has to meet all that is asked of it, and a table that is to be shown is shown."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Draft
from pincite.types.question import Shape

_ROWS = """# Prices

| Plan | Region | Price | Users |
| --- | --- | --- | --- |
| Free | Europe | 0 EUR | 1 |
| Pro | Europe | 12 EUR | 5 |
| Pro | Asia | 1500 JPY | 5 |
| Team | Europe | 30 EUR | 25 |
| Team | Asia | 4000 JPY | 20 |
"""
_COLUMNS = """# Prices

| Plan | Europe | Asia |
| --- | --- | --- |
| Free | 0 EUR | 0 JPY |
| Pro | 12 EUR | 1500 JPY |
"""
_REPORT = """# Annual report

## Letter

The year was calm, and the key figures are good.

## Key figures

| Figure | 2023 | 2024 |
| --- | --- | --- |
| Berths | 210 | 214 |
| Staff | 14 | 15 |

## Crews

| Name | Boat |
| --- | --- |
| Ada | Alma |
| Bo | Berta |
"""


def _draft(question: str, text: str, shape: Shape | None = None) -> Draft:
    document = parsed(text)
    return ExtractiveAnswerer().answer(brief_of(question, document, shape), read(document))


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("What is the price of the Pro plan in Europe?", _ROWS, "12 EUR"),
        ("What does the Pro plan cost in Asia?", _ROWS, "1500 JPY"),
        ("How many users does the Team plan have in Asia?", _ROWS, "20"),
        ("What is the price of the Pro plan in Europe?", _COLUMNS, "12 EUR"),
        ("How much is Pro in Asia?", _COLUMNS, "1500 JPY"),
    ],
)
def test_the_row_that_meets_both_conditions_answers(question: str, text: str, said: str) -> None:
    """Row and column, or two columns: the cell where both hold, and no other."""
    assert [item.text for item in _draft(question, text).items] == [said]


@pytest.mark.parametrize("text", [_ROWS, _COLUMNS])
def test_a_row_that_meets_one_of_two_conditions_does_not_answer(text: str) -> None:
    """A plan that is not sold there has no price there."""
    draft = _draft("What is the price of the Pro plan in Africa?", text)
    assert not draft.items or draft.confidence < 0.5


def test_the_refusal_says_which_two_do_not_meet() -> None:
    """Who asks for a row that is not there is told what no row is at once."""
    draft = _draft("What is the price of the Free plan in Asia?", _ROWS)
    assert (draft.items, draft.reason) == ((), "No row of the table is both Free and Asia.")


_STAFF = """# Staff

| Name | Department | Office |
| --- | --- | --- |
| Mara Lenz | Sales | B12 |
| Tom Adeyemi | Engineering | C03 |
| Ines Faro | Engineering | C05 |
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who works in Engineering?", ["Tom Adeyemi", "Ines Faro"]),
        ("Who sits in office B12?", ["Mara Lenz"]),
        ("Who works in Legal?", []),
    ],
)
def test_who_it_is_says_the_name_of_the_row(question: str, names: list[str]) -> None:
    """The rows with a cell that the question names are told by their names, all of them."""
    draft = _draft(question, _STAFF)
    assert [item.text for item in draft.items if draft.confidence >= 0.5] == names


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("Show the key figures.", None),
        ("Show the key figures.", "table"),
        ("Give me the key figures", None),
        ("What are the key figures?", None),
        ("Display the crews.", None),
    ],
)
def test_the_table_under_a_title_is_shown_whole(question: str, shape: Shape | None) -> None:
    """A section that holds one table is shown as that table, cell by cell, not by its heading or the names alone."""
    draft = _draft(question, _REPORT, shape)
    rows = ["Ada | Alma", "Bo | Berta"] if "crews" in question else ["Berths | 210 | 214", "Staff | 14 | 15"]
    assert (draft.shape, [item.text for item in draft.items]) == ("table", rows)

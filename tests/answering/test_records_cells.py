"""Table cells: found by row and column, by kind of amount, under groups; never a neighbour's value."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Draft

PUMPS = """# Pumps

| Pump | Price | Weight (kg) | Colour |
| --- | --- | --- | --- |
| Alpha | 120 EUR | 35 | red |
| Beta | 90 EUR | 41 | |
| Gamma Plus | | 58 | blue |

# Staff

| First name | Last name | Phone | Office |
| --- | --- | --- | --- |
| Liv | Dahl | 5567 | B2 |
| Ola | Dahl | 5568 | B3 |
| Ola | Berg | 5569 | B4 |
"""


def asked(question: str, text: str = PUMPS) -> Draft:
    document = parsed(text)
    return ExtractiveAnswerer().answer(brief_of(question, document), read(document))


WELLS = """# Wells

| Probe | pH | Lead (mg/l) | Nitrate (mg/l) |
| --- | --- | --- | --- |
| W-01 | 7.1 | 0.002 | 14 |
| W-02 | | 0.004 | |
"""


def test_content_and_level_name_nothing_but_the_column() -> None:
    """The "lead content of W-02" is its cell below "Lead (mg/l)", though no table says "content"."""
    assert [item.text for item in asked("What is the lead content of W-02?", WELLS).items] == ["0.004"]
    assert asked("What is the nitrate level of W-02?", WELLS).items == ()
    assert asked("What is the ozone content of W-02?", WELLS).items == ()


@pytest.mark.parametrize(
    ("question", "cell"),
    [
        ("What is the price of the Alpha?", "120 EUR"),
        ("What does the Alpha cost?", "120 EUR"),
        ("How heavy is the Beta?", "41"),
        ("What is the colour of the Gamma Plus?", "blue"),
        ("What is the phone number of Ola Dahl?", "5568"),
        ("What is the phone of Ola Berg?", "5569"),
        ("Which office does Liv Dahl have?", "B2"),
    ],
)
def test_the_cell_where_row_and_column_meet(question: str, cell: str) -> None:
    """A column is named by its words or its kind of amount, a row by its name, in one cell or over several."""
    assert [item.text for item in asked(question).items] == [cell]


@pytest.mark.parametrize("question", ["What is the price of the Gamma Plus?", "What colour is the Beta?"])
def test_an_empty_cell_states_nothing(question: str) -> None:
    """Where the cell is empty that is said."""
    found = asked(question)
    assert found.items == ()
    assert "empty" in (found.reason or "")


@pytest.mark.parametrize(
    "question",
    [
        "What does the Delta cost?",
        "What is the flow of the Alpha?",
        "How long is the Alpha?",
        "What is the phone of Eva?",
    ],
)
def test_a_row_answers_for_no_other_row_or_column(question: str) -> None:
    """Without the row or the column that the question names no value of the table is given."""
    texts = [item.text for item in asked(question).items]
    assert [t for t in texts if any(c.isdigit() for c in t)] == []


def test_a_row_still_answers_what_it_is_about() -> None:
    """A question that names only the row is answered with the row."""
    assert "Alpha" in asked("What is the Alpha?").items[0].text


def test_years_over_columns_tell_them_apart() -> None:
    """Of two columns of one name the one with the question's year is meant, and no year at all is no match."""
    table = "| Ship | Officers 2030 | Officers 2031 |\n| --- | --- | --- |\n| Alma | 3 | 4 |\n"
    assert [i.text for i in asked("How many officers did the Alma have in 2031?", table).items] == ["4"]
    assert [i.text for i in asked("How many officers did the Alma have in 2030?", table).items] == ["3"]


def test_a_table_of_two_columns_names_its_rows_in_the_first() -> None:
    """A column without a name, as a chart has for its categories, names the rows: the other has the values."""
    text = "# Traffic\n\n|  | Ships |\n| --- | --- |\n| 2029 | 410 |\n| 2030 | 455 |\n"
    assert [item.text for item in asked("How many ships were there in 2030?", text).items] == ["455"]

"""Answers from tables: the cell where row and year meet, rows side by side, values computed from cited cells."""

import pytest
from msgspec.structs import replace
from tests.making import brief_of, cited, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Answer, Cells, Draft, Quantity, Signals
from pincite.types.question import Shape
from pincite.verifying import Verified, verify

ACCOUNTS = """# Harbour Trust

## Balance sheet

Table 1. Balance sheet of the Harbour Trust (in thousands of crowns)

| | 2031 | 2030 |
| --- | --- | --- |
| Current assets | | |
| Cash | 1,204 | 987 |
| Total current assets | 2,410 | 1,900 |
| Total assets | 9,310 | 8,800 |
| Total current liabilities | 1,205 | 1,000 |
| Long-term debt | 3,000 | |

## Cash flow statement

Table 2. Cash flow statement of the Harbour Trust (in thousands of crowns)

| | 2031 | 2030 | 2029 |
| --- | --- | --- | --- |
| Operating activities | | | |
| Fees from boats | 700 | 560 | 500 |
| Other fees | 12 | 9 | 7 |
| Capital spending | (310) | (290) | (300) |
| Dividends paid | — | 20 | 20 |
"""
PUMPS = """# Pumps

| Pump | Torque (Nm) | Limit (h) |
| --- | --- | --- |
| HX-20 | 18 | 400 |
| HX-40 | | 650 |
| HX-60 | 55 | |
"""


def asked(question: str, text: str = ACCOUNTS, shape: Shape | None = None) -> Draft:
    document = parsed(text)
    return ExtractiveAnswerer().answer(brief_of(question, document, shape), read(document))


def verified(question: str, text: str = ACCOUNTS) -> Verified:
    return verify(asked(question, text), {"note.md": cited(text)})


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What was the capital spending in 2030?", "-290"),
        ("How much were the fees from boats in FY2029?", "500"),
        ("What is the FY2031 amount of total current assets?", "2410"),
        ("What amount of cash did the trust have in 2030?", "987"),
    ],
)
def test_a_value_is_found_by_the_name_of_its_row_and_its_year(question: str, number: str) -> None:
    """The year names the column and the other words the row; what the table counts in goes with the number."""
    (item,) = verified(question).items

    assert isinstance(item.value, Quantity)
    assert (item.value.number, item.value.scale) == (number, "thousand")


@pytest.mark.parametrize(
    "question",
    ["What was the long-term debt in 2030?", "How much were the dividends paid in 2031?"],
)
def test_an_empty_cell_is_no_answer_whatever_stands_beside_it(question: str) -> None:
    """Nothing and a dash are not stated: the year before is not taken in its place."""
    draft = asked(question)

    assert (draft.items, "empty" in (draft.reason or "")) == ((), True)


def test_a_year_that_no_column_has_is_not_answered_from_another() -> None:
    """What the table says of 2031 is no answer for 2027."""
    assert not any("310" in item.text for item in asked("What was the capital spending in 2027?").items)


@pytest.mark.parametrize(
    ("question", "operator", "number"),
    [
        ("What is the difference between total assets and total current assets in 2031?", "difference", "6900"),
        ("What is the ratio of total current assets to total current liabilities in 2031?", "ratio", "2.00"),
        (
            "What is the working capital in 2030? Define working capital as total current assets less total current"
            " liabilities.",
            "difference",
            "900",
        ),
        ("What was the percentage change in fees from boats from 2030 to 2031?", "change", "25.0"),
        ("By how much did the fees from boats increase from 2029 to 2031?", "difference", "200"),
        ("What was the average of capital spending from 2029 to 2031?", "mean", "-300.0"),
        ("What is the sum of fees from boats and other fees in 2031?", "sum", "712"),
    ],
)
def test_a_value_is_computed_from_cells_that_are_cited(question: str, operator: str, number: str) -> None:
    """Sum, difference, ratio, average and change are computed again by the verifier, each operand with its cell."""
    (item,) = verified(question).items

    assert item.derivation is not None
    assert isinstance(item.value, Quantity)
    assert (item.derivation.operator, item.value.number) == (operator, number)
    assert len(item.citations) == len(item.derivation.operands)
    assert all(citation.cell is not None and citation.verdict.value == "passed" for citation in item.citations)


def test_nothing_is_computed_from_an_empty_cell() -> None:
    """An empty cell is no zero: the refusal says which one it is."""
    draft = asked("By how much did the long-term debt increase from 2030 to 2031?")

    assert (draft.items, "Long-term debt 2030" in (draft.reason or "")) == ((), True)


def test_what_is_made_of_several_figures_is_not_answered_from_one_of_them() -> None:
    """A ratio that no row states is not the row that shares its words."""
    drafts = [
        asked("What is the current assets turnover ratio in 2031?"),
        asked("What is the average dividends margin in 2031? Define dividends as dividends paid plus other fees."),
    ]

    assert not any(item.citations for draft in drafts for item in verify(draft, {"note.md": cited(ACCOUNTS)}).items
                   if draft.shape == "amount" and draft.confidence > 0.5)  # fmt: skip


def test_the_name_of_whose_figures_they_are_is_no_part_of_a_row() -> None:
    """A name that the document speaks of may stand in the question; one that it never names may not."""
    ours, other = (
        asked(f"What was the FY2030 amount of capital spending for the {name}?")
        for name in ("Harbour Trust", "Zorbex Quay")
    )

    assert [item.text for item in ours.items] == ["(290)"]
    assert not any(item.text == "(290)" for item in other.items)


def test_rows_that_are_compared_stand_side_by_side() -> None:
    """Each row is an item with the column asked for; a side that states nothing is shown empty, and said to be."""
    draft = asked("Compare the torque of the HX-20 and the HX-40", PUMPS)

    assert (draft.shape, draft.columns) == ("comparison", ("Pump", "Torque (Nm)"))
    assert [item.value for item in draft.items] == [Cells(cells=("HX-20", "18")), Cells(cells=("HX-40", ""))]
    assert draft.caveats == ("HX-40: Torque (Nm) is not stated, the cell is empty",)


def test_years_that_are_compared_stand_side_by_side() -> None:
    """One row with the columns of both years."""
    draft = asked("Compare the capital spending in 2030 and 2031")

    assert (draft.columns, [item.text for item in draft.items]) == (
        ("", "2031", "2030"),
        ["Capital spending | (310) | (290)"],
    )


def test_a_table_is_shown_by_its_number_or_its_title() -> None:
    """A table that is asked for comes row by row, with the names of its columns."""
    shown = [
        asked(question, shape="table") for question in ("Show table 2", "Show the table of the cash flow statement")
    ]

    assert [(d.shape, d.columns, len(d.items)) for d in shown] == [("table", ("", "2031", "2030", "2029"), 4)] * 2


def test_a_column_of_the_very_name_comes_before_one_of_its_kind() -> None:
    """Length and depth are both lengths: an empty depth is not answered with the length."""
    text = "# Piers\n\n| Pier | Length | Depth |\n| --- | --- | --- |\n| North | 40 m | |\n| South | 35 m | 4 m |\n"

    assert asked("What is the depth of the North pier?", text).items == ()
    assert asked("What is the depth of the South pier?", text).items[0].text == "4 m"


def test_a_row_on_several_lines_is_one_row() -> None:
    """A cell on a line of its own is quoted from the name of its row on."""
    text = (
        "# Piers\n\n<table>\n<tr><th>Pier</th><th>Length</th></tr>\n<tr>\n<td>North</td>\n<td>40 m</td>\n</tr>\n"
        "<tr><td>South</td><td>35 m</td></tr>\n</table>\n"
    )
    (item,) = verified("What is the length of the North pier?", text).items

    assert (item.text, item.citations[0].quote) == ("40 m", "<td>North</td>\n<td>40 m</td>")


def test_an_answer_of_cells_is_as_good_as_any_other() -> None:
    """Answers in rows go through JSON with their cells."""
    found = verified("Compare the HX-20 and the HX-60", PUMPS)
    signals = Signals(
        answer_found=True, complete_answer_found=True, context_completeness=1, context_structured=True, confidence=1
    )
    answer = Answer(question="q", shape="comparison", items=found.items, signals=signals, trace_id="t")

    assert [citation.cell.text for citation in answer.items[0].citations if citation.cell] == ["18", "400"]


def test_a_table_that_is_shown_cites_each_cell() -> None:
    """Every cell of a row has a cite of its own, and an empty one has none and stays empty."""
    found = verify(asked("Show the table of pumps", PUMPS, shape="table"), {"note.md": cited(PUMPS)})

    assert [[c.cell.text for c in item.citations if c.cell] for item in found.items] == [
        ["HX-20", "18", "400"],
        ["HX-40", "650"],
        ["HX-60", "55"],
    ]
    assert [item.text for item in found.items] == ["HX-20 | 18 | 400", "HX-40 |  | 650", "HX-60 | 55 | "]


VOTES = """# Votes

| Name | Votes For | Votes Against | Broker Non-Votes |
| --- | --- | --- | --- |
| Ada Vik | 54,484 | 16,105 | 6,884 |
| Bo Holm | 53,001 | 17,100 | 6,885 |
"""


def test_the_longer_of_two_names_that_a_question_holds_is_meant() -> None:
    """Broker non-votes are no votes."""
    assert asked("How many broker non-votes did Ada Vik have?", VOTES).items[0].text == "6,884"
    assert asked("How many votes against did Bo Holm have?", VOTES).items[0].text == "17,100"


def test_the_day_of_another_year_is_another_column() -> None:
    """What stands at 31 December 2030 does not answer for 31 December 2031."""
    text = "# Trust\n\n| | December 31, 2029 | December 31, 2030 |\n| --- | --- | --- |\n| Total assets | 356 | 401 |\n"

    assert asked("What were the total assets at December 31, 2031?", text).items == ()
    assert asked("What were the total assets at December 31, 2030?", text).items[0].text == "401"


def test_a_share_of_a_figure_is_not_the_figure() -> None:
    """A row "Percentage of total revenue" does not say what the total revenue was."""
    text = (
        "# Fees\n\n| | 2031 | 2030 |\n| --- | --- | --- |\n| Total revenue | 900 | 800 |\n"
        "\n## Wages\n\n| | 2031 | 2030 |\n| --- | --- | --- |\n| Percentage of total revenue | 9% | 8% |\n"
    )

    assert asked("What was the total revenue in 2031?", text).items[0].text == "900"
    assert asked("What was the percentage of total revenue in 2031?", text).items[0].text == "9%"


def test_a_title_over_rows_is_no_empty_cell() -> None:
    """A row without any value names the rows below; the value of the figure may stand elsewhere."""
    text = (
        "# Trust\n\n| | 2031 | 2030 |\n| --- | --- | --- |\n| Inventories, net | | |\n| Ropes | 4 | 5 |\n"
        "\n## Summary\n\n| In all | 2031 | 2030 |\n| --- | --- | --- |\n| Inventories, net | 14 | 15 |\n"
    )

    assert asked("What were the inventories, net in 2031?", text).items[0].text == "14"


def test_several_years_of_one_figure_stand_side_by_side() -> None:
    """The values of the years that are asked for, in one row, each with its cite."""
    draft = asked("What were total assets in 2030 and 2031?")

    assert (draft.shape, draft.columns) == ("comparison", ("", "2030", "2031"))
    assert [item.text for item in draft.items] == ["Total assets | 8,800 | 9,310"]
    assert len(draft.items[0].quotes) == 2


def test_a_difference_of_two_years_is_that_of_the_later_from_the_earlier() -> None:
    """In whatever order the years are named."""
    for question in (
        "What is the difference between total assets in 2031 and 2030?",
        "What is the difference between total assets in 2030 and 2031?",
    ):
        value = asked(question).items[0].value
        assert isinstance(value, Quantity)
        assert value.number == "510"


def test_groups_beside_the_rows_do_not_name_them() -> None:
    """Where a column without a name stands before the names, the names are those of the rows."""
    text = (
        "# Scores\n\n| | Model | NQ | WQ |\n| --- | --- | --- | --- |\n| Closed | T5 | 34.5 | 37.4 |\n"
        "| Closed | T5-SSM | 36.6 | 44.7 |\n| | RAG-Token | 44.1 | 45.5 |\n| | RAG-Seq | 44.5 | 45.2 |\n"
    )
    draft = asked("Compare RAG-Token and RAG-Seq on NQ", text)

    assert [item.text for item in draft.items] == ["RAG-Token | 44.1", "RAG-Seq | 44.5"]


def test_a_figure_of_two_documents_stands_side_by_side() -> None:
    """A row a document, named by it, with what its table counts in; the verifier holds each cell to its document."""
    texts = {
        f"{name}-2031.md": f"# Balance sheet (in {scale})\n\n| | 2031 | 2030 |\n| --- | --- | --- |\n"
        f"| Total assets | {value} | 1 |\n"
        for name, value, scale in (("harbour", "9,310", "thousands"), ("lighthouse", "77", "millions"))
    }
    documents = {name: parsed(text, name) for name, text in texts.items()}
    lines = [replace(line, doc_id=name, doc_name=name) for name, one in documents.items() for line in read(one)]
    question = "Compare the total assets of the Harbour and the Lighthouse in 2031"
    draft = ExtractiveAnswerer().answer(brief_of(question, documents["harbour-2031.md"]), lines)
    found = verify(draft, {name: cited(text, name) for name, text in texts.items()})

    assert draft.columns == ("document", "row", "2031")
    assert [item.text for item in found.items] == [
        "harbour-2031.md | Total assets | 9,310",
        "lighthouse-2031.md | Total assets | 77",
    ]

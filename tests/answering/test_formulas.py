"""Values that take several steps: the formula of the question over cells that are cited, or nothing."""

import pytest
from msgspec.structs import replace
from tests.making import brief_of, cited, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Draft, Quantity
from pincite.verifying import verify

BOOKS = """# Harbour Trust

## Statement of income

| (in thousands) | 2031 | 2030 | 2029 |
| --- | --- | --- | --- |
| Net sales | 1,000 | 800 | 640 |
| Cost of sales | 600 | 520 | 440 |
| Operating income | 200 | 120 | 64 |

## Balance sheet

| (in thousands) | 2031 | 2030 |
| --- | --- | --- |
| Inventories | 90 | 70 |
| Accounts payable | 120 | 80 |
| Total assets | 2,000 | 1,000 |

## Statement of cash flows

| (in thousands) | 2031 | 2030 | 2029 |
| --- | --- | --- | --- |
| Depreciation and amortization | 50 | 40 | 32 |
| Inventories | (20) | (5) | 1 |
| Purchases of property and equipment | (150) | (80) | (32) |
"""


def asked(question: str, text: str = BOOKS) -> Draft:
    document = parsed(text)
    return ExtractiveAnswerer().answer(brief_of(question, document, "amount"), read(document))


@pytest.mark.parametrize(
    ("question", "number", "formula"),
    [
        (
            "What is the 2031 asset turnover? Asset turnover is defined as: 2031 revenue / (average total assets "
            "between 2030 and 2031).",
            "0.67",
            "([1] ÷ (([2] + [3]) ÷ 2))",
        ),
        (
            "What is the FY2031 days payable outstanding (DPO)? DPO is defined as: 365 * (average accounts payable "
            "between FY2030 and FY2031) / (FY2031 COGS + change in inventory between FY2030 and FY2031). Round to two "
            "decimals.",
            "58.87",
            "(365 × (([1] + [2]) ÷ 2) ÷ ([3] + ([5] − [4])))",
        ),
        ("What was the gross margin in 2031?", "40.0", "(([1] − [2]) ÷ [1]) × 100"),
        (
            "What is the 2029 to 2031 three year average operating income margin in percent?",
            "15.0",
            "((([1] ÷ [2]) + ([3] ÷ [4]) + ([5] ÷ [6])) ÷ 3) × 100",
        ),
        (
            "What is the 2030 to 2031 average of capex as a % of revenue?",
            "12.5",
            "(((−[1]) ÷ [2] + (−[3]) ÷ [4]) ÷ 2) × 100",
        ),
        ("What is the revenue CAGR from 2029 to 2031 in percent?", "25.0", "(([2] ÷ [1]) ^ (1 ÷ 2) − 1) × 100"),
        ("By how many percentage points did the gross margin change between 2030 and 2031?", "5.0", None),
        ("What was the EBITDA in 2031?", "250", "([1] + [2])"),
    ],
)
def test_several_steps_are_worked_out_from_cells(question: str, number: str, formula: str | None) -> None:
    """The formula stands with its operands, each cited by its cell, and the verifier comes to the same."""
    draft = asked(question)
    (item,) = verify(draft, {"note.md": cited(BOOKS)}).items

    assert isinstance(item.value, Quantity)
    assert item.value.number == number
    assert item.derivation is not None
    assert item.derivation.operator == "formula"
    assert formula in (None, item.derivation.formula)
    assert len(item.citations) == len(item.derivation.operands)


def test_a_balance_is_not_the_change_of_it() -> None:
    """Inventories of the balance sheet are meant, not those in the statement of cash flows."""
    (item,) = asked("What was inventories less accounts payable in 2031?").items

    assert item.derivation is not None
    assert item.derivation.operands == ("Inventories 2031: 90", "Accounts payable 2031: 120")


def test_the_usual_formula_is_said_and_a_stated_figure_comes_before_it() -> None:
    """Where a row states the margin it is quoted; else the answer says by which formula it was computed."""
    stated = BOOKS.replace("| Operating income |", "| Gross margin | 39% | 34% | 30% |\n| Operating income |")

    assert any("gross margin = " in caveat for caveat in asked("What was the gross margin in 2031?").caveats)
    assert asked("What was the gross margin in 2031?", stated).items[0].text == "39%"


@pytest.mark.parametrize(
    "changed",
    [
        ("| Cost of sales | 600 |", "| Cost of sales | |"),
        ("| Cost of sales |", "| Wages |"),
        ("## Balance sheet", "## Other\n\n| Part | 2031 |\n| --- | --- |\n| Cost of sales | 7 |\n\n## Balance sheet"),
    ],
)
def test_without_a_certain_operand_nothing_is_computed(changed: tuple[str, str]) -> None:
    """An empty cell is no zero and a figure that is not there is not replaced; the statement counts, not a part."""
    draft = asked("What was the gross margin in 2031?", BOOKS.replace(*changed))

    assert all(item.derivation is None for item in draft.items) or draft.items[0].text.startswith("40.0 %")


def test_figures_that_count_in_different_things_are_not_mixed() -> None:
    """A table that does not say what it counts in is not divided by one that counts in thousands."""
    text = BOOKS.replace("| (in thousands) | 2031 | 2030 |\n", "| | 2031 | 2030 |\n")
    draft = asked("What is revenue divided by (average total assets between 2030 and 2031) in 2031?", text)

    assert all(item.derivation is None for item in draft.items)


@pytest.mark.parametrize("number", ["40.1", "0.40", "60.0"])
def test_another_result_than_that_of_the_formula_fails(number: str) -> None:
    """The verifier works the formula out again from the cells."""
    draft = asked("What was the gross margin in 2031?")
    (item,) = draft.items
    assert isinstance(item.value, Quantity)
    wrong = replace(item, value=replace(item.value, number=number))

    assert verify(replace(draft, items=(wrong,)), {"note.md": cited(BOOKS)}).items == ()


def test_a_name_that_shares_its_word_comes_before_another() -> None:
    """Where a statement has total revenues and net sales, revenue is the total revenues."""
    text = BOOKS.replace(
        "| Cost of sales |",
        "| Membership income | 250 | 200 | 160 |\n| Total revenues | 1,250 | 1,000 | 800 |\n| Cost of sales |",
    )
    (item,) = asked("What was the operating margin in 2031?", text).items

    assert item.derivation is not None
    assert item.derivation.operands == ("Operating income 2031: 200", "Total revenues 2031: 1,250")

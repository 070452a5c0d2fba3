"""Formulas over cited numbers are worked out by the rules of arithmetic, or not at all."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.formulas import degree, evaluate, filled_in, operands_of

NUMBERS = [Decimal(80), Decimal(60), Decimal(4)]


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("[1] + [2] × [3]", 320),
        ("([1] − [2]) ÷ [1] × 100", 25),
        ("365 × (([1] + [2]) ÷ 2) ÷ [3]", Decimal("6387.5")),
        ("−[1] + (−[2])", -140),
        ("([1] ÷ [3]) ^ (1 ÷ 1) − 1", 19),
        ("[1] - [2] - [3]", 16),
    ],
)
def test_signs_bind_as_in_arithmetic(formula: str, result: int | Decimal) -> None:
    """Products before sums, from the left, and parentheses first."""
    assert evaluate(formula, NUMBERS) == result


@pytest.mark.parametrize("formula", ["", "[4]", "[1] ÷ ([2] − 60)", "[1] [2]", "([1]", "__import__", "[1] +", "1 ÷ 0"])
def test_what_is_no_formula_has_no_result(formula: str) -> None:
    """Neither has a division by zero."""
    assert evaluate(formula, NUMBERS) is None


@given(st.text(alphabet="[]()123+-×÷^ ", max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    """A formula of a stored answer may say anything."""
    result = evaluate(text, NUMBERS)

    assert result is None or result.is_finite()


def test_a_result_counts_as_its_operands_do_or_nothing() -> None:
    """Millions less millions are millions; over millions they are a number alone; times millions they are neither."""
    assert [degree(one, NUMBERS) for one in ("[1] − [2]", "[1] ÷ [2] × 100", "[1] × [2]")] == [1, 0, None]


def test_a_formula_is_shown_with_the_figures_of_the_source() -> None:
    """Every operand is named once, in whatever order it stands."""
    assert filled_in("[2] ÷ ([1] + [2])", ["9,310", "(35)"]) == "(35) ÷ (9,310 + (35))"
    assert operands_of("[2] ÷ ([1] + [2])") == (1, 2)

"""Every number, date and currency of an item is parsed again from its quotes."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pincite.types.answer import Cells, DateValue, Derivation, DraftItem, Quantity, Truth, Value
from pincite.verifying.values import check_values


def checked(text: str, quote: str, value: Value | None = None, derivation: Derivation | None = None) -> str:
    return check_values(DraftItem(text=text, quotes=(), value=value, derivation=derivation), [quote])


QUOTE = "Lock 4 is 3.2 m deep, cost $5 million and was rebuilt on 12 May 1996."


@pytest.mark.parametrize(
    ("text", "value", "outcome"),
    [
        ("3.2 m", Quantity(number="3.2", unit="m"), "passed"),
        ("3.2 m", Quantity(number="3.20", unit="m"), "passed"),
        ("3.2 m", Quantity(number="3.2"), "passed"),
        ("3.2 m", Quantity(number="3.2", unit="km"), "failed"),
        ("3.2 m", Quantity(number="3.3", unit="m"), "failed"),
        ("3.2 m", Quantity(number="-3.2", unit="m"), "failed"),
        ("$5 million", Quantity(number="5", scale="million", currency="USD"), "passed"),
        ("$5 million", Quantity(number="5", currency="USD"), "failed"),
        ("$5 million", Quantity(number="5", scale="billion", currency="USD"), "failed"),
        ("$5 million", Quantity(number="5", scale="million", currency="EUR"), "failed"),
        ("1996", DateValue(iso="1996-05-12", original="12 May 1996"), "passed"),
        ("on 12 May", DateValue(iso="1996-05-12", original="12 May 1996"), "passed"),
        ("in May", DateValue(iso="1996-12-05", original="12 May 1996"), "failed"),
        ("in May", DateValue(iso="1996-05-02", original="2 May 1996"), "failed"),
        ("it is 3.2 km deep", None, "failed"),
        ("it is 3.2 metres deep", None, "passed"),
        ("it cost $5 billion", None, "failed"),
        ("it cost €5 million", None, "failed"),
        ("rebuilt in 1996", None, "passed"),
        ("1997", None, "failed"),
        ("in May 1997", None, "failed"),
        ("rebuilt on 12 May 1996", None, "passed"),
        ("rebuilt on 13 May 1996", None, "failed"),
        ("May 13th", DateValue(iso="1996-05-13", original="13 May 1996"), "failed"),
        ("It is 4.1 m deep.", None, "failed"),
        ("It is deep.", None, "none"),
        ("It is deep.", Truth(value=True), "none"),
        ("row", Cells(cells=("3.2 m", "")), "passed"),
        ("row", Cells(cells=("3.2 m", "650")), "failed"),
    ],
)
def test_values_stand_in_their_quotes(text: str, value: Value | None, outcome: str) -> None:
    """Number, unit, scale, currency and date have to be those of the quote; words alone need no check."""
    assert checked(text, QUOTE, value) == outcome


@given(st.integers(0, 9999), st.integers(0, 9999))
def test_a_changed_number_always_fails(right: int, claimed: int) -> None:
    """Whatever two numbers differ, one is never accepted for the other."""
    assume(right != claimed)
    quote = f"The gates weigh {right} kg in all."
    assert checked(f"{right} kg", quote, Quantity(number=str(right), unit="kg")) == "passed"
    assert checked(f"{claimed} kg", quote, Quantity(number=str(claimed), unit="kg")) == "failed"
    assert checked(f"They weigh {claimed} kg.", quote) == "failed"


@pytest.mark.parametrize(
    ("number", "operands", "operator", "outcome"),
    [
        ("3", ("a", "b", "c"), "count", "passed"),
        ("4", ("a", "b", "c"), "count", "failed"),
        ("3", ("1", "2"), "sum", "failed"),
    ],
)
def test_a_count_counts_its_operands(number: str, operands: tuple[str, ...], operator: str, outcome: str) -> None:
    """A computed value is accepted only when it can be computed again."""
    derivation = Derivation(operator=operator, operands=operands)  # type: ignore[arg-type]
    assert checked(number, "a b c", Quantity(number=number), derivation) == outcome


def test_an_empty_cell_is_not_its_neighbour() -> None:
    """A row without a torque bears out no torque, whatever else stands in it: the number has another unit or name."""
    row = "HX-40  650 h  B1"
    assert checked("HX-40: 18 Nm", row, Quantity(number="18", unit="Nm")) == "failed"
    assert checked("650 Nm", row, Quantity(number="650", unit="Nm")) == "failed"
    assert checked("650 h", row, Quantity(number="650", unit="h")) == "passed"

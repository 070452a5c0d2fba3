"""Amounts as they are written and as what they mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.amounts import find_quantities, plain_number

Parts = tuple[str, str | None, str | None, str | None]


def parts(text: str) -> list[Parts]:
    return [(q.value.number, q.value.unit, q.value.scale, q.value.currency) for q in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("3.2 m", [("3.2", "m", None, None)]),
        ("1,250 kg", [("1250", "kg", None, None)]),
        ("1\u202f250,5 kg", [("1250.5", "kg", None, None)]),
        ("$5 million", [("5", None, "million", "USD")]),
        ("US$ 3.5bn", [("3.5", None, "billion", "USD")]),
        ("340 crowns", [("340", None, None, "crowns")]),
        ("€12.50", [("12.50", None, None, "EUR")]),
        ("40 %", [("40", "%", None, None)]),
        ("40%", [("40", "%", None, None)]),
        ("a gap of −4 mm", [("-4", "mm", None, None)]),
        ("-20 °C", [("-20", "°C", None, None)]),
        ("twenty-one boats", [("21", "boats", None, None)]),
        ("two berths", [("2", "berths", None, None)]),
        ("三百元", [("300", None, None, "CNY")]),
        ("12 and more", [("12", None, None, None)]),
        ("5 million people", [("5", "people", "million", None)]),
        ("1.234,50 €", [("1234.50", None, None, "EUR")]),
        ("1.000 Euro", [("1000", None, None, "EUR")]),
        ("1.234.567 people", [("1234567", "people", None, None)]),
        ("2 Mio. Euro", [("2", None, "million", "EUR")]),
        ("CHF 1'234.50", [("1234.50", None, None, "CHF")]),
        ("1e-5 m", [("1e-5", "m", None, None)]),
        ("3×10⁻⁵ mol", [("3e-5", "mol", None, None)]),
        ("10^6 cells", [("1e6", "cells", None, None)]),
        ("1½ cups", [("1.5", "cups", None, None)]),
        ("5 square metres", [("5", "square metres", None, None)]),
        ("40 mAh", [("40", "mAh", None, None)]),
        ("Gate 4 holds 11 tonnes", [("4", None, None, None), ("11", "tonnes", None, None)]),
        ("Contract 15 has", [("15", None, None, None)]),
        ("Gate 1 must close", [("1", None, None, None)]),
        ("Crew: 9\nStatus: docked", [("9", None, None, None)]),
        ("sixty\nArchive", [("60", None, None, None)]),
        ("two watch-keepers", [("2", "watch-keepers", None, None)]),
        ("1 lantern", [("1", "lantern", None, None)]),
        ("3 lantern", [("3", None, None, None)]),
        ("Es gibt 24 Geräte", [("24", "Geräte", None, None)]),
        ("vier Boote sind da", [("4", "Boote", None, None)]),
        ("HX40 rope", []),
        ("node.js v2.10.1", []),
        ("no amount", []),
    ],
)
def test_amounts_with_unit_scale_and_currency(text: str, amounts: list[Parts]) -> None:
    """Number, unit, scale and currency are read apart; parts of codes are no amounts."""
    assert parts(text) == amounts


@given(st.integers(0, 10**9), st.sampled_from([",", "\u00a0", "\u202f", "’"]))
def test_thousands_marks_do_not_count(number: int, mark: str) -> None:
    """A number means the same with any thousands mark."""
    written = f"{number:,}".replace(",", mark)
    assert [q.value.number for q in find_quantities(f"it is {written} kg")] == [str(number)]
    assert plain_number(written) == str(number)


@given(st.decimals(0, 10**6, places=2))
def test_digits_are_kept_as_written(number: object) -> None:
    """Nothing is rounded: trailing zeros stay."""
    written = f"{number:.2f}"
    found = find_quantities(f"exactly {written} m")
    assert [(q.value.number, q.value.unit) for q in found] == [(written, "m")]


def test_spans_hold_the_number_and_reach_to_the_unit() -> None:
    """The place of a number and of its unit in the text are known."""
    text = "about 1,250 kg net"
    (found,) = find_quantities(text)
    assert text[found.span.start : found.span.end] == "1,250"
    assert text[found.span.start : found.end] == "1,250 kg"

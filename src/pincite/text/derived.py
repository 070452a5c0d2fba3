"""Values computed from others: sum, difference, ratio, mean, change in percent; and numbers with their scale."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from pincite.text.amounts import CURRENCIES, SCALES

_FACTORS: Final = {
    None: Decimal(1), "thousand": Decimal(1000), "million": Decimal(10) ** 6, "billion": Decimal(10) ** 9,
    "trillion": Decimal(10) ** 12,
}  # fmt: skip


def derived(operator: str, numbers: Sequence[Decimal]) -> Decimal | None:
    """Return what an operator of `Derivation` makes of numbers; `None` where it can not be computed.

    >>> derived("change", [Decimal(80), Decimal(100)]), derived("ratio", [Decimal(3), Decimal(0)])
    (Decimal('25.00'), None)
    """
    if len(numbers) < 2:
        return None
    first, second = numbers[0], numbers[1]
    match operator:
        case "sum":
            return sum(numbers, Decimal(0))
        case "difference":
            return first - sum(numbers[1:], Decimal(0))
        case "mean":
            return sum(numbers, Decimal(0)) / len(numbers)
        case "ratio" if len(numbers) == 2 and second:
            return first / second
        case "change" if len(numbers) == 2 and first:
            return (second - first) / abs(first) * 100
        case _:
            return None


def rounded(number: Decimal, places: int) -> Decimal:
    """Return a number with so many decimals, halves rounded away from zero as accounts do.

    >>> rounded(Decimal("36.5"), 0), rounded(Decimal("-0.125"), 2)
    (Decimal('37'), Decimal('-0.13'))
    """
    return number.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def scale_of(scale: str | None) -> str | None:
    """Return the scale of a table ("millions", "thousands") as amounts name it: "million", "thousand"."""
    return SCALES.get(scale.lower()) if scale else None


def factor_of(scale: str | None) -> Decimal:
    """Return the number that a scale of an amount stands for; 1 for none."""
    return _FACTORS.get(scale, Decimal(1))


def currency_of(unit: str | None) -> str | None:
    """Return the code of the currency that a table counts in ("$", "euros"), `None` when its unit is none.

    >>> currency_of("dollars"), currency_of("percent")
    ('USD', None)
    """
    if not unit:
        return None
    return CURRENCIES.get(unit) or CURRENCIES.get(unit.lower().replace("u.s. ", "").replace("us ", ""))

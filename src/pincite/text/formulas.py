"""Formulas over numbers that are cited: "365 × ([1] + [2]) ÷ 2", where [1] is the first operand."""

import re
from collections.abc import Sequence
from decimal import Decimal, DecimalException
from typing import Final

_TOKEN: Final = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|\[(?P<operand>\d{1,3})\]|(?P<sign>[-+−*×/÷()^]))")
#: A longer formula is none that a question asks for (characters).
_LONGEST: Final = 1000
_SIGNS: Final = {"-": "−", "*": "×", "/": "÷"}


class _MalformedError(Exception):
    """The text is no formula."""


def evaluate(formula: str, operands: Sequence[Decimal]) -> Decimal | None:
    """Return what a formula makes of its operands; `None` where it is none, or divides by zero.

    >>> evaluate("([1] − [2]) ÷ [1] × 100", [Decimal(80), Decimal(60)])
    Decimal('25.00')
    """
    try:
        value, rest = _sum(_tokens(formula), operands)
    except (_MalformedError, DecimalException):
        return None
    return value if not rest and value.is_finite() else None


def degree(formula: str, operands: Sequence[Decimal]) -> int | None:
    """Return 0 for a formula whose result counts nothing (a ratio), 1 for one that counts as its operands do.

    `None` for any other: a product of amounts, a sum of an amount and a ratio.

    >>> numbers = [Decimal(80), Decimal(60)]
    >>> degree("[1] ÷ [2] × 100", numbers), degree("[1] − [2]", numbers), degree("[1] × [2]", numbers)
    (0, 1, None)
    """
    once, tenfold = evaluate(formula, operands), evaluate(formula, [10 * number for number in operands])
    if not once or tenfold is None:
        return 1 if once is not None and tenfold == once else None
    steps = round(tenfold / once, 12)
    return {Decimal(1): 0, Decimal(10): 1}.get(steps)


def operands_of(formula: str) -> tuple[int, ...]:
    """Return the numbers of the operands that a formula uses, each once, in their order.

    >>> operands_of("([2] − [1]) ÷ [2]")
    (1, 2)
    """
    return tuple(sorted({int(number) for number in re.findall(r"\[(\d{1,3})\]", formula)}))


def filled_in(formula: str, texts: Sequence[str]) -> str:
    """Return a formula with the figures of its source in place of its operands, a negative one in parentheses."""
    return re.sub(r"\[(\d{1,3})\]", lambda match: texts[int(match[1]) - 1], formula)


def _tokens(formula: str) -> list[str]:
    tokens, at = [], 0
    text = formula.rstrip()
    if len(text) > _LONGEST:
        raise _MalformedError
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _MalformedError
        tokens.append(f"[{match['operand']}" if match["operand"] else match["number"] or match["sign"])
        at = match.end()
    return [_SIGNS.get(token, token) for token in tokens]


def _sum(tokens: list[str], operands: Sequence[Decimal]) -> tuple[Decimal, list[str]]:
    value, rest = _product(tokens, operands)
    while rest and rest[0] in "+−":
        other, after = _product(rest[1:], operands)
        value = value + other if rest[0] == "+" else value - other
        rest = after
    return value, rest


def _product(tokens: list[str], operands: Sequence[Decimal]) -> tuple[Decimal, list[str]]:
    value, rest = _power(tokens, operands)
    while rest and rest[0] in "×÷":
        other, after = _power(rest[1:], operands)
        value = value * other if rest[0] == "×" else value / other
        rest = after
    return value, rest


def _power(tokens: list[str], operands: Sequence[Decimal]) -> tuple[Decimal, list[str]]:
    value, rest = _one(tokens, operands)
    if rest and rest[0] == "^":
        other, rest = _one(rest[1:], operands)
        value = value**other
    return value, rest


def _one(tokens: list[str], operands: Sequence[Decimal]) -> tuple[Decimal, list[str]]:
    if not tokens:
        raise _MalformedError
    first, rest = tokens[0], tokens[1:]
    if first == "−":
        value, rest = _one(rest, operands)
        return -value, rest
    if first == "(":
        value, rest = _sum(rest, operands)
        if not rest or rest[0] != ")":
            raise _MalformedError
        return value, rest[1:]
    if first.startswith("["):
        number = int(first[1:])
        if not 0 < number <= len(operands):
            raise _MalformedError
        return operands[number - 1], rest
    if first[0].isdigit():
        return Decimal(first), rest
    raise _MalformedError

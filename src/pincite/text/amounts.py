"""Numbers and amounts in text, as they are written and as what they mean."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pincite.text.units import unit_name
from pincite.types.answer import Quantity
from pincite.types.citation import Span

_UNITS_EN: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS_EN: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS: Final[dict[str, int]] = {
    **{w: i for i, w in enumerate(_UNITS_EN)},
    **{w: 10 * (i + 2) for i, w in enumerate(_TENS_EN)},
    **{f"{t}-{u}": 10 * (i + 2) + j for i, t in enumerate(_TENS_EN) for j, u in enumerate(_UNITS_EN[:10]) if j},
    "dozen": 12, "once": 1, "twice": 2, "thrice": 3, "half": 0, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_CJK_DIGITS: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CJK_TENS: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}

CURRENCIES: Final[dict[str, str]] = {
    "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "usd": "USD", "eur": "EUR",
    "gbp": "GBP", "chf": "CHF", "jpy": "JPY", "dollars": "USD", "dollar": "USD", "euros": "EUR", "euro": "EUR",
    "pounds": "GBP", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "crowns": "crowns", "crown": "crowns",
    "kronor": "SEK", "kroner": "NOK", "yen": "JPY", "元": "CNY", "cad": "CAD", "aud": "AUD", "cny": "CNY",
}  # fmt: skip
SCALES: Final[dict[str, str]] = {
    "thousand": "thousand", "thousands": "thousand", "million": "million", "millions": "million", "mn": "million",
    "billion": "billion", "billions": "billion", "bn": "billion", "trillion": "trillion", "k": "thousand",
}  # fmt: skip

_NUMBER: Final = r"(?:\d{1,3}(?:[,\u00a0\u202f\u2009 ’']\d{3})+(?!\d)|\d+)(?:[.,]\d+)?"
_DIGITS: Final = re.compile(
    rf"(?<![\w.])(?P<sign>[-−+±](?=[\d$€£¥]))?(?P<currency>US\$|[$€£¥₹])?\s?(?P<number>{_NUMBER}|\.\d+)(?![\d])"
)
_WORDS: Final = re.compile(
    r"(?<![\w-])(?:" + "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + r")(?![\w]|-\w)", re.IGNORECASE
)
_CJK: Final = re.compile("[" + "".join((*_CJK_DIGITS, *_CJK_TENS)) + "]+")
_AFTER: Final = re.compile(r"\s?(%|[$€£¥₹]|°[CF]?|[^\W\d_]+(?:/[^\W\d_]+)?|[元])")
_AFTER_SCALE: Final = re.compile(r"[\s-]+([^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class QuantityAt:
    """An amount, where its number stands (`span`), and up to where its unit reaches (`end`)."""

    span: Span
    end: int
    value: Quantity
    in_words: bool = False


def find_quantities(text: str) -> tuple[QuantityAt, ...]:
    """Return the amounts in `text`, in order; numbers keep the digits of the source, without thousands marks.

    >>> [(q.value.number, q.value.unit) for q in find_quantities("two berths, 1,250 kg and 40 %")]
    [('2', 'berths'), ('1250', 'kg'), ('40', '%')]
    """
    found = [*_digits(text), *_in_words(text), *_cjk(text)]
    return tuple(sorted(found, key=lambda q: q.span.start))


def _digits(text: str) -> Iterator[QuantityAt]:
    for match in _DIGITS.finditer(text):
        sign = (match["sign"] or "").replace("−", "-").replace("+", "").replace("±", "")
        start, end = match.span("number")
        tail = _tail(text, end)
        currency = CURRENCIES.get(match["currency"] or "") or tail.currency
        value = Quantity(
            number=sign + plain_number(match["number"]), unit=tail.unit, scale=tail.scale, currency=currency
        )
        yield QuantityAt(Span(start=match.start() if sign else start, end=end), tail.end, value)


def plain_number(written: str) -> str:
    """Return a written number with a decimal point and without thousands marks.

    >>> [plain_number(n) for n in ("1,250", "1 250,5", "0,5", "3.2", "12,345.60")]
    ['1250', '1250.5', '0.5', '3.2', '12345.60']
    """
    compact = re.sub(r"[\s\u00a0\u202f\u2009’']", "", written)
    if "," in compact and "." in compact:
        thousands, point = (",", ".") if compact.rfind(".") > compact.rfind(",") else (".", ",")
        compact = compact.replace(thousands, "").replace(point, ".")
    elif re.fullmatch(r"\d{1,3}(,\d{3})+", compact):
        compact = compact.replace(",", "")
    else:
        compact = compact.replace(",", ".")
    return "0" + compact if compact.startswith(".") else compact


def _in_words(text: str) -> Iterator[QuantityAt]:
    for match in _WORDS.finditer(text):
        word = match.group().lower()
        if word in {"hundred", "thousand", "half"}:
            continue
        tail = _tail(text, match.end())
        value = Quantity(number=str(NUMBER_WORDS[word]), unit=tail.unit, scale=tail.scale, currency=tail.currency)
        yield QuantityAt(Span(start=match.start(), end=match.end()), tail.end, value, in_words=True)


def _cjk(text: str) -> Iterator[QuantityAt]:
    for match in _CJK.finditer(text):
        number = _cjk_number(match.group())
        unit = text[match.end() : match.end() + 1]
        currency = CURRENCIES.get(unit)
        value = Quantity(number=str(number), unit=None if currency else unit or None, currency=currency)
        yield QuantityAt(Span(start=match.start(), end=match.end()), match.end() + len(unit), value, in_words=True)


def _cjk_number(written: str) -> int:
    total, section, digit = 0, 0, 0
    for char in written:
        if char in _CJK_DIGITS:
            digit = _CJK_DIGITS[char]
        elif _CJK_TENS[char] < 10_000:
            section += (digit or 1) * _CJK_TENS[char]
            digit = 0
        else:
            total += (section + digit or 1) * _CJK_TENS[char]
            section = digit = 0
    return total + section + digit


@dataclass(frozen=True, slots=True)
class _Tail:
    unit: str | None
    scale: str | None
    currency: str | None
    end: int


#: Words after a number that are no unit.
_NO_UNIT: Final = frozenset(
    """and or to in on at of for from by with per the a an is are was were be has have had will until than as that
    which who after before between when where if but not no so more less times""".split()
)


def _tail(text: str, end: int) -> _Tail:
    match = _AFTER.match(text, end)
    if match is None:
        return _Tail(None, None, None, end)
    word, scale, at = match.group(1), None, match.end()
    if word.lower() in SCALES and not (word == "k" and text[end : end + 1] == " "):
        scale, after = SCALES[word.lower()], _AFTER_SCALE.match(text, at)
        if after is None or after.group(1).lower() in _NO_UNIT:
            return _Tail(None, scale, None, at)
        word, at = after.group(1), after.end()
    if word.lower() in _NO_UNIT and unit_name(word) is None:
        return _Tail(None, scale, None, end if scale is None else match.end())
    if (currency := CURRENCIES.get(word) or CURRENCIES.get(word.lower())) is not None:
        return _Tail(None, scale, currency, at)
    return _Tail(word, scale, None, at)

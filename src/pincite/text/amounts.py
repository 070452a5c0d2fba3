"""Numbers and amounts in text, as they are written and as what they mean."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pincite.text.counted import unit_after
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
    **{w: i + 2 for i, w in enumerate("zwei drei vier fünf sechs sieben acht neun zehn".split())}, "zwölf": 12,
    **{w: i + 13 for i, w in enumerate("dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split())},
    "zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70, "achtzig": 80,
    "neunzig": 90, "elf": 11, "hundert": 100, "tausend": 1000, "treize": 13, "quatorze": 14, "quinze": 15, "vingt": 20,
    "trente": 30,
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "huit": 8, "dix": 10, "onze": 11, "douze": 12,
    "dozen": 12, "once": 1, "twice": 2, "thrice": 3, "half": 0, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_CJK_DIGITS: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CJK_TENS: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}

CURRENCIES: Final[dict[str, str]] = {
    "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "usd": "USD", "eur": "EUR",
    "gbp": "GBP", "chf": "CHF", "jpy": "JPY", "dollars": "USD", "dollar": "USD", "euros": "EUR", "euro": "EUR",
    "pounds": "GBP", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "crowns": "crowns", "crown": "crowns",
    "kronor": "SEK", "kroner": "NOK", "yen": "JPY", "元": "CNY", "cad": "CAD", "aud": "AUD", "cny": "CNY",
    "franken": "CHF", "francs": "francs", "franc": "francs", "kč": "CZK", "czk": "CZK", "pln": "PLN", "zł": "PLN",
    "rs": "INR", "inr": "INR", "rupees": "INR", "kronen": "crowns", "dólares": "USD", "cents": "cents",
    "pence": "pence", "pound": "GBP", "sterling": "GBP", "美元": "USD", "欧元": "EUR",
}  # fmt: skip
SCALES: Final[dict[str, str]] = {
    "thousand": "thousand", "thousands": "thousand", "million": "million", "millions": "million", "mn": "million",
    "billion": "billion", "billions": "billion", "bn": "billion", "trillion": "trillion", "k": "thousand",
    "tausend": "thousand", "tsd": "thousand", "mio": "million", "mill": "million", "millionen": "million",
    "mrd": "billion", "milliarde": "billion", "milliarden": "billion", "milliard": "billion", "milliards": "billion",
    "millones": "million", "milioni": "million", "miljoen": "million", "trillions": "trillion", "tn": "trillion",
}  # fmt: skip

_NUMBER: Final = (
    r"(?:\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2}(?!\.?\d)"  # 1.234,50 and 1.234.567
    r"|(?:\d{1,3}(?:[,\u00a0\u202f\u2009 ’']\d{3})+(?!\d)|\d+)(?:[.,]\d+)?)"
)
_EXPONENT: Final = (
    r"(?:[eE][-+−]?\d{1,3}(?!\w)|\s?[×x·*⋅]\s?10(?:\^[-−+]?\d{1,3}|[⁻⁺]?[⁰¹²³⁴-⁹]+)"
    r"|(?<=10)(?<!\d10)(?:\^[-−+]?\d{1,3}|⁻[⁰¹²³⁴-⁹]+))"
)
_FRACTIONS: Final = {"½": "5", "¼": "25", "¾": "75", "⅓": "333", "⅔": "667", "⅕": "2", "⅛": "125"}
#: Codes and signs of currencies that stand before a number.
_BEFORE: Final = r"US\$|[$€£¥₹]|(?:CHF|EUR|USD|GBP|SEK|NOK|DKK|JPY|CNY|CAD|AUD|CZK|PLN|INR|Kč|Rs)(?=\.?\s?\d)\.?"
_DIGITS: Final = re.compile(
    rf"(?<![\w.])(?P<sign>[-−+±](?=[\d$€£¥]))?(?P<currency>{_BEFORE})?\s?"
    rf"(?P<number>{_NUMBER}|\.\d+)(?P<exponent>{_EXPONENT})?(?P<fraction>[½¼¾⅓⅔⅕⅛])?(?![\d])"
)
_FRACTION: Final = re.compile(r"(?<![\w.])[½¼¾⅓⅔⅕⅛](?!\d)")
_WORDS: Final = re.compile(
    r"(?<![\w-])(?:" + "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + r")(?![\w]|-\w)", re.IGNORECASE
)
_CJK: Final = re.compile("[" + "".join((*_CJK_DIGITS, *_CJK_TENS)) + "]+")
_AFTER: Final = re.compile(r"[ \t\u00a0\u202f\u2009]?(%|[$€£¥₹]|[^\W\d_]+|[元])")
_AFTER_SCALE: Final = re.compile(r"\.?[ \t\u00a0\u202f-]+(?=([^\W\d_]+|[$€£¥₹]))")


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
    found = [*_digits(text), *_fractions(text), *_in_words(text), *_cjk(text)]
    return tuple(sorted(found, key=lambda q: q.span.start))


def _digits(text: str) -> Iterator[QuantityAt]:
    for match in _DIGITS.finditer(text):
        sign = (match["sign"] or "").replace("−", "-").replace("+", "").replace("±", "")
        start, end = match.start("number"), match.end()
        number = plain_number(match["number"])
        tail = _tail(text, end, number)
        before = (match["currency"] or "").rstrip(".")
        currency = CURRENCIES.get(before) or CURRENCIES.get(before.lower()) or tail.currency
        if currency is not None and re.fullmatch(r"\d{1,3}\.\d{3}", match["number"]):
            number = number.replace(".", "")  # sums of money have no thousandths: 1.000 Euro
        if match["fraction"] and "." not in number:
            number = f"{number}.{_FRACTIONS[match['fraction']]}"
        number = sign + _with_exponent(number, match["exponent"] or "")
        value = Quantity(number=number, unit=tail.unit, scale=tail.scale, currency=currency)
        yield QuantityAt(Span(start=match.start() if sign else start, end=end), tail.end, value)


def _with_exponent(number: str, written: str) -> str:
    """Return "3e-5" for 3×10⁻⁵, "1e6" for 10^6."""
    if not written:
        return number
    plain = unicodedata.normalize("NFKC", written).replace("−", "-")
    exponent = re.search(r"[-+]?\d+$", plain)
    mantissa = number if re.match(r"[eE]|\s?[×x·*⋅]", written) else "1"
    return f"{mantissa}e{int(exponent.group())}" if exponent else number


def _fractions(text: str) -> Iterator[QuantityAt]:
    for match in _FRACTION.finditer(text):
        tail = _tail(text, match.end(), "1")
        number = "0." + _FRACTIONS[match.group()]
        value = Quantity(number=number, unit=tail.unit, scale=tail.scale, currency=tail.currency)
        yield QuantityAt(Span(start=match.start(), end=match.end()), tail.end, value)


def plain_number(written: str) -> str:
    """Return a written number with a decimal point and without thousands marks.

    >>> [plain_number(n) for n in ("1,250", "1 250,5", "0,5", "3.2", "12,345.60")]
    ['1250', '1250.5', '0.5', '3.2', '12345.60']
    """
    compact = re.sub(r"[\s\u00a0\u202f\u2009’']", "", written)
    if "," in compact and "." in compact:
        thousands, point = (",", ".") if compact.rfind(".") > compact.rfind(",") else (".", ",")
        compact = compact.replace(thousands, "").replace(point, ".")
    elif re.fullmatch(r"\d{1,3}(,\d{3})+|\d{1,3}(\.\d{3}){2,}", compact):
        compact = compact.replace(",", "").replace(".", "")
    else:
        compact = compact.replace(",", ".")
    return "0" + compact if compact.startswith(".") else compact


def _in_words(text: str) -> Iterator[QuantityAt]:
    for match in _WORDS.finditer(text):
        word = match.group().lower()
        if word in {"hundred", "thousand", "half"}:
            continue
        tail = _tail(text, match.end(), str(NUMBER_WORDS[word]))
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


def _tail(text: str, end: int, number: str) -> _Tail:
    """Return scale and currency or unit that follow a number on its line."""
    match = _AFTER.match(text, end)
    if match is None:
        found = unit_after(text, end, number)
        return _Tail(found[0], None, None, found[1]) if found else _Tail(None, None, None, end)
    word, scale, at = match.group(1), None, match.end()
    if word.lower() in SCALES and not (word in "kK" and text[end : end + 1].isspace()):
        scale, at = SCALES[word.lower()], match.end()
        after = _AFTER_SCALE.match(text, at)
        if after is None:
            return _Tail(None, scale, None, at)
        word, end = after.group(1), after.end()
        before, number = end, "2"
    else:
        before = match.start(1)
    if (currency := CURRENCIES.get(word) or CURRENCIES.get(word.lower())) is not None:
        return _Tail(None, scale, currency, before + len(word))
    found = unit_after(text, end, number)
    return _Tail(found[0], scale, None, found[1]) if found else _Tail(None, scale, None, at if scale else end)

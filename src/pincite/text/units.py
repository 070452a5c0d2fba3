"""Units of measure: symbols and names (SI brochure, 9th edition, and common others)."""

import unicodedata
from typing import Final

_PREFIXES: Final = {"k": "kilo", "M": "mega", "G": "giga", "T": "tera", "m": "milli", "μ": "micro", "n": "nano",
                    "c": "centi", "p": "pico"}  # fmt: skip
_PREFIXED: Final = {"Ω": "ohm", "V": "volt", "A": "ampere", "W": "watt", "m": "meter", "g": "gram", "Hz": "hertz",
                    "Pa": "pascal", "N": "newton", "J": "joule", "s": "second", "l": "liter", "L": "liter",
                    "F": "farad", "B": "byte", "b": "bit", "bit": "bit", "bar": "bar"}  # fmt: skip
_OTHERS: Final = {"%": "percent", "°C": "degree celsius", "°F": "degree fahrenheit", "°": "degree", "t": "tonne",
                  "h": "hour", "min": "minute", "d": "day", "ft": "foot", "in": "inch", "mi": "mile", "lb": "pound",
                  "kn": "knot", "dB": "decibel", "rpm": "revolution"}  # fmt: skip


def _names() -> dict[str, str]:
    names = dict(_OTHERS)
    for symbol, name in _PREFIXED.items():
        names[symbol] = name
        names.update({prefix + symbol: long + name for prefix, long in _PREFIXES.items()})
    return names


#: Symbol → name, with the prefix spelt out: kΩ → kiloohm. Micro is U+03BC, ohm is U+03A9.
UNIT_NAMES: Final[dict[str, str]] = _names()
#: Names in the singular that count as units after a number.
UNIT_WORDS: Final[frozenset[str]] = frozenset(UNIT_NAMES.values())


def unit_name(symbol: str) -> str | None:
    """Return the name of a unit symbol, or `None`. Micro and ohm signs of either code point are known.

    >>> unit_name("kΩ"), unit_name("µm"), unit_name("xyz")
    ('kiloohm', 'micrometer', None)
    """
    return UNIT_NAMES.get(symbol if symbol.isascii() else unicodedata.normalize("NFKC", symbol))

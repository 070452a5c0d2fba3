"""Units of measure: symbols and names (SI brochure, 9th edition, and common others)."""

import unicodedata
from typing import Final

_PREFIXES: Final = {"k": "kilo", "M": "mega", "G": "giga", "T": "tera", "m": "milli", "μ": "micro", "n": "nano",
                    "c": "centi", "p": "pico", "h": "hecto", "d": "deci"}  # fmt: skip
_PREFIXED: Final = {"Ω": "ohm", "V": "volt", "A": "ampere", "W": "watt", "m": "meter", "g": "gram", "Hz": "hertz",
                    "Pa": "pascal", "N": "newton", "J": "joule", "s": "second", "l": "liter", "L": "liter",
                    "F": "farad", "B": "byte", "b": "bit", "bit": "bit", "bar": "bar", "mol": "mole", "cd": "candela",
                    "Wh": "watthour", "Ah": "amperehour", "VA": "voltampere", "eV": "electronvolt", "cal": "calorie",
                    "Bq": "becquerel", "Sv": "sievert", "Gy": "gray", "lm": "lumen", "lx": "lux",
                    "Wb": "weber"}  # fmt: skip
_OTHERS: Final = {"%": "percent", "‰": "per mille", "°C": "degree celsius", "°F": "degree fahrenheit", "°": "degree",
                  "t": "tonne", "K": "kelvin", "h": "hour", "min": "minute", "d": "day", "ft": "foot", "in": "inch",
                  "mi": "mile", "lb": "pound", "lbs": "pound", "oz": "ounce", "kn": "knot", "dB": "decibel",
                  "rpm": "revolution", "ha": "hectare", "yd": "yard", "psi": "pound-force", "ppm": "part per million",
                  "ppb": "part per billion", "mph": "mile per hour", "kph": "kilometer per hour", "hp": "horsepower",
                  "PS": "horsepower", "Nm": "newton meter", "kNm": "kilonewton meter", "m²": "square meter",
                  "m³": "cubic meter", "km²": "square kilometer", "cm²": "square centimeter", "cm³": "cubic centimeter",
                  "mm²": "square millimeter", "mm³": "cubic millimeter", "sec": "second", "hrs": "hour", "hr": "hour",
                  "mins": "minute", "secs": "second", "nmi": "nautical mile", "dpi": "dot per inch", "px": "pixel",
                  "rad": "radian", "sr": "steradian", "fps": "frame per second", "KiB": "kibibyte", "MiB": "mebibyte",
                  "GiB": "gibibyte", "kBit": "kilobit", "Mbit": "megabit", "Gbit": "gigabit", "hPa": "hectopascal",
                  "dl": "deciliter", "cl": "centiliter", "pt": "point", "Std": "hour", "Uhr": "clock"}  # fmt: skip
_OTHER_WORDS: Final = frozenset(
    """week month year decade century quarter night weekday weekend foot feet inch inches mile yard acre hectare gallon
    pint quart ounce pound stone ton tonne degree celsius fahrenheit kelvin knot percent point fathom league furlong
    cup teaspoon tablespoon page word character point pixel megapixel litre metre liter meter kilometre centimetre
    millimetre micrometre nanometre kilometer centimeter millimeter micrometer nanometer kilogram kilogramme gramme
    milligram microgram milliliter millilitre kilowatt megawatt gigawatt kilovolt kilobyte megabyte gigabyte terabyte
    kilohertz megahertz gigahertz millisecond microsecond nanosecond hour minute second day megaohm kiloohm horsepower
    tag tage tagen woche wochen monat monate monaten jahr jahre jahren stunde stunden minute minuten sekunde sekunden
    prozent grad zentimeter quadratmeter kubikmeter kilometern metern gramm kilogramm tonne tonnen stück
    jour semaine mois an année heure seconde mètre centimètre millimètre kilomètre gramme kilogramme litre degré
    día mes año hora minuto segundo metro kilómetro gramo litro""".split()
)


def _names() -> dict[str, str]:
    names = dict(_OTHERS)
    for symbol, name in _PREFIXED.items():
        names[symbol] = name
        names.update({prefix + symbol: long + name for prefix, long in _PREFIXES.items()})
    return names


#: Symbol → name, with the prefix spelt out: kΩ → kiloohm. Micro is U+03BC, ohm is U+03A9.
UNIT_NAMES: Final[dict[str, str]] = _names()
#: Names in the singular that count as units after a number.
UNIT_WORDS: Final[frozenset[str]] = frozenset(UNIT_NAMES.values()) | _OTHER_WORDS


def unit_name(symbol: str) -> str | None:
    """Return the name of a unit symbol, or `None`. Micro and ohm signs of either code point are known.

    >>> unit_name("kΩ"), unit_name("µm"), unit_name("xyz")
    ('kiloohm', 'micrometer', None)
    """
    return UNIT_NAMES.get(symbol if symbol.isascii() else unicodedata.normalize("NFKC", symbol))


def unit_meant(unit: str) -> str | None:
    """Return the name of a unit that is given by its symbol or its English name, `None` for all others.

    >>> unit_meant("kg"), unit_meant("tonnes"), unit_meant("Kilogramm")
    ('kilogram', 'tonne', None)
    """
    name = unit_name(unit) or unit.lower().removesuffix("s").replace("metre", "meter").replace("litre", "liter")
    return name if name in _SYMBOL_NAMES else None


_SYMBOL_NAMES: Final = frozenset(UNIT_NAMES.values())

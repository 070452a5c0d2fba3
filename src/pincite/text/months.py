"""Names of the months in English, German, French, Spanish, Italian and Dutch, whole and abbreviated."""

from typing import Final

_NAMES: Final = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
_SHORT: Final = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11,
    "dec": 12, "jänner": 1, "feber": 2, "mär": 3, "mrz": 3, "maerz": 3, "okt": 10, "dez": 12, "janv": 1, "févr": 2,
    "fév": 2, "fevrier": 2, "avr": 4, "juil": 7, "aout": 8, "déc": 12, "decembre": 12, "setiembre": 9, "mrt": 3,
}  # fmt: skip

#: Name in lower case → number of the month.
MONTHS: Final[dict[str, int]] = {
    name: number for names in _NAMES.values() for number, name in enumerate(names.split(), start=1)
} | _SHORT
#: English words that name a month only where something else says that a date is meant: "may be", "march on".
ALSO_WORDS: Final = frozenset({"may", "march", "august", "mars", "mei", "mar", "jan"})

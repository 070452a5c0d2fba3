"""Kinds of amount: a line with a sum of money answers what something costs, whether it says "cost" or not."""

import re
from typing import Final

from pincite.text.amounts import QuantityAt, find_quantities
from pincite.text.tokens import token_terms
from pincite.text.units import unit_name

_BY_UNIT: Final[dict[str, str]] = {
    unit: kind
    for kind, units in {
        "mass": "gram kilogram milligram tonne ton pound ounce lb kg g t gramm kilogramm tonnen gramme kilogramme",
        "length": "meter kilometer centimeter millimeter micrometer nanometer mile foot feet inch yard m km cm mm ft",
        "time": "second minute hour day week month year decade century millisecond s h min ms sekunde minuten stunde "
        "stunden tag tage woche wochen monat monate jahr jahre seconde heure jour semaine mois an année",
        "share": "percent % percentage",
        "temperature": "celsius fahrenheit kelvin degree",
        "resistance": "ohm kiloohm megaohm",
        "voltage": "volt kilovolt millivolt",
        "power": "watt kilowatt megawatt horsepower",
        "speed": "knot kph mph",
        "pressure": "bar mbar psi pa kpa mpa atm pascal kilopascal megapascal",
        "volume": "liter milliliter l ml gallon litre",
        "energy": "joule kilojoule calorie kwh wh",
    }.items()
    for unit in units.split()
}
#: Words of a question for what is measured ("the lead content", "the ozone level"): where no table says them they name
#: nothing else than the column does.
MEASURED: Final = frozenset("content level concentration reading measurement result score count quantity".split())
#: Stem of a question's word → the kind of amount that answers it.
_BY_WORD: Final[dict[str, str]] = {
    token_terms(word)[0]: kind
    for kind, words in {
        "money": "cost costs price fee fine charge pay paid salary wage rent tariff penalty worth fare "
        "kosten kostet preis gebühr strafe miete coûte prix tarif amende loyer",
        "mass": "weigh weight heavy mass schwer gewicht wiegt wiegen poids pèse",
        "length": "length width height depth distance wide deep high tall länge lang breite breit tiefe tief höhe hoch "
        "longueur largeur profondeur hauteur",
        "time": "duration often",
        "share": "percentage percent share proportion",
        "temperature": "temperature hot cold temperatur température",
        "resistance": "resistance",
        "voltage": "voltage",
        "power": "power leistung puissance",
        "speed": "speed fast geschwindigkeit vitesse",
        "pressure": "pressure druck pression",
        "volume": "volume",
        "energy": "energy",
        "phone": "phone telephone mobile telefon telefonnummer téléphone teléfono",
        "email": "email e-mail",
        "url": "website web url homepage",
    }.items()
    for word in words.split()
}


def measures_in(text: str) -> frozenset[str]:
    """Return the kinds of amount that a text states, as pseudo-terms.

    >>> measures_in("twelve fenders for 340 crowns")
    frozenset({'<money>'})
    """
    told = {kind for quantity in find_quantities(text) if (kind := measure(quantity)) is not None}
    return frozenset(told | {kind or "" for kind, pattern in WRITTEN.items() if pattern.search(text)})


#: What is known by how it is written.
WRITTEN: Final[dict[str | None, re.Pattern[str]]] = {
    "<phone>": re.compile(r"(?<![\w.,-])(?:\+|00?|\()\d[\d()/ -]{6,}\d(?![\w-])"),
    "<email>": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w.+-]+@\w[\w-]*"),
    "<url>": re.compile(r"\b(?:https?://|www\.)[^\s<>\"”]+", re.IGNORECASE),
}


def measure(quantity: QuantityAt) -> str | None:
    """Return the kind of one amount, as a pseudo-term."""
    if quantity.value.currency is not None:
        return "<money>"
    unit = quantity.value.unit
    if unit is None:
        return None
    name = (unit_name(unit) or unit).lower().replace("metre", "meter").removesuffix("s")
    kind = _BY_UNIT.get(unit) or _BY_UNIT.get(name) or _BY_UNIT.get(name.rsplit(" ", maxsplit=1)[-1])
    return f"<{kind}>" if kind else None


def measure_of(term: str) -> str | None:
    """Return the pseudo-term for a word of a question that asks for a kind of amount.

    >>> measure_of("cost")
    '<money>'
    """
    kind = _BY_WORD.get(term)
    return f"<{kind}>" if kind else None

"""What the numbers of a table count, where its title or first cells say so: "(In millions, except share data)"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_SCALES: Final = {
    "thousand": "thousands", "thousands": "thousands", "000": "thousands", "000s": "thousands", "k": "thousands",
    "tausend": "thousands", "tsd": "thousands", "milliers": "thousands",
    "million": "millions", "millions": "millions", "mio": "millions", "mn": "millions", "m": "millions",
    "millionen": "millions", "mm": "millions",
    "billion": "billions", "billions": "billions", "bn": "billions", "mrd": "billions", "milliarden": "billions",
    "milliards": "billions",
}  # fmt: skip
_CURRENCY: Final = (
    r"(?:US\s?\$|U\.S\.\s?dollars?|US\s?dollars?|[$€£¥₹]|USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|dollars?|euros?|pounds?"
    r"(?:\s+sterling)?|yen|francs?)"
)
_SCALE: Final = "|".join(sorted(map(re.escape, _SCALES), key=len, reverse=True))
_STATED: Final = (
    # As in: amounts in millions of dollars, in USD thousands, in Mio. €.
    re.compile(
        rf"\bin\s+(?P<before>{_CURRENCY}\s?)?(?P<scale>{_SCALE})\b\.?(?:\s+(?:of\s+)?(?P<after>{_CURRENCY}))?",
        re.IGNORECASE,
    ),
    # As in $ in millions.
    re.compile(rf"(?P<before>{_CURRENCY})\s+(?:\w+\s+){{0,2}}in\s+(?P<scale>{_SCALE})\b(?P<after>)", re.IGNORECASE),
    # As in (€ million), ($000s), EUR m, £m.
    re.compile(rf"(?<!\w)(?P<before>{_CURRENCY})\s?'?(?P<scale>{_SCALE})(?!\w)(?P<after>)", re.IGNORECASE),
    # As in Millions of dollars.
    re.compile(rf"\b(?P<scale>{_SCALE})\s+of\s+(?P<after>{_CURRENCY})(?P<before>)", re.IGNORECASE),
    # As in (thousands).
    re.compile(r"\((?P<before>)(?P<scale>thousands|millions|billions)(?P<after>)\b", re.IGNORECASE),
)
_UNIT: Final = re.compile(
    r"\(\s*(?:all\s+|figures\s+|amounts\s+|values\s+)*in\s+(?!(?:thousand|million|billion)s?\b)(?P<unit>percent(?:age)?|per\s?cent|%|[^\W\d_]{1,12}(?:\s?/\s?[^\W\d_]{1,8})?)\s*\)"
    rf"|^\W*(?P<money>{_CURRENCY})\W*$",
    re.IGNORECASE,
)
#: A longer text is a sentence that speaks of numbers, not the line that says what the table counts.
_MOST_WORDS: Final = 30


@dataclass(frozen=True, slots=True)
class Counted:
    """The unit ("USD", "percent") and the scale ("millions") of the numbers of a table, as far as they are said."""

    unit: str | None = None
    scale: str | None = None


def counted_in(texts: Iterable[str]) -> Counted:
    """Return the unit and scale that texts around a table state; the first that states one counts.

    >>> counted_in(["Consolidated Balance Sheets", "(In millions, except per share data)"])
    Counted(unit=None, scale='millions')
    >>> counted_in(["Costs by pier (€ thousand)"])
    Counted(unit='€', scale='thousands')
    >>> counted_in(["The budget rose by $3 million in thousands of ways, as the council had asked for."])
    Counted(unit=None, scale=None)
    """
    unit = scale = None
    for text in texts:
        counted, named = _said(text)
        if counted.scale is not None and scale is None:
            scale = counted.scale
            unit = unit or counted.unit
        unit = unit or named
    return Counted(unit, scale)


@lru_cache(maxsize=4096)
def _said(text: str) -> tuple[Counted, str | None]:
    """Return the scale that one text states with the unit beside it, and a unit that it states by itself.

    Names of columns are the same in table after table, and most state nothing.
    """
    if len(text.split()) > _MOST_WORDS or text.rstrip().endswith("."):
        return Counted(), None
    stated = next((match for pattern in _STATED if (match := pattern.search(text))), None)
    alone = _UNIT.search(text)
    named = (alone["unit"] or alone["money"]) if alone is not None else None
    if stated is None:
        return Counted(), named
    unit = (stated["before"] or stated["after"] or "").strip() or None
    return Counted(unit, _SCALES[stated["scale"].lower()]), named
